"""What an answer of an agent is worth: its move, and all that is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from .. import Board, move_index, move_name
from .process import Answer

Place = tuple[int, int]


@dataclass(frozen=True)
class Fault:
    """Something that the arena would punish."""

    #: ``illegal``, ``missing``, ``extra``, ``late``, ``error``, ``unreadable`` or ``memory``.
    kind: str
    text: str
    #: Where it happened, such as ``"game 2, move 17"``.
    place: str
    #: None if it is not about a position.
    board: Board | None = None

    def __str__(self) -> str:
        """With the board and the traceback, for people to read."""
        lines = [f"{self.place}: {self.kind}: {self.text}"]
        if self.board is not None:
            lines += [f"    {line}" for line in self.board.diagram().splitlines()]
            lines.append(f"    chessboard = np.array({self.board.to_numpy().tolist()})")
        return "\n".join(lines)


def legal_places(board: Board) -> list[Place]:
    """Rows and columns; none where the side has to pass."""
    if board.must_pass:
        return []
    return [divmod(move_index(move, board.size), board.size) for move in board.moves()]


def names(places: set[Place] | list[Place], size: int) -> str:
    def name(place: Place) -> str:
        row, column = place
        is_on_board = 0 <= row < size and 0 <= column < size
        return f"({row}, {column})" + (f" {move_name(place, size)}" if is_on_board else " outside of the board")

    return ", ".join(name(place) for place in sorted(places))


def judge(board: Board, answer: Answer, place: str, time_out: float) -> tuple[str | None, list[Fault]]:
    """The move, none if it is no legal one, and the faults. A side without a legal move has nothing to name."""
    found: list[Fault] = []

    def fault(kind: str, text: str) -> None:
        found.append(Fault(kind, text, place, board))

    if answer.problem is not None:
        fault("error", "go() failed:\n" + "\n".join(f"    {line}" for line in answer.problem.splitlines()))
    if answer.late:
        more = "" if answer.problem else "; the last candidate named by then counts"
        fault("late", f"go() had not returned after {time_out:g} s{more}")
    if isinstance(answer.candidates, str):
        fault("unreadable", f"candidate_list is {answer.candidates}, not a list of rows and columns")
        return None, found
    legal, named = set(legal_places(board)), set(answer.candidates)
    if named - legal:
        reason = "" if legal else "; there is no legal move, so it has to be empty"
        fault("extra", f"candidate_list has the illegal {names(named - legal, board.size)}{reason}")
    if legal - named:
        fault("missing", f"candidate_list lacks the legal {names(legal - named, board.size)}")
    if not legal:
        return None, found
    choice = answer.candidates[-1] if answer.candidates else None
    if choice is None:
        fault("illegal", "candidate_list is empty, so there is no move")
        return None, found
    if choice not in legal:
        fault("illegal", f"the last candidate, {names([choice], board.size)}, is an illegal move")
        return None, found
    return move_name(choice, board.size), found
