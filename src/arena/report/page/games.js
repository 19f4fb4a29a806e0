// The list of games: filtered, sorted, and written a hundred at a time so that thousands load at once.

const PAGE = 100;
const COLUMNS = [
  ["Game", (game) => game.number, "number"],
  ["Black", (game, data) => data.players[game.players[0]].toLowerCase(), ""],
  ["White", (game, data) => data.players[game.players[1]].toLowerCase(), ""],
  ["Score", (game) => game.score, "number"],
  ["Discs", (game) => game.discs[0] - game.discs[1], "number"],
  ["Moves", (game) => game.moves.length, "number spare"],
  ["Seconds", (game) => secondsOf(game), "number spare"],
  ["Ending", (game) => game.ending, ""],
];

class GameList {
  constructor(data) {
    this.data = data;
    this.sorted = 0;
    this.descending = false;
    this.shown = PAGE;
    this.fillFilter();
    const filter = byId("filter");
    filter.addEventListener("change", () => this.apply());
    filter.addEventListener("submit", (event) => event.preventDefault());
    // The fields are empty only after the event.
    filter.addEventListener("reset", () => setTimeout(() => this.apply()));
    byId("games-body").addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row && !event.target.closest("a")) location.hash = `game=${row.dataset.number}`;
    });
    this.apply();
  }

  fillFilter() {
    const { data } = this;
    const players = data.players.map((name, index) => [String(index), name]);
    options("filter-player", [["", "any"], ...players]);
    options("filter-opponent", [["", "any"], ...players]);
    options("filter-result", [["", "any"], ["win", "won by the player"], ["draw", "drawn"], ["loss", "lost by the player"],
      ["black", "won by Black"], ["white", "won by White"]]);
    const endings = [...new Set(data.games.map((game) => game.ending))].sort();
    const forfeits = data.games.some((game) => game.fault) ? [["forfeit", "any forfeit"]] : [];
    options("filter-ending", [["", "any"], ...forfeits, ...endings.map((ending) => [ending, ending])]);
  }

  /** Chooses and orders the games anew. */
  apply() {
    const choice = (id) => byId(id).value;
    const player = choice("filter-player"), opponent = choice("filter-opponent");
    const result = choice("filter-result"), ending = choice("filter-ending");
    // To have won or lost takes a player to look at.
    for (const option of byId("filter-result").options) {
      option.disabled = ["win", "loss"].includes(option.value) && player === "";
    }
    const fits = (game) =>
      (player === "" || game.players.includes(Number(player)))
      && (opponent === "" || (player === "" ? game.players.includes(Number(opponent)) : other(game, player) === Number(opponent)))
      && (result === "" || resultsOf(game, player).includes(result))
      && (ending === "" || game.ending === ending || (ending === "forfeit" && game.fault));
    const key = COLUMNS[this.sorted][1], sign = this.descending ? -1 : 1;
    const keyed = this.data.games.filter(fits).map((game) => [key(game, this.data), game]);
    keyed.sort(([a, one], [b, two]) => sign * (a < b ? -1 : a > b ? 1 : 0) || one.number - two.number);
    this.games = keyed.map(([, game]) => game);
    this.shown = PAGE;
    this.write();
  }

  write() {
    byId("games-head").replaceChildren(make("tr", {}, ...COLUMNS.map(([title, , name], index) => this.headCell(title, name, index))));
    byId("games-body").replaceChildren(...this.games.slice(0, this.shown).map((game) => this.row(game)));
    const all = this.data.games.length;
    byId("filter-count").textContent = this.games.length === all ? `${all} games` : `${this.games.length} of ${all} games`;
    this.writePager();
    if (this.current) this.mark(this.current);
  }

  headCell(title, name, index) {
    const direction = this.descending ? "descending" : "ascending";
    const active = index === this.sorted;
    const arrow = make("span", { "aria-hidden": "true", class: "arrow" }, active ? (this.descending ? "▾" : "▴") : "");
    const button = make("button", { type: "button" }, title, arrow);
    button.addEventListener("click", () => {
      this.descending = active && !this.descending;
      this.sorted = index;
      this.apply();
      byId("games-head").querySelectorAll("button")[index].focus();
    });
    return make("th", { scope: "col", class: name, "aria-sort": active ? direction : undefined }, button);
  }

  row(game) {
    const { data } = this;
    const side = (index) => {
      const won = index === 0 ? game.score > 0 : game.score < 0;
      return make("td", { class: won ? "side winner" : "side" }, data.players[game.players[index]]);
    };
    const cell = (text, name) => make("td", { class: name }, text);
    return make("tr", { "data-number": game.number },
      make("td", { class: "number" }, make("a", { href: `#game=${game.number}` }, String(game.number))),
      side(0), side(1),
      cell(signed(game.score, 0), "number"),
      cell(`${game.discs[0]}–${game.discs[1]}`, "number"),
      cell(String(game.moves.length / 2), "number spare"),
      cell(secondsOf(game).toFixed(2), "number spare"),
      cell(game.fault ? `${game.ending} by ${game.fault[0] === "black" ? "Black" : "White"}` : game.ending, game.fault ? "fault" : undefined));
  }

  writePager() {
    const left = this.games.length - this.shown;
    if (left <= 0) return byId("pager").replaceChildren();
    const more = (text, add) => {
      const button = make("button", { type: "button" }, text);
      button.addEventListener("click", () => { this.shown += add; this.write(); });
      return button;
    };
    byId("pager").replaceChildren(more(`Show ${Math.min(PAGE, left)} more`, PAGE), more(`Show all ${this.games.length}`, left));
  }

  /** Marks the game on the board. */
  mark(game) {
    this.current = game;
    for (const row of byId("games-body").rows) {
      if (Number(row.dataset.number) === game.number) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  /** The game before or after one in the list, or in the match if the filter leaves it out. */
  neighbour(game, by) {
    const list = this.games.includes(game) ? this.games : this.data.games;
    return list[list.indexOf(game) + by];
  }
}

function options(id, choices) {
  byId(id).replaceChildren(...choices.map(([value, text]) => make("option", { value }, text)));
}

function other(game, player) {
  return game.players[game.players[0] === Number(player) ? 1 : 0];
}

/** All that the result of a game may be called, seen by a player if there is one. */
function resultsOf(game, player) {
  if (game.score === 0) return ["draw"];
  const winner = game.players[game.score > 0 ? 0 : 1];
  const seen = player === "" ? [] : [winner === Number(player) ? "win" : "loss"];
  return [game.score > 0 ? "black" : "white", ...seen];
}

function secondsOf(game) {
  return game.times.reduce((sum, time) => sum + time, 0) / 1e4;
}
