#!/usr/bin/env python3
"""Learns the evaluation, weights and hidden layer, from the values of a teacher, on a GPU.

The positions are those of recorded games and as many a random move off them, which no game visits and every search
does. The teacher (training/teacher.py) values all of them but the solved ones, which keep their results. What is learnt
is rounded as the engine rounds it while it is learnt.

    python3 training/student.py games.olg --rules reversed --teacher reversed.pt --output reversed.weights
"""

import argparse
import math
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import gpu
import teacher as teachers

# What `src/eval/weights/network.rs` says: numbers of a row, their units in 1 and their limit, and the shapes without rows.
WIDTH, ROW_UNITS, ROW_LIMIT = 32, 128, 63
WITHOUT_ROWS = (1, 3)
OUTPUT_UNITS, OUTPUT_LIMIT = 8, 4095
# The least number of empty squares at which the hidden layer counts.
LEAST = 4
# Weights are bytes in steps of 1/16 disc.
STEP, STEP_LIMIT = 16, 127
# Late positions count less: their values vary the most, and most of the game is before them.
LATE, LATE_SHARE = 12, 0.4


class Positions:
    """Positions with the places of their weights and the values they should have."""

    def __init__(self, own, other, label, boards, patterns):
        replay, device = boards.replay, own.device
        self.places = torch.empty((len(own), len(patterns.shape_of) + 2), dtype=torch.int32, device=device)
        self.empties = torch.empty(len(own), dtype=torch.int64, device=device)
        self.label = label
        for begin in range(0, len(own), gpu.CHUNK):
            part = slice(begin, begin + gpu.CHUNK)
            mine, theirs = own[part], other[part]
            moves = replay.moves(torch.stack([mine, theirs]), torch.stack([theirs, mine]))
            counts = [replay.popcount(side).clamp(max=gpu.MOBILITIES - 1) for side in moves]
            moves = torch.stack([counts[0] + patterns.different, counts[1] + patterns.different + gpu.MOBILITIES], 1)
            self.places[part] = torch.cat([patterns.places(mine, theirs), moves.int()], 1)
            self.empties[part] = replay.popcount(~(mine | theirs))

    def __len__(self):
        return len(self.label)


def children(own, other, replay):
    """The positions after a random move, seen by the next player; some have no move."""
    moves = replay.moves(own, other)
    count = replay.popcount(moves)
    square = replay.pick(moves, (torch.rand(len(own), device=own.device) * count).long())
    flips = replay.flips(own, other, square)
    own, other = other & ~flips, own | flips | square
    some = (count > 0) & (replay.moves(own, other) | replay.moves(other, own) != 0)
    return own[some], other[some]


def rounded(values, steps, limit):
    """Rounds, but lets gradients through."""
    whole = (values * steps).round().clamp(-limit, limit) / steps
    return values + (whole - values).detach()


class Student(nn.Module):
    """Weights by stage, and a hidden layer: rows are added up, cut off, squared, and weighed by stage."""

    def __init__(self, patterns):
        super().__init__()
        self.size = patterns.stored
        self.weights = nn.Parameter(torch.zeros(gpu.STAGES * self.size, 1))
        self.tempo = nn.Parameter(torch.zeros(64))
        # Rows begin as zeroes, so that those of patterns that never occur stay so; outputs tell the numbers apart.
        self.rows = nn.Parameter(torch.zeros(self.size, WIDTH))
        self.bias = nn.Parameter(torch.linspace(0.1, 0.9, WIDTH).repeat(gpu.STAGES, 1))
        self.outputs = nn.Parameter((3 * torch.randn(1, WIDTH)).repeat(gpu.STAGES, 1))
        columns = [column for column, shape in enumerate(patterns.shape_of) if shape not in WITHOUT_ROWS]
        columns += [len(patterns.shape_of), len(patterns.shape_of) + 1]
        self.register_buffer("columns", torch.tensor(columns))
        self.rounds = False

    def forward(self, places, empties, jitter=0):
        weights, rows = self.weights, self.rows
        if self.rounds:
            weights, rows = rounded(weights, STEP, STEP_LIMIT), rounded(rows, ROW_UNITS, ROW_LIMIT)
        stage = stage_of(empties)
        linear = functional.embedding_bag(places + (stage_of(empties + jitter) * self.size)[:, None], weights, mode="sum")
        hidden = functional.embedding_bag(places[:, self.columns], rows, mode="sum") + self.bias[stage]
        bent = (hidden.clamp(0, 1).square() * self.outputs[stage]).sum(1)
        return linear.squeeze(1) + self.tempo[empties] + torch.where(empties >= LEAST, bent, 0)


