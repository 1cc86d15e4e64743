/** Shogi as SFEN writes it. */
import type { Side, Words } from "../protocol";
import { type Diagram, joinGoal, type Kit, noHands, readRows, splitGoal, writeRows } from "./diagram";

export const rankNames = "一二三四五六七八九";

/** How many of each kind there are, in the order of hands. */
const all: readonly (readonly [string, number])[] = [
    ["R", 2],
    ["B", 2],
    ["G", 4],
    ["S", 4],
    ["N", 4],
    ["L", 4],
    ["P", 18],
];

const names: Record<string, Words> = {
    K: { ja: "玉", en: "king" },
    R: { ja: "飛", en: "rook" },
    B: { ja: "角", en: "bishop" },
    G: { ja: "金", en: "gold" },
    S: { ja: "銀", en: "silver" },
    N: { ja: "桂", en: "knight" },
    L: { ja: "香", en: "lance" },
    P: { ja: "歩", en: "pawn" },
    "+R": { ja: "龍", en: "dragon" },
    "+B": { ja: "馬", en: "horse" },
    "+S": { ja: "全", en: "promoted silver" },
    "+N": { ja: "圭", en: "promoted knight" },
    "+L": { ja: "杏", en: "promoted lance" },
    "+P": { ja: "と", en: "tokin" },
};

const rows = Array.from({ length: 9 }, (_, y) =>
    Array.from({ length: 9 }, (_, x) => `${9 - x}${"abcdefghi"[y]}`),
);

function readHands(text: string): Diagram["hands"] | undefined {
    const hands = noHands();
    if (text === "-") return hands;
    if (!/^(\d*[RBGSNLPrbgsnlp])+$/.test(text)) return undefined;
    for (const [, count, letter] of text.matchAll(/(\d*)([A-Za-z])/g)) {
        const kind = letter!.toUpperCase();
        const hand = hands[letter === kind ? "first" : "second"];
        hand.set(kind, (hand.get(kind) ?? 0) + (count === "" ? 1 : Number(count)));
    }
    return hands;
}

function writeHands(hands: Diagram["hands"]): string {
    let text = "";
    for (const side of ["first", "second"] as Side[]) {
        for (const [kind] of all) {
            const count = hands[side].get(kind) ?? 0;
            if (count > 0) text += (count > 1 ? count : "") + (side === "first" ? kind : kind.toLowerCase());
        }
    }
    return text || "-";
}

/** Everything that is neither on the board nor in Black's hand goes to White's: as tsume-shogi has it. */
export function restToSecond(diagram: Diagram): Diagram {
    const second = new Map(diagram.hands.second);
    for (const { piece, left } of shogi.box(diagram)) {
        if (piece !== "K" && left > 0) second.set(piece, (second.get(piece) ?? 0) + left);
    }
    return { ...diagram, hands: { ...diagram.hands, second } };
}

export const shogi: Kit = {
    name: "shogi",
    parse(text) {
        const { body, goal } = splitGoal(text);
        const [board, turn, hand, ...rest] = body.replace(/^(position\s+)?sfen\s+/, "").split(/\s+/);
        if (board === undefined || hand === undefined || (turn !== "b" && turn !== "w")) return undefined;
        const squares = readRows(board, rows, /^(\+?[RBSNLPrbsnlp]|[KGkg])$/);
        const hands = readHands(hand);
        if (!squares || !hands || rest.length > 1) return undefined;
        return { game: "shogi", size: 9, squares, hands, turn: turn === "b" ? "first" : "second", rest, ...(goal && { goal }) };
    },
    write({ squares, hands, turn, rest, goal }) {
        const fields = [writeRows(squares, rows), turn === "first" ? "b" : "w", writeHands(hands), ...rest];
        return joinGoal(fields.join(" "), goal);
    },
    empty: () => ({ game: "shogi", size: 9, squares: new Map(), hands: noHands(), turn: "first", rest: ["1"] }),
    rows: () => rows,
    decode(move) {
        const drop = /^([RBGSNLP])\*([1-9][a-i])$/.exec(move);
        if (drop) return { drop: drop[1]!, to: drop[2]! };
        const found = /^([1-9][a-i])([1-9][a-i])(\+?)$/.exec(move);
        return found ? { from: found[1]!, to: found[2]!, promotion: found[3]! } : {};
    },
    owner: (piece) => (piece === piece.toUpperCase() ? "first" : "second"),
    box(diagram) {
        const used = new Map<string, number>();
        for (const piece of diagram.squares.values()) {
            const kind = piece.replace("+", "").toUpperCase();
            used.set(kind, (used.get(kind) ?? 0) + 1);
        }
        return [["K", 2] as const, ...all].map(([piece, count]) => ({
            piece,
            left: count - (used.get(piece) ?? 0) - (diagram.hands.first.get(piece) ?? 0) - (diagram.hands.second.get(piece) ?? 0),
        }));
    },
    next(piece) {
        const swap = piece === piece.toUpperCase() ? piece.toLowerCase() : piece.toUpperCase();
        if (/^[KG]$/i.test(piece)) return swap;
        return piece.startsWith("+") ? swap.slice(1) : `+${piece}`;
    },
    squareName: (square) => ({ en: square, ja: square[0]! + rankNames["abcdefghi".indexOf(square[1]!)]! }),
    pieceName: (piece) => names[piece.toUpperCase()]!,
    sideName: (side) => (side === "first" ? { en: "Black", ja: "先手" } : { en: "White", ja: "後手" }),
};
