/** The one engine that the views share, and what is known about it. */
import { Crashed, Engine, Lost, Refusal, type State } from "./engine";
import { keep, say, t } from "./strings/index.svelte";
import type { Limits, Welcome } from "./protocol";

/** What the address carries after `#`. */
const fragment = new URLSearchParams(location.hash.slice(1));

function takeToken(): string | undefined {
    const given = fragment.get("token");
    if (given === null) return givenToken();
    sessionStorage.setItem("yomikiri.token", given);
    fragment.delete("token");
    history.replaceState(null, "", fragment.size > 0 ? `#${fragment}` : location.pathname);
    return given;
}

/** The token that was given, for another connection to the same server. */
export const givenToken = (): string | undefined => sessionStorage.getItem("yomikiri.token") ?? undefined;

class Connection {
    state = $state.raw<State>({ is: "connecting" });
    /** The last welcome; it stays while the server is away. */
    welcome = $state.raw<Welcome>();
    /** Counts connections: ids and opened proofs of an older one mean nothing. */
    epoch = $state(0);
    /** The search that was begun last: the engine keeps what it needs to certify that one only. */
    searched = $state(0);
    /** The last words of an engine that crashed, until they are taken note of. */
    crash = $state<string>();
    readonly engine: Engine;
    private checker: Engine | undefined;

    constructor() {
        this.engine = new Engine(
            "either",
            (state) => {
                this.state = state;
                if (state.is === "crashed") this.crash = state.why;
                if (state.is !== "ready") return;
                this.welcome = state.welcome;
                this.epoch += 1;
            },
            takeToken(),
        );
    }

    get limits(): Limits | undefined {
        return this.welcome?.limits;
    }

    /** An engine in this browser, whatever the other one is. */
    here(): Engine {
        if (this.engine.state.is === "ready" && this.engine.state.welcome.engine === "browser") return this.engine;
        if (!this.checker || this.checker.state.is === "failed") this.checker = new Engine("worker", () => {});
        return this.checker;
    }

    giveToken(token: string): void {
        sessionStorage.setItem("yomikiri.token", token);
        this.engine.giveToken(token);
    }
}

export const connection = new Connection();

/** A position that the address carried, or that was looked at last. */
export const wanted = (): string | null => fragment.get("position") ?? keep("position");

/** The words for whatever went wrong. */
export function wordsOf(error: unknown): string {
    if (error instanceof Refusal) return say(error.said.message);
    if (error instanceof Crashed) return t().engine.crashed(error.message);
    if (error instanceof Lost) {
        return connection.state.is === "failed" ? t().engine.failed(error.message) : t().engine.away;
    }
    return error instanceof Error ? error.message : String(error);
}
