#!/usr/bin/env python3
"""Corrects what being to move is worth, so that values do not jump from one number of empty squares to the next.

Who moves at even numbers of empty squares stays the same until a side passes. If evaluations of late positions favour
that side more than those of early ones, deep searches differ from shallow ones by a constant, and the selective search
takes it for an error. The log of `ollehto fit-probcut` has the values of both, and the results of solved positions.

    python3 training/tempo.py reversed.weights probcut-samples.txt --output better.weights
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

import gpu

SQUARES = 64
# Values of a log are in units of 1/32 disc; larger differences come from blunders.
UNITS, MOST = 32, 6.0
# With fewer empty squares searches see the end, and the correction is that of these.
LEAST = 4
# How a result counts beside a difference of two depths, and the depths that results are compared with.
RESULT_SHARE, RESULT_DEPTHS = 0.3, range(8, 12)
# How strongly neighbours are drawn together.
SMOOTHING = 40.0


def read_log(path, rules):
    """For each position its empty squares, its values by depth, and its result or none."""
    number = lambda word: None if word == "-" else int(word) / UNITS
    for line in Path(path).read_text().splitlines()[1:]:
        name, squares, _, *values, result, _checksum = line.split()
        if name == rules:
            yield squares.count("-"), [number(value) for value in values], number(result)


def equations(empties, values, result):
    """Terms, difference and share: the corrected values of a depth and of two plies less should be equal, and those of
    the deepest should be the result. A term is a number of empty squares and the sign of its correction."""

    def term(depth):
        at = empties - depth
        # The side that moves at even numbers: the one to move at the leaf, or at the root.
        return at, (-1) ** (depth + at)

    known = [depth for depth, value in enumerate(values) if value is not None and empties - depth >= LEAST]
    for depth in known:
        if depth - 2 in known:
            (at, sign), (before, other) = term(depth), term(depth - 2)
            yield [(at, sign), (before, -other)], values[depth - 2] - values[depth], 1.0
        if result is not None and depth in RESULT_DEPTHS:
            yield [term(depth)], result - values[depth], RESULT_SHARE


def corrections(log):
    """In discs for the side that moves at even numbers, by empty squares."""
    matrix, target = np.eye(SQUARES) * 1e-6, np.zeros(SQUARES)
    for position in log:
        for terms, difference, share in equations(*position):
            difference = min(max(difference, -MOST), MOST)
            for at, sign in terms:
                target[at] += share * sign * difference
                for other, other_sign in terms:
                    matrix[at, other] += share * sign * other_sign
    for at in range(SQUARES - 1):
        matrix[at : at + 2, at : at + 2] += SMOOTHING * np.array([[1, -1], [-1, 1]])
    return np.linalg.solve(matrix, target)


def main():
    options = arguments()
    patterns = gpu.Patterns(torch.device("cpu"))
    try:
        if Path(options.output).exists() and not options.force:
            raise gpu.Fault(f"{options.output} exists already: name another file, or replace it with --force")
        weights = gpu.Weights.read(options.weights, patterns.stored)
        log = list(read_log(options.samples, weights.rules))
        if not log:
            raise gpu.Fault(f"{options.samples}: no positions by {weights.rules} rules: name the log of these weights")
        found = corrections(log)
        signs = np.where(np.arange(SQUARES) % 2 == 0, 1, -1)
        weights.tempo = (weights.tempo + (gpu.UNITS_PER_DISC * signs * found).round()).astype(np.int16)
        print("discs for the side that moves at even numbers of empty squares:")
        print("  ".join(f"{at}: {found[at]:+.2f}" for at in range(LEAST, 61, 4)))
        weights.write(options.output)
    except (gpu.Fault, OSError, ValueError) as error:
        sys.exit(f"tempo.py: {error}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("weights", metavar="WEIGHTS", help="the weights to correct")
    add("samples", metavar="SAMPLES", help="the log of `ollehto fit-probcut` with these weights")
    add("--output", "-o", required=True, metavar="FILE", help="where the corrected weights go")
    add("--force", action="store_true", help="replace an output file that exists already")
    return parser.parse_args()


if __name__ == "__main__":
    main()
