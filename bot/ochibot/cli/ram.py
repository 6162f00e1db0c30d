"""``ochibot ram``: the commands that watch, search, change and map the RAM of any ROM."""

from __future__ import annotations

import typer

from ochibot.cli.commands import example
from ochibot.cli.ram_check import check
from ochibot.cli.ram_exchange import export, import_
from ochibot.cli.ram_find import diff, search
from ochibot.cli.ram_poke import poke
from ochibot.cli.ram_watch import watch

app = typer.Typer(
    no_args_is_help=True,
    help="Watches, compares, searches and changes the memory of any ROM, and checks maps of it.",
    epilog=example("ram check famicom_puyo/player1"),
)

for name, command, sample in (
    ("watch", watch, "ram watch --map famicom_puyo/player1 --play --frames 60"),
    ("diff", diff, "ram diff one.state two.state --map famicom_puyo/player1"),
    ("search", search, 'ram search found.json look "press wait:60" increased'),
    ("poke", poke, "ram poke 0x7A:u24le=1234 --frames 60 --save-state one.state"),
    ("check", check, "ram check famicom_puyo/player1"),
    ("export", export, "ram export famicom_puyo/player1 -o puyo.wch"),
    ("import", import_, "ram import puyo.wch -o puyo.yaml"),
):
    app.command(name, epilog=example(sample))(command)
