// Games: by clicks, by keyboard alone, on all boards, with undo and redo.
import { announcement, choose, link, moveCount, notice, setStrength, square, status, waitForTurn } from "./browser.mjs";
import { check, equal } from "./check.mjs";

export async function playing(browser) {
  for (const from of ["file", "server"]) await wholeGame(browser, from);
  await keyboardGame(browser);
  await boardsAndRules(browser);
  await undoAndRedo(browser);
  await twoPeople(browser);
  await engineFails(browser);
  await engineNeverStarts(browser);
  await strangeSettings(browser);
  await slices(browser);
}

export async function coldStart(browser) {
  const page = await browser.visit();
  const ready = await page.getAttribute("html", "data-ready");
  equal("the goal is told at once", await page.textContent("#goal"), "Fewest discs win.");
  equal("you are Black", await status(page), "Your move: you are Black.");
  const began = performance.now();
  await square(page, "f5").click();
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 2);
  console.log(`cold start: the first move can be made after ${ready} ms, and is answered ${Math.round(performance.now() - began)} ms later`);
  check("moves are announced", /^White plays [a-h][1-8] and turns 1 disc\. Your move: you are Black\.$/.test(await announcement(page)), await announcement(page));
  await page.context().close();
}

/// Clicks the first legal square until the game is over.
async function clickThrough(page) {
  while (!(await waitForTurn(page))) await page.locator(".square.legal").first().click();
}

async function wholeGame(browser, from) {
  const page = await browser.visit({ from });
  await setStrength(page, 0);
  if (from === "server") await choose(page, "size", 6);
  await clickThrough(page);
  const [black, white] = await Promise.all(["black", "white"].map(async (side) => Number(await page.textContent(`#player-${side} .count`))));
  const winner = black === white ? "draw" : black < white ? "You win!" : "The engine wins.";
  check(`a whole game from the ${from}`, (await status(page)).includes(winner), `${black} to ${white}: ${await status(page)}`);
  check(`it has all its moves (${from})`, (await moveCount(page)) >= 20, String(await moveCount(page)));
  // A reload shows it again.
  const before = await link(page);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  equal(`a reload keeps the game (${from})`, await link(page), before);
  check(`and its end (${from})`, (await status(page)).includes(winner));
  await page.context().close();
}

