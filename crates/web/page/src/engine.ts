/**
 * The page's engine: one interface, two transports. A question is a promise; a search tells its news to a
 * listener besides. A server that goes away is waited for, with longer and longer pauses; what it had been
 * asked and can be asked again is asked again when it is back.
 */
import type { ErrorMessage, FromEngine, Question, Replies, Requests, SearchNews, Welcome, Words } from "./protocol";

export type State =
    | { is: "connecting" }
    | { is: "ready"; welcome: Welcome }
    /** The server was there and is not now. */
    | { is: "away"; since: number }
    /** The server wants a token, or another one. */
    | { is: "refused"; message: Words }
    /** The engine had a fault of its own; a new one is being started. */
    | { is: "crashed"; why: string }
    /** There is no engine at all, and there will be none. */
    | { is: "failed"; why: string };

/** The engine's own words about a question that it cannot answer. */
export class Refusal extends Error {
    constructor(readonly said: ErrorMessage) {
        super(said.message.en);
    }
}

/** The connection ended before the answer came, and the question means nothing to a new connection. */
export class Lost extends Error {}

/** The engine had a fault while it was at this question, which is not asked again. */
export class Crashed extends Error {}

/** Sends and receives whole messages. The owner is told when it is open, and once when it has ended. */
interface Transport {
    send(message: string): void;
    close(): void;
}

interface Owner {
    opened(): void;
    received(message: string): void;
    /** It cannot go on, and a new one can. */
    crashed(why: string): void;
    ended(why: string): void;
}

function overWebSocket(url: string, owner: Owner): Transport {
    const socket = new WebSocket(url);
    let over = false;
    const end = (why: string) => {
        if (over) return;
        over = true;
        owner.ended(why);
    };
    socket.onopen = () => owner.opened();
    socket.onmessage = (event) => {
        if (!over && typeof event.data === "string") owner.received(event.data);
    };
    socket.onclose = (event) => end(event.reason || `code ${event.code}`);
    return {
        send: (message) => socket.send(message),
        close: () => {
            over = true;
            socket.close();
        },
    };
}

function overWorker(owner: Owner): Transport {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    let over = false;
    const end = (why: string) => {
        if (over) return;
        over = true;
        worker.terminate();
        owner.ended(why);
    };
    worker.onmessage = (event: MessageEvent<WorkerNews>) => {
        if (over) return;
        if ("message" in event.data) owner.received(event.data.message);
        else if ("failed" in event.data) end(event.data.failed);
        else if ("crashed" in event.data) owner.crashed(event.data.crashed);
        else owner.opened();
    };
    worker.onerror = (event) => end(event.message || "the worker could not be started");
    worker.postMessage({ wasm: new URL("engine.wasm", document.baseURI).href });
    return {
        send: (message) => worker.postMessage({ message }),
        close: () => {
            over = true;
            worker.terminate();
        },
    };
}

/** What the worker tells the page. */
export type WorkerNews = { ready: true } | { message: string } | { failed: string } | { crashed: string };

interface Pending {
    question: Question;
    fields: object;
    resolve(reply: FromEngine): void;
    reject(error: Error): void;
    news?: (news: SearchNews) => void;
}

/** These mean the same in any connection. */
const repeatable: ReadonlySet<Question> = new Set(["read", "moves", "open", "check", "sets", "set"]);

/** An engine that crashes so often without an answer in between is given up. */
const mostCrashes = 3;

/** A connection that has not said `welcome` by then is given up, in milliseconds. */
const patience = 10_000;

export interface Asked<Q extends Question> {
    id: number;
    reply: Promise<Replies[Q]>;
}

export class Engine implements Owner {
    state: State = { is: "connecting" };
    private transport: Transport | undefined;
    private pending = new Map<number, Pending>();
    private lastId = 0;
    private attempts = 0;
    private crashes = 0;
    private kind: "server" | "worker";
    /** The server has answered once, so that it is worth waiting for. */
    private met = false;
    private timer: ReturnType<typeof setTimeout> | undefined;

    /**
     * `"either"`: the server if there is one, else the worker; `"worker"`: never the server. `changed` is
     * called after every change of `state`.
     */
    constructor(
        which: "either" | "worker",
        private readonly changed: (state: State) => void,
        private token?: string,
    ) {
        this.kind = which === "worker" || !location.protocol.startsWith("http") ? "worker" : "server";
        this.connect();
    }

