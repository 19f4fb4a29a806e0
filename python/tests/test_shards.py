"""Jobs in shards: the joined result is that of a single process, whatever is killed, damaged or mixed up on the way."""

import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import oracle
import pytest

from ollehto import Board, label, shards, solve_many
from ollehto.shards import ShardError, ShardState
from ollehto.shards.__main__ import main
from ollehto.shards.job import Job, Plan
from ollehto.shards.working import perform

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "machines.md"


def boards_with(empties, count, size=8):
    found = [oracle.random_cells(size, empties, seed) for seed in range(count)]
    return [Board.from_numpy(np.array(cells), color) for cells, color in found]


BOARDS = boards_with(44, 11)
SMALL = boards_with(8, 7, size=6)


def saved(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


EXPECTED = saved(label(BOARDS, depth=4))


def label_job(folder, **changes):
    return shards.plan_label(folder, BOARDS, **{"shards": 5, "depth": 4} | changes)


def joined(job, folder):
    return shards.join(job, folder / "joined", force=True).read_bytes()


@pytest.fixture(scope="session")
def program():
    """The program of this source, as `cargo build` or `cargo test` leave it."""
    given = os.environ.get("OLLEHTO")
    for path in [given] if given else [ROOT / "target" / profile / "ollehto" for profile in ("debug", "release")]:
        if os.access(path, os.X_OK):
            usage = subprocess.run([path, "match", "--help"], capture_output=True, text=True, check=True).stdout
            if "--shard" in usage:
                return str(path)
    pytest.skip("the program ollehto is not built")


def call(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True)


@pytest.mark.parametrize("count", [1, 3, 11])
def test_labels_are_those_of_a_single_call(tmp_path, count):
    job = label_job(tmp_path / "job", shards=count)
    assert shards.run(job, threads=2) == count
    assert joined(job, tmp_path) == EXPECTED
    assert shards.run(job) == 0, "nothing is done twice"


def test_solutions_are_those_of_a_single_call(tmp_path):
    for options in ({}, {"wld": True, "rules": "standard"}):
        job = shards.plan_solve(tmp_path / f"job{len(options)}", SMALL, shards=3, **options)
        shards.run(job)
        assert joined(job, tmp_path) == saved(solve_many(SMALL, **options))


def test_weights_travel_with_the_job(tmp_path):
    handmade = shards.plan_label(tmp_path / "handmade", BOARDS, shards=2, depth=2, weights="hand-made")
    shards.run(handmade)
    assert joined(handmade, tmp_path) == saved(label(BOARDS, depth=2, weights="hand-made"))
    weights = tmp_path / "some.weights"
    shutil.copy(ROOT / "src" / "eval" / "shipped" / "reversed.weights", weights)
    job = label_job(tmp_path / "job", weights=weights)
    weights.unlink()
    shards.run(job)
    assert joined(job, tmp_path) == EXPECTED
    (job.folder / "weights").write_bytes(b"others")
    with pytest.raises(ShardError, match="weights has been altered"):
        job.task(1)


KILLED = """
import os, signal, sys
from ollehto import shards
def kill(done, total):
    if done == 3:
        os.kill(os.getpid(), signal.SIGKILL)
shards.run(sys.argv[1], progress=kill)
"""


def test_a_killed_process_loses_nothing_finished(tmp_path):
    job = label_job(tmp_path / "job")
    killed = subprocess.run([sys.executable, "-c", KILLED, job.folder], check=False)
    assert killed.returncode == -signal.SIGKILL
    # As if the kill had come while a shard was written.
    (job.folder / ".shard-00004.host-1").write_bytes(b"half of")
    assert list(job.states().values()) == [ShardState.DONE] * 3 + [ShardState.MISSING] * 2
    assert shards.run(job) == 2
    assert joined(job, tmp_path) == EXPECTED


def test_missing_shards_are_named(tmp_path):
    job = label_job(tmp_path / "job")
    shards.run(job, [2])
    with pytest.raises(ShardError, match=r"missing are 4 of 5 shards of .*: 1,3-5; ollehto-shards run .* does them"):
        shards.join(job, tmp_path / "joined")
    assert not (tmp_path / "joined").exists()
    with pytest.raises(ShardError, match="shard 6: .* has shards 1 to 5"):
        shards.run(job, [6])


def damage(path):
    """The file with a byte changed, torn at two places, and empty."""
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[-5] ^= 1
    return [bytes(changed), whole[:-1], whole[:40], b""]


def test_damaged_shards_are_done_again(tmp_path):
    job = label_job(tmp_path / "job")
    shards.run(job)
    for contents in damage(job.path(3)):
        job.path(3).write_bytes(contents)
        assert job.state(3) is ShardState.DAMAGED
        with pytest.raises(ShardError, match="damaged are 1 of 5 shards of .*: 3;"):
            shards.join(job, tmp_path / "joined")
        assert shards.run(job) == 1
    assert joined(job, tmp_path) == EXPECTED


def test_shards_of_another_job_are_refused(tmp_path):
    job, other = label_job(tmp_path / "job"), label_job(tmp_path / "other", depth=5)
    for each in (job, other):
        shards.run(each)
    own = job.path(2).read_bytes()
    for source in (other.path(2), job.path(1)):
        shutil.copy(source, job.path(2))
        assert job.state(2) is ShardState.FOREIGN
        with pytest.raises(ShardError, match="shard-00002 is of another job: move it away"):
            shards.run(job)
        with pytest.raises(ShardError, match="another job are among 1 of 5 shards"):
            shards.join(job, tmp_path / "joined")
    job.path(2).write_bytes(own)
    assert joined(job, tmp_path) == EXPECTED


def test_a_folder_has_one_plan(tmp_path):
    folder = tmp_path / "job"
    job = label_job(folder)
    assert label_job(folder) == job == shards.Job.load(folder)
    for changes, message in [
        ({"depth": 5}, "depth: 4, now 5"),
        ({"rules": "standard"}, "rules: reversed, now standard"),
        ({"shards": 4}, "shards: 5, now 4"),
        ({"depth": None, "nodes": 100}, "depth: 4, now None"),
    ]:
        with pytest.raises(ShardError, match=re.escape(f"{folder} is another job ({message})")):
            label_job(folder, **changes)
    with pytest.raises(ShardError, match="other positions"):
        shards.plan_label(folder, list(reversed(BOARDS)), shards=5, depth=4)
    full = tmp_path / "full"
    full.mkdir()
    (full / "thesis.tex").touch()
    with pytest.raises(ShardError, match="is not empty, it has thesis.tex"):
        label_job(full)


def test_altered_plans_and_inputs_are_refused(tmp_path):
    job = label_job(tmp_path / "job")
    contents = bytearray((job.folder / "input").read_bytes())
    contents[20] ^= 1
    (job.folder / "input").write_bytes(contents)
    with pytest.raises(ShardError, match="input has been altered"):
        shards.run(job)
    plan = job.folder / "job.json"
    text = plan.read_text()
    plan.write_text(text.replace('"depth": 4', '"depth": 6'))
    with pytest.raises(ShardError, match="job.json has been altered"):
        shards.Job.load(job.folder)
    plan.write_text(text[:50])
    with pytest.raises(ShardError, match="job.json is damaged"):
        shards.Job.load(job.folder)
    with pytest.raises(ShardError, match="no job is planned here"):
        shards.Job.load(tmp_path)


def test_a_machine_with_another_version_is_refused(tmp_path):
    task = label_job(tmp_path / "job").task(1)
    other = type(task)(**vars(task) | {"program": "package 0123456789abcdef"})
    with pytest.raises(ShardError, match="this machine has another version"):
        perform(other)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (lambda folder: label_job(folder, shards=12), "shards: from 1 to 11"),
        (lambda folder: label_job(folder, shards=0), "shards: from 1 to 11"),
        (lambda folder: label_job(folder, depth=None), "depth: give a depth"),
        (lambda folder: shards.plan_match(folder, ["--sprt=0,20"], shards=2), "--sprt=0,20: the job itself decides"),
        (lambda folder: shards.plan_selfplay(folder, [], shards=2, program="no/such"), "no/such: No such file"),
    ],
)
def test_wrong_plans_are_refused_before_anything_is_written(tmp_path, plan, message):
    with pytest.raises((ShardError, ValueError)) as raised:
        plan(tmp_path / "job")
    assert str(raised.value).startswith(message)
    assert not (tmp_path / "job").exists()


