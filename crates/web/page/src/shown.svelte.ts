/** Which view is open, and the results that views show: only those of the current problem. */
import { offered } from "./cluster.svelte";
import { inspection } from "./inspection.svelte";
import { position } from "./position.svelte";
import type { AnswerMessage, InspectedMessage } from "./protocol";
import { search } from "./search.svelte";

export type ViewName = "position" | "search" | "answer" | "proof" | "compose" | "compare" | "cluster";

/** The position after some moves of a result's line, and the last of them. */
export interface Step {
    of: AnswerMessage | InspectedMessage;
    text: string;
    move: string | undefined;
}

class Shown {
    view = $state<ViewName>(offered ? "cluster" : "position");
    step = $state.raw<Step>();

    /** Is the last search, or the one that runs, of the current problem? */
    get isSearched(): boolean {
        return search.text === position.text;
    }

    get answer(): AnswerMessage | undefined {
        return this.isSearched ? search.answer : undefined;
    }

    /** The same for the last inspection. */
    get isInspected(): boolean {
        return inspection.text === position.toCheck;
    }

    get inspected(): InspectedMessage | undefined {
        return this.isInspected ? inspection.found : undefined;
    }

    /** Where one stands in a result's line. */
    stepOf(result: AnswerMessage | InspectedMessage | undefined): Step | undefined {
        return result && this.step?.of === result ? this.step : undefined;
    }
}

export const shown = new Shown();
