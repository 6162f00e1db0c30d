"""A game that runs in somebody's RetroArch, as a console. It has no savestates, and its memory is only read.

In *lockstep* RetroArch is paused, and each step is one frame. Otherwise the game runs on by itself: a step waits for
its next frame, presses take effect a frame or two late, and frames may be missed (``missed``).
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable
from types import TracebackType
from typing import Final, NoReturn, Self

import numpy as np
import numpy.typing as npt

from ochibot.console.buttons import ALL_BUTTONS, Button
from ochibot.console.netcommands import Address, Commands, Status
from ochibot.console.ram import Ram
from ochibot.console.rom import Rom
from ochibot.console.systems import Made, find_system
from ochibot.errors import ConsoleError
from ochibot.quoting import brief, quoted

ACHIEVEMENT_BASES: Final = {
    "nes": 0,
    "gameboy": 0xC000,
    "mastersystem": 0,
    "gamegear": 0,
    "snes": 0,
    "pcengine": 0,
    "megadrive": 0,
    "neogeo": 0,
}
"""Where ``READ_CORE_RAM`` has a system's work RAM: the addresses of RetroAchievements (rcheevos' memory regions)."""

FPS: Final = 60.0
STILL_SECONDS: Final = 0.05
"""If memory doesn't change for so long while the game runs on, the step ends: some games sleep in some frames."""

LOST_SECONDS: Final = 1.0
"""If memory doesn't change for so long, RetroArch is asked what has happened."""

PAUSED_SECONDS: Final = 30.0
"""A paused game is waited for so long."""

TAP: Final = (8, 3)
"""For how many frames a button is held at most until it shows, and then released, while the game runs on."""

_LONGEST_SPAN: Final = 4096
_NEAR: Final = 48
_MOST_LINES: Final = 24
_WATCHED_FRAMES: Final = 24
_FOUND: Final = 0.8
_AGAIN_EVERY: Final = 8
_MOST_MISSED: Final = 60


def spans_of(places: Iterable[int]) -> list[tuple[int, int]]:
    """The spans (first, size) that cover all places in at most 24 reads, each of at most 4,096 bytes."""
    wanted = sorted(set(places))
    near = _NEAR
    while True:
        spans: list[list[int]] = []
        for place in wanted:
            if spans and place - spans[-1][1] <= near and place - spans[-1][0] < _LONGEST_SPAN:
                spans[-1][1] = place
            else:
                spans.append([place, place])
        if len(spans) <= _MOST_LINES or near > _LONGEST_SPAN:
            return [(first, last - first + 1) for first, last in spans]
        near *= 2


