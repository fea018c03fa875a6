"""Random matches of Lu Stù, and queries on them."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.model import Event, Seat
from chitarrella.exchange.game import ExchangeGame
from chitarrella.exchange.round import Round
from tests.walks import Step, Walk, known_walk, name

ONE_FOOL = (("single_matto_from", "2"),)
TABLES = [
    *(RuleSet("lu-stu", players) for players in (2, 3, 5, 8, 12, 20)),
    *(RuleSet("lu-stu", players, ONE_FOOL) for players in (2, 3, 5, 20)),
    RuleSet("lu-stu", 8, (("single_matto_from", "5"),)),
    RuleSet("lu-stu", 5, (("inn_offer_rounds", "1"),)),
    RuleSet("lu-stu", 8, (("inn_offer_rounds", "10"), ("inn_offer_kinds", "pool_share"))),
    RuleSet("lu-stu", 5, (("inn_offer_kinds", "money"),)),
    *(RuleSet("lu-stu", players, (("agreement_forces_exchange", "true"),)) for players in (2, 3)),
    RuleSet("lu-stu", 8, (("stake", "1000000000"), ("tokens", "1"))),
    RuleSet("lu-stu", 3, (("tokens", "1"),)),
    RuleSet("lu-stu", 5, (("syndicates", "false"),)),
    RuleSet("lu-stu", 5, (("reentry", "false"), ("end_game_agreement", "false"))),
    RuleSet("lu-stu", 12, (("seating", "full_pack"),)),
]
SEEDS = ("one", "two", "three")
PLAYED = [pytest.param((table, seed), id=f"{name(table)}-{seed}") for table in TABLES for seed in SEEDS]
EVERY = pytest.mark.parametrize("played", PLAYED)
BETWEEN = ("await_seats", "new_deal", "game_over", "match_over")
"""The phases between two deals."""


def walked(rule_set: RuleSet, seed: str) -> Walk:
    """Play a match of a rule set, or a hundred deals of it."""
    return known_walk(rule_set, seed, 4, 6)


def game_of(walk: Walk) -> ExchangeGame:
    """The game of a walk."""
    assert isinstance(walk.game, ExchangeGame)
    return walk.game


def running(walk: Walk) -> list[Round]:
    """The positions in the middle of a deal."""
    return [p for p in walk.positions if p.phase not in BETWEEN]


def of(step: Step, *kinds: str) -> list[Event]:
    """The events of these kinds in a step."""
    return [event for event in step.events if event.kind in kinds]


def deals(walk: Walk) -> list[list[Step]]:
    """The steps deal by deal, the shuffle first; an unfinished deal is left out."""
    found: list[list[Step]] = []
    for step in walk.steps:
        if step.move.verb == "start_deal":
            found.append([])
        if found and step.before.phase not in ("game_over", "match_over"):
            found[-1].append(step)
    return [deal for deal in found if deal[-1].after.phase in BETWEEN]


def seats(found: list[Event]) -> list[Seat]:
    """The seats that events name first."""
    return [event.seat for event in found if event.seat is not None]
