"""Helpers of the game tests: a match to play, packs that deal chosen hands, and views."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, cast

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card, Hand, minus
from chitarrella.core.game import (
    NO_TRUMP_CARD,
    AnyGame,
    IllegalMove,
    NoTrumpCard,
    TrickState,
    legal_moves,
    play,
    validate_move,
    view_for,
    visible_to,
)
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Refusal, Seat, View, Viewer, ZoneView
from chitarrella.core.notation import format_move, parse_move
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.games.support.past_tricks import past
from tests.walks import CATALOGUE

Hands: TypeAlias = Mapping[Seat, str]
"""Some cards of some hands, as text."""


def seat(key: str, players: int = 0, /, **options: str) -> TrickGame:
    """Configure a game of the catalogue."""
    game = CATALOGUE.game_for(RuleSet(key, players, tuple(sorted(options.items()))))
    assert isinstance(game, TrickGame)
    return game


def any_match(key: str, players: int = 0, /, **options: str) -> Match:
    """Begin a match of a game of whatever family; `Match` uses no more of the others than what all games sign."""
    game = CATALOGUE.game_for(RuleSet(key, players, tuple(sorted(options.items()))))
    return Match(cast(TrickGame, game))


class Match:
    """A match in play, with all its events, and those of the last move."""

    def __init__(self, game: TrickGame, p: Table | None = None) -> None:
        self.game = game
        self.p = game.start() if p is None else p
        self.events: list[Event] = []
        self.last: tuple[Event, ...] = ()

    def move(self, actor: Seat, move: Move) -> tuple[Event, ...]:
        """Play a move; raises `IllegalMove`."""
        self.p, self.last = play(self.game, self.p, actor, move)
        self.events.extend(self.last)
        return self.last

    def say(self, actor: Seat, text: str) -> tuple[Event, ...]:
        """Play a move given as text."""
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
            with pytest.raises(IllegalMove) as refused:
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
        """The view of a viewer."""
        return view_for(self.game, self.p, viewer)

    def events_for(self, viewer: Viewer) -> list[Event]:
        """The events of the last move as a viewer receives them."""
        return [event for each in self.last if (event := visible_to(each, viewer)) is not None]

    def hand(self, seat: Seat) -> str:
        """The hand of a seat as text, sorted."""
        return " ".join(sorted(self.p.hands[seat]))

    def one_trick(self, plays: str) -> tuple[Seat, int]:
        """Play a whole trick; returns who took it, and its worth in the first count."""
        self.play(plays)
        trick = self.p.tricks[-1]
        return trick.winner, worth(self.game, trick.cards)

    def play_out(self, deals: int = 1) -> None:
        """Play the first legal card until so many deals are over, or the match."""
        while deals and (turn := self.game.turn(self.p)) is not None:
            if turn == CHANCE:
                request = self.game.chance_request(self.p)
                self.move(CHANCE, Move(request.verb, request.cards, amount=min(request.amounts, default=None)))
            else:
                actor = self.game.controller(turn)
                moves = [
                    m for m in legal_moves(self.game, self.p, actor) if not self.game.move_specs[m.verb].out_of_turn
                ]
                self.move(actor, next((m for m in moves if m.verb == "play_card"), moves[0]))
                deals -= self.game.turn(self.p) in (CHANCE, None)


def worth(game: TrickGame, cards: Hand) -> int:
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
    """The only zone of this name."""
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


def reveals(match: Match) -> list[tuple[str, Seat | None, Seat | None]]:
    """The public events about the sides."""
    kinds = ("ally_revealed", "alone_revealed")
    return [(each.kind, each.seat, each.other) for kind in kinds for each in events_of(match, kind, None)]


# ---------------------------------------------------------------------- dealing what is wanted


def dealt_to(game: TrickGame, dealer: Seat) -> list[Seat | None]:
    """For each place in the pack the hand that gets its card, None for the rest: packets, eldest first."""
    order: list[Seat | None] = [
        (dealer + 1 + place) % game.seats
        for packet in game.dealing.start.packets
        for place in range(game.seats)
        for _ in range(packet if isinstance(packet, int) else packet[place])
    ]
    return order + [None] * (len(game.pack.cards) - len(order))


def pack_for(game: TrickGame, hands: Hands, turn_up: str = "", stock: str = "", dealer: Seat = 0) -> Hand:
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


def table(game: TrickGame, hands: Hands, turn_up: str = "", stock: str = "", dealer: Seat = 0) -> Match:
    """Begin a match and deal these hands."""
    match = Match(game)
    assert match.p.match_state.dealer == dealer
    match.deal(pack_for(game, hands, turn_up, stock, dealer))
    return match


def closing(game: TrickGame, hands: Hands, plays: str = "", leader: Seat = 0, trump: str = "") -> Match:
    """A position without a stock: these cards and this trick; hands are filled up, all else was taken before.

    With a trump suit the turn-up was the last card of it that has been played.
    """
    trick = [words.split() for words in plays.split(",")] if plays else []
    leader = int(trick[0][0]) if trick else leader
    played = [int(place) for place, _ in trick]
    held = [list(game.pack.hand(hands.get(place, "").split())) for place in range(game.seats)]
    laid = game.pack.hand(card for _, card in trick)
    rest = list(game.pack.cards)
    for card in (*laid, *(card for hand in held for card in hand)):
        rest.remove(card)
    size = max(len(hand) + (place in played) for place, hand in enumerate(held))
    for place, hand in enumerate(held):
        while len(hand) + (place in played) < size:
            hand.append(rest.pop())
    dealer = 3 if game.first_dealer is None else game.first_dealer
    match_state = game.start().match_state._replace(deal=1, dealer=dealer)
    p = Table("play", match_state, tuple(map(tuple, held)), trump=trump, leader=leader, trick=laid, own=game.own())
    tricks = past(game, p, tuple(rest), leader)
    gone = [card for trick in tricks for card in trick.cards if trump and card.suit == trump]
    p = p._replace(tricks=tricks, turn_up=gone[-1] if trump else None)
    return Match(game, game.decode(game.encode(p)))


# ---------------------------------------------------------------------- single tricks


def state(
    cards: Hand, trump: str = "", trump_card: Card | NoTrumpCard = NO_TRUMP_CARD, stock_size: int = 0
) -> TrickState:
    """A trick of which everything is known."""
    return TrickState(cards, trump, trump_card, "", stock_size)


def plays(game: AnyGame, hand: Hand, known: TrickState) -> dict[Card, list[str]]:
    """The codes against each card of a hand; for games in which cards are played one by one."""
    assert game.trick_rules is not None
    found = game.trick_rules.plays(hand, known, 0)
    return {move.cards[0]: [refusal.code for refusal in validation.value] for move, validation in found.items()}


def taker(game: AnyGame, cards: Hand, trump: str = "", trump_card: Card | NoTrumpCard = NO_TRUMP_CARD) -> int:
    """The index of the card that takes a trick."""
    assert game.trick_rules is not None
    index, depends_on = game.trick_rules.winning_index(state(cards, trump, trump_card))
    assert index is not None, depends_on
    return index
