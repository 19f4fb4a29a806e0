// Games from texts, files and links, good and bad.
import { link, moveCount, notice, square, status } from "./browser.mjs";
import { check, equal } from "./check.mjs";

const GGF = "(;GM[Othello]PC[]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3];)";

export async function loading(browser) {
  const page = await browser.visit();
  await square(page, "f5").click();
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 2);
  await goodTexts(page);
  await badTexts(page);
  await files(page);
  await links(page);
  await page.context().close();
}

/// Pastes a text and presses Load. Returns the problem told, or null if the dialog closed.
async function paste(page, text) {
  await page.click("#tab-game");
  await page.click("#load");
  // As a paste does: typing ten million characters would take the test's time, not the page's.
  await page.evaluate((value) => { document.getElementById("load-text").value = value; }, text);
  await page.click("#load-do");
  if (!(await page.locator("#load-dialog").isVisible())) return null;
  const problem = await page.textContent("#load-problem");
  await page.keyboard.press("Escape");
  return problem;
}

async function goodTexts(page) {
  const texts = {
    f5d6c3d3c4: "#1r8=f5d6c3d3c4",
    "1. F5 d6 2. C3 d3": "#1r8=f5d6c3d3",
    "f5-d6-c3": "#1r8=f5d6c3",
    [GGF]: "#1s8=f5d6c3",
    "somewhere/ollehto.html#1r8=f5f6": "#1r8=f5f6",
    "-------------------------------OX------XO---------------------------X X": null,
    "-----OX--XO----- X": "#1r4=",
    "X--------------O X": "#1r4@X______________OX=",
  };
  for (const [text, wanted] of Object.entries(texts)) {
    const problem = await paste(page, text);
    if (wanted === null) check("a board with too many squares", /squares|cannot be read/.test(problem ?? ""), String(problem));
    else equal(`pasted ${text.slice(0, 24)}`, problem ?? (await link(page)), wanted);
  }
}

async function badTexts(page) {
  equal("a game to keep", await paste(page, "f5d6c3d3c4"), null);
  equal("an illegal move is named", (await paste(page, "f5d6c3a1d3")) ?? (await notice(page)), "Move 4, a1, is not legal. 3 moves before it are loaded.");
  check("and the moves before it are there", (await link(page)).endsWith("8=f5d6c3"), await link(page));
  await page.click("#copy-link");
  await page.waitForFunction(() => /link|copy/.test(document.getElementById("notice-text").textContent));
  await page.click("#bring-back");
  check("the game before comes back, after another notice too", (await link(page)).endsWith("8=f5d6c3d3c4"), await link(page));
  equal("and the page says so", await notice(page), "The game before is back.");
  equal("a good text is told", (await paste(page, GGF)) ?? (await notice(page)), "3 moves are loaded.");
  check("with a way back", await page.isVisible("#bring-back"));
  equal("a word that is no move is named", (await paste(page, "f5d6 hello c3")) ?? (await notice(page)), "“hello” at character 6 cannot be read. 2 moves before it are loaded.");
  check("a truncated record", ((await paste(page, GGF.slice(0, -4))) ?? (await notice(page))).startsWith("The record ends in the middle."), await notice(page));
  check("several records", ((await paste(page, GGF + GGF)) ?? (await notice(page))).startsWith("The text holds 2 games"), await notice(page));
  const before = await link(page);
  equal("nothing to load", await paste(page, "  \n "), "There is nothing to load. Paste moves, a GGF record, a position or a link. Your game is unchanged.");
  check("no game at all", (await paste(page, "the quick brown fox")).endsWith("Your game is unchanged."));
  for (const [name, filler] of Object.entries({ letters: "x", moves: "f5", brackets: "(;" })) {
    const problem = await paste(page, filler.repeat(10_000_000 / filler.length));
    equal(`10 MB of ${name}`, problem, "This text has 10,000,000 characters; no game is longer than 1,000,000. Your game is unchanged.");
    check(`just below the limit, ${name}`, typeof ((await paste(page, filler.repeat(999_990 / filler.length))) ?? (await notice(page))) === "string");
  }
  await paste(page, GGF);
  equal("the game is unchanged", await link(page), before);
}

async function files(page) {
  await page.click("#load");
  await page.setInputFiles("#load-file", { name: "game.ggf", mimeType: "text/plain", buffer: Buffer.from(GGF.replace("C3", "E3")) });
  await page.waitForFunction(() => !document.getElementById("load-dialog").open);
  check("a file names its illegal move", (await notice(page)).startsWith("Move 3, e3, is not legal."), await notice(page));
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-ggf")]);
  equal("a game is saved", download.suggestedFilename(), "game.ggf");
}

async function links(page) {
  const follow = async (hash) => {
    await page.evaluate((to) => { location.hash = to; }, hash);
    await page.waitForFunction((to) => location.hash !== to || document.getElementById("notice").hidden === false || to === location.hash, hash);
  };
  await follow("#1r6=");
  equal("a link with another board", await page.locator(".square").count(), 36);
  await follow("#1r8=f5d6zz");
  equal("an edited link keeps what can be played", await moveCount(page), 2);
  check("and says so", (await notice(page)).includes("“zz” at character 5 cannot be read."), await notice(page));
  check("with a way back to the game before", await page.isVisible("#bring-back"));
  const before = await status(page);
  await follow("#1s8=hello");
  check("a link without a legal move", (await notice(page)).endsWith("Your game is unchanged."), await notice(page));
  await follow("#9q3=f5");
  check("a damaged link", (await notice(page)).includes("damaged"), await notice(page));
  equal("changes nothing", await status(page), before);
  await follow(`#1r8=f5${"%3Cimg src=x onerror=alert(1)%3E"}`);
  check("a hostile link is only text", (await page.locator("#notice img").count()) === 0);
  await page.evaluate(() => { location.hash = "#1r8=%"; });
}
