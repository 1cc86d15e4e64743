import { createHash } from "node:crypto";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/**
 * The service worker gets the list of files that it keeps for use without a network, and a name of
 * this list, so that a new build has a new store.
 */
function offline(): Plugin {
    return {
        name: "offline",
        apply: "build",
        generateBundle(_, bundle) {
            const worker = bundle["service-worker.js"];
            if (worker?.type !== "chunk") throw new Error("the service worker was not built");
            const files = Object.keys(bundle).filter((name) => name !== "service-worker.js").sort();
            const all = ["./", "icon.svg", "manifest.webmanifest", ...files.filter((name) => name !== "index.html")];
            const hash = createHash("sha256");
            for (const name of files) {
                const file = bundle[name]!;
                hash.update(file.type === "chunk" ? file.code : file.source);
            }
            worker.code = worker.code
                .replace("__FILES__", () => JSON.stringify(all))
                .replace("__VERSION__", () => JSON.stringify(hash.digest("hex").slice(0, 16)));
        },
    };
}

export default defineConfig({
    base: "./",
    plugins: [svelte(), offline()],
    worker: { format: "es" },
    build: {
        outDir: "../dist",
        // engine.wasm and engine.inputs are made by another script and stay; scripts/build-page.sh
        // removes the rest.
        emptyOutDir: false,
        target: "es2022",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
            input: { index: "index.html", "service-worker": "src/service-worker.ts" },
            output: {
                entryFileNames: (chunk) => (chunk.name === "service-worker" ? "service-worker.js" : "assets/[name]-[hash].js"),
            },
        },
    },
});
