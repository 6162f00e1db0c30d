"""``ochibot.overlay`` can be imported without the windows, records, players and commands that use it."""

from __future__ import annotations

import subprocess
import sys

FORBIDDEN = ("ochibot.ui", "ochibot.record", "ochibot.play", "ochibot.cli", "pygame", "av")


def test_neither_windows_nor_records_nor_players_are_needed() -> None:
    rooms = "ghost", "layout", "panel", "standing", "text"
    imports = "; ".join(f"import ochibot.overlay.{room}" for room in rooms)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {imports}; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    )
    loaded = done.stdout.split()
    assert "ochibot.overlay.panel" in loaded
    assert not [name for name in loaded if name in FORBIDDEN]
