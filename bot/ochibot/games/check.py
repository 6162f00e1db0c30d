"""Checks a game adapter. Run this check on a new game, map or ROM."""

from __future__ import annotations

from typing import Any

from ochibot.console import Button, Machine
from ochibot.errors import GameError, OchibotError
from ochibot.games.protocols import AnySeat, Game
from ochibot.ram import RamMap
from ochibot.wording import counted

PATIENCE = 600
"""The most frames that a piece may take from its spawn to the next one when Down is held."""


def check_game(machine: Machine, game: Game, ram_map: RamMap, rules: Any) -> list[str]:
    """From power-on, reaches the solo mode and checks a snapshot at each of several spawns. Returns the problems found.

    ``ram_map`` is a map for that mode. Pieces are only moved down.
    """
    problems: list[str] = []
    try:
        seat = game.seat(ram_map, machine.ram, rules)
        game.reach(machine, seat, game.solo_mode, {})
        for piece in range(5):
            snapshot = seat.snapshot()
            if not seat.starts_at(snapshot.state):
                problems.append(f"pair {piece + 1} is announced at {snapshot.state}, where none appears")
            on_field, following = snapshot.field.count(), snapshot.next_pair
            _wait_for_spawn(machine, seat)
            after = seat.snapshot()
            if after.pair != following and not getattr(following, "is_unknown", False):
                problems.append(f"after NEXT {following} came {after.pair}")
            if piece == 0 and after.field.count() != on_field + 2:
                problems.append(f"the first pair made {counted(after.field.count() - on_field, 'cell')} of none, not 2")
    except OchibotError as error:
        problems.append(str(error))
    return problems


def _wait_for_spawn(machine: Machine, seat: AnySeat) -> None:
    for _ in range(PATIENCE):
        pads = [Button.NONE] * (seat.number - 1) + [Button.DOWN]
        machine.step(*pads)
        if seat.update():
            return
    raise GameError(f"no new piece within {PATIENCE} frames: the map's spawn sign doesn't fit this ROM")
