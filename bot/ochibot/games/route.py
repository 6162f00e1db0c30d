"""A route through a game's menus as data: taps, and what RAM must show before the next one.

A route is a list of steps, or one text with commas between them::

    start, wait until mode = 1, down x 2, a until spawn

==========================  ==========================================================================================
step                        what it does
==========================  ==========================================================================================
``start``, ``a+b``          one tap of a button, or of several at once
``down x 3``                this many taps
``a until CONDITION``       taps until the condition holds; doesn't tap if it already holds
``wait until CONDITION``    presses nothing until it holds
``wait 60``                 lets this many frames pass; use it only where RAM shows nothing to wait for
==========================  ==========================================================================================

``p2`` before a button taps on the second pad. A condition is ``spawn`` (a pair has just appeared), ``ENTRY changes``
(since the step began), or ``ENTRY = N`` with ``=``, ``!=``, ``<``, ``>``, ``<=``, ``>=``; ``and`` joins several. ENTRY
is an entry of the map, or an address such as ``0x6F``. N is a number, ``$mode`` (the value of the mode that is wanted)
or ``$NAME`` (what was chosen for the menu option NAME). A step that names an option which nobody chose is left out.
``within N`` at the end gives a step more or fewer frames than PATIENCE.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ochibot.console import Button, Machine
from ochibot.errors import ConsoleError, GameError, MapError, UsageError
from ochibot.games.menu import TAP_OFF, TAP_ON
from ochibot.quoting import brief, quoted
from ochibot.ram import BoundMap
from ochibot.wording import counted
from ochibot.yamlfile import nearest

PATIENCE: Final = 1800
"""The most frames that a step with a condition may take: half a minute on the real machine."""

MOST_STEPS: Final = 200
MOST_SIGNS: Final = 200
MOST_TAPS: Final = 200
MOST_FRAMES: Final = 20_000

SPAWN: Final = "spawn"
MODE: Final = "mode"

_COMPARE: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_BUTTONS: Final = {str(button.name).lower(): button for button in Button if button}

_STEP = re.compile(
    r"(?:p(?P<pad>[12])\s+)?(?P<press>[a-z0-9+]+)"
    r"(?:\s+(?:x\s*(?P<times>\d{1,5})|(?P<frames>\d{1,5})|until\s+(?P<until>.+?)))?"
    r"(?:\s+within\s+(?P<within>\d{1,5}))?",
    re.IGNORECASE,
)
_TEST = re.compile(
    r"(?P<name>0x[0-9a-f]{1,8}|[a-z_]\w*)\s*(?:(?P<how>==|!=|<=|>=|=|<|>)\s*(?P<value>-?\d{1,9}|0x[0-9a-f]{1,8}|\$\w+)"
    r"|\s(?P<changes>changes))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Test:
    """A part of a condition. name: an entry's name, an address, or SPAWN. how: a comparison, or ``changes``.

    value: a number, or the name of a choice.
    """

    name: str
    how: str = ""
    value: int | str = 0

    @property
    def address(self) -> int | None:
        """The address; None when ``name`` is an entry or SPAWN."""
        return int(self.name, 16) if self.name.lower().startswith("0x") else None


@dataclass(frozen=True)
class RouteStep:
    """One step. press: the button to tap (NONE: wait). times: the number of taps. frames: how long to wait. until: the
    tests that must all hold. within: the frames that a step with tests may take.
    """

    text: str
    press: Button = Button.NONE
    pad: int = 1
    times: int = 1
    frames: int = 0
    until: tuple[Test, ...] = ()
    within: int = PATIENCE

    @property
    def choices(self) -> frozenset[str]:
        """The menu options, and ``mode``, whose values the step's tests need."""
        return frozenset(test.value for test in self.until if isinstance(test.value, str))

    @property
    def ends_in_play(self) -> bool:
        """Whether the step waits for a spawn."""
        return any(test.name == SPAWN for test in self.until)


