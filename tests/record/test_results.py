"""What a verification reports, as text and as JSON."""

from __future__ import annotations

from dataclasses import replace

from ochibot.record.difference import PixelDifference, RamDifference
from ochibot.record.verify import LISTED, Difference, VerifyResult

RESULT = VerifyResult(10, 1, 1, 0, True, None, None, None, ["a"])


def ram(count: int) -> tuple[RamDifference, ...]:
    return tuple(RamDifference(0x100 + at, "(no name)", 1, at & 255) for at in range(count))


def test_a_result_is_the_same_with_the_same_rom_and_every_time() -> None:
    assert RESULT.same
    assert RESULT.deterministic
    assert (RESULT.passing, RESULT.first_passing, RESULT.dump_beyond, RESULT.dump_ended) == (0, None, 0, None)
    assert replace(RESULT, other_core="another build").same, "a core of another build may do the same"
    for other in (
        replace(RESULT, difference=Difference("RAM", 3)),
        replace(RESULT, other_rom="another"),
        replace(RESULT, digests=["a", "b"]),
    ):
        assert not other.same
    assert replace(RESULT, difference=Difference("RAM", 3)).deterministic
    assert replace(RESULT, digests=["a", "a"]).same
    assert not replace(RESULT, digests=["a", "b", "a"]).deterministic


def test_json_lists_at_most_64_bytes_and_says_how_many_there_are() -> None:
    told = Difference("RAM", 61, 120, ram(70), 600, PixelDifference(5, 3, 4), "why").as_dict()
    assert (told["kind"], told["frame"], told["ram_frame"], told["ram_count"]) == ("RAM", 61, 120, 70)
    listed = told["ram"]
    assert isinstance(listed, list)
    assert len(listed) == LISTED == 64
    assert listed[1] == {"address": "0x0101", "name": "(no name)", "expected": 1, "actual": 1}
    assert (told["picture_frame"], told["pixels"], told["pixel"], told["note"]) == (600, 5, [3, 4], "why")
    bare = Difference("picture", 60).as_dict()
    assert (bare["ram"], bare["ram_count"], bare["pixels"], bare["pixel"], bare["note"]) == ([], 0, None, None, "")


def test_text_lists_twelve_bytes_and_how_many_more() -> None:
    assert Difference("picture", 1234).lines() == ["the picture differs at frame 1,234"]
    assert Difference("RAM", 5, note="why").lines() == ["the RAM differs at frame 5: why"]
    assert Difference("RAM", 5, 60).lines()[1:] == ["at frame 60 RAM is equal again"]
    for count, more in ((1, 0), (12, 0), (13, 1), (1300, 1288)):
        lines = Difference("RAM", 5, 60, ram(count)).lines()
        assert lines[1] == f"at frame 60 {count:,} {'byte of RAM differs' if count == 1 else 'bytes of RAM differ'}:"
        assert lines[2 : 2 + min(count, 12)] == [f"  {one}" for one in ram(count)[:12]]
        assert lines[2 + min(count, 12) :] == ([f"  … and {more:,} more"] if more else [])
    assert Difference("RAM", 5, picture_frame=600).lines()[1:] == ["at frame 600 the pictures are equal"]
    pixels = PixelDifference(2, 7, 9)
    assert Difference("RAM", 5, None, (), 600, pixels).lines()[1:] == [f"at frame 600 {pixels}"]
