"""Options that several trick-taking games share: first dealer, packets, how trumps are found, length of the match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from chitarrella.core.cards import Card
from chitarrella.core.model import Edition, Event, Seat
from chitarrella.core.options import FIRST_EDITION, Option, choice_option, number_option
from chitarrella.tricks.dealing import Packet, turn_up_next, turn_up_none
from chitarrella.tricks.match_formats import deal_again, pass_deal_on
from chitarrella.tricks.parts import Rules
from chitarrella.tricks.table import Table

Step: TypeAlias = Callable[[Rules, Table, list[Event]], Table]  # what happens by itself, such as turning up a card


def first_dealer(most: Seat, source: str, *, lot: bool = False) -> Option[Seat | None]:
    """Build the option which seat, 0 to ``most``, deals first; with ``lot`` the default is None: it is drawn by lot."""
    words: dict[str, None] = {"by_lot": None} if lot else {}
    return number_option("first_dealer", "Which seat deals first.", source, "by_lot" if lot else 0, 0, most, words)


def deal_packets(source: str, sizes: Mapping[str, tuple[Packet, ...]], default: str = "") -> Option[tuple[Packet, ...]]:
    """Build the option that chooses the packets of the deal; ``sizes`` gives them by value."""
    return choice_option("deal_packets", "How many cards are dealt to a seat at once.", source, sizes, default)


def removed_card(name: str, description: str, source: str, cards: Iterable[Card], default: Card) -> Option[Card]:
    """Build the option which of ``cards`` three players leave out of the pack."""
    return choice_option(name, description, source, {str(card): card for card in cards}, str(default)).only_for(3)


def trump_by(source: str) -> Option[Step]:
    """Build the option whether trumps are found by cutting the stock or by turning up its first card."""
    text = "Whether the stock is cut for trumps, or its first card turned up."
    return choice_option("trump_by", text, source, {"cut": turn_up_none, "turn_up": turn_up_next})


def all_pass(source: str) -> Option[Step]:
    """Build the option who deals after a deal in which all have passed."""
    text = "Who deals after a deal that nobody wanted."
    return choice_option("all_pass", text, source, {"next_dealer": pass_deal_on, "same_dealer": deal_again})


def rubber_games(source: str) -> Option[int]:
    """Build the option how many games win the rubber."""
    return number_option("rubber_games", "How many games won make the rubber.", source, 3, 1, 99).of_length()


def match_deals(source: str) -> Option[int]:
    """Build the option how many deals make a match."""
    text = "How many deals make the match; not asked where a number of wins is agreed."
    return number_option("match_deals", text, source, 1, 1).of_length()


def target_wins(source: str, default: int = 0) -> Option[int]:
    """Build the option how many deals won make a match, whatever their number."""
    text = "How many deals won make the match; 0 for none."
    return number_option("target_wins", text, source, default, 0).of_length()


def match_games(source: str, default: int) -> Option[int]:
    """Build the option how many games win a match, where a deal or a game may count for several; 0 for no end."""
    text = "How many games win the match; 0 for no end."
    return number_option("match_games", text, source, default, 0, 99).of_length()


WITH_AN_END = (*FIRST_EDITION, Edition(2, "By default a match has an end."))
"""The editions of a game whose matches had no end at first."""
