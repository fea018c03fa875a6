"""Kept matches, through the client with both faces, on a real service.

What a call answers, and each of its errors, is in the scenarios of ``clients/conformance``, for both faces.
"""

import time
from dataclasses import replace
from datetime import UTC, datetime
from itertools import cycle
from random import Random
from typing import Any
from uuid import uuid4

import grpc
import pytest

import chitarrella_client
from chitarrella.transports.inprocess import Service as ServiceClocks
from chitarrella.transports.inprocess import channel
from chitarrella_client import Chitarrella, ErrorCode, MatchState, Move, Refused, Waiting, errors, fairness
from tests.client.conftest import Opens, play_out, step
from tests.client.proxy import Proxy
from tests.server.process import Service
from tests.walks import CATALOGUE


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("opens", "game"),
    list(zip(cycle(["threads", "asyncio"]), [game.key for game in CATALOGUE], strict=False)),
    indirect=["opens"],
)
def test_whole_match(opens: Opens, game: str) -> None:
    """Every game can be played to its end, a watch has every event, and the import of its record is the same match."""
    client = opens()
    match = client.create_match(game)
    assert 0 < play_out(match, Random(game))
    state = match.get()
    assert state.over
    updates = list(match.watch())
    assert list(match.events()) == updates
    assert (state.revision, state.cursor) == (updates[-1].revision, updates[-1].cursor)
    public = client.match(match.id)
    played_out = state.view.outcome is not None
    record = (public if played_out else match).record()
    assert f"game {game}" == record.splitlines()[0]
    assert public.get().view.outcome == state.view.outcome
    again = client.import_match(record, pack_source="referee")
    there = again.get().view  # a match that was aborted waits for nobody, the import of its record goes on
    aborted: dict[str, Any] = {} if played_out else {"waiting": there.waiting, "turn": there.turn, "turns": there.turns}
    assert replace(state.view, **aborted) == there
    assert [update.events for update in updates] == [update.events for update in again.events()]


def test_match_is_accessed_as_a_seat(client: Chitarrella) -> None:
    """The referee's key acts for any seat; None, as when no seat is to move, keeps the key and names no seat."""
    match = client.create_match("briscola", pack_source="referee")
    moves = match.legal_moves()
    assert (None, 0) == (moves.seat, len(moves))
    referee = match.as_seat(moves.seat)
    assert (match.key, None) == (referee.key, referee.seat)
    assert referee.play("start_deal", cards=CATALOGUE.game("briscola").pack.cards).accepted
    own = match.as_seat(0).as_seat(None)
    assert (match.keys[0], None) == (own.key, own.seat)
    referee = client.match(match.id, match.key)
    seat = referee.legal_moves().seat
    assert match.as_seat(seat).get() == referee.as_seat(seat).get()
    played = referee.as_seat(seat).play(referee.as_seat(seat).legal_moves()[0], include_view=True)
    assert played.view == match.as_seat(seat).get().view


def test_refusal(client: Chitarrella) -> None:
    """A hand is explained move by move, as each is validated; what is refused is played no more than validated."""
    pack = (CATALOGUE.game("madrasso").pack.cards * 3)[::3]  # no hand is without a suit
    match = client.create_match("madrasso", pack_source="referee")
    assert match.play("start_deal", cards=pack).accepted
    assert step(match, Random(1)) is not None
    moves = match.legal_moves()
    seat = match.as_seat(moves.seat)
    hand = seat.explain_hand()
    assert list(moves) == [explained.move for explained in hand if explained.legal]
    refused = next(explained for explained in hand if not explained.legal)
    for explained in hand:
        assert explained.refusals == seat.validate_move(explained.move).refusals
    played = seat.play(refused.move)
    assert (False, moves.revision, refused.refusals) == (played.accepted, played.revision, played.refusals)
    with pytest.raises(Refused) as raised:
        seat.play_or_raise(refused.move)
    assert (refused.refusals, refused.refusals[0].code) == (raised.value.refusals, raised.value.code)
    assert moves.revision == match.get().revision


def test_repeated_creation(client: Chitarrella) -> None:
    """The same request id creates or imports one match, and returns its keys again; for another it is an error."""
    games = ["briscola", "coech"]
    records = [client.create_match(game).record() for game in games]
    for make, (what, other) in ((client.create_match, games), (client.import_match, records)):
        request_id = str(uuid4())
        first, again = make(what, request_id=request_id), make(what, request_id=request_id)
        assert (first.id, first.key, dict(first.keys)) == (again.id, again.key, dict(again.keys))
        with pytest.raises(errors.RequestReused) as reused:
            make(other, request_id=request_id)
        assert request_id == reused.value.request_id


