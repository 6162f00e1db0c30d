"""Damaged records, and folders and disks that can't be used. Errors name the file, and no damage goes unnoticed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.errors import ConsoleError, OutputError, RecordError
from ochibot.games import find_game
from ochibot.record import About, Record, Recorder, verify
from ochibot.record.blocks import END, FRAMES, LogWriter, read_log
from ochibot.record.difference import save_side_by_side, side_by_side
from ochibot.record.dump import INDEX, Dump, DumpEntry, DumpWriter, open_dump
from ochibot.record.events import Jump, Sample
from ochibot.record.machine import image_for, named_rom, open_for, own_title, titles_of
from ochibot.record.manifest import FiledGame, Manifest, read_manifest, write_manifest
from ochibot.record.recorded import RecordedConsole
from ochibot.record.segment import DECODE_ERRORS, References, Segment, join_sections, split_sections
from PIL import Image

from tests.record.test_model import Counter, played

Change = Callable[[bytes], bytes]


def rewritten(folder: Path, kind: bytes, change: Change, *, last: bool = False) -> Path:
    """Changes the first (or last) block of a kind in a record, and corrects the checksums. Returns the folder."""
    log = folder / "log.ochi"
    blocks, _ = read_log(log)
    log.unlink()
    writer, at = LogWriter(log), [one.kind for one in blocks]
    which = len(at) - 1 - at[::-1].index(kind) if last else at.index(kind)
    for number, block in enumerate(blocks):
        payload = block.unpacked()
        writer.append(block.kind, block.first, block.count, change(payload) if number == which else payload)
    writer.close()
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    played(tmp_path / "record", 25, 3, 5, 10)
    return tmp_path / "record"


def without_ram(payload: bytes) -> bytes:
    return join_sections({**split_sections(payload), b"R": b"\0" * 7})


def with_state(payload: bytes) -> bytes:
    return join_sections({**split_sections(payload), b"S": b"\0" * 7})


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        (b"strt", lambda _: b"junk", r"block 0 \(the start\) can't be read, though its checksum fits"),
        (b"strt", lambda _: join_sections({b"M": b""}), "can't be read, though"),
        (b"strt", without_ram, "it doesn't fit the manifest"),
        (b"strt", with_state, "it doesn't fit the manifest"),
        (END, lambda _: b"junk", r"block 4 \(the end\) can't be read"),
        (END, lambda _: b"{}", "can't be read"),
        (END, lambda _: json.dumps({"end": "x", "frames": 26}).encode(), "it counts 26 frames, the record holds 25"),
        (END, lambda _: b"[" * 100_000, "can't be read"),
    ],
)
def test_a_block_with_something_else_in_it_is_refused_though_its_checksum_fits(
    folder: Path, kind: bytes, change: Change, words: str
) -> None:
    with pytest.raises(RecordError, match=words):
        Record.open(rewritten(folder, kind, change))


def test_a_segment_with_something_else_in_it_is_refused_when_it_is_read(folder: Path) -> None:
    record = Record.open(rewritten(folder, FRAMES, lambda _: b"junk", last=True))
    assert len(list(record.pads(1, 19))) == 19
    with pytest.raises(RecordError, match=r"block 3 \(frames 21 to 25\) can't be read, though its checksum fits"):
        list(record.pads())


def test_a_record_without_its_log_or_of_another_manifest_is_refused(folder: Path) -> None:
    text = (folder / "run.json").read_text()
    (folder / "run.json").write_text(text + "\n")
    with pytest.raises(RecordError, match="the log holds another checksum"):
        Record.open(folder)
    (folder / "run.json").write_text(text)
    (folder / "log.ochi").unlink()
    with pytest.raises(RecordError, match=r"can't read the record's log .*log\.ochi: No such file"):
        Record.open(folder)


def segment(**more: Any) -> Segment:
    return Segment(5, np.array([1, 1, 2], np.uint32), np.array([7, 8, 9], np.uint16), **more)


def sample(frame: int) -> Sample:
    return Sample(frame, b"r" * 8, b"p" * 8, b"RAM!")


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (segment(jumps=[Jump(3, "reset")]), "frames outside it"),
        (segment(jumps=[Jump(8, "reset")]), "frames outside it"),
        (segment(samples=[sample(8)]), "frames outside it"),
        (segment(picture=np.zeros((1, 1, 3), np.uint8), picture_frame=8), "frames outside it"),
        (segment(jumps=[Jump(6, "reset"), Jump(5, "reset")]), "its jumps aren't in order"),
    ],
)
def test_what_belongs_to_other_frames_is_refused(made: Segment, words: str) -> None:
    references = References(ram=b"RAM?")
    with pytest.raises(ValueError, match=words):
        Segment.decode(5, 3, made.encode(references), references)


def test_the_first_and_last_frames_of_a_segment_may_have_something() -> None:
    references = References(ram=b"RAM?")
    made = segment(jumps=[Jump(4, "reset"), Jump(7, "reset")], samples=[sample(5), sample(7)])
    again = Segment.decode(5, 3, made.encode(references), references)
    assert (again.jumps, again.samples, again.last) == (made.jumps, made.samples, 7)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        (b"C", b"\0\0", "1 checks for 3 frames"),
        (b"I", b"", "inputs of 0 frames for 3"),
        (b"P", b"\0" * 25, "its samples are cut short"),
        (b"E", b'[["locked", "5", 1, 0, "", 0, 1, null]]', "an event without frame"),
        (b"E", b'[["locked", 5, null, 0, "", 0, 1, null]]', "an event without frame"),
        (b"E", b'[["locked", 5, 1, 0, 7, 0, 1, null]]', "an event without frame"),
    ],
)
def test_parts_that_do_not_fit_are_refused(name: bytes, data: bytes, words: str) -> None:
    references = References(ram=b"RAM?")
    parts = split_sections(segment().encode(references))
    with pytest.raises(DECODE_ERRORS, match=words):
        Segment.decode(5, 3, join_sections({**parts, name: data}), references)


def test_a_change_of_ram_outside_ram_ends_the_replay(tmp_path: Path) -> None:
    console: Any = Counter()
    with Recorder.begin(tmp_path / "record", console, About(command="test")) as recorder:
        recorder.console.step()
        recorder.jumped(Jump(1, "poke", (1 << 20).to_bytes(4, "little") + b"\1"))
        recorder.console.step()
    replay = Record.open(tmp_path / "record").replay(Counter())  # type: ignore[arg-type]
    assert next(replay) == 1
    with pytest.raises(ConsoleError, match="the record changes RAM after frame 1: a change of RAM outside RAM"):
        next(replay)


def test_a_savestate_that_the_core_refuses_is_reported_with_its_record(folder: Path) -> None:
    machine: Any = Counter()

    def refuse(*_: bytes) -> None:
        raise ConsoleError("not mine")

    machine.try_state = refuse
    with pytest.raises(ConsoleError, match=r"a savestate in the record .* can't be used: not mine"):
        list(Record.open(folder).replay(machine, 21))


def test_a_closed_console_is_reported() -> None:
    for name in ("step", "reset"):
        console: Any = Counter()
        recorded = RecordedConsole(console, SimpleNamespace(frames=0))
        recorded._view.release()
        with pytest.raises(ConsoleError, match="closed"):
            getattr(recorded, name)()


# -- manifests, and the systems, ROMs and games that they name


def manifest(folder: Path, **changes: Any) -> Manifest:
    return read_manifest(folder)[0].model_copy(update=changes)


def test_a_manifest_that_cannot_be_written_or_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_manifest(tmp_path, manifest(folder))
    assert read_manifest(tmp_path) == (manifest(folder), data)
    with pytest.raises(OutputError, match=r"can't write the record .*nothing: .*; make room, or give another folder"):
        write_manifest(tmp_path / "nothing", manifest(folder))
    with pytest.raises(RecordError, match=r"is not a record: there is no run\.json in it"):
        read_manifest(tmp_path / "nothing")

    def fail(*_: Any, **__: Any) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("ochibot.record.manifest.read_file", fail)
    with pytest.raises(RecordError, match=r"can't read .*run\.json: Input/output error"):
        read_manifest(tmp_path)


def test_a_manifest_of_more_than_four_mebibytes_is_no_manifest(folder: Path) -> None:
    text = (folder / "run.json").read_text()
    for more, fits in ((0, True), (1, False)):
        (folder / "run.json").write_text(" " * ((4 << 20) - len(text) + more) + text.rstrip() + "\n")
        if fits:
            assert read_manifest(folder)[0].system == "nes"
        else:
            (folder / "run.json").write_text(" " * (4 << 20) + text)
            with pytest.raises(RecordError, match=r"run\.json: "):
                read_manifest(folder)


def test_a_record_of_an_unknown_system_or_rom_is_refused_by_name(folder: Path) -> None:
    said = manifest(folder, system="abacus")
    with pytest.raises(RecordError, match="the record is of the system 'abacus'; known are"):
        open_for(said, folder, None, None, None, any_rom=False)
    said = manifest(folder)
    with pytest.raises(RecordError, match="which isn't the shipped one: give it with --rom"):
        image_for(said, folder, None, None)
    assert named_rom(said) == f"nothing.nes (SHA-1 {'2' * 40})"
    older = find_game("puyo").table.earlier_roms[0]  # type: ignore[attr-defined]
    said = manifest(folder, rom=said.rom.model_copy(update={"sha1": older}))
    with pytest.raises(RecordError, match="the history of the repository holds it"):
        image_for(said, folder, None, None)
    assert named_rom(said).startswith("an older ")
    filed = FiledGame(file="mine.yaml", said="")
    said = manifest(folder, about=said.about.model_copy(update={"filed": filed, "game": "mine"}))
    with pytest.raises(RecordError, match=r"the game file mine\.yaml, and neither is where it was"):
        image_for(said, folder, None, None)


def test_titles_that_cannot_be_loaded_are_skipped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> Any:
        if name == "nyaa":
            raise ConsoleError("broken")
        return name

    monkeypatch.setattr("ochibot.record.machine.game_names", lambda: ("nyaa", "puyo", "tsu"))
    monkeypatch.setattr("ochibot.record.machine.find_game", find)
    for game, order in (("tsu", ["tsu", "puyo"]), ("puyo", ["puyo", "tsu"]), ("", ["puyo", "tsu"])):
        about = About(command="test", game=game)
        assert list(titles_of(manifest(folder, about=about), folder)) == order  # type: ignore[comparison-overlap]


def test_a_kept_game_that_cannot_be_used_is_reported(folder: Path) -> None:
    about = About(command="test", game="mine")
    assert own_title(manifest(folder, about=about), folder) is None
    filed = FiledGame(file="mine.yaml", said="game: mine\n", rules="")
    about = About(command="test", game="mine", filed=filed)
    with pytest.raises(RecordError, match=r"the game file that it keeps can't be used: .*: give the file with --game"):
        own_title(manifest(folder, about=about), folder)
    for said, used in (("tsu", "tsu"), ("x", "famicom")):
        found = own_title(manifest(folder, about=About(command="test", game="puyo", rules=said)), folder)
        assert found is not None
        assert (found[0].name, found[1].name) == ("puyo", used)


# -- dumps and pictures

PICTURE = np.arange(4 * 3 * 3, dtype=np.uint8).reshape(4, 3, 3)


def test_a_dump_goes_only_into_a_new_folder(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(OutputError, match="it is a file; give a new folder"):
        DumpWriter(file, manifest(folder))
    with pytest.raises(OutputError, match=r"can't write the dump .*: Not a directory; make room"):
        DumpWriter(file / "inside", manifest(folder))
    DumpWriter(tmp_path / "dump", manifest(folder)).close()
    with pytest.raises(OutputError, match="it holds one already"):
        DumpWriter(tmp_path / "dump", manifest(folder))
    assert open_dump(tmp_path / "dump").ended is True


def test_a_picture_that_cannot_be_packed_ends_the_dump(folder: Path, tmp_path: Path) -> None:
    wrong: Any = np.zeros(7, np.uint8)
    writer = DumpWriter(tmp_path / "dump", manifest(folder))
    writer.put(1, PICTURE)
    writer.put(2, wrong)
    for frame in range(3, 200):  # however many pictures follow, ``put`` mustn't block for ever
        try:
            writer.put(frame, PICTURE)
        except ValueError:
            break
    with pytest.raises(ValueError, match="not enough values"):
        writer.close()
    found = open_dump(tmp_path / "dump")
    assert (list(found.entries), found.ended, writer.written) == ([1], False, 1)


def test_a_dump_on_a_full_disk_is_reported_unless_something_else_went_wrong(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)

    def run(number: int, error: Exception | None) -> None:
        with DumpWriter(tmp_path / str(number), manifest(folder)) as writer:
            writer.put(1, PICTURE)
            if error is not None:
                raise error

    with pytest.raises(OutputError, match="No space left on device; make room, or give another folder"):
        run(1, None)
    with pytest.raises(ZeroDivisionError):
        run(2, ZeroDivisionError())
    assert not (tmp_path / "1" / "00000001.png").exists()


def test_a_frame_is_dumped_once(folder: Path, tmp_path: Path) -> None:
    with DumpWriter(tmp_path / "dump", manifest(folder), every=3, at_locks=True, core="mine 7") as writer:
        for frame in (3, 3, 5, 5, 6):
            writer.put(frame, PICTURE)
    assert (writer.every, writer.at_locks, writer.written) == (3, True, 3)
    found = open_dump(tmp_path / "dump")
    assert (list(found.entries), found.core, found.rom) == ([3, 5, 6], "mine 7", "2" * 40)
    assert (found.entries[5].picture() == PICTURE).all()


HEAD = '{"format": "ochibot dump", "version": 2, "rom": "x", "core": "y"}\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty: it is no dump"),
        (HEAD[:-1], "is empty: it is no dump"),
        (HEAD.replace("2", "0"), "line 1: it is no dump, or of a later version"),
        (HEAD.replace("2", "3"), "line 1: it is no dump, or of a later version"),
        (HEAD.replace("2", "true"), "line 1: it is no dump, or of a later version"),
        (HEAD.replace("ochibot dump", "x"), "line 1: it is no dump, or of a later version"),
        (HEAD.replace("version", "v"), "line 1: there is no 'version'"),
        (HEAD + '{"pictures": 1}\n', "line 2: it counts 1 picture, but there are 0 lines"),
        (HEAD + '{"pictures": 0}\n{"pictures": 0}\n', "line 3: it stands after the dump's last line"),
        (HEAD + '{"pictures": true}\n', "line 2: there is no 'frame'"),
        (HEAD + "[]\n", "line 2: "),
        (HEAD + "[" * 100_000 + "\n", "line 2: "),
    ],
)
def test_an_index_with_something_else_in_it_is_refused_by_its_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / INDEX).write_text(text)
    with pytest.raises(RecordError, match=words):
        open_dump(tmp_path)


def test_names_of_the_rom_and_the_core_are_texts_or_missing(tmp_path: Path) -> None:
    (tmp_path / INDEX).write_text('{"format": "ochibot dump", "version": 1, "rom": 7}\n')
    found = open_dump(tmp_path)
    assert (found.rom, found.core, found.ended) == (None, None, None)
    (tmp_path / INDEX).write_text(HEAD)
    assert (open_dump(tmp_path).rom, open_dump(tmp_path).core, open_dump(tmp_path).ended) == ("x", "y", False)


def test_pictures_that_the_index_does_not_list(tmp_path: Path) -> None:
    def dump(*frames: int, ended: bool | None) -> Dump:
        entries = {frame: DumpEntry(frame, tmp_path / f"{frame:08d}.png", b"") for frame in frames}
        return Dump(tmp_path, None, None, entries, ended)

    for frame in (9, 5):
        (tmp_path / f"{frame:08d}.png").write_bytes(b"")
    (tmp_path / "other.png").write_bytes(b"")
    dump(5, 9, ended=True).check_listed()
    dump(5, ended=False).check_listed()  # the dump was killed just before it listed its last picture
    dump(5, ended=None).check_listed()
    for wrong, first in ((dump(5, ended=True), 9), (dump(9, ended=False), 5), (dump(ended=False), 5)):
        with pytest.raises(RecordError, match=f"in the folder, the first 0000000{first}.png: it has been cut short"):
            wrong.check_listed()
    for frame in (30, 200, 4, 17):
        (tmp_path / f"{frame:08d}.png").write_bytes(b"")
    with pytest.raises(RecordError, match=r"doesn't list 6 pictures in the folder, the first 00000004\.png"):
        dump(ended=False).check_listed()
    with pytest.raises(RecordError, match=r"can't read the dump .*nothing: No such file"):
        Dump(tmp_path / "nothing", None, None, {}, True).check_listed()


def test_pictures_side_by_side_are_saved_or_it_is_reported(tmp_path: Path) -> None:
    other = (PICTURE ^ 1).astype(np.uint8)
    save_side_by_side(tmp_path / "x.png", PICTURE, other)
    with Image.open(tmp_path / "x.png") as image:
        assert (np.asarray(image) == side_by_side(PICTURE, other)).all()
    for path in (tmp_path / "nothing" / "x.png", tmp_path / "x.nonsense"):
        with pytest.raises(OutputError, match=r"can't write the picture .*; give another path with --picture"):
            save_side_by_side(path, PICTURE, other)


# -- verification


def test_an_error_says_that_the_core_is_another_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def console(**of: Any) -> Any:
        machine: Any = Counter()
        for name, value in of.items():
            setattr(machine, name, value)

        def step(*_: int) -> None:
            raise ConsoleError("it broke")

        machine.step = step
        return machine

    record = Record.open(folder)
    for of, words in (
        ({}, "^it broke$"),
        ({"core_version": "2"}, "^the core is another one: counter 2, not counter 1; it broke$"),
        ({"core_sha1": "3" * 40}, "is another build of that version: its file differs; it broke$"),
    ):
        monkeypatch.setattr(Record, "console", lambda *_, of=of, **__: console(**of))
        with pytest.raises(ConsoleError, match=words):
            verify(record)


def test_a_dump_without_a_picture_of_what_is_replayed_is_refused(folder: Path, tmp_path: Path) -> None:
    with DumpWriter(tmp_path / "dump", manifest(folder)) as writer:
        writer.put(7, PICTURE)
    with pytest.raises(RecordError, match="has no picture of the frames 8 to 25: there is nothing to compare"):
        verify(Record.open(folder), dump=tmp_path / "dump", first=8)


def test_a_manifest_cut_anywhere_is_refused(folder: Path) -> None:
    text = (folder / "run.json").read_text()
    dice = random.Random(3)
    for _ in range(20):
        cut = dice.randrange(1, len(text) - 2)
        (folder / "run.json").write_text(text[:cut])
        with pytest.raises(RecordError, match=r"run\.json: "):
            read_manifest(folder)
