"""Shards one after the other in this process."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable

from ..progress import Progress, reporter
from .job import Job
from .working import check_plan, perform


def run(
    job: Job | str | os.PathLike[str],
    numbers: Iterable[int] | None = None,
    *,
    threads: int | None = None,
    program: str = "ollehto",
    commands: bool = False,
    progress: bool | Progress = False,
) -> int:
    """Does the shards that are missing or damaged, and returns how many these were.

    :param numbers: of the shards to do, from 1; None is all.
    :param threads: of each shard; None is one for each processor, and for matches one game at a time.
    :param commands: allow a match to start the programs that its plan names; do so only if you trust the plan.
    :param progress: True for a line on standard error, or a function of done and total.
    """
    job = job if isinstance(job, Job) else Job.load(job)
    check_plan(job.plan, commands)
    wanted = list(range(1, job.shards + 1) if numbers is None else numbers)
    missing = job.missing(wanted)
    report = reporter(progress, "shards")
    for done, number in enumerate(missing, start=len(wanted) - len(missing) + 1):
        scratch = job.scratch(number)
        job.store(number, perform(job.task(number), threads=threads, program=program, scratch=scratch))
        shutil.rmtree(scratch, ignore_errors=True)
        with contextlib.suppress(OSError):
            scratch.parent.rmdir()
        if report is not None:
            report(done, len(wanted))
    return len(missing)
