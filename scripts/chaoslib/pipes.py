"""What can happen to a process and its pipes: stopped and continued, slow readers, single bytes, an end anywhere."""

import concurrent.futures
import os
import signal
import subprocess
import time

from .positions import midgame
from .process import PATIENCE, Engine, Fault, environment, linger

STEADY = ("--no-book", "--seed", "1", "--hash", "1")

# Dialogues whose answers do not depend on time. `quit` is left out where it drops what is still to be answered.
DIALOGUES = {
    "gtp": "1 name\n\ndepth 3\ngenmove b\n# remark\n7 play w d6\nshowboard\nreg_genmove b\nponder on\ngenmove w\nfoo\n"
           "ollehto-eval\nclear_board\nlist_commands\nquit\n",
    "nboard": "nboard 2\nset depth 3\nset game (;GM[Othello]PB[a]PW[b]RE[?]TY[8a]BO[8 ---------------------------O*"
              "------*O--------------------------- *]B[F5];)\nping 12\ngo\nmove D6\nset ponder on\nping 3\nhint 2\n"
              "ping 4\ngo\nquit\n",
    "uci": "uci\nsetoption name Hash value 1\nisready\nposition startpos moves P@e3 P@d3\ngo depth 3\nd\nucinewgame\n"
           "position startpos\ngo nodes 200\nisready\ngo perft 2\ngo depth 2\n",
    "xboard": "xboard\nprotover 2\nsd 3\nnew\nforce\nusermove d3\nping 6\ngo\nping 7\nping 8\n",
    "cassio": "ENGINE-PROTOCOL init\nENGINE-PROTOCOL get-version\nENGINE-PROTOCOL midgame-search "
              "---------------------------OX------XO---------------------------X -64 64 4 90\n"
              "ENGINE-PROTOCOL new-position\nENGINE-PROTOCOL empty-hash\n",
}


def stop_and_continue(program, count, draw):
    """Frozen at any moment of searches and pondering: as if no time had passed, but for the clock."""
    positions = midgame(draw, 60)
    frozen = 0

    def freeze_during(engine, *lines):
        """Freezes it after every line, or has it find the line when it goes on."""
        nonlocal frozen
        for line in lines:
            late = draw.random() < 0.3
            if not late:
                engine.send(line)
                linger(draw)
            engine.signal(signal.SIGSTOP)
            if late:
                engine.send(line)
            time.sleep(draw.random() * 0.01)
            engine.signal(signal.SIGCONT)
            frozen += 1

    with Engine(program, "--time", "0.02", "--ponder", "--threads", "2", "--no-book") as engine:
        while frozen < count // 3:
            position = draw.choice(positions)
            engine.send(position.gtp())
            engine.reply()
            freeze_during(engine, f"genmove {position.colour}")
            good, _, text = engine.reply()
            if not good or not position.is_legal(text):
                engine.fail(f"{text!r} is no move")
            # It ponders now.
            freeze_during(engine, "name", "showboard")
            engine.reply(), engine.reply()
        engine.quit()
    with Engine(program, "--protocol", "nboard", "--time", "0.02", "--ponder", "--no-book") as engine:
        while frozen < 2 * count // 3:
            position = draw.choice(positions)
            engine.send(position.nboard())
            freeze_during(engine, f"ping {frozen}", "go")
            while not (line := engine.expect()).startswith("==="):
                pass
            if not position.is_legal(line[4:].split("/")[0]):
                engine.fail(f"{line!r} is no move")
            freeze_during(engine, "hint 4")
        engine.quit()
    with Engine(program, "--protocol", "uci", "--threads", "2", "--no-book") as engine:
        while frozen < count:
            position = draw.choice(positions)
            engine.send(position.uci())
            freeze_during(engine, draw.choice(["go infinite", "go ponder"]), "isready", "stop")
            best = None
            while best is None:
                word, _, rest = engine.expect().partition(" ")
                best = rest.split(" ")[0] if word == "bestmove" else None
            if not position.is_legal(position.from_uci(best)):
                engine.fail(f"{best!r} is no move")
        engine.quit()
    return f"{frozen} times frozen and continued in searches and pondering"


# What the process may grow by while nobody reads its answers, in KiB.
GROWTH = 64 << 10


def slow_readers(program, seconds, draw):
    """Nobody reads for a while, and the client goes on writing: nothing gets lost, and memory stays bounded."""
    figures = []
    for name, arguments, command, answered in [
        ("answers", (), "{} list_commands", gtp_answers),
        ("a search", ("--time", "2"), "{} reg_genmove b", gtp_answers),
        ("short lines", (), "{} name", gtp_answers),
        ("NBoard", ("--protocol", "nboard", "--depth", "6"), "ping {}", pongs),
        ("UCI", ("--protocol", "uci", "--depth", "6"), "isready", ready),
    ]:
        with Engine(program, "--no-book", "--hash", "1", *arguments) as engine:
            engine.send({"NBoard": "ping 0", "UCI": "isready"}.get(name, "0 name"))
            engine.expect()
            before, sent, written = engine.memory(), 0, 0
            batch, most, until = b"", before, time.monotonic() + seconds
            while time.monotonic() < until and written < 1 << 28:
                if not batch:
                    sent += 1
                    batch = (command.format(sent) + "\n").encode()
                    while len(batch) < 1 << 12:
                        sent += 1
                        batch += (command.format(sent) + "\n").encode()
                done = engine.write_what_fits(batch)
                batch, written = batch[done:], written + done
                if not done:
                    time.sleep(0.002)
                    most = max(most, engine.memory())
            most = max(most, engine.memory())
            if most > before + GROWTH:
                engine.fail(f"{name}: grows from {before >> 10} to {most >> 10} MiB for {written >> 10} KiB unanswered")
            if name == "a search":
                # Each takes two seconds unless it is told to stop, and the last lines are behind a full pipe.
                engine.process.kill()
                engine.wait(None)
            else:
                answered(engine, batch, sent)
        figures.append(f"{name} {sent} lines +{(most - before) >> 10} MiB")
    return "; ".join(figures)


