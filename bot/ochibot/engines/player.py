"""Options of engines: an engine states them in ``ready``, and the user sets them in ``engine[NAME=VALUE]:COMMAND``.

A player whose decisions an engine makes.

A turn says what a snapshot holds, as plain values (docs/engines.md).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from ochibot.engines import named
from ochibot.engines.process import EngineProcess
from ochibot.errors import FieldError, UsageError
from ochibot.falling.family import Family
from ochibot.falling.player import EngineError, Facts
from ochibot.quoting import brief, quoted
from ochibot.version import __version__
from ochibot.wording import counted

Stated = Mapping[str, Any]
"""An option as an engine states it (docs/engines.md)."""


def _truth(text: str) -> bool:
    return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]


_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    "integer": int,
    "number": float,
    "boolean": _truth,
    "string": str,
    "choice": str,
}
_IN_WORDS: Final = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "string": "any text",
}


def stated(ready: Mapping[str, Any]) -> dict[str, Stated]:
    """The options in an engine's ``ready``, by name. Raises ValueError, in words, for an option of another form."""
    options = ready.get("options", [])
    if not isinstance(options, list):
        raise ValueError("states options that are no list")
    found: dict[str, Stated] = {}
    for one in options:
        name = one.get("name") if isinstance(one, dict) else None
        if not isinstance(name, str) or not name or one.get("type") not in _READ:
            raise ValueError(
                f"states the option {quoted(one)}: it needs a name and one of the types {', '.join(_READ)}"
            )
        bounds = [one[key] for key in ("min", "max") if key in one]
        if any(type(bound) not in (int, float) for bound in bounds):
            raise ValueError(f"states the option {quoted(name)} with a min or max that is no number")
        if one["type"] == "choice" and not _are_texts(one.get("choices")):
            raise ValueError(f"states the choice {quoted(name)} without a list of choices")
        found[name] = one
    return found


def _are_texts(choices: object) -> bool:
    return isinstance(choices, list) and bool(choices) and all(isinstance(one, str) for one in choices)


def value_of(option: Stated, text: str) -> Any:
    """The value that the user's text gives an option. Raises UsageError."""
    try:
        value = _READ[option["type"]](text)
        if option["type"] in ("integer", "number"):
            within = option.get("min", value) <= value <= option.get("max", value)
            if not within or not math.isfinite(value):
                raise ValueError
        if option["type"] == "choice" and value not in option["choices"]:
            raise ValueError
    except (KeyError, ValueError):
        raise UsageError(
            f"the engine's option {brief(option['name'])} is {takes(option)}, not {quoted(text)}"
        ) from None
    return value


def takes(option: Stated) -> str:
    """The values of an option in words."""
    if option["type"] == "choice":
        return f"one of {brief(', '.join(option['choices']), 160)}"
    low, high = option.get("min"), option.get("max")
    limits = f" from {low}" * (low is not None) + f" up to {high}" * (high is not None)
    return _IN_WORDS[option["type"]] + limits


def turn_of(snapshot: Any, legal: Sequence[Any]) -> dict[str, Any]:
    """The keys of a ``turn``, for a snapshot and its legal placements."""
    facts = getattr(snapshot, "facts", None) or Facts(1)
    hands, frames = getattr(snapshot, "hands", None), facts.frames
    rival = getattr(snapshot, "rival", None) or getattr(snapshot, "opponent", None)
    return {
        "field": str(snapshot.field).split("\n"),
        "pair": str(snapshot.pair),
        "next": [str(pair) for pair in following_of(snapshot)],
        "legal": [
            {
                "column": one.x,
                "partner": one.orientation.word,
                "row": one.y,
                **({"needles": True} if getattr(one, "needle", False) else {}),
                "presses": len(one.path),
                "frames": None if frames is None else frames(one),
                "in_time": hands is None or hands(one),
            }
            for one in legal
        ],
        "score": snapshot.score,
        "level": getattr(snapshot, "level", None),
        "points": facts.points,
        "all_clear": facts.all_clear,
        "pending": facts.pending,
        "falls": None if facts.falls is None else {"when": facts.falls, "most": facts.most},
        # only a match counts its frames
        "frame": None if rival is None else getattr(snapshot, "frame", None),
        "rival": None if rival is None else _rival(rival),
    }


