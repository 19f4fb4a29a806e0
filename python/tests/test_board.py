import pickle
import random

import numpy as np
import oracle
import pytest

from ollehto import BLACK, EMPTY, WHITE, Board, move_index, move_name


def places(names, size):
    return [divmod(move_index(name, size), size) for name in names]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_random_games_follow_the_plain_rules(size):
    generator = random.Random(size)
    for _ in range(30):
        board, cells, color = Board(size), oracle.start(size), BLACK
        while True:
            assert board.to_move == color
            assert np.array_equal(board.to_numpy(), np.array(cells))
            legal = oracle.moves(cells, color)
            assert [place for place in zip(*map(list, np.nonzero(board.moves_mask())))] == legal
            if not legal and not oracle.moves(cells, -color):
                break
            assert board.must_pass == (not legal) and not board.is_over
            if not legal:
                assert board.moves() == ["pass"] and board.is_legal("pass")
                board, color = board.play("pass"), -color
                continue
            assert places(board.moves(), size) == legal
            row, column = generator.choice(legal)
            assert set(places(board.flips((row, column)), size)) == oracle.flips(cells, color, row, column)
            board, cells, color = board.play((row, column)), oracle.play(cells, color, row, column), -color
        assert board.is_over and board.moves() == [] and not board.is_legal("pass")
        with pytest.raises(ValueError, match="the game is over"):
            board.play("pass")
        for color in (BLACK, WHITE):
            standard = oracle.standard_result(cells, color)
            assert board.result("standard", color) == standard
            assert board.result("reversed", color) == -standard
        assert board.result() == board.result("reversed", board.to_move)


def test_boards_survive_every_form():
    for size in (4, 6, 8):
        for board in [Board(size), Board(size).play(Board(size).moves()[0])]:
            assert Board.from_text(str(board)) == board
            assert Board.from_numpy(board.to_numpy(), board.to_move) == board
            assert Board.from_numpy(board.to_numpy().astype(float).tolist(), board.to_move) == board
            assert Board.from_bitboards(board.own, board.opponent, board.to_move, size) == board
            assert eval(repr(board)) == board
            copy = pickle.loads(pickle.dumps(board))
            assert copy == board and hash(copy) == hash(board) and len({copy, board}) == 1


def test_moves_have_three_forms():
    start = Board()
    assert start.play("d3") == start.play("D3") == start.play(19) == start.play((2, 3)) == start.play(np.int64(19))
    assert [move_index(name, 6) for name in ("a1", "f6", "pass")] == [0, 35, 36]
    assert [move_name(number, 6) for number in (0, 35, 36)] == ["a1", "f6", "pass"]
    assert Board.from_moves("f5 d6, c3") == start.play("f5").play("d6").play("c3")


def test_symmetries_share_a_canonical_board():
    board = Board.from_moves("f5d6c3")
    images = board.symmetries()
    assert images[0] == board and len(set(images)) == 8
    assert {image.canonical() for image in images} == {board.canonical()}
    assert all(len(image.moves()) == len(board.moves()) for image in images)


def test_a_diagram_shows_the_legal_moves():
    assert Board(4).diagram() == "  a b c d\n1 - * - -\n2 * O X -\n3 - X O *\n4 - - * -\nBlack to move"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Board(5), "size: a board has 4, 6 or 8 squares on a side, not 5"),
        (lambda: Board().play("a1"), "move: a1 is illegal: Black can play d3 c4 f5 e6"),
        (lambda: Board().play("pass"), "move: pass is illegal"),
        (lambda: Board(4).play("h8"), "move: \"h8\" has a square outside of a 4×4 board"),
        (lambda: Board().play(65), "move: 65 is outside"),
        (lambda: Board().play(-1), "move: -1 is outside"),
        (lambda: Board().play((0, 8)), "move: row 0, column 8"),
        (lambda: Board().play("d3c3"), "move: \"d3c3\" has 2 moves, not one"),
        (lambda: Board().play("x9"), "move: expected a square"),
        (lambda: Board.from_moves("f5f5"), "moves: move 2: F5 is illegal"),
        (lambda: Board.from_text("hello"), "text: expected a square"),
        (lambda: Board.from_numpy(np.zeros((3, 3)), BLACK), "array: the shape is [3, 3]"),
        (lambda: Board.from_numpy(np.full((8, 8), 2), BLACK), "array: -1 is a black disc"),
        (lambda: Board.from_numpy(np.zeros((8, 8)), EMPTY), "color: -1 is Black and 1 is White, not 0"),
        (lambda: Board.from_bitboards(1, 1), "discs: a square holds two discs"),
        (lambda: Board.from_bitboards(1, 2, size=4), "discs: a square holds two discs or lies outside of a 4×4"),
        (lambda: Board().result("anti"), "rules: expected reversed or standard"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError) as raised:
        call()
    assert str(raised.value).startswith(message)


def test_a_board_of_words_is_refused():
    with pytest.raises(TypeError, match="array: its items have to be numbers"):
        Board.from_numpy(np.full((8, 8), "X"), BLACK)
