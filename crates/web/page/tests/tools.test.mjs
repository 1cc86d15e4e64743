/** The views beside the main way: is a problem sound, two algorithms side by side, a cluster at work. */
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

const link = (text, more = "") => `#position=${encodeURIComponent(text)}${more}`;

test("a problem is checked, and what is found is shown on the board", { skip }, async () => {
    const { page, open, tab, read, close } = await visit(browser, server.url);
    await open(link("8k/9/7GG/9/9/9/9/9/9 b 2G2r2b4s4n4l18p 1"));
    await tab("compose");
    await page.getByRole("button", { name: "Check the problem" }).click();
    await page.locator(".verdict").waitFor();
    assert.match(await read(".verdict"), /^unsound: \d+ flaws$/);
    // Another mate, by a gold that is dropped: the board has it.
    await page.getByRole("button", { name: "move 1: G*2b" }).click();
    await page.waitForFunction(() => document.querySelector('[data-place="2b"]').getAttribute("aria-label").includes("gold"));
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".tabs").isVisible(), false);
    assert.equal(await page.locator("#board svg").first().isVisible(), true);
    await close();
});

test("a sound problem is called sound, a position of another game is not checked", { skip }, async () => {
    const { page, open, tab, read, close } = await visit(browser, server.url, { phone: true, locale: "ja" });
    await open(link(own[40].text));
    await tab("compose");
    await page.getByRole("button", { name: "検討する" }).click();
    await page.locator(".verdict").waitFor();
    assert.match(await read(".verdict"), /^完全作/);
    await tab("position");
    await page.locator("textarea").first().fill("hex 3 .../.../... B");
    await page.getByRole("button", { name: "表示" }).first().click();
    await page.waitForFunction(() => location.hash.includes("hex"));
    await tab("compose");
    assert.match(await read(".view"), /詰将棋だけ/);
    await close();
});

test("two algorithms search side by side, and their curves lie over each other", { skip }, async () => {
    const { page, open, tab, read, close } = await visit(browser, server.url);
    // The whole game of Othello: it takes either of them longer than the test.
    await open(link(`${"-".repeat(27)}OX------XO${"-".repeat(27)} X goal win`));
    await tab("compare");
    await page.getByLabel("At most seconds").fill("2");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.waitForFunction(() => [...document.querySelectorAll(".view polyline")].slice(0, 2).every((line) => line.getAttribute("points").split(" ").length > 3));
    await page.getByRole("button", { name: "Compare", exact: true }).waitFor();
    const table = await read(".view table");
    assert.match(table, /dfpn deep-dfpn Result undecided.* undecided/);
    await close();
});

test("a cluster's tree is shown as it grows", { skip }, async () => {
    const { page, close } = await visit(browser, server.url);
    const status = {
        version: 1, master: "master-7", moves: ["e2e4"], workers: 3, idle: 1, nodes: 1000, utility: 0.5,
        tree: [
            { depth: 0, by: "", probability: 1, value: "cp 20", searched: 12, worker: 0 },
            { depth: 1, by: "e7e5", probability: 0.6, value: null, searched: null, worker: 2 },
        ],
    };
    await page.routeWebSocket(/\/cluster$/, (socket) => {
        socket.send(JSON.stringify(status));
        setTimeout(() => socket.send(JSON.stringify({ ...status, nodes: 51_000, idle: 0 })), 500);
    });
    await page.goto(`${server.url}#cluster`);
    await page.getByText("3 of 3").waitFor();
    const rows = await page.locator(".view tbody tr").allInnerTexts();
    assert.equal(rows.length, 2);
    assert.match(rows[1].replace(/\s+/g, " "), /^e7e5 60\.0 % – – 2$/);
    await close();
});
