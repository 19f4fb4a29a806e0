"""Jobs of `ollehto.shards` on a Ray cluster.

The driver keeps the job's folder: it sends each worker what its shard needs, and writes what comes back. So the
machines need no common file system, only this package, and ``ollehto`` itself for self-play and matches. A worker or a
machine that is lost costs the shards it was doing; others do them again.

    from ollehto import ray, shards

    job = shards.plan_label("job", boards, shards=1000, depth=12)
    ray.run(job)
    shards.join(job, "labels.npy")
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import replace
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from .engine import thread_count
from .progress import Progress, reporter
from .shards.job import Job, ShardError, Task
from .shards.working import check_plan, perform

#: Tasks that are submitted for each one that can run, so that no worker waits for the driver.
_AHEAD = 2


@ray.remote
def work_on_shard(task: Task, weights: bytes | None, threads: int, program: str) -> bytes:
    """What a Ray worker does. Idempotent: Ray calls it again if the worker is lost."""
    return perform(replace(task, weights=weights), threads=threads, program=program)


def run(
    job: Job | str | os.PathLike[str],
    *,
    address: str | None = None,
    threads: int = 1,
    in_flight: int | None = None,
    retries: int = 10,
    program: str = "ollehto",
    commands: bool = False,
    progress: bool | Progress = False,
) -> int:
    """Does the shards that are missing or damaged on the cluster, and returns how many these were.

    Ctrl-C and errors keep the shards that are finished; the same call goes on.

    :param address: of the cluster, if Ray is not initialised yet; None is ``RAY_ADDRESS``, or else this machine.
    :param threads: of each shard, and processors that Ray reserves for it.
    :param in_flight: shards that are submitted at a time; None is twice as many as the cluster can do at once.
    :param retries: how often a shard is done again if its worker is lost.
    :param program: ``ollehto`` on the machines of the cluster.
    :param commands: allow a match to start the programs that its plan names; do so only if you trust the plan.
    :param progress: True for a line on standard error, or a function of done and total.
    """
    job = job if isinstance(job, Job) else Job.load(job)
    check_plan(job.plan, commands)
    thread_count(threads)
    waiting = deque(job.missing())
    count = len(waiting)
    if not waiting:
        return 0
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    _check_room(threads)
    report = reporter(progress, "shards")
    worker = work_on_shard.options(num_cpus=threads, max_retries=retries, name=f"ollehto {job.plan.kind}")
    weights = ray.put(job.weights())  # Once for all shards.
    running: dict[Any, int] = {}
    try:
        while waiting or running:
            resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
            most = in_flight or max(1, _AHEAD * int(resources.get("CPU", 1)) // threads)
            while waiting and len(running) < most:
                number = waiting.popleft()
                task = replace(job.task(number), weights=None)
                running[worker.remote(task, weights, threads, program)] = number
            for finished in ray.wait(list(running))[0]:
                job.store(running[finished], _result(finished, running[finished], retries))
                del running[finished]
                if report is not None:
                    report(job.shards - len(waiting) - len(running), job.shards)
    except BaseException:
        _keep_finished(job, running)
        raise
    return count


def _check_room(threads: int) -> None:
    """Ray would wait for ever for a machine that is large enough."""
    nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    largest = max((node["Resources"].get("CPU", 0) for node in nodes if node["Alive"]), default=0)
    if threads > largest:
        raise ShardError(
            f"{threads} threads for a shard, but no machine of the cluster has more than {largest:g} processors: "
            f"ask for fewer threads, or add a larger machine"
        )


def _result(finished: Any, number: int, retries: int) -> bytes:
    try:
        payload: bytes = ray.get(finished)
        return payload
    except RayTaskError as error:
        cause = error.cause
        raise (cause if isinstance(cause, ShardError) else ShardError(f"shard {number}: {cause!r}")) from error
    except RayError as error:
        raise ShardError(f"shard {number}: its worker was lost {retries + 1} times ({error})") from error


def _keep_finished(job: Job, running: dict[Any, int]) -> None:
    """Stores what is there already, and gives up the rest."""
    if not running:
        return
    try:
        finished, rest = ray.wait(list(running), num_returns=len(running), timeout=0)
        for reference in rest:
            ray.cancel(reference, force=True)
        for reference in finished:
            try:
                job.store(running[reference], ray.get(reference))
            except RayError:
                continue
    except RayError:
        return
