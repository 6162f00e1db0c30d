"""What the browser's engine (docs/browser-engine.md) is given besides its code: rules and players as plain values."""

from __future__ import annotations

from typing import Final

from ochibot.jit.library import Kernel
from ochibot.puyo.kernels.engine import RESOLVE_KERNELS
from ochibot.puyo.rules.profile import SPAWN_COLUMN, TABLE_STEPS, Rules, score_table
from ochibot.puyo.search.chain.config import ChainConfig, points_of
from ochibot.puyo.search.chain.search import CHAIN_KERNELS
from ochibot.puyo.search.engine import SEARCH_KERNELS
from ochibot.puyo.search.player import PlayerConfig

GROUP: Final = 4
"""The group size that the player of the kind ``beam`` knows."""


def browser_kernels() -> dict[str, Kernel]:
    """The kernels that the engine has, by name."""
    rules = RESOLVE_KERNELS.library.kernels
    search = SEARCH_KERNELS.library.kernels
    return {
        "resolve_boards": rules["resolve_boards"],
        **{name: search[name] for name in ("lock_boards", "find_ways", "two_ply")},
        **CHAIN_KERNELS.library.kernels,
    }


def browser_rules(rules: Rules, config: ChainConfig) -> dict[str, object]:
    """A game's rules as the engine takes them, with the points that ``config`` states in steps. Imports numba.

    geometry: the words that the kernels read, as text, because JavaScript's numbers can't hold them. table: the score
    table. builds: whether the player that builds chains knows these rules. points: the least points of a chain of one
    step, of two, and so on.
    """
    from ochibot.puyo.kernels.special import open_words

    return {
        "name": rules.name,
        "geometry": [str(word) for word in open_words(rules.geometry())],
        "table": score_table(rules).tolist(),
        "visible": rules.visible_rows,
        "kept": rules.kept_rows,
        "grouping": rules.grouping_rows,
        "clearSize": rules.clear_size,
        "allClear": rules.all_clear_now,
        "spawnColumn": SPAWN_COLUMN,
        "builds": rules.clear_size == GROUP,
        "trigger": points_of(config.deciding.trigger, rules),
        "least": points_of(config.deciding.least, rules),
        "points": [points_of(steps, rules) for steps in range(1, TABLE_STEPS + 1)],
    }


def browser_player(config: ChainConfig, tidy: PlayerConfig) -> dict[str, object]:
    """The player that builds chains as the engine takes it. tidy: the player that takes over in danger."""
    return {
        "name": config.name,
        "nodes": config.nodes,
        # the last weight limits a chain's points; JSON has no infinity
        "weights": [*config.vector().tolist()[:-1], None],
        "deciding": config.deciding.model_dump(),
        "factors": list(tidy.factors),
    }
