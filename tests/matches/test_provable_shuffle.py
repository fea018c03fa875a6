"""Fair deals: what was promised before the first card is what was dealt, and anybody can check it afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from chitarrella import errors
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import ITALIAN
from chitarrella.core.game import legal_moves, seat_to_move
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.provable_shuffle import commit, derive_nonce, verify
from chitarrella.matches.chance import Shuffle, awaiting_seeds_from, next_commitment, shuffles_of
from chitarrella.matches.control import CONTRIBUTE_SEED, SHUFFLE_NOW, ControlAction, ControlState
from chitarrella.matches.metadata import Clock
from chitarrella.matches.model import CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.storage.rows import Appended, Conflict, Duplicate
from tests.matches.playing import CATALOGUE, LONG_MATCH, SHORT, go_on, operations, play_out

LOT = RuleSet("coech", 2, (("first_dealer", "by_lot"),))


# ---------------------------------------------------------------------- kept matches


def shuffles(service: MatchService, match: str) -> list[Shuffle]:
    """List the shuffles of a match."""
    history, lines = service.repository.history(match)
    return shuffles_of(history, lines, service.repository.load(match).metadata)


def promised(service: MatchService, match: str) -> str:
    """Read the commitment to the next shuffle."""
    snapshot = service.repository.load(match)
    return next_commitment(snapshot.metadata, snapshot.control)


def test_pack_follows_from_the_commitment(service: MatchService, other: MatchService) -> None:
    """The pack of each deal follows from the commitment published before it."""
    opened = service.create(CreateMatch(LONG_MATCH))
    before = [promised(service, opened.match)]
    for _ in range(2):
        go_on(service, opened.match, 40)
        before.append(promised(other, opened.match))
    made = shuffles(other, opened.match)
    assert [1, 2, 3] == [one.number for one in made]
    seed = opened.snapshot.metadata.seed
    for one, commitment in zip(made[1:], before, strict=False):
        nonce = derive_nonce(seed, one.number)
        assert commitment == commit(nonce)
        assert one.is_provable
        assert not verify(ITALIAN.cards, one.move.cards, commitment, nonce, one.number)


def test_proof_is_published_after_the_deal(service: MatchService) -> None:
    """The proof of a pack is published when its deal is over, that of a lot at once."""
    opened = service.create(CreateMatch(LONG_MATCH))
    go_on(service, opened.match, 39)
    assert [False] == [one.is_revealed for one in shuffles(service, opened.match)]
    go_on(service, opened.match, 1)
    assert [True, False] == [one.is_revealed for one in shuffles(service, opened.match)]
    lot = service.create(CreateMatch(LOT))
    assert [("draw_dealer", True), ("start_deal", False)] == [
        (one.move.verb, one.is_revealed) for one in shuffles(service, lot.match)
    ]


def test_finished_match_proves_every_shuffle(service: MatchService) -> None:
    """When the match is over every shuffle is proved."""
    opened = service.create(CreateMatch(SHORT))
    play_out(service, opened.match)
    assert {(True, True)} == {(one.is_provable, one.is_revealed) for one in shuffles(service, opened.match)}


def test_supplied_pack_has_no_proof(service: MatchService) -> None:
    """A supplied pack is marked as such; the next one of the service is proved again."""
    opened = service.create(CreateMatch(LONG_MATCH, pack=tuple(reversed(ITALIAN.cards))))
    go_on(service, opened.match, 40)
    assert [False, True] == [one.is_provable for one in shuffles(service, opened.match)]


def test_referee_packs_have_no_commitment(service: MatchService) -> None:
    """With packs supplied by the referee there is no commitment."""
    opened = service.create(CreateMatch(SHORT, pack_source="referee"))
    assert "" == promised(service, opened.match)


def test_every_match_has_its_own_commitment(service: MatchService) -> None:
    """No two matches publish the same commitment."""
    assert 20 == len({promised(service, service.create(CreateMatch(SHORT)).match) for _ in range(20)})


# ---------------------------------------------------------------------- client seeds


def test_shared_pack_waits_for_every_seed(service: MatchService, other: MatchService) -> None:
    """A shared pack is dealt when the last person has contributed a seed, and follows from all of them."""
    opened = service.create(CreateMatch(SHORT, pack_source="shared"))
    first = promised(service, opened.match)
    assert (CHANCE, (0, 1)) == (
        opened.snapshot.game.turn(opened.snapshot.position),
        awaiting_seeds_from(opened.snapshot),
    )
    snapshot = operations(service).contribute_seed(opened.match, ControlAction(1, CONTRIBUTE_SEED, "uno|due %"))
    assert ((0,), 1) == (awaiting_seeds_from(snapshot), snapshot.row.revision)
    snapshot = operations(other).contribute_seed(opened.match, ControlAction(0, CONTRIBUTE_SEED, "tre"))
    assert ((), 3, ControlState(1)) == (awaiting_seeds_from(snapshot), snapshot.row.revision, snapshot.control)
    (one,) = shuffles(other, opened.match)
    assert ((0, "tre"), (1, "uno|due %")) == one.client_seeds
    nonce = derive_nonce(snapshot.metadata.seed, 1)
    assert not verify(ITALIAN.cards, one.move.cards, first, nonce, 1, one.client_seeds)
    assert "order_mismatch" == verify(ITALIAN.cards, one.move.cards, first, nonce, 1)


def test_later_deals_wait_for_new_seeds(service: MatchService) -> None:
    """The next pack waits for seeds again; the record of the match holds its moves alone."""
    opened = service.create(CreateMatch(LONG_MATCH, pack_source="shared"))
    for seed in ("a", "b"):
        for seat in (0, 1):
            operations(service).contribute_seed(opened.match, ControlAction(seat, CONTRIBUTE_SEED, seed))
        go_on(service, opened.match, 40)
    assert (0, 1) == awaiting_seeds_from(service.repository.load(opened.match))
    assert [True, True] == [one.is_revealed for one in shuffles(service, opened.match)]
    assert [((0, "a"), (1, "a")), ((0, "b"), (1, "b"))] == [one.client_seeds for one in shuffles(service, opened.match)]
    assert "!" not in service.repository.format_record(opened.match)


def test_referee_may_deal_without_missing_seeds(service: MatchService) -> None:
    """The referee may have the pack dealt with the seeds that are there."""
    opened = service.create(CreateMatch(SHORT, pack_source="shared"))
    operations(service).contribute_seed(opened.match, ControlAction(1, CONTRIBUTE_SEED, "here"))
    snapshot = operations(service).contribute_seed(opened.match, ControlAction(CHANCE, SHUFFLE_NOW))
    assert snapshot.position.hands
    assert [((1, "here"),)] == [one.client_seeds for one in shuffles(service, opened.match)]


@pytest.mark.parametrize("packs", ["referee", "shared"])
def test_no_pack_is_dealt_before_the_lot(service: MatchService, packs: str) -> None:
    """Where the lot of the first dealer was not drawn as agreed, no pack is accepted in its place."""
    rule_set = RuleSet("coech", 4)
    pack = CATALOGUE.game_for(rule_set).pack.cards
    with pytest.raises(errors.BadRequest) as failed:
        service.create(CreateMatch(rule_set, pack_source=packs, pack=pack))
    assert ("bad_pack", "pack") == (failed.value.code, failed.value.field)
    opened = service.create(CreateMatch(rule_set, pack=pack))
    assert [True, False] == [one.is_provable for one in shuffles(service, opened.match)]


def test_aborted_match_awaits_no_seed(service: MatchService) -> None:
    """A match that awaits seeds and is aborted awaits none."""
    opened = service.create(CreateMatch(SHORT, pack_source="shared"))
    assert () == awaiting_seeds_from(service.abort(opened.match))


def impossible(service: MatchService, match: str, act: ControlAction) -> str:
    """Try an operation of the service that is not possible now, and give the reason code."""
    with pytest.raises(errors.NotPossibleNow) as failed:
        operations(service).contribute_seed(match, act)
    return failed.value.code


def test_late_or_changed_seed_is_an_error(service: MatchService) -> None:
    """The same seed again changes nothing; another one, or one when no shuffle is pending, is an error."""
    opened = service.create(CreateMatch(SHORT, pack_source="shared"))
    first = operations(service).contribute_seed(opened.match, ControlAction(0, CONTRIBUTE_SEED, "mine"))
    assert first.row == operations(service).contribute_seed(opened.match, ControlAction(0, CONTRIBUTE_SEED, "mine")).row
    assert "already_contributed" == impossible(service, opened.match, ControlAction(0, CONTRIBUTE_SEED, "better"))
    operations(service).contribute_seed(opened.match, ControlAction(1, CONTRIBUTE_SEED, "yours"))
    for act in (ControlAction(1, CONTRIBUTE_SEED, "late"), ControlAction(CHANCE, SHUFFLE_NOW)):
        assert "no_shuffle_pending" == impossible(service, opened.match, act)
    alone = service.create(CreateMatch(SHORT))
    assert "no_shuffle_pending" == impossible(service, alone.match, ControlAction(0, CONTRIBUTE_SEED, "seed"))
    ended = service.create(CreateMatch(SHORT, pack_source="shared"))
    service.abort(ended.match)
    assert "match_aborted" == impossible(service, ended.match, ControlAction(0, CONTRIBUTE_SEED, "seed"))


def test_repeated_seed_of_a_lot_does_not_count_for_the_pack(service: MatchService, other: MatchService) -> None:
    """A seed sent again because its answer was lost does not count for the following shuffle."""
    opened = service.create(CreateMatch(LOT, pack_source="shared"))
    operations(service).contribute_seed(opened.match, ControlAction(0, CONTRIBUTE_SEED, "mine"), "first")
    last = ControlAction(1, CONTRIBUTE_SEED, "yours")
    after = operations(service).contribute_seed(opened.match, last, "last")
    assert ["draw_dealer"] == [one.move.verb for one in shuffles(service, opened.match)]
    assert (0, 1) == awaiting_seeds_from(after)
    assert after.row == operations(other).contribute_seed(opened.match, last, "last").row
    for act in (ControlAction(1, CONTRIBUTE_SEED, "better"), last._replace(actor=0)):
        with pytest.raises(errors.AlreadyExists) as reused:
            operations(other).contribute_seed(opened.match, act, "last" if act.actor else "first")
        assert ("request_reused", "request_id") == (reused.value.code, reused.value.field)
    assert (0,) == awaiting_seeds_from(operations(other).contribute_seed(opened.match, last, "for the pack"))


def test_append_that_another_call_has_made_counts_once_and_is_scheduled(
    service: MatchService, clock_ms: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An append that a call with the same token has just made counts once, and what is due is scheduled."""
    append = service.store.matches.append

    def twice(*lines: Any) -> Appended | Conflict | Duplicate:
        append(*lines)
        return append(*lines)

    monkeypatch.setattr(service.store.matches, "append", twice)
    opened = service.create(CreateMatch(LOT, pack_source="shared", clock=Clock(1_000, 0)))
    assert (0,) == awaiting_seeds_from(
        operations(service).contribute_seed(opened.match, ControlAction(1, CONTRIBUTE_SEED, "yours"))
    )
    assert "deal" not in service.repository.read_log(opened.match)[-1]
    service.store.schedule.set(opened.match, None)
    assert (0, 1) == awaiting_seeds_from(
        operations(service).contribute_seed(opened.match, ControlAction(0, CONTRIBUTE_SEED, "mine"))
    )
    assert [opened.match] == service.store.schedule.claim(clock_ms[0] + 1_001, 1, 10)
    clock_ms[0] += 1_001
    timed_out, snapshot = operations(service).clock.enforce(opened.match)
    assert (True, ()) == (timed_out, awaiting_seeds_from(snapshot))
    service.store.schedule.set(opened.match, None)
    seat = seat_to_move(snapshot.game, snapshot.position) or 0
    move = MoveRequest(seat, legal_moves(snapshot.game, snapshot.position, seat)[0], request_id="move")
    played = service.play(opened.match, move)
    assert (True, True) == (played.accepted, played.repeated)
    assert [opened.match] == service.store.schedule.claim(clock_ms[0] + 1_001, 1, 10)


def test_moves_before_the_pack_are_refused_by_phase(service: MatchService) -> None:
    """While seeds are waited for every move of a seat is refused as one of another phase."""
    opened = service.create(CreateMatch(SHORT, pack_source="shared"))
    played = service.play(opened.match, MoveRequest(0, Move("play_card", ITALIAN.cards[:1])))
    assert (False, ["wrong_phase"]) == (played.accepted, [refusal.code for refusal in played.refusals])
