"""Checks that numba can use a GPU (imports numba.cuda)."""

from __future__ import annotations

from ochibot.errors import UsageError


def need_gpu() -> None:
    """Raises UsageError when numba can't use a GPU."""
    from numba import cuda

    if not cuda.is_available():
        raise UsageError(
            "--device cuda needs an NVIDIA GPU and its driver, and there is none here; "
            "leave it out, or on a machine with one: pip install 'ochibot[cuda]'"
        )
