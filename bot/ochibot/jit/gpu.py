"""Whether there is a GPU that numba can use (imports numba.cuda)."""

from __future__ import annotations

from ochibot.errors import UsageError


def need_gpu() -> None:
    """Raises UsageError where there is none that can be used."""
    from numba import cuda

    if not cuda.is_available():
        raise UsageError(
            "--device cuda needs an NVIDIA GPU and its driver, and there is none here; "
            "leave it out, or on a machine with one: pip install 'ochibot[cuda]'"
        )
