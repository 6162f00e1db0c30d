"""The script that fits normalisers: its misfit follows the article's figures, and a later call resumes from the log."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from ochibot.lab.fit_normalisers import main, misfit, tail
from ochibot.lab.selfplay import Statistics


def statistics(counts: dict[int, int], clears: int, overs: int = 0) -> Statistics:
    array = np.zeros(85, np.int64)
    for n, times in counts.items():
        array[n] = times
    return Statistics(
        int(array.sum()), overs, clears, 0, 0, 0, array, np.zeros(20, np.int64), np.zeros((6, 15), np.int64)
    )


def test_misfit_is_small_for_what_the_article_saw() -> None:
    """The counts are a Gaussian with the article's mean and deviation over 50 million pieces, with its 3,326 clears."""
    weights = np.exp(-((np.arange(85) - 10) ** 2) / (2 * 3.65**2))
    counts = {n: int(50e6 * weight / weights.sum()) for n, weight in enumerate(weights)}
    seen = statistics(counts, 3326)
    assert tail(seen) in (23, 24, 25)
    assert misfit(seen) < 1.5
    assert misfit(statistics(counts, 3326 * 5)) > 10
    assert misfit(statistics(counts, 3326, 1)) > 20
    assert misfit(statistics({n + 3: k for n, k in counts.items() if n < 80}, 3326)) > 20


def test_a_later_call_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "runs" / "fit.jsonl"
    arguments = ["--trials", "2", "--pieces", "2000", "--log", str(log)]
    main(arguments)
    first = log.read_text(encoding="utf-8")
    main(arguments)
    trials = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert log.read_text(encoding="utf-8").startswith(first)
    assert len(trials) == 4
    assert len({json.dumps(trial["normalisers"]) for trial in trials}) == 4
    whole = tmp_path / "whole.jsonl"
    main(["--trials", "4", "--pieces", "2000", "--log", str(whole)])
    assert [json.loads(line) for line in whole.read_text(encoding="utf-8").splitlines()] == trials
