// Draws the state of the page.
import { analysisMarkup } from "./analysis.js";
import { curveMarkup } from "./curve.js";
import { explorerMarkup } from "./explorer.js";
import { movesMarkup } from "./moves.js";
import { reviewMarkup } from "./review.js";
import { text } from "./text.js";

export const byId = (id) => document.getElementById(id);

const shown = new WeakMap();

/// Puts markup into an element, unless it is there already. The focus stays on the button of the same move.
function fill(element, markup) {
  if (shown.get(element) === markup) return;
  shown.set(element, markup);
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset : null;
  element.innerHTML = markup;
  if (!focused) return;
  const same = focused.move ? `[data-move="${focused.move}"]` : `[data-at="${focused.at}"]`;
  (element.querySelector(same) ?? element.querySelector("button"))?.focus({ preventScroll: true });
}

/// Draws. If that hides or removes what has the focus, the board gets it.
export function keepFocus(board, draw) {
  const isNowhere = () => document.activeElement === null || document.activeElement === document.body;
  const had = !isNowhere();
  draw();
  if (had && (isNowhere() || document.activeElement.getClientRects().length === 0)) board.focus();
}

/// A button that is really disabled would lose the focus.
function enable(button, isEnabled) {
  button.setAttribute("aria-disabled", String(!isEnabled));
}

export function drawBoard(app) {
  const { state } = app;
  const { position } = state;
  const values = app.squareValues();
  app.board.show({
    position, values, exact: app.tab !== "openings" && app.found?.exact, best: values.size > 0 ? Math.max(...values.values()) : undefined,
    last: state.lastStep?.move, playable: !app.isEngineTurn && !position.over,
    rules: state.game.rules, size: state.game.size,
  });
  const place = state.isAtEnd ? "" : ` ${text.place(state.at, state.length)}`;
  byId("status").textContent = app.describeTurn() + place;
  byId("resume").hidden = !app.isWaiting;
  byId("goal").textContent = text.goal[state.game.rules];
  for (const side of ["black", "white"]) {
    const player = byId(`player-${side}`);
    player.classList.toggle("on-turn", !position.over && position.side === side);
    player.querySelector(".count").textContent = position[side];
    const role = app.humanSides.length === 2 ? "" : app.humanSides.includes(side) ? text.you : text.engine;
    player.querySelector(".who").textContent = role ? `${text.sides[side]} · ${role}` : text.sides[side];
  }
  enable(byId("undo"), state.at > 0);
  enable(byId("redo"), !state.isAtEnd);
  byId("values").setAttribute("aria-pressed", String(app.settings.values));
}

export function drawPanels(app) {
  const { game } = app.state;
  for (const tab of ["game", "analysis", "openings"]) {
    const chosen = tab === app.tab;
    byId(`tab-${tab}`).setAttribute("aria-selected", String(chosen));
    byId(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
    byId(`panel-${tab}`).hidden = !chosen;
  }
  for (const name of ["rules", "size", "players"]) {
    const wanted = String(name === "players" ? app.settings.players : game[name]);
    for (const input of document.getElementsByName(name)) input.checked = input.value === wanted;
  }
  byId("strength").value = app.settings.strength;
  drawStrength(app, app.settings.strength);
  fill(byId("rules-text"), text.rules[game.rules].map((sentence) => `<li>${sentence}</li>`).join(""));
  byId("analyse").setAttribute("aria-pressed", String(app.analysing));
  if (app.tab === "openings") fill(byId("openings"), explorerMarkup(app.opening(), game));
  if (app.tab === "analysis") drawAnalysis(app);
}

export function drawAnalysis(app) {
  const { position } = app.state;
  byId("lines").hidden = position.over || !app.found;
  const wait = position.over ? text.gameOver : app.found ? text.facts(app.found) : text.valueHelp;
  byId("search-facts").textContent = app.reviewLeft ? text.reviewing(app.reviewLeft) : wait;
  if (app.found) fill(byId("lines").tBodies[0], analysisMarkup(app.found, app.settings.lines));
  enable(byId("review"), app.state.length > 0);
  byId("review").setAttribute("aria-pressed", String(app.reviewLeft > 0));
  fill(byId("judged"), reviewMarkup(app.state));
}

export function drawStrength(app, step) {
  const name = app.strengths.name(step);
  byId("strength-name").textContent = name;
  byId("strength").setAttribute("aria-valuetext", name);
}

export function drawMoves(app) {
  const { state } = app;
  fill(byId("moves"), movesMarkup(state));
  scrollMoves();
  fill(byId("curve"), curveMarkup(state.values, state.length, state.at));
}

/// Keeps the present move in sight without moving the page.
function scrollMoves() {
  const list = byId("moves");
  const place = list.querySelector("[aria-current]")?.offsetTop ?? 0;
  if (place < list.scrollTop || place > list.scrollTop + list.clientHeight - 40) list.scrollTop = place - 40;
}
