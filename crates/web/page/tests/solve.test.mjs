/** Searches: live numbers, pause, limits, the answer step by step, and what can be taken home. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, serve, skip, visit } from "./support.mjs";

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

const piecesAt = (page, square) => page.locator(`[data-place="${square}"]`).getAttribute("aria-label");

test("a mate is found, stepped through and saved", { skip }, async () => {
    const { page, open, read, solve, close } = await visit(browser, server.url);
    await open();
    await solve();
    await page.locator(".verdict.proven").waitFor();
    assert.match(await read(".verdict"), /Proven 3 plies/);
    // By keys, forwards and back; the board follows.
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector('[data-place="3a"]').getAttribute("aria-label").includes("dragon"));
    await page.keyboard.press("End");
    await page.waitForFunction(() => document.querySelector('[data-place="1c"]').getAttribute("aria-label").includes("gold"));
    await page.keyboard.press("Home");
    await page.waitForFunction(() => document.querySelector('[data-place="3d"]').getAttribute("aria-label").includes("dragon"));
    assert.equal(await piecesAt(page, "1c"), "1c vacant");
    // With a click, for those who want it; it stays so.
    await page.evaluate(() => {
        globalThis.clicks = 0;
        const start = AudioBufferSourceNode.prototype.start;
        AudioBufferSourceNode.prototype.start = function (...when) {
            globalThis.clicks += 1;
            return start.apply(this, when);
        };
    });
    await page.getByLabel("Sound").check();
    // By itself.
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => document.querySelector('[data-place="1c"]').getAttribute("aria-label").includes("gold"));
    // One to try it, and one for each of the moves.
    assert.equal(await page.evaluate(() => globalThis.clicks), 4);
    assert.equal(await page.evaluate(() => localStorage.getItem("yomikiri.sound")), "on");
    await page.keyboard.press("Home");

    const saved = async (name) => {
        const waiting = page.waitForEvent("download");
        await page.getByRole("button", { name }).first().click();
        const download = await waiting;
        return { name: download.suggestedFilename(), data: readFileSync(await download.path()) };
    };
    const json = await saved("⤓ JSON");
    const answer = JSON.parse(json.data);
    assert.deepEqual([answer.verdict, answer.plies, answer.exact, answer.line.length], ["proven", 3, true, 3]);
    const svg = await saved("⤓ SVG");
    assert.match(svg.data.toString(), /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg".*龍.*<\/svg>$/s);
    assert.doesNotMatch(svg.data.toString(), /class=|style=|<!--/);
    const png = await saved("⤓ PNG");
    assert.equal(png.data.subarray(1, 4).toString(), "PNG");
    assert.ok(png.data.length > 10_000);
    const certificate = await saved("⤓ Certificate");
    assert.match(certificate.data.toString("latin1"), /^yomikiri certificate \d+\ngame: shogi\n/);
    const kif = await saved("⤓ KIF");
    assert.match(kif.data.toString(), /３一龍/);
    await close();
});

test("a search is watched, paused, goes on and is stopped", { skip }, async () => {
    const { page, open, tab, read, paste, showing, solve, close } = await visit(browser, server.url);
    await open();
    await tab("search");
    await page.locator("select").first().selectOption("dfpn-plain");
    await paste("hex 7 ......./......./......./......./......./......./....... B");
    await showing("hex 7");
    await solve();
    const nodes = async () => Number((await read("dl div:nth-child(4) dd")).replaceAll(",", ""));
    await page.locator("dl").waitFor();
    const first = await nodes();
    await page.waitForFunction((was) => Number(document.querySelector("dl div:nth-child(4) dd").textContent.replaceAll(",", "")) > was, first);
    assert.ok((await page.locator("polyline.pn").first().getAttribute("points")).split(" ").length > 1);
    assert.ok((await page.locator("tbody tr").count()) > 10);
    await page.getByRole("button", { name: "Pause" }).click();
    const goOn = page.getByRole("button", { name: "Go on" });
    await goOn.waitFor();
    const paused = await nodes();
    await page.waitForTimeout(300);
    assert.equal(await nodes(), paused);
    // While it rests, the engine answers.
    await tab("position");
    await page.locator("textarea").fill("nonsense");
    await page.locator("form button[type=submit]").last().click();
    await page.locator(".note .bad").waitFor();
    await tab("search");
    await page.getByRole("button", { name: "Load that problem" }).click();
    await goOn.click();
    await page.waitForFunction((was) => Number(document.querySelector("dl div:nth-child(4) dd").textContent.replaceAll(",", "")) > was, paused);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Start" }).waitFor();
    assert.match(await read(".status"), /undecided/);
    // A limit ends one, too.
    await page.getByLabel("At most seconds").fill("0.3");
    await page.getByLabel("At most seconds").press("Tab");
    await paste("hex 7 ......./......./......./......./......./......./....... B");
    await page.locator(".question").waitFor();
    await solve();
    await page.getByRole("button", { name: "Start" }).waitFor();
    assert.match(await read(".status"), /time/);
    await close();
});

test("a disproof, and the other games", { skip }, async () => {
    const { page, open, paste, showing, solve, close } = await visit(browser, server.url);
    await open();
    for (const [text, verdict] of [
        ["8k/9/9/9/9/9/9/9/9 b G 1", "disproven"],
        ["r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "proven"],
        ["OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X", "disproven"],
        ["hex 4 ..../..../..../.... B", "proven"],
        ["graph\na or b c\nb and a d\nc and d e\nd win\ne win", "proven"],
    ]) {
        await paste(text);
        await showing(text.slice(0, 5));
        await solve();
        await page.locator(`.verdict.${verdict}`).waitFor();
        // Each has a certificate, which holds.
        await page.locator(".certificate button").first().click();
        await page.locator("button", { hasText: "✓" }).click();
        await page.locator("span.good", { hasText: "accepted" }).waitFor();
    }
    await close();
});
