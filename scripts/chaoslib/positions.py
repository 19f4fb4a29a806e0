"""Positions of the game by a model that shares nothing with the engine (`tests/mocks/board.py`)."""

import copy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "mocks"))
sys.dont_write_bytecode = True

from board import OTHER, Board  # noqa: E402

COLOUR = {"X": "b", "O": "w"}


class Position:
    """A board with the moves that led to it, in the words of each protocol."""

    def __init__(self, size=8):
        self.board, self.moves = Board(size), []

    def after(self, name):
        next = copy.deepcopy(self)
        next.play(name)
        return next

    def play(self, name):
        self.board.play(self.board.side, name)
        self.moves.append(name)

    def legal(self):
        """Names of the moves, or the pass."""
        return [self.board.name(cell) for cell in self.board.moves()] or ["PASS"]

    def is_legal(self, name):
        if name.upper() in ("PASS", "PA"):
            return not self.board.moves()
        return bool(self.board.flips(self.board.cell(name), self.board.side))

    def random_move(self, draw):
        """A legal move; quicker than to list them all."""
        cells = [cell for cell, disc in enumerate(self.board.cells) if disc == "-"]
        draw.shuffle(cells)
        for cell in cells:
            if self.board.flips(cell, self.board.side):
                return self.board.name(cell)
        return "PASS"

    @property
    def colour(self):
        return COLOUR[self.board.side]

    def gtp(self):
        return f"setboard {''.join(self.board.cells)} {self.board.side}"

    def nboard(self, anti=True):
        size, cells = self.board.size, "".join(self.board.cells).replace("X", "*")
        side = self.board.side.replace("X", "*")
        return f"set game (;GM[Othello]PB[a]PW[b]RE[?]TY[{size}{'a' * anti}]BO[{size} {cells} {side}];)"

    def uci(self):
        """From the start; a pass moves a disc to its own square."""
        words = []
        played = Position(self.board.size)
        for name in self.moves:
            words.append(played.to_uci(name))
            played.play(name)
        return "position startpos" + (" moves " + " ".join(words) if words else "")

    def to_uci(self, name):
        if name == "PASS":
            own = next(cell for cell, disc in enumerate(self.board.cells) if disc == self.board.side)
            return 2 * self.mirrored(self.board.name(own))
        return "P@" + self.mirrored(name)

    def from_uci(self, word):
        """The name of a move, whatever square a pass names."""
        if word.startswith("P@"):
            return self.mirrored(word[2:]).upper()
        half = len(word) // 2
        return "PASS" if word[:half] == word[half:] and half else word

    def mirrored(self, name):
        """UCI counts the rows from below."""
        return name[0].lower() + str(self.board.size + 1 - int(name[1:]))


def midgame(draw, count, size=8):
    """Random positions far from the end, with more than one move."""
    found = []
    while len(found) < count:
        position = Position(size)
        for _ in range(draw.randint(4, size * size // 2)):
            if (name := position.random_move(draw)) == "PASS":
                break
            position.play(name)
        if len(position.board.moves()) > 1:
            found.append(position)
    return found
