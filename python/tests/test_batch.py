import numpy as np
import oracle
import pytest

from ollehto import (
    BLACK,
    LABEL,
    WHITE,
    Board,
    Engine,
    evaluate_many,
    label,
    move_name,
    pack,
    solve_many,
    unpack,
)


def boards_with(empties, count, size=8):
    found = [oracle.random_cells(size, empties, seed) for seed in range(count)]
    return [Board.from_numpy(np.array(cells), color) for cells, color in found]


BOARDS = [board for empties in (8, 12, 30, 44) for board in boards_with(empties, 6)]


def test_labels_depend_on_the_board_alone():
    whole = label(BOARDS, level=5, threads=1)
    order = np.random.default_rng(1).permutation(len(BOARDS))
    shuffled = label([BOARDS[at] for at in order], level=5, threads=3)
    assert np.array_equal(shuffled, whole[order])
    alone = np.concatenate([label([board], level=5) for board in BOARDS])
    assert np.array_equal(alone, whole)
    assert whole["done"].all() and whole["nodes"].all()


def test_a_label_is_what_a_search_finds():
    found = label(BOARDS, depth=5)
    for board, row in zip(BOARDS, found):
        result = Engine(threads=1, hash=1).search(board, depth=5)
        assert (result.value, result.best, result.depth) == (row["value"], move_name(int(row["move"])), row["depth"])


@pytest.mark.parametrize("size", [4, 6, 8])
def test_solutions_are_those_of_plain_minimax(size):
    positions = [oracle.random_cells(size, 6, seed) for seed in range(40)]
    cells = np.array([cells for cells, _ in positions])
    colors = np.array([color for _, color in positions])
    expected = np.array([oracle.value(*position) for position in positions])
    found = solve_many(cells, to_move=colors)
    assert np.array_equal(found["value"], expected) and found["exact"].all()
    signs = solve_many(cells, to_move=colors, wld=True)
    assert np.array_equal(signs["value"], np.sign(expected))
    standard = [-oracle.standard_result(play_out(position, move), position[1]) for position, move in zip(positions, found["move"])]
    assert np.array_equal(np.array(standard), expected)


def play_out(position, move):
    """Cells at the end of perfect play that begins with a move."""
    cells, color = position
    cells, color = oracle.play(cells, color, *divmod(int(move), len(cells))), -color
    while True:
        legal = oracle.moves(cells, color)
        if legal:
            after = [oracle.play(cells, color, *place) for place in legal]
            cells, color = max(after, key=lambda cells: -oracle.value(cells, -color)), -color
        elif oracle.moves(cells, -color):
            color = -color
        else:
            return cells


def test_forms_of_boards_agree():
    small = boards_with(6, 5, size=6)
    cells = np.stack([board.to_numpy() for board in small])
    colors = np.array([board.to_move for board in small])
    rows = pack(cells, colors)
    assert [(int(own), int(opponent)) for own, opponent in rows] == [(board.own, board.opponent) for board in small]
    assert np.array_equal(unpack(rows, size=6, to_move=colors), cells)
    found = [solve_many(form, **more) for form, more in [(small, {}), (rows, {"size": 6}), (cells, {"to_move": colors})]]
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])
    assert label([], depth=3).shape == (0,)


def test_values_are_those_of_the_evaluation():
    values = evaluate_many(BOARDS, threads=2)
    assert values.dtype == np.float32 and np.isfinite(values).all()
    turned = [board.symmetries()[3] for board in BOARDS]
    assert np.array_equal(evaluate_many(turned), values)
    many = evaluate_many(BOARDS * 1000, threads=3)
    assert np.array_equal(many, np.tile(values, 1000))
    assert not np.array_equal(evaluate_many(BOARDS, weights="hand-made"), values)
    over = [Board.from_bitboards(1, 0), Board.from_bitboards(0, 1)]
    assert evaluate_many(over).tolist() == [-64, 64]
    passing = Board.from_bitboards(2, 1)
    assert evaluate_many([passing])[0] == -evaluate_many([passing.play("pass")])[0]


def test_an_interrupted_call_goes_on():
    class Enough(Exception):
        pass

    def stop(done, total):
        assert total == len(many)
        if done:
            raise Enough

    many = BOARDS * 40
    labels = np.zeros(len(many), dtype=LABEL)
    with pytest.raises(Enough):
        label(many, depth=6, out=labels, progress=stop)
    kept = labels.copy()
    assert 0 < kept["done"].sum() < len(many)
    seen = []
    label(many, depth=6, out=labels, progress=lambda done, total: seen.append(done))
    assert np.array_equal(labels[kept["done"]], kept[kept["done"]])
    assert seen[-1] == len(many) and seen[0] > kept["done"].sum()
    assert np.array_equal(labels, label(many, depth=6))


def test_progress_is_told_on_standard_error(capsys):
    label(BOARDS, depth=3, progress=True)
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"{len(BOARDS)} of {len(BOARDS)} boards, ")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: label(BOARDS), "depth: give a depth, a level or a number of nodes"),
        (lambda: label(np.zeros((3, 8, 8)), depth=2), "to_move: say whose turn it is"),
        (lambda: label(np.zeros((3, 2)), depth=2), "boards: shape (3, 2) of float64"),
        (lambda: label(np.full((2, 2), 7, dtype=np.uint64), depth=2), "boards: number 0 has a square with two discs"),
        (lambda: label([Board(), Board(4)], depth=2), "boards: all have to be of one size, not [4, 8]"),
        (lambda: label(BOARDS, depth=2, out=np.zeros(3)), "out: (3,) of float64 instead of"),
        (lambda: label(BOARDS, depth=2, hash=-1), "hash: from 0 MiB"),
        (lambda: pack(np.zeros((2, 5, 5)), BLACK), "cells: the shape is (2, 5, 5)"),
        (lambda: pack(np.full((1, 4, 4), 3), WHITE), "cells: -1 is a black disc"),
        (lambda: pack(np.zeros((1, 4, 4)), 0), "to_move: -1 is Black"),
        (lambda: evaluate_many(BOARDS, threads=0), "threads: at least 1"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError) as raised:
        call()
    assert str(raised.value).startswith(message)


def test_other_things_are_no_boards():
    with pytest.raises(TypeError, match="boards: str is no Board"):
        label(["f5"], depth=2)


def test_a_side_may_be_unsigned():
    cells = Board().to_numpy()[np.newaxis]
    assert np.array_equal(pack(cells, np.array([1], np.uint8)), pack(cells, WHITE))
