"""The judge of strangers tells what was learnt whole and what wasn't, game by game and by mechanism."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.strangers import whole
from tests.strangers.__main__ import main
from tests.strangers.judge import Verdict
from tests.strangers.judging import line, table
from tests.strangers.maker import draw
from tests.strangers.maker.profile import family_rules
from tests.strangers.whole import Whole


def test_a_line_and_a_table_name_what_is_wrong() -> None:
    good = Verdict(
        1, "other", ["bag"], dict.fromkeys(("field", "codes", "x", "y", "piece", "next"), "right"), frames=30
    )
    bad = Verdict(2, "other", ["bag", "split"], {"field": "false", "score": "missing"}, ["field"], frames=10, why="no")
    assert line(bad) == (
        "other 2: NOT learnt in 10 frames | no | false: field | missing: score | known but false: field"
    )
    rows = [row.split() for row in table([good, bad]).splitlines()]
    assert rows[1:] == [
        ["all", "2", "1", "6", "1", "1", "1", "20"],
        ["split", "1", "0", "0", "1", "1", "1", "10"],
        ["bag", "2", "1", "6", "1", "1", "1", "20"],
    ]
    lost = Whole(3, "family", ["masks"], stage="signs", why="none")
    assert line(lost) == "family 3: masks NOT learnt in 0 frames | signs: none"


@pytest.mark.long
def test_the_command_judges(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = tmp_path / "out.json"
    words = ["--judge", "--kind", "other", "--only", "bag", "--games", "1", "--seed", "1", "--json", str(report)]
    monkeypatch.setattr("sys.argv", ["strangers", *words])
    assert main() == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("other 1: ")
    assert last.split()[:2] == ["bag", "1"]
    (said,) = json.loads(report.read_text(encoding="utf-8"))
    assert (said["seed"], said["mechanisms"]) == (1, ["bag"])


def test_whole_goes_with_family_games_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["strangers", "--judge", "--whole", "--kind", "other"])
    with pytest.raises(SystemExit):
        main()


@pytest.mark.parametrize(
    ("seed", "change"),
    [
        # nobody sees whether the picture adds a zero
        (504, {"unit": 10, "cap": 167772150, "drop_bonus": 10}),
        # groups pay no bonus
        (503, {"group_bonus_per": "group"}),
        # DOWN does nothing, and the last digit is always 0
        (508, {"drop_bonus": 0, "cap": 999990}),
    ],
)
def test_rules_that_nobody_can_see_are_no_other_rules(
    seed: int, change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = draw(seed, "family")
    true = family_rules(spec)
    made = true | {"score": true["score"] | change}
    monkeypatch.setattr(whole, "rules_of", lambda *_: (made, []))
    learnt: Any = None
    assert whole.otherwise(spec, learnt) == {}
    made["score"]["max_multiplier"] += 1
    assert list(whole.otherwise(spec, learnt)) == ["score.max_multiplier"]
