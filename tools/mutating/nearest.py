"""The nearest test files of each module. A mutant is tried against the tests in them that run its lines."""

from __future__ import annotations

from pathlib import Path
from typing import Final

# the order matters for kernels: first the tests that compile little
_PUYO_SEARCH: Final = (
    "tests/puyo/search/test_evaluate.py", "tests/puyo/search/test_placements.py", "tests/puyo/search/test_perft.py",
    "tests/puyo/search/test_locks.py", "tests/puyo/search/test_engine.py", "tests/puyo/search/test_twoply.py",
    "tests/puyo/search/test_items.py", "tests/puyo/search/test_explain.py", "tests/puyo/search/test_player.py",
    "tests/puyo/search/test_any_field.py", "tests/puyo/search/test_rules.py",
)  # fmt: skip
_REPLIES: Final = (
    "tests/puyo/search/test_twoply.py", "tests/puyo/search/test_engine.py", "tests/puyo/search/test_rules.py",
    "tests/puyo/search/test_any_field.py",
)  # fmt: skip
_PUYO_KERNELS: Final = (
    "tests/puyo/rules/test_resolve.py", "tests/puyo/rules/test_items.py", "tests/puyo/search/test_evaluate.py",
    "tests/puyo/search/test_engine.py", "tests/puyo/search/test_items.py", "tests/puyo/search/test_twoply.py",
    "tests/puyo/search/test_any_field.py", "tests/puyo/rules/test_rules.py", "tests/puyo/search/test_perft.py",
    "tests/puyo/search/test_placements.py", "tests/puyo/search/test_rules.py",
)  # fmt: skip
_NYAA_SEARCH: Final = ("tests/nyaa/search",)
_SEATS: Final = (
    "tests/games/test_seats.py", "tests/games/test_moments.py", "tests/games/test_piece.py",
    "tests/games/test_unread.py", "tests/games/test_facing.py", "tests/games/test_options.py",
    "tests/games/test_rare_signs.py",
    "tests/games/test_other_games.py", "tests/games/famicom_puyo",
    "tests/games/togetama/test_seat.py", "tests/games/tsu/test_seat.py", "tests/games/filed/test_play.py",
)  # fmt: skip

_LEARNING: Final = (
    "tests/experiments", "tests/strangers/test_whole.py", "tests/strangers/test_judging.py",
    "tests/strangers/test_drafts.py", "tests/strangers/test_ways.py",
)  # fmt: skip
_CHECKING: Final = ("tests/ramtools/test_check.py", "tests/ramtools/test_check_nyaa.py")
_COMMANDS: Final = ("tests/cli", "tests/test_report.py", "tests/test_session.py")
_LAB: Final = ("tests/lab/test_selfplay_runs.py", "tests/lab/test_match.py", "tests/lab/contest", "tests/lab/nyaa")

