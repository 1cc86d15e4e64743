/** Playing against proofs: every defence is answered up to mate; and certificates that do not hold. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, own, random, serve, skip, visit } from "./support.mjs";

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

/** The proof of what is shown, opened. */
async function explore({ page, paste, showing, solve }, text) {
    await paste(text);
    await showing(text.slice(0, 30));
    await solve();
    await page.locator(".verdict").waitFor();
    await page.locator(".certificate button").first().click();
    await page.locator(".here").waitFor();
}

/** Plays at random until the game is over: the plies that took. */
async function playOn({ page }, next, most, isAnswered) {
    const route = () => page.locator(".route li").count();
    for (let plies = await route(); plies <= most; plies = await route()) {
        await page.locator(".here.over, .here.theirs, .here.yours").first().waitFor();
        if (await page.locator(".here.over").count()) return plies;
        if (await page.locator(".here.yours").count()) {
            const replies = page.locator("ul.known button");
            await replies.nth(next(await replies.count())).click();
        } else if (plies === 0 || !isAnswered) {
            await page.getByRole("button", { name: /^Play / }).click();
        }
        await page.waitForFunction((was) => document.querySelectorAll(".route li").length > was, plies);
    }
    return assert.fail("no end");
}

test("a random defender is mated in 20 of our problems", { skip }, async () => {
    const visitor = await visit(browser, server.url);
    await visitor.open();
    const next = random(2026);
    const chosen = own.filter((_, index) => index % 25 === 7);
    assert.equal(chosen.length, 20);
    for (const [index, { text, name, plies }] of chosen.entries()) {
        await explore(visitor, text);
        // The proof answers by itself at first; then only when it is told to, which is faster.
        const isAnswered = index < 3;
        await visitor.page.getByLabel("Answer at once").setChecked(isAnswered);
        const took = await playOn(visitor, next, plies, isAnswered);
        assert.ok(took % 2 === 1 && took <= plies, `${name}: ${took} plies`);
        assert.match(await visitor.read(".here"), /mates/, name);
    }
    await visitor.close();
});

test("what is not in the proof is told apart and searched on demand", { skip }, async () => {
    const visitor = await visit(browser, server.url);
    const { page, open, read, place, close } = visitor;
    await open();
    await explore(visitor, "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1");
    // A worse attacking move, on the board.
    await place("hand:first:G").click();
    await place("2b").click();
    await page.locator(".here.outside").waitFor();
    assert.match(await read(".here"), /Not in the proof/);
    await page.getByRole("button", { name: "Search it now" }).click();
    await page.getByText("Searched now, not part of the proof:").waitFor();
    await page.getByRole("button", { name: "To the start" }).click();
    await page.locator(".here.theirs").waitFor();
    // The tree opens as far as it is asked for.
    await page.locator("details.tree summary").click();
    await page.locator("[role=treeitem]").nth(1).waitFor();
    await page.locator("[role=treeitem] .fold").nth(1).click();
    await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 5);
    await page.locator("[role=treeitem]").nth(2).click();
    await page.waitForFunction(() => document.querySelectorAll(".route li").length === 2);
    await close();
});

test("every check is answered by a disproof", { skip }, async () => {
    const visitor = await visit(browser, server.url);
    await visitor.open();
    await explore(visitor, "8k/9/9/9/9/9/9/9/9 b G 1");
    const next = random(7);
    const { page } = visitor;
    await page.locator(".here.yours").waitFor();
    const replies = page.locator("ul.known button");
    await replies.nth(next(await replies.count())).click();
    await page.waitForFunction(() => document.querySelectorAll(".route li").length === 2);
    await page.locator(".here.yours, .here.over").first().waitFor();
    await visitor.close();
});

test("certificates that are no good are refused with a sentence", { skip }, async () => {
    const visitor = await visit(browser, server.url);
    const { page, open, tab, read, close } = visitor;
    await open();
    await explore(visitor, "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1");
    await tab("answer");
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "⤓ Certificate" }).first().click();
    const good = readFileSync(await (await waiting).path());
    const text = good.toString("latin1");
    const bad = [
        [good.subarray(0, good.length - 3), /truncated/],
        [good.subarray(0, 40), /line 3 of the certificate/],
        [Buffer.from(text.replace("game: shogi", "game: chess"), "latin1"), /the certificate's problem/],
        [Buffer.from(text.replace("game: shogi", "game: go"), "latin1"), /about `go`/],
        [Buffer.from(text.replace(/certificate \d+/, "certificate 99"), "latin1"), /format 99/],
        [Buffer.from(text.replace("plies: 3", "plies: 1"), "latin1"), /longer than claimed/],
    ];
    await tab("proof");
    const file = page.locator("input[type=file]");
    for (const [buffer, why] of bad) {
        await file.setInputFiles({ name: "bad.cert", mimeType: "application/octet-stream", buffer });
        await page.locator(".note.bad").waitFor();
        assert.match(await read(".note.bad"), why);
        // A good one opens again.
        await file.setInputFiles({ name: "good.cert", mimeType: "application/octet-stream", buffer: good });
        await page.locator(".here").waitFor();
        assert.equal(await page.locator(".note.bad").count(), 0);
    }
    // One that somebody else made is checked, too.
    await page.locator("button", { hasText: "✓" }).click();
    await page.locator("span.good", { hasText: "accepted" }).waitFor();
    await close();
});
