"""The files are written here by docs/formats.md, so that the reader is held against the description."""

import json
import random
import re
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from ollehto import Board, evaluate_many, move_index, read_games, read_journal, read_weights, solve_many

ROOT = Path(__file__).parents[2]
FORMATS = ROOT / "docs" / "formats.md"
#: Files that the program has written.
WRITTEN = ROOT / "tests" / "data" / "formats"


class Bits:
    def __init__(self):
        self.bits = []

    def write(self, number, width):
        self.bits += [(number >> at) & 1 for at in range(width)]

    def bytes(self):
        padded = self.bits + [0] * (-len(self.bits) % 8)
        return bytes(sum(bit << at for at, bit in enumerate(padded[first : first + 8])) for first in range(0, len(padded), 8))


def random_game(generator, drawn, exact, bits):
    """Writes a game with a made-up value for each search, and returns what a reader should find."""
    bits.write(drawn, 6)
    board, ply, rows = Board(), 0, []
    while not board.is_over:
        if board.must_pass:
            board = board.play("pass")
            continue
        moves = board.moves()
        rank = generator.randrange(len(moves))
        bits.write(rank, (len(moves) - 1).bit_length())
        value = None
        if ply >= drawn and ply < 60 - exact and len(moves) > 1:
            value = generator.randrange(-60, 61)
            bits.write(value & 255, 8)
        if ply >= drawn:
            rows.append((board, moves[rank], value))
        board, ply = board.play(moves[rank]), ply + 1
    return rows, board


def block(games, data, drawn, exact):
    header = struct.pack("<4sBBBBBBHQQIII", b"OLRG", 2, 0, 4, exact, drawn, drawn, games, 7, 0, 0, len(data), zlib.crc32(data))
    return header + struct.pack("<I", zlib.crc32(header)) + data


def test_recorded_games_are_read(tmp_path):
    generator, bits, drawn, exact = random.Random(3), Bits(), 10, 12
    games = [random_game(generator, drawn, exact, bits) for _ in range(5)]
    path = tmp_path / "games.olg"
    path.write_bytes(block(len(games), bits.bytes(), drawn, exact))
    found = read_games(path)
    assert found.rules == "reversed" and "depth 4, exact from 12" in found.settings[0]
    expected = [(number, row, end) for number, (rows, end) in enumerate(games) for row in rows]
    assert len(found.positions) == len(expected)
    for position, (number, (board, move, value), end) in zip(found.positions, expected):
        assert (position["own"], position["opponent"]) == (board.own, board.opponent)
        assert position["game"] == number and position["move"] == move_index(move)
        assert position["result"] == end.result("reversed", board.to_move)
        assert np.isnan(position["value"]) if value is None else position["value"] == value / 2
        assert position["empties"] == board.empties and position["solved"] == (board.empties <= exact)
        assert position["fair"] and not position["detour"]
    assert np.array_equal(evaluate_many(found.bitboards()), evaluate_many([board for _, (board, _, _), _ in expected]))
    frame = found.to_pandas()
    assert list(frame["game"].unique()) == [0, 1, 2, 3, 4]
    twice = read_games([path, str(path)])
    assert len(twice.positions) == 2 * len(expected) and twice.positions["game"][-1] == 9


def test_games_of_the_program_are_read():
    old, new = (read_games(WRITTEN / name).positions for name in ("games.olg", "values.olg"))
    for positions in (old, new):
        solved = positions[positions["solved"]]
        found = solve_many(np.stack([solved["own"], solved["opponent"]], axis=1))
        assert len(solved) > 200 and np.array_equal(found["value"], solved["result"])
    assert np.isnan(old["value"]).all() and not old["detour"].any()
    assert np.isfinite(new["value"]).sum() > 2000 and new["detour"].any()
    assert not new[new["detour"]]["fair"].any()


def test_damaged_games_are_refused(tmp_path):
    path = tmp_path / "games.olg"
    path.write_bytes(b"something else")
    with pytest.raises(ValueError, match="is it the right file"):
        read_games(path)
    with pytest.raises(OSError, match="missing.olg"):
        read_games(tmp_path / "missing.olg")


