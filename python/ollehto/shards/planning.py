"""Plans of jobs: what to do, cut into shards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..batch import Boards, bitboards, evaluate_many, label
from ..engine import Rules
from .job import Job, Plan, ShardError, cut, digest
from .program import check_arguments, output, package_signature, program_signature

Folder = str | os.PathLike[str]


def plan_label(
    folder: Folder,
    boards: Boards,
    *,
    shards: int,
    depth: int | None = None,
    level: int | None = None,
    nodes: int | None = None,
    rules: Rules = "reversed",
    size: int | None = None,
    to_move: int | npt.ArrayLike | None = None,
    weights: Folder | None = None,
    hash: int | None = None,
) -> Job:
    """Labels of boards; the arguments are those of `ollehto.label`. A shard has as many boards as any other.

    The folder is made. If it has the same plan already, that job goes on; one with another plan is refused.
    """
    given = {"depth": depth, "level": level, "nodes": nodes, "hash": hash}
    return _plan_boards("label", folder, boards, shards, given, rules, size, to_move, weights)


def plan_solve(
    folder: Folder,
    boards: Boards,
    *,
    shards: int,
    wld: bool = False,
    rules: Rules = "reversed",
    size: int | None = None,
    to_move: int | npt.ArrayLike | None = None,
    weights: Folder | None = None,
    hash: int | None = None,
) -> Job:
    """Results of perfect play; the arguments are those of `ollehto.solve_many`."""
    return _plan_boards("solve", folder, boards, shards, {"wld": wld, "hash": hash}, rules, size, to_move, weights)


def _plan_boards(
    kind: str,
    folder: Folder,
    boards: Boards,
    shards: int,
    given: dict[str, Any],
    rules: Rules,
    size: int | None,
    to_move: int | npt.ArrayLike | None,
    weights: Folder | None,
) -> Job:
    rows, side = bitboards(boards, size, to_move)
    _check_shards(shards, len(rows), "boards")
    options = {"rules": rules, "size": side} | {name: value for name, value in given.items() if value is not None}
    # Wrong options and boards are found here, not by the first worker.
    if kind == "label":
        label(rows[:0], **options)
    evaluate_many(rows, rules=rules, size=side, weights=weights)
    files = {"input": rows.astype("<u8").tobytes()}
    if weights == "hand-made":
        options["weights"] = weights
    elif weights is not None:
        files["weights"] = Path(weights).read_bytes()
    ends = [16 * end for end in cut(len(rows), shards)]
    return _create(folder, kind, options, ends, files, package_signature())


def plan_book(
    folder: Folder,
    values: Folder,
    arguments: Sequence[str] = (),
    *,
    shards: int,
    rules: Rules = "reversed",
    program: str = "ollehto",
) -> Job | None:
    """The next searches of ``ollehto book build``; None if it knows all values that it needs.

    :param values: the file of values that are known already; it is made if there is none.
    :param arguments: of ``ollehto book build``.
    """
    check_arguments("book", arguments)
    _check_shards(shards)
    known = Path(values)
    with tempfile.TemporaryDirectory() as made:
        command = ["book", "build", *arguments, f"--rules={rules}", f"--values={known}", f"--output={made}/book"]
        missing = output(program, *command, "--missing").encode()
    lines = missing.splitlines(keepends=True)
    if not lines:
        return None
    shards = min(shards, len(lines))
    lengths = [0, *accumulate(map(len, lines))]
    ends = [lengths[end] for end in cut(len(lines), shards)]
    # The known values come first in the joined file.
    values_before = known.read_bytes()
    options = {"rules": rules, "arguments": list(arguments), "known": digest(values_before)}
    return _create(folder, "book", options, ends, {"input": missing, "known": values_before}, package_signature())


def plan_selfplay(folder: Folder, arguments: Sequence[str], *, shards: int, program: str = "ollehto") -> Job:
    """Games of ``ollehto selfplay`` with these arguments, ``--games`` among them."""
    return _plan_program("selfplay", folder, arguments, {}, shards, program)


def plan_match(
    folder: Folder, arguments: Sequence[str], *, shards: int, times: bool = False, program: str = "ollehto"
) -> Job:
    """A match of ``ollehto match`` with these arguments, ``--player`` and ``--pairs`` among them.

    :param times: keep how long each move took. Without times, a match at fixed depths or nodes has one result.
    """
    return _plan_program("match", folder, arguments, {"times": times}, shards, program)


def _plan_program(
    kind: str, folder: Folder, arguments: Sequence[str], more: dict[str, Any], shards: int, program: str
) -> Job:
    check_arguments(kind, arguments)
    _check_shards(shards)
    options = {"arguments": list(arguments)} | more
    plan = Plan(kind, options, shards, program_signature(program))
    return Job.create(folder, plan, {})


def _create(
    folder: Folder, kind: str, options: dict[str, Any], ends: list[int], files: dict[str, bytes], program: str
) -> Job:
    starts = [0, *ends[:-1]]
    inputs = tuple(digest(files["input"][start:end]) for start, end in zip(starts, ends))
    weights = digest(files["weights"]) if "weights" in files else None
    return Job.create(folder, Plan(kind, options, len(ends), program, tuple(ends), inputs, weights), files)


def _check_shards(shards: int, items: int | None = None, unit: str = "") -> None:
    if shards < 1 or (items is not None and shards > items):
        most = "" if items is None else f" to {items}, one for each of the {unit}"
        raise ShardError(f"shards: from 1{most}, not {shards}")


def read_boards(path: Folder) -> tuple[npt.NDArray[np.uint64], int]:
    """Boards of a file and their size: an array of shape (n, 2), games of self-play, or a position on each line."""
    from .._native import Board
    from ..files import read_games

    suffix = Path(path).suffix
    if suffix == ".npy":
        return bitboards(np.load(path), 8)
    if suffix == ".olg":
        return read_games(path).bitboards(), 8
    boards = []
    for number, line in enumerate(Path(path).read_text().splitlines(), start=1):
        text = line.partition(";")[0].strip()
        if text and text[0] not in "#%":
            try:
                boards.append(Board.from_text(text))
            except ValueError as error:
                raise ShardError(f"{path}, line {number}: {error}") from None
    return bitboards(boards)
