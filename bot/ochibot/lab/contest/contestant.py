"""A player in a form that an experiment can send to other processes and open there."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ochibot.data import is_file
from ochibot.engines import is_engine, named
from ochibot.errors import ConfigError
from ochibot.falling.player import AnyPlayer, name_of
from ochibot.games import find_game
from ochibot.players import find_file, find_kind, open_player


@dataclass(frozen=True)
class Entrant:
    """A player to be opened. name: its name in reports.

    A player with a player file has ``kind``, ``config`` and ``options``: its kind, its configuration, and the options
    that the user named with it. Another player has ``wanted``
    and ``digest``: its class (``file.py:Class`` or ``module:Class``), and the SHA-256 of the Python file (empty for a
    module).
    """

    name: str
    kind: str = ""
    config: Any = None
    wanted: str = ""
    digest: str = ""
    options: Mapping[str, int] = field(default_factory=dict)

    def open(self, game: str, rules: Any, seed: int) -> AnyPlayer:
        """Makes the player. ``seed`` decides between placements of equal value. Raises ConfigError."""
        if self.kind:
            return find_kind(self.kind).open(self.config, rules, seed=seed, **self.options)
        return open_player(self.wanted, find_game(game), rules, seed=seed)

    def identity(self) -> dict[str, Any]:
        """Everything that the player's decisions depend on, as plain values."""
        if not self.kind:
            if is_engine(self.wanted):
                return {"name": self.name, "engine": self.wanted, "sha256": self.digest}
            return {"name": self.name, "class": self.wanted.rpartition(":")[2], "sha256": self.digest}
        dumped = getattr(self.config, "model_dump", None)
        config = dumped(mode="json") if callable(dumped) else repr(self.config)
        options = {"options": dict(self.options)} if self.options else {}
        return {"name": self.name, "kind": self.kind, "config": config} | options


def contestant(wanted: str, game: str, rules: Any) -> Entrant:
    """Finds a player by shipped name, file or class. Raises ConfigError and UsageError as ``open_player`` does."""
    made = open_player(wanted, find_game(game), rules, seed=0)
    if is_engine(wanted):
        return Entrant(name_of(made), wanted=wanted, digest=_digest_of(named(wanted).command))
    where, colon, cls = wanted.rpartition(":")
    if colon and where and cls.isidentifier() and not is_file(Path(wanted)):
        name = getattr(made, "name", None)
        shown = name if isinstance(name, str) and name else cls
        if not where.endswith(".py"):
            return Entrant(shown, wanted=wanted)
        path = Path(where).resolve()
        return Entrant(shown, wanted=f"{path}:{cls}", digest=hashlib.sha256(path.read_bytes()).hexdigest())
    file = find_file(wanted, find_game(game), options=True)
    config = file.kind.load(file.path)
    name = str(getattr(config, "name", file.path.stem))
    if file.options:
        name += f"[{' '.join(f'{option}={value}' for option, value in sorted(file.options.items()))}]"
    return Entrant(name, file.kind.name, config, options=dict(file.options))


def _digest_of(command: str) -> str:
    """SHA-256 of the files that an engine's command names: its program, or a script and its interpreter."""
    digest = hashlib.sha256()
    for word in shlex.split(command):
        file = Path(shutil.which(word) or word)
        if is_file(file):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def with_distinct_names(contestants: list[Entrant]) -> tuple[Entrant, ...]:
    """The contestants. If several have the same name, all but the first get a number after it. Raises ConfigError for
    fewer than two.
    """
    if len(contestants) < 2:
        raise ConfigError("an arena needs two players at least: give their names, files or classes")
    names: dict[str, int] = {}
    apart = []
    for one in contestants:
        names[one.name] = names.get(one.name, 0) + 1
        number = names[one.name]
        apart.append(one if number == 1 else replace(one, name=f"{one.name} ({number})"))
    return tuple(apart)
