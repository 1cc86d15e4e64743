/** The position that is set up, and what the engine says about it. */
import { connection } from "./connection.svelte";
import { Refusal } from "./engine";
import { diagramOf } from "./games";
import type { ErrorMessage, MovesMessage, PositionMessage } from "./protocol";
import { keep } from "./strings/index.svelte";

/** So many steps can be undone. */
const remembered = 500;

class Position {
    text = $state("8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1");
    /** What the engine made of `text`; nothing while it is asked or if it refuses. */
    read = $state.raw<PositionMessage>();
    moves = $state.raw<MovesMessage>();
    record = $state.raw<PositionMessage["record"]>();
    fault = $state.raw<ErrorMessage>();
    last = $state<string>();
    editing = $state(false);
    flipped = $state(false);
    problem = $state<{ set: string; id: string }>();
    private past = $state.raw<{ text: string; last: string | undefined }[]>([]);
    private asked = 0;

    get game(): string | undefined {
        return this.read?.game ?? diagramOf(this.text)?.game;
    }

    get canUndo(): boolean {
        return this.past.length > 0;
    }

    /** Shows another position, which the engine is asked about. */
    async show(text: string, how: { last?: string; goal?: string; forget?: boolean; record?: boolean } = {}): Promise<void> {
        if (!how.forget && text !== this.text) {
            this.past = [...this.past.slice(-remembered), { text: this.text, last: this.last }];
        }
        if (!how.record) this.record = undefined;
        this.text = text;
        this.last = how.last;
        await this.ask(how.goal);
    }

    async undo(): Promise<void> {
        const before = this.past.at(-1);
        if (!before) return;
        this.past = this.past.slice(0, -1);
        await this.show(before.text, { forget: true, record: true, ...(before.last !== undefined && { last: before.last }) });
    }

    async play(move: string): Promise<void> {
        const { text } = await connection.engine.get("moves", { text: this.text, played: [move] });
        await this.show(text, { last: move });
    }

    private async ask(goal?: string): Promise<void> {
        this.asked += 1;
        const asked = this.asked;
        this.read = undefined;
        this.moves = undefined;
        this.fault = undefined;
        try {
            const read = await connection.engine.get("read", { text: this.text, ...(goal !== undefined && { goal }) });
            if (asked !== this.asked) return;
            this.read = read;
            this.text = read.text;
            if (read.record) this.record = read.record;
            keep("position", read.text);
            const fragment = new URLSearchParams({ position: read.text });
            history.replaceState(null, "", `#${fragment}`);
            const moves = await connection.engine.get("moves", { text: read.text, played: [] });
            if (asked === this.asked) this.moves = moves;
        } catch (error) {
            if (asked === this.asked && error instanceof Refusal) this.fault = error.said;
        }
    }
}

export const position = new Position();
