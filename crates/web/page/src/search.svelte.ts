/** One search: its settings, what it says while it runs, and its answer. */
import { connection, wordsOf } from "./connection.svelte";
import { Lost } from "./engine";
import type { AnswerMessage, Count, ProgressMessage, SearchNews, SolveSettings, Which } from "./protocol";
import { keep } from "./strings/index.svelte";

export type Settings = Omit<SolveSettings, "text">;

export interface Sample {
    seconds: number;
    pn: Count;
    dn: Count;
    rate: number;
}

export type Phase = "idle" | "queued" | "running" | "paused" | "lost" | "done" | "refused";

/** So many samples make a curve; when there are more, every other one is dropped. */
const curve = 600;
/** Certificates up to so many bytes are fetched at once, so that they outlive the connection. */
const small = 8_000_000;

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
    text = $state("");
    place = $state(0);
    progress = $state.raw<ProgressMessage>();
    samples = $state.raw<Sample[]>([]);
    answer = $state.raw<AnswerMessage>();
    /** Why there is no answer. */
    refusal = $state<string>();
    /** The server went away once and the search was begun again. */
    again = $state(false);
    certificates = $state.raw<Partial<Record<Which, string>>>({});
    private id = 0;
    private epoch = 0;
    private onAnswer: (() => void) | undefined;

    get busy(): boolean {
        return this.phase === "queued" || this.phase === "running" || this.phase === "paused" || this.phase === "lost";
    }

    /** The engine still knows the answer, so that it can be asked for more. */
    get remembered(): boolean {
        return this.epoch === connection.epoch;
    }

    async start(text: string, onAnswer?: () => void): Promise<void> {
        this.text = text;
        this.onAnswer = onAnswer;
        this.again = false;
        await this.run();
    }

    private async run(): Promise<void> {
        this.phase = "running";
        this.progress = undefined;
        this.samples = [];
        this.answer = undefined;
        this.certificates = {};
        this.refusal = undefined;
        keep("settings", JSON.stringify(settings));
        const limits = connection.limits;
        const most = (wish: number | undefined, limit: number | undefined) =>
            limit === undefined ? wish : Math.min(wish ?? limit, limit);
        const nodes = most(settings.nodes, limits?.nodes);
        const seconds = most(settings.seconds, limits?.seconds);
        const asked = connection.engine.ask(
            "solve",
            {
                text: this.text,
                algorithm: settings.algorithm,
                threads: most(settings.threads, limits?.threads) ?? 1,
                hash: most(settings.hash, limits?.hash) ?? 64,
                length: settings.length,
                ...(nodes !== undefined && { nodes }),
                ...(seconds !== undefined && { seconds }),
            },
            (news) => this.hear(news),
        );
        this.id = asked.id;
        this.epoch = connection.epoch;
        try {
            this.answer = await asked.reply;
            this.phase = "done";
            this.onAnswer?.();
            for (const { which, bytes } of this.answer.certificates) {
                if (bytes <= small) await this.certificate(which);
            }
        } catch (error) {
            if (this.answer) return;
            if (error instanceof Lost && connection.state.is !== "failed") {
                this.phase = "lost";
            } else {
                this.phase = "refused";
                this.refusal = wordsOf(error);
            }
        }
    }

    /** The server is back: what it has lost is begun again. */
    async resume(): Promise<void> {
        if (this.phase !== "lost") return;
        this.again = true;
        await this.run();
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

    /** A certificate of the answer, as base64. */
    async certificate(which: Which): Promise<string> {
        const kept = this.certificates[which];
        if (kept !== undefined) return kept;
        const { data } = await connection.engine.get("certificate", { of: this.id, which });
        this.certificates = { ...this.certificates, [which]: data };
        return data;
    }

    async exported(format: "kif" | "json" | "svg") {
        return connection.engine.get("export", { of: this.id, format });
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
