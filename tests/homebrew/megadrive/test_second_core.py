"""The cartridge is the same game in the second core."""

from __future__ import annotations

import pytest
from ochibot.console import find_cores

from tests.homebrew.megadrive.driver import ENDLESS, VERSUS, cartridge
from tests.homebrew.megadrive.pools import different_pools
from tests.homebrew.megadrive.rules import compare_locks, compare_moves

pytestmark = pytest.mark.skipif(
    not find_cores("picodrive"), reason="no picodrive core here (it comes with stable-retro)"
)


def test_pools_locks_and_presses_in_picodrive() -> None:
    with cartridge(core="picodrive") as game:
        game.to_menu(VERSUS, 5)
        assert different_pools(game, (0, 0x35879DE2, 0xFFFFFFFF)) == []
        game.begin(7)
        assert compare_locks(game, 15, 5).different == []
    with cartridge(core="picodrive") as game:
        game.to_menu(ENDLESS, 5)
        game.begin(11)
        assert compare_moves(game, 8, 6) == []
        assert game.game("overruns") == game.game("late") == 0
