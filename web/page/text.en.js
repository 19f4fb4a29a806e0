// All text of the page, in English. To translate it, write a module like this one, such as text.de.js, and build with
// `web/build --language de`. Some texts become HTML: do without `&`, `<` and `"` in them. The first three are in the page before
// any script runs, so they are plain strings in one line.

const sides = { black: "Black", white: "White" };
const amount = (value, exact) => Math.abs(value).toFixed(exact ? 0 : 1);
/// Results of perfect play are whole discs.
const discs = (value, exact = false) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${amount(value, exact)}`;
const whole = (number) => number.toLocaleString("en");
const count = (number, one, many) => `${whole(number)} ${number === 1 ? one : many}`;

/// Who a value for Black favours.
function favours(value) {
  if (Math.abs(value) < 0.05) return "an even game";
  return `${value > 0 ? "Black" : "White"} ahead by ${Math.abs(value).toFixed(1)}`;
}

/// What an engine says when it fails may lack its full stop.
const sentence = (words) => (/[.!?]$/.test(words) ? words : `${words}.`);
const capital = (words) => words[0].toUpperCase() + words.slice(1);

export const text = {
  title: "Ollehto",
  description: "Play and study Reversed Reversi and Othello against the engine Ollehto. Nothing leaves your computer.",
  noScript: "This page needs JavaScript: the engine runs in your browser.",

  sides,
  discs,
  skipToBoard: "Skip to the board",
  boardHeading: "Board",
  boardLabel: (rules, size) => `Board, ${size} by ${size}, ${rules === "reversed" ? "fewest" : "most"} discs win`,
  tools: "Game",
  tabs: "What to show",
  goal: { reversed: "Fewest discs win.", standard: "Most discs win." },
  themes: { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" },
  themeLabels: { auto: "Theme: automatic", light: "Theme: light", dark: "Theme: dark" },

  loading: "The engine is being loaded …",
  tooOld: "This browser cannot run the engine. Any current version of Firefox, Chrome, Edge or Safari can.",
  broken: (why) => `The engine has stopped: ${sentence(why)} It has been started again.`,
  notStarted: (why) => `The engine cannot be started: ${sentence(why)} Two people can play. Reload the page, or make a move for the engine to try again.`,

  undo: "Undo",
  redo: "Redo",
  showValues: "Values",
  newGame: "New game",
  resume: "Engine, play on",
  close: "Close",
  newGameBegun: "A new game has begun.",
  broughtBack: "The game before is back.",
  dropped: (moves) => `The ${moves} moves that followed are dropped.`,
  bringBack: "Back to the game before",
  cancel: "Cancel",

  rulesHeading: "How to play",
  rules: {
    reversed: [
      "Black and White take turns; Black begins.",
      "Place a disc on an empty square so that a straight line of the other side's discs lies between it and another disc of yours: all discs caught in this way turn over to your colour.",
      "If you can catch nothing you pass, and when neither side can, the game is over.",
      "The player with the fewest discs wins: make the other side take them.",
    ],
    standard: [
      "Black and White take turns; Black begins.",
      "Place a disc on an empty square so that a straight line of the other side's discs lies between it and another disc of yours: all discs caught in this way turn over to your colour.",
      "If you can catch nothing you pass, and when neither side can, the game is over.",
      "The player with the most discs wins.",
    ],
  },
  rulesFigure: "Two boards. On the first, a white disc stands between a black disc and the empty square f5. On the second, Black has placed a disc on f5, and the white disc between has become black.",
  rulesBefore: "Black to move",
  rulesAfter: "after f5",
  keys: "Keys on the board: arrows, Home and End to walk, Enter to place a disc, U to undo, R to redo, V for values, N for a new game.",

  tabGame: "Game",
  tabAnalysis: "Analysis",
  tabOpenings: "Openings",

  chooseRules: "Rules",
  rulesNames: { reversed: "Reversed", standard: "Othello" },
  chooseSize: "Board",
  sizeName: (size) => `${size}×${size}`,
  choosePlayers: "You play",
  playersNames: { black: "Black", white: "White", both: "Both", none: "Watch" },
  playersTitles: { black: "You are Black", white: "You are White", both: "Two people at one board", none: "The engine plays itself" },
  strength: "Strength of the engine",
  strengthName: (rating, least) => !rating ? "Full strength" : rating === least ? `Beginner (${rating} Elo)` : `${rating} Elo`,

  copyLink: "Copy link",
  copyMoves: "Copy moves",
  saveGgf: "Save as GGF",
  loadGame: "Paste or load …",
  copied: { link: "The link is copied. It holds the whole game.", moves: "The moves are copied." },
  notCopied: (what) => `This browser does not let the page copy. Here it is: ${what}`,

  loadHeading: "Paste or load a game",
  loadLabel: "Moves such as f5d6c3, a GGF record, a position, or a link to this page",
  loadFile: "Or a file",
  loadDo: "Load",
  loaded: (moves) => `${count(moves, "move is", "moves are")} loaded.`,
  tooLong: (length) => `This text has ${whole(length)} characters; no game is longer than 1,000,000. Your game is unchanged.`,
  unreadableFile: "This file cannot be read. Your game is unchanged.",
  problems: {
    empty: () => "There is nothing to load. Paste moves, a GGF record, a position or a link.",
    illegal: ({ number, move }) => `Move ${number}, ${move}, is not legal.`,
    unreadable: ({ line, column, found }) => (found ? `“${found}” at ` : "The text ends too soon, at ") + (line ? `line ${line}, ` : "") + `character ${column}${found ? " cannot be read." : "."}`,
    squares: ({ found }) => `The position has ${found} squares; boards have 16, 36 or 64, followed by the side to move (X or O).`,
    "no-discs": () => "The position has no discs.",
    truncated: () => "The record ends in the middle.",
    several: ({ games }) => `The text holds ${games} games; this is the last.`,
    link: () => "The link to a game in the address is damaged.",
  },
  keptBefore: (moves) => moves === 0 ? "The start position is loaded." : `${count(moves, "move before it is", "moves before it are")} loaded.`,
  kept: "Your game is unchanged.",

  you: "You",
  engine: "Engine",
  square: (name, { color, legal, last, value }) => {
    const holds = color ? `${sides[color].toLowerCase()} disc` : legal ? "legal move" : "empty";
    return `${name}, ${holds}${last ? ", last move" : ""}${value ? `, ${value}` : ""}`;
  },
  squareValue: (value, exact, best) => `value ${discs(value, exact)}${best ? ", best" : ""}`,
  yourTurn: (side) => `Your move: you are ${sides[side]}.`,
  turn: (side) => `${sides[side]} to move.`,
  thinking: (side) => `${sides[side]} is thinking …`,
  passed: (side) => `${sides[side]} has no move and passes.`,
  illegal: (square) => `${square} is not a legal move.`,
  place: (at, all) => at === 0 ? `Before the first of ${count(all, "move", "moves")}.` : `Move ${at} of ${all}.`,
  played: (side, square, flips) => `${sides[side]} plays ${square} and turns ${count(flips, "disc", "discs")}.`,
  result: (result, black, white) => {
    const score = `${black} black and ${white} white discs`;
    if (result === 0) return `A draw: ${score}.`;
    return `${sides[result > 0 ? "black" : "white"]} wins: ${score}.`;
  },
  youWin: "You win!",
  youLose: "The engine wins.",

  lineCount: "Best moves",
  allLines: "all",
  analyse: "Analyse",
  review: "Review game",
  reviewing: (left) => `Reviewing: ${count(left, "position", "positions")} to go.`,
  reviewed: "The review is complete.",
  judgements: {
    inaccuracy: { one: "inaccuracy", many: "Inaccuracies" },
    mistake: { one: "mistake", many: "Mistakes" },
    blunder: { one: "blunder", many: "Blunders" },
  },
  accuracy: "Accuracy",
  percent: (value) => value === null ? "–" : `${value.toFixed(0)} %`,
  meanLoss: "Discs lost a move",
  mean: (value) => value === null ? "–" : value.toFixed(1),
  worst: "Worst moves:",
  judged: (square, { judgement, loss, best_value: best, line, exact, turns }) => {
    const certain = exact ? "" : " by estimate";
    if (loss === 0) return `${square} is the best move, worth ${discs(best, exact)}${certain}.`;
    const kind = text.judgements[judgement] ? ` (${text.judgements[judgement].one}${turns ? ", it turns the game" : ""})` : "";
    return `${square} loses ${amount(loss, exact)}${certain}${kind}. Best was ${line[0]}, worth ${discs(best, exact)}: ${line.slice(0, 8).join(" ")}.`;
  },
  linesCaption: "Best moves with their values and lines",
  lineHeads: { move: "Move", value: "Value", line: "Line" },
  facts: ({ depth, percent, exact, nodes, speed }) => {
    const reach = exact ? "Solved" : `Depth ${depth}${percent < 100 ? ` (${percent} %)` : ""}`;
    return `${reach} · ${count(nodes, "node", "nodes")}${speed ? ` · ${speed.toFixed(1)} million/s` : ""}`;
  },
  gameOver: "The game is over.",
  valuesShown: { on: "Values are shown.", off: "Values are hidden." },
  valueHelp: "Values are in discs for the side to move.",

  movesHeading: "Moves",
  noMoves: "No moves yet.",
  moveLabel: (number, side, square, note) => `${number}, ${sides[side]} ${square}${note ? `, ${note}` : ""}`,
  curveLabel: (points) => `Value for Black by move. ${points}`,
  curvePoint: (move, value) => `After move ${move}: ${discs(value)}.`,
  curveBlack: "Black",
  curveWhite: "White",

  families: {
    diagonal: "Diagonal", perpendicular: "Perpendicular", parallel: "Parallel", cow: "Cow", buffalo: "Buffalo",
    tiger: "Tiger", rabbit: "Rabbit", mouse: "Mouse",
  },
  startName: "Start position",
  openingsOnlyEight: "The book has openings of the 8×8 board only.",
  openingsCustom: "The book has openings from the usual start position only.",
  openingsEnd: "The book ends here. The analysis goes on from this position.",
  openingsStart: "Walk from the start",
  openingsIntro: ({ positions, plies, depth, deep }) => `${whole(positions)} openings, symmetric ones counted once, of up to ${plies} moves. Values are in discs for the side to move, carried back from searches of depth ${deep} where play is good and ${depth} elsewhere.`,
  openingHeads: { move: "Move", value: "Value", name: "Opening, and what good play makes of it" },
  verdict: (name, value, line) => `${name}: good play by both sides leaves ${favours(value)}${line ? `, by ${line}` : ""}.`,
  shortVerdict: (value, line) => `${capital(favours(value))}${line ? ` after ${line}` : ""}.`,
  below: (positions) => `${whole(positions)} openings follow.`,
  canonical: (moves) => `Named by its moves from f5: ${moves}.`,
  unnamed: "An opening outside the book",
};
