"""``--retroarch``: a command plays in a RetroArch that somebody has started, instead of in a core of our own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TextIO

from ochibot import interrupts
from ochibot.errors import UsageError
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.cli.running import ConsoleOptions
    from ochibot.console.netconsole import RetroArchConsole
    from ochibot.console.rom import Rom
    from ochibot.falling.player import AnyPlayer
    from ochibot.games.protocols import AnySeat
    from ochibot.play.seat import AnySeatPlayer
    from ochibot.session import Session

_ITS_OWN: Final = {
    "core": "RetroArch has chosen its core",
    "from_state": "RetroArch loads its own savestates",
    "screenshot": "RetroArch shows its picture itself",
    "record": "its memory can be read, but no savestates",
    "window": "RetroArch shows its picture itself",
    "keys": "RetroArch takes the person's keys itself",
    "av": "RetroArch makes picture and sound itself",
    "jobs": "it runs one game",
    **dict.fromkeys(("clairvoyant", "clairvoyant1", "clairvoyant2"), "it is for runs without people"),
}


def joined(given: ConsoleOptions, *, ports: Sequence[int], refused: dict[str, str] | None = None) -> Joined | None:
    """The RetroArch that the options name; None if they name none. ``ports``: the pads that are pressed, from 0.

    ``refused``: further options that don't go with it, and why. Raises UsageError.
    """
    from ochibot.console.netcommands import Address

    if given.retroarch is None:
        for name in ("lockstep", "any_address"):
            if getattr(given, name):
                raise UsageError(f"--{name.replace('_', '-')} belongs to --retroarch: give both, or leave it out")
        return None
    for name, why in {**_ITS_OWN, **(refused or {})}.items():
        value = getattr(given, name, None)
        if value is not None and value is not False:
            raise UsageError(f"--{name.replace('_', '-')} doesn't go with --retroarch, because {why}: leave it out")
    return Joined(Address.parse(given.retroarch, anywhere=given.any_address), tuple(ports), lockstep=given.lockstep)


class Joined:
    """A RetroArch that somebody has started, for one command. ``opener`` opens it as the session's console."""

    def __init__(self, address: Any, ports: tuple[int, ...], *, lockstep: bool) -> None:
        self.address = address
        self.lockstep = lockstep
        self._ports = ports
        self._console: RetroArchConsole | None = None
        self._missed = 0
        self._misses: list[dict[str, object]] = []
        self._seen: dict[int, _SeenPlayer] = {}

    def opener(self, rom: Rom) -> RetroArchConsole:
        """Opens the console. Raises ConsoleError."""
        from ochibot.console.netconsole import RetroArchConsole

        self._console = RetroArchConsole(rom, self.address, lockstep=self.lockstep, ports=self._ports)
        return self._console

    @property
    def console(self) -> RetroArchConsole:
        """The console, once it is open."""
        assert self._console is not None
        return self._console

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """While the block runs, a signal that ends the process at once releases the buttons before."""
        interrupts.before_exit(self.console.let_go)
        try:
            yield
        finally:
            interrupts.not_before_exit(self.console.let_go)

    def begin(self, session: Session, mode: str | None, players: Callable[[], Iterable[AnySeatPlayer]]) -> bool:
        """Gets ready to play a mode. Returns whether its game is in play already.

        ``players``: those at the seats, now or later. In lockstep, their present pieces don't count as agreeing when a
        frame was missed.
        """
        console, maps = self.console, session.maps(mode)
        entries = [entry for one in maps for entry in one.entries.values()]
        if all(entry.pointer is None for entry in entries):
            console.watch(address for entry in entries for address in entry.byte_addresses())
        counter = maps[0].entries.get("frame")
        if counter is not None and counter.pointer is None:
            console.count_by(counter.byte_addresses()[0])
        else:
            console.find_counter()
        first = session.seats(mode)[0]
        if "state" in maps[0].entries:
            console.begun_again = first.in_menus

        def missed() -> None:
            for player in players():
                player.doubt()

        console.on_missed = missed
        return not first.in_menus()

    def thinking(self, session: Session, mind: AnyPlayer) -> AnyPlayer:
        """The player, so that a game that runs on by itself needn't be left alone while it thinks."""
        return mind if self.lockstep else session.thinking(mind)

    def in_menus(self) -> None:
        """Call it in menus: nothing is lost there, and a game that begins may set its counter of frames."""
        self.console.missed = self._missed

    def in_play(self) -> None:
        """Call it after each frame of play."""
        self._missed = self.console.missed

    def see(self, players: Iterable[AnySeatPlayer]) -> None:
        """Notes each piece that wasn't as foretold. Call it while the game goes on, at least once for each piece."""
        present = {id(player): player for player in players}
        for key, seen in list(self._seen.items()):
            self._misses += seen.new(self.console.missed)
            if present and key not in present:
                del self._seen[key]
        for key, player in present.items():
            self._seen.setdefault(key, _SeenPlayer(player, self.console.missed))

    def about(self, delays: Sequence[int]) -> dict[str, object]:
        """The fields of a report. ``delays``: see ``Pilot``."""
        self.see(())
        return {
            "retroarch": str(self.address),
            "lockstep": self.lockstep,
            "missed": self.console.missed,
            "delay": _median(delays),
            "misses": self._misses,
        }

    def line(self, delays: Sequence[int]) -> str:
        """The same in words."""
        delay = _median(delays)
        shown = "" if delay is None else f", a press showed after {counted(delay, 'frame')}"
        return f"{'in lockstep, ' if self.lockstep else ''}frames missed {self.console.missed:,}{shown}"


