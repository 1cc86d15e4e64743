/** The games that have a board, and what a text shows. */
import { chess } from "./chess";
import type { Diagram, GameName, Kit } from "./diagram";
import { hex } from "./hex";
import { othello } from "./othello";
import { shogi } from "./shogi";

export const kits: Record<GameName, Kit> = { shogi, chess, othello, hex };

/** The diagram of a text of the engine's, in whatever game; nothing if it has no board. */
export function diagramOf(text: string): Diagram | undefined {
    for (const kit of Object.values(kits)) {
        const diagram = kit.parse(text);
        if (diagram) return diagram;
    }
    return undefined;
}
