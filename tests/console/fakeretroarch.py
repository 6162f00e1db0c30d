"""Answers network commands as RetroArch 1.14 does, for a tiny machine: each frame adds 1 to one byte of its memory, and
shows the pads in others. A cartridge of ours in a core can stand in its place.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Protocol, Self

from ochibot.console import Console, find_core, load_nes_rom
from ochibot.console.netcommands import Address
from ochibot.data import data_path

SIZE = 0x800
COUNTER, PAD = 5, 6
OCHIDAMA = data_path("roms/homebrew/famicom/ochidama.nes")
_PAD = struct.Struct("<iiiiHxx")


class Machine(Protocol):
    """What the fake plays. ram: its memory now."""

    @property
    def ram(self) -> bytes | bytearray: ...

    def frame(self, pads: list[int]) -> None: ...

    def reset(self) -> None: ...


class Toy:
    """Counts its frames in memory, and shows the pads of both players."""

    def __init__(self) -> None:
        self.ram = bytearray(SIZE)

    def frame(self, pads: list[int]) -> None:
        self.ram[COUNTER] = (self.ram[COUNTER] + 1) % 256
        for port, pad in enumerate(pads):
            self.ram[PAD + 2 * port : PAD + 2 * port + 2] = pad.to_bytes(2, "little")

    def reset(self) -> None:
        self.ram[:] = bytes(SIZE)


class Cartridge:
    """Our Famicom cartridge in a core. It is opened in the thread that uses it."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.ram = b""
        self._console: Console | None = None

    def _opened(self) -> Console:
        if self._console is None:
            self._console = self._stack.enter_context(Console.open(find_core("nes"), load_nes_rom(OCHIDAMA)))
        return self._console

    def frame(self, pads: list[int]) -> None:
        console = self._opened()
        console.step(*pads)
        self.ram = console.ram.snapshot()

    def reset(self) -> None:
        self._opened().reset()

    def close(self) -> None:
        self._stack.close()


class FakeRetroArch:
    """Runs in a thread of its own, in ``with``. While it plays, one frame passes for each read.

    lost: the numbers of the datagrams (from 0) that get lost on their way here. twice: whether all answers come twice.
    leaps: how many frames pass for a read. commands: what came. memory_map: whether READ_CORE_MEMORY works. deaf:
    commands (whole, or their first words) that do nothing and aren't answered. halfway: None, or a place in memory; the
    core then asks for the pads in the middle of a frame, and the first read after FRAMEADVANCE is answered there: of
    what the frame changes, it shows that byte alone. person: what a person presses on the first pad in each frame.
    datagrams: how many came to each pad's port.
    """

    def __init__(self, *, crc: int, state: str = "PLAYING", machine: Machine | None = None) -> None:
        self.crc = crc
        self.state = state
        self.content = "toy"
        self.machine: Machine = Toy() if machine is None else machine
        self.held = [0, 0]
        self.lost: Callable[[int], bool] = lambda _: False
        self.twice = False
        self.leaps = 1
        self.memory_map = False
        self.shows = True
        self.deaf: set[str] = set()
        self.halfway: int | None = None
        self.person: Callable[[int], int] = lambda _: 0
        self.frames = 0
        self.commands: list[str] = []
        self.pads: list[tuple[int, int, int]] = []
        self.datagrams = [0, 0]
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(0.02)
        self._ports = two_sockets()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._count = 0
        self._half = b""

    @property
    def ram(self) -> bytes | bytearray:
        return self.machine.ram

    @property
    def pad(self) -> int:
        return self.held[0]

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self._socket.getsockname()[1], self._ports[0].getsockname()[1])

    @property
    def where(self) -> str:
        """The address as an option has it."""
        return f"localhost:{self.address.port}:{self.address.pad_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        for one in (self._socket, *self._ports):
            one.close()

    def frame(self) -> None:
        self.take_pads()
        self.machine.frame([self.held[0] | self.person(self.frames), self.held[1]])
        self.frames += 1

    def take_pads(self) -> None:
        for number, one in enumerate(self._ports):
            try:
                while True:
                    port, device, index, button, state = _PAD.unpack(one.recv(64))
                    assert (port, device, index) == (number, 1, 0)
                    self.datagrams[port] += 1
                    self.pads.append((port, button, state))
                    self.held[port] = self.held[port] & ~(1 << button) | bool(state) << button
            except BlockingIOError:
                continue

    def _run(self) -> None:
        try:
            if not self.machine.ram:
                self.frame()
            self._serve()
        finally:
            if isinstance(self.machine, Cartridge):
                self.machine.close()

    def _serve(self) -> None:
        while not self._ended.is_set():
            try:
                data, sender = self._socket.recvfrom(2048)
            except TimeoutError:
                continue
            number, self._count = self._count, self._count + 1
            if self.lost(number):
                continue
            lines = data.decode().split("\n")
            if self.state == "PLAYING" and any(line.startswith("READ_CORE") for line in lines):
                for _ in range(self.leaps):
                    self.frame()
            asked = any(line.startswith("READ_CORE") for line in lines)
            for line in lines:
                self.commands.append(line)
                answer = None if {line, *line.split()[:1]} & self.deaf else self._answer(line)
                if answer is not None:
                    for _ in range(2 if self.twice else 1):
                        self._socket.sendto(answer.encode(), sender)
            if asked:
                self._half = b""

    def _answer(self, line: str) -> str | None:
        word, *rest = line.split()
        if word == "VERSION":
            return "1.14.0\n"
        if word == "GET_STATUS":
            about = f" core,{self.content},crc32={self.crc:x}" if self.state != "CONTENTLESS" else ""
            return f"GET_STATUS {self.state}{about}\n"
        if word == "PAUSE_TOGGLE":
            self.state = "PAUSED" if self.state == "PLAYING" else "PLAYING"
        elif word == "FRAMEADVANCE":
            if self.state == "PAUSED":
                before = bytearray(self.ram)
                self.frame()
                if self.halfway is not None:
                    before[self.halfway] = self.ram[self.halfway]
                    self._half = bytes(before)
        elif word == "RESET":
            self.machine.reset()
        elif word.startswith("READ_CORE"):
            first, size = int(rest[0], 16), int(rest[1])
            hidden = not self.shows or self.state == "CONTENTLESS"
            if hidden or (word == "READ_CORE_MEMORY" and not self.memory_map):
                return f"{word} {first:x} -1 no memory map defined\n"
            held = (self._half or self.ram)[first : first + size].hex(" ").upper()
            return f"{word} {first:x} {held}\n"
        return None


def two_sockets() -> list[socket.socket]:
    """Sockets at two ports that follow each other, for the pads of two players."""
    while True:
        first, second = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        first.bind(("127.0.0.1", 0))
        try:
            second.bind(("127.0.0.1", first.getsockname()[1] + 1))
        except (OSError, OverflowError):
            first.close()
            second.close()
            continue
        for one in (first, second):
            one.setblocking(False)
        return [first, second]
