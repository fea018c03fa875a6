"""Kept matches, through the client with both faces, on a real service."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import grpc
import pytest

from chitarrella.v1 import table_pb2
from chitarrella_client import (
    Chitarrella,
    ErrorCode,
    Match,
    Move,
    Refusal,
    RefusalCode,
    Refused,
    StaleRevision,
    View,
    Waiting,
    errors,
)
from tests.client.conftest import Opens
from tests.client.playing import play_out, step
from tests.server.process import Service
from tests.walks import CATALOGUE

GAMES = [game.key for game in CATALOGUE]


@pytest.mark.parametrize("game", GAMES)
def test_whole_match(client: Chitarrella, game: str) -> None:
    """Every game can be played from the first card to the end, and a watch has every event."""
    match = client.create_match(game)
    assert 0 < play_out(match, Random(game))
    state = match.get()
    assert state.over
    updates = list(match.watch())
    assert list(match.events()) == updates
    assert state.revision == updates[-1].revision
    assert state.cursor == updates[-1].cursor
    public = client.match(match.id)
    played_out = state.view.outcome is not None
    assert f"game {game}" == (public if played_out else match).record().splitlines()[0]
    assert public.get().view.outcome == state.view.outcome


def test_games(client: Chitarrella) -> None:
    """The catalogue is listed in order, and describes each game with its rule book."""
    assert GAMES == [summary.game_id for summary in client.games()]
    game = client.game("coech")
    assert "coech" == game.summary.game_id
    assert len(game.pack) == len(CATALOGUE.game("coech").pack.cards)
    assert ("lion", 10, 2, 2) == (
        game.card("LEO").name,
        game.card("LEO").order,
        game.card("LEO").points,
        game.card("LEO").copies,
    )
    assert [(0, 2), (1, 3)] == [side.seats for side in game.partnerships[0].sides]
    assert {"pack", "hand", "stock", "trick", "taken"} == {zone.name for zone in game.zones}
    with pytest.raises(KeyError):
        game.card("Ab")
    clauses = {clause.key for clause in game.clauses}
    assert clauses >= {reason.clause_key for reason in game.reasons}


def test_a_seat_sees_its_own_hand_only(client: Chitarrella) -> None:
    """A seat sees its own cards and the backs of the others'; the public sees backs only; the referee sees all."""
    match = client.create_match("briscola", players=2)

    def hands(view: View) -> list[int]:
        return [len(view.zone("hand", seat).cards) for seat in (0, 1)]

    assert [3, 0] == hands(match.as_seat(0).get().view)
    assert [0, 3] == hands(client.match(match.id, match.keys[1]).get().view)
    assert [0, 0] == hands(client.match(match.id).get().view)
    assert [3, 3] == hands(match.get().view)
    assert 3 == client.match(match.id).get().view.zone("hand", 0).size


def test_referee_acts_for_any_seat(client: Chitarrella) -> None:
    """The referee's key alone gives the view and the moves of any seat."""
    match = client.create_match("briscola", players=2)
    referee = client.match(match.id, match.key)
    seat = referee.legal_moves().seat
    assert seat is not None
    assert match.as_seat(seat).get() == referee.as_seat(seat).get()
    assert referee.as_seat(seat).play(referee.as_seat(seat).legal_moves()[0]).accepted


def test_as_seat_without_a_seat(client: Chitarrella) -> None:
    """None for a seat, as when no seat is to move, keeps the present key and names no seat."""
    match = client.create_match("briscola", pack_source="referee")
    moves = match.legal_moves()
    assert (None, 0) == (moves.seat, len(moves))
    referee = match.as_seat(moves.seat)
    assert (match.key, None) == (referee.key, referee.seat)
    assert referee.play("start_deal", cards=CATALOGUE.game("briscola").pack.cards).accepted
    own = match.as_seat(0).as_seat(None)
    assert (match.keys[0], None) == (own.key, own.seat)


def test_refusal(client: Chitarrella) -> None:
    """A refused move is an answer that says which clause forbids it, and changes nothing."""
    match = client.create_match("briscola")
    moves = match.legal_moves()
    assert moves.seat is not None
    waiting = match.as_seat(1 - moves.seat)
    card = waiting.get().view.zone("hand", 1 - moves.seat).cards[0]
    validation = waiting.validate_move("play_card", cards=card)
    played = waiting.play(f"play_card {card}")
    assert (False, moves.revision) == (played.accepted, played.revision)
    assert validation.refusals == played.refusals
    refusal = played.refusals[0]
    assert RefusalCode.NOT_YOUR_TURN == refusal.code
    assert moves.seat == refusal.amount
    assert {"BR"} == {refusal.clause.key.partition("-")[0]}
    with pytest.raises(Refused) as refused:
        waiting.play_or_raise(f"play_card {card}")
    assert played.refusals == refused.value.refusals
    assert RefusalCode.NOT_YOUR_TURN == refused.value.code
    assert moves.revision == match.get().revision


