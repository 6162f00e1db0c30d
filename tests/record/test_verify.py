"""``verify`` finds and names changed inputs, ROMs, pictures and dumps, and ignores changes that have no effect."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.cli import main
from ochibot.console import Button, find_cores
from ochibot.data import data_path
from ochibot.errors import OutputError, RecordError
from ochibot.record import Record, Recorder, assert_replays, picture_hash, verify
from ochibot.record.blocks import MAGIC, read_log
from ochibot.record.difference import address_names, pixel_difference, ram_differences, side_by_side
from ochibot.record.dump import INDEX, DumpWriter, encode, open_dump
from ochibot.record.manifest import LOG, MANIFEST, RamShape
from ochibot.record.segment import Segment
from PIL import Image

from tests.record.making import PUYO, about, make, mash, opened, rewrite
from tests.record.movies.runs import ochibot
from tests.titles import maps_of

RECORDS = Path(__file__).parent.parent / "records"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return make(tmp_path_factory.mktemp("records") / "mashed", 330)


@pytest.fixture
def record(original: Record, tmp_path: Path) -> Record:
    """A copy of ``original`` that the test may change."""
    shutil.copytree(original.path, tmp_path / "copy")
    return Record.open(tmp_path / "copy")


def frame_of(record: Record, pads: Button, first: int) -> int:
    """The first frame, from ``first`` on, in which the first pad is ``pads``."""
    return next(frame for frame, held in enumerate(record.pads(first), first) if held[0] == pads)


def test_a_changed_input_is_found_at_its_frame_and_the_addresses_named(record: Record) -> None:
    """The pad is changed in the log, and its checksum is corrected, so only a replay can show the change."""
    frame = frame_of(record, Button.LEFT, 201)

    def change(segment: Segment) -> None:
        segment.pads[frame - segment.first] ^= Button.LEFT | Button.RIGHT

    rewrite(record, change, (frame - 1) // 100)
    result = verify(Record.open(record.path))
    assert not result.same
    found = result.difference
    assert found is not None
    assert (found.kind, found.frame) == ("RAM", frame)
    # the frame of the next sample: the record keeps the whole RAM every 20 frames
    assert found.ram_frame == -(-frame // 20) * 20
    assert found.expected is not None
    assert found.actual is not None
    assert found.picture_frame == -(-frame // 100) * 100
    told = {difference.address: difference for difference in found.ram}
    with record.console() as console:
        for _ in Record.open(record.path).replay(console, 1, found.ram_frame):
            pass
        actual = console.ram.snapshot()
    expected = next(sample.ram for sample in record.samples() if sample.frame == found.ram_frame)
    assert set(told) == {at for at in range(2048) if expected[at] != actual[at]}
    assert told[0x669].name == "x"
    assert (told[0x669].expected, told[0x669].actual) == (expected[0x669], actual[0x669])
    assert any("0x0669 x: expected" in line for line in found.lines())


def test_a_changed_input_that_the_game_does_not_see_is_equal(record: Record) -> None:
    def change(segment: Segment) -> None:
        # a NES pad has no X
        segment.pads[10:90] ^= int(Button.X)

    rewrite(record, change, 2)
    changed = Record.open(record.path)
    assert sum(pads[0] & Button.X != 0 for pads in changed.pads()) == 80
    assert verify(changed).same


def test_a_button_that_does_nothing_is_equal_but_reported(record: Record) -> None:
    """A button pressed in the spawn delay changes only the game's copy of the pad in RAM, and only while it is held."""
    spawns = [sample.frame for sample in record.samples() if sample.ram[0x4A] and sample.ram[0x615] >= 6]
    frame = next(
        frame + 1 for frame in spawns if list(record.pads(frame, frame + 3)) == [record_pad(record, frame)] * 4
    )

    def change(segment: Segment) -> None:
        segment.pads[frame - segment.first] ^= int(Button.SELECT)

    rewrite(record, change, (frame - 1) // 100)
    changed = Record.open(record.path)
    result = verify(changed)
    assert result.same
    assert result.first_passing == frame
    assert 1 <= result.passing < 20
    found = verify(changed, strict=True).difference
    assert found is not None
    assert (found.kind, found.frame, found.ram) == ("RAM", frame, ())
    assert "RAM is equal again" in found.lines()[1]
    with pytest.raises(AssertionError, match=f"the RAM differs at frame {frame}"):
        assert_replays(record.path)


def record_pad(record: Record, frame: int) -> tuple[int, int]:
    """The pads of one frame."""
    return next(record.pads(frame, frame))


def changed_rom(path: Path, place: int, value: int) -> Path:
    data = bytearray(data_path("roms/homebrew/famicom/ochidama.nes").read_bytes())
    assert data[place] != value
    data[place] = value
    path.write_bytes(data)
    return path


def test_a_changed_rom_is_distinguished_from_changed_behaviour(record: Record, tmp_path: Path) -> None:
    """Changing an unused byte affects only the ROM's hash, changing tiles also the pictures, changing code the RAM."""
    data = data_path("roms/homebrew/famicom/ochidama.nes").read_bytes()
    program = 16 + 0x4000 * data[4]
    unused = data.index(b"\xff" * 64 if b"\xff" * 64 in data[:program] else bytes(64))
    quiet = verify(record, rom=changed_rom(tmp_path / "unused.nes", unused + 30, 0x42))
    assert quiet.difference is None
    assert quiet.other_rom is not None
    assert "SHA-1" in quiet.other_rom
    assert not quiet.same
    with pytest.raises(RecordError, match="is another ROM"):
        record.console(tmp_path / "unused.nes")
    # change the first row of every tile
    tiles = bytearray(data)
    for place in range(program, len(data), 16):
        tiles[place] ^= 0xFF
    (tmp_path / "tiles.nes").write_bytes(tiles)
    found = verify(record, rom=tmp_path / "tiles.nes").difference
    assert found is not None
    assert (found.kind, found.ram) == ("picture", ())
    assert found.pixels is not None
    reset = int.from_bytes(data[program - 4 : program - 2], "little")
    code = changed_rom(tmp_path / "code.nes", 16 + (reset & (program - 17)), 0x60)
    crashed = verify(record, rom=code)
    assert crashed.other_rom is not None
    assert crashed.difference is not None
    assert crashed.difference.kind == "RAM"


def test_white_space_in_the_version_of_an_older_record_makes_no_other_core(tmp_path: Path) -> None:
    with opened() as console:
        console.core_version += "  "
        with Recorder.begin(tmp_path / "run", console, about()) as recorder:
            mash(recorder.console, 20)
    assert verify(Record.open(tmp_path / "run")).other_core is None


def test_another_core_is_named(record: Record) -> None:
    if not find_cores("nestopia"):
        pytest.skip("no nestopia core here (apt package libretro-nestopia; see docs/install.md)")
    result = verify(record, core="nestopia")
    assert result.other_core is not None
    assert "Nestopia" in result.other_core
    assert result.difference is not None


def dumped(record: Record, folder: Path, frames: list[int]) -> Path:
    with record.console() as console, DumpWriter(folder, record.manifest) as writer:
        for frame in record.replay(console, frames[0], frames[-1]):
            if frame in frames:
                writer.put(frame, console.frame())
    return folder


@pytest.mark.long
def test_dumps_hold_the_pictures_and_a_changed_pixel_is_found(record: Record, tmp_path: Path) -> None:
    frames = [*range(150, 200, 10), 240]
    folder = dumped(record, tmp_path / "dump", frames)
    entries = open_dump(folder).entries
    assert list(entries) == frames
    with record.console() as console:
        for frame in record.replay(console):
            if frame in entries:
                assert (entries[frame].picture() == console.frame()).all()
                assert entries[frame].hash == picture_hash(console.frame())
    result = verify(record, dump=folder)
    assert result.same
    assert result.dumped == len(frames)
    assert verify(record, dump=folder, first=185).dumped == 2
    picture = np.asarray(Image.open(folder / "00000180.png")).copy()
    picture[7, 5, 1] ^= 1
    Image.fromarray(picture).save(folder / "00000180.png")
    found = verify(record, dump=folder).difference
    assert found is not None
    assert (found.kind, found.frame) == ("dumped picture", 180)
    assert found.note == (
        "00000180.png, 1 pixel differs, the first at x=5, y=7; the file has been changed since it was dumped"
    )
    assert found.expected is not None
    assert (found.expected == picture).all()
    (folder / "00000180.png").write_bytes(b"not a picture")
    with pytest.raises(RecordError, match=r"00000180\.png"):
        verify(record, dump=folder)


@pytest.fixture(scope="module")
def pictures(original: Record, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dumped(original, tmp_path_factory.mktemp("dumps") / "dump", [*range(150, 200, 10), original.frames])


@pytest.fixture
def dump(pictures: Path, tmp_path: Path) -> Path:
    """A copy of ``pictures`` that the test may change."""
    return Path(shutil.copytree(pictures, tmp_path / "dump"))


@pytest.mark.parametrize("lines", range(1, 6))
def test_a_shortened_index_is_not_taken_for_the_whole_dump(original: Record, dump: Path, lines: int) -> None:
    """With only the index's first line, the result was once "same", although no picture was compared."""
    kept = (dump / INDEX).read_text().splitlines(keepends=True)[:lines]
    (dump / INDEX).write_text("".join(kept))
    with pytest.raises(RecordError, match=r"dump\.jsonl doesn't list \d pictures in the folder"):
        verify(original, dump=dump)


def test_a_line_taken_out_of_an_index_is_found(original: Record, dump: Path) -> None:
    kept = (dump / INDEX).read_text().splitlines(keepends=True)
    (dump / INDEX).write_text("".join(kept[:2] + kept[3:]))
    with pytest.raises(RecordError, match=r"dump\.jsonl, line 7: it counts 6 pictures, but there are 5 lines"):
        verify(original, dump=dump)
    (dump / INDEX).write_text("".join(kept[:2] + kept[3:-1]))
    with pytest.raises(RecordError, match=r"doesn't list 1 picture in the folder, the first 00000160\.png"):
        verify(original, dump=dump)
    (dump / INDEX).write_text("".join([*kept, kept[-1]]))
    with pytest.raises(RecordError, match=r"line 9: it stands after the dump's last line"):
        verify(original, dump=dump)


def test_a_dump_whose_writer_was_killed_is_compared_and_reported(original: Record, dump: Path) -> None:
    """A kill leaves at most one picture whose line in the index is missing or incomplete."""
    kept = (dump / INDEX).read_text().splitlines(keepends=True)
    (dump / INDEX).write_text("".join(kept[:-2]) + kept[-2][:20])
    result = verify(original, dump=dump)
    assert (result.same, result.dumped, result.dump_ended, result.dump_beyond) == (True, 5, False, 0)
    for path in dump.glob("*.png"):
        path.unlink()
    (dump / INDEX).write_text(kept[0])
    with pytest.raises(RecordError, match=r"has no picture of the frames 1 to .*: there is nothing to compare"):
        verify(original, dump=dump)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("rom", "0" * 40, "it names the ROM of SHA-1 0000000000"),
        ("rom", None, "it names no ROM"),
        ("rom", "x" * 9999, "it names the ROM of SHA-1 x{60},"),
        ("core", "Snes9x 1.0", "it names the core Snes9x 1.0, not FCEUmm"),
        ("core", None, "it names no core"),
    ],
)
def test_a_dump_of_another_rom_or_core_is_refused(
    original: Record, dump: Path, key: str, value: str | None, words: str
) -> None:
    first, rest = (dump / INDEX).read_text().split("\n", 1)
    head = {**json.loads(first), key: value}
    (dump / INDEX).write_text(f"{json.dumps(head)}\n{rest}")
    with pytest.raises(RecordError, match=f"is not of this record: {words}"):
        verify(original, dump=dump)


