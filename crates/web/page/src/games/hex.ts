/** Hex: `hex SIZE ROWS SIDE` with rows of B, W and `.`, or `hex SIZE moves CELL…`. */
import { joinGoal, type Kit, noHands, splitGoal } from "./diagram";
import type { Side } from "../protocol";

const largest = 11;
const rows = (size: number) =>
    Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => `${"abcdefghijk"[x]}${y + 1}`));

export const hex: Kit = {
    name: "hex",
    parse(text) {
        const { body, goal } = splitGoal(text);
        const [word, number, board, ...more] = body.split(/\s+/);
        const size = Number(number);
        if (word !== "hex" || !Number.isInteger(size) || size < 1 || size > largest) return undefined;
        const squares = new Map<string, string>();
        let turn: Side;
        if (board === "moves") {
            const names = new Set(rows(size).flat());
            if (more.some((cell) => !names.has(cell))) return undefined;
            more.forEach((cell, index) => squares.set(cell, index % 2 === 0 ? "B" : "W"));
            turn = more.length % 2 === 0 ? "first" : "second";
        } else {
            const written = board?.split("/") ?? [];
            if (written.length !== size || written.some((row) => row.length !== size || !/^[BW.]*$/.test(row))) return undefined;
            if (more.length !== 1 || !/^[BW]$/.test(more[0]!)) return undefined;
            rows(size).forEach((row, y) =>
                row.forEach((cell, x) => {
                    if (written[y]![x] !== ".") squares.set(cell, written[y]![x]!);
                }),
            );
            turn = more[0] === "B" ? "first" : "second";
        }
        return { game: "hex", size, squares, hands: noHands(), turn, rest: [], ...(goal && { goal }) };
    },
    write({ size, squares, turn, goal }) {
        const board = rows(size).map((row) => row.map((cell) => squares.get(cell) ?? ".").join(""));
        return joinGoal(`hex ${size} ${board.join("/")} ${turn === "first" ? "B" : "W"}`, goal);
    },
    empty: (size = 6) => ({ game: "hex", size, squares: new Map(), hands: noHands(), turn: "first", rest: [] }),
    rows,
    decode: (move) => (/^[a-k]\d{1,2}$/.test(move) ? { to: move } : {}),
    owner: (piece) => (piece === "B" ? "first" : "second"),
    box: () => ["B", "W"].map((piece) => ({ piece, left: Infinity })),
    next: (piece) => (piece === "B" ? "W" : "B"),
    squareName: (square) => ({ en: square, ja: square }),
    pieceName: (piece) => (piece === "B" ? { en: "black stone", ja: "黒石" } : { en: "white stone", ja: "白石" }),
    sideName: (side) => (side === "first" ? { en: "Black", ja: "黒" } : { en: "White", ja: "白" }),
};
