"""``ochibot deal --find``: finds the states that deal the first pairs that somebody saw, and the pairs that follow."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from ochibot.errors import OutputError, UsageError
from ochibot.quoting import brief
from ochibot.report import check_target, check_writable, write_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from ochibot.puyo.pairs.generators import Generator
    from ochibot.puyo.pairs.observation import Foretold, Observation
    from ochibot.puyo.pairs.search import FoundStates, StateSearch

LISTED: Final = 20
"""The most candidates printed for one observation; the JSON report has up to 1,048,576 (``search.LISTED``)."""

LIKELIEST: Final = 6
"""How many of the likeliest next pairs are printed."""

_LONG: Final = 1 << 26
"""A search over this many states or more keeps a checkpoint by default, because it takes some seconds."""

_PLAIN_EVERY: Final = 10.0
"""Seconds between two lines of progress if stderr isn't a terminal."""


def number(text: str, what: str) -> int:
    """Reads a number, hexadecimal after 0x or decimal. ``what`` names it in the error. Raises UsageError."""
    if re.fullmatch(r"0[xX][0-9a-fA-F]{1,16}", text):
        return int(text, 16)
    if re.fullmatch(r"[0-9]{1,20}", text):
        return int(text)
    raise UsageError(f"{brief(text, 40)!r} is no {what}: give a number, such as 0x35879de2 or 42")


def find(
    seen: list[str],
    generator: Generator,
    colors: int,
    player: int,
    within: str | None,
    threads: int | None,
    checkpoint: Path | None,
    json: str | None,
    device: str = "cpu",
) -> None:
    """Searches and prints the results. Raises UsageError, ConfigError and OutputError."""
    from ochibot.cli.output import report_stream
    from ochibot.puyo.pairs.generators import colors_dealt
    from ochibot.puyo.pairs.observation import foretell, observed
    from ochibot.puyo.pairs.search import StateSearch, states_of
    from ochibot.puyo.pairs.search import find as look

    most = colors_dealt(generator, colors, player)
    pairs = [text.replace(",", " ").split() for text in seen]
    observations = tuple(observed(game, most) for game in pairs)
    first, last = _range(within) if within is not None else (0, states_of(generator) - 1)
    search = StateSearch(generator, observations, colors, player, first, last, device)
    check_target(json)
    kept = _checkpoint(search, checkpoint)
    with _progress(search) as tell:
        found = look(search, threads, kept, tell)
    foretold = [
        foretell(generator, observation, found.candidates(k), colors, player)
        for k, observation in enumerate(observations)
    ]
    write_json(_report(search, pairs, found, foretold, within is not None), json)
    for k, observation in enumerate(observations):
        _tell(search, observation, found, k, foretold[k], report_stream(json))


def _range(text: str) -> tuple[int, int]:
    """Reads a range FROM-TO: (first state, last state). Raises UsageError."""
    first, dash, last = text.partition("-")
    if not dash:
        raise UsageError(f"{brief(text, 40)!r} is no range: give FROM-TO, such as 0x35800000-0x358fffff")
    return number(first.strip(), "state"), number(last.strip(), "state")


def _checkpoint(search: StateSearch, chosen: Path | None) -> Path | None:
    """The search's checkpoint file: the user's choice, or for a long search a file in the cache folder.

    None for other searches, and if the cache folder can't be written. Raises OutputError for a chosen file that can't
    be written.
    """
    from ochibot.data import cache_dir

    if chosen is not None:
        check_writable(chosen, "the checkpoint")
        return chosen
    if search.states < _LONG or search.alike:
        return None
    path = cache_dir() / "searches" / f"{search.name}.npz"
    try:
        check_writable(path, "the checkpoint")
    except OutputError as error:
        print(f"without a checkpoint: {error}", file=sys.stderr)
        return None
    return path


def _report(
    search: StateSearch, seen: list[list[str]], found: FoundStates, foretold: list[Foretold], ranged: bool
) -> dict[str, Any]:
    """The JSON report. With several observations, each result is a list with one entry for each observation."""
    report: dict[str, Any] = {"generator": search.generator, "colors": search.colors}
    if search.generator == "puyo1":
        report["player"] = search.player
    if ranged:
        report["range"] = [search.first, search.last]
    columns: dict[str, list[Any]] = {
        "find": seen,
        "candidates": [found.candidates(k).tolist() for k in range(len(search.observations))],
        "count": found.counts,
        "certain": [list(one.certain) for one in foretold],
        "next": [[{"pairs": list(pairs), "share": share} for pairs, share in one.next] for one in foretold],
    }
    single = len(search.observations) == 1
    return {**report, **{name: values[0] if single else values for name, values in columns.items()}}


def _pairs(observation: Observation) -> list[str]:
    return [observation.signs[k : k + 2] for k in range(0, len(observation.signs), 2)]


