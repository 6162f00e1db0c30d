"""Judges many strangers and prints what was learnt: a line for each game, and a table by mechanism."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.strangers.cartridge import refused
from tests.strangers.judge import Verdict, judge
from tests.strangers.maker import Spec
from tests.strangers.whole import Whole, judge_whole

WAYS = ("right", "false", "missing")


def judged(spec: Spec, *, whole: bool, effort: float = 1.0, rom: bool = False) -> Verdict | Whole:
    """A game's verdict. An error inside the engine is one, too."""
    try:
        return judge_whole(spec, effort=effort, rom=rom) if whole else judge(spec, effort=effort, rom=rom)
    except Exception as error:
        made = (Whole if whole else Verdict)(spec.seed, spec.kind, sorted(spec.mechanisms))
        made.why = f"the engine failed: {type(error).__name__}: {error}"
        return made


def learnt(one: Verdict | Whole) -> bool:
    """Whether a game was learnt: whole, or as a draft."""
    return one.whole if isinstance(one, Whole) else one.drafted


def wrong_known(one: Verdict | Whole) -> list[str]:
    """The entries that were graded known and are false."""
    if isinstance(one, Whole):
        return []
    return [name for name in one.known if one.entries.get(name) == "false"]


def line(one: Verdict | Whole) -> str:
    """A game in one line."""
    words = [
        f"{one.kind} {one.seed}:",
        *(one.mechanisms if len(one.mechanisms) == 1 else ()),
        "learnt" if learnt(one) else "NOT learnt",
        f"in {one.frames} frames",
    ]
    if isinstance(one, Whole):
        if not one.whole:
            words.append(f"| {one.stage or 'before the first stage'}: {one.why}")
        if one.rules:
            words.append("| other rules: " + ", ".join(f"{name} {a} for {b}" for name, (a, b) in one.rules.items()))
    else:
        if one.why:
            words.append(f"| {one.why}")
        for way in WAYS[1:]:
            names = [name for name, said in one.entries.items() if said == way]
            if names:
                words.append(f"| {way}: {', '.join(names)}")
        if wrong_known(one):
            words.append(f"| known but false: {', '.join(wrong_known(one))}")
    return " ".join(" ".join(words).split())[:1000]


def table(verdicts: Sequence[Verdict | Whole]) -> str:
    """What was learnt by mechanism, those that fail most first. frames: on average."""
    games: dict[str, list[Verdict | Whole]] = defaultdict(list)
    for one in verdicts:
        games["all"].append(one)
        for name in one.mechanisms:
            games[name].append(one)
    heads = ("mechanism", "games", "learnt", *WAYS, "known but false", "frames")
    rows = [heads, *(_row(name, ones) for name, ones in sorted(games.items(), key=lambda item: _order(*item)))]
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if not at else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def _order(name: str, ones: Sequence[Verdict | Whole]) -> tuple[bool, float, str]:
    return name != "all", sum(map(learnt, ones)) / len(ones), name


def _row(name: str, ones: Sequence[Verdict | Whole]) -> tuple[str, ...]:
    ways = Counter(said for one in ones if isinstance(one, Verdict) for said in one.entries.values())
    entries = [str(ways[way]) if ways else "-" for way in WAYS]
    known = str(sum(len(wrong_known(one)) for one in ones)) if ways else "-"
    frames = sum(one.frames for one in ones) // len(ones)
    return name, str(len(ones)), str(sum(map(learnt, ones))), *entries, known, str(frames)


def reasons(verdicts: Iterable[Verdict | Whole]) -> str:
    """Where whole games failed, the most frequent stage first."""
    found = Counter(f"{one.stage}: {one.why}"[:160] for one in verdicts if isinstance(one, Whole) and not one.whole)
    return "\n".join(f"{times:4}  {words}" for words, times in found.most_common())


def judge_all(
    specs: Iterable[Spec],
    *,
    whole: bool,
    say: Callable[[str], None],
    effort: float = 1.0,
    report: Path | None = None,
    rom: bool = False,
) -> None:
    """Judges games one after the other, says a line for each and then the table, and writes ``report`` (JSON). ``rom``:
    as ROMs in the real core; those that can't be ROMs are left out.
    """
    verdicts: list[Verdict | Whole] = []
    for spec in specs:
        if rom and (why := refused(spec)):
            say(f"{spec.kind} {spec.seed}: left out: {why}")
            continue
        verdicts.append(judged(spec, whole=whole, effort=effort, rom=rom))
        say(line(verdicts[-1]))
        if report is not None:
            data: list[dict[str, Any]] = [one.as_dict() for one in verdicts]
            report.write_text(json.dumps(data, indent=1), encoding="utf-8")
    if verdicts:
        say("\n" + table(verdicts))
        if whole:
            say("\n" + reasons(verdicts))
