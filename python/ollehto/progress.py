"""Progress of long calls."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

#: Called with how much is done and how much there is.
Progress = Callable[[int, int], object]


class ProgressBar:
    """A line on standard error: in place on a terminal, else one for each tenth."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._begun = time.monotonic()
        self._first: int | None = None
        self._tenth = 0

    def __call__(self, done: int, total: int) -> None:
        if self._first is None:
            self._first = done
        seconds = time.monotonic() - self._begun
        speed = (done - self._first) / seconds if seconds > 0 else 0.0
        left = f", {(total - done) / speed:.0f} s left" if speed > 0 and done < total else ""
        text = f"{done} of {total} {self._unit}, {speed:.0f} a second{left}"
        if sys.stderr.isatty():
            print(f"\r{text}\x1b[K", end="\n" if done == total else "", file=sys.stderr, flush=True)
        elif total and 10 * done // total > self._tenth:
            self._tenth = 10 * done // total
            print(text, file=sys.stderr, flush=True)


def reporter(progress: bool | Progress, unit: str) -> Progress | None:
    """What to call: a bar of our own, the user's function, or nothing."""
    if progress is True:
        return ProgressBar(unit)
    return progress or None
