#!/usr/bin/env python3
"""Learns the weights of the evaluation as `ollehto train` does, on a GPU.

It reads the same records and writes the same files of weights. The model, the labels, the games held out and the steps
of the fit are those of `src/training/train`, so that its weights are the same but for rounding.

    python3 training/gpu.py games.olg --output reversed.weights
    python3 training/gpu.py games.olg --output again.weights --device cpu --compare reversed.weights
"""

import argparse
import itertools
import json
import os
import struct
import sys
import time
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

# What `src/eval/pattern.rs` and `src/eval/weights` say.
SHAPES = [
    "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "a5 a4 a3 a2 a1 b2 b1 c1 d1 e1",
    "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
    "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2",
    "a2 b2 c2 d2 e2 f2 g2 h2",
    "a3 b3 c3 d3 e3 f3 g3 h3",
    "a4 b4 c4 d4 e4 f4 g4 h4",
    "a1 b2 c3 d4 e5 f6 g7 h8",
    "a2 b3 c4 d5 e6 f7 g8",
    "a3 b4 c5 d6 e7 f8",
    "a4 b5 c6 d7 e8",
    "a5 b6 c7 d8",
]
STAGES, STAGE_WIDTH = 27, 2
# Numbers of moves that are told apart.
MOBILITIES = 40
UNITS_PER_DISC, UNITS_PER_SCORE = 64, 2
# What is left unexplained of the very last positions, in square discs.
FIRST_NOISE = 5.0
HELD_OUT = 20
LEAST_GAIN = 1e-5
RULES = ["reversed", "standard"]
# Positions whose patterns are looked up at a time: bounds the memory that takes.
CHUNK = 1 << 18


class Fault(Exception):
    """What ends the program with a message."""


# Patterns


