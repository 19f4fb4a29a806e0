"""Jobs on a Ray cluster of two workers on this machine, one of which is killed in the middle."""

import os
import signal
import sys
from pathlib import Path

import numpy as np
import oracle
import pytest

from ollehto import Board, label, shards
from ollehto.shards import Job, ShardError, ShardState

ray = pytest.importorskip("ray")
if sys.platform != "linux":
    pytest.skip("processes are found in /proc", allow_module_level=True)

from ray.cluster_utils import Cluster  # noqa: E402

from ollehto import ray as on_ray  # noqa: E402


def board(seed):
    cells, color = oracle.random_cells(8, 44, seed)
    return Board.from_numpy(np.array(cells), color)


BOARDS = [board(seed) for seed in range(48)]
SHARDS = 12
# Deep enough that a worker is seldom between two shards when it is to be killed.
DEPTH = 15
# How often to look for one.
LOOKS = 1000


def plan(folder, **options):
    return shards.plan_label(folder, BOARDS, **{"shards": SHARDS, "depth": DEPTH} | options)


class TwoWorkers:
    """A cluster of two machines, which are processes here; the driver is on the first."""

    def __init__(self):
        # A dead machine is noticed in two seconds; a slow one has ten to answer, as usual.
        noticed = {
            "health_check_period_ms": 500,
            "health_check_failure_threshold": 4,
            "health_check_initial_delay_ms": 0,
        }
        small = {"num_cpus": 1, "object_store_memory": 80_000_000}
        head = small | {"include_dashboard": False, "_system_config": noticed}
        self.cluster = Cluster()
        try:
            self.cluster.add_node(**head)
            self.second = self.cluster.add_node(**small)
            ray.init(address=self.cluster.address, log_to_driver=False)
        except Exception:
            self.shut_down()
            raise

    def kill_worker(self):
        """Kills a process that does a shard now, and tells whether there was one."""
        busy = next(filter(None, (self.busy_process() for _ in range(LOOKS))), None)
        if busy is None:
            return False
        os.kill(busy, signal.SIGKILL)
        print(f"killed process {busy}, which was doing a shard")
        return True

    def busy_process(self):
        for node in (self.second, self.cluster.head_node):
            raylet = node.all_processes["raylet"][0].process.pid
            for child in Path(f"/proc/{raylet}/task/{raylet}/children").read_text().split():
                if b"ollehto label" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(child)
        return None

    def kill_machine(self):
        self.cluster.remove_node(self.second, allow_graceful=False)
        print("killed the second machine with all its processes")
        return True

    def shut_down(self):
        ray.shutdown()
        self.cluster.shutdown()


def start(attempts):
    """Ray gives a machine that starts some seconds, which are not enough where everything is slow."""
    for attempt in range(attempts):
        try:
            return TwoWorkers()
        except Exception as error:  # Ray raises nothing more special.
            problem = error
    raise problem


@pytest.fixture(scope="module")
def workers(request):
    try:
        started = start(attempts=2)
    except Exception as error:
        with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
            print(f"SKIPPED jobs on a Ray cluster: Ray does not start, {error}", file=sys.stderr)
        pytest.skip("Ray does not start")
    yield started
    started.shut_down()


def test_an_interrupt_keeps_what_is_finished(tmp_path, workers):
    def interrupt(done, total):
        assert total == 4
        if done == 2:
            raise KeyboardInterrupt

    job = plan(tmp_path / "job", shards=4, depth=2)
    with pytest.raises(KeyboardInterrupt):
        on_ray.run(job, progress=interrupt)
    done = list(job.states().values()).count(ShardState.DONE)
    assert done >= 2
    assert on_ray.run(job.folder) == 4 - done
    assert np.array_equal(np.load(shards.join(job, tmp_path / "joined.npy")), label(BOARDS, depth=2))


def test_an_error_of_a_worker_is_told(tmp_path, workers):
    planned = plan(tmp_path / "job", shards=2, depth=2).plan
    other = type(planned)(**vars(planned) | {"program": "package of another version"})
    job = Job.create(tmp_path / "other", other, {"input": (tmp_path / "job" / "input").read_bytes()})
    with pytest.raises(ShardError, match="this machine has another version"):
        on_ray.run(job)


def test_threads_that_no_machine_has_are_refused(tmp_path, workers):
    """Ray would wait for such a machine without a word."""
    with pytest.raises(ShardError, match="2 threads for a shard, but no machine of the cluster has more than 1 processors"):
        on_ray.run(plan(tmp_path / "job", shards=1, depth=2), threads=2)


def test_killed_workers_lose_nothing(tmp_path, workers):
    kills = [(3, workers.kill_worker), (6, workers.kill_machine)]

    def tell(done, total):
        print(f"{done} of {total} shards")
        # Between two shards there may be nobody to kill: then after the next one.
        if kills and done >= kills[0][0] and kills[0][1]():
            kills.pop(0)

    job = plan(tmp_path / "job")
    assert on_ray.run(job, progress=tell, in_flight=4) == SHARDS
    assert not kills, "both were killed"
    single = plan(tmp_path / "single")
    shards.run(single, threads=1)
    for number in range(1, SHARDS + 1):
        assert job.path(number).read_bytes() == single.path(number).read_bytes()
    joined = [shards.join(each, tmp_path / f"{each.folder.name}.npy").read_bytes() for each in (job, single)]
    np.save(tmp_path / "whole.npy", label(BOARDS, depth=DEPTH))
    assert joined[0] == joined[1] == (tmp_path / "whole.npy").read_bytes()
    print(f"{len(joined[0])} bytes, equal to those of a single process")
