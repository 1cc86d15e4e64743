/** Is a tsume-shogi sound? One inspection: what it says while it runs, and what it has found. */
import { connection, wordsOf } from "./connection.svelte";
import type { InspectedMessage, InspectingMessage } from "./protocol";

class Inspection {
    busy = $state(false);
    /** What was inspected, and its name if it has one. */
    text = $state<string>();
    name = $state<string>();
    place = $state<number>();
    news = $state.raw<InspectingMessage>();
    found = $state.raw<InspectedMessage>();
    fault = $state<string>();
    private id = 0;

    async start(text: string, name: string | undefined, seconds: number): Promise<void> {
        this.busy = true;
        this.text = text;
        this.name = name;
        this.news = undefined;
        this.found = undefined;
        this.fault = undefined;
        const hash = Math.min(256, connection.limits?.hash ?? 64);
        const asked = connection.engine.ask("inspect", { text, hash, seconds }, (news) => {
            this.place = news.type === "queued" ? news.place : undefined;
            if (news.type === "inspecting") this.news = news;
        });
        this.id = asked.id;
        // The engine keeps one table: what it knew of the last search is gone.
        connection.searched = asked.id;
        try {
            this.found = await asked.reply;
        } catch (error) {
            this.fault = wordsOf(error);
        } finally {
            this.busy = false;
            this.place = undefined;
        }
    }

    stop(): void {
        connection.engine.tell("stop", this.id);
    }
}

export const inspection = new Inspection();
