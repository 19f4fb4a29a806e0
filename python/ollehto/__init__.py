"""Ollehto: an engine for Reversed Reversi (the fewest discs win) and Othello.

>>> from ollehto import Board, Engine
>>> board = Board()
>>> found = Engine().search(board, depth=10)
>>> found.best in board.moves()
True

Colours are -1 for Black, who begins, and 1 for White. Moves are names such as ``"d3"`` and ``"pass"``; where a move is
asked for, a number (row by row from 0 for a1) or a row and a column do as well. Values are in discs for the side to move,
rules applied: positive is good.
"""

from ._native import Board, move_index, move_name
from .batch import BLACK, EMPTY, LABEL, WHITE, evaluate_many, label, pack, solve_many, unpack
from .engine import Engine, Line, Search, SearchResult, Solution, opponents, solve
from .files import (
    POSITION,
    GameRecords,
    HiddenLayer,
    Journal,
    Weights,
    read_games,
    read_journal,
    read_weights,
)
from .review import Review, ReviewedMove, analyze

__all__ = [
    "BLACK",
    "EMPTY",
    "LABEL",
    "POSITION",
    "WHITE",
    "Board",
    "Engine",
    "GameRecords",
    "HiddenLayer",
    "Journal",
    "Line",
    "Review",
    "ReviewedMove",
    "Search",
    "SearchResult",
    "Solution",
    "Weights",
    "analyze",
    "evaluate_many",
    "label",
    "move_index",
    "move_name",
    "opponents",
    "pack",
    "read_games",
    "read_journal",
    "read_weights",
    "solve",
    "solve_many",
    "unpack",
]
