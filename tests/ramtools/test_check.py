"""``ram check`` of our own cartridges as they are, with RAM shown in other forms, and of variants.

Most checks get the shipped map, which is wrong for the other forms and the variants.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import yaml
from ochibot.cli import main
from ochibot.console import Console, Rom, find_core
from ochibot.errors import GameError
from ochibot.experiments.checking.checker import Checked, Checker
from ochibot.experiments.checking.field import Cells
from ochibot.ram import RamMap, load_map
from ochibot.ramtools.findings import Report

from tests import titles
from tests.ramtools.reshaped import Bytes, Reshaped, Shape

VARIANTS = Path(__file__).parents[1] / "variants"
NAMES = sorted(path.parent.name for path in VARIANTS.glob("*/truth.yaml"))
MAP = Path("ram_maps/famicom_puyo/player1.yaml")


def some_of(names: list[str], *often: str) -> list[Any]:
    """Pytest parameters. Names that aren't ``often`` are marked proof, so ``make test-long`` leaves them out;
    ``pytest -m proof tests/ramtools`` runs them.
    """
    return [pytest.param(name, marks=() if name in often else pytest.mark.proof) for name in names]


def _map_file() -> Path:
    from ochibot.data import data_path

    return data_path(str(MAP))


def checked(rom: Rom, shape: Shape | None = None, pieces: int = 12) -> Checked:
    with Console.open(find_core("nes"), rom, options=titles.PUYO.core_options) as console:
        machine: Any = console if shape is None else Reshaped(console, shape)
        ram_map = load_map(_map_file(), titles.TABLE.codes)
        return Checker(titles.PUYO, ram_map, machine, titles.RULES).run(pieces=pieces)


@pytest.mark.proof
def test_our_own_game_has_no_contradiction() -> None:
    report = checked(titles.open_rom(None)).report
    assert report.findings == []
    assert {
        "mode",
        "spawning",
        "field",
        "x",
        "y",
        "orientation",
        "axis",
        "partner",
        "next_axis",
        "next_partner",
    } <= set(report.holds)
    assert {"score", "rules.kicks", "rules.chain_power", "rules.group_bonus", "rules.color_bonus"} <= set(report.holds)
    assert report.exam["agreement"] == 1
    # these numbers are in the cartridge's README
    assert report.measured == {
        "spawn_delay": 12,
        "auto_repeat_first": 12,
        "auto_repeat": 3,
        "fall": 40,
        "soft_drop": 2,
        "lock_delay": 28,
    }


@pytest.mark.proof
@pytest.mark.long
def test_the_second_seat_of_a_game_of_two_is_checked() -> None:
    """The check uses seat 2's map and pad. It must find that the map's x is one too small (changed on purpose)."""
    with Console.open(find_core("nes"), titles.open_rom(None), options=titles.PUYO.core_options) as console:
        seat_map = titles.load_seat_map("player2")
        entries = {**seat_map.entries, "x": seat_map.entries["x"].model_copy(update={"offset": -1})}
        wrong = seat_map.model_copy(update={"entries": entries})
        result = Checker(titles.PUYO, wrong, console, titles.RULES).run(pieces=6)
    assert [finding.about for finding in result.report.findings] == ["x"]
    assert result.ram_map.entries["x"].offset == 0
    assert {"y", "field", "score", "rules.chain_power"} <= set(result.report.holds)
    assert result.report.exam["agreement"] == 1


@pytest.mark.proof
def test_a_game_of_two_that_the_menus_don_t_reach_is_played_from_a_savestate() -> None:
    """If the map's spawn sign fails, the check can't start a 2-player game, and asks for a savestate of its first
    pair.
    """
    with Console.open(find_core("nes"), titles.open_rom(None), options=titles.PUYO.core_options) as console:
        right = titles.load_seat_map("player2")
        # in the map, the bytes that show a spawn have addresses that the game doesn't use
        gone = {
            name: right.entries[name].model_copy(update={"address": at})
            for name, at in (("spawn_phase", 0x7F0), ("spawn_delay", 0x7F1), ("phase", 0x7F2))
        }
        wrong = right.model_copy(update={"entries": {**right.entries, **gone}})
        with pytest.raises(GameError, match="give a savestate of its first pair with --from-state"):
            Checker(titles.PUYO, wrong, console, titles.RULES).run(pieces=0)
        console.reset()
        seat = titles.PUYO.seat(right, console.ram, titles.RULES)
        titles.PUYO.reach(console, seat, "versus", {})
        while not seat.ready():
            console.step()
            seat.update()
        state = console.save()
        result = Checker(titles.PUYO, wrong, console, titles.RULES).run(pieces=6, state=state)
    assert "spawning" in {finding.about for finding in result.report.findings}
    assert {"x", "y", "orientation", "field", "axis", "partner"} <= set(result.report.holds)
    assert result.report.exam["agreement"] == 1, result.report.exam


@pytest.mark.proof
def test_a_game_with_words_for_cells_that_pays_for_soft_drop_is_checked() -> None:
    """Our Mega Drive game keeps a puyo in two bytes. It pays for soft-dropped rows, but the given rules say no."""
    (name,) = titles.TSU.map_names(titles.TSU.solo_mode)
    rules = titles.rules_of(titles.TSU)
    with titles.open_console(None, game=titles.TSU) as console:
        ram_map = titles.TSU.load_map(name)
        result = Checker(titles.TSU, ram_map, console, replace(rules, drop_bonus=0)).run(pieces=12)
    report = result.report
    assert [finding.about for finding in report.findings] == ["rules.score.drop_bonus"]
    assert result.rules == rules
    # the menu's first choice is level 3, at which a row takes 24 frames
    assert {"score", "rules.chain_power", "rules.group_bonus", "game.timing.fall"} <= set(report.holds)
    assert report.exam["agreement"] == 1, report.exam


@pytest.mark.proof
def test_rules_that_are_wrong_in_every_table_are_mended() -> None:
    right = titles.RULES
    wrong = replace(
        right,
        kicks=not right.kicks,
        drop_bonus=2,
        chain_power=(*right.chain_power[:2], 24, *right.chain_power[3:]),
        group_bonus=(*right.group_bonus[:6], 9, *right.group_bonus[7:]),
        color_bonus=(*right.color_bonus[:2], 5, *right.color_bonus[3:]),
    )
    with Console.open(find_core("nes"), titles.open_rom(None), options=titles.PUYO.core_options) as console:
        ram_map = load_map(_map_file(), titles.TABLE.codes)
        result = Checker(titles.PUYO, ram_map, console, wrong).run(pieces=12)
    tables = {f"rules.score.{name}" for name in ("drop_bonus", "chain_power", "group_bonus", "color_bonus")}
    assert {finding.about for finding in result.report.findings} == {"rules.kicks", *tables}
    assert result.rules == right
    assert result.report.exam["agreement"] == 1, result.report.exam


def test_a_game_of_another_kind_is_refused_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kakera = str(Path(__file__).parents[1] / "outside/kakera/game.py")
    monkeypatch.setattr("sys.argv", ["ochibot", "ram", "check", "kakera", "--game-module", kakera])
    assert main._run() == 2
    said = capsys.readouterr().err
    assert "families puyo and nyaa" in said
    assert "kakera is of the family kakera" in said
    assert "`ochibot play kakera --map FILE --pieces 30`" in said
    assert "`ochibot ram watch --map FILE`" in said


def pixels(real: Bytes, shown: Bytes) -> None:
    """Shows x and y in pixels, counted from an edge of the picture."""
    shown[0x669] = (16 * int(real[0x669]) + 8) % 256
    shown[0x66D] = (16 * int(real[0x66D]) + 24) % 256


PIXELS = {0x669: lambda byte: (byte - 8) // 16, 0x66D: lambda byte: (byte - 24) // 16}
BACKWARDS = {0x669: lambda byte: 6 - byte, 0x66D: lambda byte: 13 - byte}


def backwards(real: Bytes, shown: Bytes) -> None:
    """Shows columns counted from the right, and rows counted from the floor."""
    shown[0x669] = (6 - int(real[0x669])) % 256
    shown[0x66D] = (13 - int(real[0x66D])) % 256


def names(real: Bytes, shown: Bytes) -> None:
    """Shows the pair's colours as other numbers than in the field."""
    for place in PAIR:
        shown[place] = NAMES_OF[min(int(real[place]), 10)]


