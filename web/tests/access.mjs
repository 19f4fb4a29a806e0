// What Lighthouse would look for: names, contrast, phones, themes, motion.
import { announcement, choose, link, notice, square, status } from "./browser.mjs";
import { check, equal } from "./check.mjs";

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
/// WCAG's level AA for text.
const LEAST_CONTRAST = 4.5;

export async function access(browser) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.visit({ colorScheme, hash: "#1r8=f5d6c3d3c4" });
    const inspect = async (part) => {
      const poor = await page.evaluate(poorContrasts, LEAST_CONTRAST);
      check(`contrast of ${part}, ${colorScheme}`, poor.length === 0, poor.join("; "));
      const nameless = await page.evaluate(namelessControls);
      check(`names of all controls of ${part}`, nameless.length === 0, nameless.join("; "));
    };
    equal("the picture of the rules is open", await page.locator("#rules-figure text").count(), 2);
    await page.click("#tab-analysis");
    await page.click("#review");
    await page.waitForSelector("#judged table");
    await page.waitForSelector("svg.curve text");
    await inspect("a review");
    await page.click("#values");
    await page.click("#tab-game");
    await page.waitForSelector(".square .value:not(:empty)");
    await inspect("game");
    await page.click("#load");
    await page.click("#load-do");
    check("the dialog tells a problem", (await page.textContent("#load-problem")).length > 0);
    await inspect("the dialog");
    await page.keyboard.press("Escape");
    await page.click("#new");
    check("a notice with an offer", await page.isVisible("#bring-back"));
    await page.click("#tab-openings");
    await inspect("openings and a notice");
    equal(`the page is ${colorScheme}`, await page.evaluate(isDark), colorScheme === "dark");
    await page.click("#theme");
    await page.click("#theme");
    check("the theme can be chosen", await page.evaluate(isDark));
    await page.context().close();
  }
  await names(browser);
  await focus(browser);
  await speech(browser);
  await forcedColors(browser);
  await phone(browser);
}

async function names(browser) {
  const page = await browser.visit({ reducedMotion: "reduce" });
  const labels = await page.locator(".square").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));
  check("every square has a name", labels.every((label) => /^[a-h][1-8], (empty|legal move|black disc|white disc)$/.test(label)), labels.join("; "));
  equal("all names differ", new Set(labels).size, 64);
  equal("one square is in the tab order", await page.locator('.square[tabindex="0"]').count(), 1);
  equal("no motion where none is wanted", await page.locator(".disc").first().evaluate((disc) => getComputedStyle(disc).transitionDuration), "0s");
  equal("the language is told", await page.getAttribute("html", "lang"), "en");
  check("what the page is", (await page.getAttribute("meta[name=description]", "content")).startsWith("Play and study"));
  const shown = await page.locator("html").evaluate((root) => {
    const copy = root.cloneNode(true);
    for (const each of copy.querySelectorAll("script, style")) each.remove();
    return copy.outerHTML;
  });
  check("all texts are there", !/undefined|\{\{/.test(shown), shown);
  const ids = await page.locator("[id]").evaluateAll((all) => all.map((each) => each.id));
  equal("no id twice", new Set(ids).size, ids.length);
  await page.context().close();
}

/// Whoever uses the keyboard stays where they are, or comes to the board when that is gone.
async function focus(browser) {
  const page = await browser.visit({ hash: "#1r8=f5d6c3" });
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className.split(" ")[0] || document.activeElement.tagName);
  const press = async (id) => {
    await page.focus(`#${id}`);
    await page.keyboard.press("Enter");
    return focused();
  };
  equal("Skip goes to the board", await press("skip"), "square");
  equal("and keeps the game in the address", await link(page), "#1r8=f5d6c3");
  check("without complaint", await page.isHidden("#notice"));
  await choose(page, "players", "both");
  for (let moves = 0; moves < 4; moves += 1) equal("Undo keeps the focus", await press("undo"), "undo");
  equal("at the start there is nothing to undo", await page.getAttribute("#undo", "aria-disabled"), "true");
  await page.keyboard.press("Control+y");
  equal("Redo keeps the focus", await press("redo"), "redo");
  await choose(page, "players", "none");
  equal("the engine plays on, the focus goes to the board", await press("resume"), "square");
  await choose(page, "players", "both");
  await page.evaluate(() => { location.hash = "#1r8=f5d6c3d3c4"; });
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 5);
  await press("new");
  equal("a notice is closed, the focus goes to the board", await press("notice-close"), "square");
  await page.focus("#tab-game");
  for (const [key, wanted] of [["End", "tab-openings"], ["ArrowRight", "tab-game"], ["ArrowLeft", "tab-openings"], ["Home", "tab-game"], ["ArrowRight", "tab-analysis"]]) {
    await page.keyboard.press(key);
    equal(`${key} on the tabs`, await focused(), wanted);
  }
  await page.locator("#lines tbody button").first().focus();
  await page.keyboard.press("Enter");
  equal("a line's move is played, the focus goes to the board", await focused(), "square");
  const name = () => page.evaluate(() => document.activeElement.dataset.square);
  await page.keyboard.press("End");
  equal("End on the board", (await name())[0], "h");
  await page.keyboard.press("Home");
  equal("Home on the board", (await name())[0], "a");
  await page.click("#tab-game");
  await press("load");
  equal("the dialog has the focus", await focused(), "load-text");
  await page.keyboard.press("Escape");
  equal("and gives it back", await focused(), "load");
  await page.context().close();
}

