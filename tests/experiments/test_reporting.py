"""All that is written of a dull stranger: the rules, the game file, the map and the report, beside its own truth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ochibot.experiments.exam import Exam
from ochibot.experiments.learn import begin, learn_pair
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import map_of
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.report import compared_rows, report_of, rows_of, write_report
from ochibot.experiments.rig import Rig
from ochibot.experiments.rulesfile import game_of, rules_of
from ochibot.experiments.write import write_files
from ochibot.ram import RamMap

from tests.strangers.filed import map_by_truth
from tests.strangers.maker import draw
from tests.strangers.maker.console import StrangerConsole
from tests.strangers.maker.profile import family_rules, family_spawn

DULL = draw(1, "family", "no_pause")


@dataclass
class Known:
    """A dull stranger, with what was learnt of it."""

    rig: Rig
    book: Notebook
    learnt: Learnt


def check_the_rules_are_the_game_s(known: Known) -> None:
    found = rules_of(known.learnt, "stranger_1")
    assert found is not None
    made, taken = found
    true = family_rules(DULL)
    chain, power = made["score"].pop("chain_power"), true["score"].pop("chain_power")
    assert chain == power + [power[-1]] * (19 - len(power))
    assert made["score"].pop("all_clear_paid") == "now"
    assert made.pop("nuisance") == {
        "points_each": 70, "most_per_fall": 30, "excess": "queue", "unannounced": True, "offset": True,
        "all_clear_points": 0,
    }  # fmt: skip
    del true["nuisance"]
    assert made == true
    assert taken == [
        "chain power beyond step 19: like the last one seen",
        "the colour bonus for 5 and 6: as published",
        "whether nuisance falls by itself: it was not seen to, and the predictions allow it",
        "how much nuisance falls at a time: as published, for it was not seen to fall",
        "margin time: none, for it begins late in a round of two",
    ]


def check_the_game_file_has_the_game_s_buttons_and_times(known: Known) -> None:
    soft = -(-DULL.gravity // DULL.soft)
    assert game_of(known.learnt, known.rig, "mine", rules="mine-rules.yaml", core="any") == {
        "game": "mine",
        "system": "nes",
        "family": "puyo",
        "core": "any",
        "sha1": [known.rig.console.rom.sha1],
        "rules": "mine-rules.yaml",
        "modes": {"solo": {"maps": ["mine-p1.yaml"]}},
        "solo": "solo",
        "spawn": family_spawn(DULL),
        "buttons": {"left": "left", "right": "right", "down": "down", "rotate_cw": "a", "rotate_ccw": "b"},
        "timing": {
            "fall": DULL.gravity, "soft": soft, "lock": DULL.gravity, "lock_soft": soft, "lock_moved": DULL.gravity,
            "repeat_first": DULL.repeat_after, "repeat": DULL.repeat_every, "to_spawn": DULL.lock + 1,
            "control": DULL.announce,
        },
    }  # fmt: skip


def check_the_map_has_the_game_s_places_and_codes(known: Known) -> None:
    made, true = map_of(known.learnt, known.rig, "dull"), map_by_truth(DULL)
    for name, entry in true["entries"].items():
        own = {word: value for word, value in entry.items() if word not in ("note", "codes", "symbols")}
        assert {**made["entries"][name], **own} == made["entries"][name], name
    assert made["entries"].keys() == true["entries"].keys()
    cells = made["codes"]["cells"]["values"]
    assert {code: word for code, word in cells.items() if word != "nuisance"} == true["codes"]["cells"]["values"]
    assert made["codes"]["orientations"]["values"] == true["codes"]["sides"]["values"]
    assert {sign: {**condition, "is": list(condition["is"])} for sign, condition in made["signs"].items()} == true[
        "signs"
    ]


def check_the_report_tells_each_thing_with_its_evidence(known: Known) -> None:
    entries = map_by_truth(DULL)["entries"]
    rows = {what: (value, evidence) for what, value, evidence in rows_of(known.learnt, known.rig)}

    def at(name: str) -> str:
        return f"{entries[name]['address']:04X}"

    field = entries["field"]["address"]
    assert rows["x"] == (at("x"), "2 other bytes follow it when it is poked; the field's columns are 0, 1, 2, 3, 4, 5")
    assert rows["y"] == (at("y"), "2 other bytes follow it; 1 at the top, 12 on the floor")
    assert rows["field"][0] == f"{field + 6:04X} to {field + 13 * 6 - 1:04X}"
    assert rows["field"][1].startswith(
        "6 columns +1 bytes apart, 12 visible rows +6; pieces land on a cell that is poked"
    )
    assert rows["x and y are of"][0] == "the axis"
    assert rows["cells"][0] == "0x01, 0x02, 0x03, 0x04"
    assert rows["orientation"] == (at("orientation"), "0 up, 1 right, 2 down, 3 left")
    assert rows["buttons"][0] == "a clockwise, b counter-clockwise"
    for part, name in (("pair", ""), ("NEXT 1", "next_")):
        for half, word in (("near", "axis"), ("far", "partner")):
            place, evidence = rows[f"{part}, {half} half"]
            assert place == at(name + word)
            assert evidence == "poking it changed what fell; " + ", ".join(
                f"0x0{kind} → 0x0{kind}" for kind in (1, 2, 3, 4)
            )
    assert rows["spawn"][0] == at("phase_byte")
    assert rows["spawn"][1].startswith("0x0a from when all is final to control, in ")
    assert rows["control"][0] == "0x03"
    assert rows["game over"] == (f"{at('phase_byte')} = 0", "in no other trace")
    assert rows["vanish"][0] == "4 equal cells"
    assert rows["nuisance"][0] == ", ".join(f"{code:#04x}" for code in range(5, 17)) + " …"
    assert rows["colours not dealt"][0] == "none"
    assert rows["score"][0] == f"{at('score')}, u24le x 1"
    assert rows["score"][1].startswith("keeps what is poked; ")
    assert rows["chain power"][0].startswith(", ".join(map(str, DULL.chain_power)))
    assert rows["drop points"][0] == "0 a row"
    assert rows["highest score"][0] == "16,777,215"
    assert rows["timing"][0].startswith(f"a row in {DULL.gravity}, a row with DOWN in 4, ")
    assert rows["turns"][0] == "kicked from walls yes, kicked from the floor yes, quick turn no"
    assert (
        rows["rows above"][0]
        == "rows that keep cells 1, ceiling solid, they count for groups no, the ceiling was seen yes"
    )


def check_the_report_says_whether_the_files_can_be_used(agreed: int, known: Known, folder: Path) -> None:
    files = write_files(folder, known.learnt, known.rig, "dull", core=None, use_state=False, draft="")
    exam = Exam("play", 300, agreed, "it broke\n  there <here>" if agreed < 300 else "", asked=300)
    said = report_of(known.learnt, known.rig, known.book, exam, [("x", "1", "2", "new")])
    write_report(folder, known.rig, known.book, files, said, {"a.png": "one | other"})
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert ("The files can be used." in text, "The files are DRAFTS." in text) == (agreed > 290, agreed == 290)
    assert f"{agreed} of 300 pieces went as predicted (agreement {agreed / 300:.4f})" in text
    assert ("It broke here first: it broke there <here>" in text) == (agreed < 300)
    assert "The way to play: start; 2 screens were tried." in text
    assert "![one | other](a.png)" in text
    assert "| x | 1 | 2 | new |" in text
    assert "| signs | " in text
    assert "A game of two" not in text
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert ("there &lt;here&gt;" in page) == (agreed < 300)
    assert '<img src="a.png" alt="one | other"><figcaption>one | other</figcaption>' in page
    assert "<tr><th>entry</th><th>learnt</th><th>documented</th><th>verdict</th></tr><tr><td>x</td>" in page


def check_entries_are_compared_with_those_of_a_documented_map(known: Known) -> None:
    made, true = map_of(known.learnt, known.rig, "dull"), map_by_truth(DULL)
    assert {(name, verdict) for name, *_, verdict in compared_rows(made, RamMap.model_validate(true))} == {
        (name, "confirmed") for name in true["entries"] if name != "phase_byte"
    }
    # the same rows without the hidden one
    field = true["entries"]["field"]
    field |= {"address": field["address"] + 6, "rows": 12, "top": 2}
    true["entries"]["x"]["address"] += 0x400
    true["entries"]["axis"] |= {"pointer": {"address": 0x50, "type": "u8"}}
    del true["entries"]["y"]
    del true["entries"]["axis"]["address"]
    rows: dict[str, Any] = {name: rest for name, *rest in compared_rows(made, RamMap.model_validate(true))}
    assert rows["field"] == ["0530", "0536", "confirmed"]
    assert rows["x"] == ["002C", "042C", "CONTRADICTED"]
    assert rows["y"] == ["00AB", "-", "new"]
    assert rows["axis"][2] == "CONTRADICTED"


def test_what_is_written_of_a_dull_stranger_is_true(tmp_path: Path) -> None:
    """One test, because learning takes a second and all checks look at what was learnt."""
    with StrangerConsole(DULL) as console:
        rig, book = Rig(console), Notebook(None, "dull")
        rig.step()
        known = Known(rig, book, learn_pair(rig, book, *begin(rig, book)))
        check_the_rules_are_the_game_s(known)
        check_the_game_file_has_the_game_s_buttons_and_times(known)
        check_the_map_has_the_game_s_places_and_codes(known)
        check_the_report_tells_each_thing_with_its_evidence(known)
        for agreed in (300, 299, 290):
            check_the_report_says_whether_the_files_can_be_used(agreed, known, tmp_path)
        check_entries_are_compared_with_those_of_a_documented_map(known)
        # what is shown as an experiment's frames is all that was emulated, but for the way there
        assert 20_000 < sum(book.frames.values()) <= rig.frames < 100_000
