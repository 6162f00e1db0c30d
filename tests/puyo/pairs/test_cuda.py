"""Tests that the GPU's sieve finds the same states as the processor's, in numba's GPU simulator and on a GPU if there
is one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

SIMULATED = {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONWARNINGS": "ignore"}


def gpu() -> bool:
    """Whether this machine has a GPU that numba can use."""
    asked = "from numba import cuda; print(cuda.is_available())"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", asked], capture_output=True, text=True)
    return done.stdout.strip() == "True"


def search(device: str, generator: str, *words: str, **environment: str) -> dict[str, Any]:
    command = ["deal", "--generator", generator, *words, "--device", device, "--json", "-"]
    done = subprocess.run(
        [sys.executable, "-m", "ochibot", *command],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


CASES = [
    pytest.param(("tsu", "--find", "RR PR", "--range", "0x35879dc0-0x35879e1f"), marks=pytest.mark.long),
    ("tsu", "--find", "RR PR PY ?Y", "--find", "AB CD", "--colors", "5", "--range", "0-0x3f"),
    pytest.param(("puyo1", "--find", "RR ??", "--range", "0-0x5f"), marks=pytest.mark.long),
    ("puyo1", "--find", "AA BB CA AB DB", "--seat", "2", "--range", "0xffffffa0-0xffffffff"),
]


@pytest.mark.long
@pytest.mark.parametrize("words", CASES, ids=lambda words: " ".join(words[:3]))
def test_a_simulated_gpu_finds_the_same(words: tuple[str, ...]) -> None:
    generator, *more = words
    assert search("cuda", generator, *more, **SIMULATED) == search("cpu", generator, *more)


@pytest.mark.skipif(not gpu(), reason="no NVIDIA GPU here")
@pytest.mark.long
@pytest.mark.parametrize("generator", ["tsu", "puyo1"])
def test_a_gpu_finds_the_same_among_all_states(generator: str) -> None:
    words = ("--find", "RR PR PY PY RG GY YY PR RG PG RR GP YG")
    assert search("cuda", generator, *words) == search("cpu", generator, *words)


@pytest.mark.skipif(gpu(), reason="there is an NVIDIA GPU here")
def test_without_a_gpu_it_says_what_is_missing() -> None:
    command = ["deal", "--generator", "tsu", "--find", "RR", "--range", "0-9", "--device", "cuda"]
    done = subprocess.run([sys.executable, "-m", "ochibot", *command], capture_output=True, text=True)
    assert done.returncode == 2
    # without kept kernels, lines before it tell that they are compiled
    assert done.stderr.splitlines()[-1].startswith("ochibot: --device cuda needs an NVIDIA GPU")
    assert "Traceback" not in done.stderr
