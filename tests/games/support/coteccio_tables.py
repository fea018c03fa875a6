"""Positions of Coteccio: any lives before a deal, deals with a chosen result, and seats that wait for the doctor."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Event, Seat
from chitarrella.tricks.lives import LastAlive, Lives, Row, next_alive, previous_alive, seats_alive
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table, Trick
from tests.games.support.table import Match, seat, taker, worth

HAND = 5
SEATS = (2, 3, 4, 5, 6, 7)


def game(players: int = 4, dealer: Seat | None = 0, /, **options: str) -> Rules:
    """Configure Coteccio; ``dealer`` deals first, with None by lot."""
    return seat("coteccio", players, **({} if dealer is None else {"first_dealer": str(dealer)}), **options)


def terms(g: Rules) -> LastAlive:
    assert isinstance(g.series, LastAlive)
    return g.series


def row(words: str) -> Row:
    """Parse the lives of all seats: ``0:4 1:-`` is four lives, and a seat that is out."""
    return tuple(None if part.partition(":")[2] == "-" else int(part.partition(":")[2]) for part in words.split())


OPTIONS = ("life_cap", "doctor_limit", "doctor_limit_scope", "doctor_reset_on_restart", "lives")


def options(said: dict[str, str]) -> dict[str, str]:
    found = {name: said[name] for name in OPTIONS if ":" not in said.get(name, ":")}
    return {name: "unlimited" if value == "null" else value for name, value in found.items()}


def record(lives: Row, calls: Sequence[int] = (), total: Sequence[int] = ()) -> Lives:
    """The match state with these lives, calls since the restart, and calls in all."""
    calls = tuple(calls) or (0,) * len(lives)
    return Lives(lives, calls, tuple(total) or calls)


def before_deal(g: Rules, lives: Row, leader: Seat | None = None, calls: Sequence[int] = ()) -> Match:
    """A position before a deal with these lives, led by that seat."""
    leader = seats_alive(lives)[0] if leader is None else leader
    match_state = g.start().match_state._replace(dealer=previous_alive(lives, leader))
    p = Table("deal", match_state, leader=leader, own=record(lives, calls))
    return Match(g, g.decode(g.encode(p)))


class Script(NamedTuple):
    """A deal: the pack, every card in order of play, who takes each trick, the points, and cards that do not follow."""

    pack: Hand
    plays: tuple[tuple[Seat, Card], ...]
    winners: tuple[Seat, ...]
    points: dict[Seat, int]
    revokes: int

    def perform(self, match: Match, tricks: int = HAND) -> Match:
        """Deal the pack of a script and play so many tricks."""
        match.deal(self.pack)
        for place, card in self.plays[: tricks * len(self.points)]:
            match.say(place, f"play_card {card}")
        return match


def contrive(match: Match, wanted: Callable[[Script], int]) -> Script:
    """Find a deal for a position with ``wanted`` at 0 and every suit followed."""
    g, order = match.game, _round(match.p)
    rng = Random(0)
    best, nearest = rng.sample(g.pack.cards, 40), 10_000
    for _ in range(50_000):
        cards = best.copy()
        one, other = rng.randrange(HAND * len(order)), rng.randrange(40)
        cards[one], cards[other] = cards[other], cards[one]
        script = _script(g, order, cards)
        distance = wanted(script) + 4 * script.revokes
        if distance == 0:
            return script
        if distance <= nearest:
            best, nearest = cards, distance
    raise AssertionError("no such deal was found")


def _round(p: Table) -> list[Seat]:
    """The seats that take part, the leader first."""
    order = [p.leader]
    while (following := next_alive(p.own.lives, order[-1])) != p.leader:
        order.append(following)
    return order


def _script(g: Rules, order: list[Seat], cards: list[Card]) -> Script:
    """Play the cards; the first of them in the first trick, by any seat."""
    hands = {place: [cards[trick * len(order) + at] for trick in range(HAND)] for at, place in enumerate(order)}
    leader, points, revokes = 0, dict.fromkeys(sorted(order), 0), 0
    plays: list[tuple[Seat, Card]] = []
    winners: list[Seat] = []
    for trick in range(HAND):
        turns = order[leader:] + order[:leader]
        laid = tuple(hands[place][trick] for place in turns)
        for place, card in zip(turns, laid, strict=True):
            later = {held.suit for held in hands[place][trick:]}
            revokes += card.suit != laid[0].suit and laid[0].suit in later
        plays += zip(turns, laid, strict=True)
        winner = turns[taker(g, laid)]
        winners.append(winner)
        points[winner] += worth(g, laid) + 6 * (trick == HAND - 1)
        leader = order.index(winner)
    pack = tuple(hands[place][trick] for trick in range(HAND) for place in order)
    rest = tuple(card for card in g.pack.cards if card not in pack)
    return Script(pack + rest, tuple(plays), tuple(winners), points, revokes)


def scored(match: Match, points: dict[Seat, int]) -> Script:
    """Find a deal with these points in which no seat has a choice before the last trick."""
    return contrive(
        match,
        lambda script: (
            sum(abs(script.points[place] - want) for place, want in points.items())
            + 9 * (len(set(script.winners[:4])) == 1)
        ),
    )


def swept(match: Match, hero: Seat, last: Seat) -> Script:
    """Find a deal in which ``hero`` takes the first four tricks and ``last`` the fifth."""
    wanted = (hero,) * 4 + (last,)
    return contrive(match, lambda script: sum(a != b for a, b in zip(script.winners, wanted, strict=True)))


def lost_by(match: Match, *losers: Seat) -> Match:
    """Play a deal in which exactly these seats have the most points."""

    def wanted(script: Script) -> int:
        most = max(script.points.values())
        short = sum(most - script.points[place] for place in losers)
        over = sum(number == most for place, number in script.points.items() if place not in losers)
        return short + 3 * over + 9 * (len(set(script.winners[:4])) == 1)

    return contrive(match, wanted).perform(match)


def over(g: Rules, lives: Row, leader: Seat, calls: Sequence[int] = (), total: Sequence[int] = ()) -> Table:
    """A position after a deal of all seats that ``leader`` led, with these lives, before any seat is asked."""
    cards = g.pack.cards
    tricks = tuple(_trick(leader, cards[at : at + g.seats]) for at in range(0, HAND * g.seats, g.seats))
    own = record(lives, calls, total)._replace(undealt=cards[HAND * g.seats :], dealt_in=g.seating.everybody)
    dealer = (leader - 1) % g.seats
    state = g.start().match_state._replace(deal=1, dealer=dealer)
    return Table("play", state, ((),) * g.seats, leader=leader, tricks=tricks, own=own)


def _trick(leader: Seat, cards: Hand) -> Trick:
    """A trick that its leader takes: the highest of these cards in the suit of the first one leads."""
    best = max((card for card in cards if card.suit == cards[0].suit), key=lambda card: "234567FCRA".index(card.rank))
    return Trick(leader, (best, *(card for card in cards if card != best)), leader)


def waiting(g: Rules, lives: Row, leader: Seat, calls: Sequence[int] = (), total: Sequence[int] = ()) -> Match:
    """A position in which a seat is asked about the doctor; raises `InvalidPosition` if none would be."""
    return Match(g, g.decode(g.encode(over(g, lives, leader, calls, total)._replace(phase="doctor"))))


def seen_to(g: Rules, t: Table) -> tuple[Table, list[Event]]:
    """Settle the seats without lives, as after a deal; returns the events."""
    events: list[Event] = []
    return terms(g).settle_dead_seats(g, t, events), events


def life_events(before_: Row, events: Sequence[Event]) -> Row:
    """The lives after the events of a count."""
    lives = list(before_)
    for event in events:
        if event.kind in ("life_lost", "life_gained"):
            lives[event.seat or 0] = event.amount
    return tuple(lives)