def test_a_changed_hash_of_a_picture_is_a_difference(original: Record, dump: Path) -> None:
    lines = (dump / INDEX).read_text().splitlines()
    lines[3] = json.dumps({**json.loads(lines[3]), "hash": "00" * 8})
    (dump / INDEX).write_text("\n".join(lines) + "\n")
    found = verify(original, dump=dump).difference
    assert found is not None
    assert (found.kind, found.frame) == ("dumped picture", 170)
    assert "has another hash" in found.note


def test_of_a_killed_run_what_record_and_dump_have_both_is_compared(
    record: Record, dump: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records are written only every ten seconds, so a kill may leave a dump with later frames. It was once refused."""
    blocks, _ = read_log(record.path / LOG)
    (record.path / LOG).write_bytes(MAGIC + b"".join(block.encoded() for block in blocks[:-2]))
    cut = Record.open(record.path)
    assert cut.end is None
    assert 200 <= cut.frames < max(open_dump(dump).entries)
    result = verify(cut, dump=dump)
    assert (result.same, result.dumped, result.dump_beyond) == (True, 5, 1)
    monkeypatch.setattr(sys, "argv", ["ochibot", "verify", str(cut.path), "--dump", str(dump)])
    assert main._run() == 0
    told = capsys.readouterr().out
    assert "the dump has 1 picture after the record's end: not compared" in told
    assert "5 dumped pictures" in told
    picture = np.asarray(Image.open(dump / "00000180.png")).copy()
    picture[7, 5, 1] ^= 1
    Image.fromarray(picture).save(dump / "00000180.png")
    assert not verify(cut, dump=dump).same


def test_a_dump_beyond_the_end_of_a_whole_record_is_not_of_it(dump: Path) -> None:
    shorter = make(dump.parent / "shorter", 20)
    with pytest.raises(RecordError, match="the record ends at"):
        verify(shorter, dump=dump)


def test_dumps_of_the_first_version_are_read(original: Record, dump: Path) -> None:
    lines = (dump / INDEX).read_text().splitlines()
    lines[0] = json.dumps({**json.loads(lines[0]), "version": 1})
    (dump / INDEX).write_text("\n".join(lines[:-1]) + "\n")
    result = verify(original, dump=dump)
    assert (result.same, result.dumped, result.dump_ended) == (True, 6, None)


def test_whole_refuses_a_dump_without_an_end(
    original: Record, dump: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["ochibot", "verify", str(original.path), "--dump", str(dump), "--whole"])
    assert main._run() == 0
    index = (dump / INDEX).read_text().splitlines(keepends=True)
    (dump / INDEX).write_text("".join(index[:-1]))
    capsys.readouterr()
    assert main._run() == 2
    assert "is not whole: it has no end" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", sys.argv[:-1])
    assert main._run() == 0
    assert "the dump: it has no end" in capsys.readouterr().out


def test_a_dump_names_the_core_that_made_it(original: Record, tmp_path: Path) -> None:
    """A dump once named the record's core, even when another core was given."""
    from ochibot.record.dump import open_dump

    if not find_cores("nestopia"):
        pytest.skip("no nestopia core here (apt package libretro-nestopia; see docs/install.md)")
    folder = tmp_path / "other"
    code, _, err = ochibot("dump", original.path, "--to", 3, "--core", "nestopia", "-o", folder)
    assert code == 0, err
    assert str(open_dump(folder).core).startswith("Nestopia")


def test_a_live_dump_loses_no_picture_and_is_the_one_made_later(tmp_path: Path) -> None:
    from ochibot.record import Recorder

    from tests.record.making import about, mash

    with opened() as console, Recorder.begin(tmp_path / "r", console, about()) as recorder:
        with DumpWriter(tmp_path / "r/dump", recorder.manifest, every=1) as writer:
            recorder.attach(writer)
            mash(recorder.console, 120)
        assert writer.written == 120
    record = Record.open(tmp_path / "r")
    later = dumped(record, tmp_path / "later", list(range(1, 121)))
    for path in (tmp_path / "r/dump").iterdir():
        assert path.read_bytes() == (later / path.name).read_bytes(), path.name
    assert len(list(later.iterdir())) == 121


def test_a_dump_that_cannot_be_written_ends_the_run(record: Record, tmp_path: Path) -> None:
    writer = DumpWriter(tmp_path / "d", record.manifest)
    picture = np.zeros((4, 4, 3), np.uint8)
    writer.put(1, picture)
    (tmp_path / "d/00000002.png").mkdir()

    def put_many() -> None:
        for frame in range(2, 200):
            writer.put(frame, picture)

    with pytest.raises(OutputError, match="can't write the dump"):
        put_many()
    with pytest.raises(OutputError, match="can't write the dump"):
        writer.close()
    assert list(open_dump(tmp_path / "d").entries) == [1]
    with pytest.raises(OutputError, match="holds one already"):
        DumpWriter(tmp_path / "d", record.manifest)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"frame": 2, "file": "../../x.png", "hash": "0011223344556677"}',
        '{"frame": 2, "file": "00000002.png", "hash": "00"}',
        '{"frame": 0, "file": "00000000.png", "hash": "0011223344556677"}',
        '{"frame": "2", "file": "00000002.png", "hash": "0011223344556677"}',
        '{"frame": 1, "file": "00000001.png", "hash": "0011223344556677"}',
    ],
)
def test_damaged_dumps_are_refused_by_line(line: str, tmp_path: Path) -> None:
    good = '{"frame": 1, "file": "00000001.png", "hash": "0011223344556677"}'
    head = json.dumps({"format": "ochibot dump", "version": 1})
    (tmp_path / INDEX).write_text(f"{head}\n{good}\n{good[:20]}")
    assert list(open_dump(tmp_path).entries) == [1]
    (tmp_path / INDEX).write_text(f"{head}\n{good}\n{line}\n")
    with pytest.raises(RecordError, match=r"dump\.jsonl, line 3"):
        open_dump(tmp_path)
    (tmp_path / INDEX).write_text(f"{good}\n")
    with pytest.raises(RecordError, match=r"dump\.jsonl, line 1"):
        open_dump(tmp_path)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32))
