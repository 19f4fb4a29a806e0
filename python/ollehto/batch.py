"""Many positions on all cores.

Every function here is deterministic: what it finds for a board depends on the board and the arguments only, not on the
other boards, their order, the number of threads or an earlier call. Each search has one thread and an empty table.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._native import Board
from .engine import Rules, limits, table_size, thread_count
from .progress import Progress, reporter

BLACK = -1
WHITE = 1
EMPTY = 0

#: What `label` and `solve_many` find for a board.
LABEL = np.dtype(
    [
        ("value", "<f4"),  # in discs for the side to move; the sign alone with wld
        ("move", "i1"),  # row by row from 0 for a1; the number of squares is a pass; -1 if the game is over
        ("depth", "u1"),  # in discs to place
        ("confidence", "u1"),  # of the selective search in percent
        ("exact", "?"),  # whether the value is the result of perfect play
        ("nodes", "<u8"),
        ("done", "?"),
    ]
)

#: Boards as an array of shape (n, 2) of uint64, of shape (n, size, size), or as a sequence of `Board`.
Boards = npt.NDArray[Any] | Sequence[Board]


def pack(cells: npt.NDArray[Any], to_move: int | npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """Turns cells of shape (n, size, size) into bitboards of shape (n, 2): the side to move, and its opponent.

    :param cells: -1 a black disc, 1 a white one, 0 an empty square.
    :param to_move: -1 for Black, 1 for White; one for all boards, or an array.

    >>> import numpy as np
    >>> from ollehto import BLACK, Board, pack
    >>> pack(Board().to_numpy()[np.newaxis], BLACK)
    array([[34628173824, 68853694464]], dtype=uint64)
    """
    cells = np.asarray(cells)
    if cells.ndim != 3 or cells.shape[1] != cells.shape[2] or cells.shape[1] not in (4, 6, 8):
        raise ValueError(f"cells: the shape is {cells.shape}, not (n, 8, 8), (n, 6, 6) or (n, 4, 4)")
    if not np.isin(cells, (BLACK, EMPTY, WHITE)).all():
        raise ValueError("cells: -1 is a black disc, 1 a white one, 0 an empty square, and nothing else")
    sides = np.broadcast_to(np.asarray(to_move), (len(cells),))
    if not np.isin(sides, (BLACK, WHITE)).all():
        raise ValueError("to_move: -1 is Black and 1 is White, and nothing else")
    # An unsigned one has no opposite.
    sides = sides.astype(np.int8)
    margin = (8 - cells.shape[1]) // 2
    full = np.pad(cells, ((0, 0), (margin, margin), (margin, margin))).reshape(len(cells), 64)
    own = full == sides[:, np.newaxis]
    opponent = full == -sides[:, np.newaxis]
    bits = np.packbits(np.stack([own, opponent], axis=1), axis=2, bitorder="little")
    return bits.view("<u8").reshape(len(cells), 2).astype(np.uint64)


def unpack(boards: npt.NDArray[Any], *, size: int = 8, to_move: int | npt.ArrayLike = BLACK) -> npt.NDArray[np.int8]:
    """The inverse of `pack`: cells of shape (n, size, size)."""
    rows = bitboards(boards, size)[0].astype("<u8")
    bits = np.unpackbits(rows.view(np.uint8).reshape(len(rows), 2, 8), axis=2, bitorder="little").astype(np.int8)
    sides = np.broadcast_to(np.asarray(to_move, dtype=np.int8), (len(rows),))
    full = ((bits[:, 0] - bits[:, 1]) * sides[:, np.newaxis]).reshape(len(rows), 8, 8)
    margin = (8 - size) // 2
    return np.ascontiguousarray(full[:, margin : 8 - margin, margin : 8 - margin])


def bitboards(
    boards: Boards, size: int | None = None, to_move: int | npt.ArrayLike | None = None
) -> tuple[npt.NDArray[np.uint64], int]:
    """Boards in any form as an array of shape (n, 2), and their size."""
    if isinstance(boards, np.ndarray):
        if boards.ndim == 3:
            if to_move is None:
                raise ValueError("to_move: say whose turn it is; cells do not tell")
            return pack(boards, to_move), boards.shape[1]
        if boards.ndim != 2 or boards.shape[1] != 2 or boards.dtype != np.uint64:
            shape = f"shape {boards.shape} of {boards.dtype}"
            raise ValueError(f"boards: {shape} is neither (n, 2) of uint64 nor (n, size, size)")
        return boards, 8 if size is None else size
    rows = list(boards)
    wrong = next((row for row in rows if not isinstance(row, Board)), None)
    if wrong is not None:
        raise TypeError(f"boards: {type(wrong).__name__} is no Board; give an array or a list of boards")
    sizes = {board.size for board in rows}
    if len(sizes) > 1:
        raise ValueError(f"boards: all have to be of one size, not {sorted(sizes)}")
    found = sizes.pop() if sizes else 8 if size is None else size
    return np.array([(board.own, board.opponent) for board in rows], dtype=np.uint64).reshape(-1, 2), found


def evaluate_many(
    boards: Boards,
    *,
    rules: Rules = "reversed",
    size: int | None = None,
    to_move: int | npt.ArrayLike | None = None,
    weights: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> npt.NDArray[np.float32]:
    """The static values of boards in discs for the side to move: no search. A finished game has its result.

    >>> from ollehto import Board, evaluate_many
    >>> values = evaluate_many([Board().play("d3"), Board().play("f5")])
    >>> values.shape, bool(values[0] == values[1])
    ((2,), True)
    """
    rows, side = bitboards(boards, size, to_move)
    path = None if weights is None else os.fspath(weights)
    found = _native.evaluate(rows.astype("<u8").tobytes(), side, rules, path, thread_count(threads))
    return np.frombuffer(found, dtype="<f4").astype(np.float32)


def label(
    boards: Boards,
    *,
    depth: int | None = None,
    level: int | None = None,
    nodes: int | None = None,
    rules: Rules = "reversed",
    size: int | None = None,
    to_move: int | npt.ArrayLike | None = None,
    weights: str | os.PathLike[str] | None = None,
    hash: int | None = None,
    threads: int | None = None,
    progress: bool | Progress = False,
    out: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """The value and the best move of each board by a search, as an array of `LABEL`.

    :param depth: in plies. Give it, ``level`` or ``nodes``.
    :param level: plies in the midgame, with perfect play from twice as many empty squares on.
    :param nodes: of each search.
    :param to_move: whose turn it is, for boards of shape (n, size, size).
    :param hash: MiB of table of each thread; None is what the search is worth.
    :param progress: True for a line on standard error, or a function of done and total.
    :param out: an array of `LABEL`, filled as labels are found. Labels that are ``done`` in it are kept, so that a call
        that was interrupted goes on; with a `numpy.memmap` even in another process.

    >>> from ollehto import Board, label
    >>> boards = [Board(), Board.from_moves("f5d6c3")]
    >>> found = label(boards, depth=8)
    >>> found["depth"], [board.is_legal(int(move)) for board, move in zip(boards, found["move"])]
    (array([8, 8], dtype=uint8), [True, True])
    """
    if depth is None and level is None and nodes is None:
        raise ValueError("depth: give a depth, a level or a number of nodes")
    given = limits(depth, nodes, level)
    return _label(boards, given, False, rules, size, to_move, weights, hash, threads, progress, out)


def solve_many(
    boards: Boards,
    *,
    wld: bool = False,
    rules: Rules = "reversed",
    size: int | None = None,
    to_move: int | npt.ArrayLike | None = None,
    weights: str | os.PathLike[str] | None = None,
    hash: int | None = None,
    threads: int | None = None,
    progress: bool | Progress = False,
    out: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """The result of perfect play from each board, as an array of `LABEL`. The other arguments are those of `label`.

    :param wld: only whether it is a win (1), a draw (0) or a loss (-1), which is quicker.

    >>> from ollehto import Board, solve_many
    >>> solve_many([Board(4), Board(4).play("b1")])["value"]
    array([ 4., -4.], dtype=float32)
    """
    return _label(boards, None, wld, rules, size, to_move, weights, hash, threads, progress, out)


def _label(
    boards: Boards,
    given: dict[str, Any] | None,
    wld: bool,
    rules: Rules,
    size: int | None,
    to_move: int | npt.ArrayLike | None,
    weights: str | os.PathLike[str] | None,
    hash: int | None,
    threads: int | None,
    progress: bool | Progress,
    out: npt.NDArray[Any] | None,
) -> npt.NDArray[Any]:
    rows, side = bitboards(boards, size, to_move)
    labels = np.zeros(len(rows), dtype=LABEL) if out is None else out
    if labels.dtype != LABEL or labels.shape != (len(rows),):
        raise ValueError(f"out: {labels.shape} of {labels.dtype} instead of ({len(rows)},) of ollehto.LABEL")
    left = np.flatnonzero(~labels["done"])
    done, report = len(rows) - len(left), reporter(progress, "boards")

    def keep(numbers: bytes, records: bytes) -> None:
        nonlocal done
        places = left[np.frombuffer(numbers, dtype="<u8").astype(np.intp)]
        labels[places] = np.frombuffer(records, dtype=LABEL)
        done += len(places)
        if report is not None:
            report(done, len(rows))

    path = None if weights is None else os.fspath(weights)
    mebibytes = None if hash is None else table_size(hash)
    packed = rows[left].astype("<u8").tobytes()
    _native.label(packed, side, rules, given, wld, path, mebibytes, thread_count(threads), keep)
    return labels