class RetroArchConsole:
    """A ``HostedConsole`` over the network commands of a running RetroArch. Close it, so that no button stays held.

    missed: how many frames of the game passed without a step, when it runs on by itself.
    """

    def __init__(self, rom: Rom, address: Address, *, lockstep: bool = False, ports: tuple[int, ...] = (0,)) -> None:
        """``rom``: the game that should run there. ``ports``: the pads that may be pressed, from 0.

        Raises ConsoleError if no RetroArch answers, or if it plays another game or shows no memory.
        """
        self.rom = rom
        self.lockstep = lockstep
        self.missed = 0
        self.core_file = "retroarch"
        self.core_sha1 = "0" * 40
        self.made = Made.ALL
        self.sample_rate = 44_100.0
        self.fps = FPS
        self.picture_size = (0, 0)
        self.frames_shown = 0
        self._ports = ports
        self._held = dict.fromkeys(ports, Button.NONE)
        self._since = dict.fromkeys(ports, 0)
        self._next_button = 0
        self._paused = False
        self._closed = False
        self._commands = Commands(address)
        try:
            status = self._checked(self._commands.status())
            self.core_name = status.core
            self.core_version = "in RetroArch"
            layout = find_system(rom.system).ram
            self._size = layout.last - layout.base + 1
            self._command, self._base = self._memory(layout.base)
            self.raw: npt.NDArray[np.uint8] = np.zeros(self._size, np.uint8)
            self.ram = Ram(self.raw, layout)
            self._spans = spans_of(range(self._size))
            for port in ports:
                self._commands.press(port, Button.NONE, find_system(rom.system).buttons)
            if lockstep and status.state == "PLAYING":
                self._toggle("PAUSED")
                self._paused = True
            self._counter: int | None = None
            self._quiet = 0.0
            self._refresh()
        except BaseException:
            self._commands.close()
            raise

    @property
    def tap(self) -> tuple[int, int]:
        """For how many frames a press must be held, and then released, to be seen for sure."""
        return (1, 1) if self.lockstep else TAP

    def watch(self, addresses: Iterable[int]) -> None:
        """Reads only these addresses from now on (and what lies between neighbours)."""
        self._spans = spans_of(self.ram.index(address) for address in addresses if address in self.ram)
        self._counter = None
        self._refresh()

    # -- what a console does

    def step(self, first: int = 0, second: int = 0, /, *_: int) -> None:
        """Presses the pads and waits for the game's next frame. Raises ConsoleError when none comes."""
        for port, pad in zip((0, 1), (first, second), strict=True):
            if port in self._held:
                self._press(port, Button(pad))
        before = self.raw.tobytes()
        if self.lockstep:
            self._commands.tell("FRAMEADVANCE")
        began = time.monotonic()
        while True:
            self._refresh()
            after = self.raw.tobytes()
            waited = time.monotonic() - began
            if after != before or (not self.lockstep and waited > STILL_SECONDS):
                break
            if waited > LOST_SECONDS:
                break  # in lockstep, a frame that changes nothing looks like a lost command
        if after == before:
            self._quiet += waited
            if self._quiet > LOST_SECONDS:
                self._quiet = 0.0
                self._wait_while_paused()
        else:
            self._quiet = 0.0
            if self._counter is not None:
                passed = (after[self._counter] - before[self._counter]) % 256
                self.missed += passed - 1 if 1 < passed < _MOST_MISSED else 0
        self.frames_shown += 1

    def count_by(self, address: int) -> None:
        """Counts missed frames by the byte at this address, to which the game adds 1 in every frame."""
        self._counter = self.ram.index(address)

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
        self._counter = int(places[0]) if len(places) else None
        return self._counter is not None

    def reset(self) -> None:
        """Presses the reset button."""
        self._commands.tell("RESET")
        self._refresh()

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

    def close(self) -> None:
        """Releases all buttons, and lets a game run on that this console paused. Closing twice does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            for port in self._ports:
                self._commands.press(port, Button.NONE, ALL_BUTTONS)
            if self._paused:
                self._commands.tell("PAUSE_TOGGLE")
        except ConsoleError:
            pass  # RetroArch has ended before us
        finally:
            self._commands.close()
            self.ram.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- the commands

    def _press(self, port: int, pad: Button) -> None:
        changed = self._held[port] ^ pad
        self._since[port] = 0 if changed else self._since[port] + 1
        if not changed and self._since[port] % _AGAIN_EVERY == 0:
            # A datagram may have been lost, so the buttons are set again, in turns. RetroArch takes one datagram a
            # frame: more of them would make later presses wait.
            changed = Button(1 << self._next_button)
            self._next_button = (self._next_button + 1) % 16
        self._commands.press(port, pad, changed)
        self._held[port] = pad

    def _refresh(self) -> None:
        for first, data in self._commands.read_all(self._command, self._base, self._spans):
            self.raw[first : first + len(data)] = np.frombuffer(data, np.uint8)

    def _memory(self, base: int) -> tuple[str, int]:
        """The command that reads this core's work RAM, and the address of its first byte there."""
        if self._commands.read("READ_CORE_MEMORY", base, 16) is not None:
            return "READ_CORE_MEMORY", base
        place = ACHIEVEMENT_BASES.get(self.rom.system)
        if place is not None and self._commands.read("READ_CORE_RAM", place, 16) is not None:
            return "READ_CORE_RAM", place
        raise ConsoleError(
            f"the core {self.core_name} shows its memory to nobody in RetroArch: choose another core for the game there"
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
        """Pauses or goes on. The command can't be repeated safely, so what it did is looked up."""
        self._commands.tell("PAUSE_TOGGLE")
        began = time.monotonic()
        while self._commands.status().state != wanted:
            if time.monotonic() - began > LOST_SECONDS:
                raise ConsoleError("RetroArch didn't take the command to pause: start this command again")

    def _wait_while_paused(self) -> None:
        """Waits until a paused game goes on. Raises ConsoleError if it doesn't, or isn't the same game any more."""
        began = time.monotonic()
        while self._checked(self._commands.status()).state == "PAUSED" and not self.lockstep:
            if time.monotonic() - began > PAUSED_SECONDS:
                raise ConsoleError("RetroArch is paused: let the game run on there, then start this command again")
            time.sleep(0.1)