def test_pngs_are_what_another_reader_takes_them_for(width: int, height: int, seed: int) -> None:
    picture = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    with Image.open(io.BytesIO(encode(picture))) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGB", (width, height))
        assert (np.asarray(image) == picture).all()


def test_names_of_addresses() -> None:
    one, two = maps_of(PUYO, "versus")
    alone = address_names(maps_of(PUYO))
    assert alone[0x303] == "field[0,0]"
    assert alone[0x303 + 16 * 13 + 2 * 5] == "field[13,5]"
    assert alone[0x7B] == "score[byte 1]"
    both = address_names([one, two])
    assert both[0x303] == "seat 1 field[0,0]"
    assert both[0x403] == "seat 2 field[0,0]"
    # on the Neo Geo, the two bytes of each word are swapped
    (difference,) = ram_differences(bytes(4), b"\0\0\0\7", RamShape(size=4, base=0x100000, swap=1), [])
    assert (difference.address, difference.expected, difference.actual) == (0x100002, 0, 7)


def test_side_by_side() -> None:
    expected = np.full((4, 5, 3), 100, np.uint8)
    actual = expected.copy()
    actual[2, 3] = 0
    assert pixel_difference(expected, expected) is None
    found = pixel_difference(expected, actual)
    assert found is not None
    assert (found.count, found.x, found.y) == (1, 3, 2)
    shown = side_by_side(expected, actual)
    assert (shown[:, :5] == expected).all()
    assert (shown[:, 13:18] == actual).all()
    assert np.argwhere((shown[:, 26:] == (255, 0, 0)).all(axis=2)).tolist() == [[2, 3]]
    larger = pixel_difference(expected, np.zeros((6, 5, 3), np.uint8))
    assert larger is not None
    assert larger.count == 30


