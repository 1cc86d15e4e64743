/** Files in and out, without a server. */

/** Files that are larger than this are not read, in bytes. */
export const largest = 10_000_000;

const certificateStart = "yomikiri certificate ";

export type Dropped = { certificate: string } | { text: string };

/** A certificate as base64, or text in UTF-8 or Shift_JIS. */
export async function readFile(file: File): Promise<Dropped> {
    const data = new Uint8Array(await file.arrayBuffer());
    const head = new TextDecoder("latin1").decode(data.subarray(0, certificateStart.length));
    if (head === certificateStart) return { certificate: toBase64(data) };
    try {
        return { text: new TextDecoder("utf-8", { fatal: true }).decode(data) };
    } catch {
        return { text: new TextDecoder("shift_jis").decode(data) };
    }
}

export function toBase64(data: Uint8Array): string {
    let text = "";
    // In parts, since a call takes only so many arguments; 3 divides their length.
    for (let k = 0; k < data.length; k += 0x6000) text += btoa(String.fromCharCode(...data.subarray(k, k + 0x6000)));
    return text;
}

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export function save(name: string, content: Blob): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The picture of an SVG in pixels. */
export async function toPng(svg: string, width: number): Promise<Blob> {
    const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    try {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = document.createElement("canvas");
        canvas.width = width;
        canvas.height = Math.round((width * image.naturalHeight) / image.naturalWidth);
        const context = canvas.getContext("2d");
        if (!context) throw new Error("no canvas");
        context.fillStyle = "#fff";
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        return await new Promise((resolve, reject) =>
            canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
        );
    } finally {
        URL.revokeObjectURL(url);
    }
}
