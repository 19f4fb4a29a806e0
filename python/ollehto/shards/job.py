"""A job in its folder: the plan, the inputs of the shards, and the files of those that are done."""

from __future__ import annotations

import contextlib
import enum
import hashlib
import json
import os
import socket
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMAT = 1

_PLAN = "job.json"
#: Files that a plan may need.
_FILES = {"input", "weights", "known"}


class ShardError(Exception):
    """Why a job cannot be planned, run or joined."""


class ShardState(enum.Enum):
    """What there is of a shard."""

    DONE = "done"
    MISSING = "missing"
    #: Torn, or with other bytes than its header says.
    DAMAGED = "damaged"
    #: Whole, but of another job or with another number.
    FOREIGN = "foreign"


@dataclass(frozen=True)
class Task:
    """All that a worker has to know to do a shard."""

    kind: str
    options: dict[str, Any]
    #: From 1.
    number: int
    shards: int
    input: bytes
    #: The contents of the weights file, if not the shipped weights.
    weights: bytes | None
    #: The signature of the program that the job was planned with.
    program: str


@dataclass(frozen=True)
class Plan:
    """What decides the result of a job."""

    kind: str
    options: dict[str, Any]
    shards: int
    program: str
    #: Where the input of each shard ends in the file of inputs; empty if there is none.
    ends: tuple[int, ...] = ()
    #: The digest of the input of each shard.
    inputs: tuple[str, ...] = ()
    #: The digest of the weights file.
    weights: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "ollehto-job": FORMAT,
            "kind": self.kind,
            "options": self.options,
            "shards": self.shards,
            "program": self.program,
            "ends": list(self.ends),
            "inputs": list(self.inputs),
            "weights": self.weights,
        }

    def digest(self) -> str:
        return digest(json.dumps(self.to_json(), sort_keys=True).encode())

    def difference(self, other: Plan) -> str | None:
        """The first thing that differs, with both values."""
        names = sorted({*self.options, *other.options})
        options = [(name, self.options.get(name), other.options.get(name)) for name in names]
        things = [("kind", self.kind, other.kind), *options, ("shards", self.shards, other.shards)]
        things.append(("program", self.program, other.program))
        for name, here, there in things:
            if here != there:
                is_short = len(f"{here}{there}") < 200
                return f"{name}: {here}, now {there}" if is_short else f"other {name}"
        if (self.ends, self.inputs) != (other.ends, other.inputs):
            return "other positions"
        return "other weights" if self.weights != other.weights else None


