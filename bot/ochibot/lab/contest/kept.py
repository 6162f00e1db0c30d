"""Reads the games that an arena has kept in its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ochibot.errors import ConfigError
from ochibot.lab.contest.arena import check_pair
from ochibot.lab.contest.replay import Replay
from ochibot.lab.contest.table import GAMES, NyaaTable, PuyoTable
from ochibot.lab.sharded.folder import WHAT, kept_shards
from ochibot.quoting import brief


class KeptArena:
    """An arena's folder, opened for reading. The arena may still be playing."""

    def __init__(self, path: Path) -> None:
        """Raises ConfigError for a folder that holds no arena, is damaged, or was played with other durations."""
        self.path = path
        what: Any
        try:
            what = json.loads((path / WHAT).read_text(encoding="utf-8"))
            if not isinstance(what, dict) or what.get("experiment") != "arena":
                raise ConfigError(f"{path} holds no arena: give the folder of an `ochibot arena`")
            self.names = [brief(str(player["name"])) for player in what["players"]]
            self._what, self._seed = what, int(what["seed"])
            if len(self.names) < 2:
                raise ValueError("an arena has two players at least")
            table = {name: value for name, value in what["table"].items() if name != "timing"}
            if table["game"] not in GAMES:
                games = brief(str(table["game"]))
                raise ConfigError(f"{path}: games of {games} can't be shown, only those of {', '.join(GAMES)}")
            kind: Any = NyaaTable if table["game"] == "nyaa" else PuyoTable
            self.table: PuyoTable | NyaaTable = TypeAdapter(kind).validate_python(table)
        except OSError as error:
            raise ConfigError(
                f"{path} holds no arena ({error.strerror or error}): give the folder of an `ochibot arena`"
            ) from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            named = isinstance(error, ValidationError | RecursionError)
            reason = type(error).__name__ if named else brief(str(error))
            raise ConfigError(f"{path / WHAT} is damaged ({reason}): give another folder") from None
        if json.loads(json.dumps(self.table.identity())) != what["table"]:
            raise ConfigError(f"{path} was played with other durations of the match than this Ochibot has")
        self._pairings = list(combinations(range(len(self.names)), 2))

    def _check(self, number: int, result: Mapping[str, Any]) -> None:
        check_pair(result, self._seed, number // len(self._pairings))

    def replay(self, number: int) -> Replay:
        """Finds a game by its number. Games are numbered from 1, two for each shard. Raises ConfigError."""
        shard, game = divmod(number - 1, 2)
        seen = 0
        for place, result in kept_shards(self.path, self._what, self._check):
            seen += 1
            if place == shard:
                first, second = (self.names[one] for one in self._pairings[shard % len(self._pairings)])
                names = (second, first) if game else (first, second)
                return Replay(self.table, names, result["games"][game])
        raise ConfigError(f"{self.path} has no game {number:,} yet: it has {2 * seen:,}")
