"""The process of one agent: requests come as lines of JSON on standard input, replies go to standard output.

Whatever the agent prints goes to standard error. `AgentProcess` in `process` is the other end. It runs as a file, not as
a part of the package, so that the agent is alone with numpy as it is in the arena.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, TextIO

import numpy as np


def load_agent(path: str) -> Callable[[int, int, float], Any]:
    """The class ``AI`` of a file."""
    specification = importlib.util.spec_from_file_location("agent", path)
    if specification is None or specification.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(specification)
    sys.modules["agent"] = module
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    specification.loader.exec_module(module)
    if not hasattr(module, "AI"):
        raise ImportError(f"{path} has no class AI")
    agent: Callable[[int, int, float], Any] = module.AI
    return agent


def plain(candidates: Any) -> Any:
    """Candidates as JSON knows them: rows and columns, or a text of what cannot be read."""
    try:
        return [[int(row), int(column)] for row, column in list(candidates)]
    except (TypeError, ValueError):
        return repr(candidates)[:200]


def move(agent: Any, chessboard: list[list[int]], time_out: float) -> dict[str, Any]:
    """Calls ``go`` in a thread of its own, and takes the candidates when the time is over."""
    problem: list[str] = []

    def go() -> None:
        try:
            agent.go(np.array(chessboard, dtype=int))
        except BaseException:
            problem.append(traceback.format_exc())

    begun = time.monotonic()
    thread = threading.Thread(target=go, daemon=True)
    thread.start()
    thread.join(time_out)
    late = thread.is_alive()
    candidates = plain(getattr(agent, "candidate_list", None))
    # The next move must not meet this one: it may still end.
    thread.join(time_out)
    return {
        "candidates": candidates,
        "seconds": time.monotonic() - begun,
        "late": late,
        "hangs": thread.is_alive(),
        "problem": problem[0] if problem else None,
    }


def peak_memory() -> float | None:
    """In MB; None where the system does not tell."""
    try:
        # Not what `resource` tells, which begins with the memory of the process that started this one.
        with open("/proc/self/status") as status:
            peak = next(line for line in status if line.startswith("VmHWM:"))
        return int(peak.split()[1]) * 1024 / 1e6
    except (OSError, StopIteration):
        return None


def serve(requests: TextIO, replies: TextIO) -> None:
    make, agent, time_out = None, None, 0.0
    for line in requests:
        request = json.loads(line)
        reply: dict[str, Any] = {"problem": None}
        try:
            if "load" in request:
                make = load_agent(request["load"])
            elif "size" in request:
                assert make is not None
                time_out = request["time_out"]
                agent = make(request["size"], request["color"], time_out)
            else:
                reply = move(agent, request["chessboard"], time_out)
        except BaseException:
            reply["problem"] = traceback.format_exc()
        reply["memory"] = peak_memory()
        print(json.dumps(reply), file=replies, flush=True)
        if reply.get("hangs"):
            os._exit(3)


if __name__ == "__main__":
    # The folder of this file: its names are not for agents to import.
    del sys.path[0]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    serve(sys.stdin, answers)
