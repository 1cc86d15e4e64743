/** The sets of problems that the engine has; the problems of a set are asked for when it is looked at. */
import { connection, wordsOf } from "./connection.svelte";
import type { ProblemInfo, SetInfo } from "./protocol";

class Sets {
    list = $state.raw<SetInfo[]>([]);
    chosen = $state<string>();
    problems = $state.raw<ProblemInfo[]>([]);
    fault = $state<string>();
    private known = new Map<string, ProblemInfo[]>();

    /** An engine has said welcome. */
    async load(): Promise<void> {
        try {
            this.list = (await connection.engine.get("sets", {})).sets;
        } catch (error) {
            this.fault = wordsOf(error);
        }
    }

    /** Shows a set; the first unless told. */
    async choose(name = this.chosen ?? this.list[0]?.name): Promise<ProblemInfo[]> {
        if (name === undefined) return [];
        this.chosen = name;
        this.fault = undefined;
        let problems = this.known.get(name);
        if (!problems) {
            this.problems = [];
            try {
                problems = (await connection.engine.get("set", { name })).problems;
            } catch (error) {
                if (this.chosen === name) this.fault = wordsOf(error);
                return [];
            }
            this.known.set(name, problems);
        }
        if (this.chosen === name) this.problems = problems;
        return problems;
    }
}

export const sets = new Sets();
