"""The soak itself: it finds a broken law, counts what held, and goes on where it stopped."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from tests.properties.law_list import LAWS, MOMENTARY, THOUGHTFUL
from tests.properties.soak import PORTION, hold_all, portions, sample_parts, soak
from tests.properties.soak_progress import Soaked
from tests.walks import Walk, defaults, name, variants, walk

CUCU, SCHNEIDER = RuleSet("cucu", 3), RuleSet("bohemian-schneider", 2)


def test_every_law_looks_at_every_deal_in_the_end() -> None:
    """A law of single moves looks at some moves in a row, the bots' laws at one walk in ten, the others at all."""
    played = walk(SCHNEIDER, "glances", effort=1)
    parts = dict(sample_parts(played, 1))
    assert list(LAWS) == list(parts)
    assert {law for law, part in parts.items() if part != played} == MOMENTARY
    for law in MOMENTARY:
        assert parts[law].steps in [played.steps[at : at + 5] for at in range(len(played.steps))]
        assert parts[law].positions[0] == parts[law].steps[0].before
    assert list(LAWS.keys() - dict(sample_parts(played, 2)).keys() - THOUGHTFUL) == []


def test_deals_are_counted_and_kept(tmp_path: Path) -> None:
    """Each deal of an exchange game counts as one; what is in the account is not played again."""
    soaked = Soaked.nothing()
    work = list(portions([CUCU, SCHNEIDER], 2 * PORTION, 0, soaked))
    assert [(CUCU, 0), (SCHNEIDER, 0), (CUCU, 1), (SCHNEIDER, 1)] == [(each.rule_set, each.number) for each in work]
    assert 0 == soak([work[0]._replace(deals=30)], soaked, 1, keep=False)
    assert (30, 0) == (soaked.deals(CUCU), soaked.deals(SCHNEIDER))
    soaked.add(CUCU, PORTION, PORTION)
    assert 30 == soaked.deals(CUCU), "deals before them are missing"
    soaked.add(CUCU, 0, PORTION)
    assert PORTION == soaked.deals(CUCU), "thirty of them were counted before"
    soaked.write(tmp_path / "soak_progress.txt")
    again = Soaked.read(tmp_path / "soak_progress.txt")
    assert soaked == again
    left = list(portions([CUCU, SCHNEIDER], 2 * PORTION, 0, again))
    assert [(SCHNEIDER, 0), (CUCU, 1), (SCHNEIDER, 1)] == [(each.rule_set, each.number) for each in left]
    assert Soaked.nothing() == Soaked.read(tmp_path / "nothing.txt")


def test_a_broken_law_is_said_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever breaks ends the portion, and is named so that it can be found again."""

    def at_most_ten(played: Walk, rng: Random) -> None:
        assert len(played.steps) < 10, "too long"

    monkeypatch.setitem(LAWS, "at_most_ten", at_most_ten)
    (portion,) = portions([SCHNEIDER], 1, 0, Soaked.nothing())
    outcome = hold_all(portion)
    assert outcome == hold_all(portion)
    assert (portion, 0) == outcome[:2]
    assert "bohemian-schneider-2: at_most_ten is broken by seed " in outcome.broken
    assert "AssertionError too long" in outcome.broken


def test_the_account_names_rule_sets_of_the_catalogue() -> None:
    """Every line of soak_progress.txt is of a rule set that there is."""
    names = {name(rule_set) for rule_set in (*defaults(), *variants())}
    assert {key.split(" ")[0] for key in Soaked.read().held} <= names
