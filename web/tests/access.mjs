// What Lighthouse would look for: names, contrast, phones, themes, motion.
import { square } from "./browser.mjs";
import { check, equal } from "./check.mjs";

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
/// WCAG's level AA for text.
const LEAST_CONTRAST = 4.5;

export async function access(browser) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.visit({ colorScheme, hash: "#1r8=f5d6c3d3c4" });
    await page.click("#values");
    await page.waitForSelector(".square .value:not(:empty)");
    for (const tab of ["game", "analysis", "openings"]) {
      await page.click(`#tab-${tab}`);
      const poor = await page.evaluate(poorContrasts, LEAST_CONTRAST);
      check(`contrast of ${tab}, ${colorScheme}`, poor.length === 0, poor.join("; "));
      const nameless = await page.evaluate(namelessControls);
      check(`names of all controls of ${tab}`, nameless.length === 0, nameless.join("; "));
    }
    equal(`the page is ${colorScheme}`, await page.evaluate(isDark), colorScheme === "dark");
    await page.click("#theme");
    await page.click("#theme");
    check("the theme can be chosen", await page.evaluate(isDark));
    await page.context().close();
  }
  await names(browser);
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
    if (!hasText(element) || element.closest("script, noscript, dialog, .hidden, .skip, svg, :disabled") || !element.checkVisibility()) continue;
    const background = behind(element);
    const text = blend(numbers(getComputedStyle(element).color), background);
    const [light, dark] = [luminance(text), luminance(background)].sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < least) poor.push(`${element.textContent.trim().slice(0, 30)}: ${contrast.toFixed(2)}`);
  }
  return poor;
}
