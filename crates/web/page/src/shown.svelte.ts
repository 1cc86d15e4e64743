/** Which view is open, and where one stands in the answer's line. */
export type ViewName = "position" | "search" | "answer" | "proof";

class Shown {
    view = $state<ViewName>("position");
    /** The position after some moves of the answer's line, and the last of them. */
    stepText = $state<string>();
    stepMove = $state<string>();
}

export const shown = new Shown();
