"""Little memory, little time, little of the processor."""

import os
import sys
import time

from .positions import Position, midgame
from .process import Engine, Fault, quantiles

# KiB between two limits.
STEP = 1 << 12

ENOUGH = 1 << 20


def memory_limits(program, steps, draw):
    """From what the system needs to start the program up to enough: it plays, or it says that memory is short."""
    least = least_to_start(program)
    played, refused, least_played = 0, 0, {}
    for arguments in [(), ("--threads", "2"), ("--threads", "64"), ("--hash", "4096"), ("--protocol", "uci")]:
        limits = [least + (ENOUGH - least) * part // steps for part in range(steps)] if steps < 64 else \
            [*range(least, least + 64 * STEP, STEP), *range(least + 64 * STEP, ENOUGH, 32 * STEP)]
        for limit in limits:
            if plays_within(program, arguments, limit):
                played += 1
                least_played.setdefault(arguments, limit)
            else:
                refused += 1
    return (f"{played + refused} starts from {least >> 10} MiB on: {played} played, {refused} ended with a message; "
            f"it plays from {least_played.get((), 0) >> 10} MiB on")


def least_to_start(program):
    """KiB of address space from which on the system can start it, and the C library set it up."""
    low, high = 0, ENOUGH
    while high - low > 256:
        middle = (low + high) // 2
        with Engine(program, "--version", limit=middle) as engine:
            engine.close_input()
            starts = engine.wait(None) == 0
        low, high = (low, middle) if starts else (middle, high)
    return high


def plays_within(program, arguments, limit):
    position = Position()
    uci = "uci" in arguments
    script = "position startpos\ngo depth 6\n" if uci else "genmove b\nreg_genmove w\nclear_cache\nquit\n"
    with Engine(program, "--no-book", "--depth", "6", *arguments, limit=limit) as engine:
        if engine.write_what_fits(script.encode()) == len(script):
            engine.close_input()
        lines, errors = engine.finish(code=None)
        code = engine.process.returncode
        if code == 0:
            moves = [line.split(" ")[1] for line in lines if line.startswith(("= ", "bestmove "))]
            moves = [position.from_uci(moves[0])] if uci else moves
            if len(moves) != 2 - uci or not position.is_legal(moves[0]):
                engine.fail(f"{lines} within {limit} KiB: {errors}")
            return True
        if code != 1 or "memory" not in errors or "panicked" in errors or "backtrace" in errors:
            engine.fail(f"ends with {code} within {limit} KiB: {errors}")
        return False


# Answers at once, in the same way: what the pipes and the system cost.
CONTROL = "import os\nwhile data := os.read(0, 65536): os.write(1, b'= D3\\n\\n' * data.count(b'\\n'))"

# From so many games on lateness is judged: a few tell of the machine only.
JUDGED = 50

# What referees forgive, as `ollehto match --margin`.
MARGIN = 0.2


def tiny_clocks(program, games, draw):
    """One millisecond for a move, or for the whole game: legal moves, hardly later than a process that does nothing."""
    late = {"engine": 0, "control": 0}
    times = {"engine": [], "control": []}
    with Engine(sys.executable, "-ES", "-c", CONTROL) as control, \
            Engine(program, "--no-book", "--time", "0.001") as gtp, \
            Engine(program, "--no-book", "--protocol", "uci") as uci, \
            Engine(program, "--no-book", "--protocol", "nboard", "--time", "0.001") as nboard:
        control.ok("name")

        def timed(who, ask):
            start = time.perf_counter()
            answer = ask()
            spent = time.perf_counter() - start
            times[who].append(spent)
            late[who] += spent > MARGIN
            return answer

        for number in range(games):
            position = Position(draw.choice([4, 6, 8]))
            kind = ("time", "clock", "movetime", "wtime", "nboard")[number % 5]
            if kind in ("movetime", "wtime"):
                position = Position(draw.choice([6, 8]))
                uci.send("setoption name UCI_Variant value antiflipello" + "6" * (position.board.size == 6), "ucinewgame")
            elif kind == "nboard":
                position = Position(8)
            else:
                gtp.ok(f"boardsize {position.board.size}")
                gtp.ok("time_settings 0 0 0" if kind == "time" else "time_settings 1 0 0")
            while not position.board.is_over():
                name = timed("engine", lambda: ask(kind, position, gtp, uci, nboard))
                timed("control", lambda: control.ok("genmove"))
                if not position.is_legal(name):
                    (uci if kind in ("movetime", "wtime") else nboard if kind == "nboard" else gtp).fail(f"{kind}: {name}")
                position.play(name)
        gtp.quit(), uci.quit(), nboard.quit()
    if games >= JUDGED and late["engine"] > late["control"]:
        raise Fault(f"{late['engine']} moves later than {MARGIN} s, {late['control']} of the control")
    shown = ["/".join(f"{1000 * value:.1f}" for value in quantiles(times[who])) for who in ("engine", "control")]
    return (f"{len(times['engine'])} moves at 1 ms, p50/p90/p99/p99.9/max {shown[0]} ms, control {shown[1]} ms; "
            f"{late['engine']} beyond {1000 * MARGIN:.0f} ms")


def ask(kind, position, gtp, uci, nboard):
    if kind == "time" or kind == "clock":
        if kind == "clock":
            gtp.send(f"time_left {position.colour} 0 0", f"genmove {position.colour}")
            gtp.reply()
        else:
            gtp.send(f"genmove {position.colour}")
        return gtp.reply()[2]
    if kind == "nboard":
        nboard.send(position.nboard(), "go")
        while not (line := nboard.expect()).startswith("==="):
            pass
        return line[4:].split("/")[0].replace("PA", "PASS")
    uci.send(position.uci(), "go movetime 1" if kind == "movetime" else "go wtime 1 btime 1")
    while not (line := uci.expect()).startswith("bestmove"):
        pass
    return position.from_uci(line.split(" ")[1])


def many_instances(program, count, draw):
    """All answer and all end, though they share two processors."""
    positions = midgame(draw, count)
    started = time.monotonic()
    engines = [Engine(program, "--no-book", "--time", "0.05", "--threads", draw.choice([1, 2])) for _ in range(count)]
    try:
        for round in range(4):
            for engine, position in zip(engines, positions):
                engine.send(position.gtp(), f"reg_genmove {position.colour}")
            for engine, position in zip(engines, positions):
                engine.reply()
                good, _, text = engine.reply()
                if not good or not position.is_legal(text):
                    engine.fail(f"{text!r} is no move")
        memory = sum(engine.memory() for engine in engines)
        for engine in engines:
            engine.send("quit")
        for engine in engines:
            engine.finish()
    finally:
        for engine in engines:
            engine.__exit__()
    processors = len(os.sched_getaffinity(0))
    return (f"{count} instances on {processors} processors, 4 moves each at 50 ms: all answered and ended in "
            f"{time.monotonic() - started:.1f} s, {memory >> 10} MiB in all")

