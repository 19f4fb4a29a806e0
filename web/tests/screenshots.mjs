// Pictures of the page, to look at: desktop, phone, dark.
import { choose } from "./browser.mjs";

const GAME = "#1r8=f5d6c5f4e3c6d3b4e6f3c4f6b5e2a4d2d7b3c7a5a6a3a2b7b6a7c8d8b8e7";
const VIEWS = {
  desktop: { tab: "analysis", viewport: { width: 1240, height: 1130 }, deviceScaleFactor: 0.75 },
  phone: { tab: "game", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  dark: { tab: "openings", hash: "#1r8=f5d6", colorScheme: "dark" },
  first: { tab: "game", hash: "" },
};

export async function screenshots(browser, folder) {
  for (const [name, { tab, ...options }] of Object.entries(VIEWS)) {
    const page = await browser.visit({ hash: GAME, ...options });
    if (name !== "first") await page.evaluate(() => { document.getElementById("rules").open = false; });
    await choose(page, "players", name === "first" ? "black" : "both");
    await page.click(`#tab-${tab}`);
    if (tab === "analysis") {
      await page.click("#review");
      await page.waitForFunction(() => !/Reviewing/.test(document.getElementById("search-facts").textContent));
      await page.locator("#moves .move").nth(23).click();
      await page.click("#values");
      await page.waitForFunction(() => Number(document.getElementById("search-facts").textContent.match(/Depth (\d+)/)?.[1]) >= 14 || /Solved/.test(document.getElementById("search-facts").textContent));
    }
    await page.waitForTimeout(600);
    await page.mouse.move(0, 0);
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: name === "phone" });
    await page.context().close();
  }
}
