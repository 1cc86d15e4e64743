/** A result belongs to the problem that it was made for: it is never shown, saved or gone on with as another's. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { answered, launch, own, serve, skip, visit } from "./support.mjs";

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

/** Two problems of the set, a mate in 3 each. */
const [A, B] = own.filter(({ plies }) => plies === 3).slice(4, 6);
const boardOf = (text) => text.split(" ")[0];
const hex = "hex 7 ......./......./......./......./......./......./....... B";

/** A visitor, with what these tests look at. */
async function visitor(options) {
    const visited = await visit(browser, server.url, options);
    const { page } = visited;
    /** What stands on the board: the label of each square that is not vacant. */
    const pieces = () =>
        page.locator("#board .cell").evaluateAll((cells) => cells.map((cell) => cell.ariaLabel).filter((label) => !label.endsWith("vacant")).join(", "));
    /** The pieces of a problem, as the Position view shows them. */
    const show = async (text) => {
        await visited.paste(text);
        await visited.showing(boardOf(text));
        return pieces();
    };
    const present = async (name) => {
        await visited.tab("position");
        const list = page.locator("details:has(.problems)");
        if ((await list.getAttribute("open")) === null) await list.locator("summary").click();
        await page.getByRole("button", { name, exact: true }).click();
    };
    const saved = async (name) => {
        const waiting = page.waitForEvent("download");
        await page.getByRole("button", { name }).first().click();
        const download = await waiting;
        return { name: download.suggestedFilename(), data: readFileSync(await download.path()) };
    };
    const load = page.getByRole("button", { name: "Load that problem" });
    return { ...visited, pieces, show, present, saved, load };
}

test("an answer is not shown for the next problem, and is there again for its own", { skip }, async () => {
    const { page, open, tab, read, shown, pieces, present, saved, load, close, showing, solve } = await visitor();
    await open();
    await present(A.name);
    await showing(boardOf(A.text));
    const first = await pieces();
    await solve();
    await page.locator(".verdict.proven").waitFor();
    // A move of its line is on the board.
    await page.getByRole("button", { name: "Forward" }).click();
    await page.locator(".cell.last").first().waitFor();

    await present(B.name);
    await showing(boardOf(B.text));
    const second = await pieces();
    assert.notEqual(first, second);
    await tab("answer");
    assert.equal(await pieces(), second, "the board of another problem");
    assert.equal(await page.locator(".cell.last").count(), 0);
    assert.equal(await page.locator(".verdict, .certificate, .steps").count(), 0);
    assert.equal(await page.getByRole("button", { name: /^⤓/ }).count(), 0);
    assert.match(await read(".view"), /no answer yet.*another problem/);
    await tab("search");
    assert.equal(await pieces(), second);
    assert.equal(await page.locator("dl, .bounds").count(), 0);
    assert.match(await read(".status"), /Nothing is being searched/);
    // What it starts is what the board shows.
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.locator(".verdict.proven").waitFor();
    assert.equal(await pieces(), second);
    const { name, data } = await saved("⤓ JSON");
    assert.equal(name, `${B.name}.json`);
    assert.equal(boardOf(JSON.parse(data).problem), boardOf(B.text));
    const certificate = await saved("⤓ Certificate");
    assert.equal(certificate.name, `${B.name}.cert`);
    assert.ok(certificate.data.toString("latin1").includes(boardOf(B.text)));

    // Back at the first one, which has no answer any more; the second one's is kept, under its own name.
    await tab("position");
    await page.getByRole("button", { name: "Undo" }).click();
    await showing(boardOf(A.text));
    await tab("answer");
    assert.equal(await page.locator(".verdict").count(), 0);
    await load.click();
    await page.locator(".verdict.proven").waitFor();
    assert.equal(await pieces(), second);
    assert.equal(boardOf(await shown()), boardOf(B.text));
    assert.equal((await saved("⤓ JSON")).name, `${B.name}.json`);
    // Another question about the same board is another problem.
    await tab("position");
    await page.locator("select.goal").selectOption("mate-counted");
    await page.waitForFunction(() => location.hash.includes("mate-counted"));
    await tab("answer");
    assert.equal(await page.locator(".verdict").count(), 0);
    await close();
});

