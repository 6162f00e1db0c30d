"""The part of a session with which a program plays by itself: frames, buttons, placements, savestates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ochibot.console import Button, HostedConsole, PlayedConsole, Rom
from ochibot.console.systems import find_system
from ochibot.errors import GameError, RecordError, UsageError
from ochibot.games import Game
from ochibot.games.protocols import AnySeat
from ochibot.keeping import Kept
from ochibot.quoting import quoted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL import Image

    from ochibot.play.manual import Locked, ManualSeat
    from ochibot.ram.bound import NamedRam
    from ochibot.record import Recorder


@dataclass(frozen=True, eq=False)
class SavedGame:
    """A moment of a session: the machine, and what the session knows besides (the pair in hand, its forecast, the
    buttons held). ``Session.load`` returns to it any number of times. It never changes.
    """

    _what: tuple[str, ...]
    _state: bytes
    _kept: Kept
    _pads: Kept

    def __repr__(self) -> str:
        return f"<SavedGame of {self._what[0]}, {len(self._state)} bytes>"


class Picture:
    """The picture on the screen, as an array or as an image."""

    def __init__(self, machine: PlayedConsole) -> None:
        self._machine = machine

    @property
    def ndarray(self) -> npt.NDArray[np.uint8]:
        """The picture as an array of height, width and red, green, blue; a copy."""
        return self._machine.frame()

    @property
    def image(self) -> Image.Image:
        """The picture as an image of PIL."""
        from PIL import Image

        return Image.fromarray(self._machine.frame())


class Buttons:
    """The buttons that a program holds on both pads, and for how many more frames."""

    def __init__(self, system: str) -> None:
        self._all = find_system(system).buttons
        self._held: dict[tuple[int, Button], int | None] = {}

    def press(self, button: str | Button, port: int, frames: int | None) -> None:
        """Holds a button for some frames (None: until it is released). Raises UsageError for a wrong one."""
        self._held[port, self._named(button, port)] = frames

    def release(self, button: str | Button, port: int) -> None:
        """Releases a button. Raises UsageError for a wrong one."""
        self._held.pop((port, self._named(button, port)), None)

    def pads(self) -> tuple[Button, Button]:
        """What each pad holds in the next frame, which counts as passed."""
        pads: list[Button] = [Button.NONE, Button.NONE]
        for (port, button), left in list(self._held.items()):
            pads[port - 1] |= button
            if left is not None:
                self._held[port, button] = left - 1
                if left <= 1:
                    del self._held[port, button]
        return pads[0], pads[1]

    def kept(self) -> Kept:
        """What is held, as a value that doesn't change."""
        return tuple((f"{port} {button.name}", frames) for (port, button), frames in self._held.items())

    def put_back(self, kept: Kept) -> None:
        """Holds what was held when ``kept`` was called."""
        self._held = {(int(word[0]), Button[word[2:]]): frames for word, frames in kept}

    def _named(self, button: str | Button, port: int) -> Button:
        if port not in (1, 2):
            raise UsageError(f"there is no port {quoted(port)}: give 1 or 2")
        known = {str(one.name).lower(): one for one in Button if one and one in self._all}
        found = button if isinstance(button, Button) else known.get(str(button).lower())
        if found is None or found not in known.values():
            raise UsageError(f"there is no button {quoted(button)} on this pad; give one of {', '.join(known)}")
        return found


