"""Games of an agent against an opponent, with colours swapped."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from .. import BLACK, WHITE, Board, Engine, opponents
from ..engine import Rules
from .judge import Fault, judge
from .process import AgentError, AgentProcess

COLOR_NAMES = {BLACK: "Black", WHITE: "White"}


class Opponent(Protocol):
    """Who an agent plays against."""

    name: str

    def begin(self, size: int, color: int) -> None: ...

    def move(self, board: Board, place: str) -> tuple[str | None, list[Fault]]:
        """The move of a side that has to name one, passes included; none if it is illegal. And its faults."""
        ...

    def close(self) -> None: ...


class EngineOpponent:
    """The engine at some strength, or a named opponent."""

    def __init__(self, name: str, rules: Rules, time: float, seed: int) -> None:
        kind, _, number = name.partition(":")
        self.name = name
        self._random = random.Random(seed)
        self._limits: dict[str, int | float] = {"time": time}
        if kind in ("elo", "level", "depth"):
            if not number.isdecimal():
                raise ValueError(f"{name}: write a number, such as {kind}:{1500 if kind == 'elo' else 6}")
            self._limits = {kind: int(number)}
            self._engine = Engine(rules, threads=1, hash=16)
        elif name == "engine":
            self._engine = Engine(rules, threads=1, hash=16)
        elif name in opponents():
            self._engine = Engine(rules, opponent=name, seed=seed)
        else:
            known = ", ".join(["engine", "elo:N", "level:N", "depth:N", *opponents()])
            raise ValueError(f"{name}: there is no such opponent or file; there are {known}, or another agent.py")
        # A wrong number is told at once.
        self._engine.search(Board(4), **self._limits)  # type: ignore[arg-type]

    def begin(self, size: int, color: int) -> None:
        self._engine.clear()

    def move(self, board: Board, place: str) -> tuple[str | None, list[Fault]]:
        seed = self._random.getrandbits(32)
        return self._engine.search(board, seed=seed, **self._limits).best, []  # type: ignore[arg-type]

    def close(self) -> None:
        pass


class AgentOpponent:
    """An agent of the course."""

    def __init__(self, process: AgentProcess, name: str, time_out: float) -> None:
        self.name = name
        self.process = process
        self.time_out = time_out

    def begin(self, size: int, color: int) -> None:
        self.process.begin(size, color, self.time_out)

    def move(self, board: Board, place: str) -> tuple[str | None, list[Fault]]:
        move, faults = judge(board, self.process.go(board.to_numpy().tolist()), place, self.time_out)
        return ("pass" if board.must_pass else move), faults

    def close(self) -> None:
        self.process.close()


@dataclass
class Game:
    """A game of the agent, perhaps up to a forfeit."""

    number: int
    #: Of the agent.
    color: int
    start: Board
    #: Random moves that the arena plays first.
    opening: list[str]
    moves: list[str] = field(default_factory=list)
    #: In discs for the agent; positive is a win.
    result: int = 0
    is_over: bool = False
    #: Who made no legal move, if one did.
    forfeit_by: str | None = None
    #: Why the opponent could not play on; that is no fault of the agent.
    opponent_problem: str | None = None
    #: Of the agent.
    faults: list[Fault] = field(default_factory=list)

    @property
    def discs_placed(self) -> int:
        """The number of the last move: passes have none."""
        return sum(move != "pass" for move in [*self.opening, *self.moves])

    def text(self) -> str:
        """All moves in the form that ``ollehto analyze`` reads."""
        return "".join("pa" if move == "pass" else move for move in [*self.opening, *self.moves])


def random_opening(size: int, plies: int, generator: random.Random) -> list[str]:
    board, moves = Board(size), []
    for _ in range(plies):
        moves.append(generator.choice(board.moves()))
        board = board.play(moves[-1])
    return moves


def forfeit(game: Game, player: Opponent, agent: AgentOpponent) -> None:
    game.forfeit_by = player.name
    game.is_over = True
    squares = game.start.size**2
    game.result = -squares if player is agent else squares


def play(
    game: Game, agent: AgentOpponent, opponent: Opponent, rules: Rules, on_move: Callable[[Game], object]
) -> None:
    """Plays a game to its end or to the first move that is none."""
    board = game.start
    for opened in game.opening:
        board = board.play(opened)
    players: dict[int, Opponent] = {game.color: agent, -game.color: opponent}
    player: Opponent = agent
    try:
        for color, player in players.items():
            player.begin(board.size, color)
        while not board.is_over:
            player = players[board.to_move]
            place = f"game {game.number}, move {game.discs_placed + 1}"
            move, faults = player.move(board, place)
            if player is agent:
                game.faults += faults
            if move is None:
                forfeit(game, player, agent)
                return
            game.moves.append(move)
            board = board.play(move)
            on_move(game)
    except AgentError as error:
        # Of the player that was asked last.
        forfeit(game, player, agent)
        if player is agent:
            game.faults.append(Fault("error", str(error), f"game {game.number}", board))
        else:
            game.opponent_problem = str(error)
        return
    game.result = board.result(rules, game.color) or 0
    game.is_over = True