def following_of(snapshot: Any) -> tuple[Any, ...]:
    """The coming pairs that the screen shows."""
    return getattr(snapshot, "nexts", None) or (snapshot.next_pair, *getattr(snapshot, "foreseen", ()))


def _rival(rival: Any) -> dict[str, Any]:
    pairs = getattr(rival, "pairs", None)
    if pairs is None:
        pairs = () if rival.pair is None else (rival.pair,)
    return {
        "field": str(getattr(rival, "field", None) or rival.grid).split("\n"),
        "pairs": [str(pair) for pair in pairs],
        "pending": getattr(rival, "waiting", getattr(rival, "pending", 0)),
        "coming": getattr(rival, "coming", None),
        "frames": getattr(rival, "frames", None),
    }


PROTOCOL: Final = 1
TIME_VARIABLE: Final = "OCHIBOT_ENGINE_MS"
TIME: Final = 2000
"""Milliseconds of processor time for a decision, if neither the user nor the variable gives another number."""
WALL: Final = 10
"""A decision may take this many times its processor time by the clock: other programs may be at work, too."""
START_SECONDS: Final = 60.0
"""Seconds by the clock that an engine may take to start."""


class EnginePlayer:
    """Plays by what an engine answers. The engine starts when it is first needed, in each process that forks anew.

    Raises EngineError, which loses a match, when the engine ends, breaks the protocol or takes too long.
    """

    watches = True

    def __init__(
        self, wanted: str, game: str, family: Family, rules: Any, seed: int | None, budget_ms: int | None = None
    ) -> None:
        """``wanted``: the command, or ``engine[NAME=VALUE]:COMMAND``. ``budget_ms``: the limit of time, if ``wanted``
        doesn't set it. Raises UsageError for a wrong setting.
        """
        self._command, given = named(wanted)
        settings = dict(given)
        time = settings.pop("time_ms", budget_ms)
        self._limit = _limit("time_ms", str(time)) if time is not None else _limit(TIME_VARIABLE, _variable())
        ponders = {"name": "ponder", "type": "boolean"}
        self._may_ponder: bool = value_of(ponders, settings.pop("ponder", "true"))
        self._settings = settings
        self._new = {"game": game, "family": family.name, "rules": asdict(rules), "seed": seed}
        self._family = family
        self._rules = rules
        self._engine: EngineProcess | None = None
        self._owner = 0
        self._ready: Mapping[str, Any] = {}
        self._turns = 0
        self._in_game = False
        self._pondered: tuple[str, str] | None = None
        self._fault: EngineError | None = None

    @property
    def budget(self) -> dict[str, int]:
        """The limit of time, for reports."""
        return {"budget_ms": round(1000 * self._limit)}

    @property
    def identity(self) -> str:
        """Everything that the user has said of the engine, for folders of runs."""
        return " ".join((self._command, *(f"{name}={value}" for name, value in sorted(self._settings.items()))))

    @property
    def name(self) -> str:
        """The name that the engine gives itself. Starts the engine."""
        self._running()
        name = self._ready.get("name")
        return brief(name) if isinstance(name, str) and name else brief(self._command)

    @property
    def options(self) -> Mapping[str, Stated]:
        """The options that the engine states. Starts the engine."""
        self._running()
        return stated(self._ready)

    def prepare(self) -> None:
        """Starts the engine and waits until it is ready to play."""
        engine = self._running()
        engine.send(type="isready")
        engine.receive(lambda said: said.get("type") == "readyok", "be ready", limit=None, wall=START_SECONDS)

    def choose(self, snapshot: Any) -> Any | None:
        """The engine's decision; None if it answers ``none`` and there is no legal placement."""
        fault, self._fault = self._fault, None
        if fault is not None:
            raise fault
        engine = self._running()
        facts = getattr(snapshot, "facts", None)
        if not self._in_game or (snapshot.field.count() == 0 and snapshot.score == 0):
            engine.send(type="new", **self._new, seat=1 if facts is None else facts.seat)
            self._in_game, self._pondered = True, None
        legal = self._family.placements(snapshot, self._rules)
        self._turns += 1
        turn = self._turns
        pondered, self._pondered = self._pondered, None
        kind = "hit" if pondered == (str(snapshot.field), str(snapshot.pair)) else "turn"
        engine.send(type=kind, id=turn, time_ms=round(1000 * self._limit), **turn_of(snapshot, legal))
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
            if type(said.get("column")) is not int:
                raise FieldError("the column must be a whole number")
            needles = ["needles"] if said.get("needles") is True else []
            words = (said.get("column"), said.get("partner"), *needles)
            named = self._family.named(snapshot, words, self._rules)  # type: ignore[attr-defined]
            return self._family.decide(snapshot, named, self._rules)
        except FieldError as error:
            answer = {key: said[key] for key in ("type", "column", "partner", "needles") if key in said}
            shown = self.name
            engine.close()
            raise EngineError(f"the engine {shown} answered {quoted(answer)}, but {error}") from None

    def ponder(self, snapshot: Any, decision: Any) -> None:
        """Lets an engine that can ponder think about the next turn while its answer is carried out.

        It gets the field that the decision leads to. So there is nothing to ponder if the game ends, nuisance is about
        to fall, or the next pair isn't shown.
        """
        facts, (following, *later) = getattr(snapshot, "facts", None), following_of(snapshot)
        waits = facts is not None and facts.pending
        if not self._may_ponder or self._ready.get("ponder") is not True or waits or str(following) == "??":
            return
        outcome = decision.outcome
        if self._engine is None or getattr(outcome, "over", False) or getattr(outcome, "game_over", False):
            return
        # a number of its own, so that an answer before the turn comes is dropped as stale
        self._turns += 1
        field, pair = str(getattr(outcome, "field", None) or outcome.grid), str(following)
        try:
            self._engine.send(
                type="ponder", id=self._turns, field=field.split("\n"), pair=pair, next=[str(one) for one in later]
            )
            self._pondered = field, pair
        except EngineError as error:
            self._fault = error  # it loses the game at its next turn

    def ended(self, result: str) -> None:
        """Tells the engine how the game has ended: won, lost, drawn or over (a game of one player)."""
        if self._engine is not None and self._in_game and self._owner == os.getpid() and self._engine.close.alive:
            self._engine.send(type="end", result=result)
        self._in_game, self._pondered, self._fault = False, None, None

    def processor_time(self) -> float:
        """Seconds of processor time that the engine has used; 0 where that isn't known."""
        return self._running().processor_time()

    def leave(self) -> bool:
        """Ends this process's engine. Returns whether it ended by itself."""
        engine, self._engine = self._engine, None
        if engine is None or self._owner != os.getpid():
            return True
        engine.close()
        return engine.left

    def _running(self) -> EngineProcess:
        engine = self._engine
        if engine is None or self._owner != os.getpid() or not engine.close.alive:
            engine = EngineProcess(self._command)
            engine.send(type="hello", protocol=PROTOCOL, program=f"ochibot {__version__}")
            self._ready = engine.receive(
                lambda said: said.get("type") == "ready", "answer hello", limit=None, wall=START_SECONDS
            )
            self._set_options(engine)
            self._engine, self._owner, self._in_game = engine, os.getpid(), False
        return engine

    def _set_options(self, engine: EngineProcess) -> None:
        if self._ready.get("protocol", PROTOCOL) != PROTOCOL:
            raise engine.wrong(f"speaks the protocol {quoted(self._ready['protocol'])}, not {PROTOCOL}")
        try:
            options = stated(self._ready)
        except ValueError as error:
            raise engine.wrong(str(error)) from None
        for name, text in self._settings.items():
            if name not in options:
                own = ", ".join(options) or "none of its own"
                raise UsageError(f"the engine has no option {quoted(name)}; it has {brief(own, 160)}, time_ms, ponder")
            engine.send(type="setoption", name=name, value=value_of(options[name], text))


def _variable() -> str:
    return os.environ.get(TIME_VARIABLE, str(TIME))


def _limit(name: str, said: str) -> float:
    """Seconds of processor time for a decision. ``name``: where ``said`` is from."""
    if not said.isdecimal() or not 1 <= int(said) <= 600_000:
        raise UsageError(f"{name} is {quoted(said)}: give the milliseconds of a decision, from 1 to 600000")
    return int(said) / 1000