def drain(engine, rest, until):
    """Writes the rest and reads slowly until a predicate of lines is content."""
    deadline = time.monotonic() + PATIENCE
    while not until():
        written = engine.write_what_fits(rest) if rest else 0
        rest = rest[written:]
        if engine.fill(0.01, most=4096) or written:
            deadline = time.monotonic() + PATIENCE
        elif time.monotonic() > deadline:
            engine.fail(f"neither reads nor answers for {PATIENCE} s")
        if engine.ended:
            engine.fail("has closed its output")


def gtp_answers(engine, rest, sent):
    seen = 0

    def until():
        nonlocal seen
        while engine.lines:
            line = engine.lines.popleft().decode()
            if line.startswith("="):
                number = int(line[1:].split(" ")[0])
                if number not in (0, seen + 1):
                    engine.fail(f"answer {number} after {seen}")
                seen = number
        return seen == sent

    drain(engine, rest, until)
    # The end of the last answer.
    while engine.fill(0.05):
        pass
    engine.lines.clear()
    engine.quit()


def pongs(engine, rest, sent):
    seen = 0

    def until():
        nonlocal seen
        while engine.lines:
            number = int(engine.lines.popleft().decode().removeprefix("pong "))
            if number not in (0, seen + 1):
                engine.fail(f"pong {number} after {seen}")
            seen = number
        return seen == sent

    drain(engine, rest, until)
    engine.quit()


def ready(engine, rest, sent):
    seen = 0

    def until():
        nonlocal seen
        seen += len(engine.lines)
        engine.lines.clear()
        return seen == sent

    drain(engine, rest, until)
    engine.quit()


def outcome(program, protocol, data, bytewise=False):
    """Exit code and both outputs of a dialogue."""
    command = [program, "--protocol", protocol, *STEADY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment(), bufsize=0) as process:
        try:
            if bytewise:
                for at in range(len(data)):
                    os.write(process.stdin.fileno(), data[at:at + 1])
                data = b""
            output, errors = process.communicate(data, timeout=PATIENCE)
        except BrokenPipeError:
            output, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Fault(f"{command}: hangs after {data!r}")
    return process.returncode, output.decode(), errors.decode()


def timeless(output):
    """Without the times that Cassio's protocol tells."""
    return [line.split(", time ")[0] for line in output.splitlines()]


def single_bytes(program, _, draw):
    """A client that writes every byte by itself gets the answers of one that writes all at once."""
    written = 0
    for protocol, text in DIALOGUES.items():
        data = text.encode()
        whole, bytewise = (outcome(program, protocol, data, bytewise) for bytewise in (False, True))
        check_end(program, protocol, data, bytewise)
        # A hint of NBoard ends with the next line, and UCI answers `isready` at once.
        if protocol not in ("nboard", "uci") and timeless(whole[1]) != timeless(bytewise[1]):
            raise Fault(f"{protocol}: {whole} byte by byte {bytewise}")
        written += len(data)
    return f"{written} bytes in {len(DIALOGUES)} protocols"


def ends_anywhere(program, step, draw):
    """The input ends after every byte of a dialogue: all that was asked is answered, the exit code is 0."""
    tasks = [(protocol, text.encode()[:length]) for protocol, text in DIALOGUES.items()
             for length in range(draw.randrange(step), len(text) + 1, step)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        outcomes = pool.map(lambda task: outcome(program, *task), tasks)
        for (protocol, data), ended in zip(tasks, outcomes):
            check_end(program, protocol, data, ended)
    return f"{len(tasks)} ends of input in {len(DIALOGUES)} protocols, all answered, exit code 0"


def check_end(program, protocol, data, ended):
    code, output, errors = ended
    counted = {"gtp": gtp_count, "nboard": nboard_count, "uci": uci_count, "xboard": xboard_count, "cassio": cassio_count}
    wanted, found = counted[protocol](data.decode(), output)
    if code or errors or wanted != found:
        raise Fault(f"{protocol} after {data!r}: exit code {code}, {found} instead of {wanted}\n{output}{errors}")


def gtp_count(data, output):
    # A number without a command is no command.
    lines = [line for line in data.split("\n") if line.split("#")[0].strip().lstrip("0123456789")]
    return len(lines), output.count("\n\n")


def nboard_count(data, output):
    lines = data.split("\n")
    pongs = [line.strip().replace("ping", "pong") for line in lines if line.split(" ")[0] == "ping"]
    return (pongs, lines.count("go")), (
        [line for line in output.splitlines() if line.startswith("pong")], output.count("=== "))


def uci_count(data, output):
    lines = data.split("\n")
    words = [line.split(" ") for line in lines]
    gos = sum(line[0] == "go" and not (line[1:2] == ["perft"] and line[2:] and line[2].isdigit()) for line in words)
    return (gos, lines.count("isready"), lines.count("uci")), (
        output.count("bestmove "), output.count("readyok\n"), output.count("uciok\n"))


def xboard_count(data, output):
    lines = data.split("\n")
    pongs = [line.strip().replace("ping", "pong") for line in lines if line.split(" ")[0] == "ping"]
    return (pongs, lines.count("go")), (
        [line.strip() for line in output.splitlines() if line.startswith("pong")], output.count("move P@"))


def cassio_count(data, output):
    lines = [line for line in data.split("\n") if line.strip()]
    return len(lines), output.count("ready.")
