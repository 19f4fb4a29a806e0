import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import oracle
import pytest

from ollehto import Board
from ollehto.course import AI, COLOR_BLACK, COLOR_WHITE
from ollehto.course import arena
from ollehto.course.arena import check_positions, main
from ollehto.course.judge import judge
from ollehto.course.process import AgentError, AgentProcess, Answer

HEAD = """
import random, time
import numpy as np

class AI:
    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size, self.color, self.time_out = chessboard_size, color, time_out
        self.candidate_list = []

    def legal(self, chessboard):
        size, found = self.chessboard_size, []
        for row, column in zip(*np.nonzero(chessboard == 0)):
            for down, right in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]:
                at, seen = (row + down, column + right), 0
                while 0 <= at[0] < size and 0 <= at[1] < size and chessboard[at] == -self.color:
                    at, seen = (at[0] + down, at[1] + right), seen + 1
                if seen and 0 <= at[0] < size and 0 <= at[1] < size and chessboard[at] == self.color:
                    found.append((row, column))
                    break
        return found

    def go(self, chessboard):
        self.candidate_list.clear()
        legal = self.legal(chessboard)
        print("thinking")
"""


def agent(folder: Path, body: str, name: str = "agent.py") -> str:
    path = folder / name
    path.write_text(HEAD + "".join(f"        {line}\n" for line in body.splitlines()))
    return str(path)


def wait_for_the_end_of(pid: int) -> None:
    """Of a process of others, which nobody may have waited for yet."""
    status = Path(f"/proc/{pid}/status")
    while True:
        try:
            if "State:\tZ" in status.read_text():
                return
        except (FileNotFoundError, ProcessLookupError):
            return


GOOD = "self.candidate_list = legal + legal[:1]"


def test_the_engine_names_every_legal_move_and_its_choice_last():
    for seed in range(6):
        for empties in (6, 20, 40):
            cells, color = oracle.random_cells(8, empties, seed)
            player = AI(8, color, 0.1)
            player.candidate_list.append((9, 9))
            chessboard = np.array(cells)
            player.go(chessboard)
            assert set(player.candidate_list[:-1]) == set(oracle.moves(cells, color))
            assert player.candidate_list[-1] in player.candidate_list[:-1]
            assert np.array_equal(chessboard, np.array(cells)), "the board is as it was"


def test_the_engine_names_nothing_without_a_legal_move():
    passing = Board.from_bitboards(2, 1)
    for color in (COLOR_BLACK, COLOR_WHITE):
        player = AI(8, -1, 5)
        player.candidate_list.append((0, 0))
        player.go(passing.to_numpy())
        assert player.candidate_list == []
    assert check_positions(8, 1)[-1].must_pass


def test_the_engine_stays_within_the_memory_of_the_arena(tmp_path):
    path = tmp_path / "engine.py"
    path.write_text("from ollehto.course import AI\n")
    with AgentProcess(str(path)) as process:
        process.begin(8, -1, 0.2)
        for moves in ("f5d6", "f5d6c3d3c4f4", "f5d6c3d3c4f4f6f3e6e7"):
            answer = process.go(Board.from_moves(moves).to_numpy().tolist())
            assert answer.problem is None and len(answer.candidates) > 1
        assert 0 < process.memory < 100


def test_a_good_agent_has_no_faults(tmp_path, capfd):
    assert main([agent(tmp_path, GOOD), "--against", "greedy", "--pairs", "2", "--size", "6", "--level", "4"]) == 0
    out = capfd.readouterr().out
    assert "Candidates: 10 of 10 positions right" in out and "Faults: none" in out
    assert out.count("agent.py as Black") == 2 and out.count("agent.py as White") == 2
    assert "accuracy" in out and "lost" in out and "better" in out


@pytest.mark.parametrize(
    ("body", "kinds", "text"),
    [
        ("self.candidate_list = legal[:1]", {"missing"}, "candidate_list lacks the legal ("),
        ("self.candidate_list = legal + [(0, 0)]", {"extra", "illegal"}, "the last candidate, (0, 0) a1, is an illegal move"),
        ("self.candidate_list = legal + [(9, 9)] + legal[:1]", {"extra"}, "(9, 9) outside of the board"),
        ("self.candidate_list = 'd3'", {"unreadable"}, "candidate_list is 'd3', not a list"),
        ("raise LookupError('no idea')", {"error", "missing", "illegal"}, "LookupError: no idea"),
    ],
)
def test_faults_are_told_with_the_board(tmp_path, capfd, body, kinds, text):
    assert main([agent(tmp_path, body), "--size", "4", "--level", "0"]) == 1
    out = capfd.readouterr().out
    line = next(line for line in out.splitlines() if line.startswith("Faults: "))
    assert {part.split()[1] for part in line.removeprefix("Faults: ").split(", ")} == kinds
    assert text in out
    assert "chessboard = np.array([[" in out and "  a b c d" in out
    if "error" in kinds:
        assert "agent.py" in out and "Traceback" in out


def test_a_late_agent_plays_what_it_named_in_time(tmp_path, capfd):
    body = f"{GOOD}\nend = time.monotonic() + 1.5 * self.time_out\nwhile time.monotonic() < end: pass"
    assert main([agent(tmp_path, body), "--size", "4", "--level", "0", "--time-out", "0.02"]) == 1
    out = capfd.readouterr().out
    assert "go() had not returned after 0.02 s; the last candidate named by then counts" in out
    assert "made no legal move" not in out


