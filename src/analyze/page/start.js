// Where the page begins: the data, the address, and the page's check of itself.

/** Replays all games and lines and writes down their discs, for tests and the curious: open the page with #selfcheck. */
function checkItself(data) {
  const wrong = [];
  let lines = 0;
  const games = data.games.map((game) => {
    const positions = positionsOf({ starts: [game.start], size: game.size }, { start: 0, moves: game.moves });
    const discs = count(positions.at(-1));
    if (discs.join() !== game.discs.join()) wrong.push(game.number);
    [...game.reviews, game.last].forEach((found, ply) => (found?.lines ?? []).forEach((line) => {
      movesOf(line).reduce((position, move) => after(position, move, game.size), positions[Math.min(ply, positions.length - 1)]);
      lines += 1;
    }));
    return `${game.number}:${discs.join("-")}`;
  });
  const verdict = wrong.length ? `differs: ${wrong.join(" ")}` : "ok";
  byId("selfcheck").hidden = false;
  byId("selfcheck").textContent = `selfcheck ${verdict}; ${data.games.length} games, ${lines} lines; ${games.join(" ")}`;
}

function start() {
  const data = JSON.parse(byId("data").textContent);
  const viewer = new Viewer(data);
  const follow = () => {
    const address = new URLSearchParams(location.hash.slice(1));
    if (location.hash === "#selfcheck") checkItself(data);
    if (!address.has("game")) return;
    const game = data.games.find((each) => each.number === Number(address.get("game")));
    tell(game ? "" : `There is no game ${address.get("game")} in this analysis.`);
    if (game) viewer.open(game, Number(address.get("move") ?? 0));
  };
  viewer.open(data.games[0]);
  window.addEventListener("hashchange", follow);
  follow();
  document.documentElement.dataset.ready = data.games.length;
}

window.addEventListener("error", (event) => complain(event.message));
start();
