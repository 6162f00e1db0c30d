"""A bad network between the bot and a RetroArch: it loses, doubles and reorders datagrams, by a seed."""

from __future__ import annotations

import random
import selectors
import socket
import threading
from collections import Counter
from types import TracebackType
from typing import Any, Self

from ochibot.console.netcommands import Address

from tests.console.fakeretroarch import two_sockets


class BadNetwork:
    """Passes datagrams on, in ``with``, in a thread of its own. lose, double, swap: the share of each. A swapped
    datagram comes behind the next one. ``address`` is what the bot is given. passed, lost, doubled, swapped: counts.
    words: how often each command came; pads: how many datagrams came for each pad.
    """

    def __init__(self, there: Address, *, seed: int, lose: float = 0.0, double: float = 0.0, swap: float = 0.0) -> None:
        self._there = there
        self._random = random.Random(seed)
        self._shares = lose, double, swap
        self.passed = self.lost = self.doubled = self.swapped = 0
        self._commands = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._commands.bind(("127.0.0.1", 0))
        self._commands.setblocking(False)
        self._pad_sockets = two_sockets()
        self.words: Counter[str] = Counter()
        self.pads = [0, 0]
        self._selector = selectors.DefaultSelector()
        self._outside: dict[Any, socket.socket] = {}
        self._kept: list[tuple[socket.socket, bytes, Any]] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self._commands.getsockname()[1], self._pad_sockets[0].getsockname()[1])

    @property
    def where(self) -> str:
        """The address as an option has it."""
        return f"localhost:{self.address.port}:{self.address.pad_port}"

    def __enter__(self) -> Self:
        self._selector.register(self._commands, selectors.EVENT_READ, None)
        for number, one in enumerate(self._pad_sockets):
            self._selector.register(one, selectors.EVENT_READ, number)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        for one in (self._commands, *self._pad_sockets, *self._outside.values()):
            one.close()
        self._selector.close()

    def _serve(self) -> None:
        while not self._ended.is_set():
            events = self._selector.select(0.02)
            if not events:
                self._flush()  # nothing came behind a datagram that waits for the next one
            for key, _ in events:
                one = key.fileobj
                assert isinstance(one, socket.socket)
                try:
                    data, sender = one.recvfrom(65536)
                except OSError:
                    continue  # such as: nobody listens there any more
                if key.data is None:
                    self.words.update(line.split()[0] for line in data.decode().splitlines() if line)
                    self._pass(self._socket_for(sender), data, (self._there.host, self._there.port))
                elif isinstance(key.data, int):
                    self.pads[key.data] += 1
                    self._pass(one, data, (self._there.host, self._there.pad_port + key.data))
                else:
                    self._pass(self._commands, data, key.data)

    def _socket_for(self, sender: Any) -> socket.socket:
        """The socket that stands for one of the bot's, so that answers find back."""
        if sender not in self._outside:
            one = self._outside[sender] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            one.setblocking(False)
            self._selector.register(one, selectors.EVENT_READ, sender)
        return self._outside[sender]

    def _pass(self, by: socket.socket, data: bytes, to: Any) -> None:
        lose, double, swap = self._shares
        self.passed += 1
        dice = self._random.random()
        if dice < lose:
            self.lost += 1
            return
        if dice < lose + swap:
            self.swapped += 1
            self._kept.append((by, data, to))
            return
        _send(by, data, to)
        if dice < lose + swap + double:
            self.doubled += 1
            _send(by, data, to)
        self._flush()

    def _flush(self) -> None:
        kept, self._kept = self._kept, []
        for by, data, to in kept:
            _send(by, data, to)


def _send(by: socket.socket, data: bytes, to: Any) -> None:
    try:
        by.sendto(data, to)
    except OSError:
        return
