"""Values can't be changed by accident: dataclasses are frozen, except those that count or grow."""

from __future__ import annotations

import dataclasses
import importlib
from pathlib import Path
from typing import Any

import ochibot
import pytest
from ochibot.console import Button

PACKAGE = Path(ochibot.__file__).parent
ROOMS = (
    *("puyo/rules", "puyo/search", "nyaa/rules", "nyaa/search", "games", "play", "ram", "record"),
    *("experiments", "ramtools", "console", "cli"),
)

CHANGING = {
    "ochibot.cli.ram_options.Opened",
    "ochibot.experiments.checking.checker.Checked",
    "ochibot.experiments.draft.Draft",
    "ochibot.experiments.formula.Formula",
    "ochibot.experiments.known.Ground",
    "ochibot.experiments.learnt.Learnt",
    "ochibot.experiments.run._Run",
    "ochibot.games.menu.MenuWalker",
    "ochibot.play.agreement.Counts",
    "ochibot.play.agreement.Tally",
    "ochibot.play.battle.BattleResult",
    "ochibot.play.battle.Played",
    "ochibot.play.coach.CoachResult",
    "ochibot.play.endless.Result",
    "ochibot.play.jobs._Ended",
    "ochibot.play.jobs._GamesWorker",
    "ochibot.play.versus.VersusResult",
    "ochibot.puyo.search.chain.search.Layer",
    "ochibot.ram.file._Raw",
    "ochibot.ramtools.exchange.symbols.Exported",
    "ochibot.ramtools.exchange.symbols.Imported",
    "ochibot.ramtools.findings.Report",
    "ochibot.ramtools.searching.RamSearch",
    "ochibot.ramtools.watching._Watched",
    "ochibot.record.segment.Segment",
    "ochibot.record.verify.VerifyResult",
}
"""The dataclasses that aren't frozen, because they change while something runs."""


def dataclasses_of(room: str) -> dict[str, type]:
    """The dataclasses of a folder by full name. Kernel modules are left out: they have none and need numba."""
    found = {}
    for file in sorted((PACKAGE / room).rglob("*.py")):
        if "ochibot.jit.lanes" in file.read_text(encoding="utf-8"):
            continue
        name = ".".join(("ochibot", *file.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        for one in vars(importlib.import_module(name)).values():
            if isinstance(one, type) and dataclasses.is_dataclass(one) and one.__module__ == name:
                found[f"{name}.{one.__qualname__}"] = one
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_dataclasses_are_frozen_but_for_those_that_count_or_grow(room: str) -> None:
    found = dataclasses_of(room)
    changing = {name for name, one in found.items() if not one.__dataclass_params__.frozen}  # type: ignore[attr-defined]
    inside = f"ochibot.{room.replace('/', '.')}."
    assert changing == {name for name in CHANGING if name.startswith(inside)}


ASSUMED: dict[str, dict[str, object]] = {
    "exam.Exam": {"from_menu": True},
    "facts.Basis": {"cells": ((0, 0), (0, 1))},
    "facts.Moments": {"kind": "is"},
    "facts.Stance": {"mask": 0xFF},
    "formula.Formula": {"unit": 10, "per": "group", "all_clear_per": "lock"},
    "known.Ground": {"mask": 0xFF, "agree": 1},
    "motion.Motion": {"hurry": int(Button.DOWN), "rests": True},
    "pad.Tap": {"on": 3, "off": 4, "tries": 2},
    "versus.Seats": {"at_once": True},
    "views.View": {"bits": 8},
    "waiting.Pending": {"kind": "u8"},
}
"""What experiments assume as long as nothing else is known: whole bytes, an upright pair, the family's usual points."""


def test_what_no_experiment_has_learnt_is_nothing() -> None:
    found: dict[str, dict[str, object]] = {}
    for name, one in dataclasses_of("experiments").items():
        for field in dataclasses.fields(one):
            made: Any = field.default_factory
            value = field.default if made is dataclasses.MISSING else made()
            nothing = not any(value) if isinstance(value, tuple) else not value
            if value is not dataclasses.MISSING and not nothing:
                found.setdefault(name.removeprefix("ochibot.experiments."), {})[field.name] = value
    assert found == ASSUMED
