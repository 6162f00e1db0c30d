"""Videos of records: MP4 with sound (extra ``ochibot[video]``), animated GIF and PNG; with or without the AI's plan.

::

    Record ──replay──► shots: picture, sound ──► Overlay ──scaled──► Mp4 | Animation
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from ochibot.errors import VideoError

KINDS = (".mp4", ".gif", ".png")


def check_kind(path: Path) -> str:
    """The file's ending. Raises VideoError unless it is one of KINDS and its library is installed."""
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise VideoError(f"{path} is no video by its ending: give one of {', '.join(KINDS)} (.png becomes an APNG)")
    if kind == ".mp4" and importlib.util.find_spec("av") is None:
        raise VideoError('videos with sound need PyAV: pip install "ochibot[video]" (or make a .gif or .png)')
    return kind
