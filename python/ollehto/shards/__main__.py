"""The command line: ``ollehto-shards``, or ``python -m ollehto.shards``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from .job import Job, ShardError, ShardState, number_list
from .joining import join
from .planning import plan_book, plan_label, plan_match, plan_selfplay, plan_solve, read_boards
from .running import run
from .working import BY_PROGRAM

#: After Ctrl-C, as shells have it.
_INTERRUPTED = 130
#: `plan book` has nothing to search.
_NOTHING_LEFT = 3

_DESCRIPTION = """\
Work for many machines: a job is cut into numbered shards, and every shard is a file of the job's folder. Shards can be
done anywhere, in any order and again; `join` refuses missing, damaged and foreign ones.

  ollehto-shards plan label job --boards games.olg --depth 12 --shards 64
  ollehto-shards run job --index "$SLURM_ARRAY_TASK_ID"        # in a batch array of 1 to 64
  ollehto-shards join job --output labels.npy
"""


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    # What follows the first -- is for the program.
    at = words.index("--") if "--" in words else len(words)
    given = _parser().parse_args(words[:at])
    given.arguments = words[at + 1 :]
    try:
        if given.arguments and getattr(given, "kind", None) not in (*BY_PROGRAM, "book"):
            raise ShardError(
                f"{given.arguments[0]}: only the plans {', '.join(BY_PROGRAM)} and book take options of the program"
            )
        return int(given.action(given))
    except (ShardError, ValueError, OSError) as error:
        print(f"ollehto-shards: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nollehto-shards: interrupted; finished shards are kept, and the same command goes on", file=sys.stderr)
        return _INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ollehto-shards", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    actions = parser.add_subparsers(required=True, metavar="plan|run|ray|status|join")
    _add_plans(actions.add_parser("plan", help="cut work into shards, in a new folder"))

    one = actions.add_parser("run", help="do shards in this process")
    one.add_argument("job", help="folder of the job")
    one.add_argument("--index", type=_numbers, metavar="LIST", help="shards to do, such as 3 or 1,5-8 (default: all)")
    one.add_argument("--threads", type=int, help="of a shard (default: one for each processor; matches: 1)")
    one.set_defaults(action=_run)

    cluster = actions.add_parser("ray", help="do shards on a Ray cluster")
    cluster.add_argument("job", help="folder of the job, on this machine only")
    cluster.add_argument("--address", help="of the cluster (default: RAY_ADDRESS, or this machine)")
    cluster.add_argument("--threads", type=int, default=1, help="of a shard (default: 1)")
    cluster.add_argument("--in-flight", type=int, help="shards submitted at a time (default: twice what can run)")
    cluster.add_argument("--retries", type=int, default=10, help="of a shard whose worker is lost (default: 10)")
    cluster.set_defaults(action=_ray)
    for command in (one, cluster):
        _add_program(command)
        command.add_argument(
            "--commands", action="store_true", help="allow a match to start the programs that its plan names"
        )

    status = actions.add_parser("status", help="tell what is done; the exit code is 0 if all is")
    status.add_argument("job")
    status.set_defaults(action=_status)

    joining = actions.add_parser("join", help="write the result: .npy, .olg, a journal, or values")
    joining.add_argument("job")
    joining.add_argument("--output", required=True, metavar="FILE")
    joining.add_argument("--force", action="store_true", help="replace the file if it exists")
    joining.set_defaults(action=_join)
    return parser


def _add_plans(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(required=True, dest="kind", metavar="label|solve|book|selfplay|match")
    helps = {
        "label": "values and moves of positions by searches",
        "solve": "results of perfect play",
        "book": "the next searches of 'ollehto book build' (exit code 3: there are none)",
        "selfplay": "games of 'ollehto selfplay'",
        "match": "games of 'ollehto match'",
    }
    for kind, text in helps.items():
        plan = kinds.add_parser(kind, help=text)
        plan.add_argument("job", help="folder to make")
        plan.add_argument("--shards", type=int, required=True, metavar="N", help="how many")
        plan.set_defaults(action=_plan)
        if kind in ("label", "solve"):
            plan.add_argument(
                "--boards", required=True, metavar="FILE", help=".npy of shape (n, 2), .olg, or text: a position a line"
            )
            plan.add_argument("--size", type=int, choices=(4, 6, 8), help="of the boards of a .npy file (default: 8)")
            plan.add_argument("--weights", metavar="FILE", help="evaluation (default: the shipped one)")
            plan.add_argument("--hash", type=int, metavar="MIB", help="table of each thread (default: by position)")
        if kind == "label":
            for name in ("depth", "level", "nodes"):
                plan.add_argument(f"--{name}", type=int, metavar="N")
        if kind == "solve":
            plan.add_argument("--wld", action="store_true", help="win, draw or loss only")
        if kind == "match":
            plan.add_argument(
                "--times", action="store_true", help="keep the time of each move; no two results are equal then"
            )
        if kind == "book":
            plan.add_argument("--values", required=True, metavar="FILE", help="known values; made if there are none")
        if kind not in BY_PROGRAM:
            plan.add_argument("--rules", choices=("reversed", "standard"), default="reversed")
        if kind in (*BY_PROGRAM, "book"):
            _add_program(plan)
            plan.usage = (
                f"%(prog)s [options] --shards N JOB -- OPTIONS OF 'ollehto {'book build' if kind == 'book' else kind}'"
            )


def _add_program(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--program", default="ollehto", metavar="PATH", help="the program ollehto (default: on the PATH)"
    )


def _numbers(text: str) -> list[int]:
    numbers: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise argparse.ArgumentTypeError(f"'{text}' is no list of numbers such as 3 or 1,5-8")
        if dash and int(first) > int(last):
            raise argparse.ArgumentTypeError(f"{part} holds no number: write {last}-{first}")
        numbers.update(range(int(first), int(last or first) + 1))
    return sorted(numbers)


def _plan(given: argparse.Namespace) -> int:
    options: dict[str, Any] = {"shards": given.shards}
    job: Job | None
    if given.kind in ("label", "solve"):
        boards, size = read_boards(given.boards)
        options |= {"size": given.size or size, "rules": given.rules, "weights": given.weights, "hash": given.hash}
        if given.kind == "label":
            limits = {name: getattr(given, name) for name in ("depth", "level", "nodes")}
            job = plan_label(given.job, boards, **options, **limits)
        else:
            job = plan_solve(given.job, boards, **options, wld=given.wld)
    elif given.kind == "book":
        options |= {"rules": given.rules, "program": given.program}
        job = plan_book(given.job, given.values, given.arguments, **options)
    elif given.kind == "match":
        job = plan_match(given.job, given.arguments, **options, times=given.times, program=given.program)
    else:
        job = plan_selfplay(given.job, given.arguments, **options, program=given.program)
    if job is None:
        print(f"{given.values}: nothing is left to search; ollehto book build writes the book")
        return _NOTHING_LEFT
    print(f"{given.job}: {job.shards} shards")
    return 0


def _run(given: argparse.Namespace) -> int:
    job = Job.load(given.job)
    # One shard of a batch array needs no progress.
    progress = given.index is None or len(given.index) > 1
    options = {name: getattr(given, name) for name in ("threads", "program", "commands")}
    done = run(job, given.index, **options, progress=progress)
    wanted = job.shards if given.index is None else len(given.index)
    print(f"{given.job}: {done} shards done now, {wanted - done} before")
    return 0


def _ray(given: argparse.Namespace) -> int:
    try:
        from ..ray import run as run_on_ray
    except ModuleNotFoundError as missing:
        raise ShardError(f"{missing}: pip install './python[ray]' adds it") from None
    job = Job.load(given.job)
    options = {name: getattr(given, name) for name in ("address", "threads", "in_flight", "retries", "program", "commands")}
    done = run_on_ray(job, **options, progress=True)
    print(f"{given.job}: {done} shards done now, {job.shards - done} before")
    return 0


def _status(given: argparse.Namespace) -> int:
    job = Job.load(given.job)
    states = job.states()
    counts = Counter(states.values())
    print(f"{given.job}: {job.plan.kind}, {counts[ShardState.DONE]} of {job.shards} shards done")
    for state in (ShardState.MISSING, ShardState.DAMAGED, ShardState.FOREIGN):
        if counts[state]:
            print(f"{state.value}: {number_list([number for number, found in states.items() if found is state])}")
    return 0 if counts[ShardState.DONE] == job.shards else 1


def _join(given: argparse.Namespace) -> int:
    path: Path = join(given.job, given.output, force=given.force)
    print(f"{path}: {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
