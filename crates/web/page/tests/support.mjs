/**
 * A browser, the built page on loopback with the security policy of docs/web-protocol.md, and an engine to
 * answer it where a test wants to stand between the two.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
export const repository = join(here, "../../../..");
export const dist = join(here, "../../dist");

const protocol = readFileSync(join(repository, "docs/web-protocol.md"), "utf8");
/** The policy that the document promises to suffice. */
export const policy = /`(default-src 'none';[^`]*)`/.exec(protocol)[1];

const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json" };

/** The static page: nothing but files. */
export async function serve() {
    const server = createServer(async (request, response) => {
        const path = normalize(new URL(request.url, "http://x").pathname).slice(1) || "index.html";
        try {
            const body = await readFile(join(dist, path));
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

const yomikiri = process.env.YOMIKIRI;
/** The same for tests of `yomikiri serve`. */
export const skipServed = skip || (yomikiri || process.env.CI === "true" ? false : "needs yomikiri");

const running = new Set();

/** `yomikiri serve` of our own: its address, and how to end it. */
export async function startServer(...options) {
    assert.ok(yomikiri, "YOMIKIRI does not say where the program is");
    const { YOMIKIRI_TOKEN: _, ...env } = process.env;
    const child = spawn(yomikiri, ["serve", ...options], { stdio: ["ignore", "pipe", "inherit"], env: { ...env, LC_ALL: "C" } });
    running.add(child);
    const url = await new Promise((resolve, reject) => {
        child.once("exit", (code) => reject(new Error(`yomikiri serve has ended: ${code}`)));
        child.stdout.on("data", (text) => {
            const found = /http:\/\/\S+\//.exec(text);
            if (found) resolve(found[0]);
        });
    });
    const end = (signal = "SIGINT") =>
        new Promise((resolve) => {
            running.delete(child);
            child.removeAllListeners("exit");
            child.once("exit", resolve);
            child.kill(signal);
        });
    return { url, end };
}

/** Ends the servers that a test has left behind. */
export const endAll = () => running.forEach((child) => child.kill("SIGKILL"));

export const launch = () =>
    chromium.launch({
        executablePath: program,
        args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });

/** The engine of the page, here instead of in a worker: messages go in by `receive`, come out by `send`. */
export async function engine(send) {
    const exports = {};
    const env = {
        send: (pointer, length) => send(Buffer.from(new Uint8Array(exports.memory.buffer, pointer, length)).toString()),
        now: () => performance.now(),
    };
    const { instance } = await WebAssembly.instantiate(await readFile(join(dist, "engine.wasm")), { env });
    Object.assign(exports, instance.exports);
    let working = false;
    const work = () => {
        working = exports.step(20) === 1;
        if (working) setImmediate(work);
    };
    return {
        receive: (message) => {
            const bytes = Buffer.from(message);
            const pointer = exports.alloc(bytes.length);
            new Uint8Array(exports.memory.buffer, pointer, bytes.length).set(bytes);
            exports.receive(pointer, bytes.length);
            exports.free(pointer, bytes.length);
            if (!working) {
                working = true;
                setImmediate(work);
            }
        },
        /** Whatever it does, it does no more. */
        end: () => (exports.step = () => 0),
    };
}

/**
 * One visitor. `said` collects what the browser complains of, `hosts` whom it asks. `close` fails if there was
 * a complaint or a request to another host.
 */
export async function visit(browser, url, options = {}) {
    const { phone, ...more } = options;
    const size = phone ? { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true } : { viewport: { width: 1280, height: 860 } };
    const context = await browser.newContext({ locale: "en", serviceWorkers: "block", acceptDownloads: true, ...size, ...more });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const said = [];
    const hosts = new Set();
    context.on("request", (request) => {
        const { protocol: kind, host } = new URL(request.url());
        if (kind !== "blob:" && kind !== "data:") hosts.add(host);
    });
    page.on("websocket", (socket) => hosts.add(new URL(socket.url()).host));
    page.on("pageerror", (error) => said.push(String(error)));
    page.on("console", (message) => {
        // A page without a server asks for one, once, and is told that there is none.
        if (message.type() === "error" && !/WebSocket connection to|ERR_INTERNET_DISCONNECTED/.test(message.text())) said.push(message.text());
    });
    const open = async (fragment = "") => {
        await page.goto(url + fragment);
        await page.locator(".question, .note .bad, form.note").first().waitFor();
    };
    const tab = (name) => page.locator(`#tab-${name}`).click();
    const close = async () => {
        await context.close();
        assert.deepEqual(said, [], "the browser complains");
        assert.deepEqual([...hosts], [new URL(url).host], "another host is asked");
    };
    /** What a person reads, white space made one. */
    const read = async (where) => (await page.locator(where).first().innerText()).replace(/\s+/g, " ").trim();
    const paste = async (text) => {
        await tab("position");
        await page.locator("textarea").fill(text);
        await page.locator("form button[type=submit]").last().click();
    };
    /** The position that the page shows, by its link. */
    const shown = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("position"));
    const showing = (text) =>
        page
            .waitForFunction((wanted) => new URLSearchParams(location.hash.slice(1)).get("position")?.startsWith(wanted), text)
            .catch(async () => assert.equal(await shown(), text));
    const solve = async () => {
        await tab("position");
        await page.locator("button.solve:enabled").click();
    };
    const place = (name) => page.locator(`[data-place="${name}"]`);
    return { context, page, open, tab, close, read, paste, shown, showing, solve, place, said, hosts };
}

