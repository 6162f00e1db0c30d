"""Needles, nuisance and ignitions are found on a small machine in Python that plays by the rules of the family.

Its locks are those of the naive rules in tests/nyaa.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.checking import needles as checking
from ochibot.experiments.colors import ColorByte
from ochibot.experiments.effects import Poker
from ochibot.experiments.grid import Grid
from ochibot.experiments.ignitions import FIELDS, Igniter, needle_codes, needle_moments, nuisance_falls
from ochibot.experiments.needles import RULES, find_attack_score, find_needles, sets_off
from ochibot.experiments.pad import Tap
from ochibot.falling.orientation import Orientation
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.grid import COLUMNS, ROWS
from ochibot.nyaa.rules.pair import NyaaState
from ochibot.nyaa.rules.profile import Ruleset
from ochibot.ram import RamMap

from tests.experiments.frames import Frames
from tests.nyaa.search import reference

FIELD, NEEDLE, SPRITE, TAPS, NEAR, FAR, PENDING, SCORE = 100, 3, 4, 5, 6, 7, 8, 20
FALLEN, TAILS, ATTACK = 9, 10, 11
CODES = {0: 0, 0x11: 1, 0x12: 2, 0x13: 3, 0x14: 4, 0x25: 5}
NUMBERS = {number: code for code, number in CODES.items()}
LETTERS = ".rgbyo"
"""The letters of the naive rules for codes of the family."""
AS_NEEDLES = 0x40
"""This bit is set in needles that lie in the field."""


class Game(Frames):
    """A game of RAM alone. button: makes needles and blocks again. each: the score of a point of attack, in RAM."""

    def __init__(self, button: Button = Button.Y, idle: str = "vanish", each: int = 10, *, pops: bool = True) -> None:
        self.button, self.each = button, each
        self.rules = replace(load_rules(RULES), idle_needle=idle, nuisance_pops=pops)  # type: ignore[arg-type]
        self.grid = Grid(FIELD + (ROWS - 1) * COLUMNS, 1, -COLUMNS, COLUMNS, 0)
        self.colors, self.mask, self.spawn_column, self.columns = (
            (0x11, 0x12, 0x13, 0x14),
            0xFF,
            3,
            tuple(range(COLUMNS)),
        )
        self.turning = SimpleNamespace(button=Button.A, back=Button.B, also=())
        self.rig = self.driver = self.ground = self
        self.size = 256
        self.tap = Tap()
        self.ram, self.held = np.zeros(256, np.uint8), 0
        self.ram[[NEAR, FAR]] = 0x13, 0x14
        self.ram[SCORE : SCORE + 4] = 0, 0, 3, 250
        self.state = self.save()

    def save(self) -> Any:
        return self.ram.tobytes() + self.held.to_bytes(2, "big")

    def load(self, state: bytes) -> None:
        self.ram, self.held = np.frombuffer(state[:256], np.uint8).copy(), int.from_bytes(state[256:], "big")

    def step(self, pad: int = 0) -> None:
        if pad & ~self.held & int(self.button):
            self.ram[NEEDLE] ^= 8
            self.ram[TAPS] += 1
        self.ram[SPRITE] = self.ram[NEEDLE] + 1
        self.held = pad

    def painted(self, cells: Mapping[tuple[int, int], int] | None = None) -> dict[int, int]:
        empty = {self.grid.cell(column, row): 0 for column in range(COLUMNS) for row in range(ROWS)}
        return empty | {self.grid.cell(*at): code for at, code in (cells or {}).items()}

    def cells(self, ram: Any) -> dict[tuple[int, int], int]:
        spots = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
        return {spot: int(ram[self.grid.cell(*spot)]) for spot in spots if ram[self.grid.cell(*spot)]}

    kinds = cells

    def offset(self, address: int) -> int:
        return address

    address = offset

    def drop(self, cells: Any = None, column: int | None = None, turns: Sequence[int] = (), pokes: Any = None) -> Any:
        return self.fall(self.state, column=column, turns=turns, pokes={**self.painted(cells), **(pokes or {})})

    def fall(
        self,
        state: bytes,
        column: int | None = None,
        turns: Sequence[int] = (),
        pokes: Any = None,
        *,
        keep: bool = False,
    ) -> Any:
        """A piece, the near half below, falls by itself into a column: by default into the one where it appears."""
        self.load(state)
        self.poke(pokes or {})
        for button in turns:
            self.run(self.tap.pads(button))
        return self._lock(self.spawn_column if column is None else column, keep=keep)

    def _lock(self, column: int, *, keep: bool) -> Any:
        known = {*self.cells(self.ram).values(), int(self.ram[NEAR]), int(self.ram[FAR])} <= CODES.keys()
        if not known or 0 in (self.ram[NEAR], self.ram[FAR]):
            raise CalibrationError("the game hangs")
        seen, trace = self.cells(self.ram), [self.snap()]
        drawing = [
            "".join(LETTERS[CODES[seen.get((across, row), 0)]] for across in range(COLUMNS))
            for row in reversed(range(ROWS))
        ]
        height = sum(across == column for across, _ in seen)
        needle = bool(self.ram[NEEDLE] & 8)
        for at in (NEAR, FAR):
            letter = LETTERS[CODES[int(self.ram[at])]]
            drawing = reference.add(drawing, column + 1, letter.upper() if needle else letter)
        house = reference.House(vanish=self.rules.idle_needle == "vanish", nuisance_pops=self.rules.nuisance_pops)
        attack, tails, _, text = reference.burnt("\n".join(drawing), house)
        if reference.over(after := text.split(), house):
            raise CalibrationError("the game has ended")
        for half, at in enumerate((NEAR, FAR)):
            self.ram[self.grid.cell(column, height + half)] = self.ram[at] | (AS_NEEDLES if needle else 0)
        trace.append(self.snap())
        for across in range(COLUMNS):
            for row in range(ROWS):
                self.ram[self.grid.cell(across, row)] = NUMBERS[LETTERS.index(after[ROWS - 1 - row][across])]
        waits = max(0, int(self.ram[PENDING]) - attack)
        for number in range(waits):
            across = number % COLUMNS
            height = sum(one == across for one, _ in self.cells(self.ram))
            self.ram[self.grid.cell(across, height)] = NUMBERS[5]
        self.ram[FALLEN], self.ram[TAILS] = waits, tails
        self.ram[ATTACK : ATTACK + 2] = attack & 255, attack >> 8
        score = int.from_bytes(self.ram[SCORE : SCORE + 4].tobytes(), "big") + self.each * attack
        self.ram[SCORE : SCORE + 4] = list(score.to_bytes(4, "big"))
        self.ram[PENDING] = self.ram[NEEDLE] = 0
        self.ram[[NEAR, FAR]] = 0x13, 0x14
        trace.append(self.snap())
        return SimpleNamespace(ram=self.snap(), state=self.save(), trace=np.stack(trace) if keep else None)


def poker_of(game: Game) -> Poker:
    near, far = (ColorByte(at, 0xFF, {code: code for code in game.colors}, followed=True) for at in (NEAR, FAR))
    return Poker(game, near, far, near_below=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("idle", ["vanish", "block"])
@pytest.mark.parametrize("pops", [True, False])
@pytest.mark.parametrize("button", [Button.Y, Button.UP])
def test_the_button_of_needles_and_what_they_do_are_found(button: Button, pops: bool, idle: str) -> None:
    game = Game(button, idle, pops=pops)
    needles = find_needles(poker_of(game), [0x14, 0x25])
    assert (needles.button, needles.place, needles.values, needles.idle) == (button, NEEDLE, (0, 8), idle)
    assert needles.nuisance == ((0x25,) if pops else ())
    # two locks for each button, one for each byte, one that lights nothing, and one for each code
    assert needles.trials == 2 * (1 if button is Button.Y else 5) + 1 + 1 + 2
    assert [sets_off(poker_of(game), one) for one in (button, Button.SELECT)] == [True, False]


def test_where_no_button_makes_needles_that_is_told() -> None:
    with pytest.raises(CalibrationError, match="no button turns a piece"):
        find_needles(poker_of(Game(Button.SELECT)), [])


@pytest.mark.parametrize(("each", "scale"), [(100, 1), (10, 1), (1, 10), (7, 1)])
def test_the_score_grows_with_the_attack(each: int, scale: int) -> None:
    game = Game(each=each)
    poker = poker_of(game)
    score, shown, points = find_attack_score(poker, find_needles(poker, []))
    assert shown == each * scale
    assert score.scale == scale
    assert score.value(game.snap()) == scale * int.from_bytes(game.snap()[SCORE : SCORE + 4].tobytes(), "big")
    assert (score.form.little, score.form.digits, score.offset + score.form.width) == (False, "", SCORE + 4)
    assert score.kept
    assert len(points) == 10
    assert all(number == shown * int(name.rpartition(" ")[2]) for name, number in points)
    assert points[0][0].startswith("2 blocks, attack ")


def test_a_game_that_pays_nothing_has_no_such_score() -> None:
    poker = poker_of(Game(each=0))
    with pytest.raises(CalibrationError, match="no number grows"):
        find_attack_score(poker, find_needles(poker, []))


def test_nuisance_falls_when_it_is_written_where_it_waits() -> None:
    poker = poker_of(Game())
    for amount in (1, 3, 5):
        fell = nuisance_falls(poker, PENDING, amount)
        assert fell is not None
        assert fell.code == 0x25
        assert sum(code == 0x25 for code in poker.ground.cells(fell.ram).values()) == amount
        assert nuisance_falls(poker, PENDING + 1, amount) is None


def test_needles_that_lie_in_the_field_have_bytes_of_their_own() -> None:
    game = Game()
    assert needle_codes(poker_of(game), Button.Y) == {code | AS_NEEDLES: code for code in game.colors}
    assert needle_codes(poker_of(game), Button.X) == {}


def test_taps_of_the_needle_s_button_tell_when_a_pair_is_needles() -> None:
    moments = needle_moments(poker_of(Game()), Button.Y, Button.A)
    assert [bool(ram[NEEDLE]) for ram, _ in moments] == [bool(told) for _, told in moments]
    assert [told for _, told in moments] == [0, 1, 0, 1, 1]


@pytest.mark.parametrize("pending", [PENDING, None])
def test_fields_are_ignited_that_end_differently(pending: int | None) -> None:
    game = Game()
    spawn = NyaaState(game.spawn_column + 1, 1, Orientation.UP)
    igniter = Igniter(poker_of(game), Button.Y, game.rules, CODES, spawn, pending)
    done = igniter.ignite()
    assert len(done) == FIELDS
    results = [one.outcome(game.rules) for one in done]
    assert len({(one.attack, one.t) for one in results}) == FIELDS
    assert sum(one.attack >= 4 for one in results) >= FIELDS // 2
    for one, told in zip(done, results, strict=True):
        assert not any((told.tied, told.over, told.lost))
        assert one.seen == told.grid
        assert one.seen == igniter.grid_of(one.after)
        rise = [int.from_bytes(ram[SCORE : SCORE + 4].tobytes(), "big") for ram in (one.before, one.after, one.later)]
        assert rise == [1018, 1018 + 10 * told.attack, 1018 + 10 * told.attack]
    assert any(5 in one.grid.codes for one in done) == (pending is not None)
    game.ram[FIELD] = 0x77
    assert igniter.grid_of(game.ram) is None


class Report(SimpleNamespace):
    """What the parts of the check are told."""

    def __init__(self) -> None:
        super().__init__(findings=[], holds=[], notes=[], numbers=[], more=[], left_out=[], scores=[])


WORDS = {0: "empty", 0x11: "red", 0x12: "green", 0x13: "blue", 0x14: "yellow"}
RIGHT = {
    "needle": NEEDLE, "pending": PENDING, "fallen": FALLEN, "tails": TAILS, "attack": (ATTACK, "u16le"),
    "score": (SCORE, "u32be"),
}  # fmt: skip


def compared(
    game: Game, monkeypatch: pytest.MonkeyPatch, entries: Mapping[str, Any], rules: Any = None, said: Button = Button.Y
) -> Report:
    """The comparison of a map with these entries, by the rules that the map's user gave."""
    report = Report()
    poker = poker_of(game)
    forms = {name: at if isinstance(at, tuple) else (at, "u8") for name, at in entries.items()}
    data = {
        "game": "g", "name": "m", "system": "nes", "seat": 1,
        "entries": {name: {"address": at, "type": kind, "source": "calibrated"} for name, (at, kind) in forms.items()},
    }  # fmt: skip
    ram_map = RamMap.model_validate(data)

    def value(name: str, ram: Any) -> int | None:
        if name not in forms:
            return None
        at, kind = forms[name]
        part = ram[at : at + {"u8": 1, "u16le": 2, "u32be": 4}[kind]].tobytes()
        return int.from_bytes(part, "big" if kind.endswith("be") else "little")

    class Read(SimpleNamespace):
        def __contains__(self, name: str) -> bool:
            return name in forms

    reading = Read(map=ram_map, value=value)
    parts: dict[str, Any] = {
        "entries": SimpleNamespace(
            reading=reading, report=report, number=lambda *told: report.numbers.append(told),
            truth=SimpleNamespace(data={"entries": {"needle": {"address": NEEDLE}}}),
        ),
        "values": SimpleNamespace(
            leave_out=lambda name, *_: report.left_out.append(name), score=lambda *told: report.scores.append(told)
        ),
        "cells": SimpleNamespace(more=lambda found, about: report.more.append((found, about))),
    }  # fmt: skip
    codes = {"empty": 0, "red": 1, "green": 2, "blue": 3, "yellow": 4, "nuisance": 5}
    spawn = SimpleNamespace(x=game.spawn_column + 1, y=1, orientation=Orientation.UP)
    action = cast("Any", type("Action", (), {"name": "NEEDLE"})())
    table = SimpleNamespace(buttons={action: said}, codes=codes, spawn=spawn)
    learnt: Any = SimpleNamespace(needles=find_needles(poker, []), score=None)
    monkeypatch.setattr(checking, "known_places", lambda *_: {PENDING + 2})
    title = SimpleNamespace(table=table)
    checking.NeedleEntries(title, rules or game.rules, learnt, poker, codes=WORDS, **parts).compare()
    return report


