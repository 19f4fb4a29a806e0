// Sets the page up.
import { App } from "./app.js";
import { lineChoices, linesHead } from "./analysis.js";
import { curveMove } from "./curve.js";
import { loadEngine } from "./engine.js";
import { loadLink, setUpLoading } from "./load.js";
import { rulesFigure } from "./rules.js";
import { CHOICES, loadSettings, saveSettings } from "./settings.js";
import { Strengths } from "./strength.js";
import { text } from "./text.js";
import { byId, drawStrength } from "./view.js";

function fillTexts() {
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = text[element.dataset.text];
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", text[element.dataset.label]);
  byId("rules-figure").innerHTML = rulesFigure();
  byId("line-count").innerHTML = lineChoices();
  byId("lines").tHead.innerHTML = linesHead();
  addChoices("rules", (rules) => text.rulesNames[rules]);
  addChoices("size", text.sizeName);
  addChoices("players", (players) => text.playersNames[players], text.playersTitles);
}

function addChoices(name, label, titles = {}) {
  for (const value of CHOICES[name]) {
    const holder = document.createElement("label");
    const input = Object.assign(document.createElement("input"), { type: "radio", name, value });
    if (titles[value]) holder.title = titles[value];
    holder.append(input, Object.assign(document.createElement("span"), { textContent: label(value) }));
    byId(`choose-${name}`).append(holder);
  }
}

function showTheme(settings) {
  document.documentElement.dataset.theme = settings.theme;
  byId("theme").textContent = text.themes[settings.theme];
  byId("theme").setAttribute("aria-label", text.themeLabels[settings.theme]);
}

async function copy(app, what, content) {
  try {
    await navigator.clipboard.writeText(content);
    app.notice(text.copied[what]);
  } catch {
    app.notice(text.notCopied(content));
  }
}

function save(name, content) {
  const address = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function setUpButtons(app) {
  const onClick = (id, run) => byId(id).addEventListener("click", run);
  onClick("undo", () => app.undo());
  onClick("redo", () => app.redo());
  onClick("values", () => app.toggleValues());
  onClick("new", () => app.newGame());
  onClick("resume", () => app.resume());
  onClick("analyse", () => app.toggleAnalysis());
  onClick("review", () => app.review());
  onClick("bring-back", () => app.bringBack());
  onClick("notice-close", () => app.hideNotice());
  // As a link it would replace the game in the address.
  onClick("skip", (event) => {
    event.preventDefault();
    app.board.focus();
  });
  byId("copy-link").addEventListener("click", () => copy(app, "link", location.href.split("#")[0] + app.state.link()));
  byId("copy-moves").addEventListener("click", () => copy(app, "moves", app.state.game.moves));
  byId("save-ggf").addEventListener("click", () => save("game.ggf", `${app.call({ request: "ggf", game: app.state.game }).ggf}\n`));
  byId("theme").addEventListener("click", () => {
    const themes = CHOICES.theme;
    app.settings.theme = themes[(themes.indexOf(app.settings.theme) + 1) % themes.length];
    saveSettings(app.settings);
    showTheme(app.settings);
  });
  // Moves in tables, in the list and on the curve.
  for (const id of ["lines", "openings"]) {
    byId(id).addEventListener("click", ({ target }) => {
      const { move } = target.closest("[data-move]")?.dataset ?? {};
      if (move) app.playByHand(move);
    });
  }
  for (const id of ["moves", "judged", "openings"]) {
    byId(id).addEventListener("click", ({ target }) => {
      const { at } = target.closest("[data-at]")?.dataset ?? {};
      if (at) app.goTo(Number(at));
    });
  }
  byId("curve").addEventListener("click", (event) => {
    const svg = event.target.closest("svg");
    if (svg) app.goTo(curveMove(svg, event, app.state.length));
  });
}

function setUpSettings(app) {
  const { settings } = app;
  byId("strength").max = app.strengths.last;
  byId("settings").addEventListener("submit", (event) => event.preventDefault());
  byId("settings").addEventListener("change", ({ target }) => {
    app.stopReview();
    if (target.name === "rules" || target.name === "size") {
      settings[target.name] = target.name === "size" ? Number(target.value) : target.value;
      app.newGame();
    } else {
      if (target.name === "players") settings.players = target.value;
      else settings.strength = Number(target.value);
      app.paused = false;
      app.refresh();
    }
  });
  byId("strength").addEventListener("input", ({ target }) => {
    drawStrength(app, Number(target.value));
  });
  byId("line-count").value = settings.lines;
  byId("line-count").addEventListener("change", ({ target }) => {
    settings.lines = target.value;
    app.refresh();
  });
}

function setUpTabs(app) {
  const tabs = ["game", "analysis", "openings"];
  for (const tab of tabs) {
    byId(`tab-${tab}`).addEventListener("click", () => app.showTab(tab));
    byId(`tab-${tab}`).addEventListener("keydown", (event) => {
      const at = tabs.indexOf(tab);
      const next = { ArrowLeft: tabs.at(at - 1), ArrowRight: tabs[(at + 1) % tabs.length], Home: tabs[0], End: tabs.at(-1) }[event.key];
      if (!next) return;
      event.preventDefault();
      app.showTab(next);
      byId(`tab-${next}`).focus();
    });
  }
}

function setUpKeys(app) {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.closest("dialog")) return;
    const key = event.key.toLowerCase();
    const run = key === "z" && !event.shiftKey ? () => app.undo() : key === "y" || key === "z" ? () => app.redo() : null;
    if (!run) return;
    event.preventDefault();
    run();
  });
}

async function start() {
  const settings = loadSettings();
  fillTexts();
  showTheme(settings);
  byId("rules").open = !settings.visited;
  settings.visited = true;
  byId("status").textContent = text.loading;
  let app;
  try {
    const engine = await loadEngine((...failure) => app.engineFailed(...failure));
    const strengths = new Strengths(engine.call({ request: "strengths" }));
    if (!strengths.has(settings.strength)) settings.strength = strengths.usual;
    app = new App(engine, settings, strengths);
  } catch (error) {
    byId("status").textContent = text.tooOld;
    throw error;
  }
  setUpButtons(app);
  setUpSettings(app);
  setUpTabs(app);
  setUpKeys(app);
  setUpLoading(app);
  loadLink(app, location.hash);
  addEventListener("hashchange", () => {
    if (location.hash !== app.state.link()) loadLink(app, location.hash);
  });
  app.refresh();
  // Milliseconds since the page was opened.
  document.documentElement.dataset.ready = Math.round(performance.now());
}

start();
