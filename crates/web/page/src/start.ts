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
    await search.start(position.read.text, position.problem, () => {
        if (shown.view === "search" && shown.answer && shown.answer.verdict !== "unknown") shown.view = "answer";
    });
}
