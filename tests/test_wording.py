"""Messages count in correct English (1 frame, 2 frames), and the code avoids compressed idioms."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from ochibot.wording import counted

PACKAGE = Path(__file__).resolve().parent.parent / "bot/ochibot"
NOUNS = (
    *("board", "byte", "cell", "check", "colour", "column", "core", "decision", "error", "file", "frame", "game"),
    *("ignition", "line", "lock", "outcome", "piece", "picture", "pixel", "player", "reset", "round", "row", "run"),
    *("sample", "seat", "sign", "tail", "thread", "time", "underrun"),
)
AFTER_A_NUMBER = re.compile(rf" (?:\S+ )?(?:{'|'.join(NOUNS)})s\b(?!/)")

ALLOWED = {
    # (module, the expression before the plural): why its value is never 1
    ("bench/search.py", "self.threads_speedup"): "a measured fraction",
    ("cli/battle.py", "result.mean_frames"): "a mean of frames",
    ("console/console.py", "', '.join(kinds)"): "names, no number",
    ("console/sets.py", "sizes[file]"): "a ROM's size, in hexadecimal",
    ("console/sega.py", "promised"): "more than a header",
    ("console/sega.py", "len(data)"): "more than a header",
    ("console/rom.py", "kinds"): "names, no number",
    ("console/sets.py", "file.size"): "a ROM's size, in hexadecimal",
    ("console/sets.py", "info.file_size"): "a ROM's size, in hexadecimal",
    ("experiments/fields.py", "columns"): "too few or too many",
    ("experiments/fields.py", "rows"): "too few or too many",
    ("experiments/report.py", "grid.columns"): "more than one",
    ("experiments/report.py", "grid.across"): "a stride, with its sign",
    ("experiments/report.py", "basis.visible"): "more than one",
    ("experiments/report.py", "learnt.size"): "2 to 6",
    ("console/states.py", "total"): "more than any savestate",
    ("games/unread.py", "self.unread"): "one is said otherwise",
    ("experiments/checking/values.py", "known"): "what a file says, which may be no number",
    ("ramtools/exchange/cht.py", "symbol.width"): "two or more",
    ("ramtools/exchange/wch.py", "symbol.width"): "two or more",
    ("console/nes.py", "size"): "more than a header",
    ("cli/deal.py", "colors"): "3 to 5",
    ("bench/start.py", "self.help_ratio"): "a measured fraction",
    ("games/tsu/game.py", "_colors_of(level)"): "3 to 5",
    ("lab/contest/table.py", "_COLORS[title][-1]"): "more than one",
    ("lab/plots/panels.py", "million(run.pieces)"): "words, such as 5 million",
    ("lab/plots/panels.py", "million(tail.pieces)"): "words, such as 5 million",
    ("puyo/sim/megadrive.py", "deal.colors"): "3 to 5",
    ("games/ramseat.py", "self._rows"): "a constant of the title",
    ("games/ramseat.py", "self._columns"): "a constant of the title",
    ("puyo/pairs/observation.py", "seen"): "more than the game has",
    ("puyo/pairs/search.py", "len(self.observations)"): "none or too many",
    ("puyo/pairs/claims.py", "most"): "a measured fraction",
    ("puyo/rules/field.py", "len(rows)"): "too many",
    ("puyo/rules/profile.py", "self.moving_rows"): "too many",
    ("puyo/rules/snapshot.py", "self.colors"): "4 to 6, from the game",
    ("puyo/sim/dealer.py", "colors"): "0 or too many",
    ("puyo/sim/dealer.py", "interval"): "0 or less",
    ("record/reader.py", "quoted(frames)"): "what a damaged file says, which may be no number",
    ("session/byhand.py", "len(self._state)"): "a savestate's size",
    ("record/segment.py", "count"): "inside a message on a damaged block",
    ("record/segment.py", "len(segment.checks)"): "inside a message on a damaged block",
    ("record/segment.py", "int(runs['length'].sum())"): "inside a message on a damaged block",
}


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0 frames"), (1, "1 frame"), (2, "2 frames"), (1_000, "1,000 frames"), (1_001, "1,001 frames")],
)
def test_only_one_is_singular(number: int, words: str) -> None:
    assert counted(number, "frame") == words


def test_other_plurals_are_given() -> None:
    assert counted(1, "byte differs", "bytes differ") == "1 byte differs"
    assert counted(2, "byte differs", "bytes differ") == "2 bytes differ"


def plurals(source: str) -> Iterator[str]:
    """The expressions before plurals in a module's f-strings. Constants in capitals are left out:
    their values are known.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            for value, after in zip(node.values, node.values[1:], strict=False):
                if isinstance(value, ast.FormattedValue) and isinstance(after, ast.Constant):
                    text = ast.unparse(value.value)
                    known = text.rsplit(".", 1)[-1].lstrip("_").isupper()
                    if not known and AFTER_A_NUMBER.match(str(after.value)):
                        yield text


def test_the_search_for_plurals_finds_them() -> None:
    assert list(plurals('f"{n:,} frames, {a.b} more pieces, {MOST} bytes, {f} frames/s, {n} frame"')) == ["n", "a.b"]


def test_no_message_says_1_frames() -> None:
    """Messages once said ``START waits 1 frames`` and ``after 1 games``."""
    found = {
        (path.relative_to(PACKAGE).as_posix(), text)
        for path in PACKAGE.rglob("*.py")
        for text in plurals(path.read_text(encoding="utf-8"))
    }
    assert not found - set(ALLOWED)


IDIOMS = {
    r"\btold\b": "report, show, warn or raise",
    r"\b[Oo]f (?:equal ones|equals)\b": "ties go to …",
    r"\bdepends on its mood\b": "only sometimes",
    r'^"""The command\."""$': "what the command does",
    r"\bso much at a time\b": "at most one batch",
    r"\bgone on with\b": "continued, or resumed",
    r"\bgoes on (?:where|with what|from there)\b": "resumes",
    r"\bat the most\b": "at most, or the most …",
    r"\b(?:of|for) what is no\b": "of other …, or for another …",
    r"\bwhere there is none\b": "if there is no …",
    r"\bdepends on neither\b": "doesn't depend on … or …",
    r'^"""(?:Of|By|Nothing|Search and tell)\b': "name the subject first",
    r"\bWhether all are done\b": "Returns whether …",
    r"\bis taken to\b": "is assumed to",
}
"""Patterns of compressed English, which this project once used, and what to write instead."""


def prose(source: str) -> Iterator[str]:
    """Docstrings, comments, and the texts of messages."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING) or tokenize.tok_name[token.type].startswith("FSTRING_M"):
            # in Python 3.11 an f-string is one token, with the expressions in it
            is_formatted = re.match("[rR]?[fF]", token.string) is not None
            yield re.sub(r"{[^{}]*}", "", token.string) if is_formatted else token.string


def test_the_search_for_idioms_finds_them() -> None:
    source = '"""The command."""\n# it is told here\nraise E(f"{name} is told twice", f"{told}", "untold")\n'
    found = [text for text in prose(source) for idiom in IDIOMS if re.search(idiom, text)]
    assert found[:2] == ['"""The command."""', "# it is told here"]
    assert len(found) == 3


def test_no_compressed_idioms() -> None:
    """The package's docstrings, comments and messages match none of ``IDIOMS``."""
    found = [
        f"{path.relative_to(PACKAGE)}: {text[:80]!r}: write {instead}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for text in prose(path.read_text(encoding="utf-8"))
        for idiom, instead in IDIOMS.items()
        if re.search(idiom, text)
    ]
    assert not found
