/** One search: its settings, what it says while it runs, and its answer. */
import { connection, wordsOf } from "./connection.svelte";
import { Lost } from "./engine";
import type { AnswerMessage, Count, ExportedMessage, ProgressMessage, SearchNews, SolveSettings } from "./protocol";
import { keep } from "./strings/index.svelte";

export type Settings = Omit<Required<SolveSettings>, "text" | "nodes" | "seconds"> & Pick<SolveSettings, "nodes" | "seconds">;

export interface Sample {
    seconds: number;
    pn: Count;
    dn: Count;
    rate: number;
}

export type Phase = "idle" | "queued" | "running" | "paused" | "lost" | "done" | "refused";

/** So many samples make a curve; when there are more, every other one is dropped. */
const curve = 600;
/** Certificates of searches up to so many nodes are fetched at once, so that they outlive the engine's memory. */
const small = 300_000;

function storedSettings(): Settings {
    const usual: Settings = { algorithm: "auto", threads: 1, hash: 64, seconds: 60, length: "shortest" };
    try {
        return { ...usual, ...(JSON.parse(keep("settings") ?? "{}") as Partial<Settings>) };
    } catch {
        return usual;
    }
}

/** Shared by all searches. */
export const settings = $state<Settings>(storedSettings());

export class Search {
    phase = $state<Phase>("idle");
    /** What is searched, and its name if it has one. */
    text = $state<string>();
    name = $state<string>();
    place = $state(0);
    progress = $state.raw<ProgressMessage>();
    samples = $state.raw<Sample[]>([]);
    answer = $state.raw<AnswerMessage>();
    /** Why there is no answer. */
    refusal = $state<string>();
    /** The server went away once and the search was begun again. */
    again = $state(false);
    /** By claim, as base64. */
    certificates = $state.raw<Record<number, string>>({});
    private over: Promise<void> = Promise.resolve();
    private id = 0;
    private epoch = 0;
    private onAnswer: (() => void) | undefined;

    get busy(): boolean {
        return this.phase === "queued" || this.phase === "running" || this.phase === "paused" || this.phase === "lost";
    }

    /** The engine still knows the answer, so that it can be asked for more. */
    get remembered(): boolean {
        return this.epoch === connection.epoch && this.id === connection.searched;
    }

    async start(text: string, name?: string, onAnswer?: () => void): Promise<void> {
        this.text = text;
        this.name = name;
        this.onAnswer = onAnswer;
        this.again = false;
        this.over = this.run(text);
        await this.over;
    }

    private async run(text: string): Promise<void> {
        this.phase = "running";
        this.progress = undefined;
        this.samples = [];
        this.answer = undefined;
        this.certificates = {};
        this.refusal = undefined;
        keep("settings", JSON.stringify(settings));
        const limits = connection.limits;
        const most = (wish: number, limit: number | undefined) => Math.max(1, Math.min(Math.round(wish) || 1, limit ?? Infinity));
        const { nodes, seconds } = settings;
        const known = connection.welcome?.algorithms ?? [];
        const algorithm = known.find(({ name }) => name === settings.algorithm) ?? known[0];
        const asked = connection.engine.ask(
            "solve",
            {
                text,
                ...(algorithm && { algorithm: algorithm.name }),
                threads: algorithm?.threads ? most(settings.threads, limits?.threads) : 1,
                hash: most(settings.hash, limits?.hash),
                length: settings.length,
                ...(nodes !== undefined && { nodes }),
                ...(seconds !== undefined && { seconds }),
            },
            (news) => this.hear(news),
        );
        this.id = asked.id;
        this.epoch = connection.epoch;
        connection.searched = asked.id;
        try {
            this.answer = await asked.reply;
        } catch (error) {
            if (error instanceof Lost && connection.state.is !== "failed") {
                this.phase = "lost";
            } else {
                this.phase = "refused";
                this.refusal = wordsOf(error);
            }
            return;
        }
        this.phase = "done";
        this.onAnswer?.();
        if (this.answer.nodes > small) return;
        for (const which of this.answer.claims.keys()) {
            // Another search may have begun meanwhile.
            if (this.id !== asked.id) return;
            await this.certificate(which).catch(() => {});
        }
    }

    /** The server is back: what it has lost is begun again. */
    async resume(): Promise<void> {
        if (this.phase !== "lost" || this.text === undefined) return;
        this.again = true;
        this.over = this.run(this.text);
        await this.over;
    }

    pause(): void {
        connection.engine.tell("pause", this.id);
    }

    goOn(): void {
        connection.engine.tell("go-on", this.id);
        if (this.phase === "paused") this.phase = "running";
    }

    stop(): void {
        if (this.phase === "lost") this.phase = "idle";
        else connection.engine.tell("stop", this.id);
    }

    /** Stops it, and waits until the engine is free. */
    async end(): Promise<void> {
        if (!this.busy) return;
        this.stop();
        await this.over;
    }

    /** Can this certificate still be had? */
    has(which: number): boolean {
        return this.remembered || this.certificates[which] !== undefined;
    }

    /** The certificate of one of the answer's claims, as base64. */
    async certificate(which: number): Promise<string> {
        const kept = this.certificates[which];
        if (kept !== undefined) return kept;
        const of = this.id;
        const { data } = await connection.engine.get("certificate", { of, which });
        if (of === this.id) this.certificates = { ...this.certificates, [which]: data };
        return data;
    }

    /** The answer as a game record with its variations. */
    async kif(): Promise<ExportedMessage> {
        return connection.engine.get("export", { of: this.id, format: "kif" });
    }

    private hear(news: SearchNews): void {
        switch (news.type) {
            case "queued":
                this.phase = "queued";
                this.place = news.place;
                break;
            case "started":
                this.phase = "running";
                break;
            case "paused":
                this.phase = "paused";
                break;
            case "progress": {
                this.progress = news;
                const { seconds, pn, dn, rate } = news;
                const samples = [...this.samples, { seconds, pn, dn, rate }];
                this.samples = samples.length > curve ? samples.filter((_, k) => k % 2 === 0) : samples;
            }
        }
    }
}

export const search = new Search();
