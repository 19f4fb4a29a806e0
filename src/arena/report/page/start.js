// Where the page begins: the data, the address, and the page's check of itself.

/** Replays all games and writes down their discs, for tests and the curious: open the page with #selfcheck. */
function checkItself(data) {
  const wrong = [];
  const lines = data.games.map((game) => {
    const last = positionsOf(data, game).at(-1);
    const discs = count(last);
    if (discs.join() !== game.discs.join()) wrong.push(game.number);
    return `${game.number}:${discs.join("-")}`;
  });
  const verdict = wrong.length ? `differs: ${wrong.join(" ")}` : "ok";
  byId("selfcheck").hidden = false;
  byId("selfcheck").textContent = `selfcheck ${verdict}; ${data.games.length} games; ${lines.join(" ")}`;
}

function start() {
  const data = JSON.parse(byId("data").textContent);
  const list = new GameList(data);
  const viewer = new Viewer(data, list);
  const follow = (behavior) => {
    const address = new URLSearchParams(location.hash.slice(1));
    if (location.hash === "#selfcheck") checkItself(data);
    if (!address.has("game")) return;
    const game = data.games.find((each) => each.number === Number(address.get("game")));
    tell(game ? "" : `There is no game ${address.get("game")} in this match.`);
    if (!game) return;
    viewer.open(game, address.has("move") ? Number(address.get("move")) : undefined);
    byId("viewer").scrollIntoView({ behavior });
    byId("game-title").focus({ preventScroll: true });
  };
  if (data.games.length > 0) viewer.open(data.games[0]);
  window.addEventListener("hashchange", () => follow("auto"));
  follow("instant");
  document.documentElement.dataset.ready = data.games.length;
}

window.addEventListener("error", (event) => complain(event.message));
start();
