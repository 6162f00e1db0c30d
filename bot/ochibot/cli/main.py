"""The entry point: runs the command, and turns errors that users can mend into one line and exit code 2."""

from __future__ import annotations

import atexit
import gc
import io
import os
import signal
import sys

from ochibot import __version__, interrupts
from ochibot.errors import OchibotError, PlayerError
from ochibot.quoting import MOST_OF_A_CUT_LINE, MOST_OF_A_WORD, brief_path, concise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal, TextIO

    import typer

# a start is 0.03 s shorter without a look for plug-ins of pydantic's, which no model of ours needs
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

FIRST_SEARCH = 400_000
"""How many objects are created before the first garbage collection, about three times as many as ``play`` creates
until it starts playing. From then on, garbage is collected as often as Python usually does."""

_code: int | None = None
"""The exit code of a process that runs nothing but a command, once the command has ended."""

_GREETING = """\
Ochibot plays falling-block puzzle games on emulated consoles.

Watch it play the game that it brings:     ochibot play --window
Let it play your own cartridge:            ochibot play "My Game.nes"
Play against it:                           ochibot versus

`ochibot --help` lists all commands, and `ochibot COMMAND --help` explains one."""


def _app(words: Sequence[str] | None = None) -> typer.Typer:
    """The app with all commands. Their modules are imported here, after the handlers for Ctrl-C are in place.

    ``words``: the command line. Only the command that it names gets its options, because typer takes a while to build
    those of every command.
    """
    import typer

    from ochibot.cli import (
        alone,
        arena,
        battle,
        bench,
        calibrate,
        coach,
        deal,
        doctor,
        engine,
        explain,
        nyaa,
        pictures,
        play,
        plot,
        ram,
        records,
        review,
        train,
        versus,
        warm,
        web,
    )
    from ochibot.cli.commands import example, renaming

    app = typer.Typer(
        name="ochibot",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    each: dict[str, tuple[Callable[..., object], str, dict[str, str]]] = {
        "play": (play.play, "play --level 4 --pieces 100 --seed 1", {"--map1": "--map"}),
        "battle": (battle.battle, "battle --speed1 10 --speed2 3 --games 2", battle.OLD_NAMES),
        "versus": (versus.versus, "versus --speed 5 --rounds 3", {}),
        "coach": (coach.coach, "coach puyo --retroarch localhost --hints later", {}),
        "review": (review.review, "review runs/one -o one.html --effort quick", {}),
        "doctor": (doctor.doctor, "doctor", {}),
        "docs": (web.docs, "docs --no-open", {}),
        "explain": (explain.explain, "explain --text R....G/RR.GGB --pair RG --next BB --top 5", {}),
        "deal": (deal.deal, "deal --generator tsu --state 0x35879de2 --pairs 64", {"--player": "--seat"}),
        "selfplay": (alone.selfplay, "selfplay --pieces 100_000 -o runs/selfplay", {"--out": "--output"}),
        "tail": (alone.tail, "tail --replicas 4 --direct 9_000 --excursions 99 -o runs/tail", {"--out": "--output"}),
        "plot": (plot.plot, "plot runs/selfplay runs/tail -o curve.svg --what curve", {"--out": "--output"}),
        "arena": (arena.arena, "arena article article --games 4 -o runs/arena", {"--out": "--output"}),
        "chance": (train.chance, "chance trained --games 20 --held 10 -o runs/chance", {}),
        "train": (
            train.train,
            "train --generations 1 --battle-games 4 -o runs/train",
            {"--out": "--output"},
        ),
        "watch": (arena.watch, "watch runs/arena 1 -o game.gif --to 600", {"--out": "--output"}),
        "web": (web.web, "web --port 8017", {}),
        "warm": (warm.warm, "warm puyo", {}),
        "explore": (calibrate.explore, "explore -o runs/explore", {"--out": "--output"}),
        "calibrate": (
            calibrate.calibrate,
            "calibrate --blind --pieces 50 -o runs/calibrate",
            {"--out": "--output"},
        ),
        "dump": (pictures.dump, "dump runs/one --every 60 -o frames", {"--out": "--output"}),
        "verify": (records.verify, "verify runs/one", {}),
        "video": (pictures.video, "video runs/one -o one.gif --to 60", {"--out": "--output", "--speed": "--tempo"}),
    }
    called = _called(words)
    for name, (command, sample, old_names) in each.items():
        whole = called in (None, name)
        app.command(name, epilog=example(sample), cls=renaming(old_names))(command if whole else _named(command))
    for name, group in {
        "bench": bench.app,
        "engine": engine.app,
        "lab": alone.app,
        "movie": records.app,
        "nyaa": nyaa.app,
        "ram": ram.app,
    }.items():
        app.add_typer(group if called in (None, name) else _named_group(group), name=name)

    def version(wanted: bool) -> None:
        if wanted:
            typer.echo(f"ochibot {__version__}")
            raise typer.Exit

    @app.callback(
        help="Plays falling-block puzzle games on emulated consoles.",
        epilog=example("play --pieces 100 --seed 1"),
    )
    def root(
        _: bool = typer.Option(False, "--version", callback=version, is_eager=True, help="Show the version and leave."),
    ) -> None:
        """Reads the program's own option --version, which ``version`` handles."""

    return app


def _completing() -> bool:
    """Whether a shell asks for completions."""
    return any(name.endswith("_COMPLETE") for name in os.environ)


def _called(words: Sequence[str] | None) -> str | None:
    """The command's name; "" if the words name none, None if any command may be needed (completion)."""
    if words is None or _completing():
        return None
    return next((word for word in words if not word.startswith("-")), "")


def _named(whole: Callable[..., object]) -> Callable[[], None]:
    """A stand-in for a command that isn't called: it has the command's name and help, but no options."""

    def command() -> None:
        """Does nothing."""

    command.__doc__ = whole.__doc__
    return command


def _named_group(whole: typer.Typer) -> typer.Typer:
    """A stand-in for a group of commands that isn't called: it has the group's help, but no commands."""
    import typer

    group = typer.Typer(help=whole.info.help)
    known = whole.registered_callback
    group.callback()(_named(known.callback if known is not None and known.callback is not None else _named_group))
    return group


def script() -> None:
    """The entry point of the console script. Signals such as Ctrl-C end the process at once, also during imports."""
    interrupts.install()
    _fill_standard_files()
    begin()
    main()


def begin() -> None:
    """Puts off garbage collection, and lets the process end without destroying its objects.

    A command's imports create some hundred thousand objects, and nearly all of them live to the end. Searching them for
    garbage and destroying them one by one at the end took a fifth of a short command's time.

    Call it only in a process that runs nothing but a command, before the process imports anything large.
    """
    usual = gc.get_threshold()

    def restore(phase: Literal["start", "stop"], _: dict[str, int]) -> None:
        if phase == "stop":
            gc.callbacks.remove(restore)
            gc.set_threshold(*usual)

    gc.set_threshold(FIRST_SEARCH, *usual[1:])
    gc.callbacks.append(restore)
    # numpy's library would start a thread for each processor; the matrices of the lab's training are small
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # registered first, so called last: by then threads have ended and all other exit functions have run
    atexit.register(_leave)


def _ends_with(code: int) -> None:
    """Notes that the command has ended and that the process shall exit with ``code``."""
    global _code
    _code = code


def _leave() -> None:
    """Flushes the output and ends the process, before Python begins to destroy all objects."""
    if _code is None:
        return  # ``main`` was left by an uncaught exception, which Python reports
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return  # the output can't be written: Python's own exit reports that
    os._exit(_code)


def _fill_standard_files() -> None:
    """Opens /dev/null in place of closed standard files. Otherwise the next file opened, such as a record, would take
    its place, and what a core or a signal handler prints would be written into it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one


def main() -> None:
    """Runs the command line of this process. Raises SystemExit with the exit code."""
    before = interrupts.handlers()
    interrupts.install()
    try:
        for stream in (sys.stdout, sys.stderr):
            # a character that the terminal can't show must not end the command
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        code = _run()
    except KeyboardInterrupt:
        code = _interrupted()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    _ends_with(code)
    raise SystemExit(code)


def _run() -> int:
    """Runs the command and returns its exit code. Every error is shown in one line.

    With OCHIBOT_DEBUG set, errors of players and bugs are raised instead, with their traceback.
    """
    interrupts.forget()
    if sys.stdout is None and not _reports_to_a_file(sys.argv[1:]):
        return _complain("there is no stdout to write to: open one, or give --json FILE", 2)
    if not sys.argv[1:] and not _completing():
        print(_GREETING)
        return 0
    try:
        # not "standalone", because typer would draw boxes of several lines around usage errors
        code = _app(sys.argv[1:])(prog_name="ochibot", standalone_mode=False)
        if code == 130:
            return _interrupted()
        return code if isinstance(code, int) else 0
    except OchibotError as error:
        if isinstance(error, PlayerError) and os.environ.get("OCHIBOT_DEBUG"):
            raise
        # an engine's failure isn't a mistake in the command
        return _complain(str(error), 1 if type(error).__name__ == "EngineError" else 2)
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        # nobody reads our output any more; point stdout elsewhere, so that Python's final flush reports nothing
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        _quiet(sys.stdout)
        return _complain(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}", 2)
    except Exception as error:
        if hasattr(error, "format_message"):
            message = error.format_message()
            if type(error).__name__ == "NoArgsIsHelpError":
                # the message is the help text, or empty if the help has been printed already
                print(message, end="\n" if message else "")
                return 2
            # a usage error quotes what was typed, which may be long; and the words "Value error" mean nothing to users
            line = " ".join(message.split()).replace(": Value error, ", ": ", 1)
            return _complain(f"{concise(line, MOST_OF_A_CUT_LINE)} (see --help)", 2)
        if type(error).__name__ == "Abort":
            return _interrupted()
        if os.environ.get("OCHIBOT_DEBUG"):
            raise
        return _complain(f"this is a bug of ochibot: {type(error).__name__}: {error} (OCHIBOT_DEBUG=1 shows where)", 70)


def _reports_to_a_file(words: Sequence[str]) -> bool:
    """Whether the command line has ``--json FILE``, so that a command's result isn't lost without a stdout."""
    targets = [words[at] for at in range(1, len(words)) if words[at - 1] == "--json"]
    targets += [word.partition("=")[2] for word in words if word.startswith("--json=")]
    return any(target != "-" for target in targets)


def _interrupted() -> int:
    from ochibot.leftovers import remove_empty

    remove_empty()
    return _complain("interrupted", interrupts.exit_code())


def _complain(text: str, code: int) -> int:
    if sys.stderr is not None:
        from pathlib import Path

        for word in sys.argv[1:]:
            # ``concise`` shortens single words only, so a long path with spaces is shortened here. A path of several
            # lines would make several lines of the message.
            typed = word.partition("=")[2] if word.startswith("--") and "=" in word else word
            if len(typed) > MOST_OF_A_WORD or (typed and not typed.isprintable()):
                # a path may be quoted as typed, or without the slashes that mean nothing
                for quoted in (typed, str(Path(typed))):
                    text = text.replace(quoted, brief_path(quoted))
        try:
            print(f"ochibot: {concise(text)}", file=sys.stderr, flush=True)
        except OSError:
            _quiet(sys.stderr)  # such as after the terminal was closed: the exit code has to tell it
    return code


def _quiet(stream: TextIO) -> None:
    """Points stdout or stderr elsewhere after a write failed, so that Python's final flush doesn't fail again."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
