"""``ram check`` of a game with needles, our own on the Neo Geo, also with maps and rules that are wrong on purpose.

The truth is the shipped map, whose addresses the game's README lists, and the shipped rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import yaml
from ochibot.cli import main
from ochibot.console import NEOGEO, Button, HostedConsole, Ram, WrappedConsole
from ochibot.experiments.checking.checker import Checked, Checker
from ochibot.nyaa.rules.pair import Action
from ochibot.nyaa.rules.profile import Ruleset
from ochibot.ram import RamMap

from tests import titles

Bytes = npt.NDArray[np.uint8]

BLOCKS = {0: "empty", 1: "red", 2: "green", 3: "blue", 4: "yellow"}


def checked(
    ram_map: RamMap, *, title: Any = titles.NYAA, rules: Any = None, pieces: int = 12, show: Any = None
) -> Checked:
    with titles.open_console(None, game=titles.NYAA) as console:
        machine: Any = console if show is None else Shown(console, show)
        return Checker(title, ram_map, machine, rules or titles.rules_of(titles.NYAA)).run(pieces=pieces)


def right(mode: str = "solo", seat: int = 1) -> RamMap:
    maps: tuple[RamMap, ...] = titles.maps_of(titles.NYAA, mode)
    return maps[seat - 1]


def wrong_map(ram_map: RamMap, entries: Mapping[str, Mapping[str, Any]], codes: Mapping[int, str]) -> RamMap:
    """The map with some entries changed, and with other codes."""
    data = ram_map.model_dump(mode="json", exclude_defaults=True, by_alias=True)
    for name, patch in entries.items():
        data["entries"][name] = {**data["entries"][name], **patch}
    data["codes"]["block"]["values"] = dict(codes)
    return RamMap.model_validate(data)


class Shown(WrappedConsole[HostedConsole]):
    """A console that shows some bytes of its RAM changed. A value poked into a shown byte goes to the real one."""

    def __init__(self, console: HostedConsole, change: Callable[[Bytes], None]) -> None:
        super().__init__(console)
        self._change = change
        self._shown = Ram(np.zeros(len(console.ram.raw), np.uint8), NEOGEO.ram)
        self._show()

    @property
    def ram(self) -> Ram:
        return self._shown

    def _show(self) -> None:
        self._shown.raw[:] = self._console.ram.raw
        self._change(self._shown.raw)
        self._before = self._shown.raw.copy()

    def _carry(self) -> None:
        poked = np.flatnonzero(self._shown.raw != self._before)
        self._console.ram.raw[poked] = self._shown.raw[poked]

    def step(self, *pads: int) -> None:
        self._carry()
        self._console.step(*pads)
        self._show()

    def save(self) -> bytes:
        self._carry()
        return self._console.save()

    def load(self, state: bytes) -> None:
        self._console.load(state)
        self._show()


@pytest.mark.proof
@pytest.mark.parametrize(("mode", "seat"), [("versus", 2), ("solo", 1)])
def test_our_own_game_has_no_contradiction(mode: str, seat: int) -> None:
    report = checked(right(mode, seat)).report
    assert report.findings == []
    assert {"field", "x", "y", "orientation", "needle", "axis", "partner", "next_axis", "next_partner"} <= set(
        report.holds
    )
    assert {"next2_axis", "next2_partner", "attack", "tails", "score", "field's needles"} <= set(report.holds)
    assert {"rules.idle_needle", "rules.ruleset", "game.buttons", "game.timing.lock_delay"} <= set(report.holds)
    # nuisance falls only in 2-player games
    two = {"pending", "fallen", "field's nuisance", "rules.nuisance_pops", "game.timing.fall_versus"}
    assert two & set(report.holds) == (two if mode == "versus" else set())
    assert report.exam["agreement"] == 1, report.exam


@pytest.mark.proof
def test_a_map_that_is_wrong_in_everything_is_mended() -> None:
    """In the map of seat 2, 15 entries have a wrong address or form and some codes are missing; the signs are right."""
    truth = right("versus", 2)
    at = {name: entry.byte_addresses()[0] for name, entry in truth.entries.items()}
    entries: dict[str, dict[str, Any]] = {
        "field": {"address": at["field"] + 8},
        "x": {"offset": 1},
        # the game doesn't use the addresses that are numbers here
        "y": {"address": 0x100640},
        "orientation": {"address": 0x100641},
        "needle": {"address": 0x100642},
        "axis": {"address": at["partner"]},
        "partner": {"address": at["axis"]},
        "next_axis": {"address": at["next2_axis"]},
        "next2_axis": {"address": at["next_axis"]},
        "next2_partner": {"address": 0x100643},
        "pending": {"address": 0x100638},
        "fallen": {"address": 0x100645},
        "attack": {"address": 0x100646},
        "tails": {"address": 0x100648},
        "score": {"scale": 10},
    }
    wrong = wrong_map(truth, entries, {**BLOCKS, 6: "nuisance", 9: "yellow_needle", 12: "red_needle"})
    result = checked(wrong)
    report = result.report
    assert {finding.about for finding in report.findings} == set(entries), [each.text() for each in report.findings]
    assert not set(entries) & set(report.holds)
    assert all(finding.mend is not None for finding in report.findings)
    for name in entries:
        mended, was = result.ram_map.entries[name], truth.entries[name]
        assert mended.byte_addresses() == was.byte_addresses(), name
        assert (mended.offset, mended.scale // mended.divide) == (was.offset, was.scale), name
    table = result.ram_map.codes[str(result.ram_map.entries["field"].codes)].values
    seen = {byte: symbol for byte, symbol in truth.codes["block"].values.items() if symbol != "wall"}
    assert {byte: table.get(byte) for byte in seen} == seen
    assert report.exam["agreement"] == 1, report.exam


@pytest.mark.proof
def test_buttons_that_do_other_things_are_found() -> None:
    buttons = {**titles.NYAA_TABLE.buttons}
    buttons |= {Action.ROTATE_CW: Button.Y, Action.ROTATE_CCW: Button.B, Action.NEEDLE: Button.X}
    title: Any = copy(titles.NYAA)
    title.table = replace(titles.NYAA_TABLE, buttons=buttons)
    report = checked(right(), title=title).report
    found = {finding.about: finding for finding in report.findings}
    assert set(found) == {"game.buttons", "game.buttons.needle"}
    assert found["game.buttons"].buttons == {"rotate_cw": Button.B, "rotate_ccw": Button.A}
    assert found["game.buttons.needle"].buttons["needle"] in (Button.Y, Button.UP)
    assert report.exam["agreement"] == 1, report.exam


@pytest.mark.proof
def test_rules_of_ignitions_that_are_others_are_found() -> None:
    given = titles.rules_of(titles.NYAA)
    rules = replace(given, idle_needle="vanish", nuisance_pops=False, ruleset=Ruleset.PS2)
    result = checked(right("versus"), rules=rules)
    about = {finding.about for finding in result.report.findings}
    assert about == {"rules.idle_needle", "rules.nuisance_pops", "rules.ruleset"}
    assert result.rules == given
    assert result.report.exam["agreement"] == 1, result.report.exam


DIGITS = 0xF400
"""The offset in RAM where the score is shown as one digit per byte. The game keeps nothing there."""


def score_in_digits(raw: Bytes) -> None:
    """Writes the score without its last digit as six ASCII digits at DIGITS, and clears the game's own score bytes."""
    score = sum(int(raw[(0x218 + at) ^ 1]) << (24 - 8 * at) for at in range(4))
    for at in range(4):
        raw[(0x218 + at) ^ 1] = 0
    for at, digit in enumerate(f"{score // 10:06}"):
        raw[(DIGITS + at) ^ 1] = 0x30 + int(digit)