def test_explained_hand(client: Chitarrella) -> None:
    """A hand is explained card by card; where a suit must be followed, the cards that do so are named."""
    match = client.create_match("coech", players=4)
    rng = Random(1)
    while not (against := _against_following(match)):
        assert step(match, rng) is not None
    moves = match.legal_moves()
    assert moves.seat is not None
    hand = match.as_seat(moves.seat).explain_hand()
    legal = [explained.move for explained in hand if explained.legal]
    assert set(moves) == set(legal)
    assert {move.cards[0] for move in legal} == set(against.allowed_cards)
    for explained in hand:
        assert explained.refusals == match.as_seat(moves.seat).validate_move(explained.move).refusals


def _against_following(match: Match) -> Refusal | None:
    """Find what forbids the seat to move to play another suit."""
    refusals = (refusal for explained in match.explain_hand() for refusal in explained.refusals)
    return next((refusal for refusal in refusals if RefusalCode.MUST_FOLLOW_SUIT == refusal.code), None)


def test_moves_as_text_value_and_message(client: Chitarrella) -> None:
    """A move is the same as text, as a verb with arguments, as a value and as a message."""
    match = client.create_match("briscola")
    moves = match.legal_moves()
    assert moves.seat is not None
    seat = match.as_seat(moves.seat)
    card = moves[0].cards[0]
    message = table_pb2.Move(verb="play_card", cards=[card])
    for move in (f"play_card {card}", Move("play_card", (card,)), message):
        assert seat.validate_move(move).accepted
    assert seat.validate_move("play_card", cards=card).accepted
    assert seat.validate_move("play_card", cards=[card]).accepted
    assert client.match(match.id, seat.key).validate_move(f"  play_card   {card} ").accepted
    with pytest.raises(TypeError, match="arguments"):
        seat.validate_move(f"play_card {card}", cards=card)


def test_stale_revision(client: Chitarrella) -> None:
    """A move for a revision that is past is not played; the error has the present revision."""
    match = client.create_match("briscola")
    before = match.get().revision
    step(match, Random(2))
    moves = match.legal_moves()
    assert moves.seat is not None
    with pytest.raises(StaleRevision) as stale:
        match.as_seat(moves.seat).play(moves[0], expected_revision=before)
    assert (moves.revision, True) == (stale.value.revision, stale.value.still_legal)
    assert "expected_revision" == stale.value.field
    assert moves.revision == match.get().revision
    assert match.as_seat(moves.seat).play(moves[0], moves.revision).accepted


def test_repeated_request(client: Chitarrella) -> None:
    """The same request id plays once; another move under it is refused as an error."""
    match = client.create_match("briscola")
    moves = match.legal_moves()
    assert moves.seat is not None
    seat = match.as_seat(moves.seat)
    first = seat.play(moves[0], request_id="once and only once")
    again = seat.play(moves[0], request_id="once and only once")
    assert (False, True) == (first.repeated_request, again.repeated_request)
    assert (first.revision, first.events) == (again.revision, again.events)
    assert first.revision == match.get().revision
    with pytest.raises(errors.RequestReused):
        seat.play(moves[1], request_id="once and only once")


def test_repeated_creation(client: Chitarrella) -> None:
    """The same request id creates one match, and returns its keys again; for another game it is an error."""
    name = f"a request id {id(client)}"
    first = client.create_match("briscola", request_id=name)
    again = client.create_match("briscola", request_id=name)
    assert (first.id, first.key, dict(first.keys)) == (again.id, again.key, dict(again.keys))
    with pytest.raises(errors.RequestReused) as reused:
        client.create_match("coech", request_id=name)
    assert name == reused.value.request_id


def test_view_after_a_move(client: Chitarrella) -> None:
    """The view after a move is returned if the call asks for it."""
    match = client.create_match("briscola")
    moves = match.legal_moves()
    assert moves.seat is not None
    seat = match.as_seat(moves.seat)
    played = seat.play(moves[0], include_view=True)
    assert played.view == seat.get().view


