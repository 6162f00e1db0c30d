"""The kinds of inputs, and how many of each there are in a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from tests.fuzz import broken, files, folders, names, texts, visitors
from tests.fuzz.seeds import games
from tests.fuzz.trial import Maker


class Kind(NamedTuple):
    """A kind of input. share: its part of all inputs, in proportion to the others. game: the title whose core it
    needs (empty: none).
    """

    make: Maker
    share: int
    game: str = ""


KINDS: Final = {
    "maps": Kind(texts.maps, 130, "puyo"),
    "players": Kind(texts.players, 110, "puyo"),
    "rules": Kind(texts.rules, 60, "puyo"),
    "games": Kind(texts.game_files, 50, "puyo"),
    "keys": Kind(texts.keys, 50),
    "boards": Kind(texts.boards, 80),
    "explains": Kind(texts.explains, 80),
    "deals": Kind(texts.deals, 50),
    "web": Kind(texts.web, 60),
    "roms": Kind(files.roms, 80, "puyo"),
    "cartridges": Kind(files.cartridges, 90, "puyo"),
    "zips": Kind(files.zips, 60, "puyo"),
    "movies": Kind(files.movies, 60, "puyo"),
    "records": Kind(files.records, 60, "puyo"),
    "dumps": Kind(files.dumps, 30, "puyo"),
    "states": Kind(files.states, 25, "puyo"),
    "caches": Kind(files.caches, 15),
    "folders": Kind(folders.folders, 60),
    "visitors": Kind(visitors.visitors, 40),
    "codes": Kind(names.codes, 160, "puyo"),
    "paths": Kind(names.paths, 160, "puyo"),
}

ALL: Final = {**KINDS, **{name: Kind(maker, 0) for name, maker in broken.MAKERS.items()}}
"""KINDS, and the kinds of inputs in ``broken``, which only tests ask for, by name."""


def numbers(inputs: int, wanted: Mapping[str, int | None] | None = None) -> dict[str, int]:
    """The number of inputs of each kind, at least one. wanted: the kinds to use (if none: all of KINDS), each with its
    number, or with None for a number that follows from its share.
    """
    wanted = wanted or {}
    here = games()
    chosen = {
        name: kind
        for name, kind in ALL.items()
        if (name in wanted or (not wanted and kind.share)) and (not kind.game or kind.game in here)
    }
    whole = sum(kind.share or 1 for kind in chosen.values())
    shares = {name: max(1, round(inputs * (kind.share or 1) / whole)) for name, kind in chosen.items()}
    return {name: wanted.get(name) or share for name, share in shares.items()}
