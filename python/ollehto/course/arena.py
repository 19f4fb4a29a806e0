"""Plays your agent of the course against others: reports what the arena would punish, and reviews what it lost where.

    ollehto-course agent.py --against minimax3
    ollehto-course agent.py --against elo:1500 --pairs 3
    ollehto-course agent.py --against other_agent.py

First the agent names its candidates in ten positions, one of them without a legal move. Then come pairs of games with
colours swapped: the first from the start position, the others after a few random moves. At the end the engine reviews the
games. The exit code is 0 if nothing is wrong, 1 if something is, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import sys
from collections import Counter

from .. import BLACK, WHITE, Board, Review, ReviewedMove, analyze, opponents
from ..engine import Rules
from .game import COLOR_NAMES, AgentOpponent, EngineOpponent, Game, Opponent, play, random_opening
from .judge import Fault, judge
from .process import AgentError, AgentProcess

POSITIONS = 10
RANDOM_MOVES = 4
#: Faults of a kind that are shown in full.
SHOWN = 3
#: Moves of a game that a review shows.
WORST = 3


def arguments(given: list[str] | None) -> argparse.Namespace:
    known = "\n".join(f"  {name:18} {about}" for name, about in opponents().items())
    parser = argparse.ArgumentParser(
        prog="ollehto-course",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"opponents:\n  engine, elo:N, level:N, depth:N, another agent.py, or\n{known}",
    )
    parser.add_argument("agent", help="your file, with a class AI(chessboard_size, color, time_out)")
    parser.add_argument("--against", default="random", metavar="NAME", help="the opponent (random)")
    parser.add_argument("--pairs", type=int, default=1, metavar="N", help="pairs of games (1)")
    parser.add_argument("--time-out", type=float, default=5.0, metavar="S", help="seconds for a move (5)")
    parser.add_argument("--time", type=float, default=0.5, metavar="S", help="seconds for a move of the opponent (0.5)")
    parser.add_argument("--memory", type=float, default=100.0, metavar="MB", help="peak memory that is allowed (100)")
    parser.add_argument("--size", type=int, default=8, choices=(4, 6, 8), help="squares on a side (8)")
    parser.add_argument("--rules", default="reversed", choices=("reversed", "standard"), help="who wins (reversed)")
    parser.add_argument("--level", type=int, default=8, metavar="N", help="level of the review; 0 is none (8)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (1)")
    options = parser.parse_args(given)
    if not os.path.isfile(options.agent):
        parser.error(f"{options.agent}: there is no such file")
    if options.pairs < 0 or options.time_out <= 0 or options.time <= 0 or not 0 <= options.level <= 60:
        parser.error("--pairs from 0, --time-out and --time above 0, --level from 0 to 60")
    return options


def random_game(size: int, generator: random.Random) -> list[Board]:
    boards = [Board(size)]
    while not boards[-1].is_over:
        boards.append(boards[-1].play(generator.choice(boards[-1].moves())))
    return boards[:-1]


def check_positions(size: int, seed: int) -> list[Board]:
    """One position of each random game, the last one without a legal move."""
    generator = random.Random(seed)
    found: list[Board] = []
    passing: Board | None = None
    while len(found) < POSITIONS - 1 or passing is None:
        game = random_game(size, generator)
        passing = passing or next((board for board in game if board.must_pass), None)
        found.append(generator.choice([board for board in game if not board.must_pass]))
    return [*found[: POSITIONS - 1], passing]


def check(agent: AgentOpponent, size: int, seed: int) -> list[Fault]:
    """The usability test: the candidates of single positions."""
    faults: list[Fault] = []
    right = 0
    positions = check_positions(size, seed)
    for number, board in enumerate(positions, 1):
        agent.process.begin(size, board.to_move, agent.time_out)
        answer = agent.process.go(board.to_numpy().tolist())
        found = judge(board, answer, f"position {number}", agent.time_out)[1]
        right += not found
        faults += found
    print(f"Candidates: {right} of {len(positions)} positions right")
    return faults


def make_opponent(options: argparse.Namespace) -> Opponent:
    if os.path.isfile(options.against):
        process = AgentProcess(options.against)
        return AgentOpponent(process, os.path.basename(options.against), options.time_out)
    return EngineOpponent(options.against, options.rules, options.time, options.seed)


def show_progress(game: Game) -> None:
    if sys.stderr.isatty():
        print(f"\rgame {game.number}, move {game.discs_placed}\x1b[K", end="", file=sys.stderr)


def outcome(game: Game) -> str:
    word = "won" if game.result > 0 else "lost" if game.result < 0 else "drew"
    forfeit = f" ({game.forfeit_by} made no legal move)" if game.forfeit_by else ""
    return f"{word} {game.result:+d}{forfeit}"


def play_games(agent: AgentOpponent, opponent: Opponent, options: argparse.Namespace, games: list[Game]) -> None:
    """Adds each game as soon as it begins, so that Ctrl-C loses none."""
    generator = random.Random(options.seed)
    for pair in range(options.pairs):
        opening = random_opening(options.size, RANDOM_MOVES, generator) if pair else []
        for color in (BLACK, WHITE):
            game = Game(len(games) + 1, color, Board(options.size), opening)
            games.append(game)
            play(game, agent, opponent, options.rules, show_progress)
            if sys.stderr.isatty():
                print("\r\x1b[K", end="", file=sys.stderr)
            print(f"Game {game.number}: {agent.name} as {COLOR_NAMES[color]} {outcome(game)}: {game.text()}", flush=True)
            if game.opponent_problem is not None:
                print(f"{opponent.name} cannot play, which is no fault of yours: {game.opponent_problem}")


def describe(move: ReviewedMove) -> str:
    turning = f", {move.turning_point[0]} to {move.turning_point[1]}" if move.turning_point else ""
    kind = "exact" if move.exact else f"depth {move.depth}"
    line = " ".join(move.lines[0].moves[:8])
    return (
        f"  move {move.number}: {move.played} ({move.value:+.1f}) lost {move.loss:.1f} discs{turning}; "
        f"better {move.best} ({move.best_value:+.1f}, {kind}): {line}"
    )


def review(game: Game, rules: Rules, size: int, level: int) -> Review | None:
    """Prints what the agent lost where. None if it made no move."""
    if not game.moves:
        return None
    found = analyze(game.text(), rules=rules, size=size, level=level, hash=16)
    color = COLOR_NAMES[game.color].lower()
    own = [move for move in found.moves[len(game.opening) :] if move.color == color]
    bad = sorted((move for move in own if move.loss >= 2), key=lambda move: -move.loss)[:WORST]
    accuracy = found.summary[color]["accuracy"]
    said = "no choice" if accuracy is None else f"accuracy {accuracy:.0f} %"
    print(f"Game {game.number}, {said}, mean loss {found.summary[color]['mean_loss'] or 0:.2f} discs")
    for move in sorted(bad, key=own.index):
        print(describe(move))
        print("\n".join(f"    {line}" for line in move.board.diagram().splitlines()))
    return found


def peak(memory: float | None) -> str:
    if memory is None:
        return "Peak memory unknown: this system does not tell it, so --memory was not checked (Linux does)"
    return f"Peak memory {memory:.0f} MB"


def summary(agent: AgentOpponent, opponent_name: str, games: list[Game], faults: list[Fault]) -> None:
    ended = [game for game in games if game.is_over]
    won = sum(game.result > 0 for game in ended)
    lost = sum(game.result < 0 for game in ended)
    print(f"{agent.name} against {opponent_name}: {won} won, {len(ended) - won - lost} drawn, {lost} lost")
    print(peak(agent.process.memory))
    counts = Counter(fault.kind for fault in faults)
    print("Faults: " + (", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "none"))
    shown: Counter[str] = Counter()
    for fault in faults:
        shown[fault.kind] += 1
        if shown[fault.kind] <= SHOWN:
            print(fault)


def run(options: argparse.Namespace, process: AgentProcess, opponent: Opponent) -> int:
    agent = AgentOpponent(process, os.path.basename(options.agent), options.time_out)
    games: list[Game] = []
    faults: list[Fault] = []
    interrupted = False
    try:
        faults += check(agent, options.size, options.seed)
        play_games(agent, opponent, options, games)
        if options.level:
            for game in games:
                review(game, options.rules, options.size, options.level)
    except KeyboardInterrupt:
        interrupted = True
        print("\ninterrupted; what is known so far:")
    faults += [fault for game in games for fault in game.faults]
    if process.memory is not None and process.memory > options.memory:
        text = f"{process.memory:.0f} MB at most, more than {options.memory:g} MB"
        faults.append(Fault("memory", text, "all games"))
    summary(agent, opponent.name, games, faults)
    return 130 if interrupted else 1 if faults else 0


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    try:
        with contextlib.closing(make_opponent(options)) as opponent, AgentProcess(options.agent) as process:
            return run(options, process, opponent)
    except (AgentError, ValueError) as error:
        print(f"ollehto-course: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
