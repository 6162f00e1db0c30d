"""``make prove`` writes the table of docs/proofs.md anew, and keeps the part below it."""

from __future__ import annotations

from pathlib import Path

import prove
import pytest


def test_what_stands_beside_the_table_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "ROOT", tmp_path)
    row = ("a proof", "`x`", "holds", "1 of 1", "abc")
    prove._write("abc", [row])
    page = tmp_path / "docs/proofs.md"
    assert page.read_text().endswith("| a proof | `x` | holds | 1 of 1 | abc |\n")
    page.write_text(page.read_text() + f"\n{prove.BESIDE}\n\nby hand\n")
    prove._write("def", [(*row[:4], "def")])
    assert page.read_text().endswith(f"| def |\n\n{prove.BESIDE}\n\nby hand\n")
    assert "abc" not in page.read_text()
