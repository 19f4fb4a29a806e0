"""The rules written plainly, to compare with: a list of rows, no bitboards."""

from __future__ import annotations

import random
from functools import lru_cache

from ollehto import BLACK, EMPTY, WHITE

Cells = tuple[tuple[int, ...], ...]
DIRECTIONS = [(rows, columns) for rows in (-1, 0, 1) for columns in (-1, 0, 1) if (rows, columns) != (0, 0)]


def start(size: int) -> Cells:
    cells = [[EMPTY] * size for _ in range(size)]
    low, high = size // 2 - 1, size // 2
    cells[low][low] = cells[high][high] = WHITE
    cells[low][high] = cells[high][low] = BLACK
    return tuple(map(tuple, cells))


def flips(cells: Cells, color: int, row: int, column: int) -> set[tuple[int, int]]:
    size, found = len(cells), set()
    if cells[row][column] != EMPTY:
        return found
    for rows, columns in DIRECTIONS:
        passed = []
        at = (row + rows, column + columns)
        while 0 <= at[0] < size and 0 <= at[1] < size and cells[at[0]][at[1]] == -color:
            passed.append(at)
            at = (at[0] + rows, at[1] + columns)
        if 0 <= at[0] < size and 0 <= at[1] < size and cells[at[0]][at[1]] == color:
            found.update(passed)
    return found


def moves(cells: Cells, color: int) -> list[tuple[int, int]]:
    size = len(cells)
    return [(row, column) for row in range(size) for column in range(size) if flips(cells, color, row, column)]


def play(cells: Cells, color: int, row: int, column: int) -> Cells:
    changed = [list(cells_of_row) for cells_of_row in cells]
    for place in flips(cells, color, row, column) | {(row, column)}:
        changed[place[0]][place[1]] = color
    return tuple(map(tuple, changed))


def standard_result(cells: Cells, color: int) -> int:
    flat = [cell for row in cells for cell in row]
    difference = flat.count(color) - flat.count(-color)
    empties = flat.count(EMPTY)
    return difference + empties * ((difference > 0) - (difference < 0))


@lru_cache(maxsize=None)
def value(cells: Cells, color: int) -> int:
    """The result of perfect play by reversed rules for the side to move."""
    own = moves(cells, color)
    if own:
        return max(-value(play(cells, color, *place), -color) for place in own)
    if moves(cells, -color):
        return -value(cells, -color)
    return -standard_result(cells, color)


def random_cells(size: int, empties: int, seed: int) -> tuple[Cells, int]:
    """A position of a random game with so many empty squares, where the side to move has a move."""
    while True:
        generator = random.Random(seed)
        cells, color = start(size), BLACK
        while sum(row.count(EMPTY) for row in cells) > empties:
            legal = moves(cells, color)
            if legal:
                cells = play(cells, color, *generator.choice(legal))
            elif not moves(cells, -color):
                break
            color = -color
        if sum(row.count(EMPTY) for row in cells) == empties and moves(cells, color):
            return cells, color
        seed += 1_000_000