@dataclass(frozen=True)
class Route:
    """The steps of a route, in order."""

    steps: tuple[RouteStep, ...]

    @classmethod
    def parse(cls, said: object) -> Route:
        """Parses a route from a text or a list of texts. Raises ValueError, naming the step and what is wrong with
        it.
        """
        parts = [said] if isinstance(said, str) else said
        if not isinstance(parts, list | tuple):
            raise ValueError(f"a menu route is a list of steps such as [start, a until spawn], not {quoted(said)}")
        texts: list[str] = []
        for part in parts:
            if not isinstance(part, str):
                raise ValueError(f"a step is a text such as 'a until spawn', not {quoted(part)}")
            texts += [" ".join(text.split()) for text in part.split(",")]
        if not texts or len(texts) > MOST_STEPS:
            raise ValueError(f"a menu route has 1 to {MOST_STEPS} steps, not {len(texts)}")
        return cls(tuple(map(_step, texts)))

    @property
    def names(self) -> frozenset[str]:
        """The names of the map entries that the route reads."""
        tests = (test for step in self.steps for test in step.until)
        return frozenset(test.name for test in tests if test.name != SPAWN and test.address is None)

    @property
    def choices(self) -> frozenset[str]:
        """The menu options that the route sets, including ``mode`` if it sets the mode."""
        return frozenset().union(*(step.choices for step in self.steps))


def _step(text: str) -> RouteStep:
    if len(text) > MOST_SIGNS:
        raise ValueError(f"the step {quoted(text)} is longer than {MOST_SIGNS} letters; give one such as a until spawn")
    match = _STEP.fullmatch(text)
    if match is None:
        raise ValueError(f"the step {quoted(text)} makes no sense: give one such as start, down x 3, a until mode = 1")
    press, frames = match["press"].lower(), int(match["frames"] or 0)
    within = int(match["within"] or PATIENCE)
    if not 0 < within <= MOST_FRAMES:
        raise ValueError(f"the step {quoted(text)}: within goes from 1 to {MOST_FRAMES:,}")
    tests = tuple(_test(text, part) for part in re.split(r"\s+and\s+", match["until"])) if match["until"] else ()
    if press == "wait":
        if match["pad"] or match["times"] or not (tests or frames) or frames > MOST_FRAMES:
            raise ValueError(
                f"the step {quoted(text)}: give wait until CONDITION, or wait N (frames, to {MOST_FRAMES:,})"
            )
        return RouteStep(text, frames=frames, until=tests, within=within)
    if frames:
        raise ValueError(f"the step {quoted(text)}: several taps are said with x, such as {press} x {frames}")
    times = int(match["times"] or 1)
    if not 1 <= times <= MOST_TAPS:
        raise ValueError(f"the step {quoted(text)}: give 1 to {MOST_TAPS} taps")
    button = Button.NONE
    for name in press.split("+"):
        if name not in _BUTTONS:
            raise ValueError(
                f"the step {quoted(text)}: there is no button {quoted(name)}; known are {', '.join(_BUTTONS)}"
            )
        button |= _BUTTONS[name]
    return RouteStep(text, button, int(match["pad"] or 1), times, until=tests, within=within)


def _test(step: str, text: str) -> Test:
    if text.lower() == SPAWN:
        return Test(SPAWN)
    match = _TEST.fullmatch(text)
    if match is None:
        raise ValueError(
            f"the step {quoted(step)}: {quoted(text)} is no condition: give spawn, ENTRY changes, or ENTRY = N"
        )
    if match["changes"]:
        return Test(match["name"], "changes")
    said = match["value"]
    return Test(match["name"], match["how"], said[1:] if said.startswith("$") else int(said, 0))


