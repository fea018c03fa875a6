"""Questions about cards and tricks without a position: what may be played, who takes a trick, what cards are worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from chitarrella.core.game import AnyGame, TrickState
from chitarrella.questions.partial_positions import (
    ExplainedPlay,
    PartialQuestion,
    check_hand,
    check_lead,
    check_pack,
    check_trick,
    plays_of,
    read_declared_suit,
    read_trump,
    read_trump_card,
    trick_rules_of,
)
from chitarrella.questions.reading import read_cards

Scores: TypeAlias = Sequence[tuple[str, int]]
"""What cards are worth, by the name of each count."""


class ResolvedTrick(NamedTuple):
    """The card that takes a trick, with its index; None and empty where that depends on what is not known."""

    winning_index: int | None
    winning_card: str
    scores: Scores
    depends_on: Sequence[str]


def playable_cards(
    game: AnyGame,
    hand: Iterable[str],
    trick: Iterable[str],
    *,
    trump: str = "",
    trump_card: str = "",
    declared_suit: str = "",
    stock_left: bool = False,
) -> list[ExplainedPlay]:
    """Explain every play of a hand to a trick; raises `errors.BadRequest`."""
    tricks = trick_rules_of(game)
    held, played = read_cards(game, hand, "hand"), read_cards(game, trick, "trick")
    check_trick(game, played, "trick", still_to_play=1)
    check_pack(game, held + played, "hand")
    check_lead(tricks, played, "trick")
    check_hand(tricks, len(held), "hand")
    state = TrickState(
        played,
        read_trump(game, tricks, trump),
        read_trump_card(game, tricks, trump_card),
        read_declared_suit(game, tricks, declared_suit),
        len(game.pack.cards) if stock_left else 0,
    )
    return plays_of(PartialQuestion(game, tricks, 0, held, state, None))


def resolve_trick(
    game: AnyGame, texts: Iterable[str], trump: str | None = None, trump_card: str | None = None
) -> ResolvedTrick:
    """Determine the winning card; trumps that are None are not known. Raises `errors.BadRequest`."""
    tricks = trick_rules_of(game)
    cards = read_cards(game, texts, "cards")
    check_trick(game, cards, "cards")
    check_pack(game, cards, "cards")
    suit = None if trump is None else read_trump(game, tricks, trump)
    index, depends_on = tricks.winning_index(TrickState(cards, suit, read_trump_card(game, tricks, trump_card), "", 0))
    scores = () if suit is None and "trump" in depends_on else tricks.count(cards, suit or "")
    return ResolvedTrick(index, "" if index is None else cards[index], scores, depends_on)


def score_cards(game: AnyGame, texts: Iterable[str], trump: str = "") -> Scores:
    """Score cards; raises `errors.BadRequest`."""
    tricks = trick_rules_of(game)
    cards = read_cards(game, texts, "cards")
    check_pack(game, cards, "cards")
    return tricks.count(cards, read_trump(game, tricks, trump))
