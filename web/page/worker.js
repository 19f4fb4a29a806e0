// The worker: searches, while the page stays alive.
//
// It hears nothing while the engine runs. Where the browser can pause WebAssembly, a search pauses now and then to look for
// messages. Elsewhere it runs in slices; the transposition table keeps what a slice has found out, but an iteration that
// is cut off costs time.
import { CAN_PAUSE, instantiate } from "./wasm.js";

const FIRST_SLICE = 100;
const LONGEST_SLICE = 1000;

let engine;
let onIteration = () => {};
// The newest job, and the one that runs: it ends when they differ.
let newest = 0;
let running = 0;
// A job begins when the one before has ended.
let queue = Promise.resolve();

/// Lets messages come in. Tells whether the running job shall stop.
function breathe() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); resolve(newest !== running); };
    port2.postMessage(0);
  });
}

/// Searches a position until it is solved, the time is over or another job comes. Returns nothing in the last case.
async function search({ kind, game, lines = 1, milliseconds, elo, seed }, report) {
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  let known = { depth: 0, percent: 0 };
  let nodes = 0;
  onIteration = (iteration) => {
    known = { depth: iteration.depth, percent: iteration.percent };
    report?.({ ...iteration, nodes: nodes + iteration.nodes, milliseconds: elapsed() });
  };
  for (;;) {
    // A weaker player thinks once: another slice would make other mistakes.
    const slice = CAN_PAUSE || elo ? milliseconds : Math.min(LONGEST_SLICE, Math.max(FIRST_SLICE, elapsed()));
    const left = Math.max(1, Math.round(Math.min(slice, milliseconds - elapsed())));
    const until = elapsed() + left / 2;
    const found = await engine({ request: "search", game, play: kind === "play", lines, known, milliseconds: left, elo, seed });
    nodes += found.nodes;
    // What ends long before its time would not get any further.
    const isComplete = found.exact || elapsed() < until;
    if (await breathe()) return undefined;
    if (isComplete || CAN_PAUSE || elo || elapsed() >= milliseconds) return { ...found, nodes, milliseconds: elapsed() };
  }
}

const jobs = {
  /// Values of the best moves, iteration by iteration.
  analyse: async (id, job) => {
    const found = await search(job, (iteration) => postMessage({ id, iteration }));
    if (found) postMessage({ id, iteration: found, done: true });
  },

  /// A move to play.
  play: async (id, job) => {
    const { game, seed, elo } = job;
    const known = elo ? null : (await engine({ request: "book-move", game, seed })).move;
    const found = known ? { lines: [{ moves: [known] }] } : await search(job);
    if (found) postMessage({ id, move: found.lines[0]?.moves[0], done: true });
  },

  /// Judges each move of a game, from the last to the first.
  review: async (id, { game, milliseconds }) => {
    await engine({ request: "review", game, milliseconds });
    for (let left = 1; left > 0;) {
      const review = await engine({ request: "review-step" });
      if (await breathe()) return;
      ({ left } = review);
      postMessage({ id, review, done: left === 0 });
    }
  },
};

function tellError(error) {
  postMessage({ error: String(error.message ?? error) });
}

async function run(id, job) {
  if (id !== newest) return;
  running = id;
  try {
    await jobs[job.kind](id, job);
  } catch (error) {
    tellError(error);
  }
}

self.onmessage = ({ data: { module, id, job } }) => {
  if (module) {
    queue = instantiate(module, { report: (iteration) => onIteration(iteration), pause: breathe }).then((call) => {
      engine = call;
      postMessage({ ready: true });
    }).catch(tellError);
    return;
  }
  newest = id;
  if (job) queue = queue.then(() => run(id, job));
};
