/** A server between the page and the engine: queues, goes away, comes back, wants a token, crashes. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, engine, launch, serve, skip, visit } from "./support.mjs";

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

const hard = "hex 7 ......./......./......./......./......./......./....... B";

/** A long search, under way. */
async function search({ page, tab, paste, showing, solve }) {
    await tab("search");
    await page.locator("select").first().selectOption("dfpn-plain");
    await paste(hard);
    await showing("hex 7");
    await solve();
    await page.locator("dl").waitFor();
}

test("a server that goes away in mid-search is waited for, and the search begun again", { skip }, async () => {
    const visitor = await visit(browser, server.url);
    const { page, open, tab, read, close } = visitor;
    const connections = await answered(page);
    await open();
    await search(visitor);
    await tab("position");
    await page.locator("textarea").fill("half a sente");
    await tab("search");
    await connections[0].drop();
    await page.getByText("The server does not answer").waitFor();
    assert.match(await read(".status"), /went away/);
    await page.getByText(/^The server is back\./).waitFor();
    assert.equal(connections.length, 2);
    await page.waitForFunction(() => document.querySelector(".status").textContent.includes("began anew"));
    await page.locator("dl").waitFor();
    await tab("position");
    assert.equal(await page.locator("textarea").inputValue(), "half a sente");
    await tab("search");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Start" }).waitFor();
    await close();
});

test("one's place in the queue is shown", { skip }, async () => {
    const visitor = await visit(browser, server.url);
    const { page, open, solve, close } = visitor;
    const held = [];
    const connections = await answered(page, (message) => {
        if (message.type === "started") held.push(message);
        return message.type === "started" || message.type === "answer" ? [] : [message];
    });
    await open();
    await solve();
    while (held.length === 0) await page.waitForTimeout(20);
    const tell = (message) => connections[0].send({ ...message, id: held[0].id });
    tell({ type: "queued", place: 3 });
    await page.getByText("place 3 in the queue").waitFor();
    tell({ type: "queued", place: 1 });
    await page.getByText("yours is next").waitFor();
    tell({ type: "started" });
    await page.locator(".status", { hasText: "Searching" }).waitFor();
    await close();
});

test("a server that wants a token is given one", { skip }, async () => {
    const visitor = await visit(browser, server.url);
    const { page, open, close } = visitor;
    const said = [];
    await page.routeWebSocket(/\/engine$/, async (ws) => {
        let own;
        ws.onMessage((text) => {
            const message = JSON.parse(text);
            if (message.type !== "hello") return own.receive(text);
            said.push(message.token);
            if (message.token === "open sesame") return own.receive(text);
            ws.send(JSON.stringify({ type: "error", message: { en: "This server wants a token.", ja: "トークンが必要です。" } }));
        });
        own = await engine((text) => ws.send(text));
    });
    await open("#token=wrong");
    await page.getByText("This server wants a token.").waitFor();
    // The address does not show it any more.
    assert.doesNotMatch(page.url(), /token/);
    await page.getByLabel("Token").fill("open sesame");
    await page.getByRole("button", { name: "Connect" }).click();
    await page.locator(".question").waitFor();
    assert.deepEqual(said, ["wrong", "open sesame"]);
    await close();
});

test("an engine that crashes is replaced, and what was typed stays", { skip }, async () => {
    const visitor = await visit(browser, server.url);
    const { page, open, tab, solve, read, close } = visitor;
    let crashes = 1;
    const connections = await answered(page, (message) => {
        if (message.type !== "started" || crashes === 0) return [message];
        crashes -= 1;
        return [{ type: "panic", message: "a wolf in the table" }];
    });
    await open();
    await page.locator("textarea").fill("half a sente");
    await solve();
    await page.getByText("a wolf in the table").first().waitFor();
    await tab("search");
    assert.match(await read(".status"), /fault of its own/);
    await tab("position");
    assert.equal(await page.locator("textarea").inputValue(), "half a sente");
    // The new one was not asked what crashed the old one, and answers.
    await page.waitForTimeout(300);
    assert.equal(connections.length, 2);
    await solve();
    await page.locator(".verdict.proven").waitFor();
    await close();
});

test("two visitors do not get in each other's way", { skip }, async () => {
    const [one, two] = await Promise.all([visit(browser, server.url), visit(browser, server.url)]);
    await Promise.all([one.open(), two.open()]);
    await search(one);
    await two.solve();
    await two.page.locator(".verdict.proven").waitFor();
    await one.page.getByRole("button", { name: "Stop" }).click();
    await one.page.getByRole("button", { name: "Start" }).waitFor();
    await Promise.all([one.close(), two.close()]);
});
