"""What the game tests share: a table to play at, packs that deal the hands wanted, and eyes to look with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import TypeAlias, cast

import pytest

from chitarrella.cards import Card, Hand, minus
from chitarrella.catalogue import Agreement
from chitarrella.game import Refused, judge, legal, look, play, told
from chitarrella.notation import read_move, write_move
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table, Trick
from chitarrella.words import CHANCE, REFEREE, Event, Eyes, Move, Pile, Refusal, Seat, View
from tests.kit import CATALOGUE

Hands: TypeAlias = Mapping[Seat, str]
"""Some cards of some hands, as words."""


def seat(key: str, players: int = 0, /, **options: str) -> TrickGame:
    """Seat a game of the catalogue."""
    game = CATALOGUE.seat(Agreement(key, players, tuple(sorted(options.items()))))
    assert isinstance(game, TrickGame)
    return game


def any_match(key: str, players: int = 0, /, **options: str) -> Match:
    """Begin a match of a game of whatever family; `Match` uses no more of the others than what all games sign."""
    game = CATALOGUE.seat(Agreement(key, players, tuple(sorted(options.items()))))
    return Match(cast(TrickGame, game))


class Match:
    """A match being played; keeps every event, and the events of the last move apart."""

    def __init__(self, game: TrickGame, p: Table | None = None) -> None:
        self.game = game
        self.p = game.start() if p is None else p
        self.events: list[Event] = []
        self.last: tuple[Event, ...] = ()

    def move(self, actor: Seat, move: Move) -> tuple[Event, ...]:
        """Make a move; raises `Refused`."""
        self.p, self.last = play(self.game, self.p, actor, move)
        self.events.extend(self.last)
        return self.last

    def say(self, actor: Seat, text: str) -> tuple[Event, ...]:
        """Make a move in words."""
        return self.move(actor, read_move(self.game, text))

    def deal(self, pack: Iterable[Card]) -> tuple[Event, ...]:
        """Hand in a pack, top card first."""
        return self.move(CHANCE, Move("start_deal", tuple(pack)))

    def play(self, plays: str) -> None:
        """Play cards, ``1 5c, 0 3s``: each by the person who moves the cards of that seat."""
        for words in plays.split(","):
            place, card = words.split()
            actor = self.game.controller(int(place))
            self.say(actor, f"play_card {card}" + ("" if actor == int(place) else f" @{place}"))

    def refusals(self, actor: Seat, text: str) -> tuple[Refusal, ...]:
        """Say what stands against a move; if anything does, making it is refused and changes nothing."""
        move = read_move(self.game, text)
        refusals = judge(self.game, self.p, actor, move)
        before = self.game.write(self.p)
        if refusals:
            with pytest.raises(Refused) as refused:
                play(self.game, self.p, actor, move)
            assert refusals == refused.value.refusals
        assert before == self.game.write(self.p)
        return refusals

    def codes(self, actor: Seat, text: str) -> list[str]:
        """Name the codes for which a move is refused, in order; none if it is legal."""
        return [refusal.code for refusal in self.refusals(actor, text)]

    def cited(self, actor: Seat, text: str) -> list[str]:
        """Name the clauses a refusal quotes, in order."""
        return [refusal.clause.key for refusal in self.refusals(actor, text)]

    def moves(self, actor: Seat) -> list[str]:
        """List the legal moves in words, sorted."""
        return sorted(write_move(move) for move in legal(self.game, self.p, actor))

    def look(self, eyes: Eyes) -> View:
        """See the table through these eyes."""
        return look(self.game, self.p, eyes)

    def heard(self, eyes: Eyes) -> list[Event]:
        """Tell what these eyes learn of the last move."""
        return [event for each in self.last if (event := told(each, eyes)) is not None]

    def hand(self, seat: Seat) -> str:
        """The hand of a seat in words, sorted."""
        return " ".join(sorted(self.p.hands[seat]))

    def one_trick(self, plays: str) -> tuple[Seat, int]:
        """Play a whole trick; gives who took it, and what it is worth in the first count."""
        self.play(plays)
        trick = self.p.tricks[-1]
        return trick.winner, worth(self.game, trick.cards)

    def play_out(self, deals: int = 1) -> None:
        """Let the first legal card be played until so many deals are over, or the match; chance has no ideas either."""
        while deals and (turn := self.game.turn(self.p)) is not None:
            if turn == CHANCE:
                wanted = self.game.chance(self.p)
                self.move(CHANCE, Move(wanted.verb, wanted.cards, amount=min(wanted.amounts, default=None)))
            else:
                actor = self.game.controller(turn)
                moves = [m for m in legal(self.game, self.p, actor) if not self.game.forms[m.verb].free]
                self.move(actor, next((m for m in moves if m.verb == "play_card"), moves[0]))
                deals -= self.game.turn(self.p) in (CHANCE, None)


def worth(game: TrickGame, cards: Hand) -> int:
    """Count cards in the first count of the game."""
    return game.count(cards)[0][1]


def first_cards(match: Match, tricks: int) -> Match:
    """Let every seat play the first card of its hand for so many tricks."""
    for _ in range(tricks * match.game.seats):
        turn = match.game.turn(match.p)
        assert turn is not None
        match.say(turn, f"play_card {match.p.hands[turn][0]}")
    return match


# ---------------------------------------------------------------------- looking


def pile(view: View, name: str, seat: Seat | None = None) -> Pile:
    """Find a pile; there must be exactly one."""
    (found,) = [each for each in view.piles if (each.name, each.seat) == (name, seat)]
    return found


def facts(view: View, name: str) -> dict[Seat | None, str | int]:
    """Find the facts of one name, by seat; amounts by person are not among them."""
    return {fact.seat: fact.value for fact in view.facts if fact.name == name and not isinstance(fact.value, tuple)}


def told_of(match: Match, kind: str, eyes: Eyes = REFEREE) -> list[Event]:
    """The events of one kind that these eyes learned of since the match began."""
    return [event for each in match.events if each.kind == kind and (event := told(each, eyes)) is not None]


# ---------------------------------------------------------------------- dealing what is wanted


def dealt_to(game: TrickGame, dealer: Seat) -> list[Seat | None]:
    """Say of each place in the pack to which hand its card goes, None for the rest: packets, eldest first."""
    order: list[Seat | None] = [
        (dealer + 1 + place) % game.seats
        for packet in game.dealing.start.packets
        for place in range(game.seats)
        for _ in range(packet if isinstance(packet, int) else packet[place])
    ]
    return order + [None] * (len(game.pack.cards) - len(order))


def pack_for(game: TrickGame, hands: Hands, turn_up: str = "", stock: str = "", dealer: Seat = 0) -> Hand:
    """Make a pack that deals these hands, with that turn-up and that beginning of the stock; the rest as it comes."""
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
    assert match.p.standing.dealer == dealer
    match.deal(pack_for(game, hands, turn_up, stock, dealer))
    return match


def closing(game: TrickGame, hands: Hands, plays: str = "", leader: Seat = 0) -> Match:
    """Lay out a deal without a stock: these cards and this trick; hands are filled up, all else was taken before."""
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
    standing = game.start().standing._replace(deal=1, dealer=dealer)
    tricks = _taken(game, tuple(rest), (dealer + 1) % game.seats, leader)
    p = Table("play", standing, tuple(map(tuple, held)), leader=leader, trick=laid, tricks=tricks, own=game.own())
    return Match(game, game.read(game.write(p)))


def _taken(game: TrickGame, cards: Hand, first: Seat, last: Seat) -> tuple[Trick, ...]:
    """Make tricks of these cards: each is led by the winner of the one before, and the last winner is ``last``."""
    rng = Random(0)
    while True:
        order, leader, tricks = rng.sample(cards, len(cards)), first, []
        for at in range(0, len(order), game.seats):
            trick = tuple(order[at : at + game.seats])
            winner = (leader + game.taking.best(game, game.glance(trick, ""), trick)) % game.seats
            tricks.append(Trick(leader, trick, winner))
            leader = winner
        if leader == last:
            return tuple(tricks)
