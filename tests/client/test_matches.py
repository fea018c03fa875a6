"""Kept matches, through the client with both faces, on a real service."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import cycle
from random import Random

import grpc
import pytest

from chitarrella.transports.inprocess import Service as ServiceClocks
from chitarrella.transports.inprocess import channel
from chitarrella.v1 import table_pb2
from chitarrella_client import (
    Chitarrella,
    ErrorCode,
    Match,
    Move,
    Refusal,
    RefusalCode,
    Refused,
    Shuffle,
    StaleRevision,
    View,
    Waiting,
    errors,
    fairness,
)
from tests.client.conftest import Opens
from tests.client.playing import play_out, step
from tests.client.proxy import Proxy
from tests.server.process import Service
from tests.walks import CATALOGUE

GAMES = [game.key for game in CATALOGUE]


@pytest.mark.parametrize(
    ("opens", "game"), list(zip(cycle(["threads", "asyncio"]), GAMES, strict=False)), indirect=["opens"]
)
def test_whole_match(opens: Opens, game: str) -> None:
    """Every game can be played to its end, with one face or the other, and a watch has every event."""
    client = opens()
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


# ---------------------------------------------------------------------- clocks


def test_timeout_plays_the_default_move(client: Chitarrella) -> None:
    """Whoever can see the match may enforce the clock: a seat out of time plays the default move."""
    match = client.create_match("zifuli", clock=(1, 0))
    state = match.get()
    assert state.deadline is not None
    assert (0,) * 5 == state.bank_ms
    public = client.match(match.id)
    early = public.enforce_clock()
    assert (False, state.revision, state.deadline) == (early.timed_out, early.revision, early.deadline)
    sleep_until(state.deadline)
    late = public.enforce_clock()  # the service may have done it before, by itself
    assert state.revision + 2 <= late.revision
    kinds = [event.kind for update in public.events(state.cursor) for event in update.events]
    assert ["time_over", "bid_passed"] == kinds[:2]
    assert late.deadline is not None
    assert late.deadline > state.deadline


def test_clock_result_says_whether_time_was_up() -> None:
    """The result is true for the call that played the move; here no scheduler can be faster."""
    service = ServiceClocks()
    service._scheduler.close()
    with channel(service) as in_process:
        match = Chitarrella(in_process).create_match("zifuli", clock=(1, 0))
        state = match.get()
        assert state.deadline is not None
        sleep_until(state.deadline)
        late = match.enforce_clock()
        assert (True, state.revision + 2) == (late.timed_out, late.revision)
    service.close()


def sleep_until(deadline: datetime) -> None:
    """Wait until a deadline is over."""
    time.sleep(max(0.0, (deadline - datetime.now(UTC)).total_seconds()) + 0.1)


def test_clock_banks_are_in_the_view(client: Chitarrella) -> None:
    """The state has what is left in the bank of each seat; a decision in time costs nothing."""
    match = client.create_match("briscola", players=2, clock=(60, 300))
    moves = match.legal_moves()
    match.as_seat(moves.seat).play(moves[0])
    assert (300_000, 300_000) == match.get().bank_ms


def test_no_clock_has_no_deadline(client: Chitarrella) -> None:
    """Without a clock there is no deadline, and nothing to enforce; a private match is unknown to the public."""
    match = client.create_match("briscola")
    assert match.get().deadline is None
    with pytest.raises(errors.NotPossibleNow) as none:
        match.enforce_clock()
    assert ErrorCode.NO_CLOCK == none.value.code
    hidden = client.create_match("briscola", private=True, clock=(1, 1))
    with pytest.raises(errors.NoSuchMatch):
        client.match(hidden.id).enforce_clock()


def test_catalogue_names_the_default_moves(client: Chitarrella) -> None:
    """The catalogue says which moves are played for a seat that does not move in time."""

    def defaults(game_id: str) -> set[str]:
        return {spec.verb for spec in client.game(game_id).moves if spec.timeout_default}

    assert {"pass_bid"} == defaults("zifuli")
    assert {"keep", "decline_reentry", "no_offer"} < defaults("lu-stu")


# ---------------------------------------------------------------------- fairness


def test_shuffles_are_verified_by_the_client(client: Chitarrella) -> None:
    """Every pack and every lot of a match is verified without the service, and the service says the same."""
    match = client.create_match("coech", players=2, options={"first_dealer": "by_lot"})
    play_out(match, Random(1))
    pack = client.game("coech").pack
    shuffles = list(match.shuffles())
    assert ["draw_dealer", "start_deal"] == [shuffle.verb for shuffle in shuffles][:2]
    for shuffle in shuffles:
        assert fairness.is_fair(shuffle, pack)
        assert client.rules.verify_shuffle("coech", shuffle)
    lot, deal = shuffles[:2]
    for spoilt in (
        replace(deal, nonce="00" * 32),
        replace(deal, number=7),
        replace(deal, cards=deal.cards[::-1]),
        replace(lot, amount=next(other for other in lot.lots if other != lot.amount)),
    ):
        assert not fairness.is_fair(spoilt, pack)
        assert not client.rules.verify_shuffle("coech", spoilt)
    assert not fairness.is_fair(Shuffle(1, 1, "start_deal", commitment=deal.commitment), pack)


def test_shared_pack_follows_from_the_seeds(client: Chitarrella) -> None:
    """A shared pack waits for a seed of every seat, and the shuffle follows from them."""
    match = client.create_match("briscola", players=2, pack_source="shared", options={"rubber_games": 1})
    commitment = match.get().next_commitment
    assert (0, 1) == match.get().awaiting_seeds_from
    assert (1,) == match.as_seat(0).contribute_seed("mio").awaiting_seeds_from
    assert () == match.as_seat(1).contribute_seed("tuo").awaiting_seeds_from
    with pytest.raises(errors.NotPossibleNow) as late:
        match.as_seat(1).contribute_seed("more")
    assert ErrorCode.NO_SHUFFLE_PENDING == late.value.code
    play_out(match, Random(2))
    (shuffle,) = match.shuffles()
    assert (commitment, ["mio", "tuo"]) == (shuffle.commitment, [one.seed for one in shuffle.client_seeds])
    assert fairness.is_fair(shuffle, client.game("briscola").pack)


def test_referee_may_shuffle_without_missing_seeds(client: Chitarrella) -> None:
    """The referee may have the pack shuffled without the seeds that are missing."""
    match = client.create_match("briscola", players=2, pack_source="shared")
    assert () == match.shuffle_now().awaiting_seeds_from
    assert match.legal_moves().moves


# ---------------------------------------------------------------------- rotate key


def test_seat_and_referee_replace_keys(client: Chitarrella) -> None:
    """A seat replaces its own key, the referee that of a seat, then its own; each result has the new keys."""
    match = client.create_match("briscola")
    before = match.as_seat(0)
    safe = before.rotate_key()
    assert (0, safe.key) == (safe.get().seat, safe.keys[0])
    with pytest.raises(errors.BadKey):
        before.get()
    after = match.rotate_key(0)
    assert match.key == after.key
    assert 0 == after.as_seat(0).get().seat
    with pytest.raises(errors.BadKey):
        safe.get()
    last = after.rotate_key()
    assert dict(after.keys) == dict(last.keys)
    assert last.legal_moves().seat is not None
    with pytest.raises(errors.BadKey):
        after.abort()
    assert 1 == last.as_seat(1).get().seat
    assert not any(key in repr(one) for one in (safe, last) for key in (safe.key, last.key))


def test_watch_with_a_closed_key_raises(client: Chitarrella) -> None:
    """A watch does not go on reconnecting with a key that was replaced."""
    match = client.create_match("briscola")
    seat = match.as_seat(0)
    watch = seat.watch()
    assert 1 == next(watch).revision
    seat.rotate_key()
    with pytest.raises(errors.BadKey):
        next(watch)


def test_lost_answer_gives_the_key_again(opens_through: Opens, proxy: Proxy) -> None:
    """A rotation whose answer is lost is repeated by the client with the old key, and gives the new one."""
    match = opens_through().create_match("briscola")
    for role in (match.as_seat(1), match):
        proxy.lose_answers(1)
        safe = role.rotate_key()
        assert safe.key != role.key
        assert safe.get().revision == 1
        with pytest.raises(errors.BadKey):
            role.get()
    assert 2 == proxy.lost