def test_entries_of_needles_that_are_right_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game()
    report = compared(game, monkeypatch, RIGHT)
    assert (report.findings, report.notes, report.left_out) == ([], [], [])
    assert set(report.holds) == {
        "pending", "fallen", "tails", "attack", "rules.idle_needle", "rules.nuisance_pops", "rules.ruleset",
    }  # fmt: skip
    ((name, told, learnt, _),) = report.numbers
    assert (name, learnt, [value for _, value in told]) == ("needle", {"address": NEEDLE}, [0, 1, 0, 1, 1])
    needles = {code | AS_NEEDLES: f"{WORDS[code]}_needle" for code in game.colors}
    assert report.more == [(needles, "field's needles"), ({0x25: "nuisance"}, "field's nuisance")]
    ((score, patch, rams),) = report.scores
    assert (score.offset + score.form.width, score.scale, patch["address"]) == (SCORE + 4, 1, score.offset)
    assert len(rams) == 1 + FIELDS


def test_entries_of_needles_that_are_elsewhere_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"pending": PENDING - 7, "fallen": 60, "tails": 61, "attack": 62, "score": (70, "u32be")}
    report = compared(Game(each=1), monkeypatch, wrong, said=Button.X)
    said = {finding.about: finding for finding in report.findings}
    assert said.keys() == {"game.buttons.needle", "pending", "fallen", "tails", "attack"}
    assert said["game.buttons.needle"].buttons == {"needle": Button.Y}
    assert "x turns the pair into needles by the game's table" in said["game.buttons.needle"].says
    for name, at in (("pending", PENDING), ("fallen", FALLEN), ("tails", TAILS), ("attack", ATTACK)):
        assert said[name].entries[name]["address"] == at, name
    assert said["fallen"].says == f"it reads {0} where it must be 3"
    assert "3, 5, 0 after 3 locks" in said["fallen"].seen
    assert said["pending"].addresses == (PENDING - 7, PENDING)
    assert report.left_out == []
    ((score, _, _),) = report.scores
    assert score.scale == 10


