/** A position is set up by whatever hand, pasted in whatever format, and wrong ones are named. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { hands, launch, repository, serve, skip, visit } from "./support.mjs";

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

const edit = (page) => page.locator("button[aria-pressed]", { hasText: "✎" });
const notation = (name) => join(repository, "crates/games/shogi/tests/data/notation", name);
const three = "6k2/5g3/7Sn/5LPl1/9/9/9/9/9 b GN2r2b2g3s2n2l17p 1";

/** The problem `problem`, from an empty board, by a way to touch places and one to press a button. */
async function setUp({ page, place, showing, read }, touch, press) {
    await press(edit(page));
    await press(page.getByRole("button", { name: "Empty board" }));
    await page.locator(".note .bad").waitFor();
    assert.match(await read(".note:has(.bad)"), /king/);
    // The king of the other side: put, and touched again to turn it.
    await touch(place("box:K"));
    await touch(place("1a"));
    await touch(place("1a"));
    // A selected box stays selected until it is touched again.
    for (const [piece, square] of [["G", "1c"], ["G", "hand:first"], ["P", "3c"]]) {
        await touch(place(`box:${piece}`));
        await touch(place(square).first());
        await touch(place(`box:${piece}`));
    }
    // A second pawn on the file is named while it stands there.
    await touch(place("box:P"));
    await touch(place("3f"));
    await page.waitForFunction(() => document.querySelector(".note .bad")?.parentElement.textContent.includes("two unpromoted pawns"));
    await touch(place("box:P"));
    await touch(place("3f"));
    await touch(place("box:R"));
    await press(page.getByRole("button", { name: /All the rest/ }));
    await press(edit(page));
    await showing("8k/9/6P1G/9/9/9/9/9/9 b G2r2b2g4s4n4l17p 1");
    assert.match(await read(".question"), /is there a mate/);
}

test("by clicks", { skip }, async () => {
    const visitor = await visit(browser, server.url);
    await visitor.open();
    await setUp(visitor, (place) => place.click(), (button) => button.click());
    // What was done can be undone, step by step.
    const undo = visitor.page.getByRole("button", { name: "Undo" });
    await undo.click();
    await visitor.showing("8k/9/6P1G/9/9/9/9/9/9 b G 1");
    await visitor.close();
});

test("by touch, on a phone", { skip }, async () => {
    const visitor = await visit(browser, server.url, { phone: true });
    await visitor.open();
    await setUp(visitor, (place) => place.tap(), (button) => button.tap());
    await visitor.close();
});

for (const how of ["by mouse, dragging", "by finger, dragging"]) {
    test(`${how}, from the hand and off the board`, { skip }, async () => {
        const { phone, at } = hands[how];
        const visitor = await visit(browser, server.url, { phone });
        const { page, open, showing, close } = visitor;
        await open();
        const { carry, press } = await at(visitor);
        await press(edit(page));
        await carry("5b", "6c");
        await showing("8k/9/3B5/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1");
        await carry("hand:first:G", "9i");
        await showing("8k/9/3B5/6+R1P/9/9/9/9/G8 b rb3g4s4n4l17p 1");
        await carry("1d", page.locator("h1"));
        await showing("8k/9/3B5/6+R2/9/9/9/9/G8 b rb3g4s4n4l17p 1");
        await carry("box:P", "1d");
        await showing("8k/9/3B5/6+R1P/9/9/9/9/G8 b rb3g4s4n4l17p 1");
        await carry("1d", "box");
        await showing("8k/9/3B5/6+R2/9/9/9/9/G8 b rb3g4s4n4l17p 1");
        await press(edit(page));
        // Not set up but played: only what is legal.
        await page.locator(".cell.grab").first().waitFor();
        await carry("9i", "9h");
        await carry("3d", "3a");
        await showing("6+R1k/9/3B5/9/9/9/9/9/G8 w rb3g4s4n4l17p 1");
        await close();
    });
}

