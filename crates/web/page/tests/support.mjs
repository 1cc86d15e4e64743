/** A browser, and the built page on loopback with the security policy of docs/web-protocol.md. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
export const dist = join(here, "../../dist");

const protocol = readFileSync(join(here, "../../../../docs/web-protocol.md"), "utf8");
/** The policy that the document promises to suffice. */
export const policy = /`(default-src 'none';[^`]*)`/.exec(protocol)[1];

const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json" };

/** Serves the built page; `extra` has files by name that are not in it. */
export async function serve(extra = {}) {
    const server = createServer(async (request, response) => {
        const path = normalize(new URL(request.url, "http://x").pathname).slice(1) || "index.html";
        try {
            const body = extra[path] ?? (await readFile(join(dist, path)));
            response.writeHead(200, { "content-type": kinds[extname(path)] ?? "application/octet-stream", "content-security-policy": policy, "cache-control": "no-cache" });
            response.end(body);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
        url: `http://127.0.0.1:${server.address().port}/`,
        close: () =>
            new Promise((resolve) => {
                server.close(resolve);
                server.closeAllConnections();
            }),
    };
}

const program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
/** Why the tests cannot run here, or nothing. With CI=true they have to. */
export const skip = program || process.env.CI === "true" ? false : "needs chromium";

export const launch = () =>
    chromium.launch({
        executablePath: program,
        args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
