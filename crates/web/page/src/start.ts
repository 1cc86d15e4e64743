/** From a position to its answer, by one press. */
import { position } from "./position.svelte";
import { search } from "./search.svelte";
import { shown } from "./shown.svelte";

export async function solve(): Promise<void> {
    if (search.busy || !position.read) return;
    position.editing = false;
    shown.view = "search";
    shown.stepText = undefined;
    shown.stepMove = undefined;
    await search.start(position.read.text, () => {
        if (shown.view === "search" && search.answer?.verdict !== "unknown") shown.view = "answer";
    });
}
