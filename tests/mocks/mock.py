"""A mock engine for the tests of the referee: it plays legal moves over GTP or NBoard, until it is told to misbehave.

The move depends on the position and the seed alone, so that two runs of a match can be compared move by move.
`--fault KIND --at N` goes wrong at the N-th request for a move, `--quirk KIND` does all along what real engines do.
Only what comes with Python is used.
"""

import argparse
import os
import signal
import sys
import time
import zlib

from board import Board, Refused

WORDS = {"b": "X", "black": "X", "w": "O", "white": "O"}


class Engine:
    """What both protocols have in common: the board, the choice of a move, the fault and the log."""

    def __init__(self, options):
        self.options, self.board, self.requests, self.last = options, Board(), 0, "D4"
        self.hoard = None
        self.log = open(options.log, "ab", buffering=0) if options.log else None

    def quirk(self, name):
        return name in self.options.quirk

    def note(self, direction, data):
        if self.log:
            for line in data.splitlines():
                self.log.write(f"{os.getpid()} {direction} ".encode() + line + b"\n")

    def write(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        if self.quirk("crlf"):
            data = data.replace(b"\n", b"\r\n")
        self.note("<", data)
        while data:
            data = data[os.write(1, data):]

    def choose(self):
        """The text of the next move, or the fault if it is time for it."""
        self.requests += 1
        # Some faults have nothing to do with the choice of a move.
        fault = getattr(self, f"fault_{self.options.fault}".replace("-", "_"), None)
        if fault and self.requests >= self.options.at:
            return fault()
        return self.good_move()

    def good_move(self):
        """The text of a legal move, or the pass if there is no move."""
        time.sleep(self.options.think)
        moves = self.board.moves()
        if not moves:
            return self.last if self.quirk("repeats") and self.board.is_over() else "pass"
        key = f"{self.options.seed} {''.join(self.board.cells)} {self.board.side}"
        self.last = self.board.name(moves[zlib.crc32(key.encode()) % len(moves)])
        return self.last.lower() if self.quirk("lower-moves") else self.last

    # Each fault returns what to answer, or never returns. Nothing is answered for None.

    def fault_dies(self):
        if self.quirk("last-words"):
            os.write(2, b"mock: no memory <left>\nmock: giving up\n")
        os._exit(3)

    def fault_killed(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def fault_dies_late(self):
        """Answers well and is gone before the next command."""
        self.answer(self.board.name(self.board.moves()[0]))
        os._exit(0)

    def fault_forks(self):
        """Dies, but leaves a child that holds its pipes."""
        if os.fork() != 0:
            os._exit(3)
        self.fault_hangs()

    def fault_hoards(self):
        """Takes half a gibibyte, unless it may not."""
        self.hoard = self.hoard or [bytearray(1 << 20) for _ in range(512)]
        return self.good_move()

    def fault_hangs(self):
        while True:
            signal.pause()

    def fault_held(self):
        """Waits while the gate is there. Nothing is sent to it meanwhile, so that its input can only end."""
        if os.path.exists(self.options.gate):
            sys.stdin.buffer.readline()
            os._exit(0)
        return self.good_move()

    def fault_torn(self):
        """The beginning of an answer, and then silence."""
        self.write(self.ANSWER + self.board.name(self.board.moves()[0]))
        self.fault_hangs()

    def fault_illegal(self):
        return next(self.board.name(cell) for cell, disc in enumerate(self.board.cells) if disc != "-")

    def fault_outside(self):
        return "H9"

    def fault_pass(self):
        return "pass"

    def fault_resign(self):
        return "resign"

    def fault_words(self):
        return "I think that D3 is best"

    def fault_empty(self):
        return ""

    def fault_flood(self):
        """One line without an end."""
        self.log = None
        while True:
            self.write(b"=" * 65536)

    def fault_flood_lines(self):
        self.log = None
        while True:
            self.write(b"info depth 1 and so on\n" * 3000)

    def fault_late(self):
        time.sleep(self.options.delay)
        return self.board.name(self.board.moves()[0])

    def fault_garbage(self):
        self.write(self.ANSWER.encode() + b"\x00\xff\xfe\x80\x1b[31m\xf0\n\n")

    def fault_babble(self):
        """Bytes that are no line of the protocol at all, and then silence."""
        self.write(bytes(range(256)) * 40)
        self.fault_hangs()

    def fault_closes_stdin(self):
        """Answers well and never listens again."""
        os.close(0)
        self.answer(self.board.name(self.board.moves()[0]))
        self.fault_hangs()

    def fault_closes_stdout(self):
        os.close(1)
        self.fault_hangs()

    def leave_daemons(self):
        """One child in a session of its own, and one that has changed its parent as well. Both hold the pipes."""
        for generations in (1, 2):
            if os.fork() == 0:
                os.setsid()
                if generations == 2 and os.fork() != 0:
                    os._exit(0)
                for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)
                self.fault_hangs()

    def run(self):
        if self.options.fault == "dies-at-start":
            os._exit(1)
        if self.options.fault == "silent":
            self.fault_hangs()
        if self.quirk("stubborn"):
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
        if self.quirk("daemons"):
            self.leave_daemons()
        if self.quirk("banner"):
            self.write("Mock 1.0, ready\nthinking hard about nothing\n\n")
        if self.quirk("stderr"):
            # More than a pipe holds: somebody has to read it.
            sys.stderr.write("mock: noise on standard error\n" * 10000)
            sys.stderr.flush()
        for line in iter(sys.stdin.buffer.readline, b""):
            self.note(">", line)
            if not self.obey(line.decode("utf-8", "replace").strip()):
                break
        while self.quirk("stubborn"):
            signal.pause()


class Gtp(Engine):
    """The mock over GTP."""

    ANSWER = "= "
    COMMANDS = (
        "protocol_version name version list_commands known_command quit boardsize clear_board komi play genmove "
        "final_score time_settings time_left list_games set_game setboard rules gogui-setup gogui-setup_player"
    ).split()
    identity = ""

    def commands(self):
        hidden = {"no-score": ["final_score"], "plain": ["setboard", "rules", "gogui-setup", "gogui-setup_player"]}
        return [name for name in self.COMMANDS if not any(self.quirk(q) and name in hidden[q] for q in hidden)]

    def reply(self, sign, text):
        blank = "" if self.quirk("no-blank") or not text else " "
        identity = f" {self.identity}" if self.quirk("id-apart") and self.identity else self.identity
        if self.options.fault == "wrong-id" and self.requests >= self.options.at:
            identity = "999"
        self.write(f"{sign}{identity}{blank}{text}\n\n")

    def answer(self, text):
        self.reply("=", text)

    def obey(self, line):
        """Answers a command; whether to go on."""
        words = line.split("#")[0].split()
        if not words:
            return True
        # Edax never forgets an id.
        self.identity = words.pop(0) if words[0].isdigit() else self.identity if self.quirk("id-apart") else ""
        name, arguments = words[0], words[1:]
        try:
            if name not in self.commands():
                raise Refused("unknown command")
            text = getattr(self, "do_" + name.replace("-", "_"))(*arguments)
        except Refused as refused:
            self.reply("?", str(refused))
        except (IndexError, KeyError, TypeError, ValueError):
            self.reply("?", "syntax error")
        else:
            if text is not None:
                self.answer(text)
        return name != "quit" or self.quirk("stubborn")

    def side(self, colour):
        if self.quirk("lower") and colour != colour.lower():
            raise Refused("wrong color")
        return WORDS[colour.lower()]

    def do_protocol_version(self):
        return "2"

    def do_name(self):
        return "Mock"

    def do_version(self):
        return "1.0"

    def do_list_commands(self):
        return "\n".join(self.commands())

    def do_known_command(self, name):
        return "true" if name in self.commands() else "false"

    def do_quit(self):
        return None if self.quirk("stubborn") else ""

    def do_boardsize(self, size):
        if int(size) not in (4, 6, 8):
            raise Refused("unacceptable size")
        self.board = Board(int(size))
        return ""

    def do_clear_board(self):
        self.board = Board(self.board.size)
        return ""

    def do_play(self, colour, name):
        if self.options.fault == "refuses" and self.requests >= self.options.at:
            raise Refused("illegal move")
        if self.quirk("no-pass") and name.lower() == "pass":
            raise Refused("syntax error")
        self.board.play(self.side(colour), name)
        return ""

    def do_genmove(self, colour):
        side = self.side(colour)
        if side != self.board.side and self.board.moves() and self.board.moves(side):
            raise Refused("wrong color")
        self.board.side = side
        text = self.choose()
        try:
            self.board.play(side, text or "")
        except Refused:
            # It will not be the referee who accepts this.
            pass
        return text

    def fault_gives_up(self):
        raise Refused("I give up")

    def fault_wrong_id(self):
        return self.board.name(self.board.moves()[0])

    def do_final_score(self):
        if not self.board.is_over():
            raise Refused("cannot score")
        black, white = self.board.cells.count("X"), self.board.cells.count("O")
        return "0" if black == white else f"{'B' if black > white else 'W'}+{abs(black - white)}"

    def do_setboard(self, cells, side):
        self.board = Board.read(cells, side)
        return ""

    def do_gogui_setup(self, *stones):
        self.board.cells = ["-"] * len(self.board.cells)
        for colour, name in zip(stones[::2], stones[1::2]):
            self.board.cells[self.board.cell(name)] = self.side(colour)
        return ""

    def do_gogui_setup_player(self, colour):
        self.board.side = self.side(colour)
        return ""

    def do_list_games(self):
        return "Othello"

    def accept(self, *_):
        return ""

    def do_rules(self, *_):
        if self.quirk("other-rules"):
            raise Refused("rules are chinese or japanese")
        return ""

    do_komi = do_time_settings = do_time_left = do_set_game = accept


class NBoard(Engine):
    """The mock over NBoard."""

    ANSWER = "=== "

    def answer(self, text):
        text = "PA" if text == "pass" else text
        self.write(f"=== {text} 0.50 0.01\n" if self.quirk("edax") else f"=== {text}/0.50/0.01\n")

    def obey(self, line):
        words = line.split()
        if words[:2] == ["set", "game"]:
            self.set_game(line)
        elif words[:2] == ["set", "depth"]:
            self.write(f"set myname Mock{words[2]}\n")
        elif words[:1] == ["move"]:
            self.board.play(self.board.side, words[1].split("/")[0])
        elif words[:1] == ["ping"]:
            self.write(f"pong {words[1]}\n")
        elif words[:1] == ["hint"]:
            self.hint()
        elif words[:1] == ["analyze"] and self.quirk("edax"):
            self.write("".join(f"analysis {number} 0.50\n" for number in range(self.turns + 1)))
        elif words[:1] == ["go"]:
            if self.quirk("chatter"):
                self.write("NODESTAT 12 34\nstatus Thinking\nsearch D3 0.50 0 4\nnodestats 100 0.01\n")
            text = self.choose()
            if text is not None:
                self.answer(text)
        return words[:1] != ["quit"] or self.quirk("stubborn")

    def hint(self):
        """The value of the only move of the last ply: by the type of the game, or as if the most discs always won."""
        if not self.quirk("knows-anti") and not self.quirk("ignores-anti"):
            return
        board, side = Board.read("".join(self.board.cells), self.board.side), self.board.side
        name = board.name(board.moves()[0])
        board.play(side, name)
        value = board.cells.count(side) - board.cells.count("XO".replace(side, ""))
        self.write(f"search {name} {-value if self.anti and self.quirk('knows-anti') else value}.00 0 100%\n")

    anti, turns = False, 0

    def set_game(self, line):
        self.turns = 0
        self.anti = "a" in line.split("TY[")[1].split("]")[0]
        tags = line[line.index("(;") + 2:].split("]")
        for tag in tags:
            name, _, value = tag.strip("; ").partition("[")
            if name == "BO":
                words = value.split()
                self.board = Board.read("".join(words[1:-1]), words[-1])
            elif name in ("B", "W"):
                self.board.play({"B": "X", "W": "O"}[name], value.split("/")[0])
                self.turns += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nboard", action="store_true")
    parser.add_argument("--fault")
    parser.add_argument("--at", type=int, default=1)
    parser.add_argument("--delay", type=float, default=0.7, help="how long the late answer takes")
    parser.add_argument("--think", type=float, default=0.0, help="how long every answer takes")
    parser.add_argument("--quirk", action="append", default=[])
    parser.add_argument("--gate", help="a file: while it is there the fault 'held' waits")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", help="all traffic is appended to this file")
    parser.add_argument("--marker", help="finds the process among others")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    (NBoard if options.nboard else Gtp)(options).run()


try:
    main()
except BrokenPipeError:
    # Whoever started it is gone.
    os._exit(0)