class ByHand(ABC):
    """A session's methods for a program that makes the decisions itself.

    The words are those of PyBoy: ``tick``, ``button``, ``button_press``, ``button_release``, ``screen``.
    """

    game: Game
    rom: Rom
    rules: Any
    console: HostedConsole
    machine: PlayedConsole
    recorder: Recorder | None

    def __init__(self) -> None:
        self._manual: ManualSeat | None = None
        self._buttons = Buttons(self.rom.system)
        # what RAM holds before the first frame; None once it is known that frames have run
        self._power_on: bytes | None = self.console.ram.everything()

    @abstractmethod
    def seats(self, mode: str | None = None) -> tuple[AnySeat, ...]:
        """Makes new seats for a mode, seat 1 first."""

    @abstractmethod
    def wait(self) -> None:
        """Runs the frames by which the seed delays START."""

    @abstractmethod
    def reach(self, seat: AnySeat) -> None:
        """Goes through the menus to the first spawn of a seat."""

    def start(self) -> Any:
        """Goes to the first spawn of the one-player mode, from power-on or after a reset. Returns the snapshot."""
        if self._manual is not None:
            self.machine.reset()
        self.wait()
        return self.manual.start()

    @property
    def manual(self) -> ManualSeat:
        """Seat 1 for a program that makes the decisions itself. ``start``, ``place`` and others use it."""
        from ochibot.play.manual import ManualSeat

        if self._manual is None:
            (seat,) = self.seats()
            self._manual = ManualSeat(self.machine, seat, lambda: self.reach(seat), watcher=self.recorder)
        return self._manual

    @property
    def ram(self) -> NamedRam:
        """Reads RAM by the names of seat 1's map (``ram["score"]``) or by address (``ram[0x6F]``).

        Names raise GameError before the first frame, because the bytes of a machine just switched on mean nothing.
        """
        from ochibot.ram.bound import NamedRam

        return NamedRam(self.manual.seat.map, self.console.ram, self._check_begun)

    def _check_begun(self) -> None:
        """Raises GameError while RAM is as it was at power-on."""
        if self._power_on is not None:
            if self._power_on == self.console.ram.everything():
                raise GameError("play hasn't begun: RAM is as it was at power-on; start() the game, or tick() it")
            self._power_on = None

    @property
    def screen(self) -> Picture:
        """The picture on the screen: ``screen.image`` for PIL, ``screen.ndarray`` for numpy."""
        return Picture(self.machine)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.manual.over

    def tick(self, frames: int = 1) -> bool:
        """Runs frames with the buttons that are held. Returns whether the game goes on; False: it is over."""
        for _ in range(frames):
            self.manual.step(*self._buttons.pads())
        return not self.manual.over

    def button(self, button: str | Button, delay: int | None = None, port: int = 1) -> None:
        """Presses a button in the next frames, and releases it by itself. Call ``tick`` to run them.

        delay: for how many frames it is held (None: as many as the game wants). port: the pad, 1 or 2. Raises
        UsageError for a button that the machine doesn't have.
        """
        tap = getattr(self.manual.seat, "tap", (1, 1))
        self._buttons.press(button, port, tap[0] if delay is None else delay)

    def button_press(self, button: str | Button, port: int = 1) -> None:
        """Holds a button of the pad in ``port`` (1 or 2) until ``button_release``.

        Raises UsageError for a button that the machine doesn't have.
        """
        self._buttons.press(button, port, None)

    def button_release(self, button: str | Button, port: int = 1) -> None:
        """Releases a button of the pad in ``port`` (1 or 2).

        Raises UsageError for a button that the machine doesn't have.
        """
        self._buttons.release(button, port)

    def save(self) -> SavedGame:
        """This moment of the game, to return to with ``load`` any number of times.

        Unlike a savestate of the console, it holds what the session knows besides. So ``place`` after a ``load`` is
        checked as strictly as before. Raises RecordError while recording, ConsoleError if the core makes no savestates.
        """
        self._check_unrecorded("save")
        self.manual.look()
        return SavedGame(self._identity(), self.machine.save(), self.manual.kept(), self._buttons.kept())

    def load(self, saved: SavedGame) -> None:
        """Returns to a moment that ``save`` returned, in this session or another one of the same game, ROM and core.

        Raises RecordError while recording, UsageError for a moment of another game.
        """
        self._check_unrecorded("load")
        if not isinstance(saved, SavedGame):
            raise UsageError(f"load() takes what save() returned, not {quoted(saved)}")
        if saved._what != self._identity():
            raise UsageError(f"the moment is of {saved._what[0]} with another ROM, core or map: open that game")
        self.machine.load(saved._state)
        self.manual.put_back(saved._kept)
        self._buttons.put_back(saved._pads)
        self._power_on = None

    def _identity(self) -> tuple[str, ...]:
        machine, seat = self.machine, self.manual.seat
        return self.game.name, self.rom.sha1, machine.core_name, machine.core_version, seat.map.map.name

    def _check_unrecorded(self, act: str) -> None:
        if self.recorder is not None:
            raise RecordError(
                f"can't {act}() while recording, because a record counts each pair once; use machine.save() and "
                "machine.load(), which are recorded as jumps, or open another session without a record"
            )

    def snapshot(self) -> Any:
        """What a player sees now. Raises GameError while RAM shows no pair."""
        self.manual.look()
        return self.manual.seat.snapshot()

    def next_pair(self) -> Any:
        """Runs frames until a pair is out, for example after a savestate from the middle of a chain was loaded.

        Runs none if a pair is out. Returns the snapshot. Raises GameError when the game ends before.
        """
        return self.manual.next_pair()

    def placements(self) -> Sequence[Any]:
        """All placements where the pair that is out can lock. Raises GameError while none is out."""
        return self.game.family.placements(self.manual.snapshot, self.rules)

    def place(self, placement: Any, speed: int = 10) -> Locked:
        """Steers the pair to a placement; runs to the next spawn or the game's end. Returns the result of the lock.

        placement: one of ``placements()``, or a tuple of the column and where the partner lies, such as ``(3, "up")``
        (the highest place of that column; Pochi & Nyaa also takes ``(3, "up", "needles")``). speed: 1 to 10. Raises
        GameError while no pair is out, and when the pair can't get there from where it is now.
        """
        return self.manual.place(placement, speed)
