"""The mutation tool: what it leaves out, which tests are near, and that a fault that no test sees lives."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from mutating.nearest import NEAREST, near_files, nearest
from mutating.sample import PACKAGES, Mutant, draw, files, left_out, mutated, statement
from mutating.trials import Known, chosen, outcome

ROOT = Path(__file__).parent.parent

SOURCE = '''"""A module."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    HINT = 101


class Shape(Protocol):
    def size(self) -> int:
        return 102


@dataclass(frozen=True, slots=True)
class Point:
    x: int | None = 1

    def __repr__(self) -> str:
        return str(103)


@cache
def f(a: int | None, b: int) -> int | None:
    assert b < 2, f"{104}"
    if a is None:
        raise ValueError(f"{b + 105}", 106)
    say(107)
    return (
        a
        + 3
    )
'''


def test_annotations_messages_and_what_only_a_type_checker_reads_are_left_out() -> None:
    lines = SOURCE.splitlines()
    out = []
    for (first, begin), (last, end) in left_out(SOURCE):
        part = lines[first - 1][begin:end] if first == last else "\n".join(lines[first - 1 : last])
        out.append(part.strip())
    text = "\n".join(out)
    for number in range(101, 108):
        assert str(number) in text, number
    assert "int | None" in out
    assert "cache" in out
    assert "slots=True" in out
    for kept in ("frozen", "b < 2", "a is None", "+ 3"):
        assert kept not in text


def test_the_statement_around_a_mutant() -> None:
    def mutant(first: tuple[int, int]) -> Mutant:
        return Mutant("ram", "a.py", "o", 0, first, (first[0], first[1] + 1), "")

    lines = SOURCE.splitlines()
    plus, head = lines.index("        + 3") + 1, lines.index("    if a is None:") + 1
    assert statement(SOURCE, mutant((plus, 8))) == (plus - 2, plus + 1)
    assert statement(SOURCE, mutant((head, 9))) == (head, head)


def test_every_module_has_near_tests_that_exist() -> None:
    for package in PACKAGES:
        found = files(ROOT, package)
        assert found, package
        for file in found:
            near = near_files(ROOT, nearest(str(file.relative_to(ROOT))))
            assert near, file
            assert all((ROOT / name).is_file() for name in near), near
    for name in NEAREST:
        place = ROOT / "bot/ochibot" / name
        assert place.is_dir() or place.with_suffix(".py").is_file(), name
    with pytest.raises(KeyError):
        nearest("bot/ochibot/cli/main.py")


def test_tests_that_run_the_line_come_first_and_all_near_ones_where_none_was_seen_to() -> None:
    mutant = Mutant("ram", "bot/ochibot/ram/values.py", "o", 0, (1, 0), (1, 1), "")
    near = near_files(ROOT, nearest(mutant.path))
    known = {file: Known({f"{file}::slow": 60.0, f"{file}::quick": 1.0}, {}) for file in near}
    files, first, seen = chosen(ROOT, mutant, "x = 1\n", known, 20.0)
    assert set(files) == set(near)
    assert first == [f"{file}::quick" for file in sorted(near)]
    assert not seen
    known[near[1]].lines[f"{near[1]}::slow"] = {(mutant.path, 1)}
    # at import any test runs it
    assert not chosen(ROOT, mutant, "x = 1\n", known, 20.0)[2]
    body = "def f():\n    x = 1\n"
    known[near[1]].lines[f"{near[1]}::slow"] = {(mutant.path, 2)}
    inside = replace(mutant, first=(2, 4), last=(2, 5))
    assert chosen(ROOT, inside, body, known, 20.0) == ([near[1]], [f"{near[1]}::slow"], True)


def test_how_a_trial_ends() -> None:
    assert outcome({"code": 0, "status": 0}) == "lived"
    assert outcome({"code": 1, "status": 1}) == "killed"
    assert outcome({"code": 4, "status": 4}) == "killed"  # a module that can't be imported any more
    assert outcome({"status": -11}) == "crashed"
    assert outcome({"late": True}) == "hung"


def test_a_sample_is_the_same_for_the_same_seed_and_each_of_it_changes_the_code() -> None:
    pytest.importorskip("cosmic_ray")
    drawn, positions = draw(ROOT, "ram", 12, 1)
    assert draw(ROOT, "ram", 12, 1) == (drawn, positions)
    assert draw(ROOT, "ram", 5, 1)[0] == drawn[:5]
    assert draw(ROOT, "ram", 12, 2)[0] != drawn
    assert positions > 500
    one = random.Random(3).choice(drawn)
    source = (ROOT / one.path).read_text(encoding="utf-8")
    changed = mutated(source, one.operator, one.occurrence)
    assert changed is not None
    different = [
        number for number, (a, b) in enumerate(zip(source.split("\n"), changed.split("\n"), strict=False), 1) if a != b
    ]
    assert different[0] == one.first[0]
