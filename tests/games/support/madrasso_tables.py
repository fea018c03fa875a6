"""Positions of Madrasso: any deal of a match with any totals, and deals near their end."""

from __future__ import annotations

from collections.abc import Mapping

from chitarrella.core.cards import minus
from chitarrella.core.model import Seat
from chitarrella.tricks.game import TrickGame
from tests.games.support.past_tricks import Far, past, wherever
from tests.games.support.table import Match, pack_for, seat, worth

LAST = {1: "7d", 2: "5d", 3: "6d", 0: "4d"}
"""The last four cards of a deal: nothing in them counts, and s1 takes them with batons as trumps, whoever leads."""


def game(dealer: Seat = 0, /, **options: str) -> TrickGame:
    """Configure Madrasso; ``dealer`` deals first."""
    return seat("madrasso", first_dealer=str(dealer), **options)


def before_deal(g: TrickGame, deal: int, a: int, b: int) -> Match:
    """A position before that deal, with these totals."""
    p = g.start()
    dealer = ((g.first_dealer or 0) + deal - 1) % 4
    match_state = p.match_state._replace(deal=deal - 1, dealer=dealer, totals=(a, b))
    return Match(g, g.decode(g.encode(p._replace(match_state=match_state, leader=(dealer + 1) % 4))))


def deal_table(match: Match, hands: Mapping[Seat, str]) -> Match:
    """Deal these hands; the dealer's sixth card is the turn-up."""
    match.deal(pack_for(match.game, hands, dealer=match.p.match_state.dealer))
    return match


def late(
    g: TrickGame,
    hands: Mapping[Seat, str],
    plays: str = "",
    *,
    leader: Seat = 0,
    deal: int = 1,
    totals: tuple[int, int] = (0, 0),
    taken: int | None = None,
    trump: str = "b",
) -> Match:
    """Make a position: these cards, this trick; hands are filled up, and of the rest side A has ``taken`` points."""
    trick = [words.split() for words in plays.split(",")] if plays else []
    leader = int(trick[0][0]) if trick else leader
    played = [int(place) for place, _ in trick]
    laid = g.pack.hand(card for _, card in trick)
    held = [list(g.pack.hand(hands.get(place, "").split())) for place in range(4)]
    rest = g.pack.cards
    for card in (*laid, *(card for hand in held for card in hand)):
        rest = minus(rest, card)
    size = max(len(hand) + (place in played) for place, hand in enumerate(held))
    for place, hand in enumerate(held):
        while len(hand) + (place in played) < size:
            filler = min((card for card in rest if card.suit != trump), key=lambda card: worth(g, (card,)))
            hand.append(filler)
            rest = minus(rest, filler)
    start = before_deal(g, deal, *totals).p
    p = start._replace(
        phase="play",
        match_state=start.match_state._replace(deal=deal),
        hands=tuple(map(tuple, held)),
        leader=leader,
        trick=laid,
        trump=trump,
        turn_up=next(card for card in rest if card.suit == trump),
    )
    far: Far = wherever if taken is None else lambda p: abs(sum(g.card_points(p, 0)[::2]) - taken)
    return Match(g, g.decode(g.encode(p._replace(tricks=past(g, p, rest, leader, far)))))


def last_trick(g: TrickGame, deal: int, totals: tuple[int, int], scored: int) -> Match:
    """Play the last trick of a deal that brings side A so many points; s1 takes it, and 10 with it."""
    match = late(g, LAST, leader=1, deal=deal, totals=totals, taken=scored)
    match.play("1 7d, 2 5d, 3 6d, 0 4d")
    return match


def won(match: Match) -> frozenset[int] | None:
    """The seats that have won; checks that the match is over exactly then."""
    assert (match.p.phase == "game_over") == (match.game.outcome(match.p) is not None)
    return match.game.outcome(match.p)
