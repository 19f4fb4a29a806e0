"""Searches: an engine with its table, and searches that run in the background."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from . import _native
from ._native import Board

Rules = Literal["reversed", "standard"]
Move = str | int | tuple[int, int]


def processors() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def limits(
    depth: int | None = None,
    nodes: int | None = None,
    level: int | None = None,
    time: float | None = None,
    clock: float | None = None,
    increment: float = 0.0,
) -> dict[str, Any]:
    return {"depth": depth, "nodes": nodes, "level": level, "time": time, "clock": clock, "increment": increment}


def thread_count(threads: int | None) -> int:
    if threads is None:
        return processors()
    if threads < 1:
        raise ValueError(f"threads: at least 1, not {threads}")
    return threads


def table_size(hash: int) -> int:
    if not 0 <= hash <= 1 << 24:
        raise ValueError(f"hash: from 0 MiB to 16 TiB, not {hash}")
    return hash


@dataclass(frozen=True)
class Line:
    """A principal variation."""

    #: In discs for the side to move; positive is good.
    value: float
    moves: tuple[str, ...]


@dataclass(frozen=True)
class SearchResult:
    """What a search has found: its last completed iteration, or one before that."""

    #: In discs to place.
    depth: int
    #: Of the selective search, in percent; 100 is without selective cuts.
    confidence: int
    #: Whether the values are results of perfect play.
    exact: bool
    nodes: int
    #: Since the search began.
    seconds: float
    #: Best first; empty if the game is over.
    lines: tuple[Line, ...]

    @property
    def best(self) -> str | None:
        """The best move, ``"pass"`` if there is no other; None if the game is over."""
        return self.lines[0].moves[0] if self.lines else None

    @property
    def value(self) -> float | None:
        """The value of the best move in discs for the side to move."""
        return self.lines[0].value if self.lines else None

    @property
    def reply(self) -> str | None:
        """The move to ponder on."""
        return self.lines[0].moves[1] if self.lines and len(self.lines[0].moves) > 1 else None


def _result(found: _native._IterationTuple) -> SearchResult:
    depth, confidence, exact, nodes, seconds, lines = found
    return SearchResult(
        depth, confidence, exact, nodes, seconds, tuple(Line(value, tuple(moves)) for value, moves in lines)
    )


class Search:
    """A search that runs in the background; :meth:`Engine.start` begins it.

    It stops when it is told to, at the end of a ``with`` block, or when nobody refers to it any more. Iterating waits for
    each completed iteration.
    """

    def __init__(self, native: _native.Search) -> None:
        self._native = native

    def stop(self) -> None:
        """Ends the search at once; its result is what it has found so far."""
        self._native.stop()

    def set_limits(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        level: int | None = None,
        time: float | None = None,
        clock: float | None = None,
        increment: float = 0.0,
    ) -> None:
        """Replaces the limits without restarting: after a ponder hit. Time and nodes count from now on."""
        self._native.set_limits(limits(depth, nodes, level, time, clock, increment))

    @property
    def done(self) -> bool:
        return self._native.is_done()

    @property
    def nodes(self) -> int:
        """Searched so far."""
        return self._native.nodes()

    def iterations(self) -> list[SearchResult]:
        """Those completed so far."""
        return [_result(found) for found in self._native.iterations(0)]

    def result(self, timeout: float | None = None) -> SearchResult:
        """Waits for the end of the search, at most ``timeout`` seconds: then a `TimeoutError` follows, and it goes on."""
        never = 1 << 62
        if not self._native.wait(never, timeout):
            raise TimeoutError(f"the search goes on after {timeout} seconds")
        found = self._native.result()
        assert found is not None
        return _result(found)

    def __iter__(self) -> Iterator[SearchResult]:
        seen, done = 0, False
        while not done:
            done = self._native.wait(seen, None)
            for found in self._native.iterations(seen):
                seen += 1
                yield _result(found)

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.result()


class Engine:
    """A player with a transposition table of its own.

    :param rules: who wins: ``"reversed"``, the fewest discs, or ``"standard"``, the most.
    :param threads: of each search; None is one for each processor.
    :param hash: MiB of table. It is kept from search to search: :meth:`clear` forgets.
    :param weights: a file of weights, or ``"hand-made"``; None is the shipped ones.
    :param opponent: the name of another player (`opponents` lists them) instead of the engine.
    :param seed: of that player.

    It runs one search at a time: another one begins when that has ended. All calls release the interpreter lock while they
    wait, and Ctrl-C ends them.

    >>> from ollehto import Board, Engine
    >>> engine = Engine(threads=1)
    >>> found = engine.search(Board(4))
    >>> found.best, found.value, found.exact
    ('b1', 4.0, True)
    """

    def __init__(
        self,
        rules: Rules = "reversed",
        *,
        threads: int | None = None,
        hash: int = 128,
        weights: str | os.PathLike[str] | None = None,
        opponent: str | None = None,
        seed: int = 0,
    ) -> None:
        if rules not in ("reversed", "standard"):
            raise ValueError(f"rules: expected reversed or standard, not {rules!r}")
        self.rules: Rules = rules
        if opponent is None:
            path = None if weights is None else os.fspath(weights)
            self._native = _native.Engine(thread_count(threads), table_size(hash), path, False)
        else:
            self._native = _native.Engine.opponent(opponent, seed)

    def start(
        self,
        board: Board,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        level: int | None = None,
        time: float | None = None,
        clock: float | None = None,
        increment: float = 0.0,
        lines: int = 1,
        include: Move | None = None,
        elo: int | None = None,
        seed: int = 0,
    ) -> Search:
        """Begins a search in the background. The arguments are those of :meth:`search`."""
        given = limits(depth, nodes, level, time, clock, increment)
        return Search(self._native.start(board, self.rules, given, lines, include, "best", elo, seed))

    def ponder(self, board: Board, *, lines: int = 1) -> Search:
        """Begins a search without limits, on the opponent's time or for analysis.

        :meth:`Search.set_limits` turns it into a search for a move when the opponent plays as expected.
        """
        return Search(self._native.start(board, self.rules, None, lines, None, "best", None, 0))

    def search(
        self,
        board: Board,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        level: int | None = None,
        time: float | None = None,
        clock: float | None = None,
        increment: float = 0.0,
        lines: int = 1,
        include: Move | None = None,
        elo: int | None = None,
        seed: int = 0,
        on_iteration: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Searches for the best moves. The tightest limit decides; without any it takes a second.

        :param depth: in plies.
        :param level: plies in the midgame, with perfect play from twice as many empty squares on.
        :param time: in seconds.
        :param clock: seconds left for the game, with ``increment`` seconds for each move.
        :param lines: how many of the best moves get a value.
        :param include: a move that gets a value too, whatever it is worth.
        :param elo: plays as weakly as this rating, from 800 to 3200; ``seed`` decides which mistakes it makes.
        :param on_iteration: called with each completed iteration. An exception of it stops the search.
        """
        search = self.start(
            board,
            depth=depth,
            nodes=nodes,
            level=level,
            time=time,
            clock=clock,
            increment=increment,
            lines=lines,
            include=include,
            elo=elo,
            seed=seed,
        )
        return wait_for(search, on_iteration)

    def clear(self) -> None:
        """Forgets what earlier searches have found."""
        self._native.clear()


