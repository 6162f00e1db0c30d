"""Runs the long proof over a small range, and compares its count of pairs dealt alike with naive searches."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.puyo.pairs.proof import agreed, main
from tests.puyo.pairs.seen import naive, signs_of


def test_the_proof_over_a_small_range(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--generator", "tsu", "--games", "3", "--last", "0xffff", "--threads", "1"])
    assert ended.value.code == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["found"], report["looked_at"], report["holds"]) == (3, 65536, True)
    assert report["candidates"]["128"]["mean"] >= 1


def test_pairs_dealt_alike_are_counted_as_by_a_search_for_each_number() -> None:
    states = np.arange(5000, 9000, dtype=np.uint32)
    same = agreed("tsu", 6000, states)
    for pairs in (1, 2, 3, 4, 5, 8):
        signs = "".join(signs_of("tsu", 6000, pairs))
        assert states[same >= pairs].tolist() == naive("tsu", signs, 4, 1, 5000, 8999)
    assert same[1000] == 128
