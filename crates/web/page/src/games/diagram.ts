/**
 * What stands where, for drawing and for setting up. No rule of any game is here: which moves there are and
 * whether a position is legal, the engine says.
 */
import type { Side, Words } from "../protocol";

export type GameName = "shogi" | "chess" | "othello" | "hex";

/** A piece by the letter that the game's notation has for it: `P`, `+p`, `K`, `X`, `B`. */
export type Piece = string;

export interface Diagram {
    game: GameName;
    /** Squares on a side. */
    size: number;
    /** By the name that moves have for a square: `7f`, `e4`, `b3`. */
    squares: ReadonlyMap<string, Piece>;
    /** Shogi: how many of each kind, by capital letter. */
    hands: Readonly<Record<Side, ReadonlyMap<string, number>>>;
    turn: Side;
    /** What follows in the text and is not drawn: castling rights, counters. */
    rest: string[];
    /** `goal …` at the end of the text. */
    goal?: string;
}

/** A move by what it touches. */
export interface Decoded {
    from?: string;
    /** Shogi: the capital letter of the piece that comes from the hand. */
    drop?: string;
    to?: string;
    /** What the piece becomes: `+`, or a letter of chess. */
    promotion?: string;
}

/** What the page knows of a game: how it is written and how it looks. */
export interface Kit {
    name: GameName;
    /** The diagram of a text of the engine's, or nothing if it is not one of this game. */
    parse(text: string): Diagram | undefined;
    write(diagram: Diagram): string;
    /** A board to begin with. */
    empty(size?: number): Diagram;
    /** The names of the squares, row by row, as the first player sees them. */
    rows(size: number): string[][];
    decode(move: string): Decoded;
    owner(piece: Piece): Side;
    /** The pieces that can be put on the board, with how many are left, where their number is fixed. */
    box(diagram: Diagram): { piece: Piece; left: number }[];
    /** The other forms of a piece, in turn: promoted, of the other side. */
    next(piece: Piece): Piece;
    squareName(square: string): Words;
    pieceName(piece: Piece): Words;
    sideName(side: Side): Words;
}

export const other = (side: Side): Side => (side === "first" ? "second" : "first");

export const noHands = (): Record<Side, Map<string, number>> => ({ first: new Map(), second: new Map() });

/** The text without `goal …`, and the goal. */
export function splitGoal(text: string): { body: string; goal?: string } {
    const found = /^(.*?)\s+goal\s+(\S+)\s*$/s.exec(text.trim());
    return found ? { body: found[1]!, goal: found[2]! } : { body: text.trim() };
}

export function joinGoal(body: string, goal: string | undefined): string {
    return goal === undefined ? body : `${body} goal ${goal}`;
}

/** Rows of a board as SFEN and FEN write them: pieces, and digits for runs of vacant squares. */
export function readRows(text: string, rows: string[][], pieces: RegExp): Map<string, Piece> | undefined {
    const written = text.split("/");
    if (written.length !== rows.length) return undefined;
    const squares = new Map<string, Piece>();
    for (const [y, row] of written.entries()) {
        let x = 0;
        for (const token of row.match(/\+?[A-Za-z]|\d|./g) ?? []) {
            if (/^[1-9]$/.test(token)) {
                x += Number(token);
            } else if (pieces.test(token)) {
                const square = rows[y]![x];
                if (square === undefined) return undefined;
                squares.set(square, token);
                x += 1;
            } else {
                return undefined;
            }
        }
        if (x !== rows[y]!.length) return undefined;
    }
    return squares;
}

export function writeRows(squares: ReadonlyMap<string, Piece>, rows: string[][]): string {
    const written = rows.map((row) => {
        let line = "";
        let vacant = 0;
        for (const square of row) {
            const piece = squares.get(square);
            if (piece === undefined) {
                vacant += 1;
                continue;
            }
            if (vacant > 0) line += vacant;
            vacant = 0;
            line += piece;
        }
        return vacant > 0 ? line + vacant : line;
    });
    return written.join("/");
}

/** A place that a piece can be taken from or put to: a square, `hand:first`, `hand:second:P`, `box:P`, `box`. */
export type Place = string;

function isSquare(place: Place): boolean {
    return !place.includes(":") && place !== "box";
}

/** The piece that a place holds, as it would stand on the board. */
export function pieceAt(kit: Kit, diagram: Diagram, place: Place): Piece | undefined {
    if (isSquare(place)) return diagram.squares.get(place);
    const [where, which, kind] = place.split(":");
    if (where === "box") {
        return kit.box(diagram).find(({ piece, left }) => piece === which && left > 0)?.piece;
    }
    if (kind === undefined || !diagram.hands[which as Side].get(kind)) return undefined;
    return which === "first" ? kind : kind.toLowerCase();
}

/** Setting up: the piece of one place goes to another. Nothing if that is not possible. */
export function rearrange(kit: Kit, diagram: Diagram, from: Place, to: Place): Diagram | undefined {
    const piece = pieceAt(kit, diagram, from);
    if (piece === undefined || from === to) return undefined;
    const squares = new Map(diagram.squares);
    const hands = { first: new Map(diagram.hands.first), second: new Map(diagram.hands.second) };
    const kind = piece.replace("+", "").toUpperCase();
    const hold = (side: Side, more: number) => {
        const count = (hands[side].get(kind) ?? 0) + more;
        if (count > 0) hands[side].set(kind, count);
        else hands[side].delete(kind);
    };
    const target = to.split(":");
    if (target[0] === "hand" && (diagram.game !== "shogi" || kind === "K")) return undefined;
    if (isSquare(from)) squares.delete(from);
    else if (from.startsWith("hand:")) hold(from.split(":")[1] as Side, -1);
    if (isSquare(to)) squares.set(to, piece);
    else if (target[0] === "hand") hold(target[1] as Side, 1);
    return { ...diagram, squares, hands };
}

/** Setting up: the piece on a square takes its next form. */
export function turnPiece(kit: Kit, diagram: Diagram, square: string): Diagram | undefined {
    const piece = diagram.squares.get(square);
    if (piece === undefined) return undefined;
    return { ...diagram, squares: new Map(diagram.squares).set(square, kit.next(piece)) };
}