def test_given_pack_and_position(client: Chitarrella) -> None:
    """A match can begin with a pack that is supplied, by the caller or move by move, or from a position."""
    pack = CATALOGUE.game("briscola").pack.cards
    first = client.create_match("briscola", pack=pack)
    second = client.create_match("briscola", pack_source="referee", options={"rubber_games": 1, "signals": "off"})
    assert Waiting.CHANCE is second.get().view.waiting
    assert second.play("start_deal", cards=pack).accepted
    assert {"rubber_games": "1", "signals": "off"}.items() <= second.get().rule_set.options.items()
    start = client.rules.start_game("briscola")
    dealt = client.rules.apply_moves(start.position, [(None, Move("start_deal", pack))])
    third = client.create_match(dealt.position.rule_set, position=dealt.position)
    assert first.get().view.zones == second.get().view.zones == third.get().view.zones


def test_wrong_keys(client: Chitarrella, opens: Opens, service: Service) -> None:
    """The key of a client is that of its matches; failed calls and watches raise the class of the code."""
    match = client.create_match("briscola")
    with pytest.raises(errors.BadKey):
        opens(service.grpc, "no-key-at-all").match(match.id).get()
    with pytest.raises(errors.NoSuchMatch) as missing:
        client.match("0" * 20, match.key).get()
    assert (ErrorCode.NO_SUCH_MATCH, grpc.StatusCode.NOT_FOUND) == (missing.value.code, missing.value.status)
    with pytest.raises(errors.NoSuchMatch):
        next(iter(client.match("0" * 20, match.key).watch()))
    assert match.key not in repr(match)


def test_aborted_match(client: Chitarrella) -> None:
    """The watch of a match that the referee has aborted ends; aborting it twice changes nothing."""
    match = client.create_match("briscola")
    aborted = match.abort()
    assert aborted == match.abort() == match.get()
    assert (MatchState.ABORTED, True) == (aborted.state, aborted.over)
    assert list(match.events()) == list(match.watch())


# ---------------------------------------------------------------------- clocks


def test_clock_is_enforced(client: Chitarrella) -> None:
    """The result is true for the call that played the move, and tells the deadline where it is early."""
    service = ServiceClocks()
    service._host.scheduler.close()  # nothing enforces the clock but this call
    with channel(service) as in_process:
        match = Chitarrella(in_process).create_match("zifuli", clock=(1, 0))
        state = match.get()
        assert state.deadline is not None
        time.sleep(max(0.0, (state.deadline - datetime.now(UTC)).total_seconds()) + 0.1)
        late = match.enforce_clock()
        assert (True, state.revision + 2) == (late.timed_out, late.match.revision)
    service.close()
    match = client.create_match("briscola", clock=(60, 300))
    public = client.match(match.id)
    assert chitarrella_client.ClockResult(timed_out=False, match=public.get()) == public.enforce_clock()


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
    other = next(amount for amount in lot.lots if amount != lot.amount)
    spoilt_deals = replace(deal, nonce="00" * 32), replace(deal, number=7), replace(deal, cards=deal.cards[::-1])
    for spoilt in (*spoilt_deals, replace(lot, amount=other)):
        assert not fairness.is_fair(spoilt, pack)
        assert not client.rules.verify_shuffle("coech", spoilt)
    assert not fairness.is_fair(chitarrella_client.Shuffle(1, 1, "start_deal", commitment=deal.commitment), pack)


def test_shared_pack_follows_from_the_seeds(client: Chitarrella) -> None:
    """A shared pack waits for a seed of every seat, and the shuffle follows from them."""
    match = client.create_match("briscola", players=2, pack_source="shared", options={"rubber_games": 1})
    commitment = match.get().next_commitment
    assert (0, 1) == match.get().awaiting_seeds_from
    assert (1,) == match.as_seat(0).contribute_seed("mio").awaiting_seeds_from
    assert () == match.as_seat(1).contribute_seed("tuo").awaiting_seeds_from
    play_out(match, Random(2))
    (shuffle,) = match.shuffles()
    assert (commitment, ["mio", "tuo"]) == (shuffle.commitment, [one.seed for one in shuffle.client_seeds])
    assert fairness.is_fair(shuffle, client.game("briscola").pack)


# ---------------------------------------------------------------------- rotate key


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
        assert (True, 1) == (safe.key != role.key, safe.get().revision)
        with pytest.raises(errors.BadKey):
            role.get()
    assert 2 == proxy.lost
