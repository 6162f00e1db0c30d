"""Talks to a running RetroArch: its network commands, and its network gamepad.

Facts, from RetroArch 1.14 as Debian has it (measured) and its documentation:

- Commands are UDP datagrams of text, to port 55355. ``GET_STATUS`` answers ``GET_STATUS PLAYING core,content,crc32=…``
  (or ``PAUSED``, or ``CONTENTLESS``). ``READ_CORE_RAM a n`` answers with n bytes as hexadecimal numbers, by the
  addresses that achievements use; ``READ_CORE_MEMORY a n`` the same by the machine's own. Either answers -1 where a
  core has none.
- Each pad has a port of its own, 55400 for player 1. A datagram of 20 bytes sets one button: four int32 (port, device,
  index, button) and a uint16, little-endian, and two bytes more. A button stays as it is until it is set again.

Nothing here writes memory: that would be ``WRITE_CORE_RAM`` and ``WRITE_CORE_MEMORY``, which aren't used.
"""

from __future__ import annotations

import ipaddress
import socket
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ochibot.console.buttons import Button
from ochibot.errors import ConsoleError, UsageError
from ochibot.quoting import brief, quoted

COMMAND_PORT: Final = 55355
PAD_PORT: Final = 55400

ANSWER_SECONDS: Final = 2.0
"""RetroArch answers once a frame. After this time without an answer it is gone, or its commands are off."""

_JOYPAD: Final = 1
_BUTTONS: Final = 16
_PAD: Final = struct.Struct("<iiiiHxx")
_LONGEST: Final = 65536
_TRIES: Final = 4

_SETTINGS: Final = (
    'it needs network_cmd_enable = "true", network_remote_enable = "true" and network_remote_enable_user_p1 = "true" '
    "in its retroarch.cfg, and must have been started after that"
)


@dataclass(frozen=True)
class Address:
    """Where a RetroArch listens. pad_port: the port of player 1's pad."""

    host: str
    port: int = COMMAND_PORT
    pad_port: int = PAD_PORT

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @classmethod
    def parse(cls, text: str) -> Address:
        """Reads HOST, HOST:PORT or HOST:PORT:PAD_PORT. Raises UsageError, also for an address that isn't private."""
        host, *ports = text.split(":")
        mistake = f"{quoted(text)} is no address of a RetroArch: give HOST or HOST:PORT, such as localhost:55355"
        if not host or len(ports) > 2 or not all(port.isdecimal() and 0 < int(port) < 65536 for port in ports):
            raise UsageError(mistake)
        try:
            found = socket.getaddrinfo(host, None, socket.AF_INET, socket.SOCK_DGRAM)[0][4][0]
        except OSError:
            raise UsageError(f"there is no host {quoted(host)}: give one that your network knows") from None
        if not ipaddress.ip_address(found).is_private:
            raise UsageError(
                f"{brief(host)} ({found}) lies outside your network; RetroArch's commands have no password, so only "
                "loopback and private addresses are used"
            )
        return cls(str(found), *(int(port) for port in ports))


def _bytes_of(answer: str) -> bytes:
    """The bytes of an answer; none for -1, or for something else."""
    try:
        return bytes.fromhex(answer)
    except ValueError:
        return b""


@dataclass(frozen=True)
class Status:
    """What a RetroArch runs. state: PLAYING, PAUSED or CONTENTLESS. crc: CRC-32 of the content, None if unknown."""

    state: str
    core: str = ""
    content: str = ""
    crc: int | None = None


class Commands:
    """Sends network commands and pads. Raises ConsoleError, with what to do, when RetroArch doesn't answer."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.settimeout(ANSWER_SECONDS / _TRIES)
        self._socket.connect((address.host, address.port))
        self._pads = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def close(self) -> None:
        """Closes the sockets. Closing twice does nothing."""
        self._socket.close()
        self._pads.close()

    def tell(self, command: str) -> None:
        """Sends a command that has no answer."""
        try:
            self._socket.send(command.encode())
        except OSError:
            raise self._gone() from None

    def ask(self, command: str, seconds: float = ANSWER_SECONDS) -> str:
        """Sends a command that may be repeated, and returns its answer without the command's own words."""
        began = time.monotonic()
        while True:
            self.tell(command)
            answer = self._answer(command)
            if answer is not None:
                return answer
            if time.monotonic() - began >= seconds:
                raise self._gone()

    def _answer(self, command: str) -> str | None:
        """The next answer to a command; None if none comes. Answers to other commands are late ones: dropped."""
        words = command.split()
        # the answer repeats a read's address, but not its length
        start = " ".join(words[:2]) + " " if words[0].startswith("READ_CORE") else words[0] + " "
        while (text := self._next()) is not None:
            if text.startswith(start):
                return text[len(start) :].strip()
        return None

    def _next(self) -> str | None:
        """The next datagram; None if none comes in time."""
        try:
            return self._socket.recv(_LONGEST).decode(errors="replace")
        except (TimeoutError, BlockingIOError):
            return None
        except OSError:
            raise self._gone() from None

    def status(self) -> Status:
        """What is running."""
        text = self.ask("GET_STATUS")
        state, _, rest = text.partition(" ")
        core, _, rest = rest.partition(",")
        content, mark, crc = rest.rpartition(",crc32=")
        if not mark:
            return Status(state, core, rest)
        try:
            return Status(state, core, content, int(crc, 16))
        except ValueError:
            return Status(state, core, content)

    def read(self, command: str, first: int, size: int) -> bytes | None:
        """Reads memory by one of the two commands; None if the core has none there."""
        data = _bytes_of(self.ask(f"{command} {first:x} {size}"))
        return data if len(data) == size else None

    def read_all(self, command: str, base: int, spans: Sequence[tuple[int, int]]) -> list[tuple[int, bytes]]:
        """Reads several spans (first, size) by one datagram, so in the same frame: each one's first and bytes.

        ``base``: what is added to each first for RetroArch.
        """
        lines = [f"{command} {base + first:x} {size}" for first, size in spans]
        wanted = {f"{command} {base + first:x} ": (first, size) for first, size in spans}
        for _ in range(_TRIES):
            self.tell("\n".join(lines))
            found: dict[int, bytes] = {}
            while len(found) < len(spans):
                text = self._next()
                if text is None:
                    break
                for start, (first, size) in wanted.items():
                    if text.startswith(start):
                        data = _bytes_of(text[len(start) :])
                        if len(data) == size:
                            found[first] = data
                        break
            else:
                return sorted(found.items())
        raise self._gone()

    def press(self, port: int, buttons: Button, changed: Button) -> None:
        """Sets those buttons of a port (0 or 1) that are in ``changed``."""
        for number in range(_BUTTONS):
            if changed >> number & 1:
                data = _PAD.pack(port, _JOYPAD, 0, number, buttons >> number & 1)
                self._pads.sendto(data, (self.address.host, self.address.pad_port + port))

    def _gone(self) -> ConsoleError:
        return ConsoleError(f"no RetroArch answers at {self.address}: {_SETTINGS}")
