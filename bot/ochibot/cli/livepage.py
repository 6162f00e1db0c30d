"""``--web``: the page that shows a running game as it happens. Its options, and what joins it to a session."""

from __future__ import annotations

import contextlib
import pickle
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ochibot.cli.options import number_option
from ochibot.cli.output import has_desktop
from ochibot.errors import UsageError

if TYPE_CHECKING:
    from ochibot.cli.running import ConsoleOptions
    from ochibot.games.protocols import AnySeat
    from ochibot.session import Session
    from ochibot.ui.web.live.console import Broadcast
    from ochibot.ui.web.live.link import Link
    from ochibot.ui.web.live.states import WatchedSeat

WebOption = Annotated[bool, typer.Option("--web", help="Show it on a page in the browser, as it happens.")]
HostOption = Annotated[
    str | None,
    typer.Option("--host", metavar="ADDRESS", help="The address to listen on.", show_default="127.0.0.1"),
]
PortOption = Annotated[
    int | None,
    number_option(
        "The port to listen on (0: any free one).",
        "--port",
        least=0,
        most=65535,
        default="8017; beside a game another one if that is taken",
    ),
]
AllowRemoteOption = Annotated[bool, typer.Option("--allow-remote", help="Also serve other machines.")]
PaceOption = Annotated[
    float | None,
    typer.Option(
        "--pace",
        min=0.1,
        max=100,
        metavar="X",
        help="With --web: run at the console's own speed (1), faster or slower.",
        show_default="as fast as the core runs",
    ),
]


def pages() -> dict[str, str]:
    """The pages beside the calculator."""
    from ochibot.review.report import page_of
    from ochibot.ui.web.export import BOARD, with_link

    return {BOARD: with_link(page_of(None), "./")}


def check_page(given: ConsoleOptions) -> None:
    """Raises UsageError for options of the page without it, or that don't go with it; WebError without its packages."""
    if given.web:
        from ochibot.ui.web import need_web

        need_web()
        if given.pace is not None and (given.window or given.retroarch is not None):
            raise UsageError("--pace is for runs that nothing else paces: leave it out")
        return
    own = {"host": given.host, "port": given.port, "allow-remote": given.allow_remote or None, "pace": given.pace}
    for name, value in own.items():
        if value is not None:
            raise UsageError(f"--{name} belongs to --web: give both, or leave it out")


def go_live(
    given: ConsoleOptions,
    session: Session,
    out: TextIO,
    *,
    in_menus: Callable[[], bool] = lambda: False,
    follows: Sequence[AnySeat] = (),
) -> None:
    """Serves the page of a session until the session closes, if ``--web`` was given. Nothing may have run yet.

    ``in_menus``: whether the bot is going through menus, which aren't paced. ``follows``: seats that nobody else
    updates.
    """
    if not given.web:
        return
    from ochibot.ui.clock import Pacer, SystemClock
    from ochibot.ui.web.live.console import LiveConsole

    broadcast, link = session.hold(_broadcasting(given, session))
    pacer = None if given.pace is None else Pacer(SystemClock(), session.console.fps * given.pace)
    # what a session's machine is made of sounds, too
    machine: Any = session.machine
    console = LiveConsole(machine, broadcast, pacer=pacer, in_menus=in_menus, follows=follows)
    if session.window is not None:
        session.window.resting = console.rest
    session.live, session.machine = broadcast, console
    for line in _lines(link):
        print(line, file=out, flush=True)
    if given.open_page if given.open_page is not None else has_desktop():
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(link.url,), daemon=True).start()


@contextlib.contextmanager
def _broadcasting(given: ConsoleOptions, session: Session) -> Iterator[tuple[Broadcast, Link]]:
    from ochibot.ui.web.live.console import Broadcast
    from ochibot.ui.web.live.link import Wish, linked

    title = session.game
    family, rules = (title.family, session.rules) if _travels(title.family, session.rules) else (None, None)
    wish = Wish(given.host or "127.0.0.1", given.port, given.allow_remote, pages(), family, rules)
    with linked(wish) as link:
        about = {"game": title.name, "rules": session.rules.name, "family": getattr(title.family, "name", "")}
        hurried = given.pace is None and session.window is None and given.retroarch is None
        broadcast = Broadcast(link.sender, {**about, "fps": session.console.fps}, hurried=hurried)
        try:
            yield broadcast, link
        finally:
            broadcast.end()


def _travels(*parts: object) -> bool:
    """Whether these can be sent to another process; a game file's family of somebody else may not."""
    try:
        pickle.dumps(parts)
    except Exception:
        return False
    return True


def _lines(link: Link) -> list[str]:
    if not link.code:
        return [f"the live page: {link.url}"]
    here, _, rest = link.url.removeprefix("http://").rpartition(":")
    there = _address() if here in ("127.0.0.1", "[::1]") else here
    return [
        f"the live page: http://{there}:{rest}, the code: {link.code}",
        f"on this machine: {link.url}#code={link.code}",
        "other machines can reach it without encryption: use it in a network that you trust",
    ]


def _address() -> str:
    """This machine's address in its network. Nothing is sent for it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def watched_of(session: Session, players: Callable[[], Sequence[tuple[Any, tuple[str, ...]]]]) -> None:
    """Lets the session's page, if it has one, show these AIs, each with the lines that name it."""
    if session.live is not None:
        session.live.watch(lambda: [_watched(player, titles) for player, titles in players()])


def watched_with(
    session: Session, person: AnySeat, players: Callable[[], Sequence[tuple[Any, tuple[str, ...]]]]
) -> None:
    """The same, and a person's seat."""
    from ochibot.ui.web.live.states import WatchedSeat

    def seats() -> list[WatchedSeat]:
        every = [WatchedSeat(person, ("you",)), *(_watched(player, titles) for player, titles in players())]
        return sorted(every, key=lambda one: one.seat.number)

    if session.live is not None:
        session.live.watch(seats)


def _watched(player: Any, titles: tuple[str, ...]) -> WatchedSeat:
    from ochibot.ui.web.live.states import WatchedSeat

    return WatchedSeat(player.seat, titles, player)
