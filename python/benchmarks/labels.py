"""Labels for a second of processor time, of the package and of the command line program, on one thread each.

    python python/benchmarks/labels.py target/release/ollehto [--boards N] [--seed N]

`ollehto analyze --depth` labels by a search and `ollehto solve` exactly; neither is timed while it starts or unpacks its
weights, which a run with a single board tells.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import tempfile
import time
from statistics import median

import ollehto
from ollehto import Board


def random_board(generator: random.Random, empties: int) -> Board:
    while True:
        board = Board()
        while board.empties > empties and not board.is_over:
            board = board.play(generator.choice(board.moves()))
        if board.empties == empties and board.moves() and not board.must_pass:
            return board


def child_time() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def program_run(command: list[str], boards: list[Board]) -> tuple[float, list[float]]:
    """Seconds of processor time, and the values it prints."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{board}\n" for board in boards))
        file.flush()
        begun = child_time()
        printed = subprocess.run([*command, "--json", file.name], capture_output=True, text=True, check=True).stdout
        seconds = child_time() - begun
    records = [json.loads(line) for line in printed.splitlines()]
    return seconds, [record.get("score", record.get("value")) for record in records if "position" in record]


def package_run(kind: str, depth: int, boards: list[Board]) -> tuple[float, list[float]]:
    begun = time.process_time()
    if kind == "solve":
        found = ollehto.solve_many(boards, threads=1)
    else:
        found = ollehto.label(boards, depth=depth, threads=1)
    return time.process_time() - begun, found["value"].tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the command line program, ollehto")
    parser.add_argument("--boards", type=int, default=1000, metavar="N")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="the median of so many counts")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    print("what             boards  program, 1/s  package, 1/s  ratio  (lowest to highest)  same values")
    for kind, depth, empties, share in [("depth", 6, 30, 1.0), ("depth", 10, 30, 0.2), ("solve", 14, 14, 0.5), ("solve", 18, 18, 0.05)]:
        boards = [random_board(generator, empties) for _ in range(max(2, round(arguments.boards * share)))]
        command = [arguments.program, "solve" if kind == "solve" else "analyze", "--threads", "1"]
        command += ["--depth", str(depth)] if kind == "depth" else []
        runs = (lambda rows: program_run(command, rows), lambda rows: package_run(kind, depth, rows))
        speeds: list[list[float]] = []
        for _ in range(arguments.rounds):
            # One after the other in each round, so that a slow moment of the machine hits both.
            whole, start = [[run(rows) for run in runs] for rows in (boards, boards[:1])]
            speeds.append([(len(boards) - 1) / (all_[0] - one[0]) for all_, one in zip(whole, start)])
        program, package = (median(column) for column in zip(*speeds))
        ratios = sorted(of_package / of_program for of_program, of_package in speeds)
        same = sum(one == other for one, other in zip(whole[0][1], whole[1][1]))
        print(
            f"{kind} {depth:<10} {len(boards):7}  {program:12.0f}  {package:12.0f}  {median(ratios):5.2f}"
            f"  ({ratios[0]:.2f} to {ratios[-1]:.2f})  {same} of {len(boards)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
