/**
 * The messages of docs/web-protocol.md, as types. The page asks, the engine answers: the server over a
 * WebSocket or the same crates as WebAssembly in a worker.
 */

/** Text for people. */
export interface Words {
    en: string;
    ja: string;
}

/** A move as the game's protocol writes it, with its name for people. */
export interface Named {
    move: string;
    name: Words;
}

export type Side = "first" | "second";
export type Which = "proof" | "shorter";
export type Format = "kif" | "json" | "svg";
/** A proof or disproof number. */
export type Count = number | "infinity";

export interface SolveSettings {
    text: string;
    algorithm: string;
    threads: number;
    hash: number;
    nodes?: number;
    seconds?: number;
    length: "first" | "shortest";
}

/** What the page asks; everything but `hello` carries an id besides. */
export interface Requests {
    read: { text: string; game?: string; goal?: string };
    moves: { text: string; played: string[] };
    solve: SolveSettings;
    certificate: { of: number; which: Which };
    open: { certificate: string };
    node: { proof: number; played: string[] };
    children: { proof: number; played: string[]; from: number; count: number };
    check: { certificate: string; text?: string };
    export: { of: number; format: Format };
}

/** What ends each question. */
export interface Replies {
    read: PositionMessage;
    moves: MovesMessage;
    solve: AnswerMessage;
    certificate: CertificateMessage;
    open: OpenedMessage;
    node: NodeMessage;
    children: NodeMessage;
    check: CheckedMessage;
    export: ExportedMessage;
}

export type Question = keyof Requests;

export interface GameInfo {
    name: string;
    title: Words;
    example: string;
    goals: { goal: string; what: Words }[];
}

export interface AlgorithmInfo {
    name: string;
    what: Words;
    threads: boolean;
}

export interface Limits {
    hash: number;
    threads: number;
    seconds: number;
    nodes: number;
    certificate: number;
}

export interface ProblemInfo {
    id: string;
    text: string;
    plies?: number;
}

export interface ProblemSet {
    name: string;
    problems?: ProblemInfo[];
}

export interface Welcome {
    type: "welcome";
    version: number;
    engine: "server" | "browser";
    limits: Limits;
    games: GameInfo[];
    algorithms: AlgorithmInfo[];
    sets: ProblemSet[];
}

export interface PositionMessage {
    type: "position";
    id: number;
    game: string;
    text: string;
    goal: string;
    question: Words;
    turn: Side;
    record?: { moves: (Named & { text: string })[]; at: number };
}

export interface MovesMessage {
    type: "moves";
    id: number;
    text: string;
    over?: Words;
    moves: Named[];
}

export interface ProgressMessage {
    type: "progress";
    id: number;
    seconds: number;
    nodes: number;
    rate: number;
    pn: Count;
    dn: Count;
    depth: number;
    stored: number;
    capacity: number;
    line: string[];
    roots: { move: string; pn: Count; dn: Count }[];
    bounds?: { at_least?: number; at_most?: number };
}

export interface CertificateInfo {
    which: Which;
    claim: Words;
    positions: number;
    bytes: number;
}

export interface AnswerMessage {
    type: "answer";
    id: number;
    verdict: "proven" | "disproven" | "unknown";
    reason?: "nodes" | "time" | "memory" | "stopped" | "bound";
    words: Words;
    plies?: number;
    exact: boolean;
    line: Named[];
    complete: boolean;
    nodes: number;
    seconds: number;
    certificates: CertificateInfo[];
}

export interface CertificateMessage {
    type: "certificate";
    id: number;
    data: string;
    positions: number;
    claim: Words;
}

export interface OpenedMessage {
    type: "opened";
    id: number;
    proof: number;
    text: string;
    claim: Words;
    value: "proven" | "disproven";
    plies?: number;
    positions: number;
    bytes: number;
}

export interface Reply extends Named {
    known: boolean;
    plies?: number;
    positions?: number;
}

export interface NodeMessage {
    type: "node";
    id: number;
    text: string;
    played: string[];
    kind: "or" | "and";
    known: boolean;
    plies?: number;
    replies: Reply[];
    all: number;
}

export interface CheckedMessage {
    type: "checked";
    id: number;
    accepted: boolean;
    claim?: Words;
    fault?: Words;
    positions: number;
    seconds: number;
    where: "server" | "browser";
}

export interface ExportedMessage {
    type: "exported";
    id: number;
    name: string;
    kind: string;
    data: string;
}

export interface ErrorMessage {
    type: "error";
    id?: number;
    message: Words;
    line?: number;
    column?: number;
}

/** What a search says before it is answered. */
export type SearchNews =
    | { type: "queued"; id: number; place: number }
    | { type: "started"; id: number }
    | { type: "paused"; id: number }
    | ProgressMessage;

export type FromEngine = Welcome | SearchNews | Replies[Question] | ErrorMessage;