/** The middle of a place on the board, in the window. */
export async function middle(place) {
    await place.first().scrollIntoViewIfNeeded();
    const { x, y, width, height } = await place.first().boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
}

/** Points on the way from one place to another. */
const steps = (from, to) => Array.from({ length: 8 }, (_, k) => ({ x: from.x + ((to.x - from.x) * (k + 1)) / 8, y: from.y + ((to.y - from.y) * (k + 1)) / 8 }));

/** How far the page is scrolled, once it has stopped: after a swipe it goes on for a while. */
export async function scrolled(page) {
    for (let before = -1, now = 0; ; before = now) {
        now = await page.evaluate(() => scrollY);
        if (now === before) return now;
        await page.waitForTimeout(100);
    }
}

/** Touches as the hardware reports them, so that the browser scrolls and cancels pointers as on a phone. */
export async function finger({ context, page }) {
    const session = await context.newCDPSession(page);
    const say = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
    const drag = async (from, to) => {
        await say("touchStart", [from]);
        for (const point of steps(from, to)) await say("touchMove", [point]);
        await say("touchEnd", []);
    };
    const tap = async (point) => {
        await say("touchStart", [point]);
        await say("touchEnd", []);
    };
    return { drag, tap, say };
}

/** Start and end of a drag, both scrolled into view. Each is a place on the board, or a locator. */
async function ends({ page, place }, ...way) {
    await page.locator("#board").evaluate((board) => board.scrollIntoView());
    const [from, to] = way.map((where) => (typeof where === "string" ? place(where) : where));
    const end = await middle(to);
    await scrolled(page);
    return [await middle(from), end];
}

const mouse = {
    phone: false,
    at: (visitor) => ({
        touch: (name) => visitor.place(name).first().click(),
        press: (button) => button.click(),
        drag: async (from, to) => {
            const { page } = visitor;
            const [start, end] = await ends(visitor, from, to);
            await page.mouse.move(start.x, start.y);
            await page.mouse.down();
            for (const { x, y } of steps(start, end)) await page.mouse.move(x, y);
            await page.mouse.up();
        },
    }),
};
const touch = {
    phone: true,
    at: async (visitor) => {
        const { drag, tap } = await finger(visitor);
        return {
            touch: async (name) => tap(await middle(visitor.place(name))),
            press: (button) => button.tap(),
            drag: async (from, to) => drag(...(await ends(visitor, from, to))),
        };
    },
};
const twice = ({ phone, at }) => ({
    phone,
    at: async (visitor) => {
        const hand = await at(visitor);
        const carry = async (from, to) => {
            await hand.touch(from);
            await hand.touch(to);
        };
        return { ...hand, carry };
    },
});
const across = ({ phone, at }) => ({
    phone,
    at: async (visitor) => {
        const hand = await at(visitor);
        return { ...hand, carry: hand.drag };
    },
});
/** Ways to play: `touch` a place, `press` a button, `carry` what one place holds to another. */
export const hands = { "by clicks": twice(mouse), "by mouse, dragging": across(mouse), "by taps": twice(touch), "by finger, dragging": across(touch) };

/**
 * The page's WebSocket is answered by an engine here: a server as the page sees it. What the engine says goes
 * through `change`, which gives the messages that the page gets instead. The server goes away by `drop`.
 */
export async function answered(page, change = (message) => [message]) {
    const connections = [];
    await page.routeWebSocket(/\/engine$/, async (ws) => {
        const waiting = [];
        let own;
        const connection = {
            send: (message) => ws.send(JSON.stringify(message)),
            drop: async () => {
                own?.end();
                await ws.close({ code: 1001 });
            },
        };
        connections.push(connection);
        ws.onMessage((text) => (own ? own.receive(text) : waiting.push(text)));
        ws.onClose(() => own?.end());
        page.on("close", () => own?.end());
        own = await engine((text) => change(JSON.parse(text)).forEach(connection.send));
        waiting.forEach((text) => own.receive(text));
    });
    return connections;
}

/** Numbers that are the same in every run. */
export function random(seed) {
    let state = seed;
    return (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
    };
}

/** Our own problems: position, name, plies. */
export const own = readFileSync(join(repository, "crates/tsume/tests/data/own500.tsv"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"))
    .map(([text, name, plies]) => ({ text, name, plies: Number(plies) }));
