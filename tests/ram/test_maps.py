"""Map files: shipped maps have the documented addresses; wrong maps are refused, naming file, entry and reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import NES, Ram, find_system
from ochibot.errors import MapError
from ochibot.games import find_game
from ochibot.games.choosing import find_rules
from ochibot.ram import UNKNOWN, BoundMap, RamMap, load_map

from tests.titles import TABLE, load_seat_map

# Data Crystal, "Puyo Puyo/RAM map": (entry, player 1, player 2); None = not published
DOCUMENTED = [
    ("spawning", [0x4A], None),
    ("next_axis", [0x67], [0x69]),
    ("next_partner", [0x68], [0x6A]),
    ("mode", [0x6F], [0x6F]),
    ("level", [0x70], [0x70]),
    ("score", [0x7A, 0x7B, 0x7C], None),
    ("digits", list(range(0x87, 0x90)), None),
    ("spawn_phase", [0x605], [0x606]),
    ("spawn_delay", [0x615], [0x616]),
    ("drop_timer", [0x631], [0x632]),
    ("sprite_x", [0x645], [0x646]),
    ("sprite_y", [0x64D], [0x64E]),
    ("x", [0x669], [0x66A]),
    ("y", [0x66D], [0x66E]),
    ("axis", [0x679], [0x67A]),
    ("partner", [0x67D], [0x67E]),
    ("blocks", [0x695, 0x699], None),
    ("orientation", [0x6D5], [0x6D6]),
]


@pytest.mark.parametrize(("seat", "column"), [("player1", 1), ("player12", 1), ("player2", 2)])
def test_shipped_maps_hold_every_documented_address(seat: str, column: int) -> None:
    loaded = load_seat_map(seat)
    documented = {name: row[column - 1] for name, *row in DOCUMENTED if row[column - 1] is not None}
    for name, addresses in documented.items():
        entry = loaded.entries[name]
        assert entry.byte_addresses() == addresses, name
        assert entry.source == "documented", name
    base = 0x300 if column == 1 else 0x400
    cells = [base + 16 * row + 2 * x + 1 for row in range(14) for x in range(1, 7)]
    assert loaded.entries["field"].byte_addresses() == cells
    assert loaded.entries["marks"].byte_addresses() == [cell - 1 for cell in cells]
    others = {name for name, entry in loaded.entries.items() if entry.source == "documented"}
    assert others == {*documented, "field", "marks"}
    assert loaded.mode == (0 if seat == "player1" else 2)
    assert loaded.codes["puyo"].source == "homebrew"


MINIMAL = {
    "game": "famicom_puyo",
    "name": "mine",
    "system": "nes",
    "seat": 1,
    "mode": 0,
    "entries": {"x": {"address": 0x669, "source": "documented"}},
    "codes": {"puyo": {"source": "homebrew", "values": {0: "empty", 1: "red"}}},
}


def with_entry(**entry: object) -> dict[str, object]:
    return {**MINIMAL, "entries": {"x": {"address": 0x669, "source": "documented"}, "thing": entry}}


def with_codes(values: dict[Any, str], several: list[str] | None = None) -> dict[str, object]:
    table = {"source": "calibrated", "values": values, **({"several": several} if several else {})}
    return {**MINIMAL, "codes": {"puyo": table}}


PUYO = {"puyo": {"source": "homebrew", "values": {0: "empty"}}}

BAD_MAPS = [
    ({**MINIMAL, "seat": "left"}, r"seat: "),
    ({k: v for k, v in MINIMAL.items() if k != "seat"}, "seat: is missing"),
    ({**MINIMAL, "colour": 1}, "colour: is not a known name"),
    (with_entry(address="0x10", source="documented"), r"entries\.thing\.address: "),
    (with_entry(address=0x10, type="u12", source="documented"), r"entries\.thing\.type: "),
    (with_entry(address=0x10, source="guessed"), r"entries\.thing\.source: "),
    (with_entry(address=0x900, source="documented"), r"entries\.thing: address 0x0900 is outside RAM"),
    (with_entry(address=0x7FF, type="u16le", source="documented"), "address 0x0800 is outside RAM"),
    (with_entry(address=0x669, source="documented"), r"address 0x0669 overlaps entries\.(x|thing)"),
    (
        with_entry(address=0x300, rows=2, columns=3, row_stride=2, column_stride=1, source="documented"),
        r"entries\.thing: address 0x0302 overlaps itself",
    ),
    (with_entry(address=0x300, rows=2, source="documented"), "all four"),
    (with_entry(source="documented"), "either address or addresses"),
    (with_entry(address=1, addresses=[2], source="documented"), "either address or addresses"),
    (with_entry(address=0x10, codes="gems", source="documented"), "no code table 'gems'"),
    (
        {**MINIMAL, "codes": {"puyo": {"source": "homebrew", "values": {9: "octarine"}}}},
        r"codes\.puyo\.values\.9: unknown code name 'octarine'",
    ),
    ({**MINIMAL, "codes": {"puyo": {"source": "homebrew", "values": {300: "red"}}}}, r"codes\.puyo\.values"),
    ({**MINIMAL, "extends": "famicom_puyo/nobody"}, "there is no map 'famicom_puyo/nobody'"),
    ({**MINIMAL, "extends": "mine.yaml"}, "in a circle"),
    (with_entry(addresses=[], source="documented"), r"entries\.thing\.addresses"),
    (with_entry(address=True, source="documented"), r"entries\.thing\.address"),
    (with_entry(address=1, scale=10**400, source="documented"), r"entries\.thing\.scale"),
    ({**MINIMAL, "extends": 3}, "is the name of a shipped map"),
    *(({**MINIMAL, "seat": wrong}, "seat: give a whole number, not") for wrong in (1.0, True, "1")),
    *(({**MINIMAL, "mode": wrong}, "mode: ") for wrong in (False, 0.0, "0")),
    *((with_entry(address=1, source="documented", scale=wrong), r"thing\.scale: ") for wrong in (True, 2.0, "2")),
    *((with_entry(address=1, source="documented", offset=wrong), r"thing\.offset: ") for wrong in (False, "off", 0.0)),
    (
        with_entry(address=1, source="documented", rows=True, columns=1, row_stride=1, column_stride=1),
        r"thing\.rows: ",
    ),
    (with_entry(address=1, source="documented", note=False), r"thing\.note: "),
    (with_entry(address=1, source="documented", note=1), r"thing\.note"),
    (with_entry(address=2**40, source="documented"), r"thing\.address: "),
    (with_codes({1: "red", "1": "blue"}), "the key '1' is given twice, also as 1"),
    (with_codes({"1": "red"}), r"codes\.puyo\.values\.1"),
    (with_codes({True: "red"}), r"codes\.puyo\.values"),
    (with_codes({1: "red", 2: "red"}), r"values\.2: red is the meaning of 1 already.* say several: \[red\]"),
    (with_codes({1: "red", 2: "red"}, ["blue"]), "red is the meaning of 1 already"),
    (with_codes({1: "red"}, ["blue"]), r"codes\.puyo\.several: no byte means 'blue'"),
    *(
        (
            with_entry(address=0x300, rows=2, columns=2, row_stride=8, column_stride=1, source="documented", **more),
            words,
        )
        for more, words in (({"scale": 3}, "bytes or words as they stand"), ({"type": "u16le"}, "more than 255"))
    ),
    *(
        ({**with_entry(**how, codes="puyo", source="documented"), "codes": PUYO}, "what one byte means")
        for how in ({"address": 1, "type": "u24le"}, {"address": 1, "offset": 1}, {"addresses": [1, 2, 3]})
    ),
]


@pytest.mark.parametrize(("content", "words"), BAD_MAPS)
def test_a_wrong_map_is_refused_with_file_path_and_reason(
    tmp_path: Path, content: dict[str, object], words: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(MapError, match=words) as caught:
        load_map(path, TABLE.codes)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [1, 2", "not valid YAML"),
        ("", "is empty"),
        ("- 1\n- 2\n", "a list"),
        ("x: 1\nx: 2\n", "given twice"),
        ("\tx: 1", "not valid YAML"),
        ("? [a]\n: 1", "not valid YAML"),
        ("x: 2020-13-45", "not valid YAML"),
        ("x: !!int abc", "not valid YAML"),
        ("x: " + "9" * 5000, "not valid YAML"),
        ("x: " + "[" * 100_000, "too large or too deep"),
        ("x: " + "a" * (1 << 20), "too large or too deep"),
    ],
)
def test_files_that_are_no_mapping(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(MapError, match=words):
        load_map(path, TABLE.codes)


def test_missing_binary_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="no such file"):
        load_map(tmp_path / "nothing.yaml", TABLE.codes)
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(MapError, match="not a text file"):
        load_map(tmp_path / "binary.yaml", TABLE.codes)
    with pytest.raises(MapError, match="not a file"):
        load_map(tmp_path, TABLE.codes)


def test_a_long_chain_of_maps_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m0.yaml").write_text("extends: famicom_puyo/player1\n")
    for number in range(1, 40):
        (tmp_path / f"m{number}.yaml").write_text(f"extends: m{number - 1}.yaml\n")
    assert load_map(tmp_path / "m10.yaml", TABLE.codes).name == "player1"
    with pytest.raises(MapError, match="in a row"):
        load_map(tmp_path / "m39.yaml", TABLE.codes)


def test_a_calibrated_map_overrides_what_it_names_and_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "calibrated.yaml"
    path.write_text(
        "extends: famicom_puyo/player1\nname: mine\n"
        "codes: {puyo: {source: calibrated, values: {0: empty, 16: red, 32: green}}}\n"
        "entries: {x: {address: 0x0671, source: calibrated}}\n"
    )
    loaded = load_map(path, TABLE.codes)
    assert loaded.codes["puyo"].values == {0: "empty", 16: "red", 32: "green"}
    assert loaded.entries["x"].byte_addresses() == [0x671]
    assert loaded.entries["y"] == load_seat_map("player1").entries["y"]
    assert loaded.sources()["calibrated"] == 1


def test_several_bytes_for_one_colour_are_taken_where_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(with_codes({1: "red", 2: "red", 3: "blue"}, ["red"])))
    loaded = load_map(path, TABLE.codes)
    assert loaded.codes["puyo"].values == {1: "red", 2: "red", 3: "blue"}
    assert RamMap.model_validate_json(loaded.model_dump_json()) == loaded


def test_a_map_of_ones_own_may_drop_what_another_has(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("extends: famicom_puyo/player1\nentries: {phase: null, colors: null}\n")
    loaded, shipped = load_map(path, TABLE.codes), load_seat_map("player1")
    assert set(shipped.entries) - set(loaded.entries) == {"phase", "colors"}
    path.write_text("extends: famicom_puyo/player1\nentries: {phaze: null}\n")
    with pytest.raises(MapError, match=r"entries\.phaze"):
        load_map(path, TABLE.codes)


@pytest.mark.parametrize("seat", ["player1", "player2", "player12"])
def test_what_is_only_known_of_our_own_game_is_left_out_for_others(seat: str) -> None:
    shipped = load_seat_map(seat)
    public = shipped.public()
    assert {entry.source for entry in public.entries.values()} == {"documented"}
    assert {name for name, entry in shipped.entries.items() if entry.source == "documented"} == set(public.entries)
    assert not any(address >= 0x700 for entry in public.entries.values() for address in entry.byte_addresses())
    assert public.codes == shipped.codes


@given(st.binary(min_size=4, max_size=4), st.data())
def test_reads_agree_with_a_plain_reading_of_the_bytes(there: bytes, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["u8", "u16le", "u16be", "u24le", "u24be", "u32le", "u32be"]))
    address = data.draw(st.integers(0, 0x7FC))
    memory = bytearray(range(256)) * 8
    memory[address : address + 4] = there
    scale, offset = data.draw(st.integers(1, 10)), data.draw(st.integers(-5, 5))
    content = {
        **MINIMAL,
        "entries": {
            "v": {"address": address, "type": kind, "scale": scale, "offset": offset, "source": "homebrew"},
        },
    }
    bound = BoundMap(RamMap.model_validate(content), Ram(np.frombuffer(memory, np.uint8), NES.ram), TABLE.codes)
    width = int(kind[1:3].rstrip("lb")) // 8
    order: Literal["big", "little"] = "big" if kind.endswith("be") else "little"
    expected = int.from_bytes(memory[address : address + width], order) * scale + offset
    assert bound.value("v") == expected
    bound.write("v", expected)
    assert bound.value("v") == expected


def test_grids_are_translated_and_unknown_bytes_are_reported() -> None:
    ram = Ram(np.zeros(2048, np.uint8), NES.ram)
    bound = BoundMap(load_seat_map("player1"), ram, TABLE.codes)
    ram[0x303 + 16 * 13 + 2 * 5] = 7
    ram[0x303] = 0x42
    cells = bound.grid("field")
    assert cells.shape == (14, 6)
    assert cells[13, 5] == TABLE.codes["nuisance"]
    assert cells[0, 0] == UNKNOWN
    assert bound.raw_grid("field")[0, 0] == 0x42
    assert bound.name_of(0x303 + 16 * 13 + 10) == "field[13,5]"
    assert bound.name_of(0x7B) == "score"
    assert bound.name_of(0x01) == "0x0001"


def test_split_bytes_scales_and_missing_entries() -> None:
    ram = Ram(np.zeros(2048, np.uint8), NES.ram)
    bound = BoundMap(load_seat_map("player1"), ram, TABLE.codes)
    ram[0x695], ram[0x699] = 0x34, 0x12
    assert bound.value("blocks") == 0x1234
    bound.write("score", 99_999_990)
    assert [ram[0x7A], ram[0x7B], ram[0x7C]] == list((9_999_999).to_bytes(3, "little"))
    assert bound.value("score") == 99_999_990
    for wrong in (5, 10 * 2**24, -10):
        with pytest.raises(MapError, match="can't be stored"):
            bound.write("score", wrong)
    with pytest.raises(MapError, match=r"no entry 'colours', which is needed for --colors; .*--map"):
        bound.reader("colours", "is needed for --colors")
    with pytest.raises(MapError, match="is a grid"):
        bound.value("field")
    with pytest.raises(MapError, match="is a single value"):
        bound.grid("score")


@pytest.mark.parametrize("map_name", ["player1", "player12", "player2"])
@pytest.mark.parametrize("game", ["puyo", "nyaa"])
def test_quick_readers_read_what_the_plain_ones_do(game: str, map_name: str) -> None:
    """With random bytes in RAM, ``several`` and ``cells_reader`` return the same as ``value`` and ``grid``."""
    title = find_game(game)
    layout = find_system(title.system).ram
    dice = np.random.default_rng(1)
    size = layout.last - layout.base + 1
    ram = Ram(dice.integers(0, 16, size, dtype=np.uint8), layout)
    bound = title.seat(title.load_map(map_name), ram, find_rules(title, None)).map
    values = [name for name, entry in bound.map.entries.items() if not entry.is_grid]
    grids = [name for name, entry in bound.map.entries.items() if entry.is_grid]
    bytes_alone = [name for name in values if bound.map.entries[name].type == "u8"]
    several = [bound.several(*values), bound.several(*bytes_alone), bound.several(bytes_alone[0])]
    for _ in range(3):
        assert several[0]() == tuple(bound.value(name) for name in values)
        assert several[1]() == several[1]() == tuple(bound.value(name) for name in bytes_alone)
        assert several[2]() == (bound.value(bytes_alone[0]),)
        for name in grids:
            assert bound.cells_reader(name)() == bound.grid(name).tobytes()
        ram.raw[:] = dice.integers(0, 16, size, dtype=np.uint8)


@pytest.mark.parametrize("places", [[0], [2047], [1792, 2047], [1791, 2047], [5, 0, 255], [256, 0], [2047, 1900, 2000]])
def test_cells_anywhere_in_ram_are_read_in_their_order(places: list[int]) -> None:
    raw = np.random.default_rng(2).integers(0, 256, 2048, dtype=np.uint8)
    ram = Ram(raw, find_system("nes").ram)
    table = bytes(reversed(range(256)))
    wanted = [int(raw[place]) for place in places]
    assert list(ram.readers.cells(np.array(places), None)()) == wanted
    assert list(ram.readers.cells(np.array(places), table)()) == [255 - value for value in wanted]


def test_a_code_that_the_game_does_not_know_is_reported_where_the_map_is_used() -> None:
    """Maps in records aren't checked as map files are: with one, ``video --overlay`` once ended in a KeyError."""
    whole = load_seat_map("player1")
    table = whole.codes["puyo"]
    codes = {"puyo": table.model_copy(update={"values": {**table.values, 3: "mauve"}})}
    with pytest.raises(MapError, match=r"the map player1: codes\.puyo: unknown code name 'mauve'"):
        BoundMap(whole.model_copy(update={"codes": codes}), Ram(np.zeros(2048, np.uint8), NES.ram), TABLE.codes)
