/** Every game is played by hand, by mouse and by touch, on the static page and on the served one. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { endAll, finger, hands, launch, middle, scrolled, serve, skip, skipServed, startServer, visit } from "./support.mjs";

let browser;
const servers = {};
before(async () => {
    if (skip) return;
    servers.static = await serve();
    if (!skipServed) servers.served = await startServer("--port", "0");
    browser = await launch();
});
after(async () => {
    endAll();
    await browser?.close();
    await servers.static?.close();
});

/**
 * What is played, from where to where, and what stands where after it, as the board reads it out. `choose`: the
 * button to press where one gesture may mean more than one move. Without `to` a place is touched, no piece is moved.
 */
const games = {
    // En passant, castling by both sides to both sides, a capture, a promotion to what is no queen.
    chess: {
        text: "r3k3/6PP/8/3pP3/8/8/8/4K2R w Kq d6 0 1",
        moves: [
            { from: "e5", to: "d6", stands: { d6: "pawn White", d5: "vacant", e5: "vacant" } },
            { from: "e8", to: "c8", stands: { c8: "king Black", d8: "rook Black", a8: "vacant", e8: "vacant" } },
            { from: "e1", to: "g1", stands: { g1: "king White", f1: "rook White", h1: "vacant", e1: "vacant" } },
            { from: "d8", to: "d6", stands: { d6: "rook Black", d8: "vacant" } },
            { from: "h7", to: "h8", choose: "h8=N", stands: { h8: "knight White", h7: "vacant" } },
        ],
        illegal: ["c8", "c6"],
        end: "2k4N/6P1/3r4/8/8/8/8/5RK1 b - - 0 3",
    },
    // A promotion that may be left, a capture, a drop.
    shogi: {
        text: "8k/9/6S2/9/9/9/9/9/9 b G2r2b3g3s4n4l18p 1",
        moves: [
            { from: "3c", to: "2b", choose: "S-2b+", stands: { "2b": "promoted silver Black", "3c": "vacant" } },
            { from: "1a", to: "2b", stands: { "2b": "king White", "1a": "vacant" } },
            { from: "hand:first:G", to: "2c", stands: { "2c": "gold Black" } },
        ],
        illegal: ["2b", "2d"],
        end: "9/7k1/7G1/9/9/9/9/9/9 w 2r2b3g4s4n4l18p 1",
    },
    othello: {
        text: `${"-".repeat(27)}OX------XO${"-".repeat(27)} X`,
        moves: [
            { from: "d3", stands: { d3: "black disc", d4: "black disc" } },
            { from: "c5", stands: { c5: "white disc", d5: "white disc" } },
        ],
        end: `${"-".repeat(19)}X${"-".repeat(7)}XX-----OOO${"-".repeat(27)} X`,
    },
    hex: {
        text: "hex 4 ..../..../..../.... B",
        moves: [
            { from: "b2", stands: { b2: "black stone" } },
            { from: "c3", stands: { c3: "white stone" } },
        ],
        end: "hex 4 ..../.B../..W./.... B",
    },
};

/** Plays a game, and looks at the board after each move. */
async function play({ page, place, paste, showing, shown }, hand, { text, moves, illegal, end }) {
    const label = (square) => place(square).getAttribute("aria-label");
    const marked = () => page.locator(".cell.last").evaluateAll((cells) => cells.map((cell) => cell.dataset.place).sort());
    await paste(text);
    await showing(text.slice(0, 20));
    for (const { from, to, choose, stands } of moves) {
        await page.locator(to === undefined ? ".board" : ".grab").first().waitFor();
        const before = await shown();
        await (to === undefined ? hand.touch(from) : hand.carry(from, to));
        if (choose !== undefined) {
            assert.ok((await page.locator(".choices button").count()) > 2, "the promotions and a way back");
            await hand.press(page.locator(".choices button", { hasText: choose }));
        }
        await page.waitForFunction((was) => new URLSearchParams(location.hash.slice(1)).get("position") !== was, before);
        for (const [square, piece] of Object.entries(stands)) assert.equal(await label(square), `${square} ${piece}`);
        const touched = [from, to].filter((square) => square !== undefined && !square.includes(":"));
        assert.deepEqual(await marked(), touched.sort(), "the last move is marked");
        assert.equal(await page.locator(".cell.selected, .held.selected, .choices").count(), 0);
    }
    assert.equal((await shown()).replace(/ goal \S+$/, ""), end);
    if (illegal) {
        await page.waitForTimeout(100);
        await hand.carry(...illegal);
        await page.waitForTimeout(100);
        assert.equal((await shown()).replace(/ goal \S+$/, ""), end, "what is not legal is not played");
    }
}

