"""Deals with a chosen result: the pack, and the card of each seat in each trick."""

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Seat
from chitarrella.tricks.rules import Rules
from tests.games.support.table import Hands, Match, dealt_to, past, table, taker, worth, worth_by_seat


class Script(NamedTuple):
    """A deal: the pack, who leads, every card in order of play, who takes each trick, and the points by seat."""

    pack: Hand
    trump: str
    plays: tuple[tuple[Seat, Card], ...]
    winners: tuple[Seat, ...]
    points: tuple[int, ...]

    def perform(self, match: Match, tricks: int = 0) -> Match:
        """Deal the pack and play the deal, or its first tricks."""
        match.deal(self.pack)
        for seat, card in self.plays[: tricks * match.game.seats or None]:
            match.say(seat, f"play_card {card}")
        return match


Wanted = Callable[[Script], int]  # the distance of a script from the wanted result; 0 is reached


def contrive(game: Rules, dealer: Seat, wanted: Wanted, fixed: Mapping[tuple[int, Seat], str] | None = None) -> Script:
    """Find a script with ``wanted`` at 0; ``fixed`` names cards by trick (from 0) and seat."""
    rng = Random(0)
    pinned = {place: game.pack.card(card) for place, card in (fixed or {}).items()}
    free = [card for card in game.pack.cards if card not in pinned.values()]
    tricks = range(len(game.pack.cards) // game.seats)
    places = [place for place in product(tricks, range(game.seats)) if place not in pinned]
    best, nearest = rng.sample(free, len(free)), 10_000
    for _ in range(20_000):
        cards = best.copy()
        one, other = rng.sample(range(len(cards)), 2)
        cards[one], cards[other] = cards[other], cards[one]
        laid = {**pinned, **dict(zip(places, cards, strict=True))}
        script = _script(game, dealer, laid)
        distance = 5_000 if script is None else wanted(script)
        if script is not None and distance == 0:
            return script
        if distance <= nearest:
            best, nearest = cards, distance
    raise AssertionError("no such deal was found")


def _script(game: Rules, dealer: Seat, laid: Mapping[tuple[int, Seat], Card]) -> Script | None:
    """Play the cards; None if the turn-up does not give the trumps that they were played with."""
    turned = game.seats * game.dealing.start.size
    for trump in game.pack.suits if game.dealing.start.turns_up else ("",):
        script = _outcome(game, dealer, laid, trump)
        if not trump or game.cards.suit[script.pack[turned]] == trump:
            return script
    return None


def _outcome(game: Rules, dealer: Seat, laid: Mapping[tuple[int, Seat], Card], trump: str) -> Script:
    """Play the cards with these trumps, and make the pack that deals them."""
    seats, leader = game.seats, (dealer + 1) % game.seats
    hand = game.dealing.start.size
    tricks = len(game.pack.cards) // seats
    plays, winners, points, stock = [], [], [0] * seats, []
    for trick in range(tricks):
        row = [((leader + place) % seats, laid[trick, (leader + place) % seats]) for place in range(seats)]
        cards = tuple(card for _, card in row)
        leader = row[taker(game, cards, trump)][0]
        plays += row
        winners.append(leader)
        points[leader] += worth(game, cards)
        if trick + hand < tricks:
            stock += [laid[trick + hand, (leader + place) % seats] for place in range(seats)]
    if trump:
        stock = [stock[-1], *stock[:-1]]
    dealt = {seat: iter([laid[trick, seat] for trick in range(hand)]) for seat in range(seats)}
    drawn = iter(stock)
    pack = tuple(next(drawn) if to is None else next(dealt[to]) for to in dealt_to(game, dealer))
    return Script(pack, trump, tuple(plays), tuple(winners), tuple(points))


def points(*wanted: int) -> Wanted:
    return lambda script: sum(abs(have - want) for have, want in zip(script.points, wanted, strict=True))


def rubber(match: Match, winners: Sequence[Seat | None]) -> None:
    """Play deals that these seats win, None for a draw; two or three players, each alone."""
    seats = match.game.seats
    for winner in winners:
        level = [120 // seats] * seats
        if winner is not None:
            level = [place + (20 if seat == winner else -20 // (seats - 1)) for seat, place in enumerate(level)]
        contrive(match.game, match.p.match_state.dealer, points(*level)).perform(match)


def cut(game: Rules, hands: Hands, shown: str, stock: str = "", dealer: Seat = 0) -> Match:
    """Deal these hands and cut a single card, which is shown and goes under the stock."""
    match = table(game, hands, shown, stock, dealer)
    match.say((dealer - 1) % game.seats, "cut_stock 1")
    assert match.p.turn_up == shown
    return match


def answers(match: Match, seat: Seat) -> str:
    """The cards that a seat may play, sorted."""
    return " ".join(move.split()[1] for move in match.moves(seat) if move.startswith("play_card"))


def play_on(match: Match, stock: int, kept: Container[str] = ()) -> Match:
    """Play any legal cards but the ``kept`` ones, as far as there is a choice, until so much stock is left."""
    while len(match.p.stock) > stock:
        turn = match.game.turn(match.p)
        assert turn is not None
        cards = answers(match, turn).split()
        match.say(turn, f"play_card {next((card for card in cards if card not in kept), cards[0])}")
    return match


def last_trick_before(game: Rules, draws: str, winner: Seat) -> Match:
    """Play a deal to its last draw but for the drawing: ``draws`` lie in the stock, and ``winner`` has drawn them.

    The stock is laid out so, and the deal played with packs in different order until that seat wins the trick.
    """
    last = draws.split()
    rng = Random(0)
    cards = [card for card in game.pack.cards if card not in last]
    size = game.seats * game.dealing.start.size
    while True:
        rng.shuffle(cards)
        match = Match(game)
        if game.dealing.start.turns_up:
            match.deal(game.pack.hand([*cards[:size], last[-1], *cards[size:], *last[:-1]]))
        else:
            match.deal(game.pack.hand([*cards, *last]))
        if match.p.phase == "cut":
            match.say(match.game.turn(match.p) or 0, f"cut_stock {len(match.p.stock)}")
        play_on(match, 0)
        if match.p.leader == winner:
            return match


def drawn(match: Match) -> str:
    """Who drew what after the last trick."""
    return ", ".join(f"{event.seat} {event.cards[0]}" for event in match.last if event.kind == "card_drawn")


def laid_out(match: Match, hands: Hands, taken: tuple[int, ...], stock: str = "") -> Match:
    """Leave of a new deal only these hands and this stock; the rest is in tricks worth ``taken``."""
    game, seats = match.game, match.game.seats
    held = tuple(game.pack.hand(hands[place].split()) for place in range(seats))
    left = game.pack.hand(stock.split())
    used = {card for hand in held for card in hand} | set(left)
    rest = tuple(card for card in game.pack.cards if card not in used)
    p = match.p._replace(hands=held, stock=left, trick=())
    tricks = past(game, p, rest, p.leader, worth_by_seat(game, *taken))
    match.p = game.decode(game.encode(p._replace(tricks=tricks)))
    return match


def played_out(match: Match, taken: tuple[int, ...]) -> Match:
    """Deal, cut if the game has a cut, and end the deal with these points; the last trick is worth nothing."""
    match.deal(match.game.pack.cards)
    if match.p.phase == "cut":
        match.say((match.p.match_state.dealer - 1) % match.game.seats, "cut_stock 1")
    seats = match.game.seats
    laid_out(match, {place: f"{5 - place}d" for place in range(seats)}, taken)
    while match.p.phase == "play":
        turn = match.game.turn(match.p)
        assert turn is not None
        match.say(turn, f"play_card {match.p.hands[turn][0]}")
    return match
