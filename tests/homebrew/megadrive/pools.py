"""Compares the cartridge's pools with those of ``ochibot.puyo.pairs``. The two implementations share nothing."""

from __future__ import annotations

from collections.abc import Iterable

from ochibot.puyo.pairs.tsu import FIRST_PAIRS, tsu

from tests.homebrew.megadrive.driver import COLOR_SET, NEXTS, RANDOM_STATE, Cartridge


def different_pools(game: Cartridge, states: Iterable[int]) -> list[int]:
    """The random states for which pools, colour set, next state or first pairs aren't those of ``ochibot.puyo.pairs``.

    The game must be on its menu, in the two-player mode.
    """
    different = []
    menu = game.console.save()
    for state in states:
        game.console.load(menu)
        game.begin(state)
        made = tsu(state)
        pool = made.pool(game.game("colors"))
        first = b"".join(pool[2 * at : 2 * at + 2] for at in (*FIRST_PAIRS, 3))
        after = game.read(RANDOM_STATE, 4)
        dealt = [
            bytes((game.seat(seat, "axis"), game.seat(seat, "partner"))) + game.bytes_at(NEXTS[seat], 6)
            for seat in (0, 1)
        ]
        same = (
            game.pools() == (made.pool3, made.pool4, made.pool5)
            and game.bytes_at(COLOR_SET, 8) == bytes(made.color_set)
            and after == made.state
            and game.game("seed") == state
            and dealt == [first, first]
        )
        if not same:
            different.append(state)
    game.console.load(menu)
    return different
