/** Where everything of a board lies, in units of the picture. */
import type { Side } from "../protocol";
import { type Diagram, type Kit } from "../games/diagram";
import { rankNames } from "../games/shogi";

export const unit = 60;

export interface Cell {
    place: string;
    x: number;
    y: number;
    /** The outline around (x, y), for `points` of a polygon. */
    points: string;
    dark: boolean;
}

export interface Strip {
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface Geometry {
    width: number;
    height: number;
    rows: Cell[][];
    coordinates: { x: number; y: number; text: string }[];
    hands?: Record<Side, Strip>;
    box?: Strip;
    /** Hex: the edges that each side joins. */
    edges: { side: Side; points: string }[];
    /** Othello and shogi: the small dots that help the eye. */
    dots: { x: number; y: number }[];
}

const stripHeight = 70;
const gap = 8;
const label = 26;

const outline = (corners: readonly (readonly [number, number])[], x: number, y: number) =>
    corners.map(([dx, dy]) => `${(x + dx).toFixed(2)},${(y + dy).toFixed(2)}`).join(" ");

const half = unit / 2;
const square = [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
] as const;

/** A hexagon with a corner on top; its neighbours in a row are `unit` apart. */
const radius = unit / Math.sqrt(3);
const hexagon = [0, 1, 2, 3, 4, 5].map((k) => {
    const angle = (Math.PI / 3) * k - Math.PI / 2;
    return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
});

export function geometryOf(kit: Kit, diagram: Diagram, flipped: boolean, editing: boolean): Geometry {
    const names = kit.rows(diagram.size);
    const n = diagram.size;
    const isHex = kit.name === "hex";
    const isShogi = kit.name === "shogi";
    const above = (isShogi ? stripHeight + gap : 0) + label;
    const width = isHex ? unit * (1.5 * n - 0.5) + 2 * label + 12 : unit * n + 2 * label;
    const deep = isHex ? radius * (1.5 * n + 0.5) : unit * n;
    const left = (width - (isHex ? unit * (1.5 * n - 0.5) : unit * n)) / 2;
    const below = above + deep + (isShogi ? gap : label);
    const centre = (column: number, row: number) =>
        isHex
            ? { x: left + half + unit * (column + row / 2), y: above + radius * (1 + 1.5 * row) }
            : { x: left + half + unit * column, y: above + half + unit * row };
    const mirrored = ({ x, y }: { x: number; y: number }) => ({ x: width - x, y: 2 * above + deep - y });
    const at = (column: number, row: number) => (flipped ? mirrored(centre(column, row)) : centre(column, row));

    const rows = names.map((line, row) =>
        line.map((place, column) => {
            const { x, y } = at(column, row);
            return { place, x, y, points: outline(isHex ? hexagon : square, x, y), dark: (row + column) % 2 === 1 };
        }),
    );
    if (flipped) rows.reverse().forEach((line) => line.reverse());

    const coordinates: Geometry["coordinates"] = [];
    for (let k = 0; k < n; k += 1) {
        const column = at(k, 0);
        const row = at(0, k);
        if (isHex) {
            const up = flipped ? 1 : -1;
            coordinates.push({ x: column.x + up * 10, y: column.y + up * (radius + 10), text: "abcdefghijk"[k]! });
            coordinates.push({ x: row.x + up * (half + 14), y: row.y, text: String(k + 1) });
        } else if (isShogi) {
            coordinates.push({ x: column.x, y: above - label / 2, text: "９８７６５４３２１"[k]! });
            coordinates.push({ x: left + deep + label / 2, y: row.y, text: rankNames[k]! });
        } else {
            const under = kit.name === "chess" ? above + deep + label / 2 : above - label / 2;
            coordinates.push({ x: column.x, y: under, text: "abcdefgh"[k]! });
            coordinates.push({ x: left - label / 2, y: row.y, text: String(kit.name === "chess" ? 8 - k : k + 1) });
        }
    }

    const edges: Geometry["edges"] = [];
    if (isHex) {
        const corners = (column: number, row: number, which: number[]) => {
            const { x, y } = centre(column, row);
            return which.map((k) => ({ x: x + hexagon[k]![0], y: y + hexagon[k]![1] }));
        };
        const span = Array.from({ length: n }, (_, k) => k);
        const lines: [Side, { x: number; y: number }[]][] = [
            ["first", span.flatMap((k) => corners(k, 0, [5, 0, 1]))],
            ["first", span.flatMap((k) => corners(k, n - 1, [4, 3, 2]))],
            ["second", span.flatMap((k) => corners(0, k, k < n - 1 ? [5, 4, 3] : [5, 4]))],
            ["second", span.flatMap((k) => corners(n - 1, k, k > 0 ? [0, 1, 2] : [1, 2]))],
        ];
        for (const [side, points] of lines) {
            const shown = flipped ? points.map(mirrored) : points;
            edges.push({ side, points: shown.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ") });
        }
    }

    const inner = isShogi ? [3, 6] : kit.name === "othello" ? [2, 6] : [];
    const dots = inner.flatMap((column) => inner.map((row) => ({ x: left + unit * column, y: above + unit * row })));

    const strip = (y: number): Strip => ({ x: left, y, width: isHex ? width - 2 * left : unit * n, height: stripHeight });
    const hands = { first: strip(flipped ? 0 : below), second: strip(flipped ? below : 0) };
    const bottom = below + (isShogi ? stripHeight + gap : 0);
    const boxRows = kit.name === "chess" ? 2 : 1;
    const box = { ...strip(bottom), height: stripHeight * boxRows };
    return {
        width,
        height: bottom + (editing ? box.height + gap : 0),
        rows,
        coordinates,
        edges,
        dots,
        ...(isShogi && { hands }),
        ...(editing && { box }),
    };
}

/** The middle of a place, for arrows. */
export function centreOf(geometry: Geometry, place: string): { x: number; y: number } | undefined {
    return geometry.rows.flat().find((cell) => cell.place === place);
}
