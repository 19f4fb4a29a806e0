"""The interface of the course arena of Reversed Reversi, and a player that follows it.

The arena makes an ``AI(chessboard_size, color, time_out)`` for each game and calls ``go(chessboard)`` for each move. The
last item of ``candidate_list`` counts as the move, also when the time is over; all legal moves have to be in it.
``ollehto-course`` plays an agent in a file against others and tells what goes wrong.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from .. import Board, Engine, SearchResult, move_index

COLOR_BLACK = -1
COLOR_WHITE = 1
COLOR_NONE = 0

#: MiB of table: the arena allows 100 MB for everything, and numpy and the weights take most of it.
TABLE = 4

#: Seconds that are kept for the way of the answer.
RESERVE = 0.2


class AI:
    """The engine as an agent of the course.

    >>> import numpy as np
    >>> from ollehto.course import AI, COLOR_BLACK
    >>> agent = AI(8, COLOR_BLACK, 5)
    >>> chessboard = np.zeros((8, 8), dtype=int)
    >>> chessboard[3, 3] = chessboard[4, 4] = 1
    >>> chessboard[3, 4] = chessboard[4, 3] = -1
    >>> agent.go(chessboard)
    >>> sorted(set(agent.candidate_list)), agent.candidate_list[-1] in agent.candidate_list[:-1]
    ([(2, 3), (3, 2), (4, 5), (5, 4)], True)
    """

    #: The share of the time for a move that it uses: the arena also limits the whole game.
    share = 0.5

    def __init__(self, chessboard_size: int, color: int, time_out: float) -> None:
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        #: All legal moves as rows and columns, then the choice.
        self.candidate_list: list[tuple[int, int]] = []
        self._engine = Engine(threads=1, hash=TABLE)

    def go(self, chessboard: npt.NDArray[Any]) -> None:
        """Fills `candidate_list`. It holds a good choice at any moment after the first milliseconds."""
        self.candidate_list.clear()
        board = Board.from_numpy(chessboard, self.color)
        if board.is_over or board.must_pass:
            return
        size = self.chessboard_size
        legal = [divmod(move_index(move, size), size) for move in board.moves()]
        self.candidate_list.extend([*legal, legal[0]])

        def choose(found: SearchResult) -> None:
            if found.best is not None:
                self.candidate_list[:] = [*legal, divmod(move_index(found.best, size), size)]

        if len(legal) > 1:
            time = max(0.0, min(self.share * self.time_out, self.time_out - RESERVE))
            choose(self._engine.search(board, time=time, on_iteration=choose))