test("what was checked is not called sound for the next problem", { skip }, async () => {
    const { page, open, tab, read, pieces, show, load, close } = await visitor();
    await open();
    const first = await show(A.text);
    const start = page.getByRole("button", { name: "Check the problem" });
    await tab("compose");
    await start.click();
    await page.locator(".verdict").waitFor();
    const verdict = await read(".verdict");
    const second = await show(B.text);
    await tab("compose");
    assert.equal(await page.locator(".verdict, ol.moves").count(), 0);
    assert.equal(await pieces(), second);
    assert.match(await read(".view"), /another problem/);
    // What would be printed is no other, either.
    await page.emulateMedia({ media: "print" });
    assert.doesNotMatch(await read(".view"), /sound:|sound$|Solution in/);
    await page.emulateMedia({ media: "screen" });
    await load.click();
    await page.locator(".verdict").waitFor();
    assert.equal(await read(".verdict"), verdict);
    assert.equal(await pieces(), first);
    // A position of another game.
    await show("hex 3 .../.../... B");
    await tab("compose");
    assert.equal(await page.locator(".verdict, ol.moves").count(), 0);
    await close();
});

test("two records of one position are two problems, and undo leads back to what was checked", { skip }, async () => {
    const { page, open, tab, read, paste, show, showing, close } = await visitor();
    await open();
    const record = (moves) =>
        `後手の持駒：飛　角　金三　銀四　桂四　香四　歩十七\n| ・ ・ ・ ・ ・ ・ ・ ・v玉|一\n| ・ ・ ・ ・ 角 ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ 龍 ・ 歩|四\n${["五", "六", "七", "八", "九"].map((rank) => `| ・ ・ ・ ・ ・ ・ ・ ・ ・|${rank}\n`).join("")}先手の持駒：金\n手数----指手--\n${moves}`;
    const line = /The solution of the record/;
    const steps = page.locator("details ol.moves button");
    const check = async () => {
        await tab("compose");
        await page.getByRole("button", { name: "Check the problem" }).click();
        await page.locator(".verdict").waitFor();
        return read(".verdict");
    };
    await paste(record("1 ３一龍(34)\n2 １二玉(11)\n3 １三金打\n"));
    await steps.nth(3).waitFor();
    const good = await check();
    await paste(record("1 ３一龍(34)\n"));
    await page.waitForFunction(() => document.querySelectorAll("details ol.moves button").length === 2);
    await tab("compose");
    assert.match(await read(".view"), line);
    assert.equal(await page.locator(".verdict").count(), 0, "the line of another record");
    // The first record again.
    await page.getByRole("button", { name: "Load that problem" }).click();
    await page.locator(".verdict").waitFor();
    assert.equal(await read(".verdict"), good);
    // A position on the way is no problem with the record's solution.
    await tab("position");
    await steps.nth(2).click();
    await showing("6+R2/4B3k");
    await tab("compose");
    assert.doesNotMatch(await read(".view"), line);
    assert.equal(await page.locator(".verdict").count(), 0);
    // Nor is what was there before the record was pasted.
    await show(A.text);
    await paste(record("1 ３一龍(34)\n2 １二玉(11)\n3 １三金打\n"));
    await steps.nth(3).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await showing(boardOf(A.text));
    await tab("compose");
    assert.doesNotMatch(await read(".view"), line);
    await close();
});

test("a search that still runs says that it is another problem's", { skip }, async () => {
    const { page, open, tab, read, pieces, show, solve, load, shown, close } = await visitor();
    await open();
    await tab("search");
    await page.locator("select").first().selectOption("dfpn-plain");
    await show(hex);
    await solve();
    await page.locator("dl").waitFor();
    const second = await show(A.text);
    await tab("search");
    assert.match(await read(".note"), /This search is of another problem/);
    assert.notEqual(await pieces(), second, "its numbers stand beside its own board");
    await tab("answer");
    assert.equal(await pieces(), second);
    await tab("search");
    await load.click();
    await page.waitForFunction(() => location.hash.includes("hex"));
    assert.equal(await page.locator(".note:has-text('another problem')").count(), 0);
    // It ends while another problem is shown: that one has not been searched.
    await show(A.text);
    await tab("search");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Start", exact: true }).waitFor();
    assert.match(await read(".status"), /Nothing is being searched/);
    assert.equal(await pieces(), second);
    assert.equal(await page.locator("#tab-search[aria-selected=true]").count(), 1);
    assert.equal(boardOf(await shown()), boardOf(A.text));
    await close();
});

