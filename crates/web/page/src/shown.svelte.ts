/** Which view is open, and where one stands in the answer's line. */
import { offered } from "./cluster.svelte";

export type ViewName = "position" | "search" | "answer" | "proof" | "compose" | "compare" | "cluster";

class Shown {
    view = $state<ViewName>(offered ? "cluster" : "position");
    /** The position after some moves of the answer's line, and the last of them. */
    stepText = $state<string>();
    stepMove = $state<string>();
}

export const shown = new Shown();
