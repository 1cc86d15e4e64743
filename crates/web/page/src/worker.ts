/**
 * The engine in the browser: our crates as WebAssembly behind five functions (docs/web-protocol.md). A search
 * works in slices, so that `pause` and `stop` are heard between two of them.
 */
import type { WorkerNews } from "./engine";

interface Exports {
    memory: WebAssembly.Memory;
    alloc(length: number): number;
    free(pointer: number, length: number): void;
    receive(pointer: number, length: number): void;
    step(milliseconds: number): number;
}

declare const self: DedicatedWorkerGlobalScope;

/** Milliseconds that the engine works between two looks at what the page says. */
const slice = 40;

const tell = (news: WorkerNews) => self.postMessage(news);
let engine: Exports | undefined;
let working = false;
const next = new MessageChannel();

async function load(url: string): Promise<Exports> {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`engine.wasm: ${response.status}`);
    const decoder = new TextDecoder();
    const imports = {
        env: {
            send: (pointer: number, length: number) =>
                tell({ message: decoder.decode(new Uint8Array(exports.memory.buffer, pointer, length)) }),
            now: () => performance.now(),
        },
    };
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), imports);
    const exports = instance.exports as unknown as Exports;
    return exports;
}

/** A trap leaves the engine in no state to go on. */
function guarded(work: () => void): void {
    try {
        work();
    } catch (error) {
        engine = undefined;
        tell({ crashed: error instanceof Error ? error.message : String(error) });
    }
}

function receive(message: string): void {
    if (!engine) return;
    const bytes = new TextEncoder().encode(message);
    const pointer = engine.alloc(bytes.length);
    if (pointer === 0) throw new Error("no memory");
    new Uint8Array(engine.memory.buffer, pointer, bytes.length).set(bytes);
    engine.receive(pointer, bytes.length);
    engine.free(pointer, bytes.length);
    work();
}

function work(): void {
    if (working) return;
    working = true;
    next.port2.postMessage(null);
}

next.port1.onmessage = () => {
    working = false;
    guarded(() => {
        if (engine && engine.step(slice) === 1) work();
    });
};

self.onmessage = (event: MessageEvent<{ wasm: string } | { message: string }>) => {
    const { data } = event;
    if ("message" in data) {
        guarded(() => receive(data.message));
        return;
    }
    load(data.wasm).then(
        (loaded) => {
            engine = loaded;
            tell({ ready: true });
        },
        (error: unknown) => tell({ failed: error instanceof Error ? error.message : String(error) }),
    );
};
