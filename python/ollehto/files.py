"""Files of the program as arrays and tables: recorded games, journals of matches, weights."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native
from .engine import Rules

if TYPE_CHECKING:
    import pandas

Path = str | os.PathLike[str]

#: A position of a recorded game.
POSITION = np.dtype(
    [
        ("own", "<u8"),  # discs of the side to move; bit 0 is a1, bit 63 h8
        ("opponent", "<u8"),
        ("game", "<i8"),  # from 0, counted over all files
        ("value", "<f4"),  # of the search in discs for the side to move; nan if there is none
        ("result", "i1"),  # of the game in discs for the side to move
        ("empties", "u1"),
        ("move", "u1"),  # the one played, row by row from 0 for a1
        ("fair", "?"),  # whether the result says something about the position
        ("solved", "?"),  # whether the result is the true value
        ("detour", "?"),  # whether the move is another than the best
    ]
)

_RECORD = np.dtype(
    [("own", "<u8"), ("opponent", "<u8"), ("result", "i1"), ("value", "i1"), ("empties", "u1"), ("move", "u1")]
)
_NO_VALUE = -128


@dataclass(frozen=True)
class GameRecords:
    """The positions of recorded games after their random moves, in the order of play."""

    #: None if there are no games.
    rules: Rules | None
    #: How the games were played; one text for each different setting.
    settings: tuple[str, ...]
    #: An array of `POSITION`.
    positions: npt.NDArray[Any]

    def bitboards(self) -> npt.NDArray[np.uint64]:
        """The boards in the form that `label` takes."""
        return np.stack([self.positions["own"], self.positions["opponent"]], axis=1).astype(np.uint64)

    def to_pandas(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame({name: self.positions[name] for name in POSITION.names or ()})


def read_games(paths: Path | Iterable[Path]) -> GameRecords:
    """Reads files of recorded games (``.olg``), as ``ollehto selfplay`` writes them. All are by the same rules."""
    files = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    data, rules, settings = _native.read_games([os.fspath(path) for path in files])
    records = np.frombuffer(data, dtype=_RECORD)
    positions = np.empty(len(records), dtype=POSITION)
    for name in ("own", "opponent", "result"):
        positions[name] = records[name]
    positions["value"] = np.where(records["value"] == _NO_VALUE, np.nan, records["value"] / 2)
    positions["empties"] = records["empties"] & 63
    positions["fair"] = records["empties"] & 64 != 0
    positions["solved"] = records["empties"] & 128 != 0
    positions["move"] = records["move"] & 63
    positions["detour"] = records["move"] & 64 != 0
    positions["game"] = np.cumsum(records["move"] & 128 != 0) - 1
    return GameRecords(rules, tuple(settings), positions)


@dataclass(frozen=True)
class Journal:
    """The journal of a match."""

    #: The settings of the match.
    header: dict[str, Any]
    #: By their number; a game has the fields of the file.
    games: tuple[dict[str, Any], ...]

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each game."""
        import pandas

        rows = []
        for game in self.games:
            row = {name: game[name] for name in ("number", "black", "white", "start", "opening", "score")}
            seconds = [[move["seconds"] for move in game["moves"][side::2]] for side in (0, 1)]
            first_is_white = _white_begins(game)
            ending = game["ending"]
            row |= {
                "pair": game["number"] // 2,
                "moves": "".join(_short(move["move"]) for move in game["moves"]),
                "ending": ending["kind"],
                "reason": ending.get("reason"),
                "by": ending.get("by"),
                "black_seconds": sum(seconds[first_is_white]),
                "white_seconds": sum(seconds[not first_is_white]),
            }
            rows.append(row)
        return pandas.DataFrame(rows)

    def moves_to_pandas(self) -> pandas.DataFrame:
        """A row for each move of the players; the evaluation is the player's own, in discs."""
        import pandas

        rows = []
        for game in self.games:
            first_is_white = _white_begins(game)
            for ply, move in enumerate(game["moves"]):
                is_white = (ply % 2 == 1) != first_is_white
                rows.append(
                    {
                        "game": game["number"],
                        "ply": ply,
                        "player": game["white" if is_white else "black"],
                        "color": "white" if is_white else "black",
                        "move": move["move"],
                        "seconds": move["seconds"],
                        "eval": move.get("eval"),
                        "depth": move.get("depth"),
                    }
                )
        return pandas.DataFrame(rows)


