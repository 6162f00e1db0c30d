"""Talks to a running RetroArch: its network commands, and its network gamepad.

Facts, from RetroArch 1.14 as Debian has it (measured) and its documentation:

- Commands are UDP datagrams of text, to port 55355. ``GET_STATUS`` answers ``GET_STATUS PLAYING core,content,crc32=…``
  (or ``PAUSED``, or ``CONTENTLESS``). ``READ_CORE_RAM a n`` answers with n bytes as hexadecimal numbers, by the
  addresses that achievements use; ``READ_CORE_MEMORY a n`` the same by the machine's own. Either answers -1 where a
  core has none. A RetroArch built without achievements doesn't know ``READ_CORE_RAM``, and doesn't answer it.
- Each pad has a port of its own, 55400 for player 1. A datagram of 20 bytes sets one button: four int32 (port, device,
  index, button) and a uint16, little-endian, and two bytes more. A button stays as it is until it is set again.

Nothing here writes memory: that would be ``WRITE_CORE_RAM`` and ``WRITE_CORE_MEMORY``, which aren't used.

The commands don't say whether a RetroArch plays over the network; on this machine its sockets do.
"""

from __future__ import annotations

import ipaddress
import socket
import struct
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ochibot.errors import ConsoleError, UsageError
from ochibot.quoting import brief, quoted

COMMAND_PORT: Final = 55355
PAD_PORT: Final = 55400

WAITS: Final = (0.05, 0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.3, 0.3, 0.5, 0.5, 0.5)
"""RetroArch answers once a frame. A question is asked once for each of these numbers of seconds, which its answer is
waited for. Without an answer to any, RetroArch is gone, or its commands are off.
"""

STATUS: Final = "GET_STATUS"

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

_JOYPAD: Final = 1
_PAD: Final = struct.Struct("<iiiiHxx")
_LONGEST: Final = 65536
_SOCKETS: Final = 16

_SETTINGS: Final = (
    'it needs network_cmd_enable = "true", network_remote_enable = "true" and network_remote_enable_user_p1 = "true" '
    "in its retroarch.cfg, and must have been started after that (`ochibot doctor --retroarch` looks)"
)
NO_ACHIEVEMENTS: Final = "or use a RetroArch that was built with achievements: this one lacks the command READ_CORE_RAM"
"""What may help where no memory is shown, and that command isn't known."""

_LONGEST_SPAN: Final = 4096
_SILENT: Final = 5
"""If the status has been answered so often and a read never, RetroArch doesn't know the read's command."""
_NEAR: Final = 128
_MOST_LINES: Final = 24


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


