"""Helpers for Brisca and both games of Bisca: cutting for trumps, and replaying a deal of an example."""

from __future__ import annotations

from collections.abc import Container
from random import Random

from chitarrella.core.model import Seat
from chitarrella.tricks.game import TrickGame
from tests.games.support.past_tricks import past, worth_by_seat
from tests.games.support.table import Hands, Match, events_of, table


def cut(game: TrickGame, hands: Hands, shown: str, stock: str = "", dealer: Seat = 0) -> Match:
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


def last_trick_before(game: TrickGame, draws: str, winner: Seat) -> Match:
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


def counted(match: Match) -> list[dict[str, int]]:
    """The score of each deal, by seat."""
    return [dict(event.shares) for event in events_of(match, "deal_counted")]


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
