"""The entry point: finds the command, and turns errors that users can mend into one line and exit code 2."""

from __future__ import annotations

import io
import os
import signal
import sys

from ochibot import __version__, interrupts
from ochibot.errors import OchibotError, PlayerError
from ochibot.quoting import MOST_OF_A_CUT_LINE, concise

TYPE_CHECKING = False
if TYPE_CHECKING:
    import typer


def _app() -> typer.Typer:
    """The commands; imported here, where an early Ctrl-C is listened to already."""
    import typer

    from ochibot.cli import (
        battle,
        bench,
        deal,
        doctor,
        dump,
        explain,
        movie,
        nyaa,
        play,
        selfplay,
        verify,
        versus,
        video,
        warm,
        web,
    )

    app = typer.Typer(
        name="ochibot",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.command("play")(play.play)
    app.command("battle")(battle.battle)
    app.command("versus")(versus.versus)
    app.command("doctor")(doctor.doctor)
    app.command("explain")(explain.explain)
    app.command("deal")(deal.deal)
    app.command("selfplay")(selfplay.selfplay)
    app.command("web")(web.web)
    app.command("warm")(warm.warm)
    app.command("dump")(dump.dump)
    app.command("verify")(verify.verify)
    app.command("video")(video.video)
    app.add_typer(bench.app, name="bench")
    app.add_typer(movie.app, name="movie")
    app.add_typer(nyaa.app, name="nyaa")

    def version(wanted: bool) -> None:
        if wanted:
            typer.echo(f"ochibot {__version__}")
            raise typer.Exit

    @app.callback(help="Plays falling-block puzzle games on emulated consoles.")
    def root(
        _: bool = typer.Option(False, "--version", callback=version, is_eager=True, help="Show the version and leave."),
    ) -> None:
        """Options of the program itself."""

    return app


def script() -> None:
    """The console script: from its first line to the end of the process, Ctrl-C and SIGTERM end it at once."""
    interrupts.install()
    main()


def main() -> None:
    """Run the command line of this process."""
    before = {number: signal.getsignal(number) for number in interrupts.SIGNALS}
    interrupts.install()
    try:
        for stream in (sys.stdout, sys.stderr):
            # a name or sign that the terminal can't show is no reason to fail
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        code = _run()
    except KeyboardInterrupt:
        code = _interrupted()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    raise SystemExit(code)


def _run() -> int:
    """The exit code of the command; every error is told in one line."""
    interrupts.forget()
    try:
        # not "standalone": typer would draw boxes of several lines around errors of usage
        code = _app()(standalone_mode=False)
        if code == 130:
            return _interrupted()
        return code if isinstance(code, int) else 0
    except OchibotError as error:
        if isinstance(error, PlayerError) and os.environ.get("OCHIBOT_DEBUG"):
            raise
        return _complain(str(error), 2)
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        # the reader of our output has gone; point stdout elsewhere so that the interpreter's own flush is quiet
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        _quiet_stdout()
        return _complain(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}", 2)
    except Exception as error:
        if hasattr(error, "format_message"):
            message = error.format_message()
            if type(error).__name__ == "NoArgsIsHelpError":
                # the help is the message, or has been printed instead of one
                print(message, end="\n" if message else "")
                return 2
            # such a message quotes what was typed, whatever its length
            return _complain(f"{concise(' '.join(message.split()), MOST_OF_A_CUT_LINE)} (see --help)", 2)
        if type(error).__name__ == "Abort":
            return _interrupted()
        if os.environ.get("OCHIBOT_DEBUG"):
            raise
        return _complain(f"this is a bug of ochibot: {type(error).__name__}: {error} (OCHIBOT_DEBUG=1 shows where)", 70)


def _interrupted() -> int:
    from ochibot.leftovers import remove_empty

    remove_empty()
    return _complain("interrupted", interrupts.exit_code())


def _complain(text: str, code: int) -> int:
    if sys.stderr is not None:
        print(f"ochibot: {concise(text)}", file=sys.stderr)
    return code


def _quiet_stdout() -> None:
    """What can't be written to stdout any more must not fail again at the interpreter's end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
