/** Pictures of few colours, a fraction of the size: for a page of flat areas nobody sees the difference. */
import { deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** The pixels of a picture as the browser writes it: 8 bits a channel, not interlaced. */
function pixels(png) {
    let width, height, channels;
    const parts = [];
    for (let at = 8; at < png.length; ) {
        const length = png.readUInt32BE(at);
        const kind = png.toString("latin1", at + 4, at + 8);
        const data = png.subarray(at + 8, at + 8 + length);
        if (kind === "IHDR") {
            [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
            channels = { 2: 3, 6: 4 }[data[9]];
        } else if (kind === "IDAT") parts.push(data);
        at += 12 + length;
    }
    const raw = inflateSync(Buffer.concat(parts));
    const row = width * channels;
    const out = Buffer.alloc(row * height);
    for (let y = 0; y < height; y += 1) {
        const filter = raw[y * (row + 1)];
        for (let x = 0; x < row; x += 1) {
            const left = x >= channels ? out[y * row + x - channels] : 0;
            const up = y > 0 ? out[(y - 1) * row + x] : 0;
            const corner = x >= channels && y > 0 ? out[(y - 1) * row + x - channels] : 0;
            const near = [left, up, corner].reduce((best, value) => (Math.abs(left + up - corner - value) < Math.abs(left + up - corner - best) ? value : best));
            const guess = [0, left, up, (left + up) >> 1, near][filter];
            out[y * row + x] = raw[y * (row + 1) + 1 + x] + guess;
        }
    }
    return { width, height, channels, out };
}

const crcs = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k += 1) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n >>> 0;
});
function chunk(kind, data) {
    const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
    const crc = body.reduce((sum, byte) => crcs[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** The same picture in its most frequent colours; the others become the nearest of them. */
export function small(png, colours = 48) {
    const { width, height, channels, out } = pixels(png);
    const counts = new Map();
    const at = (k) => (out[k] << 16) | (out[k + 1] << 8) | out[k + 2];
    for (let k = 0; k < out.length; k += channels) counts.set(at(k), (counts.get(at(k)) ?? 0) + 1);
    const distance = (a, b) => ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
    const palette = [];
    // A colour counts for more the further it is from those that are there.
    for (const least of [1500, 400, 100]) {
        for (const [colour] of [...counts].sort((a, b) => b[1] - a[1]).slice(0, 4000)) {
            if (palette.length < colours && palette.every((other) => distance(colour, other) > least)) palette.push(colour);
        }
    }
    const nearest = new Map();
    const index = (colour) => {
        let found = nearest.get(colour);
        if (found === undefined) {
            found = palette.reduce((best, other, k) => (distance(colour, other) < distance(colour, palette[best]) ? k : best), 0);
            nearest.set(colour, found);
        }
        return found;
    };
    const rows = Buffer.alloc((width + 1) * height);
    for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = index(at((y * width + x) * channels));
    }
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 3, 0, 0, 0], 8);
    const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
    return Buffer.concat([signature, chunk("IHDR", header), chunk("PLTE", table), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}
