"""``ochibot nyaa``, run through ``main``: what it prints, its JSON, and how it refuses bad input."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ochibot.cli import main
from ochibot.nyaa import (
    Grid,
    Ignition,
    Ruleset,
    attack_range,
    best_ignition,
    best_pair,
    cell_of,
    heat_map,
    ignite,
    practice_board,
)
from ochibot.nyaa.calculator import ignition
from ochibot.nyaa.rules.ties import options_of

STAIRS = "b......\nbbB....\nbbb....\n"
RING = ".R.....\nrrr....\nr.r....\nrrr....\n"
"""On the PS2 either wave may get the last block, but the attack is the same."""
SAME_ATTACK = "B.b.bbb\nbbbB...\n...b...\n"
"""On MVS an open tie has two outcomes with the same attack, whose tails differ."""
TIE = ".R.....\nrrr....\nr.r....\nrrr....\nr......\n"


class Command:
    """Runs ``ochibot`` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.patch, self.capsys = monkeypatch, capsys

    def __call__(self, *words: object, stdin: str | bytes = "", code: int = 0) -> str:
        """Runs a command, which must end with ``code``. Returns its stdout; for a code above 0, its line on stderr."""
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        self.patch.setattr(sys, "argv", ["ochibot", "nyaa", *map(str, words)])
        self.patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        with pytest.raises(SystemExit) as ended:
            main.main()
        out, err = self.capsys.readouterr()
        assert ended.value.code == code, (out, err)
        if not code:
            return out
        assert out == ""
        lines = err.strip().split("\n")
        assert len(lines) == 1
        assert lines[0].startswith("ochibot: ")
        assert len(lines[0]) < 300
        return lines[0]


