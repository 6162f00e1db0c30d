"""Positions and placements as plain values, so that a game can be kept without its emulator.

What a review's page needs to know of a field to draw it, to move pairs on it and to play its chains.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ochibot.errors import FieldError
from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.field import COLUMNS, HIDDEN_ROWS, ROWS, SYMBOLS, Field
from ochibot.puyo.rules.pair import Pair, PairState, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Rival, Snapshot


def as_dict(snapshot: Snapshot, placement: Placement) -> dict[str, Any]:
    """A position and where its pair went."""
    rival = snapshot.rival
    return {
        "field": _drawn(snapshot.field),
        "pairs": [str(pair) for pair in (snapshot.pair, snapshot.next_pair, *snapshot.foreseen)],
        "state": list(snapshot.state),
        "score": snapshot.score,
        "level": snapshot.level,
        "colors": snapshot.colors,
        "waiting": snapshot.waiting,
        "frame": snapshot.frame,
        "rival": None
        if rival is None
        else {
            "field": _drawn(rival.field),
            "pairs": [str(pair) for pair in rival.pairs],
            "waiting": rival.waiting,
            "coming": rival.coming,
            "frames": rival.frames,
        },
        "lock": [placement.x, placement.y, int(placement.orientation)],
    }


def from_dict(said: Mapping[str, Any]) -> tuple[Snapshot, Placement]:
    """The reverse of ``as_dict``. Raises FieldError for anything else."""
    try:
        pair, following, *more = (Pair.parse(str(one)) for one in said["pairs"])
        rival = said["rival"]
        snapshot = Snapshot(
            _field(said["field"]),
            pair,
            following,
            int(said["score"]),
            PairState(int(said["state"][0]), int(said["state"][1]), Orientation(said["state"][2])),
            level=int(said["level"]),
            colors=int(said["colors"]),
            foreseen=tuple(more),
            waiting=int(said["waiting"]),
            frame=int(said["frame"]),
            rival=None if rival is None else _rival(rival),
        )
        x, y, turned = said["lock"]
        return snapshot, Placement(int(x), int(y), Orientation(turned))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise FieldError(f"a position can't be read ({type(error).__name__})") from None


def _rival(said: Mapping[str, Any]) -> Rival:
    pairs = tuple(Pair.parse(str(one)) for one in said["pairs"])
    return Rival(_field(said["field"]), pairs, int(said["waiting"]), int(said["coming"]), int(said["frames"]))


def _drawn(field: Field) -> str:
    return str(field).replace("\n", "/")


def _field(text: str) -> Field:
    return Field.parse(str(text).replace("/", "\n"))


def _general(rules: Rules) -> dict[str, Any]:
    """What a board also says where a step's points need the general formula."""
    extra = asdict(rules.extra)
    return {
        "multiplier": rules.multiplier,
        "extra": {name: list(value) if isinstance(value, tuple) else value for name, value in extra.items()},
        "emptied": {
            "points": rules.emptied_bonus,
            "row": rules.all_clear_when == "lowest_row",
            "times_step": rules.all_clear_per == "step",
        },
    }


def board_of(rules: Rules) -> dict[str, Any]:
    """The board of a profile (``ochibot.falling.review.Reviewer.board``)."""
    return {
        "columns": COLUMNS,
        "rows": ROWS,
        "hidden": max(HIDDEN_ROWS, ROWS - rules.visible_rows),
        "letters": SYMBOLS,
        "needles": False,
        "spawn": [rules.spawn.x - 1, rules.spawn.y],
        "axis_top": rules.kept_top,
        "partner_top": rules.moving_top,
        "kicks": rules.kicks,
        "quick_turn": rules.quick_turn,
        **({"turns": rules.turns} if rules.turns != "axis" else {}),
        "chain": {
            "kept": rules.kept_top,
            "grouping": ROWS - rules.grouping_rows,
            "clear_size": rules.clear_size,
            "chain_power": list(rules.chain_power),
            "color_bonus": list(rules.color_bonus),
            "group_bonus": list(rules.group_bonus),
            "group_bonus_per": rules.group_bonus_per,
            "most": rules.max_multiplier,
            "unit": rules.score_unit,
            "all_clear": rules.all_clear_now,
            **(_general(rules) if rules.general else {}),
        },
    }
