/** What a master of a cluster says of its tree (`yomikiri cluster … --status-port`), as it comes. */

/** A position of the master's tree; the list is in the order in which a tree is drawn. */
export interface TreeNode {
    depth: number;
    by: string;
    /** The share of the search that it gets. */
    probability: number;
    value: string | null;
    searched: number | null;
    worker: number | null;
}

export interface Status {
    master: string;
    moves: string[];
    workers: number;
    idle: number;
    nodes: number;
    utility: number;
    tree: TreeNode[];
}

/** The page was opened from a master, which says so in the address. */
export const offered = new URLSearchParams(location.hash.slice(1)).has("cluster");

/** Nodes a second are counted over so many milliseconds: workers tell them now and then. */
const span = 10_000;

class Cluster {
    status = $state.raw<Status>();
    /** Nodes a second, of all workers together. */
    rate = $state<number>();
    connected = $state(false);
    private socket: WebSocket | undefined;
    /** Of the last seconds. */
    private counts: { nodes: number; at: number }[] = [];

    connect(): void {
        if (this.socket) return;
        const url = new URL("cluster", document.baseURI);
        url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
        url.search = "";
        url.hash = "";
        const socket = new WebSocket(url);
        this.socket = socket;
        socket.onopen = () => (this.connected = true);
        socket.onmessage = (event) => {
            if (typeof event.data !== "string") return;
            const status = JSON.parse(event.data) as Status;
            const now = { nodes: status.nodes, at: performance.now() };
            // Fewer than before: another game, and what was counted is over.
            this.counts = [...this.counts.filter(({ nodes, at }) => at > now.at - span && nodes <= now.nodes), now];
            const first = this.counts[0]!;
            this.rate = now.at > first.at ? (1000 * (now.nodes - first.nodes)) / (now.at - first.at) : undefined;
            this.status = status;
        };
        socket.onclose = () => {
            this.connected = false;
            this.socket = undefined;
            setTimeout(() => this.connect(), 2000);
        };
    }
}

export const cluster = new Cluster();