test("curves are not compared under another problem's board, or another algorithm's name", { skip }, async () => {
    const { page, open, tab, read, show, load, close } = await visitor();
    await open();
    // The whole game: it takes either of them longer than the test.
    await show(`${"-".repeat(27)}OX------XO${"-".repeat(27)} X goal win`);
    await tab("compare");
    await page.getByLabel("At most seconds").fill("1");
    const compare = page.getByRole("button", { name: "Compare", exact: true });
    await compare.click();
    await page.waitForFunction(() => document.querySelector(".view polyline")?.getAttribute("points").split(" ").length > 2);
    await compare.waitFor();
    await page.getByLabel("First").selectOption("dfpn-plain");
    assert.match(await read(".view table"), /dfpn deep-dfpn Result/);
    await show(A.text);
    await tab("compare");
    assert.equal(await page.locator(".view table, .view polyline").count(), 0);
    assert.match(await read(".note"), /another problem/);
    await load.click();
    await page.locator(".view table").waitFor();
    assert.match(await read(".view table"), /dfpn deep-dfpn Result undecided/);
    await close();
});

test("a proof names itself as another problem's", { skip }, async () => {
    const { page, open, tab, read, pieces, show, solve, saved, load, close } = await visitor();
    await open();
    const first = await show(A.text);
    await solve();
    await page.locator(".verdict").waitFor();
    const { data } = await saved("⤓ Certificate");
    await page.locator(".certificate button").first().click();
    await page.locator(".here").waitFor();
    assert.equal(await load.count(), 0);
    const second = await show(B.text);
    await tab("proof");
    assert.match(await read(".note"), /This certificate is about another problem/);
    await load.click();
    await page.waitForFunction(() => !document.querySelector(".note"));
    assert.equal(await pieces(), first);
    // One of a file says so too.
    await show(B.text);
    await tab("proof");
    await page.locator("input[type=file]").setInputFiles({ name: "a.cert", mimeType: "application/octet-stream", buffer: data });
    await page.locator(".here").waitFor();
    assert.match(await read(".note"), /This certificate is about another problem/);
    assert.equal(await pieces(), first);
    await tab("position");
    assert.equal(await pieces(), second);
    await close();
});

/** A server that keeps back messages of a kind: `late` says which, and sends them when it is told to. */
async function keepingBack(page) {
    const late = { kind: "", kept: [] };
    const connections = await answered(page, (message) => {
        if (message.type !== late.kind) return [message];
        late.kept.push(message);
        return [];
    });
    const wait = async (kind, work) => {
        late.kind = kind;
        await work();
        while (late.kept.length === 0) await page.waitForTimeout(20);
        late.kind = "";
    };
    const send = async () => {
        late.kept.splice(0).forEach((message) => connections[0].send(message));
        await page.waitForTimeout(200);
    };
    return { wait, send };
}

test("what comes late is not taken for what belongs to the next problem", { skip }, async () => {
    const { page, open, tab, read, pieces, place, show, solve, saved, close } = await visitor();
    const { wait, send } = await keepingBack(page);
    await open();
    const answer = async () => {
        await solve();
        await page.locator(".verdict").waitFor();
    };
    await show(A.text);
    await wait("certificate", answer);
    await show(B.text);
    await answer();
    await send();
    assert.match(await read(".verdict"), /Proven/);
    const { data } = await saved("⤓ Certificate");
    assert.ok(data.toString("latin1").includes(boardOf(B.text)), "the certificate of another problem");

    // What was found of a certificate, and another one is open.
    await page.locator(".certificate button").first().click();
    await page.locator(".here").waitFor();
    await wait("checked", () => page.locator("button", { hasText: "✓" }).click());
    await page.locator("input[type=file]").setInputFiles({ name: "b.cert", mimeType: "application/octet-stream", buffer: data });
    await page.locator(".here").waitFor();
    await send();
    assert.equal(await page.locator("span.good").count(), 0, "what was checked is another certificate");
    await page.locator("button", { hasText: "✓" }).click();
    await page.locator("span.good", { hasText: "accepted" }).waitFor();

    // A move on a board that is gone by then.
    await tab("position");
    await show("hex 3 .../.../... B");
    await wait("moves", () => place("b2").click());
    const second = await show(A.text);
    await send();
    assert.equal(await pieces(), second);
    await close();
});
