"""The soak test says which law is broken, and by which deal."""

from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella_testing.checks import LAWS
from lab.soak.progress import SoakProgress
from lab.soak.run import batches, check_batch
from tests.walks import Walk

SCHNEIDER = RuleSet("bohemian-schneider", 2)


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
