"""Thousands of games in one process, with its memory."""

from .positions import Position
from .process import Engine, Fault

# From the hundredth game on, memory may grow by this part.
GROWTH = 0.05

FIRST = 100


def many_games(program, count, draw):
    figures = []
    for protocol in (GtpGames, UciGames):
        with Engine(program, "--depth", "2", "--hash", "16", *protocol.ARGUMENTS) as engine:
            games, curve = protocol(engine), []
            for number in range(1, count + 1):
                games.play(draw.choices([4, 6, 8], [6, 3, 1])[0] if protocol is GtpGames else draw.choice([6, 6, 8]), draw)
                if number == FIRST or number % max(FIRST, count // 10) == 0 or number == count:
                    curve.append((number, engine.memory()))
            engine.quit()
        shown = " ".join(f"{number}:{memory}" for number, memory in curve)
        figures.append(f"{protocol.NAME} {games.moves} moves, KiB by game {shown}")
        base = next((memory for number, memory in curve if number >= FIRST), 0)
        if base and curve[-1][1] > base * (1 + GROWTH):
            raise Fault(f"{protocol.NAME}: memory grows from {base} KiB at game {FIRST} to {curve[-1][1]}: {shown}")
    return f"{count} games in one process: " + "; ".join(figures)


class GtpGames:
    NAME, ARGUMENTS = "GTP", ()

    def __init__(self, engine):
        self.engine, self.moves = engine, 0

    def play(self, size, draw):
        """The engine against random moves."""
        position = Position(size)
        self.engine.send(f"boardsize {size}", "clear_board")
        self.engine.reply(), self.engine.reply()
        own = draw.choice("XO")
        while True:
            if position.board.side == own:
                name = self.engine.ok(f"genmove {position.colour}")
                if not position.is_legal(name):
                    self.engine.fail(f"{name} is illegal")
            else:
                name = position.random_move(draw)
                self.engine.ok(f"play {position.colour} {name}")
            self.moves += 1
            if name.upper() == "PASS" and position.board.is_over():
                return
            position.play(name.upper())


class UciGames:
    NAME, ARGUMENTS = "UCI", ("--protocol", "uci")

    def __init__(self, engine):
        self.engine, self.moves = engine, 0

    def play(self, size, draw):
        position, words = Position(size), []
        self.engine.send("setoption name UCI_Variant value " + {6: "antiflipello6", 8: "antiflipello"}[size], "ucinewgame")
        own = draw.choice("XO")
        while True:
            if position.board.side == own:
                self.engine.send("position startpos moves " + " ".join(words), "go depth 2")
                while not (line := self.engine.expect()).startswith("bestmove"):
                    pass
                name = position.from_uci(line.split(" ")[1])
            else:
                name = position.random_move(draw)
            if name == "PASS" and position.board.is_over() or name == "(none)":
                return
            if not position.is_legal(name):
                self.engine.fail(f"{name} is illegal")
            words.append(position.to_uci(name))
            position.play(name)
            self.moves += 1