@pytest.mark.proof
def test_a_score_in_digits_is_found() -> None:
    result = checked(right(), show=score_in_digits)
    (finding,) = result.report.findings
    assert "zero" in finding.entries["score"], finding.text()
    assert (finding.about, finding.entries["score"]["scale"], finding.entries["score"]["zero"]) == ("score", 10, 0x30)
    assert finding.entries["score"]["address"] <= 0x100000 + DIGITS + 3
    assert result.report.exam["agreement"] == 1, result.report.exam


@pytest.mark.proof
@pytest.mark.long
def test_the_files_that_are_written_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> int:
        monkeypatch.setattr("sys.argv", ["ochibot", *words])
        return main._run()

    Path("wrong.yaml").write_text(
        "extends: nyaa_homebrew/player1\nentries:\n"
        "  x: {address: 0x100240, source: calibrated}\n  needle: {address: 0x100241, source: calibrated}\n"
        "  attack: {address: 0x100242, type: u16be, source: calibrated}\n"
    )
    rules = titles.rules_of(titles.NYAA)
    from ochibot.ramtools.proposals import rules_data

    Path("rules.yaml").write_text(yaml.safe_dump(rules_data(replace(rules, name="mine", idle_needle="vanish"))))
    words = ["ram", "check", "wrong.yaml", "--rules", "rules.yaml", "-o", "mine.yaml", "--pieces", "0"]
    assert run(*words, "--json", "check.json") == 1, capsys.readouterr()
    report = json.loads(Path("check.json").read_text())
    assert report["written"] == ["mine.yaml", "mine-rules.yaml", "mine-game.yaml"]
    assert run("play", "mine-game.yaml", "--pieces", "15", "--seed", "4", "--json", "play.json") == 0, (
        capsys.readouterr()
    )
    assert json.loads(Path("play.json").read_text())["agreement"] == 1
