"""The zones of trick-taking games, described for those who show a table: what lies there, and who sees it."""

from __future__ import annotations

from typing import Final

from chitarrella.core.model import ZoneSpec
from chitarrella.core.visibility import EVERYBODY, NOBODY, seen_by_word
from chitarrella.tricks.base import Rules

PACK: Final = ZoneSpec("pack", "The cards that are not dealt yet.", seen_by_word(NOBODY))
STOCK: Final = ZoneSpec("stock", "The rest of the pack after the deal, the top card first.", seen_by_word(NOBODY))
TURN_UP: Final = ZoneSpec(
    "turn_up",
    "The card that is turned up; where the zone has a seat, the card belongs to the hand of that seat.",
    seen_by_word(EVERYBODY),
)
TRICK: Final = ZoneSpec("trick", "The cards of the present trick, in order of play.", seen_by_word(EVERYBODY))
TAKEN: Final = ZoneSpec(
    "taken",
    "A trick of this deal with the seat that took it, its cards in order of play; one zone for each trick.",
    seen_by_word(EVERYBODY),
)
UNDEALT: Final = ZoneSpec("undealt", "The cards that nobody was dealt.", seen_by_word(NOBODY))


def hand(g: Rules) -> ZoneSpec:
    """Return the hand of a seat; with partners, or a dummy, single hands are seen by more than their owner."""
    return ZoneSpec("hand", "The cards that a seat holds.", seen_by_word(g.watchers(0)))


def turns_up(g: Rules) -> bool:
    """Return whether a card is turned up in some phase of a deal."""
    return g.dealing.start.turns_up or any(phase.turns_up for phase in g.phases)


def common_zone_specs(g: Rules) -> tuple[ZoneSpec, ...]:
    """Return the zones that every game has, with the turn-up where there is one."""
    return (PACK, hand(g), STOCK, *((TURN_UP,) if turns_up(g) else ()), TRICK, TAKEN)
