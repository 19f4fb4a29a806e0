// Values on the board, analysis, review and the opening explorer.
import { announcement, choose, link, moveCount, square } from "./browser.mjs";
import { check, equal } from "./check.mjs";

export async function studying(browser) {
  await values(browser);
  await analysis(browser);
  await review(browser);
  await explorer(browser);
}

async function values(browser) {
  const page = await browser.visit({ hash: "#1r8=f5d6" });
  await page.click("#values");
  await page.waitForFunction(() => document.querySelectorAll(".square.legal .value:not(:empty)").length === 5);
  const label = await page.locator(".square.best").first().getAttribute("aria-label");
  check("a square tells its value", /^c\d, legal move, value [+−]?[\d.]+, best$/.test(label), label);
  await page.context().close();
}

async function analysis(browser) {
  const page = await browser.visit({ from: "server", hash: "#1r8=f5d6c5f4e3c6" });
  await choose(page, "players", "both");
  await page.click("#tab-analysis");
  await page.selectOption("#line-count", "3");
  // The longest pause between two frames while the engine searches.
  await page.evaluate(() => {
    let last = performance.now();
    window.longestFrame = 0;
    requestAnimationFrame(function frame(now) {
      window.longestFrame = Math.max(window.longestFrame, now - last);
      last = now;
      requestAnimationFrame(frame);
    });
  });
  await page.waitForFunction(() => Number(document.getElementById("search-facts").textContent.match(/Depth (\d+)/)?.[1]) >= 12);
  await page.waitForFunction(() => /million\/s/.test(document.getElementById("search-facts").textContent));
  equal("three lines", await page.locator("#lines tbody tr").count(), 3);
  console.log(`analysis in the browser: ${await page.textContent("#search-facts")}; the longest frame ${Math.round(await page.evaluate(() => window.longestFrame))} ms`);
  await page.locator("#lines tbody button").nth(1).focus();
  const focused = () => page.evaluate(() => document.activeElement.dataset.move);
  const depth = await page.textContent("#search-facts");
  const before = await focused();
  await page.waitForFunction((old) => document.getElementById("search-facts").textContent !== old, depth);
  check("the focus stays while lines change", typeof before === "string" && (await focused()) !== undefined, `${before} ${await focused()}`);
  const first = await page.locator("#lines tbody button").first().textContent();
  await page.locator("#lines tbody button").first().click();
  equal("a line's move can be played", (await link(page)).slice(-2), first);
  await page.waitForFunction(() => document.querySelectorAll("#lines tbody tr").length === 3);
  await page.waitForSelector("svg.curve");
  await page.click("#analyse");
  // A small board is solved.
  await page.evaluate(() => { location.hash = "#1r4="; });
  await page.click("#tab-analysis");
  await page.waitForFunction(() => document.getElementById("search-facts").textContent.startsWith("Solved"));
  await page.context().close();
}

async function review(browser) {
  const page = await browser.visit({ hash: "#1r4=" });
  await choose(page, "players", "both");
  for (let moves = 0; moves < 3; moves += 1) await page.locator(".square.legal").first().click();
  await page.click("#tab-analysis");
  await page.click("#review");
  await page.waitForFunction(() => document.querySelectorAll("svg.curve .dot").length === 4);
  const spoken = await page.locator("svg.curve").getAttribute("aria-label");
  check("the curve can be heard", /After move 3:/.test(spoken), spoken);
  await page.waitForSelector("#judged table");
  check("the move is judged", /(is the best move|loses)/.test(await page.textContent("#judged")), await page.textContent("#judged"));
  equal("both players are summed up", await page.locator("#judged tbody tr").count(), 5);
  await page.locator(".square.legal").first().click();
  equal("a review is of one game only", await page.locator("#judged tbody tr").count(), 0);
  await page.context().close();
}

async function explorer(browser) {
  const page = await browser.visit();
  await page.click("#tab-openings");
  const heading = () => page.textContent(".opening-name");
  equal("the start", await heading(), "Start position");
  equal("symmetric moves are one opening", await page.locator(".book tbody tr").count(), 1);
  equal("four ways to begin it", await page.locator(".book tbody tr button").count(), 4);
  await square(page, "c4").click();
  const names = await page.locator(".book .name").allTextContents();
  equal("the three openings", names.sort().join(", "), "Diagonal, Parallel, Perpendicular");
  await page.locator(".book tbody tr", { hasText: "Perpendicular" }).locator("button").first().click();
  equal("the engine does not play here", await moveCount(page), 2);
  equal("walking on gives the name", await heading(), "Perpendicular");
  check("what good play makes of it", /good play by both sides leaves (Black|White) ahead by [\d.]+/.test(await page.textContent("#openings")));
  check("values stand on the board", (await page.locator(".square .value:not(:empty)").count()) >= 3);
  // To the end of the book.
  for (let plies = 0; plies < 12 && (await page.locator(".book button").count()) > 0; plies += 1) {
    await page.locator(".book button").first().click();
  }
  check("the book ends", (await page.textContent("#openings")).includes("The book ends here."));
  await page.keyboard.press("Control+z");
  check("and can be walked back", (await page.locator(".book button").count()) > 0);
  await page.click("#tab-game");
  await choose(page, "size", 6);
  await page.click("#tab-openings");
  check("no book for small boards", (await page.textContent("#openings")).includes("8×8 board only"));
  check("announced as usual", (await announcement(page)).length > 0);
  await page.context().close();
}
