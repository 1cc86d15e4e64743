/** An opened certificate, and where one stands in it. */
import { connection, wordsOf } from "./connection.svelte";
import { Lost } from "./engine";
import type { CheckedMessage, MovesMessage, NodeMessage, OpenedMessage, Reply } from "./protocol";
import { Search } from "./search.svelte";
import { t } from "./strings/index.svelte";

/** Replies that are asked for at a time. */
const part = 50;
/** Before the proof answers, so that one sees one's own move, in milliseconds. */
const pause = 450;

/** A node of the tree, loaded when it is opened. */
export class Branch {
    open = $state(false);
    children = $state.raw<Branch[]>();
    all = $state(0);
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
    opened = $state.raw<OpenedMessage>();
    opening = $state(false);
    fault = $state<string>();
    node = $state.raw<NodeMessage>();
    moves = $state.raw<MovesMessage>();
    /** The names of the moves played so far. */
    played = $state.raw<string[]>([]);
    auto = $state(true);
    checking = $state(false);
    checked = $state.raw<CheckedMessage>();
    checkFault = $state<string>();
    tree = $state.raw<Branch>();
    /** A search of what the proof does not know. */
    readonly aside = new Search();
    private visit = 0;
    private epoch = 0;

    async open(data: string): Promise<void> {
        if (this.opened && this.epoch === connection.epoch) connection.engine.forget(this.opened.proof);
        this.data = data;
        this.opened = undefined;
        this.node = undefined;
        this.checked = undefined;
        this.checkFault = undefined;
        this.tree = undefined;
        await this.load([]);
    }

    /** After the server came back: it has to open the certificate again. */
    async reopen(): Promise<void> {
        if (this.data === undefined || this.opening || this.epoch === connection.epoch) return;
        await this.load(this.played);
    }

    private async load(played: string[]): Promise<void> {
        this.fault = undefined;
        this.opening = true;
        try {
            this.opened = await connection.engine.get("open", { certificate: this.data! });
            this.epoch = connection.epoch;
            this.tree = new Branch([], undefined);
            this.opening = false;
            await this.go(played);
            await this.unfold(this.tree);
        } catch (error) {
            this.fault = wordsOf(error);
        } finally {
            this.opening = false;
        }
    }

    /** Goes to a position of the proof, or beside it. `answer`: the proof replies if it is its turn. */
    async go(played: string[], answer = false): Promise<void> {
        if (!this.opened) return;
        this.visit += 1;
        const visit = this.visit;
        this.aside.stop();
        try {
            const [node, moves] = await Promise.all([
                connection.engine.get("node", { proof: this.opened.proof, played }),
                connection.engine.get("moves", { text: this.opened.text, played }),
            ]);
            if (visit !== this.visit) return;
            this.played = played;
            this.node = node;
            this.moves = moves;
            this.fault = undefined;
            const move = this.answer;
            if (!answer || !this.auto || !move) return;
            await new Promise((resolve) => setTimeout(resolve, pause));
            if (visit === this.visit) await this.go([...played, move.move]);
        } catch (error) {
            if (visit === this.visit) this.fault = wordsOf(error);
        }
    }

    /** The move that the proof plays here, if it is its turn. */
    get answer(): Reply | undefined {
        if (!this.node?.known || this.node.kind !== "or") return undefined;
        return this.node.replies.find((reply) => reply.known);
    }

    async play(move: string): Promise<void> {
        // Only who plays against the proof is answered.
        await this.go([...this.played, move], this.node?.kind === "and");
    }

    /** Back to where one had the move. */
    async back(): Promise<void> {
        await this.go(this.played.slice(0, -1));
    }

    /** More of the replies at this position. */
    async more(): Promise<void> {
        const { opened, node } = this;
        if (!opened || !node) return;
        const next = await connection.engine.get("children", {
            proof: opened.proof,
            played: node.played,
            from: node.replies.length,
            count: part,
        });
        if (this.node === node) this.node = { ...node, replies: [...node.replies, ...next.replies] };
    }

    /** Opens a node of the tree, or loads more of it. */
    async unfold(branch: Branch): Promise<void> {
        if (!this.opened) return;
        branch.open = true;
        const known = branch.children ?? [];
        if (branch.children && known.length >= branch.all) return;
        const { replies, all } = await connection.engine.get("children", {
            proof: this.opened.proof,
            played: branch.played,
            from: known.length,
            count: part,
        });
        branch.all = all;
        branch.children = [...known, ...replies.map((reply) => new Branch([...branch.played, reply.move], reply))];
    }

    async check(): Promise<void> {
        if (this.data === undefined) return;
        this.checking = true;
        this.checked = undefined;
        this.checkFault = undefined;
        try {
            this.checked = await connection.here().get("check", { certificate: this.data });
        } catch (error) {
            this.checkFault = error instanceof Lost ? t().engine.failed(error.message) : wordsOf(error);
        } finally {
            this.checking = false;
        }
    }
}

export const proof = new Proof();