test("by keys alone, with names that can be read out", { skip }, async () => {
    const { page, open, place, showing, close } = await visit(browser, server.url);
    await open("#position=8k/4B4/9/6%2BR1P/9/9/9/9/9+b+Grb3g4s4n4l17p+1");
    await page.locator(".cell.grab").first().waitFor();
    await place("9a").focus();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "3d dragon Black");
    await page.keyboard.press("Enter");
    for (let k = 0; k < 3; k += 1) await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await showing("6+R1k/4B4/9/8P/9/9/9/9/9 w Grb3g4s4n4l17p 1");
    await close();
});

test("each format is pasted", { skip }, async () => {
    const { page, open, paste, showing, read, close } = await visit(browser, server.url);
    await open();
    const decode = (name, code) => new TextDecoder(code).decode(readFileSync(notation(name)));
    for (const [name, code] of [["three.sfen"], ["three.kif", "shift_jis"], ["three.kifu"], ["three.ki2", "shift_jis"], ["three.csa"], ["three.jkf"], ["three.bod"]]) {
        await paste("8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1");
        await showing("8k/4B4");
        await paste(decode(name, code));
        // An SFEN with moves means the position after them; other records begin with the problem.
        await showing(name === "three.sfen" ? "6k2/6G2/5g1Sn/" : three);
        const moves = page.locator("details ol.moves button");
        if (name !== "three.bod") assert.equal(await moves.count(), 4, `${name}: the start and three moves`);
    }
    await paste('[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 *\n');
    await showing("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b");
    // A record is walked in.
    await page.locator("details ol.moves button").nth(1).click();
    await showing("rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b");
    for (const [text, start, question] of [
        ["r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "r1b1kb1r/", /mate/],
        ["OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X", "OOOOO---", /win/],
        ["hex 4 ..../..../..../.... B", "hex 4", /win/],
        ["graph\na or b c\nb and a d\nc and d e\nd win\ne win", "graph", /./],
    ]) {
        await paste(text);
        await showing(start);
        assert.match(await read(".question"), question);
    }
    await close();
});

test("files are opened, in Shift_JIS too, and links lead back", { skip }, async () => {
    const { page, open, showing, shown, close } = await visit(browser, server.url);
    await open();
    await page.locator("input[type=file]").setInputFiles(notation("three.kif"));
    await showing(three);
    // Dropped anywhere, too.
    await page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File(["hex 3 .../.B./... W"], "a.txt"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await showing("hex 3 .../.B./... W");
    await page.getByRole("button", { name: "Undo" }).click();
    await showing(three);
    const text = await shown();
    await page.reload();
    await showing(three);
    assert.equal(await shown(), text);
    await page.getByRole("button", { name: "Flip" }).click();
    const at = async (place) => (await page.locator(`[data-place="${place}"]`).boundingBox()).y;
    assert.ok((await at("1a")) > (await at("1i")));
    await close();
});

test("what is wrong is said, and what was typed stays", { skip }, async () => {
    const { page, open, paste, read, close } = await visit(browser, server.url);
    await open();
    for (const [text, why] of [
        ["8k/4B4/9/6+X1P/9/9/9/9/9 b G 1", /column/],
        ["8k/9/9/9/9/9/P8/P8/9 b - 1", /two unpromoted pawns on file 9/],
        ["nonsense", /no game is recognised/],
        ["x".repeat(1_100_000), /at most/],
    ]) {
        await paste(text);
        await page.locator(".note .bad").waitFor();
        assert.match(await read(".note:has(.bad)"), why);
        assert.equal(await page.locator("textarea").inputValue(), text);
        assert.ok(await page.locator("button.solve").isDisabled());
    }
    await page.locator("header button[lang=ja]").click();
    await paste("8k/9/9/9/9/9/P8/P8/9 b - 1");
    await page.waitForFunction(() => document.querySelector(".note .bad")?.parentElement.textContent.includes("二歩"));
    await close();
});