class Patterns:
    """Where the shapes lie on the board and which of their numbers share a weight."""

    def __init__(self, device):
        instances, ties, bases = [], [], [0]
        for text in SHAPES:
            shape = [ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1) for name in text.split()]
            images = [[image(square, turn) for square in shape] for turn in range(8)]
            seen = []
            for squares in images:
                if set(squares) not in seen:
                    seen.append(set(squares))
                    instances.append((len(bases) - 1, squares))
            number = np.arange(3 ** len(shape))
            least = number.copy()
            for squares in images:
                if set(squares) == set(shape):
                    moved = sum(
                        number // 3**digit % 3 * 3 ** shape.index(square) for digit, square in enumerate(squares)
                    )
                    least = np.minimum(least, moved)
            different = np.cumsum(least == number) - 1
            ties.append(bases[-1] + different[least])
            bases.append(bases[-1] + int(different[-1]) + 1)
        # After the patterns come the own moves and those of the opponent, and after all that is stored the plies.
        self.bases = bases + [bases[-1] + MOBILITIES, bases[-1] + 2 * MOBILITIES]
        self.different, self.stored = bases[-1], self.bases[-1]
        self.shape_of = [shape for shape, _ in instances]
        offsets = np.cumsum([0] + [len(tie) for tie in ties])
        powers = np.zeros((64, len(instances)), np.float32)
        for column, (_, squares) in enumerate(instances):
            for digit, square in enumerate(squares):
                powers[square, column] = 3**digit
        centres = [int(offsets[shape]) + len(ties[shape]) // 2 for shape in self.shape_of]
        self.powers = torch.tensor(powers, device=device)
        self.centres = torch.tensor(centres, device=device, dtype=torch.int32)
        self.ties = torch.tensor(np.concatenate(ties), device=device, dtype=torch.int32)
        self.shifts = torch.arange(64, device=device)

    def places(self, own, other):
        """The weights of some positions: a row for each position, a column for each instance."""
        # Every number is far below 2^24, so that floats are exact.
        digits = ((own[:, None] >> self.shifts) & 1).float() - ((other[:, None] >> self.shifts) & 1).float()
        return self.ties[(digits @ self.powers).int() + self.centres]


def image(square, turn):
    """A square after one of the eight symmetries, in the order of `src/board/symmetry.rs`."""
    column, row = square % 8, square // 8
    if turn & 4:
        column, row = row, column
    if turn & 2:
        row = 7 - row
    if turn & 1:
        column = 7 - column
    return column + 8 * row


# Records


@dataclass
class Blocks:
    """Blocks of games that were read and checked, but not yet played over."""

    payload: np.ndarray
    first_bit: np.ndarray
    last_bit: np.ndarray
    counts: np.ndarray
    exact: np.ndarray
    # Whether only the positions with true values are wanted.
    only_exact: np.ndarray
    # Whether the values of searches are kept, and how many plies of detours.
    has_values: np.ndarray
    detours: np.ndarray
    # The seed of the games and the number of the first one.
    numbers: np.ndarray


HEADER = struct.Struct("<4s6BHQQ4I")
# Bits of the byte of rules.
OTHER_GOAL, NOISE, DETOURS_SHIFT = 2, 4, 3
# Stand for a detour that was not made and for a value that is not known.
NO_PLY, NO_VALUE = 63, -128


def read_blocks(paths, recent, rules):
    """The blocks of games by some rules, in order: `docs/formats.md` describes every byte."""
    payloads, firsts, lasts, counts, exacts, only, values, detours, numbers = ([] for _ in range(9))
    length = 0
    for number, path in enumerate(paths):
        data, at = Path(path).read_bytes(), 0
        while at < len(data):
            where = f"{path}, byte {at}"
            head = data[at : at + HEADER.size]
            if not head.startswith(b"OLRG"[: len(head)]):
                raise Fault(f"{where}: no block of games begins here")
            if len(head) < HEADER.size:
                raise Fault(f"{where}: the last block was torn; run the same selfplay again to mend it")
            _, version, by, _, exact, _, _, count, seed, first, _, size, check, own_check = HEADER.unpack(head)
            if version not in (1, 2):
                raise Fault(f"{where}: version {version} of the format, but this program knows 1 and 2 only")
            if zlib.crc32(head[:-4]) != own_check:
                raise Fault(f"{where}: the header of the block does not agree with its checksum")
            payload = data[at + HEADER.size : at + HEADER.size + size]
            if len(payload) < size:
                raise Fault(f"{where}: the last block was torn; run the same selfplay again to mend it")
            if zlib.crc32(payload) != check:
                raise Fault(f"{where}: the games of the block do not agree with their checksum")
            at += HEADER.size + size
            # The lowest bit tells who wins, the next two what let games go where good play does not.
            if by & 1 != RULES.index(rules):
                continue
            payloads.append(payload)
            firsts.append(8 * length)
            length += size
            lasts.append(8 * length)
            counts.append(count)
            exacts.append(exact)
            values.append(version == 2 and by & OTHER_GOAL == 0)
            detours.append(by >> DETOURS_SHIFT)
            only.append(by & (OTHER_GOAL | NOISE) != 0 or len(paths) - 1 - number >= recent)
            numbers.append((seed, first))
    if not payloads:
        raise Fault(f"there are no games by {rules} rules in these records: name others, or other --rules")
    # Numbers are taken from two bytes, which may lie behind the end.
    payload = np.frombuffer(b"".join(payloads) + bytes(16), np.uint8)
    columns = (np.array(column, np.int64) for column in (firsts, lasts, counts, exacts, only, values, detours))
    return Blocks(payload, *columns, np.array(numbers, np.uint64))


# Playing games over


def signed(word):
    """A set of squares as torch has it, where the last one is the sign."""
    return word - (1 << 64) if word >> 63 else word


class Replay:
    """Plays the games of all blocks over, one move of every block at a time."""

    def __init__(self, device):
        tensor = lambda words: torch.tensor([signed(word) for word in words], device=device)
        not_a, not_h, low = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F, 0x00FFFFFFFFFFFFFF
        self.device = device
        self.steps = tensor([1, 7, 8, 9])[:, None]
        self.up = tensor([not_a, not_h, (1 << 64) - 1, not_a])[:, None]
        # What a shift to the right leaves of the sign is masked, too.
        self.down = tensor([not_h, not_a & low, low, not_h & low])[:, None]
        bits = [[place for place in range(8) if byte >> place & 1] for byte in range(256)]
        self.counts = torch.tensor([len(places) for places in bits], device=device)
        self.nth = torch.tensor([(places + [0] * 8)[:8] for places in bits], device=device)
        # Bits that tell one of so many moves.
        self.widths = torch.tensor([max(count - 1, 0).bit_length() for count in range(65)], device=device)

    def rays(self, begin, through):
        """From a set of squares along runs of others: the runs, and the squares behind them, by direction."""
        begin, through = begin.unsqueeze(-2), through.unsqueeze(-2)
        for shifted in (
            lambda squares: (squares << self.steps) & self.up,
            lambda squares: (squares >> self.steps) & self.down,
        ):
            run = shifted(begin) & through
            for _ in range(5):
                run = run | shifted(run) & through
            yield run, shifted(run)

    def moves(self, own, other):
        ends = [end for _, end in self.rays(own, other)]
        ends = ends[0] | ends[1]
        ends = ends[..., 0, :] | ends[..., 1, :] | ends[..., 2, :] | ends[..., 3, :]
        return ends & ~(own | other)

    def flips(self, own, other, square):
        runs = [torch.where(end & own[None] != 0, run, 0) for run, end in self.rays(square, other)]
        runs = runs[0] | runs[1]
        return runs[0] | runs[1] | runs[2] | runs[3]

    def popcount(self, squares):
        return self.counts[squares.contiguous().view(torch.uint8).view(-1, 8).long()].sum(1)

    def place(self, square):
        """The number of a single square, 0 to 63."""
        return self.popcount(square - 1)

    def pick(self, squares, rank):
        """The square with some rank in a set."""
        octets = squares.contiguous().view(torch.uint8).view(-1, 8).long()
        sizes = self.counts[octets]
        until = sizes.cumsum(1)
        row = (until <= rank[:, None]).sum(1, keepdim=True).clamp(max=7)
        within = (rank[:, None] - (until - sizes).gather(1, row)).clamp(0, 7)
        column = self.nth[octets.gather(1, row), within]
        return (torch.ones_like(column) << (8 * row + column)).squeeze(1)

    def run(self, blocks, rules):
        """All positions after the random moves, in the order of play, and the result of each game for Black.

        The marks of a position are its value in half discs, above it whether its result is fair, and above that the
        square of its move.
        """
        # Values are kept up to the solve.
        solve = np.where(blocks.has_values, 60 - blocks.exact, 0)
        payload, offset, last, counts, detours, solve = (
            torch.tensor(array, device=self.device)
            for array in (blocks.payload, blocks.first_bit, blocks.last_bit, blocks.counts, blocks.detours, solve)
        )
        games = int(counts.sum())
        game = counts.cumsum(0) - counts
        end = game + counts
        lanes = len(counts)
        start = [torch.full((lanes,), word, device=self.device) for word in (0x810000000, 0x1008000000)]
        own, other = (side.clone() for side in start)
        side, ply = (torch.zeros(lanes, dtype=torch.int64, device=self.device) for _ in range(2))
        sign = -1 if rules == "reversed" else 1
        # One more, for the blocks in which no game has ended.
        results = torch.zeros(games + 1, dtype=torch.int8, device=self.device)
        wrong = torch.zeros(lanes, dtype=torch.bool, device=self.device)

        def read(width):
            byte = (offset >> 3).clamp(max=len(payload) - 2)
            word = payload[byte].long() | payload[byte + 1].long() << 8
            return (word >> (offset & 7)) & ((1 << width) - 1)

        six, eight = (torch.full((lanes,), width, device=self.device) for width in (6, 8))

        def begin(begins):
            """The random moves of the games that begin, and the ply from which on their results are fair."""
            nonlocal offset
            plies = read(six)
            offset = offset + torch.where(begins, six, 0)
            fair = plies
            for number in range(int(blocks.detours.max())):
                present = begins & (number < detours)
                ply = read(six)
                fair = torch.where(present & (ply != NO_PLY), torch.maximum(fair, ply + 1), fair)
                offset = offset + torch.where(present, six, 0)
            return plies, fair

        random, fair = begin(torch.ones(lanes, dtype=torch.bool, device=self.device))
        found = []
        for step in range(int(counts.max()) * 61):
            active = game < end
            if step % 61 == 0 and not bool(active.any()):
                break
            legal = self.moves(torch.stack([own, other]), torch.stack([other, own]))
            passes = (legal[0] == 0) & (legal[1] != 0)
            over = (legal[0] == 0) & (legal[1] == 0)
            own, other = torch.where(passes, other, own), torch.where(passes, own, other)
            side = side ^ passes.long()
            moves = torch.where(passes, legal[1], legal[0])
            playing, ending = active & ~over, active & over
            count = self.popcount(moves)
            width = self.widths[count]
            rank = read(width)
            offset = offset + torch.where(playing, width, 0)
            wrong |= playing & (rank >= count)
            wanted = playing & (ply >= random)
            valued = wanted & (ply < solve) & (count > 1)
            value = torch.where(valued, ((read(eight) + 128) & 255) - 128, NO_VALUE)
            offset = offset + torch.where(valued, eight, 0)
            square = self.pick(moves, rank)
            # A value is at least -128, so that its marks are told apart by a number from 0 to 255.
            marks = value + 128 + 256 * (ply >= fair) + 512 * self.place(square)
            found.append(torch.stack([own, other, (game * 64 + ply) * 2 + side, marks])[:, wanted])
            # The result of the games that are over, for Black.
            mine, theirs = self.popcount(own), self.popcount(other)
            full = mine - theirs + (mine - theirs).sign() * (64 - mine - theirs)
            score = (sign * full * (1 - 2 * side)).to(torch.int8)
            results[torch.where(ending, game, games)] = score
            wrong |= ending & (ply < random)
            flips = self.flips(own, other, square)
            own, other = other & ~flips, own | flips | square
            own, other = torch.where(over, start[0], own), torch.where(over, start[1], other)
            side, ply = torch.where(over, 0, side ^ 1), torch.where(over, 0, ply + 1)
            game = game + ending.long()
            begins = ending & (game < end)
            plies, fairs = begin(begins)
            random, fair = torch.where(begins, plies, random), torch.where(begins, fairs, fair)
        wrong |= (last - offset < 0) | (last - offset >= 8)
        if bool(wrong.any()):
            raise Fault("a block does not hold the moves of its games")
        own, other, key, marks = torch.cat(found, 1)
        del found
        key, order = key.sort()
        return own[order], other[order], key, marks[order], results[:games]


def held_games(seed, blocks):
    """Which games are held out, by their own seeds and numbers: the keyed draw of `src/random.rs`."""
    step = np.uint64(0x9E3779B97F4A7C15)

    def draw(state):
        mixed = state + step
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))

    seeds, firsts = (np.repeat(column, blocks.counts) for column in blocks.numbers.T)
    before = np.repeat(np.cumsum(blocks.counts) - blocks.counts, blocks.counts)
    numbers = firsts + (np.arange(len(before)) - before).astype(np.uint64)
    mixed = draw(draw(seeds ^ np.uint64(seed)) ^ (numbers * step))
    # The upper half of the product with the bound.
    low = ((mixed & np.uint64(0xFFFFFFFF)) * np.uint64(HELD_OUT)) >> np.uint64(32)
    return ((mixed >> np.uint64(32)) * np.uint64(HELD_OUT) + low) >> np.uint64(32) == 0


