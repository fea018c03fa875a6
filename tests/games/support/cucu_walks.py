"""Random matches of Cucù, with few and many seats and each option once."""

from __future__ import annotations

from itertools import groupby

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.model import Event, Seat
from chitarrella.exchange.game import ExchangeGame
from chitarrella.exchange.round import Round
from tests.walks import Step, Walk, known_walk, name

SEATS = (2, 3, 5, 8, 12, 20)
TABLES = [
    *(RuleSet("cucu", players) for players in SEATS),
    *(RuleSet("cucu", players, (("stake", "1"), ("tokens", "1"))) for players in SEATS),
    *(RuleSet("cucu", players, (("cuckoo_protects", "comparison"), ("tokens", "2"))) for players in (3, 8)),
    RuleSet("cucu", 3, (("horse_dealer_draw", "next"), ("syndicates", "false"))),
    RuleSet("cucu", 2, (("agreement_forces_exchange", "false"), ("horse_dealer_draw", "next"))),
    RuleSet("cucu", 5, (("end_game_agreement", "false"), ("reentry", "false"))),
    RuleSet("cucu", 4, (("seating", "full_pack"), ("stake", "1000000000"))),
]
EVERY = pytest.mark.parametrize(
    "walk",
    [pytest.param((table, seed), id=f"{name(table)}-{seed}") for table in TABLES for seed in ("one", "two")],
    indirect=True,
)
PLAYING = ("turn", "dealer_turn", "inn_guest", "inn_host")
"""The phases between the first card and the comparison."""


def played(request: pytest.FixtureRequest) -> Walk:
    """Play some deals of the rule set of a test."""
    rule_set, seed = request.param
    return known_walk(rule_set, seed, 1, 6)


def game_of(walk: Walk) -> ExchangeGame:
    """The game of a walk."""
    assert isinstance(walk.game, ExchangeGame)
    return walk.game


def deals(walk: Walk) -> list[list[Step]]:
    """The steps of each deal from its pack on; earlier steps are left out."""
    numbered = groupby(walk.steps, lambda step: step.after.match_state.deal)
    return [list(steps) for number, steps in numbered if number]


def events_in(steps: list[Step], *kinds: str) -> list[Event]:
    """The events of these kinds in some steps."""
    return [event for step in steps for event in step.events if event.kind in kinds]


def on_table(p: Round) -> dict[Seat, Card]:
    """The cards before the seats."""
    return {seat: held.card for seat, held in enumerate(p.held) if held is not None}