@dataclass(frozen=True)
class Address:
    """Where a RetroArch listens. pad_port: the port of player 1's pad."""

    host: str
    port: int = COMMAND_PORT
    pad_port: int = PAD_PORT

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def option(self) -> str:
        """The address as ``parse`` reads it, in the shortest way."""
        host = "localhost" if self.host == "127.0.0.1" else self.host
        ports = (self.port, self.pad_port)
        shown = ports if self.pad_port != PAD_PORT else ports[:1] if self.port != COMMAND_PORT else ()
        return ":".join((host, *map(str, shown)))

    @classmethod
    def parse(cls, text: str, *, anywhere: bool = False) -> Address:
        """Reads HOST, HOST:PORT or HOST:PORT:PAD_PORT. Raises UsageError, also for an address that isn't private,
        unless ``anywhere``.
        """
        host, *ports = text.split(":")
        mistake = f"{quoted(text)} is no address of a RetroArch: give HOST or HOST:PORT, such as localhost:55355"
        if not host or len(ports) > 2 or not all(port.isdecimal() and 0 < int(port) < 65536 for port in ports):
            raise UsageError(mistake)
        try:
            found = socket.getaddrinfo(host, None, socket.AF_INET, socket.SOCK_DGRAM)[0][4][0]
        except (OSError, UnicodeError):
            raise UsageError(f"there is no host {quoted(host)}: give one that your network knows") from None
        if not anywhere and not ipaddress.ip_address(found).is_private:
            raise UsageError(
                f"{brief(host)} ({found}) lies outside your network; RetroArch's commands have no password, so only "
                "loopback and private addresses are used without --any-address"
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

    @classmethod
    def parse(cls, text: str) -> Status:
        """Reads the answer to GET_STATUS, without its first word."""
        state, _, rest = text.partition(" ")
        core, _, rest = rest.partition(",")
        content, mark, crc = rest.rpartition(",crc32=")
        if not mark:
            return cls(state, core, rest)
        try:
            return cls(state, core, content, int(crc, 16))
        except ValueError:
            return cls(state, core, content)


@dataclass(frozen=True)
class Wanted:
    """Memory to read in one moment. spans: (first, size) of each. counter: a byte that the game changes each frame; it
    is read first and last, so that a mixture of two frames is noticed.
    """

    command: str
    base: int
    spans: tuple[tuple[int, int], ...]
    counter: int | None = None

    def reads(self) -> list[tuple[int, int]]:
        """The (first, size) of all reads, in their order. No two are the same, so each answer names its own read."""
        if self.counter is None:
            return list(self.spans)
        at = self.counter
        free = [one for one in ((at - more, more + 1) for more in range(min(at + 1, 8))) if one not in self.spans]
        return [*free[:1], *self.spans, *free[1:2]]

    def whole(self, found: dict[tuple[int, int], bytes]) -> bool:
        """Whether the bytes are of one frame, as far as the counter shows it."""
        if self.counter is None:
            return True
        at = self.counter
        return len({data[at - first] for (first, size), data in found.items() if first <= at < first + size}) <= 1


@dataclass(frozen=True)
class Moment:
    """What a RetroArch showed in one moment. spans: (first, bytes) of each; none if the core shows no memory."""

    status: Status
    spans: list[tuple[int, bytes]]


class Commands:
    """Sends network commands and pads. Raises ConsoleError, with what to do, when RetroArch doesn't answer.

    Datagrams may get lost, come twice, or come late. So each question is sent from another of several sockets, which
    are emptied before: an answer to an earlier question doesn't come there.

    unknown: commands that this RetroArch doesn't know, although it answers.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self.unknown: set[str] = set()
        self._sockets: list[socket.socket] = []
        self._turn = 0
        self._heard = False
        for _ in range(_SOCKETS):
            one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            one.connect((address.host, address.port))
            self._sockets.append(one)
        self._pads = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def close(self) -> None:
        """Closes the sockets. Closing twice does nothing."""
        for one in self._sockets:
            one.close()
        self._pads.close()

    def tell(self, command: str) -> None:
        """Sends a command that has no answer. It may get lost."""
        self._send(command)

    def _send(self, command: str) -> socket.socket:
        """Sends text from the next socket, and returns the socket."""
        self._turn = (self._turn + 1) % len(self._sockets)
        one = self._sockets[self._turn]
        try:
            one.setblocking(False)
            try:
                while True:
                    one.recv(_LONGEST)
            except BlockingIOError:
                pass
            one.send(command.encode())
        except OSError:
            raise self._gone() from None
        return one

    def _next(self, one: socket.socket, until: float) -> str | None:
        """The next datagram at a socket; None if none comes until then."""
        left = until - time.monotonic()
        if left <= 0:
            return None
        one.settimeout(left)
        try:
            text = one.recv(_LONGEST).decode(errors="replace")
        except TimeoutError:
            return None
        except OSError:
            raise self._gone() from None
        self._heard = True
        return text

    def ask(self, command: str, tries: int = len(WAITS)) -> str:
        """Sends a command that may be repeated, and returns its answer without the command's own words."""
        words = command.split()
        # the answer repeats a read's address, but not its length
        start = " ".join(words[:2]) + " " if words[0].startswith("READ_CORE") else words[0] + " "
        for wait in WAITS[:tries]:
            one, until = self._send(command), time.monotonic() + wait
            while (text := self._next(one, until)) is not None:
                if text.startswith(start):
                    return text[len(start) :].strip()
        raise self._gone()

    def version(self) -> str:
        """RetroArch's version."""
        for wait in WAITS:
            one, until = self._send("VERSION"), time.monotonic() + wait
            if (text := self._next(one, until)) is not None:
                return text.strip()
        raise self._gone()

    def status(self) -> Status:
        """What is running."""
        return Status.parse(self.ask(STATUS))

    def read(self, command: str, first: int, size: int) -> bytes | None:
        """Reads memory by one of the two commands; None if the core has none there, or if RetroArch answers the status
        asked for with it, but never the read: then ``unknown`` has the command.
        """
        start, silent = f"{command} {first:x} ", 0
        for wait in WAITS:
            one, until = self._send(f"{start}{size}\n{STATUS}"), time.monotonic() + wait
            heard = False
            while (text := self._next(one, until)) is not None:
                if text.startswith(start):
                    data = _bytes_of(text[len(start) :])
                    return data if len(data) == size else None
                heard = heard or text.startswith(f"{STATUS} ")
            silent += heard
            if silent >= _SILENT:
                self.unknown.add(command)
                return None
        raise self._gone()

    def moment(self, wanted: Wanted) -> Moment:
        """Reads several spans and the status by one datagram, so in the same frame."""
        reads = wanted.reads()
        named = {f"{wanted.command} {wanted.base + first:x} ": first for first, _ in reads}
        lines = [STATUS, *(f"{wanted.command} {wanted.base + first:x} {size}" for first, size in reads)]
        text = "\n".join(lines)
        for wait in WAITS:
            moment = self._collected(self._send(text), time.monotonic() + wait, wanted, named)
            if moment is not None:
                return moment
        raise self._gone()

    def _collected(self, one: socket.socket, until: float, wanted: Wanted, named: dict[str, int]) -> Moment | None:
        """The answers that come at a socket; None if some are missing, or belong to different frames."""
        missing = set(wanted.reads())
        found: dict[tuple[int, int], bytes] = {}
        status: Status | None = None
        none = False
        while missing or status is None:
            text = self._next(one, until)
            if text is None:
                return Moment(status, []) if none and status is not None else None
            start = " ".join(text.split(" ", 2)[:2]) + " "
            if text.startswith(f"{STATUS} "):
                status = Status.parse(text[len(STATUS) :].strip())
            elif start in named:
                data = _bytes_of(text[len(start) :])
                read = named[start], len(data)
                none |= not data
                if found.get(read, data) != data:
                    return None  # the question came twice, and was answered in two frames
                if read in missing:
                    missing.remove(read)
                    found[read] = data
        if not wanted.whole(found):
            return None
        return Moment(status, [(first, found[first, size]) for first, size in wanted.spans])

    def press(self, port: int, number: int, state: bool) -> None:
        """Sets one button (by its number in ``Button``) of a port (0 or 1)."""
        data = _PAD.pack(port, _JOYPAD, 0, number, state)
        try:
            self._pads.sendto(data, (self.address.host, self.address.pad_port + port))
        except OSError:
            raise self._gone() from None

    def _gone(self) -> ConsoleError:
        if self._heard:
            return ConsoleError(
                f"the RetroArch at {self.address} answers no more: it has ended, or is busy; start the game there, "
                "then this command again"
            )
        return ConsoleError(f"no RetroArch answers at {self.address}: {_SETTINGS}")


PORT: Final = 55435
"""RetroArch's port for netplay, unless its settings name another one; relays use it, too."""

_LISTENS: Final = "0A"
_CONNECTED: Final = "01"
TABLES: Final = Path("/proc/net/tcp"), Path("/proc/net/tcp6")


def plays_online(tables: tuple[Path, ...] = TABLES) -> bool:
    """Whether some program here hosts netplay on RetroArch's port or is connected to it.

    It is seen on Linux only, in the system's tables of TCP sockets (proc(5)); elsewhere the answer is False.
    """
    for table in tables:
        try:
            lines = table.read_text("ascii").splitlines()[1:]
        except (OSError, UnicodeDecodeError):
            continue
        for line in lines:
            words = line.split()
            if len(words) < 4:
                continue
            ports = {int(words[1].rpartition(":")[2], 16), int(words[2].rpartition(":")[2], 16)}
            if PORT in ports and words[3] in (_LISTENS, _CONNECTED):
                return True
    return False
