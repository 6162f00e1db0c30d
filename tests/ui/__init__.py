"""Tests of the window, under SDL's dummy drivers. They are skipped if pygame-ce is missing."""

from __future__ import annotations

import os

import pytest

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

pytest.importorskip("pygame", reason="the window's tests need pygame-ce: pip install 'ochibot[window]'")