PAIR = (0x679, 0x67D, 0x67, 0x68)
NAMES_OF = (0, 0x51, 0x13, 0x77, 0x24, 0x25, 0x66, 0, 0, 9, 10)
NAMED = dict.fromkeys(PAIR, lambda byte: NAMES_OF.index(byte) if byte in NAMES_OF else 0)


def halved(real: Bytes, shown: Bytes) -> None:
    """Shows the partner's column and row in two bytes of their own."""
    across, down = ((0, 1), (-1, 0), (0, -1), (1, 0))[int(real[0x6D5]) % 4]
    shown[0x7E0], shown[0x7E1] = (int(real[0x669]) + across) % 256, (int(real[0x66D]) + down) % 256


@pytest.mark.proof
@pytest.mark.long
def test_a_map_of_both_halves_is_right_or_its_x_is_one_too_far() -> None:
    """A right map with ``denotes: halves`` once had two contradictions, and an x that is one too far had none."""
    shipped = load_map(_map_file(), titles.TABLE.codes).model_dump(mode="json", exclude_defaults=True, by_alias=True)
    entries = shipped["entries"]
    entries |= {
        "partner_x": {"address": 0x7E0, "source": "homebrew"},
        "partner_y": {"address": 0x7E1, "source": "homebrew"},
    }
    del entries["orientation"]
    for table in shipped["codes"].values():
        table["values"] = {int(byte): word for byte, word in table["values"].items()}
    for offset, about in ((0, []), (1, ["x"])):
        entries["x"]["offset"] = offset
        halves = RamMap.model_validate({**shipped, "pair": {"denotes": "halves"}})
        with Console.open(find_core("nes"), titles.open_rom(None), options=titles.PUYO.core_options) as console:
            machine: Any = Reshaped(console, Shape(change=halved))
            result = Checker(titles.PUYO, halves, machine, titles.RULES).run(pieces=6)
        assert [finding.about for finding in result.report.findings] == about
        assert result.ram_map.entries["x"].offset == 0
        assert {"y", "partner_x", "partner_y"} <= set(result.report.holds)
        assert result.report.exam["agreement"] == 1, result.report.exam