class Samples:
    """The positions of all games, on the device."""

    def __init__(self, options, device):
        blocks = read_blocks(options.records, options.recent, options.rules)
        replay = Replay(device)
        own, other, key, marks, results = replay.run(blocks, options.rules)
        self.games = len(results)
        of_games = lambda numbers: torch.tensor(np.repeat(numbers, blocks.counts), device=device)[key >> 7]
        discs = [replay.popcount(part) for part in (own | other).split(CHUNK)]
        empties = 64 - torch.cat(discs)
        exact = empties <= of_games(blocks.exact)
        wanted = exact | (of_games(blocks.only_exact) == 0)
        self.own, self.other, self.empties, self.exact = (each[wanted] for each in (own, other, empties, exact))
        key, marks = key[wanted], marks[wanted]
        self.fair, self.square = marks & 256 != 0, (marks >> 9).to(torch.uint8)
        recorded = (marks & 255) - 128
        self.has_value, self.recorded = recorded != NO_VALUE, recorded.float() / 2
        self.game, self.side = key >> 7, (key & 1).bool()
        result = results[self.game].float()
        self.result = torch.where(self.side, -result, result)
        self.stage = (self.empties // STAGE_WIDTH).clamp(max=STAGES - 1)
        self.moves = torch.empty((len(self.own), 2), dtype=torch.uint8, device=device)
        for begin in range(0, len(self.own), CHUNK):
            own, other = (side[begin : begin + CHUNK] for side in (self.own, self.other))
            both = replay.moves(torch.stack([own, other]), torch.stack([other, own]))
            counts = torch.stack([replay.popcount(moves) for moves in both], 1)
            self.moves[begin : begin + CHUNK] = counts.clamp(max=MOBILITIES - 1)
        self.held = torch.tensor(held_games(options.seed, blocks), device=device)[self.game]
        # What later positions are worth by the weights so far.
        self.value = torch.zeros(len(self.own), device=device)

    def __len__(self):
        return len(self.own)

    def places(self, at, patterns):
        """The weights of some positions: a column for each instance of a pattern and for the moves of each side."""
        moves = self.moves[at].int()
        moves[:, 0] += patterns.different
        moves[:, 1] += patterns.different + MOBILITIES
        return torch.cat([patterns.places(self.own[at], self.other[at]), moves], 1)

    def learnt(self):
        """The positions to learn from: those with a fair result or a recorded value, in games that are not held out."""
        return ~self.held & (self.fair | self.has_value)

    def judged(self):
        """The positions that weights are judged by."""
        return self.held & self.fair

    def labels(self, at, mix, ahead, value_mix):
        """What positions are worth: the result, mixed with the recorded value of a search, or with the value of a later
        position of the same game. Where the result is not fair the recorded value stands alone."""
        result = self.result[at]
        later = (at + ahead).clamp(max=len(self) - 1)
        mixed = (self.game[later] == self.game[at]) & (later == at + ahead) & ~self.exact[at]
        value = torch.where(self.side[later] == self.side[at], self.value[later], -self.value[later])
        without = torch.where(mixed, result + mix * (value - result), result)
        share = torch.where(self.fair[at], value_mix, 1.0)
        return torch.where(self.has_value[at], result + share * (self.recorded[at] - result), without)

    def evaluate(self, at, patterns, weights, tempo):
        """Values positions by whole weights as the engine does, in 1/32 disc."""
        for part in at.split(CHUNK):
            sums = weights[self.places(part, patterns).long()].sum(1)
            units = torch.div(sums + tempo[self.empties[part]], UNITS_PER_SCORE, rounding_mode="trunc")
            per_disc = UNITS_PER_DISC // UNITS_PER_SCORE
            self.value[part] = units.clamp(-64 * per_disc, 64 * per_disc).float() / per_disc


# The fit


class Equations:
    """The products with the positions of a stage that a step needs, each a fixed sequence of sums."""

    def __init__(self, samples, at, patterns):
        self.columns = lookup(samples, at, patterns)
        self.size = patterns.stored + 64
        groups = [[] for _ in SHAPES]
        for column, shape in enumerate(patterns.shape_of):
            groups[shape].append(column)
        # Both sides' moves and the ply.
        groups += [[len(patterns.shape_of) + more] for more in range(3)]
        bounds = patterns.bases + [self.size]
        self.groups = []
        for group, base, end in zip(groups, bounds, bounds[1:]):
            flat = (self.columns[group] - base).flatten()
            _, order = flat.sort(stable=True)
            rows = (order % max(len(at), 1)).int()
            self.groups.append((rows, torch.bincount(flat, minlength=end - base).cumsum(0)))

    def values(self, weights):
        """What weights add up to in every position."""
        return summed(self.columns, weights)

    def gathered(self, values):
        """For every weight, the sum over the positions that have it."""
        parts = []
        for rows, ends in self.groups:
            sums = torch.cumsum(values.index_select(0, rows), 0, dtype=torch.float64)
            until = torch.cat([sums.new_zeros(1), sums])[ends]
            parts.append(torch.diff(until, prepend=until.new_zeros(1)))
        return torch.cat(parts).float()


def lookup(samples, at, patterns):
    """The weights of positions, a row for each instance, two for the moves and one for the ply."""
    columns = torch.empty((len(patterns.shape_of) + 3, len(at)), dtype=torch.int32, device=at.device)
    for begin in range(0, len(at), CHUNK):
        columns[:-1, begin : begin + CHUNK] = samples.places(at[begin : begin + CHUNK], patterns).T
    columns[-1] = patterns.stored + samples.empties[at]
    return columns


def summed(columns, weights):
    total = torch.zeros(columns.shape[1], device=weights.device)
    for column in columns:
        total += weights.index_select(0, column)
    return total


def dot(one, other):
    return float(one.double() @ other.double())


def fit(equations, labels, held, held_labels, weights, anchored, noise, options):
    """Ridge regression by preconditioned conjugate gradients, ended by what is held out: `src/training/train/fit.rs`."""

    def error(weights):
        return float((summed(held, weights) - held_labels).double().square().sum()) / max(len(held_labels), 1)

    ridge = options.ridge * noise
    scale = 1 / (equations.gathered(torch.ones_like(labels)) + ridge)
    rest = equations.gathered(labels - equations.values(weights))
    if not anchored:
        rest = rest - ridge * weights
    best = (weights.clone(), error(weights), 0)
    towards = rest * scale
    direction, slope = towards.clone(), dot(rest, towards)
    for passed in range(1, options.passes + 1):
        onto = equations.gathered(equations.values(direction)) + ridge * direction
        curvature = dot(direction, onto)
        if curvature <= 0 or slope <= 0:
            break
        step = slope / curvature
        weights = weights + step * direction
        rest = rest - step * onto
        now = error(weights)
        if now < best[1] * (1 - LEAST_GAIN):
            best = (weights.clone(), now, passed)
        elif passed >= best[2] + options.patience:
            break
        towards = rest * scale
        slope_before, slope = slope, dot(rest, towards)
        direction = towards + slope / slope_before * direction
    return best


# Files of weights


@dataclass
class Weights:
    """What a file of weights holds: `src/eval/weights/file.rs`."""

    rules: str
    origin: str
    tempo: np.ndarray
    stages: np.ndarray
    # The hidden layer as it is stored, if there is one.
    network: bytes = b""

    @staticmethod
    def zeroes(rules, stored):
        return Weights(rules, "", np.zeros(64, np.int16), np.zeros((STAGES, stored), np.int16))

    @staticmethod
    def read_linear(path, stored):
        weights = Weights.read(path, stored)
        if weights.network:
            raise Fault(f"{path}: these weights have a hidden layer, which this program does not know: name others")
        return weights

    @staticmethod
    def read(path, stored):
        data = Path(path).read_bytes()
        if data[:4] != b"OLWT":
            raise Fault(f"{path}: this is not a file of weights: it does not begin with OLWT")
        if data[4:5] != b"\4":
            raise Fault(f"{path}: these weights have another version than 4: train or fetch others")
        try:
            rules, stages, count, length = struct.unpack_from("<BHIH", data, 5)
            before = 14 + length + 128 + 4 * (stages + 1)
            tempo = np.frombuffer(data, "<i2", 64, 14 + length)
            sizes = struct.unpack_from(f"<{stages + 1}I", data, before - 4 * (stages + 1))
            (check,) = struct.unpack_from("<I", data, before)
            ends = list(itertools.accumulate(sizes, initial=before + 4))
            whole = ends[-1] == len(data) and zlib.crc32(data[before + 4 :], zlib.crc32(data[:before])) == check
            parts = [zlib.decompress(data[a:b], -15) for a, b in itertools.pairwise(ends[:-1])] if whole else []
        except (struct.error, ValueError, zlib.error):
            whole = False
        if not whole or rules >= len(RULES):
            raise Fault(f"{path}: the file is damaged or ends too soon: copy it again")
        if stages != STAGES or count != stored or any(len(part) != 2 * count for part in parts):
            raise Fault(f"{path}: these weights are for other patterns than this program's: train others")
        planes = np.frombuffer(b"".join(parts), np.uint8).reshape(stages, 2, count).astype(np.uint16)
        folded = planes[:, 0] | planes[:, 1] << 8
        words = ((folded >> 1) ^ -(folded & 1)).astype(np.uint16).view(np.int16)
        origin = data[14 : 14 + length].decode("utf-8", "replace")
        return Weights(RULES[rules], origin, tempo.astype(np.int16), words, data[ends[-2] : ends[-1]])

    def encoded(self):
        folded = ((self.stages << 1) ^ (self.stages >> 15)).view(np.uint16)
        planes = np.stack([folded & 0xFF, folded >> 8], axis=1).astype(np.uint8)
        parts = [deflated(stage.tobytes()) for stage in planes] + [self.network]
        origin = self.origin.encode()
        shape = (RULES.index(self.rules), *self.stages.shape, len(origin))
        head = b"OLWT\4" + struct.pack("<BHIH", *shape) + origin + self.tempo.astype("<i2").tobytes()
        head += struct.pack(f"<{len(parts)}I", *map(len, parts))
        joined = b"".join(parts)
        check = struct.pack("<I", zlib.crc32(joined, zlib.crc32(head)))
        return head + check + joined

    def write(self, path):
        replace(path, self.encoded())


def replace(path, data):
    """Writes a file beside its own name first, so that there is never half of one."""
    beside = Path(f"{path}.{os.getpid()}.new")
    with open(beside, "xb") as file:
        file.write(data)
    beside.replace(path)


def refuse_overwriting(options):
    """What is there stays, unless it is to be replaced, and inputs stay in any case."""
    path = Path(options.output)
    inputs = [Path(name) for name in [*options.records, options.begin, options.compare] if name]
    if not path.exists():
        return
    if any(file.exists() and file.samefile(path) for file in inputs):
        raise Fault(f"{path} is an input: give the output a file of its own")
    if not options.force:
        raise Fault(f"{path} exists already: name another file, or replace it with --force")


def deflated(data):
    """As small as it gets, without a header."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return deflate.compress(data) + deflate.flush()


def rounded(weights):
    """Whole units, halves away from zero."""
    units = weights.double().cpu().numpy() * UNITS_PER_DISC
    return np.clip(np.trunc(units + np.copysign(0.5, units)), -32768, 32767).astype(np.int16)


# The training, stage by stage


@dataclass
class Stage:
    """What was learnt of one stage."""

    stage: int
    learnt: int = 0
    held: int = 0
    spread: float = 0.0
    error: float = 0.0
    passes: int = 0
    seconds: float = 0.0

    def __str__(self):
        first = self.stage * STAGE_WIDTH
        last = 60 if self.stage == STAGES - 1 else first + STAGE_WIDTH - 1
        return (
            f"{first:3}-{last:<3} {self.learnt:>10} {self.held:>10} {self.spread:>8.2f} {self.error:>8.3f} "
            f"{share(self.error, self.spread):>8.2f} % {self.passes:>6} {self.seconds:>8.1f}"
        )


def share(error, spread):
    return 100 * (error / max(spread, 1e-9)) ** 2


def spread(values):
    return float(values.double().std(correction=0)) if len(values) else 0.0


def root_mean_square(values):
    return float(values.double().square().mean().sqrt()) if len(values) else 0.0


def fit_stage(stage, noise, samples, patterns, weights, options, device):
    """Fits one stage and values its positions with what was found."""
    begun = time.time()
    empties, of = samples.empties, samples.stage
    below = ((empties - 1).clamp(min=0) // STAGE_WIDTH).clamp(max=STAGES - 1)
    above = ((empties + 1) // STAGE_WIDTH).clamp(max=STAGES - 1)
    near = (of == stage) | (below == stage) | (above == stage)
    learnt = torch.nonzero(near & samples.learnt()).squeeze(1)
    held = torch.nonzero((of == stage) & samples.judged()).squeeze(1)
    report = Stage(stage)
    # Where there is nothing to begin with the next stage is near.
    has_begun = bool(weights.stages[stage].any())
    source = stage if has_begun else max(stage - 1, 0)
    if len(learnt):
        plies = [ply for ply in range(64) if min(ply // STAGE_WIDTH, STAGES - 1) == stage]
        begin = np.zeros(patterns.stored + 64, np.float32)
        begin[: patterns.stored] = weights.stages[source]
        for ply in plies:
            begin[patterns.stored + ply] = weights.tempo[ply]
        begin = torch.tensor(begin / UNITS_PER_DISC, device=device)
        mix = options.mix if stage > 0 else 0.0
        labels = samples.labels(learnt, mix, options.ahead, options.value_mix)
        equations = Equations(samples, learnt, patterns)
        truth = samples.result[held]
        found, error, passes = fit(
            equations, labels, lookup(samples, held, patterns), truth, begin, has_begun, noise, options
        )
        whole = rounded(found)
        weights.stages[stage] = whole[: patterns.stored]
        for ply in plies:
            weights.tempo[ply] = whole[patterns.stored + ply]
        report = Stage(stage, len(learnt), len(held), spread(truth), error**0.5, passes)
    else:
        weights.stages[stage] = weights.stages[source]
    value_stage(stage, samples, patterns, weights, device)
    report.seconds = time.time() - begun
    return report


def value_stage(stage, samples, patterns, weights, device):
    at = torch.nonzero(samples.stage == stage).squeeze(1)
    table = torch.tensor(weights.stages[stage].astype(np.int32), device=device)
    tempo = torch.tensor(weights.tempo.astype(np.int32), device=device)
    samples.evaluate(at, patterns, table, tempo)


def plies(samples, value):
    """What values leave unexplained of the positions held out, by the number of empty squares."""
    rows = []
    for empties in range(61):
        at = torch.nonzero(samples.judged() & (samples.empties.clamp(max=60) == empties)).squeeze(1)
        if len(at):
            result = samples.result[at]
            error = root_mean_square(value[at] - result)
            exact = bool(samples.exact[at].all())
            rows.append(dict(empties=empties, held=len(at), spread=spread(result), error=error, exact=exact))
    return rows


def train(options, device):
    begun = time.time()
    samples = Samples(options, device)
    if not len(samples):
        raise Fault(f"there are no games by {options.rules} rules in these records: name others")
    read = f"{samples.games} games, {len(samples)} positions"
    print(f"{read} read in {time.time() - begun:.1f} s", file=sys.stderr)
    patterns = Patterns(device)
    weights = Weights.zeroes(options.rules, patterns.stored)
    if options.begin:
        weights = Weights.read_linear(options.begin, patterns.stored)
        if weights.rules != options.rules:
            raise Fault(f"{options.begin}: these weights are for {weights.rules} rules: begin with others")
        for stage in range(STAGES):
            value_stage(stage, samples, patterns, weights, device)
    stages, noise = [], FIRST_NOISE
    print("empty     training validation    sigma    error unexplained passes  seconds", file=sys.stderr)
    for stage in range(STAGES):
        stages.append(fit_stage(stage, noise, samples, patterns, weights, options, device))
        # A stage is as noisy as the one after it, nearly.
        noise = stages[-1].error ** 2 or noise
        print(stages[-1], file=sys.stderr, flush=True)
    number = lambda value: np.format_float_positional(np.float32(value), trim="-")
    values = f"values {number(options.value_mix)}, " if bool(samples.has_value.any()) else ""
    weights.origin = f"{read}; ridge {number(options.ridge)}, {values}mix {number(options.mix)} ahead {options.ahead}"
    weights.write(options.output)
    rows = plies(samples, samples.value)
    seconds = time.time() - begun
    if options.json:
        report = dict(games=samples.games, positions=len(samples), stages=[asdict(stage) for stage in stages])
        print(json.dumps(report | dict(plies=rows, seconds=seconds)))
    else:
        print("empty     training validation    sigma    error unexplained passes  seconds")
        print(*stages, sep="\n")
        print("\nempty validation    sigma    error unexplained")
        for row in rows:
            exact = "  solved" if row["exact"] else ""
            empties, held, wide, error, _ = row.values()
            print(f"{empties:5} {held:>10} {wide:>8.2f} {error:>8.3f} {share(error, wide):>8.2f} %{exact}")
        print(f"\n{read}, {seconds:.0f} s")
    return samples, patterns, weights


def compare(weights, path, samples, patterns, device):
    """How far other weights for the same rules are from these, and what they leave unexplained."""
    other = Weights.read_linear(path, patterns.stored)
    away = np.abs(weights.stages.astype(int) - other.stages)
    plies_away = np.abs(weights.tempo.astype(int) - other.tempo)
    own = root_mean_square((samples.value - samples.result)[samples.judged()])
    for stage in range(STAGES):
        value_stage(stage, samples, patterns, other, device)
    theirs = root_mean_square((samples.value - samples.result)[samples.judged()])
    shares = ", ".join(f"{100 * np.mean(away <= most):.4f} % within {most}" for most in (0, 1, 2))
    print(f"\nweights of {path}: {shares} units of 1/{UNITS_PER_DISC} disc; at most {away.max()} away")
    print(f"being to move: at most {plies_away.max()} units away")
    print(f"error of all positions held out: {own:.4f} discs here, {theirs:.4f} there")


# The command line


def arguments():
    about, examples = __doc__.split("\n\n    ", 1)
    parser = argparse.ArgumentParser(
        description=about,
        epilog=f"examples:\n    {examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("records", nargs="+", metavar="RECORDS", help="files of recorded games, the oldest first")
    add("--rules", choices=RULES, default="reversed", help="learn from games by these rules [reversed]")
    add("--output", "-o", required=True, metavar="FILE", help="where the weights go")
    add("--force", action="store_true", help="replace output files that exist already")
    add("--recent", type=int, default=1000, metavar="N", help="of older files use true values only [1000]")
    add("--begin", metavar="FILE", help="weights to begin with; those that few positions speak for stay near them")
    add("--ridge", type=float, default=1.6, help="positions that give a weight half, per unexplained disc² [1.6]")
    add("--passes", type=int, default=40, help="at most so many passes over the positions of a stage [40]")
    add("--patience", type=int, default=3, help="end a stage after so many passes without gain [3]")
    add("--value-mix", type=float, default=0.5, help="share of the recorded values in the labels, 0 to 1 [0.5]")
    add("--mix", type=float, default=0.5, help="share of a later position's value where none is recorded, 0 to 1 [0.5]")
    add("--ahead", type=int, default=6, help="how many positions later, 4 to 30 [6]")
    add("--seed", type=int, default=1, help="what draws the games that are held out [1]")
    add("--device", help="where to compute, such as cuda or cpu [cuda where there is one]")
    add("--json", action="store_true", help="print the tables as JSON")
    add("--compare", metavar="FILE", help="tell how far the weights of a file are from these")
    options = parser.parse_args()
    mixes = options.mix, options.value_mix
    if not 4 <= options.ahead <= 30 or options.ridge <= 0 or not all(0 <= mix <= 1 for mix in mixes):
        parser.error("--ahead is from 4 to 30, --mix and --value-mix from 0 to 1, and --ridge above 0")
    return options


def main():
    options = arguments()
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    # The numbers of patterns are counted in floats, which must be whole ones.
    torch.set_float32_matmul_precision("highest")
    try:
        refuse_overwriting(options)
        samples, patterns, weights = train(options, device)
        if options.compare:
            compare(weights, options.compare, samples, patterns, device)
    except (Fault, OSError) as error:
        sys.exit(f"gpu.py: {error}")


if __name__ == "__main__":
    main()
