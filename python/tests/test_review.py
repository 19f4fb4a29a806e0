import pytest

from ollehto import Board, analyze, solve


def test_a_review_finds_the_blunder():
    review = analyze("b1c1d2a1a2", size=4, threads=1, lines=2)
    assert review.rules == "reversed" and review.start == Board(4) and review.result is None
    assert [move.number for move in review.moves] == [1, 2, 3, 4, 5]
    board = review.start
    for move in review.moves:
        assert move.board == board and move.exact
        assert move.best_value == solve(board, threads=1).score
        board = board.play(move.played)
        assert move.value == -solve(board, threads=1).score
        assert move.loss == move.best_value - move.value
    assert review.last == board and len(review.last_lines) == 2
    (turning,) = review.turning_points
    assert (turning.number, turning.played, turning.turning_point) == (5, "a2", ("win", "loss"))
    assert review.summary["black"]["blunders"] == 1 and review.summary["black"]["worst"] == 5
    frame = review.to_pandas()
    assert list(frame["loss"]) == [0, 2, 0, 0, 8] and list(frame["judgement"])[-1] == "blunder"


def test_records_tell_their_own_rules():
    ggf = "(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[0]TY[4]BO[4 -----O*--*O----- *]B[B1];)"
    review = analyze(ggf, threads=1)
    assert review.rules == "standard" and review.moves[0].value == -10
    assert analyze(str(Board(4)), threads=1).last_lines[0].value == 4


def test_progress_is_reported():
    seen = []
    analyze("f5d6c3", depth=3, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (4, 4)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("f5f5", "game: line 1, column 3: move 2, White f5, is illegal"),
        ("nonsense", "game: line 1"),
        ("", "game: 0 games instead of one"),
        ("f5\nc4", "game: 2 games instead of one"),
    ],
)
def test_errors_name_the_place(game, message):
    with pytest.raises(ValueError) as raised:
        analyze(game, depth=1)
    assert str(raised.value).startswith(message)
