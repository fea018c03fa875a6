"""Helpers of the game tests: a match to play, packs that deal chosen hands, positions, views, and past tricks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias, cast

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core import game as rules
from chitarrella.core.cards import Card, Hand, minus
from chitarrella.core.game import NO_TRUMP_CARD, AnyGame, NoTrumpCard, TrickState, legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Refusal, Seat, View, Viewer, ZoneView
from chitarrella.core.notation import format_move, parse_move
from chitarrella.core.visibility import view_for, visible_to
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table, Trick
from tests.walks import CATALOGUE, Walk

Far: TypeAlias = Callable[[Table], int]
"""The distance of the tricks from the wanted result; 0 is reached."""


def wherever(p: Table) -> int:
    return 0


def worth_by_seat(game: Rules, *wanted: int) -> Far:
    """A condition on card points in the tricks, by seat, or by side; of the last ones nothing need be said."""

    def far(p: Table) -> int:
        have = list(game.card_points(p, 0))
        if len(wanted) < game.seats:
            have = [sum(have[seat] for seat in range(game.seats) if game.sides[seat] == side) for side in range(2)]
        return sum(abs(one - want) for one, want in zip(have, wanted, strict=False))

    return far


def past(
    game: Rules, p: Table, cards: Hand, last: Seat, far: Far = wherever, sizes: Sequence[int] = ()
) -> tuple[Trick, ...]:
    """Make past tricks of these cards in the deal of ``p``: eldest leads first, and ``last`` takes the last.

    The winner of a trick leads to the next, and no trick ends the deal. Every seat plays one card to a trick, or the
    number in ``sizes``. The cards begin in random order and are swapped while that does not increase the distance;
    after too many swaps the search starts again.
    """
    first, rng = (p.match_state.dealer + 1) % game.seats, Random(0)
    sizes = sizes or (1,) * (len(cards) // game.seats)
    assert len(cards) == game.seats * sum(sizes)
    if not cards:
        assert first == last
        return ()
    laid, nearest = list(cards), 0
    for step in range(100_000):
        anew = step % 500 == 0
        trial = rng.sample(cards, len(cards)) if anew else laid.copy()
        one, other = rng.sample(range(len(cards)), 2)
        trial[one], trial[other] = trial[other], trial[one]
        tricks = _tricks(game, p, trial, first, sizes)
        distance = far(p._replace(tricks=tricks)) + (tricks[-1].winner != last) or _ended(game, p, tricks)
        if not distance:
            return tricks
        if anew or distance <= nearest:
            laid, nearest = trial, distance
    raise AssertionError("no such tricks were found")


def _tricks(game: Rules, p: Table, cards: list[Card], leader: Seat, sizes: Sequence[int]) -> tuple[Trick, ...]:
    """Play the cards; those of a trick are in the order of the seats."""
    tricks, at = [], 0
    for size in sizes:
        ends = at + game.seats * size
        begins = at + leader * size
        trick = (*cards[begins:ends], *cards[at:begins])
        winner = (leader + game.taking.best(game, p, trick) // size) % game.seats
        tricks.append(Trick(leader, trick, winner))
        leader, at = winner, ends
    return tuple(tricks)


def _ended(game: Rules, p: Table, tricks: tuple[Trick, ...]) -> int:
    """The number of tricks that would have ended the deal."""
    ends = [after.ends_deal for after in game.all_trick_effects]
    so_far = [p._replace(tricks=tricks[:number]) for number in range(1, len(tricks) + 1)] if ends else []
    return sum(end(game, each) for each in so_far for end in ends)


Hands: TypeAlias = Mapping[Seat, str]
"""Some cards of some hands, as text."""


def seat(key: str, players: int = 0, /, **options: str) -> Rules:
    game = CATALOGUE.game_for(RuleSet(key, players, tuple(sorted(options.items()))))
    assert isinstance(game, Rules)
    return game


def any_match(key: str, players: int = 0, /, **options: str) -> Match:
    """Begin a match of a game of whatever family; `Match` uses no more of the others than what all games sign."""
    game = CATALOGUE.game_for(RuleSet(key, players, tuple(sorted(options.items()))))
    return Match(cast(Rules, game))


class Match:
    """A match in play, with all its events, and those of the last move."""

    def __init__(self, game: Rules, p: Table | None = None) -> None:
        self.game = game
        self.p: Any = game.start() if p is None else p
        self.events: list[Event] = []
        self.last: tuple[Event, ...] = ()

    def move(self, actor: Seat, move: Move) -> tuple[Event, ...]:
        """Play a move; raises `IllegalMove`."""
        self.p, self.last = play(self.game, self.p, actor, move)
        self.events.extend(self.last)
        return self.last

    def say(self, actor: Seat, text: str) -> tuple[Event, ...]:
        return self.move(actor, parse_move(self.game, text))

    def deal(self, pack: Iterable[Card]) -> tuple[Event, ...]:
        """Deal a pack, top card first."""
        return self.move(CHANCE, Move("start_deal", tuple(pack)))

    def play(self, plays: str) -> None:
        """Play cards, ``1 5c, 0 3s``: each by the player who controls that seat."""
        for words in plays.split(","):
            place, card = words.split()
            actor = self.game.controller(int(place))
            self.say(actor, f"play_card {card}" + ("" if actor == int(place) else f" @{place}"))

    def refusals(self, actor: Seat, text: str) -> tuple[Refusal, ...]:
        """The refusals of a move; if there are any, playing it is refused and changes nothing."""
        move = parse_move(self.game, text)
        refusals = validate_move(self.game, self.p, actor, move)
        before = self.game.encode(self.p)
        if refusals:
            with pytest.raises(rules.IllegalMove) as refused:
                play(self.game, self.p, actor, move)
            assert refusals == refused.value.refusals
        assert before == self.game.encode(self.p)
        return refusals

    def codes(self, actor: Seat, text: str) -> list[str]:
        """The codes of the refusals of a move, in order; empty if it is legal."""
        return [refusal.code for refusal in self.refusals(actor, text)]

    def cited(self, actor: Seat, text: str) -> list[str]:
        """The clauses of the refusals, in order."""
        return [refusal.clause.key for refusal in self.refusals(actor, text)]

    def moves(self, actor: Seat) -> list[str]:
        """The legal moves as text, sorted."""
        return sorted(format_move(move) for move in legal_moves(self.game, self.p, actor))

    def view(self, viewer: Viewer) -> View:
        return view_for(self.game, self.p, viewer)

    def events_for(self, viewer: Viewer) -> list[Event]:
        """The events of the last move as a viewer receives them."""
        return [event for each in self.last if (event := visible_to(each, viewer)) is not None]

    def hand(self, seat: Seat) -> str:
        """The hand of a seat as text, sorted."""
        return " ".join(sorted(self.p.hands[seat]))

    def play_out(self, deals: int = 1) -> None:
        """Play the first legal card until so many deals are over, or the match."""
        while deals and (turn := self.game.turn(self.p)) is not None:
            if turn == CHANCE:
                request = self.game.chance_request(self.p)
                self.move(CHANCE, Move(request.verb, request.cards, amount=min(request.amounts, default=None)))
            else:
                actor = self.game.controller(turn)
                specs = self.game.move_specs
                moves = [m for m in legal_moves(self.game, self.p, actor) if not specs[m.verb].out_of_turn]
                self.move(actor, next((m for m in moves if m.verb == "play_card"), moves[0]))
                deals -= self.game.turn(self.p) in (CHANCE, None)


def worth(game: Rules, cards: Hand) -> int:
    """The worth of cards in the first count of the game."""
    return game.cards.count(cards)[0][1]


def first_cards(match: Match, tricks: int) -> Match:
    """Play the first card of each hand for so many tricks."""
    for _ in range(tricks * match.game.seats):
        turn = match.game.turn(match.p)
        assert turn is not None
        match.say(turn, f"play_card {match.p.hands[turn][0]}")
    return match


# ---------------------------------------------------------------------- looking


def zone(view: View, name: str, seat: Seat | None = None) -> ZoneView:
    (found,) = [each for each in view.zones if (each.name, each.seat) == (name, seat)]
    return found


def facts(view: View, name: str) -> dict[Seat | None, str | int]:
    """The facts of one name by seat, without amounts by person."""
    return {fact.seat: fact.value for fact in view.facts if fact.name == name and not isinstance(fact.value, tuple)}


def net(view: View) -> dict[int, int]:
    """What each seat has received less what it has paid."""
    (fact,) = [fact for fact in view.facts if fact.name == "net"]
    assert isinstance(fact.value, tuple)
    return {int(seat): amount for seat, amount in fact.value}


def events_of(match: Match, kind: str, viewer: Viewer = REFEREE) -> list[Event]:
    """The events of one kind that a viewer received since the match began."""
    return [event for each in match.events if each.kind == kind and (event := visible_to(each, viewer)) is not None]


# ---------------------------------------------------------------------- dealing what is wanted


def dealt_to(game: Rules, dealer: Seat) -> list[Seat | None]:
    """For each place in the pack the hand that gets its card, None for the rest: packets, eldest first."""
    order: list[Seat | None] = [
        (dealer + 1 + place) % game.seats
        for packet in game.dealing.start.packets
        for place in range(game.seats)
        for _ in range(packet if isinstance(packet, int) else packet[place])
    ]
    return order + [None] * (len(game.pack.cards) - len(order))


def pack_for(game: Rules, hands: Hands, turn_up: str = "", stock: str = "", dealer: Seat = 0) -> Hand:
    """A pack that deals these hands, with that turn-up and beginning of the stock; the rest is in any order."""
    wanted: dict[int, Card] = {}
    to = dealt_to(game, dealer)
    for owner, text in hands.items():
        places = [place for place, whose in enumerate(to) if whose == owner]
        wanted.update(zip(places, game.pack.hand(text.split()), strict=False))
    after = [place for place, whose in enumerate(to) if whose is None]
    if turn_up:
        wanted[after.pop(0)] = game.pack.card(turn_up)
    elif game.dealing.start.turns_up and after:
        after.pop(0)
    wanted.update(zip(after, game.pack.hand(stock.split()), strict=False))
    rest = game.pack.cards
    for card in wanted.values():
        rest = minus(rest, card)
    others = iter(rest)
    return tuple(wanted[place] if place in wanted else next(others) for place in range(len(to)))


def pack_of(cards: Hand, first: Hand, last: Hand = ()) -> Hand:
    """Order ``cards`` so that they begin and end as given; the rest is in any order."""
    rest = cards
    for card in (*first, *last):
        rest = minus(rest, card)
    return (*first, *rest, *last)


def table(game: Rules, hands: Hands, turn_up: str = "", stock: str = "", dealer: Seat = 0) -> Match:
    match = Match(game)
    assert match.p.match_state.dealer == dealer
    match.deal(pack_for(game, hands, turn_up, stock, dealer))
    return match


def closing(
    game: Rules,
    hands: Hands,
    plays: str = "",
    leader: Seat = 0,
    trump: str = "",
    stock: str = "",
    taken: Sequence[int] = (),
    deal: int = 1,
    totals: tuple[int, ...] = (),
) -> Match:
    """A position near the end: these cards, trick and stock; hands are filled up, all else was taken before.

    With a trump suit the turn-up was the last card of it that has been played, or lies last in the stock. If points are
    given, these were taken, seat by seat or side by side; who is not named took what is left.
    """
    trick = [words.split() for words in plays.split(",")] if plays else []
    leader = int(trick[0][0]) if trick else leader
    played = [int(place) for place, _ in trick]
    held = [list(game.pack.hand(hands.get(place, "").split())) for place in range(game.seats)]
    laid, left = game.pack.hand(card for _, card in trick), game.pack.hand(stock.split())
    for place, card in zip(played, laid, strict=True):
        if card in held[place]:
            held[place].remove(card)
    rest = list(game.pack.cards)
    for card in (*laid, *left, *(card for hand in held for card in hand)):
        rest.remove(card)
    size = max(len(hand) + (place in played) for place, hand in enumerate(held))
    for place, hand in enumerate(held):
        while len(hand) + (place in played) < size:
            hand.append(rest.pop())
    dealer = 3 if game.first_dealer is None else (game.first_dealer + deal - 1) % game.seats
    match_state = game.start().match_state._replace(deal=deal, dealer=dealer)
    match_state = match_state._replace(totals=totals or match_state.totals)
    trump = left[-1].suit if left else trump
    p = Table("play", match_state, tuple(map(tuple, held)), left, None, trump, leader, laid, own=game.own())
    tricks = past(game, p, tuple(rest), leader, worth_by_seat(game, *taken) if taken else wherever)
    gone = [card for trick in tricks for card in trick.cards if trump and card.suit == trump]
    p = p._replace(tricks=tricks, turn_up=(left or gone)[-1] if trump else None)
    return Match(game, game.decode(game.encode(p)))


def middle(game: Rules, said: Mapping[str, str]) -> Match:
    """A position near the end of a deal in words: hands by seat, trick, leader, trump, stock, and points taken."""
    hands = {int(seat): cards for seat, cards in said.items() if seat.isdecimal()}
    taken = tuple(map(int, said.get("taken", "").split()))
    leader, trump, stock = int(said.get("leader", 0)), said.get("trump", ""), said.get("stock", "")
    totals = tuple(map(int, said["totals"].split(","))) if "totals" in said else ()
    return closing(game, hands, said.get("trick", ""), leader, trump, stock, taken, int(said.get("deal", 1)), totals)


# ---------------------------------------------------------------------- single tricks


def state(
    cards: Hand, trump: str = "", trump_card: Card | NoTrumpCard = NO_TRUMP_CARD, stock_size: int = 0
) -> TrickState:
    return TrickState(cards, trump, trump_card, "", stock_size)


def plays(game: AnyGame, hand: Hand, known: TrickState) -> dict[Card, list[str]]:
    assert game.trick_rules is not None
    found = game.trick_rules.plays(hand, known, 0)
    return {move.cards[0]: [refusal.code for refusal in refusals] for move, ((refusals,), _) in found.items()}


def taker(game: AnyGame, cards: Hand, trump: str = "", trump_card: Card | NoTrumpCard = NO_TRUMP_CARD) -> int:
    """The index of the card that takes a trick."""
    assert game.trick_rules is not None
    (index,), _ = game.trick_rules.winning_index(state(cards, trump, trump_card))
    return index


KEY = "cuccu-a-trionfo"


def game(dealer: Seat = 0, /, **options: str) -> Rules:
    """Configure the game; a match has many deals unless given otherwise."""
    return seat(KEY, 4, **{"match_deals": "9", "first_dealer": str(dealer), **options})


# ---------------------------------------------------------------------- plays in words: 3 VII=pictures


# ---------------------------------------------------------------------- tables in the middle of a deal


def in_play(
    table: Rules, turn_up: str, hands: Hands, plays: str = "", leader: Seat = 0, robbed: Sequence[str] = ("", "")
) -> Match:
    """A position in play: these cards and this trick; the other hands are filled up, all else was played before.

    The twin of the turn-up is out of play where no hand and no trick holds it. ``robbed`` was laid aside again.
    """
    trick = [words.split() for words in plays.split(", ")] if plays else []
    leader = int(trick[0][0]) if trick else leader
    first, _, declared = trick[0][1].partition("=") if trick else ("", "", "")
    laid = table.pack.hand([first, *(card for _, card in trick[1:])] if trick else [])
    held = [list(table.pack.hand(hands.get(place, "").split())) for place in range(4)]
    gone = [table.pack.hand(cards.split()) for cards in robbed]
    known = (table.pack.card(turn_up), *laid, *(card for hand in held for card in hand), *gone[0], *gone[1])
    rest = _left(table, known)
    out = 7 - len(gone[0]) - len(gone[1])
    stock = tuple(sorted(rest, key=lambda card: card != turn_up)[:out])
    rest = _less(rest, stock)
    played = {int(place) for place, _ in trick}
    size = max(len(hand) + (place in played) for place, hand in enumerate(held))
    for place, hand in enumerate(held):
        while len(hand) + (place in played) < size:
            hand.append(rest.pop())
    dealer = (leader - 1) % 4
    own = table.own(20, tuple(_robber(cards) for cards in gone), declared)
    match_state = table.start().match_state._replace(deal=1, dealer=dealer)
    hands_ = tuple(map(tuple, held))
    p = Table("play", match_state, hands_, stock, table.pack.card(turn_up), "", leader, laid, own=own)
    p = p._replace(tricks=past(table, p, tuple(rest), leader))
    return Match(table, table.decode(table.encode(p)))


def _robber(cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], bool, tuple[Card, ...]]:
    return cards, False, cards


def _left(table: Rules, known: Sequence[Card]) -> list[Card]:
    return _less(list(table.pack.cards), known)


def _less(cards: Sequence[Card], known: Sequence[Card]) -> list[Card]:
    rest = tuple(cards)
    for card in known:
        rest = minus(rest, card)
    return list(rest)


def cut_pack(table: Rules, lifted: str, top: str = "", hands: Hands | None = None, dealer: Seat = 0) -> list[Card]:
    """Make a pack that begins with ``lifted``; cut there, these hands are dealt, and ``top`` is on the stock."""
    places: dict[int, Card] = dict(enumerate(table.pack.hand(lifted.split())))
    at = len(places)
    for packet in range(8):
        owner = (dealer + 1 + packet) % 4
        cards = table.pack.hand((hands or {}).get(owner, "").split())[4 * (packet // 4) : 4 * (packet // 4) + 4]
        places.update(enumerate(cards, at + 4 * packet))
    places.update(enumerate(table.pack.hand(top.split()), at + 32))
    others = iter(_left(table, list(places.values())))
    return [places[place] if place in places else next(others) for place in range(40)]


def robbing(table: Rules, lifted: str, top: str = "", hands: Hands | None = None) -> Match:
    """Deal and cut a pack with these cards at its bottom, the last one first."""
    match = Match(table)
    dealer = match.p.match_state.dealer
    match.deal(cut_pack(table, lifted, top, hands, dealer))
    match.say((dealer - 1) % 4, f"cut {len(lifted.split())}")
    return match


SEEN = re.compile(r"rob_look\((\w+)\)")


def rob(match: Match, place: Seat, moves: str) -> Match:
    """Play the robbery of an example; ``rob_look(X)`` is a look at an X, and ``-`` is no move."""
    for words in moves.split(", ") if moves != "-" else []:
        seen = SEEN.fullmatch(words)
        assert place == match.game.turn(match.p)
        match.say(place, "rob_look" if seen else words)
        if seen:
            assert (seen[1],) == match.last[0].cards
    return match


# ---------------------------------------------------------------------- random deals


TABLES = [
    RuleSet(KEY, 4, (("match_deals", "2"), *options))
    for options in (
        (),
        (("preset", "masenghini"),),
        (("show_robbed", "true"), ("trionfo_in_suit", "true")),
        (("cut_mode", "automatic"), ("rob_limit", "1")),
    )
]
"""The rule sets of the random deals."""


def game_of(walk: Walk) -> Rules:
    assert isinstance(walk.game, Rules)
    return walk.game
