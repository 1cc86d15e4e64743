/** The page as `yomikiri serve` serves it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { endAll, launch, policy, skipServed as skip, startServer as serve, visit } from "./support.mjs";

let browser;
before(async () => {
    if (!skip) browser = await launch();
});
after(async () => {
    endAll();
    await browser?.close();
});

/** A search that does not end by itself. */
async function endless({ page, tab, paste, showing, solve }) {
    await tab("search");
    await page.locator("select").first().selectOption("dfpn-plain");
    await page.getByLabel("At most seconds").fill("");
    await page.getByLabel("At most seconds").press("Tab");
    await paste("hex 9 ........./........./........./........./........./........./........./........./......... B");
    await showing("hex 9");
    await solve();
}

test("the server searches, the browser checks", { skip }, async () => {
    const server = await serve("--port", "0");
    const { page, open, read, solve, close } = await visit(browser, server.url);
    const response = await page.request.get(server.url);
    assert.equal(response.headers()["content-security-policy"], policy);
    await open();
    await page.locator("footer", { hasText: "Engine: server" }).waitFor();
    await solve();
    await page.locator(".verdict.proven").waitFor();
    assert.match(await read(".verdict"), /Proven 3 plies/);
    await page.locator(".certificate button").first().click();
    await page.locator("button", { hasText: "✓" }).click();
    await page.locator("span.good", { hasText: "Checked in this browser: accepted" }).waitFor();
    await close();
    assert.equal(await server.end(), 0);
});

test("with one slot for two visitors, the second sees its place and is answered", { skip }, async () => {
    const server = await serve("--port", "0", "--searches", "1");
    const [one, two] = await Promise.all([visit(browser, server.url), visit(browser, server.url)]);
    await Promise.all([one.open(), two.open()]);
    await endless(one);
    await one.page.locator("dl").waitFor();
    // What the page says meanwhile, however short.
    await two.page.evaluate(() => {
        globalThis.heard = new Set();
        const hear = () => globalThis.heard.add(document.querySelector(".status")?.textContent);
        new MutationObserver(hear).observe(document.body, { childList: true, characterData: true, subtree: true });
    });
    await two.solve();
    await two.page.locator(".verdict.proven").waitFor();
    assert.ok((await two.page.evaluate(() => [...globalThis.heard])).includes("Waiting: yours is next."));
    // Nobody asked the first to end.
    assert.match(await one.read(".status"), /Searching|Waiting/);
    await one.close();
    await two.close();
    await server.end();
});

test("a server that is killed in mid-search and started again", { skip }, async () => {
    const first = await serve("--port", "0");
    const visitor = await visit(browser, first.url);
    const { page, open, tab, close } = visitor;
    await open();
    await endless(visitor);
    await page.locator("dl").waitFor();
    await tab("position");
    await page.locator("textarea").fill("half a sente");
    await tab("search");
    await first.end("SIGKILL");
    await page.getByText("The server does not answer").waitFor();
    const second = await serve("--port", new URL(first.url).port);
    await page.getByText(/^The server is back\./).waitFor();
    await page.locator(".status", { hasText: "began anew" }).waitFor();
    await page.locator("dl").waitFor();
    await tab("position");
    assert.equal(await page.locator("textarea").inputValue(), "half a sente");
    await close();
    await second.end();
});

test("a token is asked for, and let in by", { skip }, async () => {
    const token = "0123456789abcdefXYZ";
    const server = await serve("--port", "0", "--token", token);
    const asked = await visit(browser, server.url);
    await asked.open();
    await asked.page.getByLabel("Token").fill(token);
    await asked.page.getByRole("button", { name: "Connect" }).click();
    await asked.page.locator(".question").waitFor();
    await asked.close();
    const linked = await visit(browser, server.url);
    await linked.open(`#token=${token}`);
    await linked.page.locator(".question").waitFor();
    assert.doesNotMatch(linked.page.url(), /token/);
    await linked.close();
    await server.end();
});
