"""The rules held against OpenSpiel's. OLLEHTO_OPENSPIEL_GAMES plays more games than the default."""

import os
import random

import pytest

pyspiel = pytest.importorskip("pyspiel")

from ollehto import BLACK, WHITE, Board, move_index  # noqa: E402

GAMES = int(os.environ.get("OLLEHTO_OPENSPIEL_GAMES", "2000"))
INDEX = {name: move_index(name) for name in [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"] + ["pass"]}


def test_random_games_are_those_of_openspiel():
    othello = pyspiel.load_game("othello")
    misere = pyspiel.load_game("misere(game=othello())")
    generator = random.Random(1)
    passes, outcomes = 0, set()
    for _ in range(GAMES):
        board, states = Board(), [othello.new_initial_state(), misere.new_initial_state()]
        while not board.is_over:
            legal = sorted(INDEX[move] for move in board.moves())
            assert all(state.legal_actions() == legal for state in states)
            assert all(state.current_player() == (board.to_move == WHITE) for state in states)
            action = generator.choice(legal)
            passes += action == 64
            board = board.play(action)
            for state in states:
                state.apply_action(action)
        for state, rules in zip(states, ("standard", "reversed")):
            discs = board.result(rules, BLACK)
            sign = (discs > 0) - (discs < 0)
            assert state.is_terminal() and state.returns() == [sign, -sign]
            outcomes.add((rules, sign))
    # Draws and passes are rare, but not in so many games.
    assert GAMES < 1000 or passes > 100 and len(outcomes) == 6
