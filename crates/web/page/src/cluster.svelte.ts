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

class Cluster {
    status = $state.raw<Status>();
    /** Nodes a second, of all workers together. */
    rate = $state<number>();
    connected = $state(false);
    private socket: WebSocket | undefined;
    private before: { nodes: number; at: number } | undefined;

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
            const { before } = this;
            if (before && now.at > before.at) this.rate = Math.max(0, (1000 * (now.nodes - before.nodes)) / (now.at - before.at));
            this.before = now;
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
