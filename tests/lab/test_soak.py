"""The soak test itself: it finds a broken law, counts the deals that held, and resumes where it stopped."""

from pathlib import Path
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella_testing.checks import LAWS
from lab.soak.progress import SoakProgress
from lab.soak.run import BATCH_DEALS, batches, check_batch, soak
from tests.walks import Walk

CUCU, SCHNEIDER = RuleSet("cucu", 3), RuleSet("bohemian-schneider", 2)


def test_deals_are_counted_and_recorded(tmp_path: Path) -> None:
    """Each deal of an exchange game counts as one; recorded deals are not played again."""
    progress = SoakProgress()
    work = list(batches([CUCU, SCHNEIDER], 2 * BATCH_DEALS, 0, progress))
    assert [(CUCU, 0), (SCHNEIDER, 0), (CUCU, 1), (SCHNEIDER, 1)] == [(each.rule_set, each.number) for each in work]
    assert 0 == soak([work[0]._replace(deals=30)], progress, 1, keep=False)
    assert (30, 0) == (progress.deals(CUCU), progress.deals(SCHNEIDER))
    progress.add(CUCU, BATCH_DEALS, BATCH_DEALS)
    assert 30 == progress.deals(CUCU), "deals before them are missing"
    progress.add(CUCU, 0, BATCH_DEALS)
    assert BATCH_DEALS == progress.deals(CUCU), "thirty of them were counted before"
    progress.write(tmp_path / "progress.txt")
    again = SoakProgress.read(tmp_path / "progress.txt")
    assert progress == again
    left = list(batches([CUCU, SCHNEIDER], 2 * BATCH_DEALS, 0, again))
    assert [(SCHNEIDER, 0), (CUCU, 1), (SCHNEIDER, 1)] == [(each.rule_set, each.number) for each in left]
    assert SoakProgress() == SoakProgress.read(tmp_path / "nothing.txt")


def test_deals_under_fewer_laws_count_apart() -> None:
    """Deals under fewer laws are played anew, and stay the most that held until then."""
    progress = SoakProgress()
    assert (0, 0) == progress.most(CUCU)
    progress["cucu-3 1 4"] = 700
    progress["cucu-30 1 4"] = progress["cucu-3 0 4"] = 900
    progress.add(CUCU, 0, 30)
    assert 30 == progress.deals(CUCU)
    assert (700, 4) == progress.most(CUCU)
    progress.add(CUCU, 0, 700)
    assert (700, len(LAWS)) == progress.most(CUCU)


def test_broken_law_is_reported_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken law ends its batch and is reported with its rule set and seed."""

    def at_most_ten(played: Walk, rng: Random) -> None:
        assert len(played.steps) < 10, "too long"

    monkeypatch.setitem(LAWS, "at_most_ten", at_most_ten)
    (batch,) = batches([SCHNEIDER], 1, 0, SoakProgress())
    outcome = check_batch(batch)
    assert outcome == check_batch(batch)
    assert (batch, 0) == outcome[:2]
    assert "bohemian-schneider-2: at_most_ten is broken by seed " in outcome.broken
    assert "too long" in outcome.broken
