import signal
import subprocess
import sys
import threading

import pytest

from ollehto import Board, Engine, opponents, solve

MIDDLE = Board.from_moves("f5d6c3d3c4f4f6f3e6e7")


def engine(**options):
    return Engine(threads=1, hash=4, **options)


def test_a_search_keeps_to_its_limits():
    found = engine().search(MIDDLE, depth=6)
    assert found.depth == 6 and not found.exact and found.best in MIDDLE.moves()
    assert found.reply in MIDDLE.play(found.best).moves()
    few = engine().search(MIDDLE, nodes=2000)
    assert few.nodes < 4000
    assert engine().search(MIDDLE, level=3).depth == 3
    assert engine().search(MIDDLE, time=0.01).best in MIDDLE.moves()
    assert engine().search(MIDDLE, clock=0.5, increment=0.01).best in MIDDLE.moves()


def test_the_same_search_gives_the_same_nodes():
    first, again = (engine().search(MIDDLE, depth=8) for _ in range(2))
    assert (first.nodes, first.lines) == (again.nodes, again.lines)
    one = engine()
    one.search(Board(), depth=8)
    one.clear()
    assert one.search(MIDDLE, depth=8).nodes == first.nodes


def test_multi_pv_values_the_best_moves_and_an_included_one():
    whole = engine().search(MIDDLE, depth=6, lines=60)
    assert sorted(line.moves[0] for line in whole.lines) == sorted(MIDDLE.moves())
    values = [line.value for line in whole.lines]
    assert values == sorted(values, reverse=True)
    worst = whole.lines[-1].moves[0]
    two = engine().search(MIDDLE, depth=6, lines=2, include=worst)
    assert len(two.lines) == 3 and two.lines[-1].moves[0] == worst


def test_iterations_come_one_by_one():
    depths = []
    found = engine().search(MIDDLE, depth=6, on_iteration=lambda found: depths.append(found.depth))
    assert depths == [1, 2, 3, 4, 5, 6] and found.depth == 6
    with engine().start(MIDDLE, depth=4) as search:
        assert [found.depth for found in search] == [1, 2, 3, 4]
        assert search.done and len(search.iterations()) == 4


def test_an_exception_of_the_callback_ends_the_search():
    def fail(found):
        raise LookupError(found.depth)

    searcher = engine()
    with pytest.raises(LookupError, match="1"):
        searcher.search(MIDDLE, nodes=1 << 40, on_iteration=fail)
    assert searcher.search(MIDDLE, depth=1).depth == 1


def test_a_ponder_search_gets_its_limits_later():
    with engine().ponder(MIDDLE) as search:
        for found in search:
            if found.depth == 3:
                break
        with pytest.raises(TimeoutError, match="goes on"):
            search.result(timeout=0)
        search.set_limits(depth=5)
        assert search.result().depth >= 5
    depths = [found.depth for found in search.iterations()]
    assert depths == sorted(set(depths)), "it did not start again"


def test_a_search_that_nobody_holds_stops():
    searcher = engine()
    searcher.ponder(MIDDLE)
    # Waits for the one before it.
    assert searcher.search(MIDDLE, depth=2).depth >= 2


def test_a_running_search_keeps_its_table():
    searcher = engine()
    with searcher.ponder(MIDDLE) as search:
        next(iter(search))
        with pytest.raises(RuntimeError, match="stop it"):
            searcher.clear()


def test_other_threads_go_on_while_a_search_runs():
    search = engine().ponder(MIDDLE)

    def stop_when_searching():
        while search.nodes == 0:
            pass
        search.stop()

    other = threading.Thread(target=stop_when_searching)
    other.start()
    # Ends only because the other thread, which needs the interpreter, stops it.
    assert search.result().best in MIDDLE.moves()
    other.join()


def test_weaker_play_follows_from_its_seed():
    moves = [engine().search(MIDDLE, elo=800, seed=seed).best for seed in range(12)]
    assert moves == [engine().search(MIDDLE, elo=800, seed=seed).best for seed in range(12)]
    assert len(set(moves)) > 1
    with pytest.raises(ValueError, match="elo: from 800 to 3200, not 100"):
        engine().search(MIDDLE, elo=100)


def test_every_opponent_plays():
    assert {"random", "greedy", "maximax"} <= set(opponents())
    for name in opponents():
        assert Engine(opponent=name).search(MIDDLE, time=0.02).best in MIDDLE.moves()
    with pytest.raises(ValueError, match='opponent: "nobody" is none of random, greedy'):
        Engine(opponent="nobody")


def test_passes_and_finished_games():
    passing = Board.from_bitboards(2, 1)
    assert passing.must_pass and engine().search(passing, depth=2).best == "pass"
    over = Board.from_bitboards(1, 0)
    found = engine().search(over, depth=2)
    assert over.is_over and (found.best, found.value, found.lines) == (None, None, ())
    assert solve(over).score == -64 and solve(over).best is None


def test_solutions_are_exact():
    assert [solve(Board(4), rules=rules, threads=1).score for rules in ("reversed", "standard")] == [4, -10]
    bound = solve(Board(4), wld=True, threads=1)
    assert bound.outcome == "win" and 0 < bound.score <= 4
    solution = solve(Board(4), threads=2)
    board = Board(4)
    for move in solution.line:
        board = board.play(move)
    assert board.is_over and board.result("reversed", -1) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"depth": 0}, "depth: from 1 to 60 plies, not 0"),
        ({"nodes": 0}, "nodes: at least 1, not 0"),
        ({"level": 99}, "level: from 1 to 60 plies, not 99"),
        ({"time": -1}, "time: a number of seconds from 0 on, not -1"),
        ({"clock": float("nan")}, "clock: a number of seconds"),
        ({"include": "a1"}, "include: a1 is illegal"),
    ],
)
def test_errors_name_the_argument(arguments, message):
    with pytest.raises(ValueError) as raised:
        engine().search(MIDDLE, **arguments)
    assert str(raised.value).startswith(message)


def test_wrong_settings_are_refused():
    with pytest.raises(ValueError, match="rules: expected reversed or standard, not 'anti'"):
        Engine("anti")
    with pytest.raises(ValueError, match="threads: at least 1, not 0"):
        Engine(threads=0)
    with pytest.raises(OSError, match="weights: no-such-file"):
        Engine(weights="no-such-file")


INTERRUPTED = """
import signal
from ollehto import *
signal.signal(signal.SIGINT, signal.default_int_handler)
ready = lambda *_: print("ready", flush=True)
board = Board.from_moves("f5d6c3d3c4f4f6f3e6e7")
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize(
    "call",
    [
        "Engine(threads=1, hash=4).search(board, nodes=1 << 50, on_iteration=ready)",
        "solve(board, threads=2, on_iteration=ready)",
        "label([board] * 100000, depth=10, progress=ready)",
        "solve_many([Board.from_bitboards(1, 2)] + [board] * 4, progress=ready)",
        "analyze('f5d6c3d3c4f4f6f3e6e7', time=1000, progress=ready)",
    ],
)
def test_ctrl_c_ends_every_long_call(call):
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED.format(call=call)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    assert child.stdout.read().splitlines()[-1] == "interrupted"
    assert child.wait() == 0

