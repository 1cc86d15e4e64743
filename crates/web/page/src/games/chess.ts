/** Chess as FEN writes it. */
import { type Diagram, joinGoal, type Kit, noHands, readRows, splitGoal, writeRows } from "./diagram";
import type { Words } from "../protocol";

const rows = Array.from({ length: 8 }, (_, y) => Array.from({ length: 8 }, (_, x) => `${"abcdefgh"[x]}${8 - y}`));

const names: Record<string, Words> = {
    K: { en: "king", ja: "キング" },
    Q: { en: "queen", ja: "クイーン" },
    R: { en: "rook", ja: "ルーク" },
    B: { en: "bishop", ja: "ビショップ" },
    N: { en: "knight", ja: "ナイト" },
    P: { en: "pawn", ja: "ポーン" },
};

/** The castling rights whose king and rook still stand where they did. */
function rightsLeft(squares: Diagram["squares"], rights: string): string {
    const left = [...rights].filter((right) => {
        const white = right === right.toUpperCase();
        const rank = white ? "1" : "8";
        const [king, rook] = white ? ["K", "R"] : ["k", "r"];
        const letter = right.toLowerCase();
        if (letter === "k" || letter === "q") {
            return squares.get(`e${rank}`) === king && squares.get(`${letter === "k" ? "h" : "a"}${rank}`) === rook;
        }
        return squares.get(`${letter}${rank}`) === rook && rows[white ? 7 : 0]!.some((square) => squares.get(square) === king);
    });
    return left.join("") || "-";
}

export const chess: Kit = {
    name: "chess",
    parse(text) {
        const { body, goal } = splitGoal(text);
        const [board, turn, ...rest] = body.split(/\s+/);
        if (board === undefined || (turn !== "w" && turn !== "b")) return undefined;
        const squares = readRows(board, rows, /^[KQRBNPkqrbnp]$/);
        if (!squares) return undefined;
        return { game: "chess", size: 8, squares, hands: noHands(), turn: turn === "w" ? "first" : "second", rest, ...(goal && { goal }) };
    },
    /** En passant is kept only while nothing was moved: whoever sets up a position starts without. */
    write({ squares, turn, rest, goal }) {
        const [rights = "-", passant = "-", ...counters] = rest;
        const rank = turn === "first" ? "5" : "4";
        const pawn = turn === "first" ? "p" : "P";
        const kept = passant !== "-" && squares.get(`${passant[0]}${rank}`) === pawn ? passant : "-";
        const fields = [writeRows(squares, rows), turn === "first" ? "w" : "b", rightsLeft(squares, rights), kept, ...counters];
        return joinGoal(fields.join(" "), goal);
    },
    empty: () => ({ game: "chess", size: 8, squares: new Map(), hands: noHands(), turn: "first", rest: ["-", "-", "0", "1"] }),
    rows: () => rows,
    decode(move) {
        const found = /^([a-h][1-8])([a-h][1-8])([qrbn]?)$/.exec(move);
        return found ? { from: found[1]!, to: found[2]!, promotion: found[3]! } : {};
    },
    owner: (piece) => (piece === piece.toUpperCase() ? "first" : "second"),
    box: () => [..."KQRBNPkqrbnp"].map((piece) => ({ piece, left: Infinity })),
    next: (piece) => (piece === piece.toUpperCase() ? piece.toLowerCase() : piece.toUpperCase()),
    squareName: (square) => ({ en: square, ja: square }),
    pieceName: (piece) => names[piece.toUpperCase()]!,
    sideName: (side) => (side === "first" ? { en: "White", ja: "白" } : { en: "Black", ja: "黒" }),
};