def journal_lines():
    """The examples in the description of the format."""
    return re.findall(r'^\{"(?:header|game)":.*\}$', FORMATS.read_text(), re.M)


def test_a_journal_is_read(tmp_path):
    header, played, crashed = journal_lines()
    fields = crashed.replace('"number":0', '"number":1')[: -len(',"crc32":"01234567"}')]
    checksum = zlib.crc32(fields.encode() + b"}")
    crashed = f'{fields},"crc32":"{checksum:08x}"}}'
    path = tmp_path / "match.jsonl"
    path.write_text(f'{header}\n{played}\n{crashed}\n{{"game":torn')
    journal = read_journal(path)
    assert journal.header == json.loads(header)["header"]
    assert journal.games == (json.loads(played)["game"], json.loads(crashed)["game"])
    frame = journal.to_pandas()
    assert list(frame["ending"]) == ["played", "forfeit"] and list(frame["score"]) == [-6, 64]
    assert frame["moves"][0] == "d2a1b4c4b1pad3d4d1"
    moves = journal.moves_to_pandas()
    assert list(moves["player"]) == ["engine", "random"] * 4 + ["engine"]
    assert list(moves["color"][:2]) == ["black", "white"]
    assert frame["black_seconds"][0] == pytest.approx(moves.query("color == 'black'")["seconds"].sum())


def test_journals_of_the_program_are_read():
    for name in ("journal-1.jsonl", "journal-2.jsonl"):
        journal = read_journal(WRITTEN / name)
        for game, row in zip(journal.games, journal.to_pandas().itertuples()):
            board = Board.from_text(game["start"]).play_all(game["opening"] + row.moves)
            if row.ending == "played":
                assert board.is_over and board.result(journal.header["rules"], -1) == row.score
            own = journal.moves_to_pandas().query(f"game == {row.number}")
            turns = Board.from_text(game["start"]).play_all(game["opening"])
            for color, move in zip(own["color"], own["move"]):
                assert {"black": -1, "white": 1}[color] == turns.to_move
                turns = turns.play(move)


def test_a_broken_journal_names_the_line(tmp_path):
    path = tmp_path / "match.jsonl"
    path.write_text(f"{journal_lines()[0]}\nnonsense\n")
    with pytest.raises(ValueError, match="line 2"):
        read_journal(path)


@pytest.mark.parametrize("rules", ["reversed", "standard"])
def test_the_shipped_weights_are_read(rules):
    weights = read_weights(rules=rules)
    assert weights.rules == rules and weights.origin
    assert weights.tempo.shape == (64,) and len(weights.stages) == len(weights.empties) == 27
    assert weights.empties[0] == (0, 1) and weights.empties[-1][1] == 60
    assert list(weights.parts)[:2] == ["corner", "angle"]
    assert max(part.stop for part in weights.parts.values()) == weights.stages.shape[1]
    # Corners have nine squares, and the mirror images across the diagonal share weights.
    assert weights.part("corner").shape[1] == (3**9 + 3**6) // 2
    assert weights.hidden is not None and weights.hidden.bias.shape == weights.hidden.output.shape == (27, 32)
    assert np.abs(weights.hidden.rows).max() <= 63
    frame = weights.to_pandas()
    assert len(frame) == 27 * len(weights.parts) and frame["used"].sum() == np.count_nonzero(weights.stages)
    with pytest.raises(ValueError, match="name: 'nose' is none of corner, angle"):
        weights.part("nose")


def test_a_file_of_weights_is_read_and_used(tmp_path):
    shipped = ROOT / "src" / "eval" / "shipped" / "reversed.weights"
    path = tmp_path / "copy.weights"
    path.write_bytes(shipped.read_bytes())
    assert np.array_equal(read_weights(path).stages, read_weights().stages)
    assert evaluate_many([Board()], weights=path)[0] == evaluate_many([Board()])[0]
    path.write_bytes(shipped.read_bytes()[:-1])
    with pytest.raises(ValueError, match="copy.weights"):
        read_weights(path)
