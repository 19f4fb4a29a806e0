"""The rules of the game as the mock engine knows them."""

RAYS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
OTHER = {"X": "O", "O": "X"}


class Refused(Exception):
    """A command that cannot be obeyed, with the text of the error."""


class Board:
    """Cells row by row from a1 (`X`, `O`, `-`) and whose turn it is."""

    def __init__(self, size=8):
        low, high = size // 2 - 1, size // 2
        self.size, self.cells, self.side = size, ["-"] * (size * size), "X"
        for row, column, disc in [(low, low, "O"), (high, high, "O"), (low, high, "X"), (high, low, "X")]:
            self.cells[row * size + column] = disc

    @classmethod
    def read(cls, cells, side):
        board = cls(int(len(cells) ** 0.5))
        board.cells = list(cells.upper().replace("*", "X").replace(".", "-"))
        board.side = side.upper().replace("*", "X")
        return board

    def flips(self, cell, side):
        if self.cells[cell] != "-":
            return []
        found, (row, column) = [], divmod(cell, self.size)
        for down, right in RAYS:
            line, y, x = [], row + down, column + right
            while 0 <= y < self.size and 0 <= x < self.size and self.cells[y * self.size + x] == OTHER[side]:
                line.append(y * self.size + x)
                y, x = y + down, x + right
            if line and 0 <= y < self.size and 0 <= x < self.size and self.cells[y * self.size + x] == side:
                found += line
        return found

    def moves(self, side=None):
        return [cell for cell in range(len(self.cells)) if self.flips(cell, side or self.side)]

    def is_over(self):
        return not self.moves("X") and not self.moves("O")

    def name(self, cell):
        return "abcdefgh"[cell % self.size].upper() + str(cell // self.size + 1)

    def cell(self, name):
        column, row = "abcdefgh".find(name[:1].lower()), name[1:]
        if column < 0 or column >= self.size or not row.isdigit() or not 1 <= int(row) <= self.size:
            raise Refused("syntax error")
        return (int(row) - 1) * self.size + column

    def play(self, side, name):
        """Plays a turn of a side; a pass of the other may be left out when it is forced."""
        if name.lower() in ("pass", "pa", "--"):
            if self.moves(side):
                raise Refused("illegal move")
            self.side = OTHER[side]
            return
        cell = self.cell(name)
        turned = self.flips(cell, side)
        if not turned or (side != self.side and self.moves()):
            raise Refused("illegal move")
        for flipped in turned + [cell]:
            self.cells[flipped] = side
        self.side = OTHER[side]