class RouteWalker:
    """Follows a route in ``machine`` until the first pair appears. A seat's ``update`` is called after every frame.

    choices: the values of the menu options that were chosen, and of ``mode``. origin: whose route it is, for messages.
    """

    def __init__(
        self,
        machine: Machine,
        route: Route,
        bound: BoundMap,
        update: Callable[[], bool],
        choices: Mapping[str, int],
        *,
        origin: str,
        stopped: Callable[[], bool] = lambda: False,
        sign: Callable[[], str] = lambda: "",
        tap: tuple[int, int] = (TAP_ON, TAP_OFF),
    ) -> None:
        """``sign`` returns words for the message of a step that waited for a spawn in vain. ``tap``: frames for which
        a button is held, and released, at least.

        Raises UsageError for a choice that the route doesn't make, MapError for an entry that the map lacks.
        """
        self.frames = 0
        self._machine = machine
        self._route = route
        self._bound = bound
        self._update = update
        self._choices = choices
        self._origin = origin
        self._stopped = stopped
        self._sign = sign
        self._on = max(TAP_ON, tap[0])
        self._tap = self._on + max(TAP_OFF, tap[1])
        self._spawned = False
        self._held = False
        if idle := sorted(name for name in choices if name != MODE and name not in route.choices):
            raise UsageError(
                f"the menu route of {origin} doesn't choose {idle[0]}: add a step such as 'right until {idle[0]} = "
                f"${idle[0]}', or leave --{idle[0]} out"
            )
        self._read = {test.name: self._reader(step, test) for step in route.steps for test in step.until}

    def _reader(self, step: RouteStep, test: Test) -> Callable[[], int]:
        if test.name == SPAWN:
            return lambda: int(self._spawned)
        if test.address is None:
            meant = "" if test.name in self._bound else nearest(test.name, self._bound.map.entries)
            return self._bound.reader(test.name, f"the menu step {quoted(step.text)} looks at{meant}")
        ram, address = self._machine.ram, test.address
        try:
            ram.index(address)
        except ConsoleError as error:
            raise MapError(f"the menu step {quoted(step.text)}: {error}") from None
        return lambda: ram[address]

    def walk(self) -> None:
        """Walks the route. Raises GameError naming the step where it stops, and KeyboardInterrupt as soon as
        ``stopped()``.
        """
        steps = [step for step in self._route.steps if step.choices <= self._choices.keys()]
        if not steps or not steps[-1].ends_in_play:
            steps.append(RouteStep("wait until spawn", until=(Test(SPAWN),)))
            # the game may begin during the last step
            before_last = len(steps) - 2
        else:
            before_last = len(steps) - 1
        for number, step in enumerate(steps):
            self._do(number, step, len(steps), in_play=number >= before_last)
            if self._spawned and number >= before_last:
                return

    def _do(self, number: int, step: RouteStep, of: int, *, in_play: bool) -> None:
        began = {test.name: self._read[test.name]() for test in step.until if test.name != SPAWN}
        left = step.within if step.until else step.frames or self._tap * step.times
        pressed = 0
        while not self._holds(step, began):
            if not left:
                if not step.until:
                    return
                raise self._stuck(number, step, of)
            on = bool(step.press) and pressed % self._tap < self._on
            if on and not pressed and self._held:
                # the previous step's tap must end before this step's begins
                self._frame(step, on=False)
            self._frame(step, on=on)
            pressed += 1
            left -= 1
            if self._spawned and in_play:
                return

    def _frame(self, step: RouteStep, *, on: bool) -> None:
        if self._stopped():
            raise KeyboardInterrupt
        pads = [Button.NONE] * (step.pad - 1) + [step.press if on else Button.NONE]
        self._machine.step(*pads)
        self._held = on
        self.frames += 1
        self._spawned = self._update()

    def _holds(self, step: RouteStep, began: Mapping[str, int]) -> bool:
        return bool(step.until) and all(self._true(test, began) for test in step.until)

    def _true(self, test: Test, began: Mapping[str, int]) -> bool:
        if test.name == SPAWN:
            return self._spawned
        now = self._read[test.name]()
        if test.how == "changes":
            return now != began[test.name]
        wanted = self._choices[test.value] if isinstance(test.value, str) else test.value
        return _COMPARE[test.how](now, wanted)

    def _stuck(self, number: int, step: RouteStep, of: int) -> GameError:
        shown: dict[str, Any] = {name: read() for name, read in self._read.items() if name != SPAWN}
        for name in (MODE, "state"):
            if name in self._bound and not self._bound.map.entries[name].is_grid:
                shown.setdefault(name, self._bound.value(name))
        values = ", ".join(f"{brief(name)} = {value}" for name, value in shown.items())
        why = self._sign() if any(test.name == SPAWN for test in step.until) else ""
        return GameError(
            f"the menu route of {self._origin} stopped at step {number + 1} of {of}, {quoted(step.text)}, after "
            f"{counted(step.within, 'frame')}{'; then ' if values else ''}{values}{'; ' if why else ''}{why}"
        )
