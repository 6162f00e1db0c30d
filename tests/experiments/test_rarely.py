"""What games rarely need: other signs, values of menus, a game without groups, and the exam of two seats."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from ochibot.errors import CalibrationError, GameError
from ochibot.experiments import rules, run
from ochibot.experiments.checking.values import Values, measured_times
from ochibot.experiments.draft import Draft
from ochibot.experiments.exam import Exam
from ochibot.experiments.facts import Timing
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.moments import _chosen
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.run import Outcome
from ochibot.experiments.signs import OverByte, SignByte
from ochibot.experiments.versus import Seats
from ochibot.experiments.write import Files
from ochibot.ramtools.findings import Report


def sign(place: int, *values: int) -> SignByte:
    return SignByte(place, values, (0,), 1, 1)


def end(place: int) -> OverByte:
    return OverByte(place, 9, 30)


@pytest.mark.parametrize(
    ("said", "spawn", "kind", "control", "at", "over"),
    [
        # a byte with one value for announced pieces that shows control too
        ({"control": {1: (5,), 2: (6,)}, "signs": [sign(2, 3), sign(1, 4)], "over": [end(8)]}, 2, "is", (6,), None, 8),
        # of two such bytes that which shows the end as well
        (
            {"control": {1: (5,), 2: (6,)}, "signs": [sign(2, 3), sign(1, 4)], "over": [end(8), end(1)]},
            1,
            "is",
            (5,),
            None,
            1,
        ),
        # the game's phase shows the end; what merely follows it doesn't
        (
            {"control": {2: (6,)}, "signs": [sign(2, 3)], "phases": [sign(7, 4), sign(4, 1)], "over": [end(4)]},
            4,
            "is",
            (1,),
            None,
            4,
        ),
        (
            {"control": {2: (6,)}, "signs": [sign(2, 3, 4)], "phases": [sign(7, 4)], "over": []},
            7,
            "is",
            (4,),
            None,
            None,
        ),
        # a counter of pieces, and another byte for control
        (
            {"changes": [sign(3), sign(4)], "shown": [sign(5, 2, 3)], "over": [end(8), end(5)]},
            3,
            "changes",
            (2, 3),
            5,
            5,
        ),
        ({"changes": [sign(3)], "signs": [sign(6, 1, 2)], "over": [end(8)]}, 3, "changes", (), None, 8),
        # any sign before raw y
        (
            {"signs": [sign(6, 1, 2)], "top": sign(9, 1), "shown": [sign(6, 2)], "over": [end(8)]},
            6,
            "is",
            (2,),
            None,
            8,
        ),
        ({"signs": [sign(6, 1, 2)], "shown": [sign(7, 2)], "over": [end(6)]}, 6, "is", (2,), 7, 6),
        ({"top": sign(9, 1), "shown": [], "over": []}, 9, "is", (), None, None),
        ({"over": [end(8)]}, None, "is", (), None, 8),
    ],
)
def test_the_best_signs_are_chosen(
    said: dict[str, Any], spawn: int | None, kind: str, control: tuple[int, ...], at: int | None, over: int | None
) -> None:
    usual: dict[str, Any] = {"control": {}, "signs": [], "phases": [], "changes": [], "shown": [], "top": None}
    found = _chosen(**{**usual, **said}, pieces=16)
    assert (None if found.spawn is None else found.spawn.offset, found.kind) == (spawn, kind)
    assert (found.control, found.watched) == (control, 16)
    assert (None if found.over is None else found.over.offset) == over
    assert found.control_at == (at if control else None)


# -- values of the title's table

TABLE = SimpleNamespace(
    phases=SimpleNamespace(spawn=1, control=3),
    playing=5,
    options={"level": SimpleNamespace(values=(1, 2, 3)), "music": SimpleNamespace(values=(0, 1))},
    modes={"solo": 0, "two": 4},
    versus="two",
)


def values_of(*names: str, signs: bool = False, mode: int | None = None, timing: Any = None) -> Values:
    entry = SimpleNamespace(byte_addresses=lambda: [0x30])
    ram_map = SimpleNamespace(
        entries=dict.fromkeys(names, entry), signs=SimpleNamespace(given=lambda: signs), mode=mode
    )

    class Reading:
        map = ram_map

        def value(self, name: str, ram: Mapping[str, int]) -> int:
            return ram[name]

        def __contains__(self, name: str) -> bool:
            return name in names

    title = SimpleNamespace(table=TABLE, made=SimpleNamespace(said=SimpleNamespace(timing=timing)))
    reading: Any = Reading()
    return Values(title, reading, Report())


def fall(spawn: dict[str, int] | None, *moving: dict[str, int]) -> Any:
    still = SimpleNamespace(moving=False, ram={})
    scenes = [still, *(SimpleNamespace(moving=True, ram=ram) for ram in moving)]
    return SimpleNamespace(spawn=spawn, scenes=scenes, end=moving[-1] if moving else spawn)


RIGHT = {"phase": 3, "state": 5, "level": 2, "music": 0}


@pytest.mark.parametrize("doubted", [False, True])
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({}, ""),
        ({"phase": 4}, "it reads 4 where it must be 3"),
        ({"state": 0}, "it reads 0 where it must be 5"),
        ({"level": 7}, "it reads 7 where it must be 1 or 2 or 3"),
        ({"music": 2}, "it reads 2 where it must be 0 or 1"),
    ],
)
def test_values_of_menus_and_phases_are_those_of_the_table(wrong: dict[str, int], says: str, doubted: bool) -> None:
    values = values_of(*RIGHT)
    began = RIGHT | {"phase": 1}
    # options are looked at as pieces are announced, phase and state at both moments
    at_spawn = {name: value for name, value in wrong.items() if name in TABLE.options}
    values.others([fall(began | at_spawn, RIGHT), fall(None, RIGHT | wrong)], doubted=doubted)
    report = values.report
    holds = [name for name in RIGHT if name not in wrong and (name != "music" or not doubted)]
    assert report.holds == holds
    assert [(one.about, one.says) for one in report.findings] == [(name, says) for name in wrong]
    assert all(one.entries == {one.about: None} and one.addresses == (0x30,) for one in report.findings)


def test_a_map_with_signs_of_its_own_needs_no_phase_of_the_table() -> None:
    for doubted in (False, True):
        values = values_of("phase", signs=True)
        values.others([fall({"phase": 77}, {"phase": 99})], doubted=doubted)
        assert (values.report.holds, values.report.findings) == ([] if doubted else ["phase"], [])


def test_options_are_looked_at_in_play_where_no_piece_is_announced() -> None:
    values = values_of("level")
    values.others([fall(None, {"level": 9})])
    assert [one.says for one in values.report.findings] == ["it reads 9 where it must be 1 or 2 or 3"]


@pytest.mark.parametrize(
    ("said", "level", "mode", "about", "mended"),
    [
        ({"fall": 20}, None, None, None, None),
        ({"fall": 21}, None, None, "fall", 20),
        ({"fall": [30, 20, 10]}, 2, None, None, None),
        ({"fall": [30, 25, 10]}, 2, None, "fall", [30, 20, 10]),
        ({"fall": [30, 20, 10]}, None, None, "fall", [20, 20, 10]),
        ({"fall": [30, 20]}, 3, None, "fall", [20, 20]),
        ({"fall": 20, "fall_versus": 9}, None, 4, "fall_versus", 20),
        ({"fall": 20, "fall_versus": 9}, None, 0, None, None),
    ],
)
def test_the_time_of_the_level_that_is_played_is_compared(
    said: dict[str, Any], level: int | None, mode: int | None, about: str | None, mended: Any
) -> None:
    values = values_of(*([] if level is None else ["level"]), mode=mode, timing=said)
    values.report.measured = {"fall": 20, "lock_delay": 9}
    values.report.holds = [] if level is None else ["level"]
    values.timing([fall(None, {"level": level or 0})])
    holds = [name for name in values.report.holds if name != "level"]
    assert holds == ([] if about is not None else ["game.timing.fall"])
    assert [one.timing for one in values.report.findings] == ([] if about is None else [{about: mended}])


def test_measured_times_are_called_as_in_game_files() -> None:
    learnt: Any = SimpleNamespace(timing=Timing(fall=20, soft=2, lock=31, repeat=3, control=7))
    assert measured_times(learnt) == {
        "spawn_delay": 7, "auto_repeat": 3, "fall": 20, "soft_drop": 2, "lock_delay": 30,
    }  # fmt: skip
    assert measured_times(SimpleNamespace(timing=None)) == {}  # type: ignore[arg-type]


# -- rules


def test_a_game_without_groups_is_asked_for_needles(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Notebook(None, "x")
    book.fail("what vanishes", "no groups of up to 6 equal cells vanish by themselves")
    learnt: Any = SimpleNamespace(size=None, stance=None, needles=None, score=None, attack_each=None)
    ground: Any = SimpleNamespace(mask=0x3F, colors=(1, 2, 3), grid=SimpleNamespace(empty=0))
    tried: list[list[int]] = []
    monkeypatch.setattr(rules, "measure_kicks", lambda *_: "kicks")
    monkeypatch.setattr(rules, "measure_between", lambda *_: False)

    def found(_: Any, codes: list[int]) -> str:
        tried.append(codes)
        return "needles"

    monkeypatch.setattr(rules, "find_needles", found)
    monkeypatch.setattr(rules, "find_attack_score", lambda *_: ("the score", 90, []))
    rules.learn_rules(book, learnt, ground, ground)
    assert (learnt.kicks, learnt.lower, learnt.needles) == ("kicks", False, "needles")
    assert (learnt.score, learnt.attack_each) == ("the score", 90)
    assert book.failed == {}
    assert tried == [list(range(4, 20))]

    def none(*_: Any) -> Any:
        raise CalibrationError("no button makes any")

    monkeypatch.setattr(rules, "find_needles", none)
    other, again = Notebook(None, "x"), SimpleNamespace(size=None, stance=None, needles=None, score=None)
    other.fail("what vanishes", "no groups vanish")
    rules.learn_rules(other, again, ground, ground)  # type: ignore[arg-type]
    assert (again.needles, again.score) == (None, None)
    assert other.failed == {"what vanishes": "no groups vanish", "needles": "no button makes any"}


@pytest.mark.parametrize(
    ("mask", "colors", "empty", "codes"),
    [
        (0xFF, (4, 8, 12), 0, list(range(16, 80, 4))),
        (0x70, (0x10, 0x30), 0, [0x20, 0x40, 0x50, 0x60, 0x70]),
        (0x07, (1, 3, 5), 7, [0, 2, 4, 6]),
        (0x0F, (3,), 3, list(range(3)) + list(range(4, 16))),
    ],
)
def test_codes_that_no_piece_had_go_on_in_their_steps(
    mask: int, colors: tuple[int, ...], empty: int, codes: list[int]
) -> None:
    ground: Any = SimpleNamespace(mask=mask, colors=colors, grid=SimpleNamespace(empty=empty))
    assert rules._untried(ground) == codes


# -- the outcome, and the exam of two


def test_an_outcome_is_json(tmp_path: Path) -> None:
    files = Files(None, tmp_path / "a-p1.yaml", None, tmp_path / "a.state")
    exam, two = Exam("play", 300, 297, asked=300), Exam("play", 60, 30, "it broke", asked=60)
    outcome = Outcome("a", files, exam, None, 3, {"kicks": "none"}, [("x", "1", "2", "new")], None, two, "used up")
    made = json.loads(json.dumps(outcome.as_dict()))
    assert made["files"] == {
        "game": None,
        "map": f"{tmp_path}/a-p1.yaml",
        "rules": None,
        "state": f"{tmp_path}/a.state",
    }
    assert (made["exam"]["agreement"], made["exam"]["passed"], made["draft"]) == (0.99, True, False)
    assert (made["versus"]["agreement"], made["versus"]["passed"], made["versus"]["broke"]) == (0.5, False, "it broke")
    assert (made["game"], made["resumed"], made["not_learnt"]) == ("a", 3, {"kicks": "none"})
    assert (made["compared"], made["used_up"]) == ([["x", "1", "2", "new"]], "used up")
    alone = Outcome("a", files, Exam("play", 300, 200, asked=300), None, 0, {}, [])
    assert (alone.as_dict()["versus"], alone.as_dict()["draft"]) == (None, True)


@pytest.mark.parametrize(("passes", "held"), [(True, [True]), (False, [True, False]), (None, [True, False])])
def test_the_menu_of_two_is_tried_in_both_ways(
    passes: bool | None, held: list[bool], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = tmp_path / "a.yaml"
    game.write_text(
        "# learnt\n# in words\nmodes:\n  solo: {maps: [a]}\n  versus: {maps: [b, c], menu: [old]}\nname: a\n"
    )
    one = run._Run.__new__(run._Run)
    one.rom_path, one.pieces, one.system, one.core = Path("a.nes"), 40, None, "fceumm"
    told: list[str] = []
    one.progress = lambda what, _: told.append(what)
    one.book = Notebook(None, "x")
    seen: list[Any] = []

    def examine(path: Path, rom: Path, pieces: int, **said: Any) -> Exam:
        seen.append((yaml.safe_load(path.read_text(encoding="utf-8")), rom, pieces, said))
        if passes is None:
            raise GameError("no piece\n  came")
        return Exam("play", 80, 80 if passes else 1, asked=80)

    monkeypatch.setattr(run, "examine_versus", examine)
    monkeypatch.setattr(run, "route_of", lambda route, tap, *, at_once: [route, tap, at_once])
    learnt = SimpleNamespace(tap="tap", following=())
    seats = Seats("route", (learnt, learnt), (None, None))  # type: ignore[arg-type]
    files = Files(game, tmp_path / "map", None, tmp_path / "state")
    exam, found = one._examined_two(files, seats)
    assert exam is not None
    assert found is not None
    assert (exam.passed, found.at_once) == (bool(passes), held[-1])
    assert exam.broke == ("no piece came" if passes is None else "")
    menus = [made["modes"]["versus"]["menu"] for made, *_ in seen]
    assert menus == [["route", "tap", at_once] for at_once in held]
    assert all(made["modes"]["solo"] == {"maps": ["a"]} and made["name"] == "a" for made, *_ in seen)
    assert all(
        rest == [Path("a.nes"), 40, {"system": None, "core": "fceumm", "absent": ("NEXT",)}] for _, *rest in seen
    )
    assert game.read_text(encoding="utf-8").startswith("# learnt\n# in words\nmodes:")
    assert len(told) == len(held)
    # without a second seat, or rules, nothing is examined
    assert one._examined_two(files, None) == (None, None)
    assert one._examined_two(Files(None, game, None, game), seats)[0] is None


def test_a_game_without_rules_is_examined_by_landings_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    one = run._Run.__new__(run._Run)
    one.pieces, one.game = 40, "a"
    written: list[Exam] = []
    monkeypatch.setattr(run, "rules_of", lambda *_: None)
    monkeypatch.setattr(one, "_files", lambda _, exam, __: written.append(exam))
    monkeypatch.setattr(one, "_ground", lambda _: "ground")
    monkeypatch.setattr(run, "examine_landings", lambda *_: Exam("landing", 60, 58))
    learnt: Learnt = SimpleNamespace(stance=SimpleNamespace(readable=True))  # type: ignore[assignment]
    found = one._examined(learnt, None)
    assert (found.kind, found.agreed, found.from_menu) == ("landing", 58, False)

    def broken(*_: Any) -> Exam:
        raise CalibrationError("no\nmore")

    monkeypatch.setattr(run, "examine_landings", broken)
    assert one._examined(learnt, None) == Exam("landing", 0, 0, "no more", from_menu=False)
    assert written == [Exam("landing", 0, 0, from_menu=False)] * 2


def test_a_copy_that_became_the_field_is_the_draft_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draft's map had the field's address and the codes of its copy: the notebook gave the old field back."""
    one = run._Run.__new__(run._Run)
    one.rig, one.book = None, Notebook(None, "x")  # type: ignore[assignment]
    one.progress = lambda *_: None
    one.budget = SimpleNamespace(step=lambda _: contextlib.nullcontext())  # type: ignore[assignment]
    monkeypatch.setattr(one, "_drafted", lambda made, *_: made)
    copy: Any = "its copy"
    monkeypatch.setattr(
        run,
        "draft",
        lambda _, route, __, why: (Draft(route, copy, why, None, codes={32: 9}), Exam("landing", 1, 1)),
    )
    made: Any = one._draft("route", "the field", "no pairs", {})  # type: ignore[arg-type]
    assert (made.route, made.basis, made.why, made.codes) == ("route", copy, "no pairs", {32: 9})
