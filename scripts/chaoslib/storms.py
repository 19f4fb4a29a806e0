"""Storms of commands: searches that would not end by themselves are begun and cut off at any moment."""

import collections

from .positions import midgame
from .process import Engine, linger

NO_LIMIT = ("--time", "100000", "--hash", "16")
SEARCHES = ("genmove", "reg_genmove", "ollehto-")


def storm(program, cancels, draw):
    """All protocols in turn, with one thread and with two."""
    parts = [(protocol, threads) for protocol in (GtpStorm, NBoardStorm, UciStorm) for threads in (1, 2)]
    figures = []
    for number, (protocol, threads) in enumerate(parts):
        share = cancels * (number + 1) // len(parts) - cancels * number // len(parts)
        with Engine(program, *NO_LIMIT, "--threads", threads, *protocol.ARGUMENTS) as engine:
            raging = protocol(engine, draw)
            while raging.cancels < share:
                raging.round()
            raging.settle()
            memory = engine.memory()
            engine.quit()
        figures.append(f"{raging.cancels} {raging.NAME} ({threads} threads, {memory >> 10} MiB)")
    return f"{cancels} searches cancelled: " + ", ".join(figures)


class GtpStorm:
    NAME, ARGUMENTS = "GTP", ()

    def __init__(self, engine, draw):
        self.engine, self.draw, self.cancels, self.number = engine, draw, 0, 0
        self.positions, self.owed = midgame(draw, 300), collections.deque()

    def send(self, command, check):
        """A command whose reply has to pass a check."""
        self.number += 1
        number = self.number if self.draw.random() < 0.7 else None
        self.engine.send(command if number is None else f"{number} {command}")
        self.owed.append((number, command, check))

    def search(self):
        position = self.draw.choice(self.positions)
        self.send(position.gtp(), empty)
        name = self.draw.choice(["genmove", "genmove", "reg_genmove"])
        self.send(f"{name} {position.colour}", lambda good, text: good and position.is_legal(text))
        self.cancels += 1

    def analyse(self):
        self.send(self.draw.choice(["ollehto-analyze", "ollehto-pv", "ollehto-values"]), lambda good, _: good)
        self.cancels += 1

    def other(self):
        draw = self.draw
        command = draw.choice(["undo", "clear_board", "showboard", "clear_cache", "name", "nonsense", "play b a1 b2",
                               "time_left b 100000 0", "setboard", "boardsize 6", "boardsize 8", "final_score", "set"])
        if command == "set":
            command = draw.choice(["threads 1", "threads 2", "ponder on", "ponder off", "rules standard",
                                   "rules reversed", "hash 4", "book on", "book off"])
        self.send(command, lambda *_: True)

    def round(self):
        for _ in range(self.draw.randint(1, 3)):
            roll = self.draw.random()
            if roll < 0.08:
                self.other()
            elif roll < 0.16:
                self.analyse()
            else:
                self.search()
            if self.draw.random() < 0.6:
                linger(self.draw)
        searches = sum(command.startswith(SEARCHES) for _, command, _ in self.owed)
        if self.draw.random() < 0.3 and searches == 1:
            # It runs by the time that this is read. Of two, an interrupt would end only the first.
            self.engine.send("# interrupt")
        else:
            self.send("stop", empty)
        if self.draw.random() < 0.5 or len(self.owed) > 40:
            self.settle()

    def settle(self):
        while self.owed:
            number, command, check = self.owed.popleft()
            good, identity, text = self.engine.reply()
            if identity != number or not check(good, text):
                self.engine.fail(f"wrong reply to {command!r} ({number}): {good} {identity} {text!r}")


def empty(good, text):
    return good and not text


