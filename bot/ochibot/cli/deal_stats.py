"""``ochibot deal --stats N``: checks the Puyo Nexus wiki's statements about a generator's pools on N states."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ochibot.cli.output import check_picture, report_stream
from ochibot.report import check_target, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.puyo.pairs.claims import Claims
    from ochibot.puyo.pairs.generators import Generator


def stats(generator: Generator, count: int, colors: int, player: int, picture: Path | None, json: str | None) -> None:
    """Measures the pools and prints the results. Raises ConfigError and OutputError."""
    from ochibot.puyo.pairs.claims import measure
    from ochibot.puyo.pairs.verdicts import verdicts

    check_picture(picture)
    check_target(json)
    claims = measure(generator, count, colors, player)
    results = verdicts(claims)
    if picture is not None:
        from ochibot.lab.plots.pools import charts

        charts(claims).save(picture)
    write_json(
        _report(claims) | {"claims": [asdict(verdict) | {"verdict": verdict.verdict} for verdict in results]}, json
    )
    out = report_stream(json)
    states = counted(claims.states, "seed" if generator == "modern" else "state")
    print(f"{states} of {generator}, {colors} colours, player {player}", file=out)
    for verdict in results:
        print(f"\nthe article says: {verdict.says}", file=out)
        print(f"measured: {verdict.measured}", file=out)
        print(f"verdict: {verdict.verdict}", file=out)


def _report(claims: Claims) -> dict[str, Any]:
    from ochibot.puyo.pairs.claims import CODES

    return {
        "generator": claims.generator,
        "colors": claims.colors,
        "player": claims.player,
        "states": claims.states,
        "most_off": claims.most_off,
        "equal": claims.equal,
        "by_color": {str(code): share for code, share in zip(CODES, claims.by_color.tolist(), strict=True)},
        "by_place": {str(code): row for code, row in zip(CODES, claims.by_place.tolist(), strict=True)},
        "streaks": claims.streaks.tolist(),
        "fair_streaks": claims.fair_streaks.tolist(),
        "halves": claims.halves.tolist(),
        "fair_halves": claims.fair_halves.tolist(),
        "measures": {name: asdict(measured) for name, measured in claims.measures.items()},
        "first_two": claims.first_two,
        "first_four": claims.first_four,
    }