NEAREST: Final[dict[str, tuple[str, ...]]] = {
    "cli": _COMMANDS,
    "cli/alone": ("tests/lab/test_selfplay_runs.py", "tests/lab/test_tail.py", "tests/cli/test_options.py"),
    "cli/arena": ("tests/lab/contest", *_COMMANDS),
    "cli/battle": ("tests/play/test_battle.py", "tests/play/test_jobs.py", *_COMMANDS),
    "cli/bench": ("tests/bench", *_COMMANDS),
    "cli/calibrate": ("tests/experiments", "tests/cli/test_options.py"),
    "cli/explain": ("tests/puyo/search/test_explain.py", *_COMMANDS),
    "cli/records": (
        "tests/record/test_verify.py",
        "tests/record/movies",
        "tests/cli/test_record.py",
        "tests/cli/test_options.py",
    ),
    "cli/pictures": (
        "tests/record/test_verify.py",
        "tests/record/video",
        "tests/cli/test_record.py",
        "tests/cli/test_options.py",
    ),
    "cli/plot": ("tests/lab/test_plots.py", "tests/cli/test_options.py"),
    "cli/sharding": ("tests/lab/test_selfplay_runs.py", "tests/lab/contest", "tests/cli/test_options.py"),
    "cli/train": ("tests/lab/contest", "tests/cli/test_options.py"),
    "cli/versus": ("tests/play/test_rounds.py", "tests/ui/test_versus.py", *_COMMANDS),
    "cli/web": ("tests/ui/web/test_command.py", "tests/cli/test_options.py"),
    "console": ("tests/console", "tests/ram/test_maps.py"),
    "experiments": _LEARNING,
    "experiments/checking": (*_CHECKING, *_LEARNING),
    "experiments/documented": ("tests/experiments/test_documented.py", *_LEARNING),
    "experiments/needles": ("tests/experiments/test_needles.py", *_LEARNING),
    "experiments/versus": ("tests/experiments/test_versus.py", "tests/experiments/test_modes.py", *_LEARNING),
    "lab": _LAB,
    "lab/endless": (*_LAB, "tests/lab/test_endless_gpu.py", "tests/lab/test_cluster.py"),
    "lab/plots": ("tests/lab/test_plots.py",),
    "lab/sharded": ("tests/lab/test_selfplay_runs.py", "tests/lab/contest", "tests/lab/test_tail.py"),
    "lab/tail": ("tests/lab/test_tail.py",),
    "ramtools": ("tests/ramtools",),
    "puyo/rules": (
        "tests/puyo/rules", "tests/puyo/search/test_locks.py", "tests/puyo/search/test_placements.py",
        "tests/puyo/sim/test_match.py",
    ),
    "puyo/rules/motion": (
        "tests/puyo/rules", "tests/puyo/search/test_locks.py", "tests/overlay", "tests/games/test_other_games.py",
    ),
    "puyo/kernels": _PUYO_KERNELS,
    "puyo/search": _PUYO_SEARCH,
    "puyo/search/beam": ("tests/puyo/search/test_clairvoyant.py",),
    "puyo/search/chain": ("tests/puyo/search/chain", "tests/test_players.py"),
    "puyo/search/chain/guard": ("tests/puyo/search/chain/test_safety.py", "tests/puyo/search/chain/test_player.py"),
    "puyo/search/chain/safety": ("tests/puyo/search/chain/test_safety.py", "tests/puyo/search/chain/test_player.py"),
    "puyo/search/items": ("tests/puyo/search/test_items.py", *_PUYO_SEARCH),
    "puyo/search/ways": ("tests/puyo/search/test_placements.py", *_PUYO_SEARCH),
    "puyo/search/cells": (*_REPLIES, *_PUYO_SEARCH),
    "puyo/search/replies": (*_REPLIES, *_PUYO_SEARCH),
    "puyo/search/clairvoyant": ("tests/puyo/search/test_clairvoyant.py", "tests/puyo/search/test_player.py",
        "tests/test_players.py", "tests/cli/test_clairvoyant.py"),
    "puyo/search/player": ("tests/puyo/search/test_player.py", "tests/test_players.py", *_PUYO_SEARCH[:2]),
    "puyo/search/versus": ("tests/puyo/search/versus", "tests/test_players.py"),
    "nyaa/rules": (
        "tests/nyaa/rules", "tests/nyaa/kernels", "tests/nyaa/calculator/test_ignition.py",
        "tests/nyaa/search/test_locks.py", "tests/nyaa/sim/test_match.py", "tests/nyaa/test_arrows.py",
    ),
    "nyaa/kernels": ("tests/nyaa/kernels", "tests/nyaa/rules/test_grid.py", "tests/nyaa/calculator/test_ignition.py",
        *_NYAA_SEARCH),
    "nyaa/kernels/bulk": ("tests/nyaa/test_bulk.py",),
    "nyaa/kernels/bulkties": ("tests/nyaa/test_bulk.py",),
    "nyaa/kernels/bulkwaves": ("tests/nyaa/test_bulk.py",),
    "nyaa/search": (*_NYAA_SEARCH, "tests/test_players.py"),
    "games": (*_SEATS, "tests/games/test_map_names.py"),
    "games/__init__": ("tests/games/test_finding.py", "tests/test_players.py", "tests/games/filed/test_files.py",
        "tests/games/test_seats.py"),
    "games/choosing": ("tests/games/test_seats.py",
        "tests/games/filed/test_files.py", "tests/ram/test_maps.py", "tests/games/test_options.py"),
    "games/check": ("tests/games/test_watch.py", "tests/games/famicom_puyo"),
    "games/unread": (
        *_SEATS, "tests/games/test_watch.py", "tests/games/test_rare_signs.py", "tests/games/test_facing.py",
        "tests/puyo/search/versus"),
    "games/filed": ("tests/games/test_looks.py", "tests/games/filed", *_SEATS),
    "games/menu": ("tests/games/test_menu.py", "tests/play/test_menus.py"),
    "games/nyaalook": ("tests/games/test_looks.py", "tests/overlay"),
    "games/puyolook": ("tests/games/test_looks.py", "tests/overlay", "tests/games/test_other_games.py"),
    "games/route": ("tests/games/test_route.py", "tests/games/filed"),
    "games/title": (*_SEATS, "tests/games/test_states.py", "tests/games/filed/test_files.py",
        "tests/play/test_seat.py"),
    "games/tsu": ("tests/games/tsu", "tests/games/test_seats.py"),
    "play": ("tests/play",),
    "play/agreement": ("tests/play", "tests/test_session.py"),
    "play/jobs": ("tests/play/test_ends.py", "tests/play/test_jobs.py"),
    "play/versus": ("tests/play/test_rounds.py", "tests/play/test_tally.py", "tests/ui/test_versus.py",
        "tests/games/tsu/test_seat.py"),
    "play/manual": ("tests/play/test_manual.py", "tests/test_session.py"),
    "ram": ("tests/ram", "tests/games/test_map_names.py"),
    "record": ("tests/record/test_model.py", "tests/record/test_damage.py", "tests/record/test_differences.py",
        "tests/record/test_results.py",
        "tests/record/test_record.py",
        "tests/record/test_log.py", "tests/record/test_verify.py",
        "tests/record/test_foreign_states.py", "tests/record/test_interrupt.py"),
    "record/movies": ("tests/record/movies",),
    "record/video": ("tests/record/video",),
}  # fmt: skip
"""The nearest tests of each folder or module below bot/ochibot. The longest name that fits counts."""

ALL: Final = ("tests/test_values.py", "tests/test_limits.py")
"""Test files that are near to every module."""

LONG: Final = frozenset({"tests/nyaa/test_bulk.py"})
"""In these files, tests marked ``long`` run too, because no other tests cover the same code."""


def nearest(path: str) -> tuple[str, ...]:
    """The test files and folders nearest to ``bot/ochibot/....py``. Raises KeyError where the table names none."""
    parts = path.removeprefix("bot/ochibot/").removesuffix(".py").split("/")
    for length in range(len(parts), 0, -1):
        if (name := "/".join(parts[:length])) in NEAREST:
            return (*NEAREST[name], *ALL)
    raise KeyError(path)


def near_files(root: Path, near: tuple[str, ...]) -> list[str]:
    """The files of these tests, relative to the repository, each once, in the order of the table.

    Those that an older commit lacks are left out.
    """
    found: dict[str, None] = {}
    for name in near:
        place = root / name
        for file in sorted(place.rglob("test_*.py")) if place.is_dir() else [place] * place.exists():
            found[str(file.relative_to(root))] = None
    return list(found)
