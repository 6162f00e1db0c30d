"""A player whose decisions an engine makes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from ochibot.engines.process import EngineProcess
from ochibot.errors import FieldError, UsageError
from ochibot.falling.family import Family
from ochibot.falling.player import EngineError
from ochibot.quoting import brief, quoted
from ochibot.version import __version__
from ochibot.wording import counted

PROTOCOL: Final = 1
TIME_VARIABLE: Final = "OCHIBOT_ENGINE_MS"
TIME: Final = 2000
"""Milliseconds of processor time for a decision, if the variable gives no other number."""
WALL: Final = 10
"""A decision may take this many times its processor time by the clock: other programs may be at work, too."""
START_SECONDS: Final = 60.0
"""Seconds by the clock that an engine may take to start."""


class EnginePlayer:
    """Plays by what an engine answers. The engine starts when it is first needed, in each process that forks anew.

    Raises EngineError, which loses a match, when the engine ends, breaks the protocol or takes too long.
    """

    watches = True

    def __init__(self, command: str, game: str, family: Family, rules: Any, seed: int | None) -> None:
        """Raises UsageError for a limit of time that is no number."""
        self._command = command
        self._new = {"game": game, "family": family.name, "rules": asdict(rules), "seed": seed}
        self._family = family
        self._rules = rules
        self._limit = _limit()
        self._engine: EngineProcess | None = None
        self._owner = 0
        self._ready: Mapping[str, Any] = {}
        self._turns = 0
        self._in_game = False

    @property
    def name(self) -> str:
        """The name that the engine gives itself. Starts the engine."""
        self._running()
        name = self._ready.get("name")
        return brief(name) if isinstance(name, str) and name else brief(self._command)

    def prepare(self) -> None:
        """Starts the engine and waits until it is ready to play."""
        engine = self._running()
        engine.send(type="isready")
        engine.receive(lambda said: said.get("type") == "readyok", "be ready", limit=None, wall=START_SECONDS)

    def choose(self, snapshot: Any) -> Any | None:
        """The engine's decision; None if it answers ``none`` and there is no legal placement."""
        engine = self._running()
        if not self._in_game or (snapshot.field.count() == 0 and snapshot.score == 0):
            engine.send(type="new", **self._new)
            self._in_game = True
        legal = self._family.placements(snapshot, self._rules)
        self._turns += 1
        turn = self._turns
        engine.send(type="turn", id=turn, time_ms=round(1000 * self._limit), **turn_of(snapshot, legal))
        said = engine.receive(
            lambda said: said.get("type") in ("place", "none") and said.get("id") == turn,
            f"answer turn {turn}",
            limit=self._limit,
            wall=WALL * self._limit,
        )
        try:
            if said["type"] == "none":
                if legal:
                    raise FieldError(f"there are {counted(len(legal), 'placement')}")
                return None
            needles = ["needles"] if said.get("needles") is True else []
            words = (said.get("column"), said.get("partner"), *needles)
            named = self._family.named(snapshot, words, self._rules)  # type: ignore[attr-defined]
            return self._family.decide(snapshot, named, self._rules)
        except FieldError as error:
            answer = {key: said[key] for key in ("type", "column", "partner", "needles") if key in said}
            raise EngineError(f"the engine {self.name} answered {quoted(answer)}, but {error}") from None

    def ended(self, result: str) -> None:
        """Tells the engine how the game has ended: won, lost, drawn or over (a game of one player)."""
        if self._engine is not None and self._in_game and self._owner == os.getpid() and self._engine.close.alive:
            self._engine.send(type="end", result=result)
        self._in_game = False

    def processor_time(self) -> float:
        """Seconds of processor time that the engine has used; 0 where that isn't known."""
        return self._running().processor_time()

    def leave(self) -> bool:
        """Ends the engine. Returns whether it ended by itself."""
        engine, self._engine = self._running(), None
        engine.close()
        return engine.left

    def _running(self) -> EngineProcess:
        if self._engine is None or self._owner != os.getpid() or not self._engine.close.alive:
            self._engine, self._owner, self._in_game = EngineProcess(self._command), os.getpid(), False
            self._engine.send(type="hello", protocol=PROTOCOL, program=f"ochibot {__version__}")
            self._ready = self._engine.receive(
                lambda said: said.get("type") == "ready", "answer hello", limit=None, wall=START_SECONDS
            )
        return self._engine


def turn_of(snapshot: Any, legal: Any) -> dict[str, Any]:
    """What a ``turn`` says of a snapshot and its legal placements (docs/engines.md)."""
    hands = getattr(snapshot, "hands", None)
    following = getattr(snapshot, "nexts", None) or (snapshot.next_pair, *getattr(snapshot, "foreseen", ()))
    rival = getattr(snapshot, "rival", None) or getattr(snapshot, "opponent", None)
    return {
        "field": str(snapshot.field).split("\n"),
        "pair": str(snapshot.pair),
        "next": [str(pair) for pair in following],
        "legal": [
            {
                "column": one.x,
                "partner": one.orientation.word,
                "row": one.y,
                **({"needles": True} if getattr(one, "needle", False) else {}),
                "presses": len(one.path),
                "in_time": hands is None or hands(one),
            }
            for one in legal
        ],
        "score": snapshot.score,
        "level": getattr(snapshot, "level", 1),
        "pending": getattr(snapshot, "waiting", getattr(snapshot, "pending", 0)),
        "frame": getattr(snapshot, "frame", None),
        "rival": None if rival is None else _rival(rival),
    }


def _rival(rival: Any) -> dict[str, Any]:
    pairs = getattr(rival, "pairs", None)
    if pairs is None:
        pairs = () if rival.pair is None else (rival.pair,)
    return {
        "field": str(getattr(rival, "field", None) or rival.grid).split("\n"),
        "pairs": [str(pair) for pair in pairs],
        "pending": getattr(rival, "waiting", getattr(rival, "pending", 0)),
        "coming": getattr(rival, "coming", 0),
        "frames": getattr(rival, "frames", 0),
    }


def _limit() -> float:
    """Seconds of processor time for a decision."""
    said = os.environ.get(TIME_VARIABLE, str(TIME))
    if not said.isdecimal() or not 1 <= int(said) <= 600_000:
        raise UsageError(f"{TIME_VARIABLE} is {quoted(said)}: give the milliseconds of a decision, from 1 to 600000")
    return int(said) / 1000
