"""Tests of the fuzzing itself: it finds each sort of defect, a seed repeats a run, a short run finds nothing."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.fuzz.kinds import KINDS, numbers
from tests.fuzz.mutate import changed_tree, gently_changed_tree, spoilt, spoilt_text, spoilt_yaml
from tests.fuzz.seeds import CONFIGS, ROOT
from tests.fuzz.texts import boards, maps, players
from tests.fuzz.trial import ACCEPTED, CONTRADICTION, DIFFERENT, REFUSED, judged


def fuzz(*args: object) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "tests.fuzz", *map(str, args)]
    return subprocess.run(words, capture_output=True, text=True, timeout=900, cwd=ROOT)


SHORT = (
    "boards=40,deals=10,dumps=8,explains=25,folders=12,keys=30,maps=8,movies=15,players=6,records=2,roms=5,rules=8,"
    "visitors=4,web=40,zips=2"
)
"""All kinds except games, states and caches, with few inputs of the kinds that play a game."""


@pytest.mark.proof
def test_a_short_run_finds_nothing(tmp_path: Path) -> None:
    """If this fails, its output names the command that makes the failing input again."""
    done = fuzz("--seed", 14, "--kinds", SHORT, "--keep", tmp_path, "--json", tmp_path / "report.json")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["holds"] is True
    assert report["inputs"] == report["asked"] >= 150
    # inputs that are all refused test only the reading, and inputs that are all accepted test nothing
    for verdict in ("accepted", "refused"):
        assert sum(count[verdict] for count in report["kinds"].values()) > 20
    assert f"{report['inputs']} inputs in " in done.stdout


@pytest.mark.long
def test_each_sort_of_defect_is_found_kept_and_given_again(tmp_path: Path) -> None:
    defects = {
        "dies": "dies of SIGSEGV",
        "leaves": "ends with code 3",
        "hangs": "hangs: it doesn't come to an end",
        "raises": "KeyError: 'who'",
        "two-lines": "refused in 2 lines",
        "long": "refused in 509 signs",
    }
    kinds = ",".join([*defects, "fine", "prints", "refuses"])
    args = ("--seed", 5, "--inputs", 18, "--jobs", 2, "--keep", tmp_path / "kept", "--json", "-")
    done = fuzz(*args, "--kinds", kinds)
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["failed"] == 2 * len(defects)
    assert report["inputs"] == 18
    assert (report["kinds"]["fine"]["accepted"], report["kinds"]["refuses"]["refused"]) == (2, 2)
    assert report["kinds"]["prints"]["accepted"] == 2
    for name, words in defects.items():
        told = (tmp_path / f"kept/seed5-{name}-0/COMMAND.txt").read_text()
        assert words in told, name
        assert f"python -m tests.fuzz --seed 5 --only {name}:0" in told
    first = (tmp_path / "kept/seed5-raises-1/input.bin").read_bytes()
    again = fuzz("--seed", 5, "--only", "raises:1", "--keep", tmp_path / "again")
    assert again.returncode == 1
    assert "KeyError: 'who'" in again.stdout
    assert (tmp_path / "again/seed5-raises-1/input.bin").read_bytes() == first


@pytest.mark.long
def test_ctrl_c_gives_130_and_what_was_counted(tmp_path: Path) -> None:
    done = fuzz("--inputs", 8, "--jobs", 1, "--kinds", "fine,stops", "--keep", tmp_path, "--json", tmp_path / "r.json")
    assert done.returncode == 130, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert (report["interrupted"], report["holds"], report["failed"]) == (True, False, 0)
    assert report["inputs"] == report["kinds"]["fine"]["accepted"] > 0
    assert f"interrupted after {report['inputs']} of 8 inputs" in done.stdout


@pytest.mark.long
def test_an_unknown_kind_is_refused() -> None:
    for words in (("--kinds", "nonsense"), ("--only", "maps"), ("--only", "nonsense:1")):
        done = fuzz(*words)
        assert done.returncode == 2
        assert "known are maps, players" in done.stderr


def test_the_same_seed_makes_the_same_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, bytes]] = []
    for turn in range(2):
        found: dict[str, bytes] = {}
        for number in range(12):
            for make in (boards, maps, players):
                place = tmp_path / f"{turn} {number} {make.__name__}"
                place.mkdir()
                monkeypatch.chdir(place)
                trial = make(random.Random(f"3 {make.__name__} {number}"), tmp_path)
                found[f"{make.__name__} {number}"] = trial.told.encode("utf-8", "backslashreplace") + b"".join(
                    path.read_bytes() for path in sorted(place.iterdir())
                )
        made.append(found)
    assert made[0] == made[1]
    assert len(set(made[0].values())) > 30


def test_inputs_are_damaged_and_mostly_read_as_far_as_their_values() -> None:
    dice = random.Random(1)
    text = (CONFIGS / "players/article.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    kept = yaml.safe_load(text)
    trees = [changed_tree(dice, data) for _ in range(50)] + [gently_changed_tree(dice, data) for _ in range(50)]
    assert data == kept, "the seed itself stays as it is"
    assert sum(tree != data for tree in trees) > 70
    raw = text.encode()
    assert sum(spoilt(dice, raw) != raw for _ in range(100)) > 90
    assert spoilt(dice, b"") is not None
    assert all("\0" not in spoilt_text(dice, "abc", "xyz") for _ in range(200))
    files = [spoilt_yaml(dice, text) for _ in range(200)]
    readable = 0
    for file in files:
        try:
            readable += isinstance(yaml.safe_load(file.decode()), dict)
        except (yaml.YAMLError, ValueError):
            continue
    assert 100 < readable < 200


def test_there_are_as_many_as_asked_for() -> None:
    assert numbers(100, {"boards": 7, "keys": None}) == {"boards": 7, "keys": 38}
    counts = numbers(5400)
    assert counts.keys() <= KINDS.keys()
    assert abs(sum(counts.values()) - 5400) < 20
    for name, kind in KINDS.items():
        if name in counts:
            assert counts[name] == round(5400 * kind.share / sum(KINDS[each].share for each in counts))


LINE = "ochibot: no such file; give another\n"


@pytest.mark.parametrize(
    ("code", "out", "err", "verifies", "words"),
    [
        (0, "fine", "", False, ACCEPTED),
        (0, "", "compiling it, once\ncompiled in 3 s\n", False, ACCEPTED),
        (0, "", "1,000 of 3,000 pieces; 21 a second; 1 min 35 s left\n", False, ACCEPTED),
        (2, "", LINE, False, REFUSED),
        (2, "", f"compiling it, once\n{LINE}", False, REFUSED),
        (2, "", f"in the menus, looking for the first pair: frame 1,118\n{LINE}", False, REFUSED),
        (1, "DIFFERENT", "", True, DIFFERENT),
        (1, "", "", False, "exit code 1"),
        (0, "", LINE, False, "and yet it complains"),
        (2, "", "", False, "refused in 0 lines"),
        (2, "", LINE + LINE, False, "refused in 2 lines"),
        (2, "", f"{CONTRADICTION}1 (use --keep-going)\nbefore     predicted  seen\n...\n", False, REFUSED),
        (2, "", f"{CONTRADICTION}1 (use --keep-going)\nand more\n", False, "refused in 2 lines"),
        (2, "", "Usage: play\n", False, "refused in 1 lines"),
        (2, "", f"ochibot: {'x' * 300}\n", False, "refused in 309 signs"),
        (70, "", "ochibot: this is a bug of ochibot: KeyError\n", False, "exit code 70"),
        (2, "", "Traceback (most recent call last):\n", False, "Traceback"),
        (0, "", "x.py:3: RuntimeWarning: overflow\n", False, "RuntimeWarning"),
        (-11, "", "", False, "dies of SIGSEGV"),
        (-8, "", "", True, "dies of SIGFPE"),
    ],
)
def test_what_a_command_s_end_is_taken_for(code: int, out: str, err: str, verifies: bool, words: str) -> None:
    found = judged(code, out, err, verifies)
    assert words in found
    assert (found in (ACCEPTED, REFUSED, DIFFERENT)) == (words in (ACCEPTED, REFUSED, DIFFERENT))
