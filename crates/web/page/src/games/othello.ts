/** Othello: 64 of X, O and -, from a1 to h8, and the side to move. */
import { joinGoal, type Kit, noHands, splitGoal } from "./diagram";

const rows = Array.from({ length: 8 }, (_, y) => Array.from({ length: 8 }, (_, x) => `${"abcdefgh"[x]}${y + 1}`));

export const othello: Kit = {
    name: "othello",
    parse(text) {
        const { body, goal } = splitGoal(text);
        const letters = body.replace(/\s+/g, "");
        if (!/^[XO-]{64}[XO]$/.test(letters)) return undefined;
        const squares = new Map(
            rows.flat().flatMap((square, index) => (letters[index] === "-" ? [] : [[square, letters[index]!] as const])),
        );
        return { game: "othello", size: 8, squares, hands: noHands(), turn: letters[64] === "X" ? "first" : "second", rest: [], ...(goal && { goal }) };
    },
    write({ squares, turn, goal }) {
        const board = rows.flat().map((square) => squares.get(square) ?? "-").join("");
        return joinGoal(`${board} ${turn === "first" ? "X" : "O"}`, goal);
    },
    empty: () => ({ game: "othello", size: 8, squares: new Map(), hands: noHands(), turn: "first", rest: [] }),
    rows: () => rows,
    decode: (move) => (/^[a-h][1-8]$/i.test(move) ? { to: move.toLowerCase() } : {}),
    owner: (piece) => (piece === "X" ? "first" : "second"),
    box: () => ["X", "O"].map((piece) => ({ piece, left: Infinity })),
    next: (piece) => (piece === "X" ? "O" : "X"),
    squareName: (square) => ({ en: square, ja: square }),
    pieceName: (piece) => (piece === "X" ? { en: "black disc", ja: "黒石" } : { en: "white disc", ja: "白石" }),
    sideName: (side) => (side === "first" ? { en: "Black", ja: "黒" } : { en: "White", ja: "白" }),
};
