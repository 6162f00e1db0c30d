"""An ignition of the other side, read from RAM: in the real core, it ends as was known when its needles had locked."""

from __future__ import annotations

from typing import Any

import pytest
from ochibot.console import find_cores
from ochibot.games.nyaaseat import NyaaSeat
from ochibot.nyaa import Grid
from ochibot.nyaa.rules.pair import Pair
from ochibot.nyaa.rules.snapshot import Burning
from ochibot.play.battle import Battle, Contestant

from tests.titles import NYAA as GAME
from tests.titles import maps_of, open_console, player_of, rules_of

RULES = rules_of(GAME)


@pytest.mark.skipif(not find_cores("fbneo"), reason="no fbneo core here (it comes with stable-retro)")
def test_ignitions_end_as_was_known_from_their_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[NyaaSeat, Burning] = {}
    ended: list[tuple[int, Burning]] = []
    coming = Pair(1, 1)
    update = NyaaSeat.update

    def watching(seat: Any) -> bool:
        """After each frame: what the seat knows of the other side's ignition, or how it has ended."""
        spawned = update(seat)
        other = seat._other
        if (burning := other.burning(coming)) is not None:
            assert known.setdefault(seat, burning) == burning
        elif other.in_hand() and seat in known:
            read = seat.map.value
            ended.append((read("opponent_attack"), known[seat]))
            assert Grid(other.cells()) == known.pop(seat).grid
        return bool(spawned)

    monkeypatch.setattr(NyaaSeat, "update", watching)
    with open_console(None, GAME.open_rom(None), GAME) as console:
        sides = [Contestant("nyaa", player_of(GAME, seed=seed), 10) for seed in (4, 5)]
        first, second = sides
        maps = maps_of(GAME, "versus")
        Battle(console, GAME, (first, second), rules=RULES, maps=maps, seed=4, options={}, max_pieces=40).run(1)
    assert len(ended) >= 8
    assert [attack for attack, _ in ended] == [burning.attack for _, burning in ended]
    assert max(attack for attack, _ in ended) > 1