/// What screen readers hear.
async function speech(browser) {
  const page = await browser.visit({ hash: "#1r8=f5d6c3" });
  await choose(page, "players", "both");
  await square(page, "a1").press("Enter");
  equal("an illegal square is named", await announcement(page), "a1 is not a legal move.");
  await square(page, "a1").press("Enter");
  equal("and again", await announcement(page), "a1 is not a legal move.\u00a0");
  await page.keyboard.press("u");
  equal("undo tells the place", await announcement(page), "Move 2 of 3. Black to move.");
  await page.keyboard.press("r");
  equal("redo tells the place", await announcement(page), "Move 3 of 3. White to move.");
  await page.locator("#moves .move").first().click();
  equal("and so does the list", await announcement(page), "Move 1 of 3. White to move.");
  await square(page, "f5").press("u");
  equal("before the first move", await status(page), "Black to move. Before the first of 3 moves.");
  await square(page, "f5").press("v");
  equal("V is answered", await announcement(page), "Values are shown.");
  await page.keyboard.press("v");
  equal("V once more", await announcement(page), "Values are hidden.");
  await page.keyboard.press("Enter");
  equal("the last move has a name", await square(page, "f5").getAttribute("aria-label"), "f5, black disc, last move");
  await page.click("#tab-openings");
  await square(page, "d6").press("Enter");
  check("an opening is named", (await announcement(page)).endsWith(" Perpendicular."), await announcement(page));
  const live = await page.locator("[aria-live], [role=status], [role=alert], output").evaluateAll((all) => all.map((each) => each.id));
  equal("nothing else speaks by itself", live, ["notice", "load-problem", "announcer"]);
  equal("no toolbar without its keys", await page.locator("[role=toolbar]").count(), 0);
  check("no notice", await page.isHidden("#notice"), await notice(page));
  await page.context().close();
}

/// High contrast, as Windows offers it: discs stay discs, and what is chosen can be seen.
async function forcedColors(browser) {
  const page = await browser.visit({ forcedColors: "active" });
  const face = (name, side) => square(page, name).locator(side).evaluate((element) => getComputedStyle(element).backgroundImage);
  check("discs are drawn", /gradient/.test(await face("e4", ".front")) && /gradient/.test(await face("d4", ".back")));
  const color = (css) => page.locator(css).evaluate((element) => getComputedStyle(element).backgroundColor);
  check("a choice can be seen", (await color('input[value="black"] + span')) !== (await color("body")));
  await page.context().close();
}

async function phone(browser) {
  const page = await browser.visit(PHONE);
  for (const tab of ["game", "analysis", "openings"]) {
    await page.tap(`#tab-${tab}`);
    const [width, most] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    check(`no sideways scrolling on a phone, ${tab}`, width <= most, `${width} > ${most}`);
  }
  await page.tap("#tab-game");
  const box = await square(page, "f5").boundingBox();
  check("squares are large enough to touch", box.width >= 36 && box.height >= 36, `${box.width}×${box.height}`);
  await square(page, "f5").tap();
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 2);
  await page.context().close();
}

// These run in the page.

function isDark() {
  const [red] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
  return red < 100;
}

function namelessControls() {
  const name = (element) => element.getAttribute("aria-label") || element.textContent.trim() || element.title
    || [...(element.labels ?? [])].map((label) => label.textContent).join("").trim();
  return [...document.querySelectorAll("button, input, select, textarea, a, summary, [role=img]")]
    .filter((element) => !element.hidden && !name(element)).map((element) => element.outerHTML.slice(0, 80));
}

/// Texts that are too faint against the colour behind them.
function poorContrasts(least) {
  const numbers = (color) => {
    const parts = color.match(/[\d.]+/g).map(Number);
    const scale = color.startsWith("color(") ? 255 : 1;
    return { rgb: parts.slice(0, 3).map((part) => part * scale), alpha: parts[3] ?? 1 };
  };
  const blend = (over, under) => over.rgb.map((part, at) => part * over.alpha + under[at] * (1 - over.alpha));
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const own = numbers(getComputedStyle(element).backgroundColor);
    return own.alpha === 0 ? behind(element.parentElement) : blend(own, own.alpha < 1 ? behind(element.parentElement) : [0, 0, 0]);
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  const poor = [];
  for (const element of document.body.querySelectorAll("*")) {
    const isExempt = element.closest("script, noscript, title, .hidden, .skip, [aria-disabled=true]:not(.square)");
    if (!hasText(element) || isExempt || !element.checkVisibility()) continue;
    const background = behind(element);
    const { color, fill } = getComputedStyle(element);
    const text = blend(numbers(element.closest("svg") ? fill : color), background);
    const [light, dark] = [luminance(text), luminance(background)].sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < least) poor.push(`${element.textContent.trim().slice(0, 30)}: ${contrast.toFixed(2)}`);
  }
  return poor;
}
