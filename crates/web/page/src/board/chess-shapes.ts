/** Our own chess pieces: outlines in a square from -22 to 22, all with the same foot. */
const foot = "M-15 20H15V15Q15 12 11 12H-11Q-15 12 -15 15Z";

export const chessShapes: Record<string, string> = {
    P: `${foot}M-8 12Q-4 4 -4 -1H4Q4 4 8 12ZM-8 -1H8V-4H-8ZM0 -18A7.5 7.5 0 1 1 -.01 -18Z`,
    R: `${foot}M-10 12L-8 -8H8L10 12ZM-12 -8V-19H-7V-15H-2.5V-19H2.5V-15H7V-19H12V-8Z`,
    B: `${foot}M-9 12Q-4 6 -4 2H4Q4 6 9 12ZM-8 2H8V-1H-8ZM-7 -1Q-12 -8 0 -18Q12 -8 7 -1ZM0 -21.5A2.5 2.5 0 1 1 -.01 -21.5Z`,
    N: `${foot}M-11 12Q-10 3 -3 -3Q-9 -1 -12 3Q-17 3 -16 -3L-9 -13L-8 -20L-3 -16Q13 -15 12 12Z`,
    Q: `${foot}M-10 12L-17 -12L-8 -1L-7 -17L0 -3L7 -17L8 -1L17 -12L10 12ZM-17 -17A2.5 2.5 0 1 1 -17.01 -17ZM-7 -22A2.5 2.5 0 1 1 -7.01 -22ZM7 -22A2.5 2.5 0 1 1 6.99 -22ZM17 -17A2.5 2.5 0 1 1 16.99 -17Z`,
    K: `${foot}M-10 12Q-20 0 -15 -6Q-9 -12 0 -3Q9 -12 15 -6Q20 0 10 12ZM-2 -5V-13H-7V-17H-2V-22H2V-17H7V-13H2V-5Z`,
};
