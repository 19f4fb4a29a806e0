// A browser with the page in it.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/// Enough for a busy machine.
const PATIENCE = 60_000;

/// Offers one file, as any static server does.
async function serve(file) {
  const content = readFileSync(file);
  const server = createServer((request, response) => {
    const found = request.url === "/ollehto.html";
    response.writeHead(found ? 200 : 404, { "content-type": "text/html" });
    response.end(found ? content : "");
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { server, address: `http://127.0.0.1:${server.address().port}/ollehto.html` };
}

export async function openBrowser(file) {
  const { server, address } = await serve(file);
  const addresses = { file: pathToFileURL(resolve(file)).href, server: address };
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const complaints = [];

  /// A visitor who has never been here. Returns the page when it can be played with.
  /// A script runs before those of the page.
  async function visit({ from = "file", hash = "", script = null, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    if (script) await page.addInitScript(script);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(`${from}: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`${from}: ${error.stack}`));
    await page.goto(addresses[from] + hash);
    await page.waitForSelector("html[data-ready]");
    return page;
  }

  async function close() {
    await browser.close();
    server.close();
  }

  return { visit, close, complaints, addresses };
}

export const status = (page) => page.textContent("#status");
export const notice = (page) => page.textContent("#notice-text");
export const announcement = (page) => page.textContent("#announcer");
export const moveCount = (page) => page.locator("#moves .move").count();
export const square = (page, name) => page.locator(`[data-square="${name}"]`);

/// The address after `#`, which holds the game.
export const link = (page) => page.evaluate(() => location.hash);

export async function setStrength(page, step) {
  await page.locator("#strength").fill(String(step));
}

export async function choose(page, name, value) {
  await page.locator(`input[name="${name}"][value="${value}"]`).check({ force: true });
}

/// Waits until a person can move or the game is over. Returns whether it is over.
export async function waitForTurn(page) {
  await page.waitForFunction(() => document.querySelector(".board.playable") || / wins?:|draw:/.test(document.getElementById("status").textContent));
  return page.evaluate(() => !document.querySelector(".board.playable"));
}
