/** The longest of the tests, and so the first to begin: files run in the order of their names. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, own, serve, skip, visit } from "./support.mjs";

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

test("100 of our problems are solved and checked in one visit", { skip }, async () => {
    const { page, open, solve, read, close } = await visit(browser, server.url);
    await open();
    await page.locator("details summary", { hasText: "Problems" }).click();
    const chosen = own.filter((_, index) => index % 5 === 0);
    assert.equal(chosen.length, 100);
    for (const { name, plies } of chosen) {
        await page.locator("#tab-position").click();
        const list = page.locator("details", { has: page.locator("ul.problems") });
        if ((await list.getAttribute("open")) === null) await list.locator("summary").click();
        await page.locator("ul.problems button", { hasText: name }).click();
        await page.locator("ul.problems button[aria-pressed=true]", { hasText: name }).waitFor();
        await solve();
        await page.locator(".verdict.proven").waitFor();
        assert.match(await read(".verdict"), new RegExp(`^Proven ${plies} plies$`), name);
        await page.locator(".certificate button").first().click();
        await page.locator("button", { hasText: "✓" }).click();
        await page.locator("span.good", { hasText: "accepted" }).waitFor();
    }
    await close();
});
