// Loading games: pasted text, files and links.
import { text } from "./text.js";
import { byId } from "./view.js";

const LONGEST_TEXT = 1_000_000;

/// What to tell somebody about a text: the problem, and what became of it.
function explain({ game, problem }) {
  const moves = game ? game.moves.length / 2 : 0;
  if (!problem) return text.loaded(moves);
  const place = text.problems[problem.kind](problem);
  const kept = !game ? text.kept : problem.kind === "illegal" || problem.kind === "unreadable" ? text.keptBefore(moves) : text.loaded(moves);
  return `${place} ${kept}`;
}

/// Loads what can be loaded and tells about it. Returns the problem if nothing could be.
function take(app, reading) {
  if (!reading.game) return explain(reading);
  app.load(reading.game, { message: explain(reading), isProblem: reading.problem !== null });
  return null;
}

export function loadText(app, pasted) {
  if (pasted.length > LONGEST_TEXT) return text.tooLong(pasted.length);
  const { rules, size } = app.settings;
  return take(app, app.call({ request: "read", text: pasted, rules, size }));
}

/// The game in the address, if there is one.
export function loadLink(app, fragment) {
  if (fragment.length < 2) return;
  const link = fragment.length > LONGEST_TEXT ? "" : fragment.slice(1);
  const problem = take(app, app.call({ request: "read-link", link: decode(link) }));
  if (problem) app.notice(problem);
}

function decode(link) {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

export function setUpLoading(app) {
  const dialog = byId("load-dialog");
  const problem = byId("load-problem");
  const finish = (message) => {
    problem.textContent = message ?? "";
    if (message === null) dialog.close();
  };
  byId("load").addEventListener("click", () => {
    problem.textContent = "";
    byId("load-text").value = "";
    byId("load-file").value = "";
    dialog.showModal();
    byId("load-text").focus();
  });
  byId("load-do").addEventListener("click", () => finish(loadText(app, byId("load-text").value)));
  byId("load-file").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    if (file.size > LONGEST_TEXT) finish(text.tooLong(file.size));
    else finish(await file.text().then((content) => loadText(app, content), () => text.unreadableFile));
  });
}
