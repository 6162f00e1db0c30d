"""Makes the map of a draft. Each entry says how sure it is."""

from __future__ import annotations

from collections.abc import Callable

from ochibot.experiments.control import Control
from ochibot.experiments.draft import Draft
from ochibot.experiments.mapfile import bytes_of, number_entry, where_is, whereabouts
from ochibot.experiments.points import Number
from ochibot.experiments.rig import Rig
from ochibot.experiments.told import Told
from ochibot.experiments.yamlform import Flow, Hex, Row


def map_of_draft(made: Draft, rig: Rig, game: str) -> dict[str, object]:
    """The map as a mapping. Without rules, entries hold plain bytes."""
    basis, field = made.basis, made.basis.place
    grid = field.grid
    seen = made.seen

    def at(offset: int) -> int:
        return Hex(rig.address(offset))

    entries: dict[str, object] = {
        "field": Flow(
            **where_is(basis, field.rows, at), source="calibrated",
            note=f"{seen}; {_setting(made)}; empty cells are {grid.empty:#04x}, pieces leave "
            + ", ".join(f"{code:#04x}" for code in made.codes),
        ),
        "x": Flow(address=at(basis.x[0]), source="calibrated",
                  note=f"{seen}; follows left and right by {basis.x[1]}; {field.left_x} in the first column"),
        "y": Flow(address=at(basis.y[0]), source="calibrated",
                  note=f"{seen}; falls by {field.down * field.unit} a row; {field.floor_y} in the lowest row"),
    }  # fmt: skip
    if made.turning is not None and made.turning.place is not None:
        cycle = ", ".join(map(str, made.turning.cycle))
        name = str(made.turning.button.name).lower()
        entries["orientation"] = Flow(
            **bytes_of(made.turning.places, at), source="calibrated", note=f"likely: {cycle} as {name} is tapped"
        )
    for told in made.told:
        entries[("", "next_", "next2_", "next3_")[told.ahead] + told.name] = _told(told, made, at)
    if made.score is not None:
        entries["score"] = _score(made.score, at)
    signs: dict[str, object] = {}
    if made.phase is not None:
        entries["phase_byte"] = Flow(address=at(made.phase.offset), source="calibrated", note=_phase(made.phase))
        signs["control"] = Flow(**{"entry": "phase_byte", "is": Row(made.phase.values)})
    if made.over is not None:
        same = made.phase is not None and made.phase.offset == made.over.offset
        if not same:
            entries["over_byte"] = Flow(
                address=at(made.over.offset), source="calibrated", note="likely: its value when a game has ended"
            )
        signs["over"] = Flow(**{"entry": "phase_byte" if same else "over_byte", "is": Row([made.over.value])})
    data: dict[str, object] = {
        "game": game, "name": "player1", "system": rig.console.rom.system, "seat": 1, "entries": entries,
    }  # fmt: skip
    return {**data, "signs": signs} if signs else data


def _phase(phase: Control) -> str:
    values = ", ".join(map(str, phase.values))
    obeyed = "a piece stops answering when another value is poked" if phase.obeyed else "no piece obeys what is poked"
    return f"{phase.evidence}; {values} while a piece answers; {obeyed}"


def _setting(made: Draft) -> str:
    heights = made.basis.setting.heights
    told = {
        "cells": "pieces land on what is poked here",
        "mirror": "pieces land on what is poked here and into its copies",
        "heights": "pieces land by a row of heights",
        "none": "pieces don't land on what is poked here",
    }[made.basis.setting.kind]
    return told if heights is None else f"{told} ({heights.base} for an empty column, {heights.step} a row)"


def _told(told: Told, made: Draft, at: Callable[[int], int]) -> dict[str, object]:
    byte = told.byte
    after = [
        f"; {button} gives it the code of cell{order[int(told.name.removeprefix('cell')) - 1] + 1}"
        for button, order in made.exchanges.items() if not told.ahead
    ]  # fmt: skip
    means = ", ".join(f"{value:#04x}: {told.kinds[kind]}" for value, kind in sorted(byte.table.items()))
    mask = {"mask": Hex(byte.mask)} if byte.mask != 0xFF and byte.index is None else {}
    return Flow(**whereabouts(byte, at), source="calibrated", note=f"{told.evidence}; {means}{''.join(after)}", **mask)


def _score(score: Number, at: Callable[[int], int]) -> dict[str, object]:
    note = f"{score.evidence}; grows where cells vanish, not with time"
    note += "; the game adds to what is poked" if score.kept else ""
    return Flow(**number_entry(score.offset, score.form, at), source="calibrated", note=note)
