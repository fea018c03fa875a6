"""Positions of Harjan: any position of a deal, and whole deals with chosen points."""

from __future__ import annotations

from collections.abc import Sequence

from chitarrella.core.cards import Hand, minus
from chitarrella.core.game import legal_moves
from chitarrella.core.model import Move, Seat
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table, Trick
from tests.games.support.past_tricks import past
from tests.games.support.table import Match, worth

Taken = Sequence[tuple[Seat, str]]
"""Tricks already taken: the winner and the cards, the led ones first."""


def laid(
    g: TrickGame,
    hands: tuple[str, str],
    trump: str,
    *,
    leader: Seat = 0,
    led: str = "",
    stock: str | None = "",
    taken: Taken = (),
    start: Table | None = None,
) -> Match:
    """Make a position; points that are not given were taken by s0.

    Where ``stock`` is None, what is named nowhere lies there, and the tricks are those ``taken``.
    """
    begun = g.start() if start is None else start
    held = tuple(g.pack.hand(hand.split()) for hand in hands)
    tricks = [(winner, g.pack.hand(cards.split())) for winner, cards in taken]
    rest = g.pack.cards
    named = (*held[0], *held[1], *g.pack.hand(led.split()), *g.pack.hand((stock or "").split()))
    for card in (*named, *(card for _, cards in tricks for card in cards)):
        rest = minus(rest, card)
    if stock is None:
        turn_up = next(card for card in rest if card.suit == trump)
        below = (*minus(rest, turn_up), turn_up)
    else:
        below = g.pack.hand(stock.split())
        turn_up = below[-1] if below else next(card for card in g.pack.cards if card.suit == trump)
    p = begun._replace(
        phase="follow" if led else "lead",
        match_state=begun.match_state._replace(deal=begun.match_state.deal or 1),
        hands=held,
        stock=below,
        turn_up=turn_up,
        trump=trump,
        leader=leader,
        trick=g.pack.hand(led.split()),
    )
    before = (
        in_turn(p, tricks)
        if stock is None
        else past(g, p, rest, leader, lambda p: g.card_points(p, 0)[1], threes(rest))
    )
    return Match(g, g.decode(g.encode(p._replace(tricks=before))))


def in_turn(p: Table, tricks: Sequence[tuple[Seat, Hand]]) -> tuple[Trick, ...]:
    """The leader of each of these tricks: eldest, then the winner of the one before."""
    leaders = [1 - p.match_state.dealer, *(winner for winner, _ in tricks)]
    return tuple(Trick(leader, cards, winner) for leader, (winner, cards) in zip(leaders, tricks, strict=False))


def threes(cards: Hand) -> list[int]:
    """Share cards out to tricks of three cards a seat; some get more if the number does not divide."""
    each = len(cards) // 2
    tricks = max(1, each // 3)
    return [each // tricks + (number < each % tricks) for number in range(tricks)]


def finish(match: Match, first: int, *, worthless: bool = False) -> Match:
    """Deal, and end the deal with so many points for s0, of 150.

    A loser without points has no trick either; but with ``worthless`` he has one.
    """
    match.deal(match.game.pack.cards)
    g, best = match.game, 0 if first >= 75 else 1
    least = min(first, 150 - first)
    ends = g.pack.hand(["2c", "3c", "2d", "3d"])
    p = match.p._replace(hands=(ends[:2], ends[2:]), stock=(), turn_up=g.pack.card("3s"), trump="s", leader=best)

    def far(p: Table) -> int:
        some = any(trick.winner != best for trick in p.tricks)
        return abs(g.card_points(p, 0)[1 - best] - least) + 100 * (some != (worthless or least > 0))

    rest = g.pack.cards
    for card in ends:
        rest = minus(rest, card)
    match.p = g.decode(g.encode(p._replace(tricks=past(g, p, rest, best, far, threes(rest)))))
    for _ in range(2):
        turn = g.turn(match.p) or 0
        match.move(turn, legal_moves(g, match.p, turn)[0])
    assert 0 == worth(g, ends)
    return match


def lead(cards: str) -> str:
    """Lead."""
    return f"lead_cards {cards}"


def answer(cards: str) -> str:
    """Follow."""
    return f"follow_cards {cards}"


def trick(match: Match, led: str, played: str) -> tuple[Seat, int]:
    """Lead, follow, and return who won how much."""
    leader = match.p.leader
    match.say(leader, lead(led))
    match.say(1 - leader, answer(played))
    last = match.p.tricks[-1]
    return last.winner, match.game.order.counts[0].of(last.cards, match.p.trump)


def sets(match: Match, seat: Seat) -> set[frozenset[str]]:
    """The sets of cards that a seat may lead or follow with."""
    moves: list[Move] = list(legal_moves(match.game, match.p, seat))
    found = {frozenset(map(str, move.cards)) for move in moves}
    assert len(found) == len(moves)
    return found
