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

/** Who moves first in a game, and who second: a matter of drawing. */
export type Side = "first" | "second";
/** A proof or disproof number. */
export type Count = number | "infinity";

export interface SolveSettings {
    text: string;
    algorithm?: string;
    threads?: number;
    hash?: number;
    nodes?: number;
    seconds?: number;
    length?: "first" | "shortest";
}

/** What the page asks; everything but `hello` carries an id besides. */
export interface Requests {
    read: { text: string; game?: string; goal?: string };
    moves: { text: string; played: string[] };
    solve: SolveSettings;
    inspect: { text: string; hash?: number; nodes?: number; seconds?: number };
    certificate: { of: number; which: number };
    open: { certificate: string };
    node: { proof: number; played: string[] };
    close: { proof: number };
    check: { certificate: string; text?: string };
    sets: object;
    set: { name: string };
    export: { of: number; format: "kif" };
}

/** What ends each question. */
export interface Replies {
    read: PositionMessage;
    moves: MovesMessage;
    solve: AnswerMessage;
    inspect: InspectedMessage;
    certificate: CertificateMessage;
    open: OpenedMessage;
    node: NodeMessage;
    close: { type: "closed"; id: number };
    check: CheckedMessage;
    sets: { type: "sets"; id: number; sets: SetInfo[] };
    set: { type: "set"; id: number; name: string; problems: ProblemInfo[] };
    export: ExportedMessage;
}

export type Question = keyof Requests;

export interface GameInfo {
    name: string;
    title: Words;
    example: string;
    /** The first is the default; none where there is nothing to choose. */
    goals: { goal: string; what: Words }[];
}

export interface AlgorithmInfo {
    name: string;
    what: Words;
    paper: string;
    /** Does it take a number of threads? */
    threads: boolean;
}

export interface Limits {
    hash: number;
    threads: number;
    /** None: no limit. */
    seconds: number | null;
    certificate: number;
}

export interface SetInfo {
    name: string;
    title: Words;
    problems: number;
}

export interface ProblemInfo {
    name: string;
    text: string;
    plies?: number;
}

export interface Welcome {
    type: "welcome";
    version: number;
    engine: "server" | "browser";
    limits: Limits;
    games: GameInfo[];
    algorithms: AlgorithmInfo[];
}

export interface GameRecord {
    title: string;
    moves: string[];
    /** Before each move and at the end. */
    positions: string[];
    /** Which of them is asked about. */
    at: number;
}

export interface PositionMessage {
    type: "position";
    id: number;
    game: string;
    /** Position and goal. */
    text: string;
    position: string;
    goal: string;
    question: Words;
    turn: Words;
    note?: Words;
    record?: GameRecord;
}

export interface MovesMessage {
    type: "moves";
    id: number;
    text: string;
    moves: Named[];
    /** Is it the attacker's turn? */
    attacks: boolean;
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
    line: Named[];
    roots: (Named & { pn: Count; dn: Count })[];
    bounds?: { at_least: number; at_most: number };
}

export interface AnswerMessage {
    type: "answer";
    id: number;
    verdict: "proven" | "disproven" | "unknown";
    reason?: Words;
    words: Words;
    plies?: number;
    /** A mate of shogi: there is none within fewer plies. */
    least?: number;
    exact: boolean;
    line: Named[];
    complete: boolean;
    nodes: number;
    seconds: number;
    /** What can be certified; a certificate is asked for by its place here. */
    claims: Words[];
}

export interface CertificateMessage {
    type: "certificate";
    id: number;
    data: string;
    positions: number;
    claim: Words;
}

/** From now on the certificate is named by this message's id. */
export interface OpenedMessage {
    type: "opened";
    id: number;
    text: string;
    claim: Words;
    value: "proven" | "disproven";
    plies?: number;
    positions: number;
}

export interface Reply extends Named {
    known: boolean;
    plies?: number;
}

export interface NodeMessage {
    type: "node";
    id: number;
    text: string;
    played: string[];
    /** Is it the turn of the side whose claim it is? */
    holder: boolean;
    over?: Words;
    known: boolean;
    ground?: "treated" | "dominated" | "weakened" | "over" | "cut";
    plies?: number;
    /** At the holder's turn: what the certificate plays. */
    answer?: Named;
    /** Every legal move. */
    replies: Reply[];
}

export interface CheckedMessage {
    type: "checked";
    id: number;
    accepted: boolean;
    claim?: Words;
    text?: string;
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

export interface InspectingMessage {
    type: "inspecting";
    id: number;
    seconds: number;
    nodes: number;
    /** Moves that are not decided yet; none while the solution itself is looked for. */
    undecided?: number;
}

/** A move after so many plies of a line. */
export interface Beside extends Named {
    ply: number;
}

export interface InspectedMessage {
    type: "inspected";
    id: number;
    text: string;
    verdict: "sound" | "unsound" | "no mate" | "undecided";
    words: Words;
    complete: boolean;
    plies?: number;
    line: Named[];
    left_over?: Words;
    early: boolean;
    findings: (Beside & { kind: Words; serious: boolean; plies: Words; line: Named[] })[];
    equal: Beside[];
    undecided: Beside[];
    variations: { ply: number; line: Named[]; complete: boolean; plies: number; exact: boolean }[];
    nodes: number;
    seconds: number;
}

export interface ErrorMessage {
    type: "error";
    id?: number;
    message: Words;
    line?: number;
    column?: number;
}

/** An engine's last word: a fault of its own. */
export interface PanicMessage {
    type: "panic";
    message: string;
}

/** What a search says before it is answered. */
export type SearchNews =
    | { type: "queued"; id: number; place: number }
    | { type: "started"; id: number }
    | { type: "paused"; id: number }
    | InspectingMessage
    | ProgressMessage;

export type FromEngine = Welcome | SearchNews | Replies[Question] | ErrorMessage | PanicMessage;
