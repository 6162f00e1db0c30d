"""The least and the greatest numbers that files may give are accepted, and numbers just beyond them are refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from ochibot.data import data_path
from ochibot.nyaa.rules.file import _Profile as NyaaProfile
from ochibot.nyaa.search.beam.player import NyaaBeamConfig
from ochibot.nyaa.search.player import NyaaPlayerConfig
from ochibot.puyo.rules.file import _Profile as PuyoProfile
from ochibot.puyo.search.chain.config import ChainConfig
from ochibot.puyo.search.player import PlayerConfig
from ochibot.puyo.search.versus.config import VersusConfig
from ochibot.ram.entry import Entry
from ochibot.ram.model import CodeTable
from ochibot.record.manifest import Manifest
from pydantic import ValidationError

BILLION = 1_000_000_000


def shipped(path: str) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(data_path(f"configs/{path}.yaml").read_text(encoding="utf-8"))
    return data


CHAIN, VERSUS, ARTICLE = (shipped(f"players/{name}") for name in ("chain", "versus", "article"))
NYAA, BEAM = shipped("players/nyaa"), shipped("players/nyaa_beam")
TSU, MVS = shipped("rules/tsu"), shipped("rules/nyaa_mvs")
VALUE = {"address": 16, "source": "calibrated"}
GRID = {**VALUE, "rows": 1, "columns": 1, "row_stride": 1, "column_stride": 1}
DIGITS = {**VALUE, "digits": "decimal", "count": 2}
TABLE = {"source": "calibrated", "values": {}}
MANIFEST = {
    "format": "ochibot record", "version": 1, "created": "now", "versions": {}, "about": {"command": "play"},
    "system": "nes", "core": dict.fromkeys(("name", "version", "file", "sha1"), ""), "rom": {"name": "", "sha1": ""},
    "options": {}, "start": "power-on", "fps": 60.0, "sample_rate": 48000.0, "picture": [256, 240],
    "ram": {"size": 2048, "base": 0, "swap": 0}, "every": 60, "segment": 600,
}  # fmt: skip

Limit = tuple[Any, dict[str, Any], str, float | None, float | None]
"""(model, a mapping that it accepts, where in the mapping a number is, its least value, its greatest value). None means
no limit."""

PLAYERS: list[Limit] = [
    (ChainConfig, CHAIN, "nodes", 1, 100_000_000),
    *((ChainConfig, CHAIN, f"weights.{name}", -1e4, 1e4) for name in ("need", "waste")),
    (ChainConfig, CHAIN, "weights.chain", None, 1e4),
    (ChainConfig, CHAIN, "profile.0", -1e4, 1e4),
    *((ChainConfig, CHAIN, f"deciding.{name}", 0, 2) for name in ("later", "promise", "standing")),
    *((ChainConfig, CHAIN, f"deciding.{name}", 1, 10) for name in ("patience", "hurry")),
    (ChainConfig, CHAIN, "deciding.waiting", 0, 85),
    (ChainConfig, CHAIN, "deciding.crowded", 0, 84),
    (ChainConfig, CHAIN, "deciding.trigger", 1, 99),
    (ChainConfig, CHAIN, "deciding.least", 0, 99),
    (ChainConfig, CHAIN, "deciding.waits", 0, 1000),
    (ChainConfig, CHAIN, "deciding.presses", 0, 1),
    (VersusConfig, VERSUS, "nodes", 1, 100_000_000),
    *((VersusConfig, VERSUS, f"fighting.{name}", 0, 10) for name in ("reply", "kill", "harass")),
    *((VersusConfig, VERSUS, f"fighting.{name}", 0, 10_000) for name in ("worth", "heavy")),
    *((VersusConfig, VERSUS, f"fighting.{name}", 0, 85) for name in ("crowded", "tidy")),
    *((PlayerConfig, ARTICLE, f"weights.{name}", 0, None) for name in ARTICLE["weights"]),
    *((NyaaPlayerConfig, NYAA, f"weights.{name}", -1e3, 1e3) for name in ("attack", "locked")),
    (NyaaBeamConfig, BEAM, "nodes", 1, 1_000_000),
    (NyaaBeamConfig, BEAM, "expecting", 0, None),
]
RULES: list[Limit] = [
    (PuyoProfile, TSU, "score.drop_bonus", 0, BILLION),
    (PuyoProfile, TSU, "score.cap", 1, BILLION),
    (NyaaProfile, MVS, "attack.nuisance_each.value", 0, BILLION),
    (NyaaProfile, MVS, "attack.score_cap.value", 1, BILLION),
    (NyaaProfile, MVS, "field.spawn_column.value", 1, 7),
    (NyaaProfile, MVS, "field.over_cell.value.1", 1, 12),
]
MAPS: list[Limit] = [
    (Entry, VALUE, "address", 0, 0xFFFF_FFFF),
    (Entry, VALUE, "origin", -0xFFFF_FFFF, 0xFFFF_FFFF),
    (Entry, VALUE, "scale", -1_000_000, 1_000_000),
    (Entry, VALUE, "offset", -1_000_000, 1_000_000),
    (Entry, VALUE, "divide", 1, 1_000_000),
    (Entry, VALUE, "modulo", 2, 1_000_000),
    (Entry, {**VALUE, "type": "u32le"}, "mask", 1, 0xFFFF_FFFF),
    (Entry, {**VALUE, "type": "u32le"}, "shift", 0, 31),
    (Entry, DIGITS, "zero", 0, 255),
    (Entry, DIGITS, "count", 1, 12),
    (Entry, DIGITS, "stride", -65_536, 65_536),
    (Entry, GRID, "rows", 1, 64),
    (Entry, GRID, "row_stride", -65_536, 65_536),
    (Entry, GRID, "top", -64, 63),
    (Entry, {"source": "calibrated", "pointer": {"address": 1, "type": "u16le"}}, "pointer.scale", 1, 65_536),
    (Entry, {"source": "calibrated", "pointer": {"address": 1, "type": "u16le"}}, "pointer.offset",
     -0xFFFF_FFFF, 0xFFFF_FFFF),
]  # fmt: skip
RECORDS: list[Limit] = [
    (Manifest, MANIFEST, "ram.size", 1, 1 << 20),
    (Manifest, MANIFEST, "ram.base", 0, None),
    (Manifest, MANIFEST, "every", 1, None),
    (Manifest, MANIFEST, "segment", 1, 60_000),
]


def taker(model: Any, data: dict[str, Any], place: str) -> Callable[[float], bool]:
    """Returns a function: whether the model accepts ``data`` with a given number at ``place`` (keys joined by dots)."""
    parts = [int(part) if part.isdigit() else part for part in place.split(".")]

    def takes(number: float) -> bool:
        said: Any = copy.deepcopy(data)
        inner = said
        for part in parts[:-1]:
            inner = inner[part]
        inner[parts[-1]] = number
        try:
            model.model_validate_json(json.dumps(said)) if model is Manifest else model.model_validate(said)
        except ValidationError:
            return False
        return True

    return takes


@pytest.mark.parametrize(
    ("model", "data", "place", "least", "most"),
    [*PLAYERS, *RULES, *MAPS, *RECORDS],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_the_least_and_the_greatest_number_are_taken_and_no_more(
    model: Any, data: dict[str, Any], place: str, least: float | None, most: float | None
) -> None:
    takes = taker(model, data, place)
    for limit, beyond in ((least, -1), (most, 1)):
        if limit is not None:
            assert takes(limit)
            assert not takes(limit + beyond)
            if not isinstance(limit, int):
                assert not takes(limit + beyond / 2)


def test_numbers_that_must_be_above_nothing_or_below_one() -> None:
    for model, data, place in (
        (ChainConfig, CHAIN, "weights.chain"),
        (PlayerConfig, ARTICLE, "normalisers.edge"), (Manifest, MANIFEST, "fps"),
    ):  # fmt: skip
        assert not taker(model, data, place)(0)
        assert taker(model, data, place)(0.5)
    expecting = taker(NyaaBeamConfig, BEAM, "expecting")
    assert expecting(0.99)
    assert not expecting(1.0)


@pytest.mark.parametrize("count", [5, 7])
def test_a_profile_has_a_number_for_each_column(count: int) -> None:
    with pytest.raises(ValidationError):
        ChainConfig.model_validate({**CHAIN, "profile": [0.0] * count})


def test_a_table_s_bytes_are_words_at_the_most() -> None:
    for value in (0, 0xFFFF):
        assert CodeTable.model_validate({**TABLE, "values": {value: "red"}}).values == {value: "red"}
    wrong: tuple[Any, ...] = (-1, 0x1_0000, "1")
    for value in wrong:
        with pytest.raises(ValidationError):
            CodeTable.model_validate({**TABLE, "values": {value: "red"}})


def test_an_entry_lists_up_to_64_bytes() -> None:
    for many in (1, 64):
        Entry.model_validate({"source": "calibrated", "addresses": list(range(many))})
    for many in (0, 65):
        with pytest.raises(ValidationError):
            Entry.model_validate({"source": "calibrated", "addresses": list(range(many))})


@pytest.mark.parametrize(
    ("model", "data", "place"),
    [
        (NyaaPlayerConfig, NYAA, "plies"), (PlayerConfig, ARTICLE, "plies"), (NyaaBeamConfig, BEAM, "plies"),
        (NyaaBeamConfig, BEAM, "nodes"), (PuyoProfile, TSU, "clear_size"), (PuyoProfile, TSU, "kicks"),
        (PuyoProfile, TSU, "score.cap"), (PuyoProfile, TSU, "nuisance.offset"), (PuyoProfile, TSU, "items.allowed"),
        (NyaaProfile, MVS, "attack.score_cap.value"), (NyaaProfile, MVS, "attack.offset.value"),
        (NyaaProfile, MVS, "field.spawn_column.value"), (NyaaProfile, MVS, "field.hidden_rows.value"),
        *((Entry, VALUE, name) for name in ("address", "origin", "scale", "offset", "divide", "modulo", "shift")),
        (Entry, VALUE, "mask"), (Entry, DIGITS, "count"), (Entry, DIGITS, "stride"), (Entry, DIGITS, "zero"),
        *((Entry, GRID, name) for name in ("rows", "columns", "row_stride", "top", "cells_per_byte")),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_a_number_is_no_text_and_no_float(model: Any, data: dict[str, Any], place: str) -> None:
    takes = taker(model, data, place)
    assert not takes("1")  # type: ignore[arg-type]
    assert not takes(1.0)


@pytest.mark.parametrize(
    ("model", "data"),
    [(ChainConfig, CHAIN), (VersusConfig, VERSUS), (PlayerConfig, ARTICLE), (NyaaPlayerConfig, NYAA),
     (NyaaBeamConfig, BEAM), (PuyoProfile, TSU), (NyaaProfile, MVS), (Entry, VALUE), (Manifest, MANIFEST)],
)  # fmt: skip
def test_what_was_read_cant_be_changed_by_accident_and_has_no_unknown_names(model: Any, data: dict[str, Any]) -> None:
    read = model.model_validate_json(json.dumps(data)) if model is Manifest else model.model_validate(data)
    with pytest.raises(ValidationError, match="frozen"):
        setattr(read, next(iter(model.model_fields)), 1)
    with pytest.raises(ValidationError, match="not permitted"):
        model.model_validate({**data, "nonsense": 1})


@pytest.mark.parametrize(
    ("model", "data", "place"),
    [(VersusConfig, VERSUS, "fighting.kill"),
     (PlayerConfig, ARTICLE, "weights.edge"), (NyaaPlayerConfig, NYAA, "weights.attack"),
     (NyaaBeamConfig, BEAM, "weights.attack")],
)  # fmt: skip
def test_a_number_is_finite(model: Any, data: dict[str, Any], place: str) -> None:
    for number in (float("inf"), float("nan")):
        assert not taker(model, data, place)(number)