def test_games_are_those_of_a_single_process(tmp_path, program):
    arguments = ["--games=300", "--depth=1", "--exact=6", "--seed=5"]
    call(program, "selfplay", *arguments, "--threads=1", f"--output={tmp_path}/whole.olg")
    job = shards.plan_selfplay(tmp_path / "job", arguments, shards=3, program=program)
    shards.run(job, program=program)
    assert joined(job, tmp_path) == (tmp_path / "whole.olg").read_bytes()
    # As if a kill had torn the second block of the first shard: the program goes on with it.
    payload = job.payload(1)
    job.path(1).unlink()
    job.scratch(1).mkdir(parents=True)
    (job.scratch(1) / "games.olg").write_bytes(payload[: len(payload) * 3 // 4])
    assert shards.run(job, program=program) == 1
    assert job.payload(1) == payload and not (job.folder / "unfinished").exists()
    with pytest.raises(ShardError, match="ollehto selfplay: .*--games"):
        shards.run(shards.plan_selfplay(tmp_path / "wrong", [], shards=1, program=program), program=program)


def without_times(line):
    fields = re.sub(r'"seconds":[-+.0-9e]+', '"seconds":0.0', line[: -len(',"crc32":"01234567"}')])
    checksum = zlib.crc32(fields.encode() + b"}")
    return f'{fields},"crc32":"{checksum:08x}"}}'


def test_a_match_is_that_of_a_single_process(tmp_path, program):
    players = ["--player=ollehto,depth=1,name=one", "--player=random", "--player=greedy"]
    arguments = [*players, "--pairs=3", "--size=6"]
    call(program, "match", *arguments, f"--journal={tmp_path}/whole.jsonl")
    header, *games = (tmp_path / "whole.jsonl").read_text().splitlines()
    whole = "\n".join([header, *map(without_times, games)]) + "\n"
    job = shards.plan_match(tmp_path / "job", arguments, shards=4, program=program)
    job.scratch(2).mkdir(parents=True)
    (job.scratch(2) / "journal.jsonl").write_bytes(b'{"header":')  # A torn first line.
    shards.run(job, program=program)
    assert joined(job, tmp_path).decode() == whole
    assert "18 games" in call(program, "report", str(tmp_path / "joined")).stdout
    # As if a kill had come after the first game of the third shard.
    payload = job.payload(3)
    job.path(3).unlink()
    job.scratch(3).mkdir(parents=True)
    (job.scratch(3) / "journal.jsonl").write_bytes(b"\n".join(payload.split(b"\n")[:2]) + b'\n{"game":{')
    assert shards.run(job, program=program) == 1
    assert job.payload(3) == payload
    timed = shards.plan_match(tmp_path / "timed", arguments, shards=1, times=True, program=program)
    shards.run(timed, program=program)
    seconds = [
        move["seconds"] for line in timed.payload(1).splitlines()[1:] for move in json.loads(line)["game"]["moves"]
    ]
    assert any(seconds)


def test_a_plan_by_someone_else_neither_starts_nor_writes_what_it_likes(tmp_path, program):
    mark = tmp_path / "mark"
    for arguments, problem in [
        ([f"--player=cmd=touch {mark}", "--player=random"], "starts programs"),
        (["--player", f"name=x,cmd=touch {mark}", "--player=random"], "starts programs"),
        ([f'--player="cmd=touch {mark}",name=x', "--player=random"], "starts programs"),
        (["--player", f'c"m"d=touch {mark}', "--player=random"], "starts programs"),
        (["--player=random", "--player=greedy", f"--ggf={mark}"], "the job itself decides"),
    ]:
        plan = Plan("match", {"arguments": [*arguments, "--pairs=1", "--size=4"], "times": False}, 1, "any")
        job = Job.create(tmp_path / plan.digest(), plan, {})
        with pytest.raises(ShardError, match=problem):
            shards.run(job.folder, program=program)
        assert main(["run", str(job.folder), "--program", program]) == 1
        assert not mark.exists()


def test_a_book_is_that_of_a_single_process(tmp_path, program):
    arguments = ["--plies=3", "--depth=3", "--deep=9", "--near=1"]
    call(program, "book", "build", *arguments, "--jobs=1", f"--output={tmp_path}/whole.book")
    values, rounds = tmp_path / "job.values", 0
    while job := shards.plan_book(tmp_path / f"job{rounds}", values, arguments, shards=3, program=program):
        shards.run(job)
        shards.join(job, values, force=True)
        rounds += 1
    assert rounds > 1
    assert values.read_bytes() == (tmp_path / "whole.values").read_bytes()
    call(program, "book", "build", *arguments, f"--values={values}", f"--output={tmp_path}/job.book")
    assert (tmp_path / "job.book").read_bytes() == (tmp_path / "whole.book").read_bytes()


def test_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("positions.txt").write_text("# two and one\n" + "".join(f"{board}\n" for board in BOARDS[:3]))
    plan = ["plan", "label", "job", "--boards", "positions.txt", "--depth", "4", "--shards", "3"]
    assert main(plan) == 0 and main(plan) == 0
    assert main([*plan, "--rules", "standard"]) == 1
    assert "another job (rules: reversed, now standard)" in capsys.readouterr().err
    assert main(["run", "job", "--index", "1,3"]) == 0
    assert main(["status", "job"]) == 1
    assert capsys.readouterr().out.endswith("job: label, 2 of 3 shards done\nmissing: 2\n")
    assert main(["join", "job", "--output", "labels.npy"]) == 1
    assert main(["run", "job"]) == 0 and main(["status", "job"]) == 0
    assert main(["join", "job", "--output", "labels.npy"]) == 0
    assert Path("labels.npy").read_bytes() == saved(label(BOARDS[:3], depth=4))
    assert main(["join", "job", "--output", "labels.npy"]) == 1
    assert "labels.npy exists already" in capsys.readouterr().err
    Path("positions.txt").write_text("---- X\nnonsense\n")
    assert main(plan) == 1
    assert "positions.txt, line 1: " in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["run", "job", "--index", "one"])
    # These did every shard.
    with pytest.raises(SystemExit):
        main(["run", "job", "--index", "3-1"])
    assert "3-1 holds no number: write 1-3" in capsys.readouterr().err
    Path("job/shard-00001").unlink()
    assert shards.run("job", []) == 0


def shell_commands():
    """What the page has for the shell, without what needs a cluster: loops as a whole, else line by line."""
    for block in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.S):
        if not re.search(r"sbatch|\bray\b", block):
            yield from [block] if "while" in block else filter(None, block.splitlines())


def test_the_examples_on_the_page(tmp_path, monkeypatch, program):
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "ollehto").symlink_to(program)
    (folder / "ollehto-shards").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ollehto.shards "$@"\n')
    if not shutil.which("parallel"):
        (folder / "parallel").write_text('#!/bin/sh\ntemplate="$1 $2 $3 $4"; shift 5\nfor n; do $template "$n"; done\n')
    for file in folder.iterdir():
        if not file.is_symlink():
            file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    commands = list(shell_commands())
    assert len(commands) > 10
    for command in commands:
        if command.startswith("ollehto-shards "):
            # A process for each would take most of the time.
            assert main(shlex.split(command)[1:]) == 0, command
        else:
            ended = subprocess.run(["bash", "-euo", "pipefail", "-c", command], capture_output=True, text=True)
            assert ended.returncode == 0, command + ended.stderr
    assert np.load("labels.npy")["done"].all()
    assert Path("my.book").exists()