class NBoardStorm:
    NAME, ARGUMENTS = "NBoard", ("--protocol", "nboard", "--no-book")

    def __init__(self, engine, draw):
        self.engine, self.draw, self.cancels, self.number = engine, draw, 0, 0
        self.positions = midgame(draw, 300)
        # The requests from the one that the last pong belongs to: number, position, question, answers.
        self.requests = collections.deque([[0, self.positions[0], None, 0]])

    def round(self):
        draw, position = self.draw, self.draw.choice(self.positions)
        lines = [position.nboard()]
        lines += draw.sample(["set contempt 20", "set depth 60", "learn", "set nonsense 3", "", "clear",
                              "set threads 2", "set threads 1"], draw.choice([0, 0, 0, 1, 2]))
        self.number += 1
        lines.append(f"ping {self.number}")
        question = draw.choice(["go", "go", "hint 1", "hint 4", "hint 64", "analyze", None])
        if question:
            lines.append(question)
            self.cancels += 1
        self.requests.append([self.number, position, question, 0])
        self.engine.send(*lines)
        linger(draw)
        if draw.random() < 0.3 or len(self.requests) > 30:
            self.settle()
        while self.engine.has_output() and self.engine.lines:
            self.judge(self.engine.expect())

    def settle(self):
        """Until the pong of a last ping: everything before it is answered then."""
        self.number += 1
        self.engine.send(f"ping {self.number}")
        self.requests.append([self.number, self.positions[0], None, 0])
        while len(self.requests) > 1:
            self.judge(self.engine.expect())

    def judge(self, line):
        word, _, rest = line.partition(" ")
        number, position, question, answers = self.requests[0]
        if word == "pong":
            if question == "go" and answers != 1:
                self.engine.fail(f"{answers} moves for the go after ping {number}")
            self.requests.popleft()
            if rest != str(self.requests[0][0]):
                self.engine.fail(f"pong {rest} instead of {self.requests[0][0]}")
        elif word == "===":
            self.requests[0][3] += 1
            if question != "go" or not position.is_legal(rest.split("/")[0]):
                self.engine.fail(f"{line!r} after ping {number} and {question}")
        elif word == "search":
            if not (question or "").startswith("hint") or not position.is_legal(rest.split(" ")[0][:2]):
                self.engine.fail(f"{line!r} after ping {number} and {question}")
        elif word not in ("status", "nodestats", "analysis", "set", "learned"):
            self.engine.fail(f"{line!r} is no reply")


class UciStorm:
    NAME, ARGUMENTS = "UCI", ("--protocol", "uci")

    def __init__(self, engine, draw):
        self.engine, self.draw, self.cancels = engine, draw, 0
        # Computed once: it takes longer than the search.
        self.positions = [(position, position.uci()) for position in midgame(draw, 300)]
        self.gos, self.ready = collections.deque(), 0

    def round(self):
        draw = self.draw
        for _ in range(draw.choice([1, 1, 1, 2])):
            position, text = draw.choice(self.positions)
            question = draw.choice(["go infinite", "go infinite", "go ponder", "go movetime 1000000", "go",
                                    "go wtime 90000000 btime 90000000", "go infinite searchmoves P@a1"])
            self.engine.send(text, question)
            self.gos.append(position)
            self.cancels += 1
            if draw.random() < 0.7:
                linger(draw)
            if question == "go ponder" and draw.random() < 0.5:
                self.engine.send("ponderhit")
        extra = draw.random()
        if extra < 0.1:
            self.engine.send("isready")
            self.ready += 1
        elif extra < 0.2:
            self.engine.send(draw.choice(["setoption name Hash value 4", "setoption name Clear Hash", "nonsense",
                                          "setoption name Threads value 2", "setoption name Threads value 1",
                                          "setoption name MultiPV value 3", "setoption name MultiPV value 1",
                                          "ucinewgame", "ponderhit", "debug on"]))
        self.engine.send("stop")
        if draw.random() < 0.5 or len(self.gos) > 40:
            self.settle()

    def settle(self):
        while self.gos or self.ready:
            word, _, rest = self.engine.expect().partition(" ")
            if word == "bestmove":
                position = self.gos.popleft()
                if not position.is_legal(position.from_uci(rest.split(" ")[0])):
                    self.engine.fail(f"illegal bestmove {rest}")
            elif word == "readyok":
                self.ready -= 1
            elif word != "info":
                self.engine.fail(f"{word} {rest!r} is no reply")