def test_repetitions_are_compared_among_themselves(original: Record) -> None:
    result = verify(original, repeat=3)
    assert result.same
    assert len(result.digests) == 3
    assert len(set(result.digests)) == 1
    # a digest is computed from the frames that were replayed, so a shorter replay has another one
    assert verify(original, first=300, repeat=2).digests[0] != result.digests[0]


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*")), ids=lambda path: path.name)
def test_our_own_records_replay(path: Path) -> None:
    """Replays the committed records of the homebrew (tests/record/make_records.py), to notice changes of the games."""
    core = Record.open(path).manifest.core.file.removesuffix("_libretro.so")
    if not find_cores(core):
        pytest.skip(f"no {core} core here")
    assert_replays(path)


def test_assert_replays_says_what_differs(record: Record) -> None:
    def change(segment: Segment) -> None:
        segment.pads[:] = int(Button.START)

    rewrite(record, change, 0)
    with pytest.raises(AssertionError, match="the RAM differs at frame"):
        assert_replays(record.path)
    log = record.path / LOG
    log.write_bytes(log.read_bytes()[:-10])
    with pytest.raises(RecordError, match="is not whole"):
        assert_replays(record.path)
    (record.path / MANIFEST).unlink()
    with pytest.raises(RecordError, match="is not a record"):
        assert_replays(record.path)


def test_an_index_that_cannot_be_read_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "folder/dump.jsonl").mkdir(parents=True)
    with pytest.raises(RecordError, match=r"can't read .*dump.jsonl: it is not a file"):
        open_dump(tmp_path / "folder")
    (tmp_path / "text").mkdir()
    (tmp_path / "text/dump.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match="it is not a text file"):
        open_dump(tmp_path / "text")
    with pytest.raises(RecordError, match=r"there is no dump.jsonl in it"):
        open_dump(tmp_path)
