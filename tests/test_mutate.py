"""The mutation tool: which code it leaves out, which tests it runs, and how it judges a trial."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mutate import batched
from mutating.nearest import ALL, NEAREST, near_files, nearest
from mutating.sample import (
    PACKAGES,
    Mutant,
    around,
    at_import,
    draw,
    files,
    has_kernels,
    in_kernel,
    left_out,
    mutated,
    statement,
    users,
)
from mutating.trials import Known, chosen, outcome, watched

ROOT = Path(__file__).parent.parent

SOURCE = '''"""A module."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    HINT = 101


class Shape(Protocol):
    def size(self) -> int:
        return 102


T = TypeVar("T", covariant=108)


@dataclass(frozen=True, slots=True, repr=109)
class Point:
    x: int | None = 1

    def wrong(self) -> ValueError:
        return ValueError(110, 111)

    def __repr__(self) -> str:
        return str(103)


@cache
def f(a: int | None, b: int) -> int | None:
    assert b < 2, f"{104}"
    pairs = zip(range(a), range(b), strict=112)
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
    for number in range(101, 113):
        assert str(number) in text, number
    assert "int | None" in out
    assert "cache" in out
    assert "slots=True" in out
    for kept in ("frozen", "b < 2", "a is None", "+ 3"):
        assert kept not in text


@pytest.mark.parametrize("before", ["", "a, ", "a: int = 2 * 3, ", "self, a, /, "])
def test_the_star_before_named_parameters_is_no_multiplication(before: str) -> None:
    source = f"def f({before}*, b: int = 4 * 5) -> int:\n    return b * 2\n"
    out = left_out(source)
    places = [at for at, letter in enumerate(source.split("\n", maxsplit=1)[0]) if letter == "*"]
    star = places[-2]
    inside = [at for at in places if any(begin <= (1, at) and (1, at + 1) <= end for begin, end in out)]
    assert inside == [star]


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
            assert all((ROOT / name).exists() for name in nearest(str(file.relative_to(ROOT)))), file
    for name in NEAREST:
        place = ROOT / "bot/ochibot" / name
        assert place.is_dir() or place.with_suffix(".py").is_file(), name
    with pytest.raises(KeyError):
        nearest("bot/ochibot/ui/screen.py")


def test_tests_that_run_the_line_come_first_and_all_near_ones_where_none_was_seen_to() -> None:
    mutant = Mutant("ram", "bot/ochibot/ram/values.py", "o", 0, (1, 0), (1, 1), "")
    near = near_files(ROOT, nearest(mutant.path))
    known = {file: Known({f"{file}::slow": 60.0, f"{file}::quick": 1.0}, {}) for file in near}
    files, first, seen = chosen(ROOT, mutant, "x = 1\n", known, 20.0)
    assert set(files) == set(near)
    # those that look at all modules come first
    assert first == [f"{file}::quick" for file in sorted(near, key=lambda file: (file not in ALL, file))]
    assert not seen
    known[near[1]].lines[f"{near[1]}::slow"] = {(mutant.path, 1)}
    # the mutant's line runs at import, so every test runs it
    assert not chosen(ROOT, mutant, "x = 1\n", known, 20.0)[2]
    body = "def f():\n    x = 1\n"
    known[near[1]].lines[f"{near[1]}::slow"] = {(mutant.path, 2)}
    inside = replace(mutant, first=(2, 4), last=(2, 5))
    assert chosen(ROOT, inside, body, known, 20.0) == ([near[1]], [f"{near[1]}::slow"], True)


def test_a_mutant_of_a_constant_is_tried_against_the_tests_that_use_it() -> None:
    lines = ["FIRST: int = 1", "SECOND = 2", "", "", "def f():", "    one = 3", "    return one + SECOND", "", ""]
    source = "\n".join([*lines, "def g():", "    return FIRST"])
    first = Mutant("ram", "bot/ochibot/ram/values.py", "o", 0, (1, 13), (1, 14), "")
    second = replace(first, first=(2, 9), last=(2, 10))
    inside = replace(first, first=(6, 10), last=(6, 11))
    assert [users(source, one) for one in (first, second, inside)] == [{11}, {7}, set()]
    near = near_files(ROOT, nearest(first.path))
    known = {file: Known({f"{file}::quick": 1.0}, {}) for file in near}
    known[near[1]].lines[f"{near[1]}::quick"] = {(first.path, 7)}
    assert chosen(ROOT, second, source, known, 20.0) == ([near[1]], [f"{near[1]}::quick"], True)
    assert not chosen(ROOT, first, source, known, 20.0)[2]


def test_a_mutant_of_a_default_is_tried_against_the_tests_that_run_the_function() -> None:
    source = "def f(a=1, *, b=2):\n    c = a\n    return c + b\n\n\ndef g(a=3):\n    return a\n"
    for number, lines in ((1, {2, 3}), (2, {2, 3}), (3, {7})):
        row = 6 if number == 3 else 1
        at = source.split("\n")[row - 1].index(str(number))
        mutant = Mutant("ram", "bot/ochibot/ram/values.py", "o", 0, (row, at), (row, at + 1), "")
        assert at_import(source, mutant)
        assert users(source, mutant) == lines


