/** From a position to its answer, by one press. */
import { position } from "./position.svelte";
import { proof } from "./proof.svelte";
import { search } from "./search.svelte";
import { shown } from "./shown.svelte";

export async function solve(): Promise<void> {
    if (search.busy || !position.read) return;
    await proof.aside.end();
    if (!position.read) return;
    position.editing = false;
    shown.view = "search";
    shown.stepText = undefined;
    shown.stepMove = undefined;
    await search.start(position.read.text, () => {
        if (shown.view === "search" && search.answer?.verdict !== "unknown") shown.view = "answer";
    });
}