def test_given_pack_and_position(client: Chitarrella) -> None:
    """A match can begin with a pack that is supplied, by the caller or move by move, or from a position."""
    pack = CATALOGUE.game("briscola").pack.cards
    first = client.create_match("briscola", pack=pack)
    second = client.create_match("briscola", pack_source="referee", options={"rubber_games": 1, "signals": "off"})
    assert Waiting.CHANCE is second.get().view.waiting
    assert second.play("start_deal", cards=pack).accepted
    assert first.get().view.zones == second.get().view.zones
    assert {"rubber_games": "1", "signals": "off"}.items() <= second.get().rule_set.options.items()
    start = client.rules.start_game("briscola")
    dealt = client.rules.apply_moves(start.position, (None, Move("start_deal", pack)))
    third = client.create_match(dealt.position.rule_set, position=dealt.position)
    assert first.get().view.zones == third.get().view.zones


def test_wrong_keys(client: Chitarrella, opens: Opens, service: Service) -> None:
    """A wrong key, no key, another seat's key and an unknown match are each an error of its own kind."""
    match = client.create_match("briscola")
    with pytest.raises(errors.BadKey):
        client.match(match.id, "no key at all").get()
    with pytest.raises(errors.BadKey):
        opens(service.grpc, "no key at all").match(match.id).get()
    with pytest.raises(errors.KeyNeeded):
        client.match(match.id).legal_moves()
    with pytest.raises(errors.NotYourSeat):
        client.match(match.id, match.keys[0]).as_seat(1).get()
    with pytest.raises(errors.RefereeOnly):
        match.as_seat(0).abort()
    with pytest.raises(errors.MatchRunning):
        match.as_seat(0).record()
    with pytest.raises(errors.NoSuchMatch) as missing:
        client.match("0" * 20, match.key).get()
    assert ErrorCode.NO_SUCH_MATCH == missing.value.code
    assert grpc.StatusCode.NOT_FOUND is missing.value.status
    with pytest.raises(errors.NoSuchMatch):
        next(iter(client.match("0" * 20, match.key).watch()))
    assert match.key not in repr(match)


def test_aborted_match(client: Chitarrella) -> None:
    """A match that the referee has aborted takes no move, and its watch ends; aborting it twice changes nothing."""
    match = client.create_match("briscola")
    moves = match.legal_moves()
    assert moves.seat is not None
    assert moves.revision == match.abort() == match.abort()
    assert (True, True) == (match.get().aborted, match.get().over)
    with pytest.raises(errors.MatchAborted):
        match.as_seat(moves.seat).play(moves[0])
    assert list(match.events()) == list(match.watch())


def test_invalid_question_names_its_field(client: Chitarrella) -> None:
    """An invalid request is an error that names the field."""
    match = client.create_match("briscola")
    moves = match.legal_moves()
    assert moves.seat is not None
    seat = match.as_seat(moves.seat)
    invalid: list[tuple[Callable[[], object], type[errors.ChitarrellaError], str]] = [
        (lambda: client.create_match("nix"), errors.UnknownGame, "rule_set.game_id"),
        (lambda: client.game("nix"), errors.UnknownGame, "game_id"),
        (lambda: client.create_match("briscola", players=9), errors.BadRequest, "rule_set.players"),
        (lambda: client.create_match("briscola", options={"x": 1}), errors.BadRequest, "rule_set.options.x"),
        (lambda: client.create_match("briscola", pack="Ab"), errors.BadRequest, "pack"),
        (lambda: seat.play("play_card Zz"), errors.BadRequest, "move.cards"),
        (lambda: seat.play("play_card Ab 3c"), errors.BadRequest, "move.cards"),
        (lambda: seat.play("fold Ab"), errors.BadRequest, "move.verb"),
        (lambda: seat.play("Fold!"), errors.BadRequest, "move.verb"),
        (lambda: next(iter(match.events("nowhere"))), errors.BadRequest, "cursor"),
    ]
    for ask, kind, field in invalid:
        with pytest.raises(kind) as wrong:
            ask()
        assert field == wrong.value.field
        assert field in [violation.field for violation in wrong.value.violations] or kind is errors.UnknownGame


def test_private_match_is_unknown_without_a_key(client: Chitarrella) -> None:
    """Without one of its keys a private match is unknown, in every call."""
    match = client.create_match("briscola", private=True)
    stranger = client.match(match.id)
    for attempt in (stranger.get, lambda: list(stranger.watch()), lambda: list(stranger.events())):
        with pytest.raises(errors.NoSuchMatch):
            attempt()
    assert 1 == match.as_seat(1).get().revision
