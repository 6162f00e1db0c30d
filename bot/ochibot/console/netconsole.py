"""A game that runs in somebody's RetroArch, as a console. It has no savestates, and its memory is only read.

In *lockstep* RetroArch is paused, and each step is one frame. Otherwise the game runs on by itself: a step waits for
its next frame, presses take effect a frame or two late, and frames may be missed (``missed``).
"""

from __future__ import annotations

import contextlib
import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import TracebackType
from typing import Final, NoReturn, Self

import numpy as np
import numpy.typing as npt

from ochibot.console.buttons import Button
from ochibot.console.netcommands import ACHIEVEMENT_BASES, NO_ACHIEVEMENTS, Address, Commands, Status, Wanted, spans_of
from ochibot.console.netpads import NetPad, release_all
from ochibot.console.ram import Ram
from ochibot.console.rom import Rom
from ochibot.console.systems import Made, find_system
from ochibot.errors import ConsoleError
from ochibot.quoting import brief, quoted

FPS: Final = 60.0
STILL_SECONDS: Final = 0.05
"""If memory doesn't change for so long while the game runs on, the step ends: some games sleep in some frames."""

STILL_STEPS: Final = 100
"""A game whose memory hasn't changed in so many steps has stopped."""

PAUSED_TRIES: Final = 50
"""A paused game is looked at so often before the run ends, ten times a second."""

FRAME_READS: Final = 8
"""In lockstep, a frame shows in memory within so many reads. Otherwise its command was lost, and is sent again."""

FRAME_TRIES: Final = 4
LOCKED_STEPS: Final = 20
"""In lockstep, a game whose memory hasn't changed in so many steps isn't running. While a game loads its next screen,
its memory may stand still for many frames.
"""

TOGGLE_TRIES: Final = 8
MENDED: Final = 3
"""If the game runs on in lockstep, it is paused again, at most so often."""

RESET_FRAMES: Final = 60
"""A reset shows within so many frames. Otherwise its command was lost, and is sent again."""

TAP: Final = (8, 3)
"""For how many frames a button is held at most until it shows, and then released, while the game runs on."""

GAP: Final = 30
"""After so many missed frames all buttons are released, for the pilot's plan is old."""

_PAUSE_BETWEEN_READS: Final = 0.001
_PAUSE_AFTER_TOGGLE: Final = 0.01
_SMALL: Final = 0x2000
_WATCHED_FRAMES: Final = 24
_FOUND: Final = 0.8
_MOST_MISSED: Final = 60


