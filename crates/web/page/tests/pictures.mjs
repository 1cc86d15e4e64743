/**
 * Pictures of every view: wide in English, on a phone in Japanese, and some the other way round.
 * `node tests/pictures.mjs FOLDER`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { small } from "./png.mjs";
import { launch, own, serve, skip, visit } from "./support.mjs";

const folder = process.argv[2];
if (!folder || skip) {
    console.error(skip ? `pictures: ${skip}` : "pictures: say into which folder");
    process.exit(2);
}
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await launch();
const node = (depth, by, probability, value, searched, worker) => ({ depth, by, probability, value, searched, worker });
const tree = {
    version: 1,
    master: "master-13617",
    moves: ["e2e4", "e7e5"],
    workers: 4,
    idle: 0,
    nodes: 3_575_355,
    utility: 0.41,
    tree: [
        node(0, "", 1, "+0.13", 17, 2),
        node(1, "g1f3", 0.383, "-0.11", 16, 0),
        node(2, "b8c6", 0.147, "+0.12", 15, 3),
        node(1, "b1c3", 0.177, "-0.12", 16, 1),
    ],
};
const problem = own.find(({ name }) => name === "own-011-001") ?? own[200];
for (const [width, size] of [
    ["phone", { width: 375, height: 1000 }],
    ["wide", { width: 1200, height: 820 }],
]) {
    for (const locale of ["en", "ja"]) {
        // The usual ones are in light colours.
        const colorScheme = (width === "wide") === (locale === "en") ? "light" : "dark";
        const { context, page, open, tab, paste, showing, solve } = await visit(browser, server.url, { locale, colorScheme, phone: width === "phone", viewport: size });
        const isUsual = (width === "wide") === (locale === "en");
        const shot = async (name) => {
            if (!isUsual && !/proof|position/.test(name)) return;
            // A phone shows the board first; what is told comes below it.
            await page.evaluate((isPhone) => {
                if (isPhone && !document.querySelector("#tab-position[aria-selected=true]")) document.querySelector(".under")?.scrollIntoView();
                else scrollTo(0, 0);
            }, width === "phone" && !/proof|search|answer/.test(name));
            const file = `page-${name}-${width}-${locale}.png`;
            writeFileSync(join(folder, file), small(await page.screenshot()));
            console.log(join(folder, file));
        };
        await open();
        await paste(problem.text);
        await showing(problem.text.slice(0, 20));
        await page.locator("textarea").fill("");
        await page.locator("details summary").last().click();
        await page.locator("ul.problems button").first().waitFor();
        await shot("position");
        await solve();
        await page.locator(".verdict").waitFor();
        await page.keyboard.press("ArrowRight");
        await page.locator(".cell.last").first().waitFor();
        await shot("answer");
        await page.locator(".certificate button").first().click();
        await page.locator(".here.theirs").waitFor();
        await page.locator(".row button").nth(1).click();
        await page.locator(".here.yours").waitFor();
        await page.locator("details.tree summary").click();
        await page.locator("[role=treeitem] .fold").nth(1).click();
        await page.locator("[role=treeitem]").nth(2).waitFor();
        await shot("proof");
        if (!isUsual) {
            await context.close();
            continue;
        }
        await tab("compose");
        await page.locator(".view button").first().click();
        await page.locator(".verdict").waitFor();
        await shot("compose");
        await tab("compare");
        await paste(`${"-".repeat(27)}OX------XO${"-".repeat(27)} X`);
        await showing("-----");
        await tab("compare");
        await page.locator(".view input[type=number]").last().fill("3");
        await page.locator(".view button").first().click();
        await page.waitForTimeout(4000);
        await shot("compare");
        await tab("search");
        await page.locator("select").first().selectOption("dfpn-plain");
        await paste("hex 7 ......./......./......./......./......./......./....... B");
        await showing("hex 7");
        await solve();
        await page.waitForTimeout(4000);
        await page.locator("dl").waitFor();
        await shot("search");
        // Made up, for a picture: a master with four engines, two moves into a game.
        await page.routeWebSocket(/\/cluster$/, (socket) => {
            socket.send(JSON.stringify(tree));
            setTimeout(() => socket.send(JSON.stringify({ ...tree, nodes: tree.nodes + 900_000 })), 500);
        });
        await page.goto("about:blank");
        await page.goto(`${server.url}#cluster`);
        await page.locator(".view tbody tr").first().waitFor();
        await page.waitForTimeout(1000);
        await shot("cluster");
        await context.close();
    }
}
await browser.close();
await server.close();