def linked(code: int, links: int) -> int:
    """A cell's byte: the code in the lowest three bits, and the links in the four bits above."""
    return code & 7 | (links & 15) << 3


def test_a_mended_table_of_colours_keeps_the_symbols_that_nothing_contradicted() -> None:
    data = {
        "game": "g",
        "name": "m",
        "system": "nes",
        "seat": 1,
        "pair": {"denotes": "axis"},
        "entries": {
            "field": {"address": 16, "rows": 12, "columns": 6, "row_stride": 6, "column_stride": 1, "codes": "cells",
                      "source": "calibrated"}
        },
        "codes": {"cells": {"source": "calibrated", "values": {0: "empty", 1: "blue", 2: "red", 6: "nuisance"}}},
    }  # fmt: skip
    reading: Any = SimpleNamespace(map=RamMap.model_validate(data))
    cells = Cells(reading, cast("Any", None), Report(), cast("Any", None), {})
    patch: dict[str, Any] = {}
    form, codes = cells._codes([(0, "empty"), (1, "red"), (2, "blue")], patch, [])
    assert form is not None
    assert codes[patch["codes"]]["values"] == {0: "empty", 1: "red", 2: "blue", 6: "nuisance"}


@pytest.mark.parametrize(
    ("shape", "about", "mend"),
    [
        pytest.param(Shape(change=pixels, real=PIXELS), "x", "divide: 16", marks=pytest.mark.proof),
        pytest.param(Shape(change=backwards, real=BACKWARDS), "y", "scale: -1, offset: 13", marks=pytest.mark.proof),
        pytest.param(
            Shape(change=names, real=NAMED),
            "axis",
            "codes: {0x13: green, 0x24: yellow, 0x51: red, 0x77: blue}",
            marks=pytest.mark.proof,
        ),
        pytest.param(Shape(field=(0x403, 16, 2), lags=True), "field", "address: 0x0403", marks=pytest.mark.proof),
        pytest.param(Shape(code=linked, back=lambda byte: byte & 7), "field", "mask: 0x07", marks=pytest.mark.proof),
        pytest.param(Shape(field=(0x45D, -6, 1)), "field", "row_stride: -6, column_stride: 1", marks=pytest.mark.proof),
        pytest.param(
            Shape(hidden=0x7E0),
            "field",
            "address: 0x0313, above: {address: 0x07e0, column_stride: 1}",
            marks=pytest.mark.proof,
        ),
    ],
    ids=["pixels", "backwards", "codes", "lagging copy", "links in the cells", "upside down", "hidden row elsewhere"],
)
def test_a_form_is_found_and_its_mend_works(shape: Shape, about: str, mend: str) -> None:
    report = checked(titles.open_rom(None), shape).report
    found = {finding.about: finding for finding in report.findings}
    assert mend in str(found[about].mend), found[about].text()
    assert all(finding.mend is not None for finding in report.findings)
    assert report.exam["agreement"] == 1, report.exam


