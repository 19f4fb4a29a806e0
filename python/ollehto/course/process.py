"""Agents in processes of their own, so that none can hang, crash or print into the arena."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

#: Seconds to import an agent; some compile themselves first.
LOAD_TIME = 120.0
#: Seconds beyond twice the time of a move until a silent agent is killed.
GRACE = 5.0


class AgentError(Exception):
    """The agent cannot be used."""


@dataclass(frozen=True)
class Answer:
    """What an agent did with a chessboard."""

    #: Rows and columns, or a text of something that is no list of such.
    candidates: list[tuple[int, int]] | str
    seconds: float
    #: Whether ``go`` had not returned in time; the candidates are those it had named by then.
    late: bool
    #: The traceback of an exception, or why there is no answer.
    problem: str | None


class AgentProcess:
    """An agent file, started anew if it hangs or dies."""

    def __init__(self, path: str) -> None:
        self.path = path
        #: Peak memory of all processes in MB, and the number of restarts.
        self.memory = 0.0
        self.restarts = -1
        self._game: dict[str, Any] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._start()

    def _start(self) -> None:
        self.close()
        self.restarts += 1
        command = [sys.executable, os.path.join(os.path.dirname(__file__), "child.py")]
        # In a session of its own: Ctrl-C is for the arena.
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
        )
        self._ask({"load": self.path}, LOAD_TIME)
        if self._game is not None:
            self._ask(self._game, LOAD_TIME)

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        try:
            reply = self._exchange(request, seconds)
        except TimeoutError:
            raise AgentError(f"{self.path}: no answer within {seconds:g} s") from None
        if reply is None:
            raise AgentError(f"{self.path}: its process has ended")
        if reply["problem"]:
            raise AgentError(f"{self.path}:\n{reply['problem']}")
        return reply

    def _exchange(self, request: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        """None if the process has ended."""
        child = self._child
        assert child is not None and child.stdin is not None and child.stdout is not None
        try:
            child.stdin.write(json.dumps(request).encode() + b"\n")
        except BrokenPipeError:
            return None
        line = b""
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not selector.select(seconds):
                    raise TimeoutError
                more = os.read(child.stdout.fileno(), 1 << 16)
                if not more:
                    return None
                line += more
        reply: dict[str, Any] = json.loads(line)
        self.memory = max(self.memory, reply["memory"])
        return reply

    def begin(self, size: int, color: int, time_out: float) -> None:
        """Makes the agent of a game."""
        self._game = {"size": size, "color": color, "time_out": time_out}
        self._ask(self._game, LOAD_TIME)

    def go(self, chessboard: list[list[int]]) -> Answer:
        assert self._game is not None
        time_out = self._game["time_out"]
        most = 2 * time_out + GRACE
        try:
            reply = self._exchange({"chessboard": chessboard}, most)
        except TimeoutError:
            self._start()
            return Answer([], most, True, f"it did not answer within {most:g} s and was killed")
        if reply is None:
            assert self._child is not None
            code = self._child.wait()
            self._start()
            return Answer([], 0.0, False, f"its process ended with code {code}")
        if reply.get("hangs"):
            self._start()
        candidates = reply.get("candidates", [])
        if not isinstance(candidates, str):
            candidates = [(row, column) for row, column in candidates]
        return Answer(candidates, reply.get("seconds", 0.0), reply.get("late", False), reply["problem"])

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    pipe.close()

    def __enter__(self) -> AgentProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
