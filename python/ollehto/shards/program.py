"""The programs that do the work, and how to know whether two machines have the same."""

from __future__ import annotations

import ctypes
import functools
import re
import signal
import subprocess
import sys
from collections.abc import Sequence

import numpy as np

from ..batch import label, solve_many
from .job import ShardError, digest

#: Boards for the signature: the side to move, and its opponent.
_BOARDS = np.array(
    [
        [0x0000000810000000, 0x0000001008000000],
        [0x0000001C08000000, 0x0000000010302000],
        [0x00003C3C08041000, 0x0000000030382C04],
    ],
    dtype=np.uint64,
)


#: Options that we give to the program ourselves. Most name files that it writes.
_OURS = {
    "selfplay": ("--shard", "--threads", "--output"),
    "match": ("--shard", "--jobs", "--journal", "--resume", "--ggf", "--logs", "--force", "--sprt"),
    "book": ("--values", "--output", "--jobs", "--force", "--missing", "--rules"),
}
#: A player that is another program, without the quotes that the program drops wherever they are.
_COMMAND = re.compile(r"(^|[=,])\s*cmd\s*=")


def check_arguments(kind: str, arguments: Sequence[str]) -> None:
    """Refuses options that are not for a plan to decide, which a plan by someone else may have all the same."""
    for argument in arguments:
        if argument.split("=")[0] in _OURS[kind]:
            raise ShardError(f"{argument}: the job itself decides this option of 'ollehto {kind}'")


def check_commands(arguments: Sequence[str]) -> None:
    """Refuses players that are other programs: a job by someone else must not start what it likes."""
    for argument in arguments:
        if _COMMAND.search(argument.replace('"', "")):
            raise ShardError(f"the job starts programs ({argument}): allow it with --commands if you trust its plan")


@functools.cache
def package_signature() -> str:
    """What the searches of the package find: the same on all machines with the same version, another if it changes."""
    found = [label(_BOARDS, depth=8, rules=rules, threads=1).tobytes() for rules in ("reversed", "standard")]
    found.append(solve_many(np.array([[0x1008000000, 0x810000000]], np.uint64), size=4, threads=1).tobytes())
    return f"package {digest(b''.join(found))[:16]}"


@functools.cache
def program_signature(program: str) -> str:
    """The version of the program on the command line, and the nodes of its search."""
    version = output(program, "--version").strip()
    nodes = re.findall(r"(\w+) signature (\d+)", output(program, "bench", "--depth", "6"))
    if not nodes:
        raise ShardError(f"{program} is no ollehto: '{program} bench' prints no signature")
    return ", ".join([version, *(f"{rules} {count}" for rules, count in nodes)])


def output(program: str, *arguments: str) -> str:
    try:
        ended = subprocess.run(
            [program, *arguments], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
        )
    except OSError as error:
        raise ShardError(f"{program}: {error.strerror}; --program names the program ollehto") from None
    except subprocess.CalledProcessError as error:
        raise ShardError(f"{program} {arguments[0]}: {_last_lines(error.stderr)}") from None
    return ended.stdout


def call(program: str, arguments: Sequence[str]) -> None:
    """Runs the program to its end. An interrupt kills it: its files survive that, and end up the same."""
    process = subprocess.Popen(
        [program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_die_with_parent if _LIBC is not None else None,
    )
    try:
        _, errors = process.communicate()
    except BaseException:
        process.kill()
        process.wait()
        raise
    if process.returncode != 0:
        raise ShardError(f"{program} {arguments[0]}: {_last_lines(errors) or f'exit code {process.returncode}'}")


def _last_lines(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-5:])


# Loaded here: a new process must not begin with that.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """A worker that is killed takes its program along: another worker may begin with the same shard."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
