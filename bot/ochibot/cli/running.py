"""What the commands that play on a console share: options, opening the game, Ctrl-C, the report at the end.

Two of the options, ``--record`` and ``--dump``, keep the run as a record.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO

import typer

from ochibot.cli import options
from ochibot.cli.livepage import (
    AllowRemoteOption,
    HostOption,
    PaceOption,
    PortOption,
    WebOption,
    watched_of,
)
from ochibot.cli.options import menu_choices
from ochibot.cli.output import StatusLine, Stop, save_picture
from ochibot.errors import ConsoleError, ContradictionError, GameError, OchibotError, OutputError, UsageError
from ochibot.quoting import quoted
from ochibot.report import write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.cli.inretroarch import Joined
    from ochibot.console import HostedConsole
    from ochibot.falling.player import AnyPlayer
    from ochibot.play.battle import BattleResult
    from ochibot.play.endless import Result
    from ochibot.play.seat import AnySeatPlayer
    from ochibot.play.versus import VersusResult
    from ochibot.record import Recorder
    from ochibot.session import Session


RecordOption = Annotated[
    Path | None, options.folder_option("Keep a record of the run in this folder.", "--record", default="nowhere")
]
DumpOption = Annotated[
    str | None,
    typer.Option(
        "--dump",
        metavar="every=K|locks",
        help="With --record: pictures too, into DIR/dump, as PNG.",
        show_default="no pictures",
    ),
]


@dataclass(frozen=True)
class WantedRecord:
    """What to keep: a record in ``folder``, a picture of each ``every``-th frame (None: no such pictures), and with
    ``at_locks`` a picture at each lock.
    """

    folder: Path
    every: int | None = None
    at_locks: bool = False

    def begin(
        self,
        session: Session,
        command: str,
        players: Sequence[tuple[str, int, int | None]],
        *,
        mode: str | None = None,
        from_here: bool = False,
        clairvoyant: Collection[int] = (),
    ) -> Recorder:
        """Starts recording the session. Raises OutputError."""
        return session.record(
            self.folder,
            command=command,
            mode=mode,
            players=players,
            dump_every=self.every,
            dump_locks=self.at_locks,
            from_here=from_here,
            clairvoyant=clairvoyant,
        )


def check_recording(record: Path | None, dump: str | None) -> WantedRecord | None:
    """Checks the options, makes the record's folder, and returns what to keep; None if ``record`` is None.

    Raises UsageError or OutputError.
    """
    if record is None:
        if dump is not None:
            raise UsageError("--dump keeps pictures in the folder of a record: give --record DIR too")
        return None
    wanted = WantedRecord(record)
    if dump == "locks":
        wanted = WantedRecord(record, at_locks=True)
    elif dump is not None:
        name, _, number = dump.partition("=")
        if name != "every" or not (number.isascii() and number.isdigit() and len(number) < 10) or int(number) < 1:
            raise UsageError(f"--dump takes every=K (each K-th frame, such as every=60) or locks, not {quoted(dump)}")
        wanted = WantedRecord(record, every=int(number))
    from ochibot.record.recorder import prepare_folder

    prepare_folder(record)
    return wanted


def recorded_line(recorder: Recorder) -> str:
    """Closes the record, which writes its last frames, and returns a line about it for the summary.

    If the record can't be written, the end of the session reports that.
    """
    with contextlib.suppress(OutputError):
        recorder.close()
    return f"record {recorder.folder}: {counted(recorder.kept, 'frame')}"


_ENDINGS: Final = {
    **{limit: f"--{limit}" for limit in ("pieces", "frames", "games", "rounds")},
    "game over": "a game over",
    "interrupt": "an interrupt",
    "window": "the window",
    "contradiction": "a contradiction",
    "stall": "a stall",
    "error": "an error",
}


CLAIRVOYANT = "clairvoyant: the player knew pairs that the game hadn't shown, read from its memory"
"""The line in the summary of every clairvoyant run."""

Watched = Sequence[tuple["AnySeatPlayer", tuple[str, ...]]]


@dataclass(frozen=True, kw_only=True)
class ConsoleOptions:
    """The options of the commands that play on a console."""

    game: options.GameArgument = None
    player: options.PlayerOption = None
    plies: options.PliesOption = None
    clairvoyant: options.ClairvoyantOption = False
    speed: options.SpeedOption = 10
    rom: options.RomOption = None
    system: options.SystemOption = None
    core: options.CoreOption = None
    rules: options.RulesOption = None
    map1: options.Map1Option = None
    map2: options.Map2Option = None
    level: options.LevelOption = None
    colors: options.ColorsOption = None
    option: options.MenuOption = None
    seed: options.SeedOption = None
    keep_going: options.KeepGoingOption = False
    json: options.JsonOption = None
    record: RecordOption = None
    dump: DumpOption = None
    window: options.WindowOption = False
    keys: options.KeysOption = None
    shots: options.ShotsOption = Path()
    av: options.AvOption = None
    game_module: options.GameModuleOption = None
    retroarch: options.RetroArchOption = None
    lockstep: options.LockstepOption = False
    any_address: options.AnyAddressOption = False
    web: WebOption = False
    host: HostOption = None
    port: PortOption = None
    allow_remote: AllowRemoteOption = False
    pace: PaceOption = None
    open_page: bool | None = False
    """Whether a browser is opened for the page; None: on a desktop. It isn't an option of these commands."""

    def chosen(self) -> Mapping[str, int | str | None]:
        """The choices on the game's menu. Raises UsageError."""
        return menu_choices(self.option, level=self.level, colors=self.colors)

    def check_watched(self, **needs: object) -> None:
        """Raises UsageError for ``--keys`` without a window, and for ``--no-av`` beside a window or one of ``needs``.

        needs: the options, by name, that need picture or sound.
        """
        if not self.window and self.keys is not None:
            raise UsageError("--keys are the window's: give --window too, or leave them out")
        if self.av is False and (given := [name for name, value in {"window": self.window, **needs}.items() if value]):
            raise UsageError(f"--{given[0]} needs the picture that --no-av leaves out: leave one of them out")

    @contextlib.contextmanager
    def opened(self, *, versus: bool = False, there: Joined | None = None) -> Iterator[Session]:
        """Opens the session. Wrong options raise their errors before the core is loaded.

        ``versus``: for the game's 2-player mode. ``there``: a RetroArch, in place of a core of our own.
        """
        from ochibot.session.opening import find_title_and_rom, open_title

        title, rom = find_title_and_rom(self.game, self.game_module, self.rom, self.system)
        session = open_title(
            title,
            rom=rom,
            system=self.system,
            core=self.core,
            rules=self.rules,
            maps={seat: file for seat, file in ((1, self.map1), (2, self.map2)) if file is not None},
            mode=title.versus_mode if versus else title.solo_mode,
            opener=None if there is None else there.opener,
        )
        with contextlib.nullcontext() if there is None else there.held(), session:
            yield session