def test_where_kernels_would_be_compiled_tests_that_need_none_come_first() -> None:
    mutant = Mutant("ram", "bot/ochibot/ram/values.py", "o", 0, (1, 0), (1, 1), "")
    near = near_files(ROOT, nearest(mutant.path))
    loads = watched(ROOT, [mutant])["bot/ochibot/jit/library.py"]
    assert loads
    quick, slow = f"{near[0]}::quick", f"{near[0]}::slow"
    known = {file: Known() for file in near}
    known[near[0]] = Known({quick: 1.0, slow: 2.0}, {quick: {("bot/ochibot/jit/library.py", loads[-1])}})
    assert chosen(ROOT, mutant, "x = 1\n", known, 20.0)[1] == [quick, slow]
    assert chosen(ROOT, mutant, "x = 1\n", known, 20.0, compiles=True)[1] == [slow, quick]


def test_how_a_trial_ends() -> None:
    assert outcome({"code": 0, "status": 0}) == "lived"
    assert outcome({"code": 1, "status": 1}) == "killed"
    assert outcome({"code": 4, "status": 4}) == "killed"  # the mutant makes a module's import fail
    assert outcome({"status": -11}) == "crashed"
    assert outcome({"late": True}) == "hung"


def test_a_sample_is_the_same_for_the_same_seed_and_each_of_it_changes_the_code(tmp_path: Path) -> None:
    pytest.importorskip("cosmic_ray")
    # two files, because finding all changes of a package takes seconds
    for name in ("conditions.py", "places.py"):
        (tmp_path / "bot/ochibot/ram").mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "bot/ochibot/ram" / name, tmp_path / "bot/ochibot/ram" / name)
    drawn, positions = draw(tmp_path, "ram", 12, 1)
    assert draw(tmp_path, "ram", 12, 1) == (drawn, positions)
    assert draw(tmp_path, "ram", 5, 1)[0] == drawn[:5]
    assert draw(tmp_path, "ram", 12, 2)[0] != drawn
    assert {Path(one.path).name for one in drawn} == {"conditions.py", "places.py"}
    assert positions > 50
    one = random.Random(3).choice(drawn)
    source = (ROOT / one.path).read_text(encoding="utf-8")
    changed = mutated(source, one.operator, one.occurrence)
    assert changed is not None
    different = [
        number for number, (a, b) in enumerate(zip(source.split("\n"), changed.split("\n"), strict=False), 1) if a != b
    ]
    assert different[0] == one.first[0]


KERNELS = """LIMIT = 3


def double(x: int) -> int:
    return max((y for y in (x, 2 * x)), key=lambda y: y)


@inlined
def kernel(x: int) -> int:
    return x + LIMIT
"""


def test_a_change_that_the_tool_cannot_make_is_left_out() -> None:
    pytest.importorskip("cosmic_ray")
    source = "try:\n    pass\nexcept {name}:\n    pass\n"
    assert mutated(source.format(name="ValueError"), "ExceptionReplacer", 0)
    assert mutated(source.format(name="(select.error, OSError)"), "ExceptionReplacer", 0) is None


def test_what_kernels_are_compiled_from() -> None:
    def at(text: str) -> Mutant:
        line = next(number for number, one in enumerate(KERNELS.splitlines(), 1) if text in one)
        return Mutant("ram", "a.py", "o", 0, (line, 12), (line, 13), "")

    assert has_kernels(KERNELS)
    assert not has_kernels(SOURCE)
    inside, plain, constant = at("x + LIMIT"), at("2 * x"), at("LIMIT = 3")
    assert [in_kernel(KERNELS, one) for one in (inside, plain, constant)] == [True, False, False]
    assert [at_import(KERNELS, one) for one in (inside, plain, constant)] == [False, False, True]
    # for a decorated function, ``around`` has its decorator's line, as the code object has; a lambda counts, too
    assert around(KERNELS, inside) == [8]
    assert sorted(around(KERNELS, plain)) == [4, 5]
    assert around(KERNELS, constant) == []
    names: dict[str, Any] = {"inlined": lambda function: function}
    exec(compile(KERNELS, "a.py", "exec"), names)
    assert names["kernel"].__code__.co_firstlineno == 8
    assert names["double"].__code__.co_firstlineno == 4


def test_tests_beyond_the_seconds_are_left_out_and_kernels_get_three_times_as_many() -> None:
    names = [f"tests/ram/test_maps.py::t{number}" for number in range(9)]
    near = near_files(ROOT, nearest("bot/ochibot/ram/values.py"))
    known = {file: Known() for file in near}
    for number, name in enumerate(names):
        known[names[0].split("::")[0]].seconds[name] = 10.0 - number
    body = "def f():\n    x = 1\n"
    mutant = Mutant("ram", "bot/ochibot/ram/values.py", "o", 0, (2, 4), (2, 5), "")
    first = chosen(ROOT, mutant, body, known, 9.0)[1]
    assert first == names[:5:-1], "the quickest: 2 + 3 + 4 seconds"
    kernel = chosen(ROOT, mutant, f"@compiled\n{body}", known, 9.0)[1]
    assert kernel == names[:2:-1], "27 seconds of them"
    assert chosen(ROOT, mutant, body, known, 0.5)[1] == names[8:], "one at least"


def test_things_some_at_a_time() -> None:
    assert list(batched("abcdefg", 3)) == [["a", "b", "c"], ["d", "e", "f"], ["g"]]
    assert list(batched("", 3)) == []


def test_functions_that_kernels_modules_call_at_import_are_found(tmp_path: Path) -> None:
    (tmp_path / "made.py").write_text("def made():\n    return 3\n\n\ndef other():\n    return 4\n")
    (tmp_path / "kernels.py").write_text("from made import made, other\n\nTHREE = made()\n")
    command = [sys.executable, str(ROOT / "tools/mutating/called.py"), "kernels"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    called = {tuple(one) for one in json.loads(done.stdout)}
    assert ("made.py", 1) in called
    assert ("made.py", 5) not in called
