"""Work for many machines: a job is cut into numbered shards, and every shard is a file.

What a shard holds follows from the job and its number alone. So shards can be done anywhere, in any order and twice. A
worker that is killed costs the shard it was doing and nothing else. The joined result is that of a single process, byte
for byte.

>>> import tempfile, numpy as np
>>> from ollehto import Board, label, shards
>>> boards = [Board(), Board.from_moves("f5d6c3"), Board.from_moves("f5f6")]
>>> with tempfile.TemporaryDirectory() as folder:
...     job = shards.plan_label(f"{folder}/job", boards, shards=2, depth=4)
...     done = shards.run(job)
...     joined = shards.join(job, f"{folder}/labels.npy")
...     bool(np.array_equal(np.load(joined), label(boards, depth=4)))
True

`ollehto.ray` runs the same jobs on a Ray cluster, ``ollehto-shards`` is the command line for batch systems and GNU
parallel.
"""

from .job import Job, ShardError, ShardState
from .joining import join
from .planning import plan_book, plan_label, plan_match, plan_selfplay, plan_solve
from .running import run

__all__ = [
    "Job",
    "ShardError",
    "ShardState",
    "join",
    "plan_book",
    "plan_label",
    "plan_match",
    "plan_selfplay",
    "plan_solve",
    "run",
]
