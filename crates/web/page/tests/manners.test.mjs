/** What every view owes to everybody: names for those who do not see, room on a phone, two languages, no network. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { dist, launch, serve, skip, visit } from "./support.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let server, browser;
before(async () => {
    if (skip) return;
    server = await serve();
    browser = await launch();
});
after(async () => {
    await browser?.close();
    await server?.close();
});

/** Every view in turn, with something in it. */
async function walk({ page, open, tab, solve, paste, showing }, look) {
    await open();
    await look("position");
    await page.locator("details summary").last().click();
    await page.locator("ul.problems button").first().waitFor();
    await page.locator("button[aria-pressed]", { hasText: "✎" }).click();
    await look("setting up");
    await page.locator("button[aria-pressed]", { hasText: "✎" }).click();
    await solve();
    await page.locator(".verdict.proven").waitFor();
    await look("answer");
    await tab("search");
    await look("search");
    await tab("answer");
    await page.locator(".certificate button").first().click();
    await page.locator(".here").waitFor();
    await page.locator("details.tree summary").click();
    await look("proof");
    await tab("compose");
    await page.locator(".view button").first().click();
    await page.locator(".verdict").waitFor();
    await look("compose");
    await tab("compare");
    await look("compare");
    for (const [text, name] of [
        ["r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "chess"],
        ["OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X", "othello"],
        ["hex 5 ...../...../...../...../..... B", "hex"],
        ["graph\na or b c\nb and a d\nc and d e\nd win\ne win", "graph"],
    ]) {
        await paste(text);
        await showing(text.slice(0, 5));
        await page.locator(".question").waitFor();
        await look(name);
    }
}

test("axe-core finds nothing serious, in any view, light and dark", { skip }, async () => {
    for (const [colorScheme, phone, locale] of [["light", false, "en"], ["dark", true, "ja"]]) {
        const visitor = await visit(browser, server.url, { colorScheme, phone, locale, bypassCSP: true });
        await visitor.page.addInitScript(axe);
        await walk(visitor, async (view) => {
            const found = await visitor.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
            const serious = found.violations
                .filter(({ impact }) => impact === "serious" || impact === "critical")
                .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join("\n")}`);
            assert.deepEqual(serious, [], `${view}, ${colorScheme}`);
        });
        await visitor.close();
    }
});

test("on a phone nothing is wider than the screen, in both languages, and each has its own words", { skip }, async () => {
    const heard = { en: [], ja: [] };
    for (const locale of ["en", "ja"]) {
        const visitor = await visit(browser, server.url, { phone: true, locale });
        await walk(visitor, async (view) => {
            const [wide, language, text] = await visitor.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.lang, document.querySelector("#view").innerText]);
            assert.ok(wide <= 375, `${view}, ${locale}: ${wide} pixels wide`);
            assert.equal(language, locale);
            heard[locale].push(text);
        });
        await visitor.close();
    }
    heard.en.forEach((text, index) => assert.notEqual(text, heard.ja[index]));
    // What the page says in Japanese has hardly a word of English in it.
    const words = heard.ja[0].match(/[A-Za-z]{4,}/g) ?? [];
    assert.deepEqual(words.filter((word) => !/^(SFEN|Othello|mate|goal|Hex)$/.test(word) && !/^[A-Z]+$/.test(word)), []);
});

test("the first load is small", () => {
    const files = ["index.html", "icon.svg", "manifest.webmanifest", ...readdirSync(join(dist, "assets")).map((name) => `assets/${name}`)];
    const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name)), { level: 9 }).length, 0);
    assert.ok(bytes < 300_000, `${bytes} bytes`);
});

test("once loaded, it works without a network", { skip }, async () => {
    const { context, page, open, solve, close } = await visit(browser, server.url, { serviceWorkers: "allow" });
    await open();
    await page.evaluate(() => navigator.serviceWorker.ready);
    // Loaded once more, so that the engine goes through the service worker and is kept.
    await page.reload();
    await page.locator(".question").waitFor();
    await context.setOffline(true);
    await page.reload();
    await page.locator(".question").waitFor();
    await solve();
    await page.locator(".verdict.proven").waitFor();
    await close();
});

test("without WebAssembly it says so, and positions can be set up", { skip }, async () => {
    const { page, place, close } = await visit(browser, server.url);
    await page.addInitScript(() => delete globalThis.WebAssembly);
    await page.goto(server.url);
    await page.getByText(/No engine could be started \(WebAssembly\)/).waitFor();
    await page.locator("button[aria-pressed]", { hasText: "✎" }).click();
    await page.getByRole("button", { name: "Empty board" }).click();
    await place("box:S").click();
    await place("5e").click();
    assert.equal(await place("5e").getAttribute("aria-label"), "5e silver Black");
    await close();
});