/** A graph has no board: its moves are buttons. */
async function playGraph({ page, paste, showing, shown }, hand) {
    await paste("graph\na or b c\nb and a d\nc and d e\nd win\ne win");
    await showing("graph");
    for (const move of ["c", "e"]) {
        const before = await shown();
        await hand.press(page.locator("#board .moves button", { hasText: move }));
        await page.waitForFunction((was) => new URLSearchParams(location.hash.slice(1)).get("position") !== was, before);
    }
    assert.match(await shown(), /\nroot e\n/);
}

for (const where of ["static", "served"]) {
    const missing = where === "served" ? skipServed : skip;
    for (const [how, { phone, at }] of Object.entries(hands)) {
        test(`${where}, ${how}: every game is played by hand`, { skip: missing }, async () => {
            const visitor = await visit(browser, servers[where].url, { phone });
            await visitor.open();
            const hand = await at(visitor);
            for (const game of Object.values(games)) await play(visitor, hand, game);
            await playGraph(visitor, hand);
            await visitor.close();
        });
    }

    test(`${where}: a search of chess draws its line, and its proof is played against on the board`, { skip: missing }, async () => {
        const visitor = await visit(browser, servers[where].url);
        const { page, open, tab, read, paste, showing, solve, place, close } = visitor;
        await open();
        // It takes longer than the test.
        await paste("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        await showing("rnbqkbnr/pppppppp/8");
        await solve();
        await page.locator("#board .arrow path").first().waitFor();
        assert.match(await read(".line"), /^([KQRBN]?[a-h1-8x]*[a-h][1-8](=[QRBN])?[+#]?|O-O(-O)?)\b/);
        await page.getByRole("button", { name: "Stop" }).click();
        await page.getByRole("button", { name: "Start" }).waitFor();
        await paste("k7/8/2K5/8/8/8/8/7R w - - 0 1");
        await showing("k7/8");
        await solve();
        await page.locator(".verdict.proven").waitFor();
        await page.getByRole("button", { name: "Forward" }).click();
        await page.waitForFunction(() => document.querySelectorAll(".cell.last").length === 2);
        await page.locator(".certificate button").first().click();
        await page.locator(".here.theirs").waitFor();
        await page.getByRole("button", { name: /^Play / }).click();
        // The king flees by hand, and the proof answers.
        await page.locator(".here.yours").waitFor();
        await page.locator('.cell.grab[aria-label$="king Black"]').click();
        const { x, y, width, height } = await page.locator(".target").first().boundingBox();
        await page.mouse.click(x + width / 2, y + height / 2);
        await page.waitForFunction(() => document.querySelectorAll(".route li").length === 3);
        assert.equal(await page.locator(".cell.last").count(), 2);
        assert.equal(await place("a8").getAttribute("aria-label"), "a8 vacant");
        await close();
    });
}

test("a finger carries a piece; from anywhere else on the board it scrolls the page", { skip }, async () => {
    const visitor = await visit(browser, servers.static.url, { phone: true });
    const { page, open, paste, showing, shown, place, close } = visitor;
    await open();
    await paste(games.chess.text);
    await showing("r3k3");
    await page.locator(".cell.grab").first().waitFor();
    const { say, drag } = await finger(visitor);
    const before = await shown();

    // An empty square, and a piece that cannot be moved.
    for (const from of ["c2", "e8"]) {
        await page.evaluate(() => scrollTo(0, 0));
        await scrolled(page);
        const start = await middle(place(from));
        await drag(start, { x: start.x, y: start.y - 50 });
        await page.waitForFunction(() => scrollY > 0);
        await scrolled(page);
    }
    await page.evaluate(() => scrollTo(0, 0));
    const rested = await scrolled(page);

    const [start, end] = [await middle(place("h1")), await middle(place("h5"))];
    await say("touchStart", [start]);
    await say("touchMove", [{ x: start.x, y: start.y - 20 }]);
    await say("touchMove", [{ x: end.x, y: end.y }]);
    // It lies under the finger.
    const { x, y, width, height } = await page.locator(".lifted").boundingBox();
    assert.ok(Math.abs(x + width / 2 - end.x) < 5 && Math.abs(y + height / 2 - end.y) < 10);
    // A second finger puts it down again.
    await say("touchStart", [end, { x: 40, y: end.y }]);
    await page.waitForFunction(() => !document.querySelector(".lifted, .cell.selected"));
    await say("touchEnd", []);
    assert.equal(await shown(), before);

    await drag(start, end);
    await page.waitForFunction((was) => new URLSearchParams(location.hash.slice(1)).get("position") !== was, before);
    assert.equal(await place("h5").getAttribute("aria-label"), "h5 rook White");
    assert.equal(await scrolled(page), rested);
    await close();
});
