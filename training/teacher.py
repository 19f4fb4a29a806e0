#!/usr/bin/env python3
"""Teaches a residual convolutional network the value of positions, from recorded games, on a GPU.

The network sees the discs and moves of both sides. It learns three things of every position: the result of the game, the
value of the search that chose the move, and the move. It is far too slow for the engine, but its values have none of the
noise of single results: training/student.py learns from them.

    python3 training/teacher.py fit games.olg --rules reversed --minutes 5 --output reversed.pt
    python3 training/teacher.py values reversed.pt positions.txt > values.txt
"""

import argparse
import math
import sys
import time
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

import gpu

# Values of the network are in units of this many discs, so that errors are about one.
DISCS = 8.0
PLANES = 5
# The least and greatest number of positions that the network looks at in one step.
STEP, LOOK = 8192, 1 << 15


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        convolution = lambda: nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.first, self.second = convolution(), convolution()
        self.first_norm, self.second_norm = nn.BatchNorm2d(width), nn.BatchNorm2d(width)

    def forward(self, planes):
        inner = functional.relu(self.first_norm(self.first(planes)))
        return functional.relu(planes + self.second_norm(self.second(inner)))


class Teacher(nn.Module):
    """Result and search value in units of DISCS, and the logits of the 64 moves."""

    def __init__(self, blocks, width):
        super().__init__()
        self.shape = dict(blocks=blocks, width=width)
        self.stem = nn.Sequential(
            nn.Conv2d(PLANES, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU()
        )
        self.tower = nn.Sequential(*(Block(width) for _ in range(blocks)))
        self.squeeze = nn.Sequential(nn.Conv2d(width, 32, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU())
        self.values = nn.Sequential(nn.Flatten(), nn.Linear(32 * 64, 128), nn.ReLU(), nn.Linear(128, 2))
        self.policy = nn.Conv2d(width, 1, 1)

    def forward(self, planes):
        tower = self.tower(self.stem(planes))
        return self.values(self.squeeze(tower)), self.policy(tower).flatten(1)

    def save(self, path, rules):
        state = {name: tensor.half() if tensor.is_floating_point() else tensor for name, tensor in self.state_dict().items()}
        torch.save(dict(shape=self.shape, rules=rules, state=state), path)

    @staticmethod
    def load(path, device):
        saved = torch.load(path, map_location=device)
        teacher = Teacher(**saved["shape"])
        teacher.load_state_dict({name: tensor.float() if tensor.is_floating_point() else tensor for name, tensor in saved["state"].items()})
        return prepared(teacher, device).eval(), saved["rules"]


def prepared(network, device):
    return network.to(device, memory_format=torch.channels_last)


class Boards:
    """Turns sets of squares into planes."""

    def __init__(self, device):
        self.replay = gpu.Replay(device)
        self.shifts = torch.arange(64, device=device)
        self.images = torch.tensor([[gpu.image(square, turn) for square in range(64)] for turn in range(8)], device=device)

    def planes(self, own, other, turn=0):
        """The discs and moves of both sides and the board itself, after one of the eight symmetries."""
        moves = self.replay.moves(torch.stack([own, other]), torch.stack([other, own]))
        squares = torch.stack([own, other, moves[0], moves[1], torch.full_like(own, -1)], 1)
        planes = ((squares[:, :, None] >> self.shifts) & 1).view(-1, PLANES, 8, 8)
        if turn & 4:
            planes = planes.transpose(2, 3)
        flipped = [axis for axis, bit in ((2, 2), (3, 1)) if turn & bit]
        planes = planes.flip(flipped) if flipped else planes
        return planes.to(torch.bfloat16).contiguous(memory_format=torch.channels_last)


@torch.no_grad()
def estimates(teacher, boards, own, other, turns=(0,)):
    """The result and the search value of positions in discs, means over some symmetries."""
    found = []
    for begin in range(0, len(own), LOOK):
        part = slice(begin, begin + LOOK)
        with torch.autocast(own.device.type, torch.bfloat16):
            values = sum(teacher(boards.planes(own[part], other[part], turn))[0].float() for turn in turns)
        found.append(values * (DISCS / len(turns)))
    return torch.cat(found) if found else torch.zeros((0, 2), device=own.device)


def losses(teacher, boards, samples, at, turn):
    """The mean square errors of both values and the cross entropy of the move."""
    with torch.autocast(at.device.type, torch.bfloat16):
        values, policy = teacher(boards.planes(samples.own[at], samples.other[at], turn))
    result, recorded = (values.float() * DISCS).unbind(1)
    fair, known = samples.fair[at].float(), (samples.has_value[at] | samples.exact[at]).float()
    truth = torch.where(samples.exact[at], samples.result[at], samples.recorded[at])
    mean = lambda errors, weights: (errors * weights).sum() / weights.sum().clamp(min=1)
    return (
        mean((result - samples.result[at]).square(), fair),
        mean((recorded - truth).square(), known),
        functional.cross_entropy(policy.float(), boards.images[turn][samples.square[at].long()]),
    )


@torch.no_grad()
def held_out(teacher, boards, samples, at):
    teacher.eval()
    sums = torch.zeros(3, device=at.device)
    parts = at.split(STEP)
    for part in parts:
        sums += torch.stack(losses(teacher, boards, samples, part, 0))
    teacher.train()
    result, recorded, policy = (sums / max(len(parts), 1)).tolist()
    return f"held out: result {result**0.5:.3f}, search value {recorded**0.5:.3f} discs, move {policy:.3f}"


def fit(options, device):
    begun = time.time()
    samples, boards = gpu.Samples(options, device), Boards(device)
    learnt, held = (torch.nonzero(which).squeeze(1) for which in (samples.learnt(), samples.held))
    held = held[torch.randperm(len(held), device=device)[:200_000]]
    print(f"{samples.games} games, {len(samples)} positions read in {time.time() - begun:.0f} s", flush=True)
    torch.manual_seed(options.seed)
    teacher = prepared(Teacher(options.blocks, options.width), device)
    if options.begin:
        teacher, rules = Teacher.load(options.begin, device)
        if rules != options.rules:
            raise gpu.Fault(f"{options.begin}: this network knows {rules} rules: name another")
        teacher.train()
    adam = torch.optim.AdamW(teacher.parameters(), lr=options.rate, weight_decay=1e-4, fused=device.type == "cuda")
    begun, told, seen = time.time(), time.time(), 0
    running = torch.zeros(3, device=device)
    while (done := (time.time() - begun) / (60 * options.minutes)) < 1:
        for part in torch.randperm(len(learnt), device=device).split(options.batch):
            done = (time.time() - begun) / (60 * options.minutes)
            if done >= 1:
                break
            # Warm up, then down to nothing when the time is over, however fast the machine is.
            for group in adam.param_groups:
                group["lr"] = options.rate * min(1, seen / 2e6, 0.5 + 0.5 * math.cos(math.pi * done)) + 1e-6
            parts = losses(teacher, boards, samples, learnt[part], int(torch.randint(8, ())))
            loss = (parts[0] + parts[1]) / DISCS**2 + options.policy * parts[2]
            adam.zero_grad(set_to_none=True)
            loss.backward()
            adam.step()
            seen += len(part)
            running = 0.99 * running + 0.01 * torch.stack(parts).detach()
            if time.time() - told > 20:
                told = time.time()
                result, recorded, policy = running.tolist()
                print(
                    f"{told - begun:4.0f} s, {seen / 1e6:6.1f} million: result {result**0.5:.3f}, search value "
                    f"{recorded**0.5:.3f} discs, move {policy:.3f}; {held_out(teacher, boards, samples, held)}",
                    flush=True,
                )
    print(f"{seen / 1e6:.1f} million positions seen in {time.time() - begun:.0f} s; {held_out(teacher, boards, samples, held)}")
    teacher.save(options.output, options.rules)


def values(options, device):
    """A line for each position: the position and its value in discs for the side to move."""
    teacher, _ = Teacher.load(options.teacher, device)
    lines = [line.split()[:2] for line in Path(options.positions).read_text().splitlines() if line.strip()]
    own, other = ([], [])
    for squares, mover in lines:
        sets = {disc: sum(1 << at for at, square in enumerate(squares) if square == disc) for disc in "XO"}
        own.append(gpu.signed(sets[mover]))
        other.append(gpu.signed(sets["O" if mover == "X" else "X"]))
    sides = (torch.tensor(side, device=device) for side in (own, other))
    found = estimates(teacher, Boards(device), *sides, turns=range(8))
    for (squares, mover), (result, recorded) in zip(lines, found.tolist()):
        print(f"{squares} {mover} {options.mix * recorded + (1 - options.mix) * result:.3f}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("fit", help="teach a network from recorded games").add_argument
    add("records", nargs="+", metavar="RECORDS", help="files of recorded games")
    add("--rules", choices=gpu.RULES, default="reversed", help="learn from games by these rules [reversed]")
    add("--output", "-o", required=True, metavar="FILE", help="where the network goes")
    add("--force", action="store_true", help="replace an output file that exists already")
    add("--begin", metavar="NETWORK", help="go on with a network that fit has made, whatever its size")
    add("--minutes", type=float, default=5, help="how long to learn; the rate falls to zero within [5]")
    add("--blocks", type=int, default=8, help="residual blocks [8]")
    add("--width", type=int, default=96, help="channels [96]")
    add("--batch", type=int, default=STEP, help=f"positions of a step [{STEP}]")
    add("--rate", type=float, default=2e-3, help="how long steps are at first [0.002]")
    add("--policy", type=float, default=0.1, help="weight of the move beside the two values [0.1]")
    add("--recent", type=int, default=1000, metavar="N", help="of older files use true values only [1000]")
    add("--seed", type=int, default=1, help="what draws the games held out and the first weights [1]")
    add("--device", help="where to compute, such as cuda or cpu [cuda where there is one]")
    add = commands.add_parser("values", help="value positions, for `ollehto lab judge report --values`").add_argument
    add("teacher", metavar="NETWORK", help="a network that fit has made")
    add("positions", metavar="POSITIONS", help="a position and its side to move on each line")
    add("--mix", type=float, default=0.5, help="share of the search value, the rest is the result [0.5]")
    add("--device", help="where to compute [cuda where there is one]")
    return parser.parse_args()


def main():
    options = arguments()
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    # Patterns are counted in floats, which must be whole ones.
    torch.set_float32_matmul_precision("highest")
    try:
        if options.command == "values":
            values(options, device)
        else:
            if Path(options.output).exists() and not options.force:
                raise gpu.Fault(f"{options.output} exists already: name another file, or replace it with --force")
            fit(options, device)
    except (gpu.Fault, OSError) as error:
        sys.exit(f"teacher.py: {error}")


if __name__ == "__main__":
    main()