@dataclass(frozen=True)
class Job:
    """A planned job. Make one with ``plan_label`` and the like, or load it from its folder."""

    folder: Path
    plan: Plan
    digest: str = field(repr=False)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Job:
        """Reads the plan of a folder."""
        path = Path(folder) / _PLAN
        try:
            found = json.loads(path.read_bytes())
        except FileNotFoundError:
            raise ShardError(f"{folder}: no job is planned here; ollehto-shards plan makes one") from None
        except ValueError as error:
            raise ShardError(f"{path} is damaged: {error}") from None
        if found.get("ollehto-job") != FORMAT:
            raise ShardError(f"{path}: version {found.get('ollehto-job')}; this program reads version {FORMAT}")
        names = ("kind", "options", "shards", "program", "weights")
        try:
            values = {name: found[name] for name in names}
            plan = Plan(**values, ends=tuple(found["ends"]), inputs=tuple(found["inputs"]))
        except KeyError as missing:
            raise ShardError(f"{path} is damaged: there is no {missing}") from None
        if plan.digest() != found.get("digest"):
            raise ShardError(f"{path} has been altered: plan the job again in another folder")
        return cls(Path(folder), plan, plan.digest())

    @classmethod
    def create(cls, folder: str | os.PathLike[str], plan: Plan, files: Mapping[str, bytes]) -> Job:
        """Writes a plan and the files it needs to a folder, which is new, empty or has the same plan."""
        job = cls(Path(folder), plan, plan.digest())
        if (job.folder / _PLAN).exists():
            there = Job.load(folder)
            difference = there.plan.difference(plan)
            if difference is not None:
                raise ShardError(f"{folder} is another job ({difference}): choose another folder")
            return there
        job.folder.mkdir(parents=True, exist_ok=True)
        # A killed plan may have left some of its files.
        others = sorted({path.name for path in job.folder.iterdir() if not path.name.startswith(".")} - _FILES)
        if others:
            raise ShardError(f"{folder} is not empty, it has {others[0]}: choose another folder")
        for name, contents in files.items():
            write(job.folder / name, [contents])
        text = json.dumps(plan.to_json() | {"digest": job.digest}, indent=1, sort_keys=True)
        write(job.folder / _PLAN, [text.encode(), b"\n"])
        return job

    @property
    def shards(self) -> int:
        """How many there are; they are counted from 1."""
        return self.plan.shards

    def path(self, number: int) -> Path:
        """The file of a shard."""
        if not 1 <= number <= self.shards:
            raise ShardError(f"shard {number}: {self.folder} has shards 1 to {self.shards}")
        return self.folder / f"shard-{number:05}"

    def scratch(self, number: int) -> Path:
        """The folder for what the program has done of an unfinished shard."""
        return self.folder / "unfinished" / f"{number:05}"

    def task(self, number: int) -> Task:
        """What a worker needs to do a shard."""
        self.path(number)
        plan, part = self.plan, b""
        if plan.ends:
            start = plan.ends[number - 2] if number > 1 else 0
            with (self.folder / "input").open("rb") as file:
                file.seek(start)
                part = file.read(plan.ends[number - 1] - start)
            _check(self.folder / "input", part, plan.inputs[number - 1])
        return Task(plan.kind, plan.options, number, plan.shards, part, self.weights(), plan.program)

    def weights(self) -> bytes | None:
        """The weights file that the job was planned with; None for the shipped weights."""
        return None if self.plan.weights is None else self.file("weights", self.plan.weights)

    def file(self, name: str, expected: str) -> bytes:
        """A file of the plan by its digest."""
        contents = (self.folder / name).read_bytes()
        _check(self.folder / name, contents, expected)
        return contents

    def store(self, number: int, payload: bytes) -> None:
        """Keeps what a worker has found for a shard: under another name first, so that a shard is whole or missing."""
        header = {"ollehto-shard": FORMAT, "job": self.digest, "number": number, "sha256": digest(payload)}
        write(self.path(number), [json.dumps(header).encode(), b"\n", payload])

    def state(self, number: int) -> ShardState:
        """What there is of a shard."""
        return self._read(number)[0]

    def states(self) -> dict[int, ShardState]:
        """What there is of each shard, by its number."""
        return {number: self.state(number) for number in range(1, self.shards + 1)}

    def payload(self, number: int) -> bytes:
        """What a worker has found for a shard."""
        state, payload = self._read(number)
        if state is not ShardState.DONE:
            raise ShardError(f"{self.path(number)}: the shard is {state.value}")
        return payload

    def missing(self, numbers: Iterable[int] | None = None) -> list[int]:
        """The shards that are to be done: those that are missing or damaged. One of another job is no such thing."""
        wanted = range(1, self.shards + 1) if numbers is None else numbers
        states = {number: self.state(number) for number in wanted}
        for number, state in states.items():
            if state is ShardState.FOREIGN:
                raise ShardError(f"{self.path(number)} is of another job: move it away")
        return [number for number, state in states.items() if state is not ShardState.DONE]

    def _read(self, number: int) -> tuple[ShardState, bytes]:
        try:
            line, _, payload = self.path(number).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return ShardState.MISSING, b""
        try:
            header = json.loads(line)
            job, own, expected = header["job"], header["number"], header["sha256"]
        except (ValueError, KeyError, TypeError):
            return ShardState.DAMAGED, b""
        if digest(payload) != expected:
            return ShardState.DAMAGED, b""
        return (ShardState.DONE if (job, own) == (self.digest, number) else ShardState.FOREIGN), payload


def _check(path: Path, contents: bytes, expected: str) -> None:
    if digest(contents) != expected:
        raise ShardError(f"{path} has been altered: plan the job again in another folder")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def cut(items: int, shards: int) -> list[int]:
    """Where each shard ends, in items."""
    return [items * number // shards for number in range(1, shards + 1)]


def write(path: Path, parts: Iterable[bytes]) -> None:
    """Writes a file under another name and renames it: whoever reads it finds all of it, also after a kill."""
    unfinished = path.with_name(f".{path.name}.{socket.gethostname()}-{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise


def number_list(numbers: Sequence[int]) -> str:
    """Numbers as ``run --index`` takes them: 3,7-9."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
