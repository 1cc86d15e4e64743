/** An opened certificate, and where one stands in it. */
import { connection, wordsOf } from "./connection.svelte";
import { Crashed, Lost } from "./engine";
import type { CheckedMessage, NodeMessage, OpenedMessage, Reply, Words } from "./protocol";
import { Search } from "./search.svelte";
import { t } from "./strings/index.svelte";

/** Before the proof answers, so that one sees one's own move, in milliseconds. */
const pause = 450;

/** A node of the tree, loaded when it is opened. */
export class Branch {
    open = $state(false);
    children = $state.raw<Branch[]>();
    constructor(
        readonly played: string[],
        readonly reply: Reply | undefined,
    ) {}

    get key(): string {
        return this.played.join(" ");
    }
}

class Proof {
    data = $state.raw<string>();
    /** The problem that it has to be about, where that is known. */
    about = $state<string>();
    opened = $state.raw<OpenedMessage>();
    opening = $state(false);
    fault = $state<string>();
    node = $state.raw<NodeMessage>();
    /** The moves so far, from the root. */
    played = $state.raw<string[]>([]);
    /** Their names, as far as they are known. */
    names = $state.raw<Words[]>([]);
    auto = $state(true);
    checking = $state(false);
    checked = $state.raw<CheckedMessage>();
    checkFault = $state<string>();
    tree = $state.raw<Branch>();
    /** A search of what the proof does not know. */
    readonly aside = new Search();
    /** The names of moves that were seen, by the way to them. */
    private known = new Map<string, Words>();
    private visit = 0;
    private checks = 0;
    private openings = 0;
    private epoch = 0;

    /** The problem that it is about. */
    get problem(): string | undefined {
        return this.opened && (this.about ?? this.opened.text);
    }

    async open(data: string, about?: string): Promise<void> {
        this.data = data;
        this.about = about;
        this.node = undefined;
        this.checks += 1;
        this.checking = false;
        this.checked = undefined;
        this.checkFault = undefined;
        this.tree = undefined;
        this.known.clear();
        await this.load([]);
    }

    /** After the server came back: it has to open the certificate again. */
    async reopen(): Promise<void> {
        if (this.data === undefined || this.opening || this.epoch === connection.epoch) return;
        await this.load(this.played);
    }

    private async load(played: string[]): Promise<void> {
        this.openings += 1;
        const opening = this.openings;
        this.release(this.opened, this.epoch);
        this.opened = undefined;
        this.fault = undefined;
        this.opening = true;
        try {
            const opened = await connection.engine.get("open", { certificate: this.data! });
            if (opening !== this.openings) {
                this.release(opened, connection.epoch);
                return;
            }
            this.opened = opened;
            this.epoch = connection.epoch;
            this.tree = new Branch([], undefined);
            this.opening = false;
            await this.go(played);
            await this.unfold(this.tree);
        } catch (error) {
            if (opening !== this.openings) return;
            this.fault = wordsOf(error);
            // It is not tried again by itself.
            if (error instanceof Crashed) this.data = undefined;
        } finally {
            if (opening === this.openings) this.opening = false;
        }
    }

    /** Lets the engine forget a certificate, if it is the engine that has it open. */
    private release(opened: OpenedMessage | undefined, epoch: number): void {
        if (opened && epoch === connection.epoch) connection.engine.get("close", { proof: opened.id }).catch(() => {});
    }

    /** Goes to a position of the proof, or beside it. `answer`: the proof replies if it is its turn. */
    async go(played: string[], answer = false): Promise<void> {
        if (!this.opened) return;
        this.visit += 1;
        const visit = this.visit;
        this.aside.stop();
        try {
            const node = await connection.engine.get("node", { proof: this.opened.id, played });
            if (visit !== this.visit) return;
            this.names = played.map((move, index) => this.known.get(played.slice(0, index + 1).join(" ")) ?? { en: move, ja: move });
            this.played = played;
            this.node = node;
            this.learn();
            this.fault = undefined;
            if (!answer || !this.auto || !node.answer) return;
            await new Promise((resolve) => setTimeout(resolve, pause));
            if (visit === this.visit) await this.go([...played, node.answer.move]);
        } catch (error) {
            if (visit === this.visit) this.fault = wordsOf(error);
        }
    }

    /** The names of the moves of where one stands. */
    private learn(): void {
        for (const { move, name } of this.node?.replies ?? []) this.known.set([...this.played, move].join(" "), name);
    }

    async play(move: string): Promise<void> {
        // Only who plays against the proof is answered.
        await this.go([...this.played, move], this.node?.holder === false);
    }

    /** Back to where one had the move: with answers at once, that is two moves. */
    async back(): Promise<void> {
        const two = this.auto && this.node?.holder === false && this.node.known && this.played.length > 1;
        await this.go(this.played.slice(0, two ? -2 : -1));
    }

    /** Opens a node of the tree. What the proof does not know is no part of it. */
    async unfold(branch: Branch): Promise<void> {
        if (!this.opened) return;
        branch.open = true;
        if (branch.children) return;
        const { answer, replies } = await connection.engine.get("node", { proof: this.opened.id, played: branch.played });
        const shown = replies.filter(({ known, move }) => known && (!answer || move === answer.move));
        for (const { move, name } of replies) this.known.set([...branch.played, move].join(" "), name);
        branch.children = shown.map((reply) => new Branch([...branch.played, reply.move], reply));
    }

    async check(): Promise<void> {
        const { data, about } = this;
        if (data === undefined) return;
        this.checks += 1;
        const check = this.checks;
        this.checking = true;
        this.checked = undefined;
        this.checkFault = undefined;
        try {
            const checked = await connection.here().get("check", { certificate: data, ...(about !== undefined && { text: about }) });
            // Another certificate may have been opened meanwhile.
            if (check === this.checks) this.checked = checked;
        } catch (error) {
            if (check === this.checks) this.checkFault = error instanceof Lost ? t().engine.failed(error.message) : wordsOf(error);
        } finally {
            if (check === this.checks) this.checking = false;
        }
    }
}

export const proof = new Proof();
