"""Options mean the same everywhere, and every help states everything: defaults, ranges, an example that runs."""

from __future__ import annotations

import inspect
import io
import shlex
import shutil
import sys
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final

import pytest
import typer
from ochibot.cli import main
from typer.models import ArgumentInfo, ParameterInfo

NOTHING: Final = (None, ..., inspect.Parameter.empty)

EXCEPTIONS: Final = {
    # options that may differ from command to command: what differs, and why
    "--colors": "the menu has 4 to 6, published games 3 to 5, Pochi & Nyaa's boards 1 to 4, the search is asked any",
    "FILE": "ram search and import read one file; the calculator takes - for stdin too",
    "--game": "a game by its name, or the game file that a record was made with",
    "--next": "a pair in explain, a number of pairs in bench strength",
    "--games": "bench strength has the modern dealer's 65,536 seeds",
    "--frames": "benches measure nothing in fewer than 100",
    "--pieces": "benches measure nothing in fewer",
    "--level": "a bench has one that it is known by, so it isn't left to the menu",
    "--player": "explain and bench search read a player file's weights, which a class hasn't got",
    "--dump": "play writes the dump that verify reads",
    "--output": "a file or a folder, by what is made",
    "--retroarch": "an address to play at; doctor looks at this machine's own",
    "--format": "each command has its own formats of output",
    "--shard": "a shard of lab export is a file, which has to fit into memory",
    "--against": "a player in coach; in review, the folder of the games that are summed up",
    "--effort": "review has three; the learning engine's is also a number of frames",
    "--positions": "bench review plays on from none unless asked",
    "--to": "a frame, or the program that a map is exported to",
}


@dataclass(frozen=True)
class Given:
    """One option or argument of a command. kind: its type without None."""

    command: str
    name: str
    kind: Any
    default: Any
    info: Any
    shown: str


def group() -> Any:
    return typer.main.get_command(main._app())


