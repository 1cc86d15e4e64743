/** Two searches of one position, each with an engine of its own, to be looked at side by side. */
import { givenToken, wordsOf } from "./connection.svelte";
import { Engine, type State } from "./engine";
import type { AnswerMessage, Count, ProgressMessage } from "./protocol";

export interface Sample {
    seconds: number;
    nodes: number;
    pn: Count;
    dn: Count;
    depth: number;
}

/** So many samples make a curve; when there are more, every other one is dropped. */
const curve = 600;

export class Side {
    /** What is chosen for the next search. */
    algorithm = $state("");
    /** What was searched, and how. */
    searched = $state.raw<{ text: string; algorithm: string }>();
    state = $state.raw<State>({ is: "connecting" });
    busy = $state(false);
    place = $state<number>();
    progress = $state.raw<ProgressMessage>();
    samples = $state.raw<Sample[]>([]);
    /** How often the move that the search holds for the best has changed: the seesaw. */
    changes = $state(0);
    answer = $state.raw<AnswerMessage>();
    fault = $state<string>();
    private engine: Engine | undefined;
    private id = 0;

    constructor(algorithm: string) {
        this.algorithm = algorithm;
    }

    connect(): void {
        this.engine ??= new Engine("either", (state) => (this.state = state), givenToken());
    }

    async start(text: string, limits: { hash: number; seconds: number }): Promise<void> {
        this.connect();
        this.busy = true;
        this.progress = undefined;
        this.samples = [];
        this.changes = 0;
        this.answer = undefined;
        this.fault = undefined;
        let best: string | undefined;
        const { algorithm } = this;
        this.searched = { text, algorithm };
        const asked = this.engine!.ask("solve", { text, algorithm, length: "first", ...limits }, (news) => {
            this.place = news.type === "queued" ? news.place : undefined;
            if (news.type !== "progress") return;
            this.progress = news;
            const { seconds, nodes, pn, dn, depth } = news;
            const samples = [...this.samples, { seconds, nodes, pn, dn, depth }];
            this.samples = samples.length > curve ? samples.filter((_, k) => k % 2 === 0) : samples;
            const now = news.line[0]?.move;
            if (best !== undefined && now !== undefined && now !== best) this.changes += 1;
            best = now ?? best;
        });
        this.id = asked.id;
        try {
            this.answer = await asked.reply;
        } catch (error) {
            this.fault = wordsOf(error);
        } finally {
            this.busy = false;
            this.place = undefined;
        }
    }

    stop(): void {
        this.engine?.tell("stop", this.id);
    }
}

export const sides = [new Side("dfpn"), new Side("deep-dfpn")] as const;