    /** Asks; the id is that of this question until the connection ends. */
    ask<Q extends Question>(question: Q, fields: Requests[Q], news?: (news: SearchNews) => void): Asked<Q> {
        this.lastId += 1;
        const id = this.lastId;
        const reply = new Promise<FromEngine>((resolve, reject) => {
            const pending: Pending = { question, fields, resolve, reject, ...(news && { news }) };
            if (this.state.is === "failed") {
                reject(new Lost(this.state.why));
                return;
            }
            this.pending.set(id, pending);
            if (this.state.is === "ready") this.say({ type: question, id, ...fields });
        });
        return { id, reply: reply as Promise<Replies[Q]> };
    }

    /** Asks and gives the answer alone. */
    get<Q extends Question>(question: Q, fields: Requests[Q]): Promise<Replies[Q]> {
        return this.ask(question, fields).reply;
    }

    /** Tells a running search to pause, go on or stop. */
    tell(command: "pause" | "go-on" | "stop", id: number): void {
        if (this.state.is === "ready" && this.pending.has(id)) this.say({ type: command, id });
    }

    /** Tries again with another token. */
    giveToken(token: string): void {
        this.token = token;
        this.connect();
    }

    /** Tries at once where it would wait. */
    retry(): void {
        if (this.state.is === "away") this.connect();
    }

    /** Ends the connection for good. */
    close(): void {
        clearTimeout(this.timer);
        this.transport?.close();
        this.fail("closed");
    }

    opened(): void {
        this.say({ type: "hello", version: 1, ...(this.token !== undefined && { token: this.token }) });
    }

    received(text: string): void {
        const message = JSON.parse(text) as FromEngine;
        if (message.type === "panic") {
            this.crashed(message.message);
            return;
        }
        if (message.type === "welcome") {
            clearTimeout(this.timer);
            this.attempts = 0;
            this.met = true;
            this.become({ is: "ready", welcome: message });
            for (const [id, { question, fields }] of this.pending) this.say({ type: question, id, ...fields });
            return;
        }
        if (message.type === "error" && message.id === undefined) {
            if (this.state.is !== "ready") {
                clearTimeout(this.timer);
                this.transport?.close();
                this.become({ is: "refused", message: message.message });
            }
            return;
        }
        const pending = this.pending.get(message.id!);
        if (!pending) return;
        switch (message.type) {
            case "queued":
            case "started":
            case "paused":
            case "progress":
            case "inspecting":
                pending.news?.(message);
                break;
            case "error":
                this.pending.delete(message.id!);
                pending.reject(new Refusal(message));
                break;
            default:
                this.crashes = 0;
                this.pending.delete(message.id);
                pending.resolve(message);
        }
    }

    /** What was asked is not asked again, lest it crashes the next engine, too. */
    crashed(why: string): void {
        this.transport?.close();
        this.crashes += 1;
        if (this.crashes >= mostCrashes) {
            this.fail(why);
            return;
        }
        const asked = [...this.pending.values()];
        this.pending.clear();
        this.become({ is: "crashed", why });
        for (const pending of asked) pending.reject(new Crashed(why));
        this.connect();
    }

    ended(why: string): void {
        clearTimeout(this.timer);
        if (this.kind === "worker") {
            this.fail(why);
        } else if (!this.met) {
            this.kind = "worker";
            this.connect();
        } else {
            for (const [id, pending] of this.pending) {
                if (repeatable.has(pending.question)) continue;
                this.pending.delete(id);
                pending.reject(new Lost(why));
            }
            if (this.state.is !== "away") this.become({ is: "away", since: Date.now() });
            this.attempts += 1;
            const pause = Math.min(500 * 2 ** (this.attempts - 1), 10_000);
            this.timer = setTimeout(() => this.connect(), pause);
        }
    }

    private connect(): void {
        clearTimeout(this.timer);
        this.transport?.close();
        if (this.state.is !== "away" && this.state.is !== "crashed") this.become({ is: "connecting" });
        if (this.kind === "worker") {
            if (typeof WebAssembly === "undefined") this.fail("WebAssembly");
            else this.transport = overWorker(this);
            return;
        }
        const url = new URL("engine", document.baseURI);
        url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
        url.search = "";
        url.hash = "";
        this.transport = overWebSocket(url.href, this);
        this.timer = setTimeout(() => {
            this.transport?.close();
            this.ended("no answer");
        }, patience);
    }

    private say(message: object): void {
        this.transport?.send(JSON.stringify(message));
    }

    private fail(why: string): void {
        this.become({ is: "failed", why });
        for (const pending of this.pending.values()) pending.reject(new Lost(why));
        this.pending.clear();
    }

    private become(state: State): void {
        this.state = state;
        this.changed(state);
    }
}