/// A whole game without a pointer: from the top of the page by Tab, arrows and Enter.
async function keyboardGame(browser) {
  const page = await browser.visit({ from: "server" });
  const focused = () => page.evaluate(() => document.activeElement.dataset.square ?? document.activeElement.id ?? "");
  const tabTo = async (wanted) => {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await page.evaluate((css) => document.activeElement.matches(css), wanted)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not come to ${wanted}`);
  };
  await tabTo('input[name="size"]');
  await page.keyboard.press("ArrowRight");
  await tabTo("#strength");
  await page.keyboard.press("Home");
  await page.evaluate(() => document.activeElement.blur());
  await tabTo(".skip");
  await page.keyboard.press("Enter");
  await tabTo(".square");
  while (!(await waitForTurn(page))) {
    const target = await page.locator(".square.legal").first().getAttribute("data-square");
    for (let [column, row] = await focused(); column !== target[0] || row !== target[1]; [column, row] = await focused()) {
      const sideways = column === target[0] ? null : column < target[0] ? "ArrowRight" : "ArrowLeft";
      await page.keyboard.press(sideways ?? (row < target[1] ? "ArrowDown" : "ArrowUp"));
    }
    await page.keyboard.press("Enter");
  }
  equal("the game by keyboard was on the small board", (await link(page)).slice(0, 5), "#1r6=");
  check("a whole game by keyboard alone", /win/.test(await announcement(page)) || /draw/.test(await announcement(page)), await announcement(page));
  await page.keyboard.press("u");
  check("U undoes", /^Move \d+ of \d+\. /.test(await announcement(page)), await announcement(page));
  await page.keyboard.press("r");
  await page.keyboard.press("n");
  equal("N begins a new game", await moveCount(page), 0);
  equal("and that is announced", await notice(page), "A new game has begun.");
  await page.context().close();
}

async function boardsAndRules(browser) {
  const page = await browser.visit();
  await setStrength(page, 0);
  for (const rules of ["standard", "reversed"]) {
    await choose(page, "rules", rules);
    equal(`the goal of ${rules}`, await page.textContent("#goal"), rules === "standard" ? "Most discs win." : "Fewest discs win.");
    for (const size of [4, 6, 8]) {
      await choose(page, "size", size);
      equal(`squares of ${size}×${size}`, await page.locator(".square").count(), size * size);
      equal("four first moves", await page.locator(".square.legal").count(), 4);
    }
  }
  await choose(page, "size", 4);
  await choose(page, "players", "white");
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length >= 1);
  await clickThrough(page);
  check("a game as White", /White wins|Black wins|A draw/.test(await status(page)), await status(page));
  await choose(page, "players", "none");
  await page.click("#new");
  await page.waitForFunction(() => /wins:|draw:/.test(document.getElementById("status").textContent));
  check("the engine plays itself", (await moveCount(page)) >= 8);
  await page.context().close();
}

async function undoAndRedo(browser) {
  const page = await browser.visit();
  await setStrength(page, 0);
  for (let turns = 0; turns < 3; turns += 1) {
    await waitForTurn(page);
    await page.locator(".square.legal").first().click();
  }
  await waitForTurn(page);
  const before = await link(page);
  await page.click("#undo");
  equal("undo takes back both moves", await status(page), "Your move: you are Black. Move 4 of 6.");
  await page.keyboard.press("Control+z");
  equal("Ctrl+Z goes on", await status(page), "Your move: you are Black. Move 2 of 6.");
  await page.keyboard.press("Control+y");
  await page.click("#redo");
  equal("redo brings the game back", await status(page), "Your move: you are Black.");
  equal("nothing is lost", await link(page), before);
  await page.locator("#moves .move").nth(2).click();
  equal("the engine waits where it is to move", await status(page), "White to move. Move 3 of 6.");
  await page.click("#resume");
  equal("moves that it drops", await notice(page), "The 3 moves that followed are dropped.");
  await waitForTurn(page);
  equal("and plays on when asked", await moveCount(page), 4);
  // A new game can be taken back as well.
  const other = await link(page);
  for (let games = 0; games < 2; games += 1) {
    await page.click("#new");
    await page.click("#bring-back");
    equal("the game before comes back", await link(page), other);
  }
  // Also when others follow, on other boards.
  await page.click("#new");
  await page.click("#new");
  for (const size of [6, 4]) await choose(page, "size", size);
  await page.click("#bring-back");
  equal("from other boards too", await link(page), other);
  await page.context().close();
}

async function twoPeople(browser) {
  const page = await browser.visit();
  await choose(page, "players", "both");
  for (const move of ["f5", "d6", "c3"]) await square(page, move).click();
  equal("two people play by turns", await link(page), "#1r8=f5d6c3");
  equal("whose turn it is", await status(page), "White to move.");
  await square(page, "a1").click({ force: true });
  equal("an illegal square does nothing", await link(page), "#1r8=f5d6c3");
  for (let moves = 0; moves < 3; moves += 1) await page.click("#undo");
  await square(page, "d3").click();
  equal("moves that are dropped", await notice(page), "The 3 moves that followed are dropped.");
  await page.click("#bring-back");
  equal("can be brought back", await link(page), "#1r8=f5d6c3");
  await page.context().close();
}

/// A worker that dies is replaced, and nothing is lost.
async function engineFails(browser) {
  const page = await browser.visit({
    script: () => {
      const RealWorker = Worker;
      let failed = false;
      window.Worker = class extends RealWorker {
        isReady = new Promise((resolve) => {
          this.addEventListener("message", ({ data }) => { if (data.ready) setTimeout(resolve); });
        });

        postMessage(message) {
          const fails = message.job && !failed;
          failed ||= fails;
          if (fails) this.isReady.then(() => this.onmessage({ data: { error: "out of order." } }));
          else super.postMessage(message);
        }
      };
    },
  });
  await square(page, "f5").click();
  await page.waitForSelector("#notice", { state: "visible" });
  equal("the failure is told", await notice(page), "The engine has stopped: out of order. It has been started again.");
  await page.click("#resume");
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 2);
  equal("and the game goes on", (await link(page)).slice(0, 7), "#1r8=f5");
  await page.context().close();
}

/// A worker that cannot start says so, and is tried again when somebody asks for its work, but not by itself.
async function engineNeverStarts(browser) {
  const page = await browser.visit({
    script: () => {
      const RealBlob = Blob;
      const RealWorker = Worker;
      window.workers = 0;
      window.Worker = class extends RealWorker {
        constructor(...settings) {
          super(...settings);
          window.workers += 1;
        }
      };
      window.Blob = function Blob(parts, options) {
        return new RealBlob(['WebAssembly.instantiate = async () => { throw new Error("no memory."); };\n', ...parts], options);
      };
    },
  });
  await page.waitForSelector("#notice", { state: "visible" });
  const problem = await notice(page);
  check("an engine that cannot start is told", problem.startsWith("The engine cannot be started: no memory."), problem);
  await square(page, "f5").click();
  await page.waitForSelector("#resume", { state: "visible" });
  equal("one more try, for a move", await page.evaluate(() => window.workers), 2);
  equal("nobody thinks", await status(page), "White to move.");
  await choose(page, "players", "both");
  await square(page, "d6").click();
  equal("two people can play", await link(page), "#1r8=f5d6");
  equal("no more tries", await page.evaluate(() => window.workers), 2);
  await page.context().close();
}

/// What another program or another version has stored keeps nobody from playing.
async function strangeSettings(browser) {
  const stored = {
    players: "nobody", rules: 5, size: 10, theme: "pink", lines: 7, values: "yes", strength: 1e9, visited: null,
  };
  for (const settings of [JSON.stringify(stored), "null", "7", "{", '{"players":"white","size":6}']) {
    const page = await browser.visit({ script: `localStorage.setItem("ollehto", ${JSON.stringify(settings)})` });
    const wanted = settings.includes('"white"') ? ["white", 36] : ["black", 64];
    const chosen = await page.locator('input[name="players"]:checked').getAttribute("value");
    equal(`settings ${settings}`, [chosen, await page.locator(".square").count()], wanted);
    equal("the strength is one of the list", /Elo/.test(await page.textContent("#strength-name")), true);
    await page.context().close();
  }
}

/// A browser that cannot pause WebAssembly searches in slices.
async function slices(browser) {
  const page = await browser.visit({
    script: () => {
      const RealBlob = Blob;
      window.Blob = function Blob(parts, options) {
        return new RealBlob(["delete WebAssembly.Suspending;\n", ...parts], options);
      };
    },
  });
  await page.locator("#strength").press("End");
  equal("the last step is full strength", await page.textContent("#strength-name"), "Full strength");
  await page.click("#tab-analysis");
  await page.waitForFunction(() => Number(document.getElementById("search-facts").textContent.match(/Depth (\d+)/)?.[1]) >= 14);
  await square(page, "f5").click();
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 2);
  check("slices stop for a move", (await moveCount(page)) === 2);
  await page.context().close();
}
