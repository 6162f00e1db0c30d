"""``ochibot lab``: what the lab writes for other programs."""

from __future__ import annotations

import typer

from ochibot.cli.commands import example
from ochibot.cli.lab_export import export

app = typer.Typer(no_args_is_help=True)


@app.callback(epilog=example("lab export --positions 20_000 -o runs/positions"))
def lab() -> None:
    """Write positions with decisions and outcomes as data (docs/data.md)."""


app.command("export", epilog=example("lab export --positions 20_000 -o runs/positions"))(export)
