"""Runs the long proofs, checks their conditions, and writes docs/proofs.md with the commit on which they were made.

Each finished proof is kept in runs/prove/COMMIT/, so that a killed run can resume. ``--only NAME`` runs a single one.
``--earlier COMMIT`` takes over the proofs made on that commit, names it in their rows, and runs only the others
(none with ``--no-run``). Exit code 1 when a condition isn't met.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from ochibot.wording import counted
from proofs import PROOFS, ROOT, Proof, Report


def _commit() -> str:
    def git(*args: str) -> str:
        return subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    if git("status", "--porcelain"):
        raise SystemExit("the working tree has changes: commit them first, so that the proofs belong to a commit")
    return git("rev-parse", "--short=12", "HEAD")


def _processor() -> str:
    """The processor's name, family and widest vectors, because processors of the same name differ in speed by a
    factor of three.
    """
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
        told = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
        vectors = next(
            (name for name in ("avx512vpopcntdq", "avx512f", "avx2") if name in told["flags"].split()), "none"
        )
        return f"{told['model name']} (family {told['cpu family']}, model {told['model']}, {vectors})"
    except (OSError, KeyError):
        return platform.machine()


def _kept(proof: Proof, folder: Path) -> Report | None:
    kept = folder / f"{proof.name}.json"
    if not kept.exists():
        return None
    report: Report = json.loads(kept.read_text())
    return report


def _run(proof: Proof, folder: Path) -> Report:
    kept = folder / f"{proof.name}.json"
    print(f"{proof.name}: {proof.command}", flush=True)
    began = time.perf_counter()
    # other modules print their report as JSON without being asked
    report_to = ("--json", "-") if proof.module == "ochibot" else ()
    done = subprocess.run(
        [sys.executable, "-m", proof.module, *proof.args, *report_to], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        return {"went_wrong": f"exit code {done.returncode}"}
    report = {**json.loads(done.stdout), "proof_seconds": round(time.perf_counter() - began, 1)}
    partial = kept.with_suffix(".part")
    partial.write_text(json.dumps(report, indent=2))
    partial.replace(kept)
    return report


def _missing(core: str) -> bool:
    from ochibot.console import find_cores

    return bool(core) and not find_cores(core)


def main() -> int:
    """Runs the proofs. Returns 0 when all hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=[proof.name for proof in PROOFS])
    parser.add_argument("--no-run", action="store_true", help="only write what is there; the rest is shown as not run")
    parser.add_argument("--earlier", action="append", default=[], metavar="COMMIT")
    asked = parser.parse_args()
    only = asked.only
    commit = _commit()
    folder = ROOT / "runs/prove" / commit
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[tuple[str, str, str, str, str]] = []
    reports: dict[str, Report] = {}
    fine = True
    for proof in PROOFS:
        if only not in (None, proof.name):
            continue
        command = f"`{proof.command}`"
        if _missing(proof.core):
            rows.append((proof.says, command, "skipped", f"no {proof.core} core here", commit))
            continue
        if asked.no_run and not any(_kept(proof, ROOT / "runs/prove" / at) for at in (commit, *asked.earlier)):
            rows.append((proof.says, command, "not run", "", ""))
            continue
        report, made_on = _result(proof, commit, asked.earlier)
        reports[proof.name] = report
        if report.get("skipped"):
            rows.append((proof.says, command, "skipped", str(report["skipped"]), made_on))
            continue
        good = "went_wrong" not in report and proof.holds(report)
        fine &= good
        figures = report.get("went_wrong") or proof.figures(report)
        rows.append((proof.says, command, "holds" if good else "FAILS", figures, made_on))
        print(f"  {'holds' if good else 'FAILS'}: {figures}", flush=True)
    twice = [reports[name] for name in ("endless-5000", "endless-5000-again") if name in reports]
    if len(twice) == 2:
        same = all(twice[0][key] == twice[1][key] for key in ("score", "pieces", "frames", "ram_sha256"))
        fine &= same
        rows.append(("both runs end in the same score, frames and RAM", "", "holds" if same else "FAILS", "", ""))
    if only is None:
        _write(commit, rows)
    return 0 if fine else 1


def _result(proof: Proof, commit: str, earlier: list[str]) -> tuple[Report, str]:
    """(the report of a proof, the commit on which it was made)."""
    for at in (commit, *earlier):
        found = _kept(proof, ROOT / "runs/prove" / at)
        if found is not None:
            return found, at
    return _run(proof, ROOT / "runs/prove" / commit), commit


BESIDE: Final = "## Beside the table"
"""The heading of the part of docs/proofs.md that ``make prove`` keeps."""


def beside(page: str) -> str:
    """The part of a page of proofs below its table: results of longer runs, written by hand."""
    at = page.find(f"\n{BESIDE}\n")
    return page[at:] if at >= 0 else ""


def _write(commit: str, rows: list[tuple[str, str, str, str, str]]) -> None:
    lines = [
        "# Proofs",
        "",
        "Written by `make prove`; a table row is a command anyone can run.",
        "",
        f"Written at commit {commit}; the last column names each row's commit. Python {platform.python_version()}; "
        f"{_processor()}, {counted(os.cpu_count() or 1, 'core')} (shared, so speeds are lower bounds); each benchmark "
        "beside its yardstick in one run.",
        "",
        "| what | command | | figures | made on |",
        "|---|---|---|---|---|",
    ]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    target = ROOT / "docs/proofs.md"
    target.parent.mkdir(exist_ok=True)
    before = target.read_text(encoding="utf-8") if target.exists() else ""
    target.write_text("\n".join(lines) + "\n" + beside(before), encoding="utf-8")
    print(f"written: {target.relative_to(ROOT)}")


if __name__ == "__main__":
    raise SystemExit(main())
