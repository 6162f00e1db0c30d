"""Makes the map of a draft. Each entry says how sure it is."""

from __future__ import annotations

from ochibot.experiments.control import Control
from ochibot.experiments.draft import Draft
from ochibot.experiments.mapfile import where_is
from ochibot.experiments.rig import Rig
from ochibot.experiments.told import Told
from ochibot.experiments.yamlform import Row, flow, hexadecimal


def map_of_draft(made: Draft, rig: Rig, game: str) -> dict[str, object]:
    """The map as a mapping. Without rules, entries hold plain bytes."""
    basis, field = made.basis, made.basis.place
    grid = field.grid
    seen = made.seen

    def at(offset: int) -> int:
        return hexadecimal(rig.address(offset))

    entries: dict[str, object] = {
        "field": flow(
            **where_is(basis, field.rows, at), source="calibrated",
            note=f"{seen}; {_setting(made)}; empty cells are {grid.empty:#04x}, pieces leave "
            + ", ".join(f"{code:#04x}" for code in made.codes),
        ),
        "x": flow(address=at(basis.x[0]), source="calibrated",
                  note=f"{seen}; follows left and right by {basis.x[1]}; {field.left_x} in the first column"),
        "y": flow(address=at(basis.y[0]), source="calibrated",
                  note=f"{seen}; falls by {field.down * field.unit} a row; {field.floor_y} in the lowest row"),
    }  # fmt: skip
    if made.turning is not None and made.turning.place is not None:
        cycle = ", ".join(map(str, made.turning.cycle))
        name = str(made.turning.button.name).lower()
        entries["orientation"] = flow(
            address=at(made.turning.place), source="calibrated", note=f"likely: {cycle} as {name} is tapped"
        )
    for told in made.told:
        entries[("", "next_", "next2_")[told.ahead] + told.name] = _told(told, at)
    if made.score is not None:
        entries["score"] = _score(made, at)
    signs: dict[str, object] = {}
    if made.phase is not None:
        entries["phase_byte"] = flow(address=at(made.phase.offset), source="calibrated", note=_phase(made.phase))
        signs["control"] = flow(**{"entry": "phase_byte", "is": Row(made.phase.values)})
    if made.over is not None:
        same = made.phase is not None and made.phase.offset == made.over.offset
        if not same:
            entries["over_byte"] = flow(
                address=at(made.over.offset), source="calibrated", note="likely: its value when a game has ended"
            )
        signs["over"] = flow(**{"entry": "phase_byte" if same else "over_byte", "is": Row([made.over.value])})
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


def _told(told: Told, at: object) -> dict[str, object]:
    assert callable(at)
    byte = told.byte
    means = ", ".join(f"{value:#04x}: {told.kinds[kind]}" for value, kind in sorted(byte.table.items()))
    entry: dict[str, object] = {"source": "calibrated", "note": f"{told.evidence}; {means}"}
    if byte.index is not None:
        pointer = flow(address=at(byte.index), type="u8", scale=byte.step, offset=at(byte.offset))
        return flow(pointer=pointer, **entry)
    if byte.mask != 0xFF:
        entry["mask"] = hexadecimal(byte.mask)
    return flow(address=at(byte.offset), **entry)


def _score(made: Draft, at: object) -> dict[str, object]:
    assert callable(at)
    assert made.score is not None
    form = made.score.form
    entry: dict[str, object] = {"address": at(made.score.offset)}
    if form.digits:
        entry["digits"] = form.digits
    if form.digits == "decimal":
        entry |= {"count": form.width, "order": "low_first" if form.little else "high_first"}
        entry |= {"zero": form.zero} if form.zero else {}
    else:
        entry["type"] = form.name
    return flow(
        **entry,
        source="calibrated",
        note=f"{made.score.evidence}; grows where cells vanish, not with time"
        + ("; the game adds to what is poked" if made.score.kept else ""),
    )
