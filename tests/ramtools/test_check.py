"""A check on our own cartridge: as it is, shown in other forms, and its variants, each with the shipped map alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.cli import main
from ochibot.console import Console, Rom, find_core
from ochibot.ram import load_map
from ochibot.ramtools.checking import Checked, Checker

from tests import titles
from tests.ramtools.reshaped import Bytes, Reshaped, Shape

VARIANTS = Path(__file__).parents[1] / "variants"
NAMES = sorted(path.parent.name for path in VARIANTS.glob("*/truth.yaml"))
QUICK = ("scattered", "digits", "visible")
MAP = Path("ram_maps/famicom_puyo/player1.yaml")


def _map_file() -> Path:
    from ochibot.data import data_path

    return data_path(str(MAP))


def checked(rom: Rom, shape: Shape | None = None, pieces: int = 12) -> Checked:
    with Console.open(find_core("nes"), rom, options=titles.PUYO.core_options) as console:
        machine: Any = console if shape is None else Reshaped(console, shape)
        ram_map = load_map(_map_file(), titles.TABLE.codes)
        return Checker(titles.PUYO, ram_map, machine, titles.RULES).run(pieces=pieces)


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
    # the cartridge's README has these numbers
    assert report.measured == {
        "spawn_delay": 12,
        "auto_repeat_first": 12,
        "auto_repeat": 3,
        "fall": 40,
        "soft_drop": 2,
        "lock_delay": 28,
    }


STEP = ((0, 1), (-1, 0), (0, -1), (1, 0))


def pixels(real: Bytes, shown: Bytes) -> None:
    """x and y in pixels, from an edge of the picture."""
    shown[0x669] = (16 * int(real[0x669]) + 8) % 256
    shown[0x66D] = (16 * int(real[0x66D]) + 24) % 256


def backwards(real: Bytes, shown: Bytes) -> None:
    """Columns from the right, rows from the floor."""
    shown[0x669] = (6 - int(real[0x669])) % 256
    shown[0x66D] = (13 - int(real[0x66D])) % 256


def names(real: Bytes, shown: Bytes) -> None:
    """The pair's colours by other numbers than the field's."""
    for place in (0x679, 0x67D, 0x67, 0x68):
        shown[place] = (0, 0x51, 0x13, 0x77, 0x24, 0x25, 0x66, 0, 0, 9, 10)[min(int(real[place]), 10)]


def linked(code: int, links: int) -> int:
    """The links above the code."""
    return code & 7 | (links & 15) << 3


@pytest.mark.parametrize(
    ("shape", "about", "mend"),
    [
        (Shape(change=pixels), "x", "divide: 16"),
        (Shape(change=backwards), "y", "scale: -1, offset: 13"),
        (Shape(change=names), "axis", "codes: {0x13: green, 0x24: yellow, 0x51: red, 0x77: blue}"),
        (Shape(field=(0x403, 16, 2), lags=True), "field", "address: 0x0403"),
        (
            Shape(code=lambda code, links: code & 7 | (links & 15) << 3, back=lambda byte: byte & 7),
            "field",
            "mask: 0x07",
        ),
        (Shape(field=(0x45D, -6, 1)), "field", "row_stride: -6, column_stride: 1"),
        (Shape(hidden=0x7E0), "field", "address: 0x0313, rows: 13, top: 1"),
    ],
    ids=["pixels", "backwards", "codes", "lagging copy", "links in the cells", "upside down", "hidden row elsewhere"],
)
def test_a_form_is_found_and_its_mend_works(shape: Shape, about: str, mend: str) -> None:
    report = checked(titles.open_rom(None), shape).report
    found = {finding.about: finding for finding in report.findings}
    assert mend in str(found[about].mend), found[about].text()
    assert not report.unmended
    assert report.exam["agreement"] == 1, report.exam


CHANGES = {
    # what a variant's truth calls a change: what a check must tell
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


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in NAMES],
)
def test_a_variant_s_differences_are_all_found_and_mended(name: str) -> None:
    """With the shipped map, in one run; the truth is what the variant's build wrote."""
    folder = VARIANTS / name
    truth = yaml.safe_load((folder / "truth.yaml").read_text())
    result = checked(titles.open_rom(folder / f"{name}.nes"))
    report = result.report
    told = {finding.about for finding in report.findings}
    for change in truth["changes"]:
        assert CHANGES.get(change, set()) <= told, (change, told)
    assert not told & set(report.holds)
    assert not report.unmended
    assert report.exam["agreement"] == 1, report.exam
    _compare(truth, result)


def _compare(truth: dict[str, Any], result: Checked) -> None:
    seat, entries, rules = truth["seats"][1], result.ram_map.entries, result.rules
    for entry in ("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner", "score"):
        assert entries[entry].address == seat[entry]["address"], entry
    for entry in ("x", "y"):
        assert entries[entry].offset == seat[entry]["offset"], entry
    field, score = entries["field"], seat["score"]
    assert (field.address, field.rows, field.top or 0, field.row_stride, field.column_stride) == tuple(
        seat["field"][part] for part in ("address", "rows", "top", "row_stride", "column_stride")
    )
    assert (entries["score"].digits, entries["score"].zero) == (score.get("digits"), score.get("zero", 0))
    assert entries["score"].width == score.get("count", 3)
    assert (result.ram_map.pair.denotes, rules.kicks) == (truth["denotes"], truth["kicks"])
    power = [*rules.chain_power, *[rules.chain_power[-1]] * 19][:9]
    # a power of 0 and one of 1 are worth the same
    assert [max(1, each) for each in power] == [max(1, each) for each in truth["score"]["chain_power"][:9]]
    times, measured = truth["timing"], result.report.measured
    assert (measured["auto_repeat_first"], measured["auto_repeat"]) == tuple(times["auto_repeat"].values())
    assert (measured["lock_delay"], measured["spawn_delay"]) == (times["lock_delay"], times["spawn_delay"])
    assert (measured["soft_drop"], measured["fall"]) == (times["soft_drop"], times["fall"][0])


@pytest.mark.long
@pytest.mark.parametrize("name", ["turned", "scattered", "digits", "visible"])
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
    assert run("play", "mine-game.yaml", "--pieces", "15", "--seed", "4", "--json", "play.json") == 0, (
        capsys.readouterr()
    )
    assert json.loads((tmp_path / "play.json").read_text())["agreement"] == 1