def stage_of(empties):
    return (empties // gpu.STAGE_WIDTH).clamp(0, gpu.STAGES - 1)


@torch.no_grad()
def errors(student, positions):
    """The root mean square error by band of eight empty squares, and of all."""
    found = [
        student(positions.places[begin : begin + gpu.CHUNK], positions.empties[begin : begin + gpu.CHUNK])
        for begin in range(0, len(positions), gpu.CHUNK)
    ]
    square = (torch.cat(found).clamp(-64, 64) - positions.label).double().square()
    band = positions.empties // 8
    by_band = [float(square[band == at].mean().sqrt()) if bool((band == at).any()) else 0.0 for at in range(8)]
    return " ".join(f"{error:6.3f}" for error in by_band) + f"  all {float(square.mean().sqrt()):.4f}"


def learn(student, positions, held, options):
    """AdamW on shuffled batches; the rounding begins after half of the epochs."""
    others = [student.tempo, student.bias, student.outputs]
    groups = [
        dict(params=[student.weights], base=options.weight_rate),
        dict(params=[student.rows, *others], base=options.rate),
    ]
    adam = torch.optim.AdamW(groups, lr=options.rate, weight_decay=0.0, fused=positions.label.is_cuda)
    steps, step = options.epochs * -(-len(positions) // options.batch), 0
    for epoch in range(options.epochs):
        student.rounds = 2 * epoch >= options.epochs
        begun, total = time.time(), torch.zeros((), device=positions.label.device)
        for at in torch.randperm(len(positions), device=positions.label.device).split(options.batch):
            share = 0.5 + 0.5 * math.cos(math.pi * step / steps)
            for group in adam.param_groups:
                group["lr"] = group["base"] * min(1, (step + 1) / 100) * share
            # A neighbouring number of empty squares, now and then, so that stages do not differ by chance.
            jitter = torch.randint(-1, 2, at.shape, device=at.device)
            value = student(positions.places[at], positions.empties[at], jitter)
            share_of = torch.where(positions.empties[at] < LATE, LATE_SHARE, 1.0)
            loss = ((value - positions.label[at]).square() * share_of).mean()
            adam.zero_grad(set_to_none=True)
            loss.backward()
            adam.step()
            with torch.no_grad():
                student.weights.clamp_(-STEP_LIMIT / STEP, STEP_LIMIT / STEP)
                student.rows.clamp_(-ROW_LIMIT / ROW_UNITS, ROW_LIMIT / ROW_UNITS)
                student.outputs.clamp_(-OUTPUT_LIMIT / OUTPUT_UNITS / gpu.UNITS_PER_DISC, OUTPUT_LIMIT / OUTPUT_UNITS / gpu.UNITS_PER_DISC)
            step += 1
            total += loss.detach() * len(at)
        left = math.sqrt(float(total) / max(len(positions), 1))
        print(f"epoch {epoch + 1}: {left:.4f} discs, {time.time() - begun:.1f} s; held out: {errors(student, held)}", flush=True)


@torch.no_grad()
def seen(student, positions):
    """How many positions speak for each weight."""
    counts = torch.zeros(len(student.weights), device=positions.label.device)
    for begin in range(0, len(positions), gpu.CHUNK):
        part = slice(begin, begin + gpu.CHUNK)
        places = positions.places[part] + (stage_of(positions.empties[part]) * student.size)[:, None]
        counts += torch.bincount(places.flatten(), minlength=len(counts))
    return counts


@torch.no_grad()
def prune(student, counts, rare):
    """Clears what few positions speak for: it is noise, and takes room in the file."""
    student.weights[counts < rare] = 0
    student.rows[counts.view(gpu.STAGES, -1).sum(0) < rare] = 0


def within(student, counts, patterns, origin, options):
    """The weights without what is rare, and without more of it until the file is small enough."""
    rare = options.rare
    while True:
        prune(student, counts, rare)
        found = as_stored(student, patterns, origin, options.rules)
        size = len(found.encoded())
        print(f"{size} bytes without what fewer than {rare} positions speak for", flush=True)
        if size <= options.most_bytes:
            return found
        rare += rare // 4 + 1


def gather(options, device):
    """The positions to learn from and those held out, valued by the teacher."""
    begun = time.time()
    samples, boards, patterns = gpu.Samples(options, device), teachers.Boards(device), gpu.Patterns(device)
    teacher, rules = teachers.Teacher.load(options.teacher, device)
    if rules != options.rules:
        raise gpu.Fault(f"{options.teacher}: this teacher knows {rules} rules: name another")
    print(f"{samples.games} games, {len(samples)} positions read in {time.time() - begun:.0f} s", flush=True)

    def valued(own, other):
        result, recorded = teachers.estimates(teacher, boards, own, other).unbind(1)
        return (1 - options.mix) * result + options.mix * recorded

    def positions(at):
        solved, others = at[samples.exact[at]], at[~samples.exact[at]]
        astray = others[torch.rand(len(others), device=device) < options.children]
        parts = [children(samples.own[part], samples.other[part], boards.replay) for part in astray.split(gpu.CHUNK)]
        own, other = (torch.cat([side[others], *sides]) for side, sides in zip((samples.own, samples.other), zip(*parts)))
        label = torch.cat([samples.result[solved], valued(own, other)]).clamp(-64, 64)
        own, other = torch.cat([samples.own[solved], own]), torch.cat([samples.other[solved], other])
        return Positions(own, other, label, boards, patterns)

    def pick(which, most):
        found = torch.nonzero(which).squeeze(1)
        return found[torch.randperm(len(found), device=device)[:most]]

    learnt, held = positions(pick(~samples.held, options.most)), positions(pick(samples.held, 200_000))
    print(f"{len(learnt)} positions valued in {time.time() - begun:.0f} s", flush=True)
    return learnt, held, patterns, f"{samples.games} games, {len(learnt)} positions, values of a teacher"


def stored_rows(patterns):
    """The places that have rows, in the order of the file."""
    shapes = [shape for shape in range(len(gpu.SHAPES)) if shape not in WITHOUT_ROWS]
    return np.concatenate([np.arange(patterns.bases[shape], patterns.bases[shape + 1]) for shape in [*shapes, 12, 13]])


@torch.no_grad()
def begin_with(student, path, patterns, rules):
    """Goes on from a file that this program has made."""
    weights = gpu.Weights.read(path, patterns.stored)
    if weights.rules != rules or not weights.network:
        raise gpu.Fault(f"{path}: not weights with a hidden layer for {rules} rules: name others")
    stored = stored_rows(patterns)
    ends = np.cumsum([4 * gpu.STAGES * WIDTH, -(-len(stored) // 8)])
    outer, bits, rows = (weights.network[a:b] for a, b in ((0, ends[0]), tuple(ends), (ends[1], None)))
    outer = np.frombuffer(outer, "<i2").reshape(gpu.STAGES, 2, WIDTH).astype(np.float32)
    used = stored[np.unpackbits(np.frombuffer(bits, np.uint8), count=len(stored), bitorder="little").astype(bool)]
    student.rows[torch.tensor(used)] = torch.tensor(np.frombuffer(rows, np.int8).reshape(-1, WIDTH) / np.float32(ROW_UNITS))
    student.bias.copy_(torch.tensor(outer[:, 0] / ROW_UNITS))
    student.outputs.copy_(torch.tensor(outer[:, 1] / (gpu.UNITS_PER_DISC * OUTPUT_UNITS)))
    student.weights.copy_(torch.tensor(weights.stages.reshape(-1, 1) / np.float32(gpu.UNITS_PER_DISC)))
    student.tempo.copy_(torch.tensor(weights.tempo / np.float32(gpu.UNITS_PER_DISC)))


@torch.no_grad()
def as_stored(student, patterns, origin, rules):
    """What the file of weights holds: `src/eval/weights/file.rs`."""
    whole = lambda values, units, limit: (values.detach() * units).round().clamp(-limit, limit).cpu().numpy()
    table = whole(student.weights, STEP, STEP_LIMIT).reshape(gpu.STAGES, -1) * (gpu.UNITS_PER_DISC // STEP)
    tempo = whole(student.tempo, gpu.UNITS_PER_DISC, 32767)
    rows = whole(student.rows, ROW_UNITS, ROW_LIMIT)[stored_rows(patterns)].astype(np.int8)
    bias = whole(student.bias, ROW_UNITS, 32767).astype("<i2")
    outputs = whole(student.outputs, gpu.UNITS_PER_DISC * OUTPUT_UNITS, OUTPUT_LIMIT).astype("<i2")
    used = rows.any(1)
    bits = np.packbits(used, bitorder="little")
    network = b"".join(part.tobytes() for part in (np.stack([bias, outputs], 1), bits, rows[used]))
    return gpu.Weights(rules, origin, tempo.astype(np.int16), table.astype(np.int16), network)


def main():
    options = arguments()
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    # Patterns are counted in floats, which must be whole ones.
    torch.set_float32_matmul_precision("highest")
    torch.manual_seed(options.seed)
    try:
        if Path(options.output).exists() and not options.force:
            raise gpu.Fault(f"{options.output} exists already: name another file, or replace it with --force")
        learnt, held, patterns, origin = gather(options, device)
        student = Student(patterns)
        if options.begin:
            begin_with(student, options.begin, patterns, options.rules)
        student = student.to(device)
        print("held out: error in discs by bands of eight empty squares, 0-7, 8-15 and so on", flush=True)
        if options.begin:
            print(f"at first: {errors(student, held)}", flush=True)
        learn(student, learnt, held, options)
        weights = within(student, seen(student, learnt), patterns, origin, options)
        print(f"pruned: {errors(student, held)}", flush=True)
        weights.write(options.output)
    except (gpu.Fault, OSError) as error:
        sys.exit(f"student.py: {error}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("records", nargs="+", metavar="RECORDS", help="files of recorded games")
    add("--rules", choices=gpu.RULES, default="reversed", help="learn from games by these rules [reversed]")
    add("--teacher", required=True, metavar="NETWORK", help="what values the positions")
    add("--output", "-o", required=True, metavar="FILE", help="where the weights go")
    add("--begin", metavar="FILE", help="go on with these weights, which have a hidden layer")
    add("--force", action="store_true", help="replace an output file that exists already")
    add("--mix", type=float, default=0.3, help="share of the search value in what the teacher says [0.3]")
    add("--children", type=float, default=1.0, help="positions a random move off, for each of a game [1]")
    add("--most", type=int, default=10**9, help="use at most so many positions of games")
    add("--rare", type=int, default=8, help="weights and rows that fewer positions speak for stay zero [8]")
    add("--most-bytes", type=int, default=2_450_000, metavar="N", help="drop more of what is rare until the file fits [2450000]")
    add("--epochs", type=int, default=6, help="how often all positions are seen [6]")
    add("--batch", type=int, default=1 << 15, help="positions of a step [32768]")
    add("--weight-rate", type=float, default=0.02, help="how long the steps of weights are at first, in discs [0.02]")
    add("--rate", type=float, default=2e-3, help="how long other steps are at first [0.002]")
    add("--recent", type=int, default=1000, metavar="N", help="of older files use true values only [1000]")
    add("--seed", type=int, default=1, help="what draws the games held out [1]")
    add("--device", help="where to compute, such as cuda or cpu [cuda where there is one]")
    return parser.parse_args()


if __name__ == "__main__":
    main()