def _tell(
    search: StateSearch, observation: Observation, found: FoundStates, k: int, foretold: Foretold, out: TextIO
) -> None:
    """Prints the results for one observation (number ``k``)."""
    from ochibot.puyo.pairs.observation import FORETOLD

    if len(search.observations) > 1:
        print(f"{' '.join(_pairs(observation))}:", file=out)
    count = found.counts[k]
    noun = "seeds" if search.generator == "modern" else "states"
    print(f"{count:,} of {search.states:,} {noun} {'deals' if count == 1 else 'deal'} these pairs", file=out)
    candidates = found.candidates(k)
    for line in _lines(search, k, candidates[:LISTED]):
        print(line, file=out)
    if count > LISTED:
        alike = observation.names and len(foretold.certain) == FORETOLD
        print(f"and {count - LISTED:,} others{'' if alike else ': more pairs leave fewer'}", file=out)
    if count < 2 or not observation.names:
        return
    certain = len(foretold.certain)
    all_of = "all" if count == len(candidates) else f"the first {len(candidates):,}"
    if certain:
        print(f"{all_of} deal {' '.join(foretold.certain)} next", file=out)
    if certain < FORETOLD:
        line = ", ".join(f"{pair} {share:.1%}" for pair, share in foretold.then[:LIKELIEST])
        if len(foretold.then) > LIKELIEST:
            line += " ..."
        print(f"{'then' if certain else 'next'}, all states being equally likely: {line}", file=out)


def _lines(search: StateSearch, k: int, states: Any) -> list[str]:
    """One line for each candidate: the state and the pairs that it deals next."""
    from ochibot.puyo.pairs.observation import in_words, next_pairs

    rows = next_pairs(search.generator, search.observations[k], states, search.colors, search.player)
    digits = 4 if search.generator == "modern" else 8
    return [
        f"0x{state:0{digits}x}, then {' '.join(in_words(row))}"
        for state, row in zip(states.tolist(), rows, strict=True)
    ]


@contextmanager
def _progress(search: StateSearch) -> Iterator[Callable[[FoundStates], None]]:
    """Gives a function to call as the search advances: it shows the progress and the results so far on stderr.

    It does nothing for a short search, or if each examined state stands for up to 256 states (``StateSearch.alike``).
    """
    if search.alike or search.states < _LONG or sys.stderr is None:
        yield lambda _: None
        return
    news = _News(search)
    if not sys.stderr.isatty():
        yield news.plainly
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())

    class Plain(Console):
        """A console that never hides the cursor: Ctrl-C ends the process at once, and the cursor would stay hidden."""

        def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002
            return False

    console = Plain(stderr=True, highlight=False, soft_wrap=True)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("searching", total=search.states)

        def show(found: FoundStates) -> None:
            for line in news.of(found):
                progress.console.print(line, markup=False)
            progress.update(task, completed=found.done + found.under_way, description=news.speed(found))

        yield show


class _News:
    """Reports the progress of a running search."""

    def __init__(self, search: StateSearch) -> None:
        self.search = search
        self.shown = [0 for _ in search.observations]
        self.began: tuple[float, int] | None = None
        self.last = time.monotonic()

    def of(self, found: FoundStates) -> list[str]:
        """The new lines to show: where the search resumed, and new candidates (for each observation, at most
        ``LISTED`` in the whole run).
        """
        lines = []
        if self.began is None:
            self.began = time.monotonic(), found.done
            if found.done:
                lines.append(f"going on at {found.done / found.total:.0%}, where this search was stopped")
        for k, count in enumerate(found.counts):
            if count > self.shown[k] and self.shown[k] < LISTED:
                new = found.candidates(k)[self.shown[k] : LISTED]
                game = f"game {k + 1}: " if len(found.counts) > 1 else ""
                lines += [f"found so far: {game}{line}" for line in _lines(self.search, k, new)]
                self.shown[k] += len(new)
        return lines

    def speed(self, found: FoundStates) -> str:
        """How many states per second this run has examined, in words."""
        assert self.began is not None
        seconds, done = time.monotonic() - self.began[0], found.done + found.under_way - self.began[1]
        return f"{done / seconds / 1e6:.1f} million states/s" if seconds > 0 and done else "searching"

    def plainly(self, found: FoundStates) -> None:
        """Prints new candidates and a line of progress on stderr, every ``_PLAIN_EVERY`` seconds."""
        now = time.monotonic()
        if self.began is not None and now - self.last < _PLAIN_EVERY:
            return
        for line in self.of(found):
            print(line, file=sys.stderr, flush=True)
        looked = found.done + found.under_way
        if self.began is None or looked == self.began[1]:
            return
        self.last = now
        left = (found.total - looked) * (now - self.began[0]) / (looked - self.began[1])
        minutes, seconds = divmod(round(left), 60)
        line = f"{looked / found.total:.0%}, {self.speed(found)}, about {minutes}:{seconds:02} left"
        print(line, file=sys.stderr, flush=True)
