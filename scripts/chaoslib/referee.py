"""`ollehto match` with engines that misbehave, and a match that is killed: nothing stays behind."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

from .process import PATIENCE, Fault, environment, expect_no_survivors, survivors

MOCK = Path(__file__).resolve().parents[2] / "tests" / "mocks" / "mock.py"

# What else an engine may do: each is a program around the well-behaved mock.
WRAPPERS = {
    # Leaves helpers in its process group, in a session of their own, and as a daemon that has changed its parent.
    "helpers": """
        for kind in ("child", "session", "daemon"):
            if os.fork() == 0:
                if kind != "child":
                    os.setsid()
                if kind == "daemon" and os.fork():
                    os._exit(0)
                ignore_signals()
                pause_for_ever()
        play()
        """,
    # Ignores everything that can be ignored, the end of its input too.
    "deaf": """
        ignore_signals()
        if os.fork():
            pause_for_ever()
        play()
        """,
    # Plays well, and complains all the time.
    "complainer": """
        if os.fork() == 0:
            while True:
                os.write(2, b"something is wrong " * 500 + b"\\n")
        play()
        """,
    # Never ends, and never stops to write.
    "babbler": """
        ignore_signals()
        if os.fork() == 0:
            while True:
                os.write(1, b"garbage " * 500 + b"\\n")
        pause_for_ever()
        """,
}

WRAPPER = """\
import os, signal, sys
def ignore_signals():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
def pause_for_ever():
    while True:
        signal.pause()
def play():
    os.execv(sys.executable, [sys.executable, "-ES", {mock!r}, *sys.argv[1:]])
"""

# Each of two games starts the engine once, and there is one more start to check it.
LARGEST_LOG = 64 << 20

FAULTS = ["hangs", "dies", "killed", "forks", "torn", "garbage", "babble", "flood", "flood-lines", "closes-stdin",
          "closes-stdout", "silent", "dies-at-start"]


def misbehaving_engines(program, count, draw):
    """Each fault in a match of its own, then matches that are killed in the middle."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, text in WRAPPERS.items():
            (folder / f"{name}.py").write_text(WRAPPER.format(mock=str(MOCK)) + textwrap.dedent(text))
        faults = FAULTS if count >= len(FAULTS) else draw.sample(FAULTS, count)
        games = 0
        for fault in faults:
            games += play(program, folder, [MOCK, "--fault", fault, "--at", "2"], "faulty")
        wrappers = list(WRAPPERS)
        for name in wrappers:
            games += play(program, folder, [folder / f"{name}.py"], "faulty" if name == "babbler" else None)
        largest = max(file.stat().st_size for file in (folder / "logs").iterdir())
        if largest > LARGEST_LOG:
            raise Fault(f"{largest >> 20} MiB of complaints are kept")
        killed = 0
        for name in wrappers if count >= len(FAULTS) else [draw.choice(wrappers)]:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
                kill_match(program, folder, folder / f"{name}.py", number)
                killed += 1
    return f"{games} games against {len(faults) + len(wrappers)} kinds of engines, {killed} matches killed; nothing left behind"


def command(program, folder, engine, journal):
    engine = " ".join([sys.executable, "-ES", *map(str, engine)])
    return [program, "match", "--player", f'cmd="{engine}",name=faulty,time=0.3,hang=0.3,assume=reversed',
            "--player", "random,name=sound", "--openings", "random:4", "--size", "4", "--pairs", "1",
            "--journal", journal, "--logs", folder / "logs"]


def play(program, folder, engine, loser):
    journal = folder / "journal"
    journal.unlink(missing_ok=True)
    words = list(map(str, command(program, folder, engine, journal)))
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode:
        raise Fault(f"{' '.join(words)} ends with {done.returncode}\n{done.stdout}{done.stderr}")
    games = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    if len(games) != 2:
        raise Fault(f"{words}: {len(games)} games in the journal")
    if loser and not all("forfeit" in json.dumps(game).lower() for game in games):
        raise Fault(f"{words}: no forfeit in {games}")
    expect_no_survivors()
    return len(games)


def kill_match(program, folder, engine, number):
    journal = folder / "journal"
    journal.unlink(missing_ok=True)
    words = list(map(str, command(program, folder, [engine], journal)))
    words[words.index("--pairs") + 1] = "1000"
    words[words.index("--player") + 1] = words[words.index("--player") + 1].replace("hang=0.3", "hang=60")
    with subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + PATIENCE
        # The engine's own children run once there are three processes.
        while len(survivors()) < 3 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        os.kill(process.pid, number)
        process.communicate(timeout=PATIENCE)
    try:
        expect_no_survivors()
    except Fault as fault:
        raise Fault(f"{signal.Signals(number).name} to a match with {engine.name}: {fault}")
