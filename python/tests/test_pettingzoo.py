import numpy as np
import pytest

pettingzoo_test = pytest.importorskip("pettingzoo.test")

from ollehto import Board, move_index  # noqa: E402
from ollehto.pettingzoo import env, raw_env  # noqa: E402


@pytest.mark.parametrize("rules", ["reversed", "standard"])
@pytest.mark.parametrize("size", [4, 8])
def test_the_api_test_of_pettingzoo_passes(rules, size):
    pettingzoo_test.api_test(env(rules=rules, size=size), num_cycles=300)


def test_the_seed_test_of_pettingzoo_passes():
    pettingzoo_test.seed_test(env, num_cycles=50)


@pytest.mark.parametrize("margin", [False, True])
def test_a_game_rewards_its_result(margin):
    environment = env(size=4, margin=margin)
    environment.reset()
    board, rewards = Board(4), {}
    generator = np.random.default_rng(5)
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, _ = environment.last()
        rewards[agent] = reward
        if termination or truncation:
            environment.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        assert legal.tolist() == [move_index(move, 4) for move in board.moves()]
        assert observation["observation"].sum() == 16 - board.empties
        action = int(generator.choice(legal))
        environment.step(action)
        board = board.play(action)
    discs = board.result("reversed", -1)
    wanted = discs / 16 if margin else np.sign(discs)
    assert rewards == {"black_0": wanted, "white_0": -wanted}


def test_another_position_can_begin():
    environment = raw_env(render_mode="ansi")
    start = Board.from_moves("f5d6")
    environment.reset(options={"board": start})
    assert environment.render() == start.diagram() and environment.agent_selection == "black_0"
    with pytest.raises(ValueError, match="board: 4×4 in an environment of 8×8"):
        environment.reset(options={"board": Board(4)})
    with pytest.raises(ValueError, match="rules: expected reversed or standard"):
        env(rules="anti")
