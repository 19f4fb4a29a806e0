// Pictures of the page, to look at, and for docs/images: desktop, phone, dark, and what a first visit shows. For documents
// build the page without --quick, since one of them tells the speed.
import { choose } from "./browser.mjs";

const GAME = "#1r8=f5d6c5f4e3c6d3b4e6f3c4f6b5e2a4d2d7b3c7a5a6a3a2b7b6a7c8d8b8e7";
const VIEWS = {
  web: { tab: "analysis", viewport: { width: 1240, height: 1130 }, deviceScaleFactor: 0.75 },
  "web-phone": { tab: "game", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1 },
  "web-openings": { tab: "openings", hash: "#1r8=f5d6", colorScheme: "dark", deviceScaleFactor: 0.75 },
  "web-rules": { tab: "game", hash: "", deviceScaleFactor: 0.75 },
};

export async function screenshots(browser, folder) {
  for (const [name, { tab, ...options }] of Object.entries(VIEWS)) {
    const page = await browser.visit({ hash: GAME, ...options });
    const isFirst = options.hash === "";
    if (!isFirst) await page.evaluate(() => { document.getElementById("rules").open = false; });
    await choose(page, "players", isFirst ? "black" : "both");
    await page.click(`#tab-${tab}`);
    if (tab === "analysis") {
      await page.click("#review");
      await page.waitForFunction(() => !/Reviewing/.test(document.getElementById("search-facts").textContent));
      await page.locator("#moves .move").nth(23).click();
      await page.click("#values");
      // The first seconds of a search are slow: the browser is still compiling.
      await page.waitForFunction(() => {
        const facts = document.getElementById("search-facts").textContent;
        return /Solved/.test(facts) || Number(facts.match(/([\d,]+) node/)?.[1].replaceAll(",", "")) >= 8e6;
      });
    }
    await page.waitForTimeout(600);
    await page.mouse.move(0, 0);
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.context().close();
  }
}
