"""A program at the other end of pipes, watched from outside."""

import collections
import os
import select
import signal
import subprocess
import time
import uuid

# No answer for so long is a hang; nothing else is concluded from it.
PATIENCE = 300

# In the environment of everything that is started, so that nothing can stay behind unseen.
MARKER = f"OLLEHTO_CHAOS={uuid.uuid4()}"

SHOWN_LINES = 30


class Fault(Exception):
    """The program did what it must not."""


class Engine:
    """The program with its three streams. Reads only when asked, so that a reader can be slow."""

    def __init__(self, program, *arguments, limit=None, stderr=subprocess.PIPE):
        self.words = [str(program), *map(str, arguments)]
        command = self.words
        if limit is not None:
            command = ["sh", "-c", f'ulimit -c 0; ulimit -v {limit}; exec "$0" "$@"', *self.words]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
                                        env=environment(), bufsize=0)
        self.input, self.output = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.pending, self.lines, self.ended = b"", collections.deque(), False
        self.traffic = collections.deque(maxlen=SHOWN_LINES)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()

    def send(self, *lines):
        for line in lines:
            self.traffic.append("> " + line)
        self.write("".join(line + "\n" for line in lines).encode())

    def write(self, data):
        """Writes all of it, waiting for the reader no longer than for an answer."""
        deadline = time.monotonic() + PATIENCE
        while data := data[self.write_what_fits(data):]:
            if not select.select([], [self.input], [], max(0, deadline - time.monotonic()))[1]:
                self.fail(f"reads nothing for {PATIENCE} s")

    def write_what_fits(self, data):
        """Writes without waiting; how much."""
        os.set_blocking(self.input, False)
        try:
            return os.write(self.input, data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            self.fail("does not read any more")
        finally:
            os.set_blocking(self.input, True)

    def close_input(self):
        self.process.stdin.close()

    def fill(self, timeout, most=1 << 16):
        """Reads what there is; whether there was anything."""
        if self.ended or not select.select([self.output], [], [], timeout)[0]:
            return False
        data = os.read(self.output, most)
        self.ended = not data
        *lines, self.pending = (self.pending + data).split(b"\n")
        self.lines.extend(lines)
        return True

    def receive(self, timeout=PATIENCE):
        """The next line; None at the end of the output."""
        deadline = time.monotonic() + timeout
        while not self.lines:
            if self.ended:
                return None
            if not self.fill(max(0, deadline - time.monotonic())) and time.monotonic() >= deadline:
                self.fail(f"says nothing for {timeout} s")
        line = self.lines.popleft().decode()
        self.traffic.append("< " + line)
        return line

    def expect(self):
        line = self.receive()
        if line is None:
            self.fail("has closed its output")
        return line

    def has_output(self):
        return bool(self.lines) or self.fill(0)

    def reply(self):
        """A GTP reply: whether it is a success, its id, its text."""
        first = self.expect()
        rest = []
        while line := self.expect():
            rest.append(line)
        if first[:1] not in ("=", "?"):
            self.fail(f"{first!r} is no GTP reply")
        number, _, text = first[1:].partition(" ")
        return first[0] == "=", int(number) if number else None, "\n".join([text, *rest])

    def ok(self, command):
        self.send(command)
        good, _, text = self.reply()
        if not good:
            self.fail(f"refuses {command!r}")
        return text

    def signal(self, number):
        self.process.send_signal(number)

    def memory(self):
        """Resident memory in KiB, after the whole output was read or not."""
        return memory(self.process.pid)

    def finish(self, code=0, timeout=PATIENCE):
        """Reads to the end and checks the exit code; the lines and standard error."""
        rest = []
        while (line := self.receive(timeout)) is not None:
            rest.append(line)
        if self.pending:
            self.fail(f"the last line is torn: {self.pending!r}")
        self.wait(code, timeout)
        return rest, self.errors()

    def wait(self, code=0, timeout=PATIENCE):
        try:
            ended = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.fail(f"still runs {timeout} s after its end of output")
        if code is not None and ended != code:
            self.fail(f"ends with {ended} instead of {code}")
        return ended

    def errors(self):
        return self.process.stderr.read().decode(errors="replace") if self.process.stderr else ""

    def quit(self):
        self.send("quit")
        _, errors = self.finish()
        if errors:
            self.fail(f"complains: {errors}")

    def fail(self, problem):
        errors = ""
        if self.process.poll() is not None:
            errors = f"\nexit code {self.process.returncode}\n{self.errors()}"
        shown = "\n".join(line[:200] for line in self.traffic)
        raise Fault(f"{' '.join(self.words)}: {problem}{errors}\n{shown}")


def environment():
    return {**os.environ, **dict([MARKER.split("=")])}


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next((int(line.split()[1]) for line in status if line.startswith("VmRSS:")), 0)


def survivors():
    """Processes that this program has started, directly or not, with their command lines."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if MARKER.encode() not in file.read():
                    continue
            with open(f"/proc/{name}/cmdline", "rb") as file:
                found[int(name)] = file.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            # It has ended meanwhile.
            pass
    return found


def expect_no_survivors(patience=PATIENCE):
    """Nothing may stay; what does is killed."""
    deadline = time.monotonic() + patience
    while left := survivors():
        if time.monotonic() > deadline:
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            raise Fault(f"left behind: {left}")
        time.sleep(0.01)


def linger(draw):
    """Lets a random time pass: mostly some microseconds, sometimes two milliseconds."""
    exponent = draw.randint(0, 11)
    moment = time.perf_counter() + draw.randrange(1 << exponent) * 1e-6
    while time.perf_counter() < moment:
        pass


def quantiles(numbers):
    """p50, p90, p99, p99.9 and the largest."""
    ordered = sorted(numbers)
    at = [ordered[max(0, -(-len(ordered) * mille // 1000) - 1)] for mille in (500, 900, 990, 999)]
    return [*at, ordered[-1]]