@pytest.mark.parametrize(("idle", "pops"), [("block", True), ("vanish", False), ("block", False)])
def test_rules_of_ignitions_that_are_others_are_found(idle: str, pops: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    report = compared(Game(idle=idle, pops=pops), monkeypatch, RIGHT, rules=Game().rules)
    found = {name: value for finding in report.findings for name, value in finding.rules.items()}
    wanted = {"idle_needle": idle, "nuisance_pops": pops}
    assert found == {name: value for name, value in wanted.items() if value != getattr(Game().rules, name)}
    assert {f"rules.{name}" for name in wanted.keys() - found.keys()} <= set(report.holds)


def test_the_ruleset_by_which_attacks_are_worth_what_they_are_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game()
    other = next(one for one in Ruleset if one is not game.rules.ruleset)
    report = compared(game, monkeypatch, RIGHT, rules=replace(game.rules, ruleset=other))
    (finding,) = report.findings
    assert (finding.about, finding.rules) == ("rules.ruleset", {"ruleset": game.rules.ruleset})
    assert finding.seen.count(", ") >= FIELDS
    assert {"attack", "tails"} <= set(report.holds)


def test_without_a_byte_for_what_waits_nuisance_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {name: at for name, at in RIGHT.items() if name not in ("pending", "fallen")}
    report = compared(Game(), monkeypatch, entries)
    assert report.notes == ["nuisance: not checked, the map has no single byte that counts what is pending"]
    assert "rules.nuisance_pops" not in report.holds
    far = compared(Game(), monkeypatch, {**entries, "pending": 200})
    assert far.notes[0].startswith("pending: not checked, nothing fell when a number was written there (00C8)")
