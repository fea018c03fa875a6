"""Records out and in: a match that was played goes on, or is played again, as a match of its own."""

from __future__ import annotations

from random import Random
from uuid import uuid4

import pytest

from chitarrella_client import Chitarrella, ErrorCode, errors
from tests.client.playing import play_out, step
from tests.walks import CATALOGUE


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_imported_record_is_the_same_match(client: Chitarrella, game: str) -> None:
    """The import of a record is the same match: view, events and record."""
    match = client.create_match(game)
    for _ in range(12):
        step(match, Random(game))
    again = client.import_match(match.record(), pack_source="referee")
    assert match.id != again.id
    assert match.record() == again.record()
    assert match.get().view == again.get().view
    assert [update.events for update in match.events()] == [update.events for update in again.events()]


def test_record_is_imported_from_any_point(client: Chitarrella) -> None:
    """A record can be taken up from any point; what follows is a new match, with keys of its own."""
    match = client.create_match("coech", players=2, options={"first_dealer": 0})
    play_out(match, Random(3))
    record = match.record()
    moves = [line for line in record.splitlines() if line[:1].isdigit() or line.startswith("table")]
    for count in (0, 1, 7, len(moves)):
        fork = client.import_match(record, count, pack_source="referee")
        imported = [line for line in fork.record().splitlines() if line[:1].isdigit() or line.startswith("table")]
        assert moves[:count] == imported
    fork = client.import_match(record, 7, clock=(60, 5), bots={1: "greedy"})
    assert {5_000} == set(fork.get().bank_ms)
    assert [(1, "greedy")] == [(bot.seat, bot.bot) for bot in fork.get().bots]
    fork = client.import_match(record, 7)
    seat = fork.legal_moves().seat or 0
    with pytest.raises(errors.BadKey):
        client.match(fork.id, match.keys[seat]).get()
    assert fork.as_seat(seat).play(fork.legal_moves()[0]).accepted
    assert match.record() == record


def test_packs_of_a_record_are_supplied(client: Chitarrella) -> None:
    """The packs of an imported record count as supplied: the service cannot prove them."""
    match = client.create_match("briscola", options={"rubber_games": 2})
    play_out(match, Random(4))
    again = client.import_match(match.record())
    assert {True} == {shuffle.supplied for shuffle in again.shuffles()}


def test_invalid_record_is_named(client: Chitarrella) -> None:
    """A line that is no record, or a move that the rules refuse, is an error of its own code."""
    match = client.create_match("briscola")
    record = match.record()
    seat = match.legal_moves().seat or 0
    for spoilt in (record.replace("game ", "gam "), record + "5 play_card Ab\n", record + f"{1 - seat} play_card Ab\n"):
        with pytest.raises(errors.BadRequest) as failed:
            client.import_match(spoilt)
        assert ErrorCode.BAD_RECORD == failed.value.code


def test_a_repeated_import_creates_one_match(client: Chitarrella) -> None:
    """The same request id brings the same match; with another record it is an error."""
    record, name = client.create_match("briscola").record(), str(uuid4())
    first = client.import_match(record, request_id=name)
    again = client.import_match(record, request_id=name)
    assert (first.id, first.keys) == (again.id, again.keys)
    with pytest.raises(errors.RequestReused):
        client.import_match(record, 0, request_id=name)