CHANGES = {
    # for each change that a variant's truth.yaml names: the findings that the check must report
    "codes": {"field", "axis", "partner"},
    "bit_fields": {"field"},
    "row_stride": {"field"},
    "column_stride": {"field"},
    "column_major": {"field"},
    "x_from_0": {"x"},
    "y_from_1": {"y"},
    "orientation": {"orientation"},
    "denotes": {"pair"},
    "next_swapped": {"next_axis", "next_partner"},
    "pair_swapped": {"axis", "partner"},
    "buttons": {"game.buttons"},
    "kicks": {"rules.kicks"},
    "chain_power": {"rules.score.chain_power"},
    "lock_delay": {"game.timing.lock_delay"},
    "auto_repeat": {"game.timing.auto_repeat_first", "game.timing.auto_repeat"},
    "spawn_delay": {"game.timing.spawn_delay"},
    "soft_drop": {"game.timing.soft_drop"},
    "fall": {"game.timing.fall"},
    "score_digits": {"score"},
    "hidden_row_apart": {"field"},
    "addresses": {"spawning", "field", "x", "y", "orientation", "axis", "partner", "score"},
}


@pytest.mark.proof
@pytest.mark.parametrize("name", some_of(NAMES, "columns", "visible"))
def test_a_variant_s_differences_are_all_found_and_mended(name: str) -> None:
    """The check gets only the shipped map. Its result is compared with truth.yaml, which the variant's build wrote."""
    folder = VARIANTS / name
    truth = yaml.safe_load((folder / "truth.yaml").read_text())
    result = checked(titles.open_rom(folder / f"{name}.nes"))
    report = result.report
    told = {finding.about for finding in report.findings}
    for change in truth["changes"]:
        assert CHANGES.get(change, set()) <= told, (change, told)
    assert not told & set(report.holds)
    assert all(finding.mend is not None for finding in report.findings)
    assert report.exam["agreement"] == 1, report.exam
    _compare(truth, result)


def _compare(truth: dict[str, Any], result: Checked) -> None:
    seat, entries, rules = truth["seats"][1], result.ram_map.entries, result.rules
    for entry in ("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner", "score"):
        assert entries[entry].address == seat[entry]["address"], entry
    for entry in ("x", "y"):
        assert entries[entry].offset == seat[entry]["offset"], entry
    field, score = entries["field"], seat["score"]
    parts = ("address", "row_stride", "column_stride")
    assert [getattr(field, part) for part in parts] == [seat["field"][part] for part in parts]
    assert (field.rows, field.top or 0) == (14, 0)
    nuisance = truth["codes"]["field"]["nuisance"] << seat["field"]["shift"]
    table = result.ram_map.codes[str(field.table)].values
    assert table[(nuisance & (field.mask or 0xFF)) >> field.shift] == "nuisance"
    hidden, above = seat.get("hidden_row"), field.above
    if hidden is not None:
        assert above is not None
        assert (above.address, above.column_stride) == (hidden["address"], hidden["column_stride"])
    assert (above is None) == (hidden is None) == (seat["field"]["top"] == 0)
    assert (entries["score"].digits, entries["score"].zero) == (score.get("digits"), score.get("zero", 0))
    assert entries["score"].width == score.get("count", 3)
    assert (result.ram_map.pair.denotes, rules.kicks) == (truth["denotes"], truth["kicks"])
    power = [*rules.chain_power, *[rules.chain_power[-1]] * 19][:9]
    # powers 0 and 1 give the same score
    assert [max(1, each) for each in power] == [max(1, each) for each in truth["score"]["chain_power"][:9]]
    times, measured = truth["timing"], result.report.measured
    assert (measured["auto_repeat_first"], measured["auto_repeat"]) == tuple(times["auto_repeat"].values())
    assert (measured["lock_delay"], measured["spawn_delay"]) == (times["lock_delay"], times["spawn_delay"])
    assert (measured["soft_drop"], measured["fall"]) == (times["soft_drop"], times["fall"][0])


@pytest.mark.proof
@pytest.mark.long
@pytest.mark.parametrize("name", some_of(["turned", "scattered", "digits", "visible"], "turned"))
def test_the_files_that_are_written_play(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> int:
        monkeypatch.setattr("sys.argv", ["ochibot", *words])
        return main._run()

    rom = str(VARIANTS / name / f"{name}.nes")
    words = ["ram", "check", "famicom_puyo/player1", "--rom", rom, "-o", "mine.yaml", "--pieces", "0"]
    assert run(*words, "--json", "check.json") == 1
    report = json.loads((tmp_path / "check.json").read_text())
    assert report["written"][0] == "mine.yaml"
    assert report["written"][-1] == "mine-game.yaml"
    assert run("play", "mine-game.yaml", "--rom", rom, "--pieces", "15", "--seed", "4", "--json", "play.json") == 0, (
        capsys.readouterr()
    )
    assert json.loads((tmp_path / "play.json").read_text())["agreement"] == 1
