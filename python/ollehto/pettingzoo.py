"""The game as a PettingZoo environment: ``ollehto.pettingzoo.env()``. Needs pettingzoo and gymnasium."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import BLACK, WHITE, Board, move_index
from .engine import Rules

#: Black begins.
AGENTS = {"black_0": BLACK, "white_0": WHITE}

Observation = dict[str, npt.NDArray[np.int8]]


def env(**options: Any) -> AECEnv[str, Observation, int]:
    """The environment with PettingZoo's usual checks: an illegal move ends the game and loses it.

    The options are those of `raw_env`.
    """
    checked = wrappers.TerminateIllegalWrapper(raw_env(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class raw_env(AECEnv[str, Observation, int]):
    """Reversed Reversi or Othello for ``black_0`` and ``white_0``.

    Actions are squares row by row from 0 for a1; the last one is a pass, legal only without another move. An observation
    has two planes, the discs of the agent and those of its opponent, and the mask of legal actions, empty while the other
    agent moves. The reward comes at the end: 1 for a win, -1 for a loss, 0 for a draw.

    :param rules: who wins: ``"reversed"``, the fewest discs, or ``"standard"``, the most.
    :param margin: reward the result in discs, divided by the squares of the board, instead.

    ``reset(options={"board": Board(...)})`` begins with another position.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "ollehto_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self, rules: Rules = "reversed", *, size: int = 8, margin: bool = False, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.board = Board(size)
        self.board.result(rules)  # refuses other rules
        self.rules: Rules = rules
        self.margin = margin
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        area = size * size
        planes = spaces.Box(0, 1, (size, size, 2), np.int8)
        mask = spaces.Box(0, 1, (area + 1,), np.int8)
        self._observation_space = spaces.Dict({"observation": planes, "action_mask": mask})
        self._action_space = spaces.Discrete(area + 1)
        self.observation_spaces = {agent: self._observation_space for agent in self.possible_agents}
        self.action_spaces = {agent: self._action_space for agent in self.possible_agents}

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        size, color = self.board.size, AGENTS[agent]
        cells = self.board.to_numpy()
        planes = np.stack([cells == color, cells == -color], axis=2).astype(np.int8)
        mask = np.zeros(size * size + 1, dtype=np.int8)
        if color == self.board.to_move and agent == self.agent_selection:
            mask[[move_index(move, size) for move in self.board.moves()]] = 1
        return {"observation": planes, "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        start = (options or {}).get("board", Board(self.board.size))
        if start.size != self.board.size:
            raise ValueError(f"board: {start.size}×{start.size} in an environment of {self.board.size}×{self.board.size}")
        self.board = start
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, start.is_over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select_mover()

    def _select_mover(self) -> None:
        self.agent_selection = next(agent for agent, color in AGENTS.items() if color == self.board.to_move)

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None, "an action is needed while the game goes on"
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.board = self.board.play(int(action))
        self._clear_rewards()
        if self.board.is_over:
            for agent, color in AGENTS.items():
                discs = self.board.result(self.rules, color) or 0
                self.rewards[agent] = discs / self.board.size**2 if self.margin else float(np.sign(discs))
                self.terminations[agent] = True
                self.infos[agent] = {"discs": discs}
        self._select_mover()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render mode: give render_mode to env()")
            return None
        if self.render_mode == "human":
            print(self.board.diagram())
            return None
        return self.board.diagram()

    def close(self) -> None:
        """Nothing to give back."""