class _SeenPlayer:
    """What has been seen of one player: its counts, and the frames missed by then."""

    def __init__(self, player: AnySeatPlayer, missed: int) -> None:
        self._player = player
        self._missed = missed
        self._before = replace(player.tally)

    def new(self, missed: int) -> list[dict[str, object]]:
        """What was otherwise since the last call. ``missed``: the frames missed by now."""
        tally, before = self._player.tally, self._before
        if (tally.pieces, tally.named) == (before.pieces, before.named):
            return []
        named = dict(before.named)
        what = [name for name, count in tally.named if count > named.get(name, 0)]
        if tally.pieces - tally.compared > before.pieces - before.compared:
            what.append("a lock without a forecast")
        if tally.contradicted > before.contradicted and not what:
            what.append("a frame that was missed in lockstep")
        since, self._missed, self._before = missed - self._missed, missed, replace(tally)
        seat = self._player.seat.number
        return [{"seat": seat, "piece": tally.pieces, "what": one, "missed": since} for one in what]


def await_play(
    session: Session, seats: Sequence[AnySeat], waiting: Callable[[], bool], out: TextIO, *, who: str = "the bot"
) -> bool:
    """Waits, without a press, until a person has started the game. Returns whether that was just now.

    ``who``: who waits, in words. Raises KeyboardInterrupt once ``waiting()``.
    """
    fresh = any(seat.in_menus() for seat in seats)
    if fresh:
        of_two = " of two players" if len(seats) > 1 else ""
        print(f"start a game{of_two} in RetroArch: {who} waits for it", file=out, flush=True)
    while any(seat.in_menus() for seat in seats):
        if waiting():
            raise KeyboardInterrupt
        session.machine.step()
    for seat in seats:
        seat.resync()
    if not fresh:
        print(f"the game is in play: {who} begins with its next piece", file=out, flush=True)
    return fresh


def _median(delays: Sequence[int]) -> int | None:
    """The number of frames after which half of all presses had shown; None without presses."""
    half, seen = sum(delays) / 2, 0
    for frames, count in enumerate(delays):
        seen += count
        if count and seen >= half:
            return frames
    return None