def _short(move: str) -> str:
    return "pa" if move == "pass" else move


def _white_begins(game: dict[str, Any]) -> bool:
    """Whether White makes the first move after the opening; passes count as moves, so that sides alternate."""
    plies = len(game["opening"]) // 2
    return str(game["start"]).endswith("O") != (plies % 2 == 1)


def read_journal(path: Path) -> Journal:
    """Reads the journal of a match, as ``ollehto match`` writes it. A last line that a kill has torn is left out."""
    contents = json.loads(_native.read_journal(os.fspath(path)))
    return Journal(contents["header"], tuple(contents["games"]))


@dataclass(frozen=True)
class HiddenLayer:
    """A hidden layer on the patterns: sums of rows, cut off and squared, weighed by the stage."""

    #: Of shape (27, 32), in 1/128.
    bias: npt.NDArray[np.int16]
    #: Of shape (27, 32), in 1/512 disc.
    output: npt.NDArray[np.int16]
    #: Of shape (rows, 32), in 1/128.
    rows: npt.NDArray[np.int8]


@dataclass(frozen=True)
class Weights:
    """The weights of an evaluation. Mirror images of a pattern share one."""

    rules: Rules
    #: How they were made, for people to read.
    origin: str
    #: The value of being to move by the number of empty squares, in discs.
    tempo: npt.NDArray[np.float32]
    #: The weights of each stage in discs, of shape (27, weights).
    stages: npt.NDArray[np.float32]
    #: The least and the greatest number of empty squares of each stage.
    empties: tuple[tuple[int, int], ...]
    #: Where the weights of each shape lie in a stage; ``own-moves`` and ``other-moves`` are by the number of moves.
    parts: dict[str, slice]
    #: None if there is none.
    hidden: HiddenLayer | None

    def part(self, name: str) -> npt.NDArray[np.float32]:
        """The weights of one shape in all stages."""
        if name not in self.parts:
            raise ValueError(f"name: {name!r} is none of {', '.join(self.parts)}")
        return self.stages[:, self.parts[name]]

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each shape and stage: how many weights there are and how large they are, in discs."""
        import pandas

        rows = [
            {
                "shape": name,
                "least_empties": least,
                "greatest_empties": most,
                "weights": len(weights),
                "used": int(np.count_nonzero(weights)),
                "rms": float(np.sqrt(np.mean(np.square(weights)))),
                "min": float(weights.min()),
                "max": float(weights.max()),
            }
            for name in self.parts
            for (least, most), weights in zip(self.empties, self.part(name))
        ]
        return pandas.DataFrame(rows)


#: Units of a weight in a disc.
_UNITS = 64


def read_weights(path: Path | None = None, *, rules: Rules = "reversed") -> Weights:
    """Reads a file of weights (``.weights``); without a path the shipped ones for these rules.

    >>> from ollehto import read_weights
    >>> read_weights().part("own-moves").shape
    (27, 40)
    """
    found = _native.read_weights(None if path is None else os.fspath(path), rules)

    def discs(name: str) -> npt.NDArray[np.float32]:
        return np.frombuffer(found[name], dtype="<i2").astype(np.float32) / np.float32(_UNITS)

    empties = tuple(found["empties"])
    hidden = None
    if "hidden_rows" in found:
        hidden = HiddenLayer(
            np.frombuffer(found["hidden_bias"], dtype="<i2").reshape(len(empties), -1),
            np.frombuffer(found["hidden_output"], dtype="<i2").reshape(len(empties), -1),
            np.frombuffer(found["hidden_rows"], dtype="i1").reshape(-1, 32),
        )
    return Weights(
        found["rules"],
        found["origin"],
        discs("tempo"),
        discs("stages").reshape(len(empties), -1),
        empties,
        {name: slice(start, end) for name, start, end in found["parts"]},
        hidden,
    )
