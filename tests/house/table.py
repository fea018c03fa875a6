"""A table with a real referee: who is on turn plays, and whoever wants to may check the books."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from chitarrella import errors
from chitarrella.affairs import DEAL_NOW, Act
from chitarrella.botplay import choose
from chitarrella.cards import Card
from chitarrella.catalogue import Agreement, Catalogue
from chitarrella.chronicle import read_entry
from chitarrella.drawing import words_awaited
from chitarrella.game import judge, legal, replay
from chitarrella.kept import Opened, Played, Seen, Wish
from chitarrella.notation import read_move
from chitarrella.record import read_record, write_record
from chitarrella.redis_store import RedisStore, connect
from chitarrella.referee import Referee
from chitarrella.steward import Steward
from chitarrella.words import CHANCE, Move, Seat

CATALOGUE = Catalogue()
SHORT = Agreement("briscola", 2, (("rubber_games", "1"),))
LONG_MATCH = Agreement("briscola", 2, (("rubber_games", "5"),))
PARTNERS = Agreement("briscola", 4, (("rubber_games", "1"), ("signals", "free")))


class Worker(NamedTuple):
    """One worker's referee and its line to the store."""

    store: RedisStore
    referee: Referee


def worker(url: str) -> Worker:
    """Begin to work on a store, with an empty memory."""
    store = RedisStore(connect(url))
    return Worker(store, Referee(CATALOGUE, store))


def steward(referee: Referee) -> Steward:
    """Let somebody see to what is no move."""
    return Steward(referee, choose)


def says(seen: Seen, text: str) -> Move:
    """Read a move as it is written."""
    return read_move(seen.game, text)


def on_turn(seen: Seen) -> Seat:
    """Who is to move, which is nobody's dummy here."""
    turn = seen.game.turn(seen.position)
    assert turn is not None
    return turn


def choice(seen: Seen, rng: Random | None = None) -> Wish:
    """What the seat on turn may play: its first card, or any."""
    seat = on_turn(seen)
    moves = [move for move in legal(seen.game, seen.position, seat) if move.verb == "play_card"]
    return Wish(seat, rng.choice(moves) if rng else moves[0])


def unheld(seen: Seen) -> Wish:
    """A card that the seat on turn does not hold."""
    seat = on_turn(seen)
    card = next(card for card in seen.game.pack.cards if ("not_in_hand",) == _codes(seen, seat, card))
    return Wish(seat, Move("play_card", (card,)))


def _codes(seen: Seen, seat: Seat, card: Card) -> tuple[str, ...]:
    return tuple(refusal.code for refusal in judge(seen.game, seen.position, seat, Move("play_card", (card,))))


def go_on(referee: Referee, match: str, moves: int = 1) -> Played:
    """Play some moves, whoever's turn it is."""
    for _ in range(moves):
        seen = referee.see(match)
        played = referee.play(match, choice(seen))
        assert played.accepted
    return played


def play_out(referee: Referee, match: str) -> None:
    """Play until the match is over; a level deal is followed by another, to which nobody adds a word."""
    while not (seen := referee.see(match)).game.over(seen.position):
        if words_awaited(seen):
            steward(referee).act(match, Act(CHANCE, DEAL_NOW))
        else:
            go_on(referee, match)


def check_books(referee: Referee, opened: Opened) -> list[str]:
    """Check that the page, the log and the record of a match tell the same story; gives the log."""
    seen, log = referee.see(opened.match), referee.moves(opened.match)
    assert seen.page.number == len(log)
    moves = [read_entry(seen.game, line) for line in log]
    begun = seen.game.read(seen.header.position) if seen.header.position else None
    assert seen.page.position == seen.game.write(replay(seen.game, moves, begun))
    record = referee.record(opened.match)
    assert moves == list(read_record(CATALOGUE, record).moves)
    assert record == write_record(CATALOGUE, read_record(CATALOGUE, record))
    return log


def raised(kind: type[errors.ChitarrellaError], code: str, *, by: object) -> None:
    """Check the reason code of an error that was raised."""
    assert isinstance(by, kind)
    assert code == by.code


def same_answer(first: Played, again: Played) -> None:
    """Check that a repeated request was answered like the first, except that it says so."""
    assert (False, True) == (first.repeated, again.repeated)
    assert first[:4] == again[:4]
    assert first.seen.position == again.seen.position
    assert first.seen.page.revision == again.seen.page.revision
