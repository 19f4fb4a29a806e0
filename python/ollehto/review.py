"""Reviews of games: what each move was worth, what would have been better, and which moves decided the game."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _native
from ._native import Board
from .engine import Line, Rules, limits, table_size, thread_count
from .progress import Progress, reporter

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class ReviewedMove:
    """A move that was played. Values are in discs for the side that moves."""

    #: From 1, without passes; None of a pass.
    number: int | None
    #: ``"black"`` or ``"white"``.
    color: str
    #: Before the move.
    board: Board
    played: str
    value: float
    best: str
    best_value: float
    #: What the move gives away; never negative.
    loss: float
    #: ``"good"``, ``"inaccuracy"``, ``"mistake"`` or ``"blunder"``.
    judgement: str
    #: The outcome before and after, if the move changed it.
    turning_point: tuple[str, str] | None
    #: Whether the values are results of perfect play.
    exact: bool
    depth: int
    #: ``"opening"``, ``"middle"`` or ``"end"``.
    stage: str
    #: Whether there was no other move.
    forced: bool
    played_line: tuple[str, ...]
    #: The best moves, best first.
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Review:
    """A reviewed game."""

    rules: Rules
    start: Board
    moves: tuple[ReviewedMove, ...]
    #: The last position.
    last: Board
    #: Its best lines, unless the game is over.
    last_lines: tuple[Line, ...]
    #: For Black in discs; None if the game is unfinished.
    result: int | None
    #: For ``"black"`` and ``"white"``: ``moves``, ``mean_loss``, ``accuracy`` in percent, ``inaccuracies``, ``mistakes``,
    #: ``blunders``, ``worst`` (the number of a move), and the same for ``opening``, ``middle`` and ``end``.
    summary: dict[str, dict[str, Any]]

    @property
    def turning_points(self) -> tuple[ReviewedMove, ...]:
        """The moves that changed who wins."""
        return tuple(move for move in self.moves if move.turning_point)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each move."""
        import pandas

        names = ("number", "color", "played", "value", "best", "best_value", "loss", "judgement", "exact", "depth", "stage")
        rows = [{name: getattr(move, name) for name in names} | {"board": str(move.board)} for move in self.moves]
        return pandas.DataFrame(rows, columns=[*names, "board"])


def _lines(records: list[dict[str, Any]]) -> tuple[Line, ...]:
    return tuple(Line(record["value"], tuple(record["line"])) for record in records)


def _move(record: dict[str, Any]) -> ReviewedMove:
    turning_point = record["turning_point"]
    return ReviewedMove(
        number=record["move"],
        color=record["color"],
        board=Board.from_text(record["position"]),
        played=record["played"],
        value=record["value"],
        best=record["best"],
        best_value=record["best_value"],
        loss=record["loss"],
        judgement=record["judgement"],
        turning_point=None if turning_point is None else (turning_point[0], turning_point[1]),
        exact=record["exact"],
        depth=record["depth"],
        stage=record["stage"],
        forced=record["forced"],
        played_line=tuple(record["played_line"]),
        lines=_lines(record["lines"]),
    )


def analyze(
    game: str,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    level: int | None = None,
    time: float | None = None,
    lines: int = 1,
    rules: Rules | None = None,
    size: int | None = None,
    threads: int | None = None,
    hash: int = 128,
    weights: str | os.PathLike[str] | None = None,
    progress: bool | Progress = False,
) -> Review:
    """Reviews a game backwards from its end, as ``ollehto analyze`` does.

    :param game: moves such as ``"f5d6c3"``, a GGF record or a position.
    :param time: for each position; a second unless there is another limit.
    :param lines: how many of the best moves are wanted.
    :param rules: of a game that does not tell its own; without them such a GGF record is standard, any other game reversed.
    :param size: the board of moves; without it 8, or another one if the first move is legal there only.
    :param progress: True for a line on standard error, or a function of done and total.

    >>> from ollehto import analyze
    >>> review = analyze("b1c1d2a1a2", size=4)
    >>> [(move.played, move.loss, move.judgement) for move in review.turning_points]
    [('a2', 8.0, 'blunder')]
    """
    found = _native.analyze(
        game,
        rules,
        size,
        limits(depth, nodes, level, time),
        lines,
        thread_count(threads),
        table_size(hash),
        None if weights is None else os.fspath(weights),
        reporter(progress, "positions"),
    )
    records = [json.loads(line) for line in found.splitlines()]
    last = next(record for record in records if record["type"] == "position")
    whole = records[-1]
    moves = sorted((record for record in records if record["type"] == "move"), key=lambda record: record["ply"])
    return Review(
        rules=whole["rules"],
        start=Board.from_text(whole["start"]),
        moves=tuple(_move(record) for record in moves),
        last=Board.from_text(last["position"]),
        last_lines=_lines(last["lines"]),
        result=whole["result"],
        summary=whole["summary"],
    )
