"""What the engine did when it learnt some strangers: ``python -m tests.strangers.recorded`` writes recorded.json anew.

A record isn't a truth. It shows that a change of the code changed what an experiment does, or what came of it, and on
which page of the notebook first. If the change is meant, write the record anew and commit it with the change.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from ochibot.experiments.draftfile import map_of_draft
from ochibot.experiments.rig import Rig

from tests.strangers.judge import learn
from tests.strangers.maker import Spec, draw
from tests.strangers.maker.console import StrangerConsole
from tests.strangers.several import several
from tests.strangers.test_whole import GAMES
from tests.strangers.whole import judge_whole

FILE: Final = Path(__file__).with_name("recorded.json")
HOW: Final = "the engine's experiments changed; if that is meant: python -m tests.strangers.recorded"
PIECES: Final = 20

WHOLE: Final = {
    **GAMES,
    "packed": several(12, "piece_index", "junk_bits", "strided", "score_rolls", "demo", "menu_options", "high_score"),
    "heights": several(14, "heights", "piece_any", "next_ring", "drop_button"),
    "mirror": several(15, "landing_mirror", "rest_flag", "right_left", "y_up", "origin"),
    "wide": several(16, "next_index", "wide_cells", "halves", "one_way", "select_pauses", "levels"),
    "tiles": several(17, "next_nibbles", "tile_codes", "late_place", "angle", "tested", "slow_lock"),
}
"""Games of the family whose learning is recorded."""

DRAFTS: Final = {"bag": draw(1, "other", "bag"), "rows": draw(0, "other")}
"""Games of other rules."""


def short(data: bytes) -> str:
    """A short digest."""
    return hashlib.sha256(data).hexdigest()[:12]


def record_of(folder: Path) -> dict[str, str]:
    """A digest of each page of the notebook, in order, and of each file that was written."""
    notebook = folder / "notebook.json"
    # a game in which nothing was found has none
    pages = json.loads(notebook.read_text(encoding="utf-8"))["pages"] if notebook.exists() else {}
    found = {name: short(json.dumps(page).encode()) for name, page in pages.items()}
    return found | {path.name: short(path.read_bytes()) for path in sorted(folder.glob("*.yaml"))}


def record_whole(spec: Spec) -> dict[str, Any]:
    """The record of learning a game of the family."""
    with tempfile.TemporaryDirectory(prefix="stranger-") as made:
        verdict = judge_whole(spec, Path(made), PIECES)
        return record_of(Path(made)) | {"frames": verdict.frames, "why": verdict.why, "agreement": verdict.agreement}


def record_draft(spec: Spec) -> dict[str, Any]:
    """The record of a draft."""
    rig = Rig(StrangerConsole(spec))
    verdict, made = learn(spec, rig)
    ram_map = None if made is None else map_of_draft(made, rig, "stranger")
    return {
        "draft": short(repr(made).encode()),
        "map": short(json.dumps(ram_map, default=str).encode()),
        "frames": verdict.frames,
        "why": verdict.why,
    }


def read() -> dict[str, Any]:
    """The committed record."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def main() -> int:
    """Writes the record anew."""
    found = {name: record_whole(spec) for name, spec in WHOLE.items()}
    found |= {name: record_draft(spec) for name, spec in DRAFTS.items()}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
