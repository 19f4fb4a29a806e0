"""What a worker does: from a task to the bytes of its shard."""

from __future__ import annotations

import re
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from .._native import Board
from ..batch import label, solve_many
from .job import Plan, ShardError, Task
from .program import call, check_arguments, check_commands, package_signature, program_signature

#: Kinds of jobs that need the program on the command line.
BY_PROGRAM = ("selfplay", "match")

#: As `ollehto book build` has it: MiB of table up to a depth of 8, and for deeper searches.
_SHALLOW, _SHALLOW_HASH, _DEEP_HASH = 8, 1, 16
#: Units of a value in a disc, in the file of values.
_UNITS = 32
#: The time of a move in a journal. Quotes inside of texts have a backslash before them.
_SECONDS = re.compile(rb'(?<!\\)"seconds":[-+.0-9eE]+')
#: The last field of a line of a journal.
_CHECKSUM = re.compile(rb',"crc32":"[0-9a-f]{8}"\}$')


def check_plan(plan: Plan, commands: bool) -> None:
    """Refuses a plan that would write files or start programs of its own, which someone else may have made.

    :param commands: programs are allowed.
    """
    if plan.kind in BY_PROGRAM:
        check_arguments(plan.kind, plan.options["arguments"])
        if not commands:
            check_commands(plan.options["arguments"])


def perform(task: Task, *, threads: int | None = None, program: str = "ollehto", scratch: Path | None = None) -> bytes:
    """Does a shard.

    :param threads: None is one for each processor. The result does not depend on it.
    :param program: of self-play and matches.
    :param scratch: a folder for unfinished work of the program, to go on there after a kill.
    """
    here = program_signature(program) if task.kind in BY_PROGRAM else package_signature()
    if here != task.program:
        raise ShardError(f"this machine has another version ({here}) than the job was planned with ({task.program})")
    if task.kind in BY_PROGRAM:
        return _in_folder(scratch, lambda folder: _PROGRAMS[task.kind](task, threads, program, folder))
    if task.weights is None:
        return _SEARCHES[task.kind](task, threads, None)
    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder) / "weights"
        weights.write_bytes(task.weights)
        return _SEARCHES[task.kind](task, threads, str(weights))


def _in_folder(scratch: Path | None, work: Callable[[Path], bytes]) -> bytes:
    if scratch is not None:
        scratch.mkdir(parents=True, exist_ok=True)
        return work(scratch)
    with tempfile.TemporaryDirectory(prefix="ollehto-") as folder:
        return work(Path(folder))


def _label(task: Task, threads: int | None, weights: str | None) -> bytes:
    boards = np.frombuffer(task.input, dtype="<u8").reshape(-1, 2).astype(np.uint64)
    search = label if task.kind == "label" else solve_many
    return search(boards, threads=threads, **task.options | ({} if weights is None else {"weights": weights})).tobytes()


def _book(task: Task, threads: int | None, weights: str | None) -> bytes:
    """Lines of a file of values, from lines of a depth and a position."""
    searches = [line.split(" ", 1) for line in task.input.decode().splitlines()]
    depths = np.array([int(depth) for depth, _ in searches])
    boards = [Board.from_text(position) for _, position in searches]
    lines = [""] * len(boards)
    for depth in sorted(set(depths.tolist())):
        places = np.flatnonzero(depths == depth)
        table = _SHALLOW_HASH if depth <= _SHALLOW else _DEEP_HASH
        chosen = [boards[place] for place in places]
        values = label(chosen, depth=depth, rules=task.options["rules"], hash=table, threads=threads)["value"]
        for place, value in zip(places, values):
            lines[place] = _with_checksum(f"{depth} {searches[place][1]} {round(float(value) * _UNITS)}")
    return "".join(lines).encode()


def _with_checksum(line: str) -> str:
    return f"{line} {zlib.crc32(line.encode()):08x}\n"


def _selfplay(task: Task, threads: int | None, program: str, folder: Path) -> bytes:
    output = folder / "games.olg"
    shard = f"--shard={task.number}/{task.shards}"
    # More threads would change the order in the file.
    call(program, ["selfplay", *task.options["arguments"], shard, "--threads=1", f"--output={output}"])
    return output.read_bytes() if output.exists() else b""


def _match(task: Task, threads: int | None, program: str, folder: Path) -> bytes:
    journal = folder / "journal.jsonl"
    arguments = ["match", *task.options["arguments"], f"--shard={task.number}/{task.shards}", f"--journal={journal}"]
    if journal.exists() and b"\n" not in journal.read_bytes():
        journal.unlink()  # A kill has torn its first line.
    arguments += [f"--jobs={threads or 1}", *(["--resume"] if journal.exists() else [])]
    call(program, arguments)
    header, *games = journal.read_bytes().splitlines(keepends=True)
    games.sort(key=game_number)
    if not task.options["times"]:
        games = [_without_times(game) for game in games]
    return b"".join([header, *games])


def _without_times(line: bytes) -> bytes:
    """A line of a journal with its checksum set right."""
    game = _SECONDS.sub(b'"seconds":0.0', _CHECKSUM.sub(b"}", line.rstrip()))
    return game[:-1] + b',"crc32":"%08x"}\n' % zlib.crc32(game)


def game_number(line: bytes) -> int:
    """The number of a game in a line of a journal."""
    found = re.match(rb'\{"game":\{"number":(\d+),', line)
    if found is None:
        raise ShardError(f"a journal has a line that is no game: {line[:80]!r}")
    return int(found[1])


_SEARCHES: dict[str, Callable[[Task, int | None, str | None], bytes]] = {
    "label": _label,
    "solve": _label,
    "book": _book,
}
_PROGRAMS: dict[str, Callable[[Task, int | None, str, Path], bytes]] = {"selfplay": _selfplay, "match": _match}
KINDS = (*_SEARCHES, *_PROGRAMS)
