"""Answers network commands as RetroArch 1.14 does, for a tiny machine: each frame adds 1 to one byte of its memory, and
shows the pad of player 1 in two others.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from ochibot.console.netcommands import Address

SIZE = 0x800
COUNTER, PAD = 5, 6
_PAD = struct.Struct("<iiiiHxx")


class FakeRetroArch:
    """Runs in a thread of its own, in ``with``. While it plays, one frame passes for each read.

    lost: the numbers of the datagrams (from 0) that get lost on their way here. twice: whether all answers come twice.
    leaps: how many frames pass for a read. commands: what came. memory_map: whether READ_CORE_MEMORY works.
    """

    def __init__(self, *, crc: int, state: str = "PLAYING") -> None:
        self.crc = crc
        self.state = state
        self.content = "toy"
        self.ram = bytearray(SIZE)
        self.pad = 0
        self.lost: Callable[[int], bool] = lambda _: False
        self.twice = False
        self.leaps = 1
        self.memory_map = False
        self.shows = True
        self.commands: list[str] = []
        self.pads: list[tuple[int, int, int]] = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._pads = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for one in (self._socket, self._pads):
            one.bind(("127.0.0.1", 0))
            one.settimeout(0.02)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._count = 0

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self._socket.getsockname()[1], self._pads.getsockname()[1])

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
        self._socket.close()
        self._pads.close()

    def frame(self) -> None:
        self._take_pads()
        self.ram[COUNTER] = (self.ram[COUNTER] + 1) % 256
        self.ram[PAD : PAD + 2] = self.pad.to_bytes(2, "little")

    def _take_pads(self) -> None:
        self._pads.setblocking(False)
        try:
            while True:
                port, device, index, button, state = _PAD.unpack(self._pads.recv(64))
                assert (device, index) == (1, 0)
                self.pads.append((port, button, state))
                self.pad = self.pad & ~(1 << button) | bool(state) << button
        except BlockingIOError:
            pass

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
            if self.state == "PLAYING" and lines[0].startswith("READ_CORE"):
                for _ in range(self.leaps):
                    self.frame()
            for line in lines:
                self.commands.append(line)
                answer = self._answer(line)
                if answer is not None:
                    for _ in range(2 if self.twice else 1):
                        self._socket.sendto(answer.encode(), sender)

    def _answer(self, line: str) -> str | None:
        word, *rest = line.split()
        if word == "GET_STATUS":
            about = f" core,{self.content},crc32={self.crc:x}" if self.state != "CONTENTLESS" else ""
            return f"GET_STATUS {self.state}{about}\n"
        if word == "PAUSE_TOGGLE":
            self.state = "PAUSED" if self.state == "PLAYING" else "PLAYING"
        elif word == "FRAMEADVANCE":
            assert self.state == "PAUSED"
            self.frame()
        elif word.startswith("READ_CORE"):
            first, size = int(rest[0], 16), int(rest[1])
            if not self.shows or (word == "READ_CORE_MEMORY" and not self.memory_map):
                return f"{word} {first:x} -1 no memory map defined\n"
            held = self.ram[first : first + size].hex(" ").upper()
            return f"{word} {first:x} {held}\n"
        return None