def leave_out_av(session: Session, av: bool | None) -> None:
    """Lets the core leave out picture and sound, for a run that shows and keeps neither.

    av None: leaves out only what is known not to affect RAM. False (``--no-av``): leaves out both, or raises UsageError
    if the core can't. True: leaves out nothing.
    """
    from ochibot.console import Made

    made = session.leave_out_av(None if av is None else not av)
    if av is False and made is not Made.NOTHING:
        raise UsageError(f"the core {session.console.core_name} can't leave out picture and sound: leave --no-av out")


def with_picture(console: HostedConsole, error: GameError) -> GameError:
    """Saves a picture of the menus where the bot got stuck, and returns the error with the picture's path added."""
    from ochibot.console import Made
    from ochibot.leftovers import kept_folder

    # if no picture was kept, one more frame is run: the menus hang, so its picture is the same
    try:
        console.frame()
    except ConsoleError:
        console.make(Made.ALL)
        console.step()
    with kept_folder() as folder:
        shown = folder / "screen.png"
        save_picture(console, shown)
    return GameError(f"{error}; the screen: {shown}; start from a savestate with --from-state")


def introduction(session: Session) -> str:
    """The first lines of a run: core and ROM, a note if no picture and sound are made, and notes on a ROM that isn't
    ours.
    """
    from ochibot.console import Made

    console, image = session.console, session.rom
    line = f"{console.core_name} {console.core_version} · {image.name} (SHA-1 {image.sha1})"
    if console.made is Made.NOTHING:
        line = f"{line}\nno picture and no sound are made: nothing keeps them"
    if image.note:
        line = f"{line}\n{image.note}"
    return line if session.game.is_homebrew(image.sha1) or not session.game.note else f"{line}\n{session.game.note}"