def test_an_agent_that_hangs_or_dies_is_started_again(tmp_path):
    hanging = agent(tmp_path, f"{GOOD}\nif len(legal) == 4:\n    time.sleep(1000)", "hanging.py")
    dying = agent(tmp_path, f"import os\nif len(legal) == 4: os._exit(7)\n{GOOD}", "dying.py")
    start, later = Board(4), Board(4).play("b1")
    for path, wanted in [(hanging, (None, True)), (dying, ("its process ended with code 7", False))]:
        with AgentProcess(path) as process:
            process.begin(4, -1, 0.05)
            answer = process.go(start.to_numpy().tolist())
            assert (answer.problem, answer.late) == wanted and process.restarts == 1
            again = process.go(later.to_numpy().tolist())
            assert again.problem is None and again.candidates and process.restarts == 1


def test_an_agent_that_dies_takes_its_processes_with_it(tmp_path):
    note = tmp_path / "child"
    body = f"""import os, pathlib, time
child = os.fork()
if child == 0:
    time.sleep(1000)
pathlib.Path({str(note)!r}).write_text(str(child))
os._exit(3)"""
    with AgentProcess(agent(tmp_path, body)) as process:
        process.begin(4, -1, 1.0)
        answer = process.go(Board(4).to_numpy().tolist())
        assert (answer.problem, answer.late) == ("its process ended with code 3", False)
    wait_for_the_end_of(int(note.read_text()))


def test_judging_a_side_without_a_move():
    passing = Board.from_bitboards(2, 1)
    assert judge(passing, Answer([], 0.0, False, None), "here", 5) == (None, [])
    (fault,) = judge(passing, Answer([(0, 0)], 0.0, False, None), "here", 5)[1]
    assert fault.kind == "extra" and "has to be empty" in fault.text


def test_wrong_arguments_are_told(tmp_path, capsys):
    path = agent(tmp_path, GOOD)
    assert main([path, "--against", "nobody"]) == 2
    assert "nobody: there is no such opponent or file; there are engine, elo:N" in capsys.readouterr().err
    assert main([path, "--against", "elo:5000"]) == 2
    assert "elo: from 800 to 3200" in capsys.readouterr().err
    broken = tmp_path / "broken.py"
    broken.write_text("import nothing_of_that_name")
    assert main([str(broken)]) == 2
    assert "No module named 'nothing_of_that_name'" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path / "missing.py")])


def test_two_agents_play_each_other(tmp_path, capfd):
    other = agent(tmp_path, "self.candidate_list = legal + legal[-1:]", "other.py")
    arguments = [agent(tmp_path, GOOD), "--against", other, "--size", "4", "--level", "0"]
    assert main(arguments) == 0
    assert "agent.py against other.py: " in capfd.readouterr().out


def test_a_fault_of_the_opponent_is_not_the_agents(tmp_path, capfd, monkeypatch):
    processes = []

    class Known(AgentProcess):
        def __init__(self, path):
            processes.append(self)
            super().__init__(path)

    monkeypatch.setattr(arena, "AgentProcess", Known)
    friend = tmp_path / "friend.py"
    friend.write_text("class AI:\n    def __init__(self, *_):\n        raise ValueError('no friend today')\n")
    assert main([agent(tmp_path, GOOD), "--against", str(friend), "--size", "4", "--level", "0"]) == 0
    out = capfd.readouterr().out
    assert "agent.py against friend.py: 2 won, 0 drawn, 0 lost" in out and "Faults: none" in out
    assert out.count("friend.py cannot play, which is no fault of yours:") == 2 and "no friend today" in out
    assert len(processes) == 2 and all(process._child is None for process in processes), "none is left running"


def test_an_agent_that_cannot_be_loaded_leaves_no_process(tmp_path, monkeypatch):
    started = []
    begin = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *given, **named: started.append(begin(*given, **named)) or started[-1])
    path = tmp_path / "broken.py"
    path.write_text("raise ValueError('not now')")
    with pytest.raises(AgentError, match="not now"):
        AgentProcess(str(path))
    assert [child.returncode is not None for child in started] == [True]


def test_memory_that_the_system_does_not_tell_is_not_judged():
    assert arena.peak(12.4) == "Peak memory 12 MB"
    assert "unknown" in arena.peak(None) and "--memory was not checked" in arena.peak(None)


def test_ctrl_c_tells_what_is_known(tmp_path):
    path = agent(tmp_path, GOOD)
    command = [sys.executable, "-m", "ollehto.course.arena", path, "--pairs", "1000", "--size", "4"]
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        # A shell starts what runs in its background with this signal ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert child.stdout is not None
    while not child.stdout.readline().startswith("Game 1:"):
        pass
    child.send_signal(signal.SIGINT)
    out = child.stdout.read()
    assert "interrupted; what is known so far:" in out and "Faults: none" in out
    # The game that was interrupted does not count.
    ended = len(re.findall("^Game ", out, re.MULTILINE)) + 1
    counted = re.search(r": (\d+) won, (\d+) drawn, (\d+) lost", out)
    assert counted is not None and sum(map(int, counted.groups())) == ended
    assert child.wait() == 130
