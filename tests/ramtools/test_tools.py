"""Values of all kinds, searches, presses, pokes and differences, compared with plain Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import NEOGEO, NES, Ram
from ochibot.errors import UsageError
from ochibot.ramtools.image import Image, image_of
from ochibot.ramtools.kinds import KINDS, NO_VALUE, Number, Symbols, fit_number, fit_symbols
from ochibot.ramtools.mapping import Names, parse_place, read_map
from ochibot.ramtools.poking import frames_of, length, parse_pads, parse_poke
from ochibot.ramtools.searching import RamSearch, differences, load_search, parse_question

BYTES = st.binary(min_size=5, max_size=40)


def image(data: bytes, base: int = 0) -> Image:
    return Image(base, np.frombuffer(data, np.uint8))


def naive(data: bytes, kind: str) -> int:
    """The value at the beginning of ``data``, byte by byte; NO_VALUE if bytes are missing or are no BCD digits."""
    width = int("".join(sign for sign in kind if sign.isdigit())) // 8
    part = list(data[:width])
    if len(part) < width:
        return NO_VALUE
    if not kind.endswith("be"):
        part.reverse()
    value = 0
    for byte in part:
        if not kind.startswith("bcd"):
            value = value * 256 + byte
        elif byte >> 4 > 9 or byte & 15 > 9:
            return NO_VALUE
        else:
            value = value * 100 + (byte >> 4) * 10 + (byte & 15)
    return value


@given(BYTES, st.sampled_from(sorted(KINDS)))
def test_a_value_is_read_at_every_address(data: bytes, kind: str) -> None:
    wanted = [naive(data[at:], kind) for at in range(len(data))]
    assert KINDS[kind].everywhere(image(data)).tolist() == wanted


@given(BYTES, st.sampled_from(sorted(KINDS)))
def test_what_is_written_reads_the_same(data: bytes, kind: str) -> None:
    value = naive(data, kind)
    if value != NO_VALUE:
        assert KINDS[kind].to_bytes(value) == data[: KINDS[kind].width]
        assert KINDS[kind].of_bytes(data[: KINDS[kind].width]) == value


QUESTIONS = ["equal 3", "unequal 3", "above 5", "below 9", "between 2 7", "changed", "unchanged", "increased"]


@given(BYTES, BYTES, BYTES, st.sampled_from([*QUESTIONS, "decreased", "increased by 2", "-1"]))
def test_a_search_keeps_what_a_loop_keeps(first: bytes, second: bytes, third: bytes, question: str) -> None:
    size = min(len(first), len(second), len(third))
    rams = [image(data[:size], 0x100) for data in (first, second, third)]
    search = RamSearch(KINDS["u8"])
    search.look(rams[0])
    search.look(rams[1], parse_question("changed"))
    search.look(rams[2], parse_question(question))
    asked: dict[str, Callable[[int, int], bool]] = {
        "equal 3": lambda now, old: now == 3,  # noqa: ARG005
        "unequal 3": lambda now, old: now != 3,  # noqa: ARG005
        "above 5": lambda now, old: now > 5,  # noqa: ARG005
        "below 9": lambda now, old: now < 9,  # noqa: ARG005
        "between 2 7": lambda now, old: 2 <= now <= 7,  # noqa: ARG005
        "changed": lambda now, old: now != old,
        "unchanged": lambda now, old: now == old,
        "increased": lambda now, old: now > old,
        "decreased": lambda now, old: now < old,
        "increased by 2": lambda now, old: now - old == 2,
        "-1": lambda now, old: now - old == -1,
    }
    told = asked[question]
    wanted = [(0x100 + at, third[at]) for at in range(size) if first[at] != second[at] and told(third[at], second[at])]
    assert search.candidates() == wanted


def test_a_search_is_gone_on_with_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    search = RamSearch(KINDS["u16be"], aligned=True, rom="0" * 40)
    search.look(image(bytes(range(12))))
    search.save(path)
    again = load_search(path)
    again.look(image(bytes(range(4)) + bytes([0, 9]) + bytes(range(6, 12))), parse_question("decreased"))
    assert again.candidates() == [(4, 9)]
    assert (again.kind.name, again.questions, again.rom) == ("u16be", ["decreased"], "0" * 40)


@pytest.mark.parametrize("text", ["", "{}", '{"ochibot_ram_search": 1}', "[1]", '{"ochibot_ram_search": 1, "kind": 3}'])
def test_a_file_that_is_no_search_is_reported(tmp_path: Path, text: str) -> None:
    path = tmp_path / "found.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"no (whole )?search"):
        load_search(path)


def test_a_search_looks_first() -> None:
    with pytest.raises(UsageError, match="look first"):
        RamSearch(KINDS["u8"]).look(image(b"12345"), parse_question("changed"))


@pytest.mark.parametrize("text", ["", "equals 3", "equal", "between 3", "changed 2", "equal x", "increased 1 2"])
def test_a_question_that_asks_nothing_is_reported(text: str) -> None:
    with pytest.raises(UsageError):
        parse_question(text)


def test_presses_are_read_frame_by_frame() -> None:
    script = parse_pads("start:2 wait, left+a/right:1")
    assert length(script) == 4
    assert [(int(one), int(other)) for one, other in frames_of(script)] == [(8, 0), (8, 0), (0, 0), (64 | 256, 128)]


@pytest.mark.parametrize("text", ["lft", "left:0", "left:x", "a/b/select", "left:9999999 left:9999999", "+"])
def test_presses_that_make_no_sense_are_reported(text: str) -> None:
    with pytest.raises(UsageError, match="press"):
        parse_pads(text)


def test_the_bytes_of_an_image_stand_in_the_order_of_addresses() -> None:
    raw = np.arange(16, dtype=np.uint8)
    seen = image_of(Ram(raw, NEOGEO.ram))
    assert [seen[0x100000 + at] for at in range(4)] == [1, 0, 3, 2]
    assert image_of(Ram(raw, NES.ram)).cells.tolist() == raw.tolist()


def test_runs_that_differ_end_where_a_name_does() -> None:
    before, after = np.zeros(2048, np.uint8), np.zeros(2048, np.uint8)
    after[0x67:0x6A] = 7
    after[0x303] = 5
    runs = differences(Image(0, before), Image(0, after), Names(read_map(Path("famicom_puyo/player1"))))
    assert [(run.address, run.after, run.name) for run in runs] == [
        (0x67, b"\7", "next_axis"),
        (0x68, b"\7", "next_partner"),
        (0x69, b"\7", ""),
        (0x303, b"\5", "field[0,0]"),
    ]


@pytest.mark.parametrize("text", ["0x7A", "0x7A=x", "0x7A=256", "score=1", "0x7A:u17=3", "=3"])
def test_a_poke_that_writes_nothing_is_reported(text: str) -> None:
    with pytest.raises(UsageError):
        parse_poke(text)


def test_places_are_addresses_kinds_and_names() -> None:
    ram_map = read_map(Path("famicom_puyo/player1"))
    assert parse_place("$7A:u24be").kind.name == "u24be"
    assert parse_place("122").address == 0x7A
    assert parse_place("score", ram_map).entry == "score"
    with pytest.raises(UsageError, match="name of the map"):
        parse_place("scoer", ram_map)


NUMBERS = st.builds(
    Number, st.integers(-20, 20), st.sampled_from([1, -1]), st.sampled_from([1, 2, 8, 16]), st.just(0xFF), st.just(0)
)


@given(NUMBERS, st.lists(st.integers(0, 12), min_size=3, max_size=9, unique=True), st.integers(0, 7))
def test_the_form_of_a_number_is_found(form: Number, values: list[int], beside: int) -> None:
    """Bytes are computed from values by ``form``. The form that is found must turn them into the same values."""
    step = form.divide * form.scale
    first = 13 * form.divide if step < 0 else 0
    samples = [(first + value * step + beside % form.divide, value) for value in values]
    if all(0 <= byte < 256 for byte, _ in samples):
        found = fit_number(samples)
        assert found is not None
        assert all(found.of(byte) == value for byte, value in samples)


def test_no_form_is_made_up() -> None:
    assert fit_number([(1, 1), (5, 2), (2, 3)]) is None
    assert fit_number([(1, 4), (9, 4)]) is None
    assert fit_symbols([(1, "red"), (1, "green")], {}) is None


def test_the_form_of_symbols_is_the_map_s_table_wherever_it_holds() -> None:
    table = {0: "empty", 1: "red", 2: "green"}
    assert fit_symbols([(0, "empty"), (2, "green")], table) == Symbols(table)
    shifted = fit_symbols([(0, "empty"), (0x11, "red"), (0x14, "red"), (0x20, "green")], table)
    assert shifted is not None
    assert (shifted.own, shifted.of(0x2F)) == (False, "green")
    own = fit_symbols([(0, "empty"), (9, "red"), (4, "green")], table)
    assert own is not None
    assert (own.own, dict(own.table)) == (True, {0: "empty", 4: "green", 9: "red"})