def commands(node: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands and groups, each with the words that call it."""
    node = group() if node is None else node
    yield path, node
    for name, command in getattr(node, "commands", {}).items():
        yield from commands(command, (*path, name))


COMMANDS: Final = dict(commands())
LEAVES: Final = {path: command for path, command in COMMANDS.items() if not hasattr(command, "commands")}


def help_of(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """The help as it is shown on a wide screen: a line for each option."""
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setenv("TERMINAL_WIDTH", "400")
    monkeypatch.setattr(sys, "argv", ["ochibot", *path, "--help"])
    assert main._run() == 0
    return capsys.readouterr().out


def given(path: tuple[str, ...], text: str = "") -> Iterator[Given]:
    """The options and arguments that a command's function declares, with their lines in the help ``text``."""
    lines = [line for line in text.splitlines() if line.startswith("│")]
    declared = {parameter.name: parameter.opts for parameter in LEAVES[path].params}
    function = inspect.unwrap(LEAVES[path].callback)
    hints = typing.get_type_hints(function, include_extras=True)
    for parameter in inspect.signature(function).parameters.values():
        hint = hints[parameter.name]
        kind, info = typing.get_args(hint)
        assert isinstance(info, ParameterInfo), (path, parameter.name)
        if typing.get_origin(kind) in (UnionType, typing.Union):
            (kind,) = (each for each in typing.get_args(kind) if each is not NoneType)
        name = max(declared[parameter.name], key=len)
        if isinstance(info, ArgumentInfo):
            name = info.metavar or ""
        shown = next((line for line in lines if f" {name} " in line), "")
        yield Given(" ".join(path), name, kind, parameter.default, info, shown)


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_every_help_states_defaults_and_ranges(
    path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = help_of(path, monkeypatch, capsys)
    for one in given(path, text):
        if one.info.hidden:
            continue
        assert one.shown, one
        assert one.info.help, one
        assert one.info.help.endswith("."), one
        assert "(default" not in one.info.help, one
        flag = one.kind is bool and one.default is False
        if one.default in NOTHING and one.default is not None:
            assert "[required]" in one.shown or "*" in one.shown, one
        elif one.default is None:
            assert isinstance(one.info.show_default, str), one
            assert f"[default: ({one.info.show_default})]" in one.shown, one
        elif not flag:
            assert f"[default: {one.default}]" in one.shown, one
        for bound in (one.info.min, one.info.max):
            if bound is not None:
                assert str(bound) in one.shown.split(one.info.help)[0], one


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_help_ends_with_an_example(
    path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    last = help_of(path, monkeypatch, capsys).strip().splitlines()[-1].strip()
    assert last.startswith(f"Example: {' '.join(('ochibot', *path))}"), last
    words = shlex.split(last.removeprefix("Example: ochibot "))
    assert len(last) < 79
    depth = max(depth for depth in range(len(words) + 1) if tuple(words[:depth]) in COMMANDS)
    # all words are parsed, but the command doesn't run
    with LEAVES[tuple(words[:depth])].make_context("ochibot", words[depth:]) as context:
        assert context.params


def test_options_of_one_name_are_one_option() -> None:
    seen: dict[str, dict[tuple[Any, ...], list[str]]] = {}
    for path in LEAVES:
        for one in given(path):
            if not one.info.hidden:
                kind = one.kind, one.info.min, one.info.max, one.info.metavar
                seen.setdefault(one.name, {}).setdefault(kind, []).append(one.command)
    different = {name for name, kinds in seen.items() if len(kinds) > 1}
    assert different <= set(EXCEPTIONS), {name: seen[name] for name in different - set(EXCEPTIONS)}
    assert set(EXCEPTIONS) - {"--level"} <= different
    assert {"--json", "--seed", "--rules", "--core", "--rom", "--system", "--speed", "--from", "--to"} <= set(seen)
    assert all("--json" in {one.name for one in given(path)} for path in LEAVES)


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_a_report_into_a_missing_folder_is_refused_before_anything_is_done(
    path: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example = help_of(path, monkeypatch, capsys).strip().splitlines()[-1].strip().removeprefix("Example: ochibot ")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["ochibot", *shlex.split(example), "--json", "missing/deep/report.json"])
    assert main._run() == 2
    out, err = capsys.readouterr()
    reason = "can't write the JSON file missing/deep/report.json: its folder is missing; make it, or give another path"
    assert (out, err) == ("", f"ochibot: {reason}\n")
    assert list(tmp_path.iterdir()) == []


def test_colors_have_one_default() -> None:
    """The default is 4, as on the menu; 5 in the lab and for battle: with 4, equal players hardly ever end a game."""
    defaults = {one.command: one for path in LEAVES for one in given(path) if one.name == "--colors"}
    told = {name: one.info.show_default if one.default is None else one.default for name, one in defaults.items()}
    assert (told.pop("battle"), told.pop("selfplay"), told.pop("tail"), told.pop("lab export")) == ("5", 5, 5, 5)
    assert (told.pop("arena"), told.pop("train"), told.pop("chance")) == ("5", "5", "5")
    assert {str(value).split(",")[0] for value in told.values()} == {"4", "the menu's own"}
    from tests.titles import TABLE

    assert dict(TABLE.defaults) == {"battle": {"colors": 5}, "versus": {"colors": 4}}


def test_ranges_are_those_of_the_parts_that_they_go_to() -> None:
    from ochibot.play.speed import SPEEDS
    from ochibot.record.video.animation import FPS
    from ochibot.record.video.make import DEFAULT_FPS, MOST_SCALE
    from ochibot.record.video.make import SPEEDS as TEMPOS

    video = {one.name: one.info for one in given(("video",))}
    assert (video["--tempo"].min, video["--tempo"].max) == tuple(map(float, TEMPOS))
    assert video["--scale"].max == MOST_SCALE
    assert (video["--fps"].min, video["--fps"].max) == (min(FPS), max(FPS))
    assert video["--fps"].show_default == str(DEFAULT_FPS)
    speeds = [one.info for path in LEAVES for one in given(path) if one.name.rstrip("12") == "--speed"]
    assert {(info.min, info.max) for info in speeds} == {(0, len(SPEEDS) - 1)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("battle --p1 a --p2=b", "battle --player1 a --player2=b"),
        ("play --map1 m.yaml", "play --map m.yaml"),
        ("deal --generator tsu --state 1 --player 2", "deal --generator tsu --state 1 --seat 2"),
        ("video r --out x.gif --speed 2", "video r --output x.gif --tempo 2"),
        ("dump r --out d --every 5", "dump r -o d --every 5"),
        ("movie import a.fm2 --out=r", "movie import a.fm2 -o r"),
    ],
)
def test_old_names_go_on_working_and_say_so(old: str, new: str, capsys: pytest.CaptureFixture[str]) -> None:
    def parsed(line: str) -> dict[str, Any]:
        words = shlex.split(line)
        depth = 2 if words[0] == "movie" else 1
        with LEAVES[tuple(words[:depth])].make_context("ochibot", words[depth:]) as context:
            found: dict[str, Any] = context.params
            return found

    wanted = parsed(new)
    assert capsys.readouterr().err == ""
    assert parsed(old) == wanted
    for line in capsys.readouterr().err.splitlines():
        name, _, now = line.partition(" is called ")
        assert name in old
        assert now.removesuffix(" now") in new or now.startswith("--output")


def test_what_follows_two_dashes_is_no_option() -> None:
    with LEAVES["verify",].make_context("ochibot", ["--", "--out"]) as context:
        assert context.params["record"] == Path("--out")


EXAMPLES: Final = Path(__file__).parents[2] / "examples"

NOT_RUN: Final = {
    ("web",): "serves until it is ended (tests/ui/web)",
    ("coach",): "needs a running RetroArch (tests/cli/test_coach.py)",
    ("versus",): "is played by a person in a window (tests/cli/test_window.py)",
}


@pytest.mark.proof
def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The example in each help runs unchanged, in a folder with the record, movie and boards that some of them name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.txt").write_text("...rr..\n..rrb..\n")
    (tmp_path / "needle.txt").write_text("...rr..\n..Rrb..\n")
    shutil.copy(EXAMPLES / "engines/lowest.py", tmp_path)

    def run(words: list[str]) -> None:
        monkeypatch.setattr(sys, "argv", ["ochibot", *words])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        assert main._run() == 0, (words, capsys.readouterr().err)

    run(shlex.split("play --pieces 12 --seed 1 --record runs/one"))
    for name in ("one", "two"):
        run(["ram", "poke", "--save-state", f"{name}.state"])
    lines = [help_of(path, monkeypatch, capsys) for path in LEAVES if path not in NOT_RUN]
    examples = [text.strip().splitlines()[-1].strip().removeprefix("Example: ochibot ") for text in lines]
    for line in sorted(set(examples), key=lambda line: "import" in line or line.startswith(("plot", "watch"))):
        run(shlex.split(line))
    shutil.rmtree(tmp_path / "runs")
