/** Pictures of every view in both widths, languages and schemes: `node tests/shots.mjs FOLDER`. */
import { mkdirSync } from "node:fs";
import { mock } from "./mock.mjs";
import { launch, serve } from "./support.mjs";

const folder = process.argv[2];
if (!folder) {
    console.error("shots: say into which folder");
    process.exit(2);
}
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await launch();
const tab = (page, k) => page.locator("[role=tab]").nth(k).click();
for (const [width, height] of [
    [375, 812],
    [1280, 860],
]) {
    for (const language of ["en", "ja"]) {
        for (const scheme of ["light", "dark"]) {
            const context = await browser.newContext({ viewport: { width, height }, locale: language, colorScheme: scheme, serviceWorkers: "block" });
            const page = await context.newPage();
            await page.routeWebSocket(/\/engine$/, (ws) => mock(ws, { hold: !page.answers }));
            const shot = (name) => page.screenshot({ path: `${folder}/${name}-${width}-${language}-${scheme}.png`, fullPage: true });
            await page.goto(server.url);
            await page.locator(".question").waitFor();
            await page.locator("details summary").last().click();
            await shot("position");
            await page.locator("details summary").last().click();
            await page.locator("button[aria-pressed]", { hasText: "✎" }).click();
            await page.locator("[data-place='box:K']").click();
            await shot("edit");
            await page.locator("button[aria-pressed]", { hasText: "✎" }).click();
            if (language === "en") {
                for (const game of ["chess", "othello", "hex"]) {
                    await page.locator("select").first().selectOption(game);
                    await page.locator(".question").waitFor();
                    await shot(game);
                }
                await page.locator("button[aria-pressed]", { hasText: "⇅" }).click();
                await shot("hex-flipped");
                await page.locator("button[aria-pressed]", { hasText: "⇅" }).click();
                await page.locator("select").first().selectOption("shogi");
                await page.locator(".question").waitFor();
            }
            await page.locator("button.solve").click();
            await page.locator("dl").waitFor();
            await page.waitForTimeout(1200);
            await shot("search");
            await page.locator("button", { hasText: "⏹" }).click();
            page.answers = true;
            await page.reload();
            await page.locator(".question").waitFor();
            await page.locator("button.solve").click();
            await page.locator(".verdict").waitFor();
            await page.keyboard.press("ArrowRight");
            await page.waitForTimeout(200);
            await shot("answer");
            await page.locator(".certificate button").first().click();
            await page.locator(".here").waitFor();
            await page.locator("button", { hasText: /Play \+Rx3a|３一龍 と指す/ }).click();
            await page.locator("details summary").last().click();
            await page.waitForTimeout(300);
            await page.locator("[role=treeitem] .fold").nth(1).click();
            await page.waitForTimeout(200);
            await shot("proof");
            await page.locator("button", { hasText: /To the start|最初へ/ }).click();
            await page.locator(".unknown").first().click();
            await page.locator(".outside").waitFor();
            await shot("outside");
            await tab(page, 0);
            await context.close();
        }
    }
}
await browser.close();
await server.close();
