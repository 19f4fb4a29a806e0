"""Agents in processes of their own, so that none can hang, crash or print into the arena."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import IO, Any

#: Seconds to import an agent; some compile themselves first.
LOAD_TIME = 120.0
#: Seconds beyond twice the time of a move until a silent agent is killed.
GRACE = 5.0
#: Seconds between looks whether a silent agent still lives.
LOOK_EVERY = 0.2


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


def _read(replies: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Takes lines until the process has ended; then comes None. Windows can wait for no pipe but by a thread."""
    with replies:
        for line in replies:
            if line.endswith(b"\n"):
                lines.put(line)
    lines.put(None)


class AgentProcess:
    """An agent file, started anew if it hangs or dies."""

    def __init__(self, path: str) -> None:
        self.path = path
        #: Peak memory of all processes in MB; None where the system does not tell.
        self.memory: float | None = None
        self.restarts = -1
        self._game: dict[str, Any] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._replies: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        self.close()
        self.restarts += 1
        command = [sys.executable, os.path.join(os.path.dirname(__file__), "child.py")]
        # In a session of its own, on Windows in a group: Ctrl-C is for the arena.
        child = self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._replies = queue.SimpleQueue()
        threading.Thread(target=_read, args=(child.stdout, self._replies), daemon=True).start()
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
        assert child is not None and child.stdin is not None
        try:
            child.stdin.write(json.dumps(request).encode() + b"\n")
            child.stdin.flush()
        except OSError:
            # A broken pipe, which Windows calls an invalid argument.
            return None
        line = self._next_line(child, seconds)
        if line is None:
            return None
        reply: dict[str, Any] = json.loads(line)
        if reply["memory"] is not None:
            self.memory = max(self.memory or 0.0, reply["memory"])
        return reply

    def _next_line(self, child: subprocess.Popen[bytes], seconds: float) -> bytes | None:
        """None if the process has ended, even if one that it has started holds its output open."""
        end = time.monotonic() + seconds
        while True:
            # What it has written before it ended still comes.
            has_ended = child.poll() is not None
            try:
                return self._replies.get(timeout=max(0.0, min(end - time.monotonic(), LOOK_EVERY)))
            except queue.Empty:
                if has_ended:
                    return None
                if time.monotonic() >= end:
                    raise TimeoutError from None

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
            # With the processes that it has started itself, which also hold its output open.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(child.pid, signal.SIGKILL)
            child.kill()
            child.wait()
            assert child.stdin is not None
            with contextlib.suppress(OSError):
                child.stdin.close()

    def __enter__(self) -> AgentProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