def connect(session: Session, stop: Stop, end: Callable[[str], None], watched: Callable[[], Watched]) -> None:
    """Lets Ctrl-C and closing the window end the run. Window and page show the AIs that ``watched`` returns."""
    watched_of(session, watched)
    screen = session.window
    if screen is None:
        stop.calls(end)
        return
    screen.watch(watched)
    screen.when_quit(end)
    stop.calls(screen.quit)


class InMenus:
    """Counts the frames spent in menus on the status line. Call it before each frame; it returns whether to stop."""

    def __init__(self, status: StatusLine, stopped: Callable[[], bool] = lambda: False) -> None:
        self._status = status
        self._stopped = stopped
        self._frames = 0

    def __call__(self) -> bool:
        """Counts a frame. Returns whether to stop."""
        self._frames += 1
        if self._status.due():
            self._status.show(f"in the menus, looking for the first pair: frame {self._frames:,}")
        return self._stopped()


def ending(by: str) -> str:
    """In words, what ended a run; ``by`` is a report's ``stopped_by``."""
    return f"stopped by {_ENDINGS.get(by, by)}"


def failure_of(run: Callable[[], object], pieces: Callable[[], int]) -> OchibotError | None:
    """Plays, and returns the error that ended the run, so that the report can still be written.

    ``pieces``: how many pieces have been played. Without any there is no report to write, so the error is raised; but a
    contradiction between game and rules is always reported.
    """
    try:
        run()
    except OchibotError as error:
        if not pieces() and not isinstance(error, ContradictionError):
            raise
        return error
    return None


@dataclass(frozen=True)
class ConsoleRun:
    """A command's run on a console. there: the RetroArch in which it plays. out: where the summary is printed."""

    given: ConsoleOptions
    session: Session
    there: Joined | None
    out: TextIO

    def ready(self, *minds: AnyPlayer, seen: bool = False) -> WantedRecord | None:
        """Opens what the options ask for, and lets the players prepare. Returns the record to keep.

        seen: whether somebody needs picture or sound. If nobody does, the core may leave them out.
        """
        from ochibot.falling.player import prepare

        given = self.given
        if given.window:
            from ochibot.ui import need_window

            need_window()
        kept = check_recording(given.record, given.dump)
        if self.there is None and not given.window and kept is None and not seen:
            leave_out_av(self.session, given.av)
        for mind in minds:
            prepare(mind)
        return kept

    def finish(
        self,
        about: Mapping[str, Any],
        result: Result | BattleResult | VersusResult,
        summary: str,
        *,
        delays: Sequence[int],
        failure: OchibotError | None,
    ) -> None:
        """Writes the report, prints the summary, closes the record, then raises the failure if there was one.

        The report is written first, so that it isn't lost if the summary can't be printed. ``delays``: see ``Pilot``.
        """
        session, out = self.session, self.out
        report = {**about, **({} if self.there is None else self.there.about(delays)), **result.as_dict()}
        if self.there is not None:
            summary += f"\n{self.there.line(delays)}"
        if session.recorder is not None:
            session.recorder.end = result.stopped_by
        if session.live is not None:
            session.live.end(result.stopped_by)
        write_json(report, self.given.json)
        print(summary, file=out, flush=True)
        if session.window is not None:
            print(session.window.report().line(), file=out)
        if session.recorder is not None:
            print(recorded_line(session.recorder), file=out)
        if failure is not None:
            raise failure
