"""A table with a real referee: who is on turn plays, and whoever wants to may check the books."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from random import Random
from types import ModuleType
from typing import NamedTuple

import pytest

from chitarrella import errors
from chitarrella.catalogue.record import format_record, parse_record
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.game import legal_moves, replay, seat_to_move
from chitarrella.core.model import CHANCE, Event, Move, Seat
from chitarrella.core.notation import parse_move
from chitarrella.core.options import Choices, GameEntry
from chitarrella.matches.chance import awaiting_seeds_from
from chitarrella.matches.history import parse_entry
from chitarrella.matches.log_writer import choose_move
from chitarrella.matches.metadata import SHUFFLE_NOW, ControlAction, Snapshot
from chitarrella.matches.model import CreatedMatch, MoveRequest, MoveResult
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.repository import time_text
from chitarrella.matches.service import MatchService
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import untimed
from chitarrella.tricks.rules import Rules

CATALOGUE = Catalogue()
SHORT = RuleSet("briscola", 2, (("rubber_games", "1"),))
LONG_MATCH = RuleSet("briscola", 2, (("rubber_games", "5"),))
PARTNERS = RuleSet("briscola", 4, (("rubber_games", "1"), ("signals", "free")))


def catalogue_of(*games: GameEntry) -> Catalogue:
    """The catalogue of a release that has these games alone."""
    module = ModuleType("games")
    module.GAMES = games  # type: ignore[attr-defined]  # a module is what it is given
    return Catalogue(iter([module]))


def with_rules(entry: GameEntry, kind: type[Rules]) -> GameEntry:
    """The same game with rules of another class."""

    def rules(agreed: Choices) -> Rules:
        usual = entry.rules(agreed)
        return kind(**{field.name: getattr(usual, field.name) for field in fields(usual)})

    return replace(entry, rules=rules)


class ConnectedService(NamedTuple):
    store: RedisStore
    service: MatchService


def connect_service(url: str) -> ConnectedService:
    store = RedisStore(connect(url))
    return ConnectedService(store, MatchService(CATALOGUE, store))


def expire(store: RedisStore, match: str) -> None:
    """Remove a match as the store does when its time is over."""
    store.connection.client.delete(*store.connection.match_keys(match))


def operations(service: MatchService) -> MatchOperations:
    return MatchOperations(service, choose_move)


def parse(snapshot: Snapshot, text: str) -> Move:
    return parse_move(snapshot.game, text)


def on_turn(snapshot: Snapshot) -> Seat:
    """Who is to move, which is nobody's dummy here."""
    turn = snapshot.game.turn(snapshot.position)
    assert turn is not None
    return turn


def choice(snapshot: Snapshot, rng: Random | None = None) -> MoveRequest:
    """What the seat on turn may play: its first card, or any."""
    seat = on_turn(snapshot)
    moves = [move for move in legal_moves(snapshot.game, snapshot.position, seat) if move.verb == "play_card"]
    return MoveRequest(seat, rng.choice(moves) if rng else moves[0])


def unheld(snapshot: Snapshot) -> MoveRequest:
    seat = on_turn(snapshot)
    card = next(card for card in snapshot.game.pack.cards if card not in snapshot.position.hands[seat])
    return MoveRequest(seat, Move("play_card", (card,)))


def go_on(service: MatchService, match: str, moves: int = 1) -> MoveResult:
    for _ in range(moves):
        snapshot = service.repository.load(match)
        played = service.play(match, choice(snapshot))
        assert played.accepted
    return played


def events_of(service: MatchService, match: str) -> list[Event]:
    history, lines = service.repository.history(match)
    return [event for step in history.replay(lines) for event in step.events]


def log_of(service: MatchService, match: str) -> list[str]:
    """The entries of the log without their times."""
    return [untimed(entry)[0] for entry in service.repository.read_log(match)]


def play_first(service: MatchService, match: str) -> None:
    """Make the first legal move of whoever is on turn until nobody is."""
    while (seat := seat_to_move((last := service.repository.load(match)).game, last.position)) is not None:
        service.play(match, MoveRequest(seat, legal_moves(last.game, last.position, seat)[0]))


def play_out(service: MatchService, match: str) -> None:
    """Play until the match is over; a level deal is followed by another, to which nobody adds a seed."""
    while not (snapshot := service.repository.load(match)).game.is_finished(snapshot.position):
        if awaiting_seeds_from(snapshot):
            operations(service).contribute_seed(match, ControlAction(CHANCE, SHUFFLE_NOW))
        else:
            go_on(service, match)


def check_consistency(service: MatchService, opened: CreatedMatch) -> list[str]:
    """Check that the row, the log and the record of a match agree; gives the log."""
    snapshot, log = service.repository.load(opened.match), service.repository.read_log(opened.match)
    assert snapshot.row.length == len(log)
    moves = [parse_entry(snapshot.game, line) for line in log]
    begun = snapshot.game.decode(snapshot.metadata.position) if snapshot.metadata.position else None
    assert snapshot.row.position == snapshot.game.encode(replay(snapshot.game, moves, begun))
    record = service.repository.format_record(opened.match)
    parsed, times = parse_record(CATALOGUE, record), tuple(time_text(untimed(line)[1]) for line in log)
    assert moves == list(parsed.moves)
    assert record == format_record(CATALOGUE, parsed._replace(times=times))
    return [untimed(line)[0] for line in log]


@contextmanager
def fails(kind: type[errors.ChitarrellaError], code: str) -> Iterator[pytest.ExceptionInfo[errors.ChitarrellaError]]:
    """Check that the block raises an error of this class with this reason code."""
    with pytest.raises(kind) as failed:
        yield failed
    assert code == failed.value.code


def raised(kind: type[errors.ChitarrellaError], code: str, *, by: object) -> None:
    assert isinstance(by, kind)
    assert code == by.code


def same_answer(first: MoveResult, again: MoveResult) -> None:
    """Check that a repeated request was answered like the first, except that it says so."""
    assert (False, True) == (first.repeated, again.repeated)
    assert first[:4] == again[:4]
    assert first.snapshot.position == again.snapshot.position
    assert first.snapshot.row.revision == again.snapshot.row.revision