@pytest.fixture
def ochibot(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.setenv("COLUMNS", "100")
    return Command(monkeypatch, capsys)


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_value_in_a_real_process_from_stdin() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ochibot", "nyaa", "value", "--json", "-"],
        input=f"{STAIRS}\n\n{TIE}",
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    first, second = lines_of(done.stdout)
    assert list(first) == ["mvs", "ps2"]
    wanted = {"attack": [7, 7], "exact": True, "tails": [1, 3, 4], "s0": 7, "s1": 8, "t": 2}
    assert {name: first["mvs"][name] for name in wanted} == wanted
    wanted = {"attack": [10, 14], "exact": False, "tails": [5, 5], "s0": 10, "s1": 10, "t": 2}
    assert {name: second["ps2"][name] for name in wanted} == wanted
    assert second["mvs"]["exact"] is True


def test_value_draws_both_rulesets_side_by_side_with_tails_on_their_ends(ochibot: Command, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(STAIRS)
    out = ochibot("value", file).splitlines()
    assert out[0].split() == ["board", "MVS", "7", "PS2", "9"]
    drawn = [" ".join(line.split()) for line in out[10:13]]
    assert drawn[0] == "3 b . . . . . . 3 3 . . . . . . 3 3 . . . . . ."
    assert drawn[1] == "2 b b B . . . . 2 b b B . . . . 2 b b B . . . ."
    assert drawn[2] == "1 b b b . . . . 1 4 b 1 . . . . 1 3 2 1 . . . ."
    assert "MVS  attack 7   exact" in out
    assert "     tails 1 3 4   S0 7  S1 8  T 2  bonus 0" in out
    assert "     tails 1 2 3 3" in out
    assert not any("\x1b" in line for line in out)  # no colours where there is no terminal


def test_value_of_an_open_tie_lists_every_outcome(ochibot: Command) -> None:
    out = ochibot("value", "-", "--ruleset", "ps2", stdin=TIE)
    assert "MVS" not in out
    assert "PS2  attack 10 to 14   open tie (?): 2 outcomes, 10 is drawn" in out
    assert "10: tails 5 5" in out
    assert "14: tails 4 5 5" in out
    assert "5?" in out


def test_steps_draw_the_waves(ochibot: Command) -> None:
    out = ochibot("value", "--steps", "--ruleset", "mvs", stdin=STAIRS)
    at = out.index("MVS step 1")
    assert [f"MVS step {step}" in out for step in (1, 2, 3, 4)] == [True, True, True, False]
    rows = [" ".join(line.split()) for line in out[at:].splitlines()[1:4]]
    # the tail of value 1 ends in the first step, those of values 3 and 4 in the third
    assert rows[0] == "3 b . . . . . . 3 b . . . . . . 3 3 . . . . . ."
    assert rows[1] == "2 b (b) B . . . . 2 (b) , B . . . . 2 , , B . . . ."
    assert rows[2] == "1 b b 1 . . . . 1 b (b) , . . . . 1 4 , , . . . ."


def test_steps_are_drawn_on_stderr_where_stdout_has_the_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["ochibot", "nyaa", "value", "--steps", "--json", "-"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(STAIRS.encode())))
    with pytest.raises(SystemExit) as ended:
        main.main()
    out, err = capsys.readouterr()
    assert ended.value.code == 0
    assert json.loads(out)["mvs"]["attack"] == [7, 7]
    assert "MVS step 3" in err
    assert "PS2 step 3" in err


def test_each_board_is_worked_out_once(monkeypatch: pytest.MonkeyPatch, ochibot: Command, tmp_path: Path) -> None:
    asked: list[Grid] = []
    real = ignition.ignite

    def counted(grid: Grid, ruleset: Ruleset) -> Ignition:
        asked.append(grid)
        return real(grid, ruleset)

    monkeypatch.setattr(ignition, "ignite", counted)
    for target in ("-", tmp_path / "values.jsonl"):
        asked.clear()
        ochibot("value", "--json", target, stdin=f"{STAIRS}\n{TIE}")
        assert len(asked) == 4, "two boards, two rulesets"


def test_many_boards_are_not_drawn_beside_a_report(ochibot: Command, tmp_path: Path) -> None:
    many = "\n".join([STAIRS] * 101)
    file = tmp_path / "values.jsonl"
    assert ochibot("value", "--json", file, stdin=many) == (
        "the 101 boards are not drawn: beside --json up to 100 are\n"
    )
    assert len(lines_of(file.read_text())) == 101
    assert len(lines_of(ochibot("value", "--json", "-", stdin=many))) == 101
    assert "board 101 of 101" in ochibot("value", "--ruleset", "ps2", stdin=many)


@pytest.mark.parametrize("words", ["value", "best", "practice --json -"])
def test_a_closed_stdout_is_reported(words: str) -> None:
    shell = f"{shlex.quote(sys.executable)} -m ochibot nyaa {words} >&-"
    done = subprocess.run(["sh", "-c", shell], input="r......", stderr=subprocess.PIPE, text=True, timeout=600)
    assert done.returncode == 2
    assert done.stderr == "ochibot: there is no stdout to write to: open one, or give --json FILE\n"


def test_a_report_can_be_written_without_a_stdout(tmp_path: Path) -> None:
    file = tmp_path / "value.jsonl"
    shell = f"{shlex.quote(sys.executable)} -m ochibot nyaa value --json {shlex.quote(str(file))} >&-"
    done = subprocess.run(["sh", "-c", shell], input=STAIRS, stderr=subprocess.PIPE, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    assert lines_of(file.read_text())[0]["mvs"]["attack"] == [7, 7]


def test_value_as_csv_and_as_json(ochibot: Command) -> None:
    text = f"{STAIRS}\n{TIE}\n......."
    lines = ochibot("value", "--format", "csv", stdin=text).splitlines()
    flags = ("exact", "complete", "attack_exact", "paths_exact")
    names = [f"{one}_{what}" for one in ("mvs", "ps2") for what in ("low", "high", *flags)]
    assert lines[0].split(",") == ["board", *names]
    assert lines[1:] == [
        "1,7,7,1,1,1,1,9,9,1,1,1,1",
        "2,14,14,1,1,1,1,10,14,0,1,0,0",
        "3,0,0,1,1,1,1,0,0,1,1,1,1",
    ]
    assert ochibot("value", "--format", "csv", "--ruleset", "ps2", stdin=STAIRS).splitlines()[1] == "1,9,9,1,1,1,1"
    assert ochibot("value", "--format", "json", stdin=text) == ochibot("value", "--json", "-", stdin=text)
    assert "leave out" in ochibot("value", "--format", "csv", "--steps", stdin=STAIRS, code=2)


def test_a_wrong_choice_is_reported_plainly(ochibot: Command) -> None:
    told = ochibot("value", "--ruleset", "snes", code=2)
    assert told == "ochibot: Invalid value for '--ruleset': 'snes' is not one of 'mvs', 'ps2', 'both'. (see --help)"


def test_rows_are_read_as_they_are_drawn(ochibot: Command) -> None:
    drawn = ochibot("value", stdin=STAIRS).split("\n")
    board = [line[:24] for line in drawn[1:14]]
    assert lines_of(ochibot("value", "--json", "-", stdin="\r".join(board)))[0]["mvs"]["attack"] == [7, 7]


def test_value_json_file_beside_the_drawing(ochibot: Command, tmp_path: Path) -> None:
    file = tmp_path / "value.jsonl"
    out = ochibot("value", "--json", file, stdin=f"{STAIRS}\n{TIE}\n.......")
    assert "board 3 of 3" in out
    assert "no needle is beside a block of its colour" in out
    reports = lines_of(file.read_text())
    assert [report["mvs"]["attack"] for report in reports] == [[7, 7], [14, 14], [0, 0]]
    assert [path.name for path in file.parent.iterdir()] == ["value.jsonl"]


def test_best_needle_pair_map_and_blocks(ochibot: Command) -> None:
    drawing = STAIRS.replace("B", ".")
    grid = Grid.parse(drawing)
    report = json.loads(ochibot("best", "--pair", "BR", "--ruleset", "both", "--json", "-", stdin=drawing))
    for ruleset in Ruleset:
        told = report[str(ruleset)]
        needle = best_ignition(grid, ruleset, (1, 3))
        assert needle is not None
        assert told["best"] == {
            "x": needle.x,
            "y": needle.y,
            "color": "b",
            "attack": [needle.low, needle.high],
            "complete": True,
            "attack_exact": True,
        }
        assert told["heat"]["B"]["low"] == heat_map(grid, ruleset).low[2].tolist()
        assert told["additions"][0]["gain"] >= told["additions"][-1]["gain"] > 0
        assert {half["color"] for half in told["pair"]["halves"]} == {"r", "b"}
    out = ochibot("best", "--pair", "BR", stdin=drawing)
    assert "best needle now: B at x=" in out
    assert "both halves as needles: " in out
    assert "blocks to add:\n" in out
    assert "B7!" in out
    assert "nothing attacks" in ochibot("best", stdin=".......")


def test_best_looks_for_the_best_pair_of_all_colours_when_none_is_given(ochibot: Command) -> None:
    drawing = STAIRS.replace("B", ".") + "rrggyy."
    report = json.loads(ochibot("best", "--json", "-", stdin=drawing))["mvs"]["pair"]
    each = [best_pair(Grid.parse(drawing), (a, b), Ruleset.MVS) for a in range(1, 5) for b in range(a, 5)]
    most = max(found.low for found in each if found is not None)
    assert report["attack"][0] == most
    assert sorted(half["color"] for half in report["halves"]) == sorted(report["colors"].lower())
    assert f": attack {most}\n" in ochibot("best", stdin=drawing).split("best pair of all colours, as needles: ")[1]


def test_best_counts_needles_that_lie_on_the_board(ochibot: Command) -> None:
    """The needle on the left is lit together with the new one."""
    drawing = "R......\nrr...gg"
    told = json.loads(ochibot("best", "--json", "-", stdin=drawing))["mvs"]["best"]
    alone = json.loads(ochibot("value", "--json", "-", stdin=drawing))["mvs"]["attack"][0]
    assert alone == 2
    assert (told["color"], told["attack"]) == ("g", [4, 4])


def test_a_certain_attack_is_told_from_open_paths(ochibot: Command) -> None:
    report = lines_of(ochibot("value", "--json", "-", stdin=f"{RING}\n{SAME_ATTACK}\n{TIE}"))
    ring = report[0]["ps2"]
    assert (ring["attack"], ring["exact"], ring["attack_exact"], ring["paths_exact"]) == ([9, 9], True, True, False)
    same = report[1]["mvs"]
    assert (same["attack_exact"], same["paths_exact"], same["exact"], same["outcomes"]) == (True, False, False, 2)
    assert report[2]["ps2"]["attack_exact"] is False
    out = ochibot("value", stdin=RING)
    assert "PS2  attack 9   the attack is certain, the paths are open (?)\n" in out
    out = ochibot("value", stdin=SAME_ATTACK)
    attack = same["attack"][0]
    certain = "the attack is certain, the paths are open (?): 2 outcomes of this attack, the first is drawn"
    assert f"MVS  attack {attack}   {certain}\n" in out
    csv = ochibot("value", "--format", "csv", "--ruleset", "mvs", stdin=SAME_ATTACK).splitlines()[1]
    assert csv == f"1,{attack},{attack},0,1,1,0"


def test_best_says_where_not_all_ties_were_tried(monkeypatch: pytest.MonkeyPatch, ochibot: Command) -> None:
    """Lowers the limit to one try, which has the effect of a board with very many ties."""
    drawing = TIE.replace("R", ".")
    words = ("best", "--pair", "RB", "--ruleset", "ps2")
    whole = json.loads(ochibot(*words, "--json", "-", stdin=drawing))["ps2"]
    assert "perhaps" not in ochibot(*words, stdin=drawing)
    assert whole["best"]["complete"] is whole["pair"]["complete"] is True
    monkeypatch.setattr(options_of, "__defaults__", (1,))
    few = json.loads(ochibot(*words, "--json", "-", stdin=drawing))["ps2"]
    needle = Grid.parse(drawing).with_needle(cell_of(few["best"]["x"], few["best"]["y"]), 1)
    found = ignite(needle, Ruleset.PS2, most_burns=1)
    assert (few["best"]["attack"], few["best"]["complete"]) == ([found.low, found.high], found.complete)
    assert found.complete is few["pair"]["complete"] is False
    assert not all(block["best"]["complete"] for block in few["additions"])
    cells = {(x, y): few["heat"]["R"]["complete"][12 - y][x - 1] for x in range(1, 8) for y in range(1, 13)}
    assert not cells[few["best"]["x"], few["best"]["y"]]
    assert cells[7, 1]
    assert all(all(row) for row in few["heat"]["G"]["complete"])
    told = ochibot(*words, stdin=drawing)
    assert f"best needle now: R at x=2 y=5: attack {found.low}, perhaps more\n" in told
    assert re.search(r"both halves as needles: .*: attack \d+, perhaps more\n", told)
    assert "+: perhaps more, there are too many open ties to try them all" in told
    assert f"R{found.low}+!" in told


def test_practice_asks_and_answers(ochibot: Command) -> None:
    attack, *_ = attack_range(practice_board(5), Ruleset.MVS)
    out = ochibot("practice", "--seed", 5, stdin=f"{attack}\n")
    assert out.index("What is its attack (MVS)?") < out.index(f"Right, it is {attack}.") < out.index("MVS  attack")
    assert f"Not {attack + 1}: it is {attack}." in ochibot("practice", "--seed", 5, stdin=f"{attack + 1}\n")
    assert f"It is {attack}." in ochibot("practice", "--seed", 5, stdin="no idea\n")
    told = ochibot("practice", "--seed", 5, "--ruleset", "both", stdin=f"{attack}\n1\n")
    assert "What is its attack (PS2)?" in told
    for stdin, asked in (("", "mvs"), (f"{attack}\n", "both")):
        words = [sys.executable, "-m", "ochibot", "nyaa", "practice", "--seed", "5", "--ruleset", asked]
        done = subprocess.run(words, input=stdin, capture_output=True, text=True, timeout=600)
        wanted = "ochibot: the input ended before a guess: give one line for each question, or --answer\n"
        assert (done.returncode, done.stderr) == (2, wanted)
    assert "What is" not in ochibot("practice", "--seed", 5, "--answer")
    report = json.loads(ochibot("practice", "--seed", 5, "--json", "-"))
    assert "\n".join(report["board"]) == str(practice_board(5))
    assert report["mvs"]["attack"] == [attack, attack]
    assert json.loads(ochibot("practice", "--json", "-"))["seed"] >= 0


@pytest.mark.parametrize(
    ("stdin", "words"),
    [
        ("......\n", "line 1, column 7: the row is 6 wide; draw 7 cells"),
        (STAIRS + "\n.......\n...x...", "line 6, column 4 of board 2: 'x' is unknown; use only .rgbyoRGBY"),
        ("", "there is no board: draw one"),
        ("\n \n", "there is no board: draw one"),
        ("a" * (1 << 20), "line 1, column 1: 'a' is unknown"),
        ("." * (1 << 20), "line 1, column 8: the row is 1048576 wide"),
        (".......\n" * (1 << 17), "line 13, column 1: this is row 13"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "standard input is not a text file"),
        (b"\x00" * 4000, "'\\x00' is unknown"),
    ],
)
def test_bad_boards_are_refused_in_one_line(ochibot: Command, stdin: str | bytes, words: str) -> None:
    assert words in ochibot("value", stdin=stdin, code=2)
    assert words in ochibot("best", "-", stdin=stdin, code=2)


def test_bad_options_and_files_are_refused_in_one_line(ochibot: Command, tmp_path: Path) -> None:
    assert "No such file" in ochibot("value", tmp_path / "none.txt", code=2)
    assert "can't read the board" in ochibot("value", tmp_path, code=2)
    assert "can't write the JSON file" in ochibot("value", "--json", tmp_path, stdin=STAIRS, code=2)
    assert "--pair takes two of the letters RGBY" in ochibot("best", "--pair", "RX", stdin=".......", code=2)
    assert "--pair takes two of the letters RGBY" in ochibot("best", "--pair", "R" * 5000, stdin=".......", code=2)
    assert "there are 2 boards" in ochibot("best", stdin=".......\n\n.......", code=2)
    assert "colors" in ochibot("practice", "--colors", 5, code=2)
    assert "snes" in ochibot("value", "--ruleset", "snes", stdin=STAIRS, code=2)
