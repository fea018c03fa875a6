"""Helpers for Briscola Chiamata: auctions as text, and deals with a chosen result.

Any card may be played at any time, so any layout of the pack, a card for each seat and trick, is a deal.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from chitarrella.core.cards import Card
from chitarrella.core.model import Seat
from tests.games.support.table import Match, dealt_to, seat

RANKS = ("A", "3", "R", "C", "F", "7", "6", "5", "4", "2")
WORTH = {"A": 11, "3": 10, "R": 4, "C": 3, "F": 2}
TRUMP = "d"


class Course(NamedTuple):
    """The course of a deal: points and tricks by seat, and every card in order of play."""

    points: tuple[int, ...]
    tricks: tuple[int, ...]
    plays: tuple[tuple[Seat, Card], ...]


def chiamata(players: int = 5, totals: tuple[int, ...] = (), /, **options: str) -> Match:
    """Begin a match with these totals from earlier deals."""
    game = seat("briscola-chiamata", players, **options)
    start = game.start()
    return Match(
        game, start._replace(match_state=start.match_state._replace(totals=totals or start.match_state.totals))
    )


def talk(match: Match, words: str) -> None:
    """Play an auction: ``0 R, 1 pass, 2 66``, each bid in turn."""
    for part in words.split(", "):
        who, what = part.split()
        assert int(who) == match.game.turn(match.p), part
        match.say(int(who), as_move(what))


def as_move(word: str) -> str:
    """The move of a bid."""
    return "pass_bid" if word == "pass" else f"bid_rank {word}" if word in RANKS else f"bid_points {word}"


def win_auction(match: Match, soloist: Seat, bid: str) -> None:
    """Play an auction that this seat wins, over a Two of eldest if points are bid; all others pass."""
    over = bid not in RANKS
    while match.p.phase == "auction":
        turn = match.game.turn(match.p)
        assert turn is not None
        said = len(match.p.own.talk.bids)
        match.say(turn, as_move("2" if over and said == 0 else bid if turn == soloist else "pass"))
    assert soloist == match.game.turn(match.p)


def perform(
    match: Match, soloist: Seat, ally: Seat, wanted: Callable[[Course], int], bid: str = "7", last: int = -1
) -> Course:
    """Play a deal in which that seat calls a card of that ally (itself: alone), and which comes out as ``wanted``.

    The called card is played in the last trick, or in the one numbered ``last``.
    """
    game, dealer = match.game, match.p.match_state.dealer
    rank = bid if bid in RANKS else "2"
    called = game.pack.card(rank + TRUMP)
    tricks = 40 // game.seats
    places = [(trick, place) for trick in range(tricks) for place in range(game.seats)]
    places.remove((last % tricks, ally))
    best = [card for card in game.pack.cards if card != called]
    rng, nearest = Random(0), 10_000
    rng.shuffle(best)
    for _ in range(60_000):
        cards = best.copy()
        one, other = rng.sample(range(len(cards)), 2)
        cards[one], cards[other] = cards[other], cards[one]
        laid = dict(zip(places, cards, strict=True)) | {(last % tricks, ally): called}
        course = _course(game.seats, (dealer + 1) % game.seats, laid)
        distance = wanted(course)
        if distance <= nearest:
            best, nearest = cards, distance
        if distance == 0:
            break
    else:
        raise AssertionError("no such deal was found")
    hands = {place: iter([laid[trick, place] for trick in range(tricks)]) for place in range(game.seats)}
    match.deal(next(hands[to]) for to in dealt_to(game, dealer) if to is not None)
    win_auction(match, soloist, bid)
    match.say(soloist, f"announce_trump {TRUMP}")
    for place, card in course.plays:
        match.say(place, f"play_card {card}")
    assert course.points == match.game.points(match.p)
    return course


def _course(seats: int, leader: Seat, laid: dict[tuple[int, Seat], Card]) -> Course:
    """Follow the cards trick by trick; the table itself says afterwards whether this was right."""
    points, taken, plays = [0] * seats, [0] * seats, []
    for trick in range(40 // seats):
        row = [((leader + place) % seats, laid[trick, (leader + place) % seats]) for place in range(seats)]
        led = row[0][1].suit
        leader = max(row, key=lambda pair: (pair[1].suit == TRUMP, pair[1].suit == led, -RANKS.index(pair[1].rank)))[0]
        points[leader] += sum(WORTH.get(card.rank, 0) for _, card in row)
        taken[leader] += 1
        plays += row
    return Course(tuple(points), tuple(taken), tuple(plays))


def with_points(**wanted: int) -> Callable[[Course], int]:
    """A condition on points by seat: ``s2=38``; a seat that may not sweep, or be swept, takes a trick."""

    def distance(course: Course) -> int:
        far = sum(abs(course.points[int(who[1:])] - number) for who, number in wanted.items())
        return far + 5 * (all(course.tricks[int(who[1:])] == 0 for who in wanted)) + 5 * _swept(course, wanted)

    return distance


def _swept(course: Course, wanted: dict[str, int]) -> bool:
    return sum(course.tricks[int(who[1:])] for who in wanted) == sum(course.tricks)


def scored(match: Match) -> tuple[int, ...]:
    """The score of each seat in the last deal."""
    (event,) = [event for event in match.last if event.kind == "deal_scored"]
    return tuple(amount for _, amount in event.shares)
