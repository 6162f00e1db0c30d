"""Which instructions kernels are made of, by the environment."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from ochibot.jit.library import host_features, named_features, target_features

CODE = "from ochibot.puyo.kernels.engine import uses_pext; print(uses_pext())"
BMI2 = pytest.mark.skipif("bmi2" not in host_features(), reason="this processor has no pext")


def asked(**environment: str) -> str:
    """What a new process says about pext, or the kind of its error."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "OCHIBOT_PEXT"))}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=clean | environment, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1].split(":")[0].rsplit(".", 1)[-1]


def test_given_features_replace_those_of_this_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CPU_FEATURES", raising=False)
    monkeypatch.setenv("NUMBA_CPU_NAME", "znver3")
    assert target_features() == host_features()
    monkeypatch.setenv("NUMBA_CPU_FEATURES", "+popcnt,-avx2,+bmi2")
    assert target_features() == {"popcnt", "bmi2"}
    assert named_features() == ("bmi2", "popcnt")


@BMI2
def test_one_makes_kernels_for_another_processor_use_pext() -> None:
    zen3 = {"NUMBA_CPU_NAME": "znver3", "NUMBA_CPU_FEATURES": "+avx2,+bmi,+bmi2,+popcnt"}
    assert asked(**zen3) == "False"
    assert asked(**zen3, OCHIBOT_PEXT="1") == "True"
    assert asked(**zen3, OCHIBOT_PEXT="0") == "False"
    assert asked(OCHIBOT_PEXT="0") == "False"


def test_one_is_refused_where_kernels_cannot_have_pext() -> None:
    assert asked(NUMBA_CPU_FEATURES="+sse2", OCHIBOT_PEXT="1") == "UsageError"