def wait_for(search: Search, on_iteration: Callable[[SearchResult], object] | None) -> SearchResult:
    """Waits for the result. Whatever interrupts this, such as Ctrl-C, stops the search."""
    try:
        if on_iteration is not None:
            for found in search:
                on_iteration(found)
        return search.result()
    except BaseException:
        search.stop()
        raise


@dataclass(frozen=True)
class Solution:
    """Perfect play from a position."""

    #: In discs for the side to move. With ``wld`` a bound on the same side of a draw.
    score: int
    #: ``"win"``, ``"draw"`` or ``"loss"`` for the side to move.
    outcome: str
    #: None if the game is over.
    best: str | None
    line: tuple[str, ...]
    nodes: int
    seconds: float


def solve(
    board: Board,
    *,
    rules: Rules = "reversed",
    wld: bool = False,
    threads: int | None = None,
    hash: int | None = None,
    weights: str | os.PathLike[str] | None = None,
    on_iteration: Callable[[SearchResult], object] | None = None,
) -> Solution:
    """Plays a position out perfectly. Ctrl-C gives up.

    :param wld: only whether it is a win, a draw or a loss, which is quicker.
    :param hash: MiB of table; None is what the position is worth, at most 64.

    >>> from ollehto import Board, solve
    >>> solve(Board(4)).score, solve(Board(4), rules="standard").score
    (4, -10)
    """
    mebibytes = _native.table_to_solve(rules, board.empties) if hash is None else table_size(hash)
    path = None if weights is None else os.fspath(weights)
    engine = _native.Engine(thread_count(threads), mebibytes, path, True)
    mode = "wld" if wld else "best"
    found = wait_for(Search(engine.start(board, rules, None, 1, None, mode, None, 0)), on_iteration)
    line: tuple[str, ...] = found.lines[0].moves if found.lines else ()
    score = (board.result(rules) or 0) if found.value is None else round(found.value)
    outcome = "win" if score > 0 else "loss" if score < 0 else "draw"
    return Solution(score, outcome, found.best, line, found.nodes, found.seconds)


def opponents() -> dict[str, str]:
    """The named opponents with a line about each, the simplest first."""
    return dict(_native.opponents())
