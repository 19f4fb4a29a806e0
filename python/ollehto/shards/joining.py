"""The result of a job from its shards."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..batch import LABEL
from .job import Job, ShardError, ShardState, number_list, write
from .working import game_number

_BLOCK_HEADER = 44


def join(job: Job | str | os.PathLike[str], output: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Writes the result of a job to a file: labels as ``.npy``, games as ``.olg``, a journal, or a file of values.

    :param force: replace the file if it exists.
    """
    job = job if isinstance(job, Job) else Job.load(job)
    path = Path(output)
    if path.exists() and not force:
        raise ShardError(f"{path} exists already: name another file, or replace it with --force")
    _check_complete(job)
    write(path, _JOINED[job.plan.kind](job))
    return path


def _check_complete(job: Job) -> None:
    states = job.states()
    for state in (ShardState.FOREIGN, ShardState.DAMAGED, ShardState.MISSING):
        numbers = [number for number, found in states.items() if found is state]
        if not numbers:
            continue
        which = f"{len(numbers)} of {job.shards} shards of {job.folder}: {number_list(numbers)}"
        if state is ShardState.FOREIGN:
            raise ShardError(f"shards of another job are among {which}; move them away")
        raise ShardError(f"{state.value} are {which}; ollehto-shards run {job.folder} does them")


def _payloads(job: Job) -> Iterator[bytes]:
    return (job.payload(number) for number in range(1, job.shards + 1))


def _labels(job: Job) -> Iterator[bytes]:
    header = io.BytesIO()
    boards = job.plan.ends[-1] // 16
    described = {"descr": np.lib.format.dtype_to_descr(LABEL), "fortran_order": False, "shape": (boards,)}
    np.lib.format.write_array_header_1_0(header, described)
    yield header.getvalue()
    yield from _payloads(job)


def _values(job: Job) -> Iterator[bytes]:
    known = job.file("known", job.plan.options["known"])
    yield known
    # The first version has no checksums at the ends of its lines.
    is_older = known.startswith(b"ollehto values 1:")
    for payload in _payloads(job):
        yield re.sub(rb" [0-9a-f]{8}$", b"", payload, flags=re.M) if is_older else payload


def _games(job: Job) -> Iterator[bytes]:
    """All blocks by the number of their first game: the order in which a single thread plays them."""
    blocks: list[tuple[int, bytes]] = []
    for number, payload in enumerate(_payloads(job), start=1):
        while payload:
            if payload[:4] != b"OLRG":
                raise ShardError(f"{job.path(number)}: these are no games of ollehto selfplay")
            first, length = (int.from_bytes(payload[at : at + size], "little") for at, size in ((20, 8), (32, 4)))
            end = _BLOCK_HEADER + length
            blocks.append((first, payload[:end]))
            payload = payload[end:]
    blocks.sort()
    # Bytes 4 to 9: how the games were played; 12 to 19: the seed; 28 to 31: the evaluation.
    if len({(block[4:10], block[12:20], block[28:32]) for _, block in blocks}) > 1:
        raise ShardError(
            f"{job.folder}: the shards were played with different weights; --weights names one file everywhere"
        )
    return (block for _, block in blocks)


def _journal(job: Job) -> Iterator[bytes]:
    headers, games = set(), []
    for payload in _payloads(job):
        header, *rest = payload.splitlines(keepends=True)
        headers.add(header)
        games += rest
    if len(headers) > 1:
        raise ShardError(
            f"{job.folder}: the shards are of different matches; a file of openings is the same everywhere"
        )
    games.sort(key=game_number)
    if [game_number(game) for game in games] != list(range(len(games))):
        raise ShardError(f"{job.folder}: games are missing in a shard")
    yield headers.pop()
    yield from games


_JOINED = {"label": _labels, "solve": _labels, "book": _values, "selfplay": _games, "match": _journal}
