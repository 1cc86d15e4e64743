/** The position that is set up, and what the engine says about it. */
import { connection, wordsOf } from "./connection.svelte";
import { Crashed, Refusal } from "./engine";
import { diagramOf } from "./games";
import type { ErrorMessage, GameRecord, MovesMessage, PositionMessage } from "./protocol";
import { keep } from "./strings/index.svelte";

/** So many steps can be undone. */
const remembered = 500;

/** What is shown, to come back to. */
interface Shown {
    text: string;
    last: string | undefined;
    problem: string | undefined;
    record: GameRecord | undefined;
    at: number | undefined;
    source: string | undefined;
}

class Position {
    text = $state("8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1");
    /** What stands in the box to paste into. */
    typed = $state("");
    /** What the engine made of `text`; nothing while it is asked or if it refuses. */
    read = $state.raw<PositionMessage>();
    moves = $state.raw<MovesMessage>();
    record = $state.raw<GameRecord>();
    /** Which position of the record is shown. */
    at = $state<number>();
    fault = $state.raw<ErrorMessage>();
    last = $state<string>();
    editing = $state(false);
    flipped = $state(false);
    /** The name of the problem that is shown, if it is one of a set's. */
    problem = $state<string>();
    /** A record with the solution that its author has in mind, as it was given. */
    source = $state<string>();
    private past = $state.raw<Shown[]>([]);
    private asked = 0;

    get game(): string | undefined {
        return this.read?.game ?? diagramOf(this.text)?.game;
    }

    /** What Check inspects: the position, or at the start of a solution the record with it. */
    get toCheck(): string {
        return this.at === 0 && this.source !== undefined ? this.source : this.text;
    }

    get canUndo(): boolean {
        return this.past.length > 0;
    }

    /** Shows another position, which the engine is asked about. */
    async show(text: string, how: { last?: string; goal?: string; problem?: string; forget?: boolean; at?: number } = {}): Promise<void> {
        if (!how.forget && text !== this.text) {
            const { text: before, last, problem, record, at, source } = this;
            this.past = [...this.past.slice(-remembered), { text: before, last, problem, record, at, source }];
        }
        if (how.at === undefined) {
            this.record = undefined;
            this.source = undefined;
        }
        this.at = how.at;
        this.problem = how.problem;
        this.text = text;
        this.last = how.last;
        await this.ask(how.goal);
    }

    async undo(): Promise<void> {
        const before = this.past.at(-1);
        if (!before) return;
        this.past = this.past.slice(0, -1);
        Object.assign(this, before);
        await this.ask();
    }

    async play(move: string): Promise<void> {
        const from = this.text;
        const { text } = await connection.engine.get("moves", { text: from, played: [move] });
        if (this.text === from) await this.show(text, { last: move });
    }

    private async ask(goal?: string): Promise<void> {
        this.asked += 1;
        const asked = this.asked;
        this.read = undefined;
        this.moves = undefined;
        this.fault = undefined;
        try {
            const given = this.text;
            const read = await connection.engine.get("read", { text: given, ...(goal !== undefined && { goal }) });
            if (asked !== this.asked) return;
            this.read = read;
            this.text = read.text;
            if (read.record) {
                if (read.record.at === 0) this.source = given;
                this.record = read.record;
                this.at = read.record.at;
            }
            keep("position", read.text);
            const fragment = new URLSearchParams({ position: read.text });
            history.replaceState(null, "", `#${fragment}`);
            const moves = await connection.engine.get("moves", { text: read.text, played: [] });
            if (asked === this.asked) this.moves = moves;
        } catch (error) {
            if (asked !== this.asked) return;
            if (error instanceof Refusal) this.fault = error.said;
            // Whatever it was, it is not asked again by itself.
            else if (error instanceof Crashed) this.fault = { type: "error", message: { en: wordsOf(error), ja: wordsOf(error) } };
        }
    }
}

export const position = new Position();