class RetroArchConsole:
    """A ``HostedConsole`` over the network commands of a running RetroArch. Close it, so that no button stays held.

    missed: how many frames of the game passed without a step. on_missed: is called in lockstep when that has happened.
    begun_again: says whether the game shows that it was reset just now; None if that can't be seen. arrived: when the
    memory came that is shown now, by ``time.perf_counter``.
    """

    def __init__(self, rom: Rom, address: Address, *, lockstep: bool = False, ports: tuple[int, ...] = (0,)) -> None:
        """``rom``: the game that should run there. ``ports``: the pads that may be pressed, from 0.

        Raises ConsoleError if no RetroArch answers, or if it plays another game or shows no memory.
        """
        self.rom = rom
        self.lockstep = lockstep
        self.missed = 0
        self.on_missed: Callable[[], None] = lambda: None
        self.begun_again: Callable[[], bool] | None = None
        self.core_file = "retroarch"
        self.core_sha1 = "0" * 40
        self.made = Made.ALL
        self.sample_rate = 44_100.0
        self.fps = FPS
        self.picture_size = (0, 0)
        self.frames_shown = 0
        self.arrived = 0.0
        self._paused = self._closed = False
        self._pads: list[NetPad] = []
        self._still = self._mended = 0
        self._commands = Commands(address)
        try:
            self._status = self._checked(self._commands.status())
            self.core_name = self._status.core
            self.core_version = "in RetroArch"
            system = find_system(rom.system)
            layout = system.ram
            size = layout.last - layout.base + 1
            command, base = self._memory(layout.base)
            self.raw: npt.NDArray[np.uint8] = np.zeros(size, np.uint8)
            self.ram = Ram(self.raw, layout)
            self._wanted = Wanted(command, base, tuple(spans_of(range(size))))
            self._counter: int | None = None
            self._sure = False
            self._pads = [NetPad(self._commands, port, system.buttons) for port in ports]
            if lockstep and self._status.state == "PLAYING":
                self._paused = True
                self._toggle("PAUSED")
            self._refresh()
        except BaseException:
            self._let_go()
            raise

    @property
    def tap(self) -> tuple[int, int]:
        """For how many frames a press must be held, and then released, to be seen for sure."""
        return (1, 1) if self.lockstep else TAP

    def watch(self, addresses: Iterable[int]) -> None:
        """Reads only these addresses from now on (and what lies between neighbours). In lockstep, small memory is still
        read whole, because nearly every frame changes something there.
        """
        if self.lockstep and len(self.raw) <= _SMALL:
            return
        spans = spans_of(self.ram.index(address) for address in addresses if address in self.ram)
        self._wanted = replace(self._wanted, spans=tuple(spans), counter=None)
        self._counter = None
        self._refresh()

    # -- what a console does

    def step(self, first: int = 0, second: int = 0, /, *_: int) -> None:
        """Presses the pads and waits for the game's next frame. Raises ConsoleError when none comes."""
        for pad in self._pads:
            pad.press(Button((first, second)[pad.port]))
        before = self.raw.tobytes()
        changed = self._advance(before) if self.lockstep else self._wait(before)
        self.frames_shown += 1
        if not changed:
            self._still += 1
            if self.lockstep and self._sure and self._still >= LOCKED_STEPS:
                raise ConsoleError("RetroArch takes no single frames: leave out --lockstep, or start it again")
            if self._counter is not None and self._still > STILL_STEPS:
                raise ConsoleError("the game in RetroArch stands still: let it run on there, then begin again")
            return
        self._still = 0
        if self._counter is None:
            return
        passed = (int(self.raw[self._counter]) - before[self._counter]) % 256
        if 1 < passed < _MOST_MISSED:
            self.missed += passed - 1
            if self.lockstep:
                self.on_missed()
        if passed >= GAP:
            self._release()

    def _wait(self, before: bytes) -> bool:
        """Waits for the next frame of a game that runs on by itself. Returns whether memory has changed."""
        began = time.monotonic()
        tries = 0
        while True:
            self._refresh()
            if self._status.state == "PAUSED":
                tries += 1
                if tries > PAUSED_TRIES:
                    raise ConsoleError(
                        "RetroArch is paused: let the game run on there, then start this command again (or use "
                        "--lockstep)"
                    )
                time.sleep(0.1)
                continue
            if tries:
                self._release()
                tries, began = 0, time.monotonic()
            if self.raw.tobytes() != before:
                return True
            if time.monotonic() - began > STILL_SECONDS:
                return False
            # RetroArch answers as long as questions come, and its game waits meanwhile
            time.sleep(_PAUSE_BETWEEN_READS)

    def _advance(self, before: bytes) -> bool:
        """Lets a paused game run one frame. Returns whether memory has changed."""
        for _ in range(FRAME_TRIES):
            self._commands.tell("FRAMEADVANCE")
            for _ in range(FRAME_READS):
                self._refresh()
                if self._status.state == "PLAYING":
                    self._pause_again()
                if self._shows_another(before):
                    break
                time.sleep(_PAUSE_BETWEEN_READS)
            if self.raw.tobytes() != before:
                self._settle()
                return True
            if not self._sure and len(self.raw) > _SMALL:
                return False  # a frame that changes nothing of what is read looks like a lost command
        return False

    def _shows_another(self, before: bytes) -> bool:
        """Whether memory shows another frame than ``before``: by the game's counter if it is known for sure."""
        if not self._sure:
            return self.raw.tobytes() != before
        assert self._counter is not None
        return int(self.raw[self._counter]) != before[self._counter]

    def _settle(self) -> None:
        """Reads memory until it is that of the frame's end. Some cores ask for the pads in the middle of a frame, and
        RetroArch answers commands then, too.
        """
        for _ in range(FRAME_READS):
            seen = self.raw.tobytes()
            self._refresh()
            if self.raw.tobytes() == seen:
                return

    def _pause_again(self) -> None:
        """Somebody, or a command that came late, has let the game run on. Frames were missed, so that is noted."""
        self._mended += 1
        if self._mended > MENDED:
            raise ConsoleError(
                "the game in RetroArch runs on, although it was paused for --lockstep: leave the pause to the bot, or "
                "leave out --lockstep"
            )
        self.missed += 1
        self.on_missed()
        self._toggle("PAUSED")
        self._refresh()

    def _release(self) -> None:
        for pad in self._pads:
            pad.release()

    def count_by(self, address: int) -> None:
        """Counts missed frames by the byte at this address, to which the game adds 1 in every frame."""
        self._count_at(self.ram.index(address), sure=True)

    def _count_at(self, place: int, *, sure: bool) -> None:
        self._counter, self._sure = place, sure
        self._wanted = replace(self._wanted, counter=place)
        self._refresh()

    def find_counter(self) -> bool:
        """Looks for a byte that grows by one in every frame, so that missed frames are counted. Returns whether there
        is one. It may be a byte that does so only for a while; ``count_by`` takes one that is known.
        """
        rows = [self.raw.copy()]
        for _ in range(_WATCHED_FRAMES):
            self.step()
            rows.append(self.raw.copy())
        stacked = np.stack(rows)
        grown = stacked[1:] - stacked[:-1]  # modulo 256
        share = (grown == 1).mean(axis=0)
        # a counter misses what the steps miss, but it never stands still or goes back
        steady = (share >= _FOUND) & (grown >= 1).all(axis=0) & (grown <= 8).all(axis=0)
        places = np.flatnonzero(steady)
        if len(places):
            self._count_at(int(places[0]), sure=False)
        return bool(len(places))

    def reset(self) -> None:
        """Presses the reset button. Raises ConsoleError if the game doesn't begin again, as far as that is seen."""
        for _ in range(TOGGLE_TRIES):
            # a second reset at once does nothing more, so the command may be repeated
            self._commands.tell("RESET")
            for _ in range(2 if self.begun_again is None else RESET_FRAMES):
                self.step()
                if self.begun_again is not None and self.begun_again():
                    return
            if self.begun_again is None:
                return
        raise ConsoleError("RetroArch didn't reset its game: start the game there again, then this command")

    def make(self, wanted: Made) -> None:
        """RetroArch makes what its own settings say."""

    def keep_video(self, on: bool) -> None:
        """No pictures come from RetroArch."""

    def keep_audio(self, on: bool) -> None:
        """No sound comes from RetroArch."""

    def audio(self) -> npt.NDArray[np.int16]:
        """No sound comes from RetroArch."""
        return np.zeros((0, 2), np.int16)

    def frame(self) -> npt.NDArray[np.uint8]:
        """Raises ConsoleError: RetroArch shows its picture itself."""
        raise ConsoleError("no pictures come from RetroArch: leave out what needs them")

    def save(self) -> bytes:
        """Raises ConsoleError: RetroArch keeps its savestates to itself."""
        self._no_states()

    def load(self, state: bytes) -> None:  # noqa: ARG002
        """Raises ConsoleError: RetroArch keeps its savestates to itself."""
        self._no_states()

    def try_state(self, *states: bytes) -> None:  # noqa: ARG002
        """Raises ConsoleError: RetroArch keeps its savestates to itself."""
        self._no_states()

    def _no_states(self) -> NoReturn:
        raise ConsoleError("there are no savestates with RetroArch: leave out what needs them")

    def let_go(self) -> None:
        """Releases all buttons. It may be called from a signal handler."""
        with contextlib.suppress(ConsoleError):
            release_all(self._pads)

    def close(self) -> None:
        """Releases all buttons, and lets a game run on that this console paused. Closing twice does nothing."""
        if self._closed:
            return
        self._closed = True
        self._let_go()
        self.ram.close()

    def _let_go(self) -> None:
        try:
            self.let_go()
            if self._paused:
                with contextlib.suppress(ConsoleError):  # RetroArch has ended before us
                    self._toggle("PLAYING")
        finally:
            self._commands.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- the commands

    def _refresh(self) -> None:
        """Reads memory. Raises ConsoleError when RetroArch plays something else now."""
        moment = self._commands.moment(self._wanted)
        self.arrived = time.perf_counter()
        if moment.status != self._status:
            self._status = self._checked(moment.status)
        if not moment.spans:
            raise self._hidden()
        for first, data in moment.spans:
            self.raw[first : first + len(data)] = np.frombuffer(data, np.uint8)

    def _memory(self, base: int) -> tuple[str, int]:
        """The command that reads this core's work RAM, and the address of its first byte there."""
        if self._commands.read("READ_CORE_MEMORY", base, 16) is not None:
            return "READ_CORE_MEMORY", base
        place = ACHIEVEMENT_BASES.get(self.rom.system)
        if place is not None and self._commands.read("READ_CORE_RAM", place, 16) is not None:
            return "READ_CORE_RAM", place
        raise self._hidden()

    def _hidden(self) -> ConsoleError:
        more = f", {NO_ACHIEVEMENTS}" if self._commands.unknown else ""
        return ConsoleError(
            f"the core {self.core_name} shows its memory to nobody in RetroArch: choose another core for the game there"
            f"{more}"
        )

    def _checked(self, status: Status) -> Status:
        """Raises ConsoleError unless the wanted game is running."""
        if status.state not in ("PLAYING", "PAUSED"):
            raise ConsoleError(f"RetroArch runs no game: start {self.rom.name} there")
        crcs = {zlib.crc32(self.rom.data)}
        if self.rom.source.is_file():
            crcs.add(zlib.crc32(self.rom.source.read_bytes()))
        if status.crc not in (None, 0, *crcs) and status.content != self.rom.source.stem:
            raise ConsoleError(
                f"RetroArch plays {quoted(brief(status.content))}, another game than {self.rom.name}: start that "
                "one, or give the other's file with --rom"
            )
        return status

    def _toggle(self, wanted: str) -> None:
        """Pauses or goes on. A second command would undo the first, so what it did is looked up before."""
        for _ in range(TOGGLE_TRIES):
            if self._commands.status().state == wanted:
                return
            self._commands.tell("PAUSE_TOGGLE")
            for _ in range(FRAME_READS):
                if self._commands.status().state == wanted:
                    break
                time.sleep(_PAUSE_AFTER_TOGGLE)
        raise ConsoleError("RetroArch didn't take the command to pause: start this command again")
