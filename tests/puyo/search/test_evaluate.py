"""The seven metrics: the kernel's values are those of the reference, and those computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.errors import FieldError
from ochibot.puyo import Field
from ochibot.puyo.search import METRICS, PlayerConfig, evaluate, load_player
from ochibot.puyo.search.engine import SEARCH_KERNELS

from tests.puyo import FAMICOM, reference
from tests.puyo.fields import FIELDS, boards_of, random_cells, sampled


@pytest.fixture(scope="module")
def player() -> PlayerConfig:
    return load_player(data_path("configs/players/article.yaml"))


@sampled(5_000, FIELDS)
def test_kernel_measures_like_the_reference(fields: int) -> None:
    grids = [reference.drop(cells.tolist()) for cells in random_cells(fields)]
    results = np.zeros((fields, 7), np.int64)
    SEARCH_KERNELS.kernel("measure_boards", FAMICOM)(boards_of(np.array(grids, np.uint8)), results)
    for grid, result in zip(grids, results.tolist(), strict=True):
        assert reference.metrics(grid) == result, Field.from_cells(np.array(grid))
    assert (results.max(axis=0) > 0).all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("......", (0, 0, 0, 0, 0, 0, 0)),
        ("R.....", (1, 0, 2, 1, 0, 0, 0)),
        (".....R", (1, 0, 2, 0, 0, 0, 0)),
        ("..o...", (0, 1, 1, 9, 0, 0, 0)),
        ("RR....", (2, 0, 3, 5, 1, 128, 1)),  # variance: both lie half a column from their mean, 256 * 2 * (1/2) ** 2
        ("R....R", (2, 0, 4, 1, 1, 3200, 0)),  # the two puyos are consecutive across the gap, but not linked
        ("R.o..R", (2, 1, 5, 10, 0, 3200, 0)),  # the two puyos aren't consecutive: nuisance lies between them
        ("R.R..R", (3, 0, 5, 10, 2, 256 * 38 // 3, 0)),
        ("R.....\nR.....\nR.....", (3, 0, 4, 14, 2, 512, 2)),
        ("RG....\nGR....", (4, 0, 4, 18, 0, 512, 0)),
    ],
)
def test_metrics_by_hand(text: str, expected: tuple[int, ...], player: PlayerConfig) -> None:
    assert evaluate(Field.parse(text), player, FAMICOM).raw == expected


def test_spawn_cell_is_the_nearest(player: PlayerConfig) -> None:
    tower = Field.parse("..o...\n" * 13)
    higher = Field.parse("..o...\n" * 14)
    assert evaluate(tower, player, FAMICOM).raw.spawn == sum(n * n for n in range(3, 16))
    assert evaluate(higher, player, FAMICOM).raw.spawn - evaluate(tower, player, FAMICOM).raw.spawn == 14 * 14


def test_hidden_puyos_do_not_link_but_count_as_consecutive(player: PlayerConfig) -> None:
    column = "\n".join(code + "....." for code in "RRGBYPCGBYPCGB")
    assert evaluate(Field.parse(column), player, FAMICOM).raw.links == 0
    assert evaluate(Field.parse(column), player, FAMICOM).raw.consecutive == 1


def test_signs_and_sum(player: PlayerConfig) -> None:
    seen = evaluate(Field.parse("R.....\nRGo.BB"), player, FAMICOM)
    for metric, raw, normalised, weighted in zip(METRICS, seen.raw, seen.normalised, seen.weighted, strict=True):
        assert raw > 0
        assert (weighted > 0) == (metric in ("consecutive", "links"))
        assert normalised == raw / getattr(player.normalisers, metric)
        assert abs(weighted) == pytest.approx(normalised * getattr(player.weights, metric))
    assert seen.total == reference.value(Field.parse("R.....\nRGo.BB").cells.tolist(), list(player.factors))


def test_floating_puyos_are_refused(player: PlayerConfig) -> None:
    with pytest.raises(FieldError, match="resolve it first"):
        evaluate(Field.parse("R.....\n......"), player, FAMICOM)
