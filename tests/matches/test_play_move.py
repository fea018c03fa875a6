"""Validating and playing moves: revisions, workers that remember, and how matches end."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.matches import MatchServicer
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.model import CHANCE, REFEREE, Edition, Move, Viewer
from chitarrella.games.briscola import BRISCOLA
from chitarrella.games.briscolone import BRISCOLONE
from chitarrella.matches.history import Cursor
from chitarrella.matches.metadata import Clock
from chitarrella.matches.model import CreatedMatch, CreateMatch, MoveRequest
from chitarrella.matches.scheduler import LEASE_MS, Scheduler
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import WatchHub
from chitarrella.storage.redis_store import RedisStore
from chitarrella.v1 import matches_pb2 as pb
from tests.matches.playing import (
    LONG_MATCH,
    PARTNERS,
    SHORT,
    check_consistency,
    choice,
    go_on,
    operations,
    parse,
    play_out,
    raised,
    same_answer,
    unheld,
)
from tests.servers import until

# ---------------------------------------------------------------------- moving


def test_move_at_expected_revision_is_played(service: MatchService) -> None:
    """A move at the expected revision is played; its events come with the next revision."""
    opened = service.create(CreateMatch(SHORT))
    request = choice(opened.snapshot)._replace(expected_revision=1)
    played = service.play(opened.match, request)
    assert (True, (), 2, False) == (played.accepted, played.refusals, played.revision, played.repeated)
    assert [Cursor(2)] == [events.cursor for events in played.updates]
    assert request.move.cards == played.updates[0].events[0].cards
    assert played.snapshot.row == service.repository.load(opened.match).row


@pytest.mark.parametrize("expected", [0, 1, 3, 4_000_000_000])
def test_move_at_stale_revision_returns_the_present_one(
    service: MatchService, other: MatchService, expected: int
) -> None:
    """A stale expected revision is an error that names the present one, and nothing is played."""
    opened = service.create(CreateMatch(SHORT))
    go_on(service, opened.match)
    for asked in (service, other):
        with pytest.raises(errors.Stale) as wrong:
            asked.play(opened.match, choice(asked.repository.load(opened.match))._replace(expected_revision=expected))
        raised(errors.Stale, "stale_revision" if expected < 2 else "moves_lost", by=wrong.value)
        assert {"revision": "2", "still_legal": "true"} == wrong.value.details
        with pytest.raises(errors.Stale) as wrong:
            asked.play(opened.match, unheld(asked.repository.load(opened.match))._replace(expected_revision=expected))
        assert {"revision": "2", "still_legal": "false"} == wrong.value.details
    assert 2 == len(check_consistency(service, opened))


def test_illegal_move_is_an_answer_without_effect(service: MatchService) -> None:
    """A refusal names the clause, changes nothing, and its request id stays free."""
    opened = service.create(CreateMatch(SHORT))
    wrong = unheld(opened.snapshot)._replace(request_id="request")
    for _ in range(2):
        played = service.play(opened.match, wrong)
        assert (False, ["not_in_hand"], 1, (), False) == (
            played.accepted,
            [refusal.code for refusal in played.refusals],
            played.revision,
            played.updates,
            played.repeated,
        )
    assert opened.snapshot.row == service.repository.load(opened.match).row
    assert service.play(opened.match, choice(opened.snapshot)._replace(request_id="request")).accepted


def test_stale_cache_is_reloaded_before_validation(service: MatchService, other: MatchService) -> None:
    """A worker with an outdated cache validates by the stored position."""
    opened = service.create(CreateMatch(SHORT))
    assert opened.snapshot.row == other.repository.load(opened.match).row
    first = choice(opened.snapshot)
    go_on(service, opened.match, 3)
    refused = other.play(opened.match, first)
    assert (False, 4) == (refused.accepted, refused.revision)
    request = choice(service.repository.load(opened.match))
    go_on(service, opened.match)
    fresh = choice(service.repository.load(opened.match))
    assert request != fresh
    assert other.play(opened.match, fresh).accepted
    assert 6 == len(check_consistency(other, opened))


def test_two_workers_play_one_match(service: MatchService, other: MatchService) -> None:
    """Two workers on one store play a match to the end together."""
    opened = service.create(CreateMatch(SHORT))
    asked = [service, other]
    while not (snapshot := asked[0].repository.cached(opened.match)).game.is_finished(snapshot.position):
        snapshot = asked[1].repository.load(opened.match)
        if snapshot.game.is_finished(snapshot.position):
            break
        assert asked[0].play(opened.match, choice(snapshot)._replace(expected_revision=snapshot.row.revision)).accepted
        asked.reverse()
    log = check_consistency(service, opened)
    assert len(log) > 40
    assert service.repository.format_record(opened.match) == other.repository.format_record(opened.match)


# ---------------------------------------------------------------------- endings


def test_finished_match_refuses_moves(service: MatchService, other: MatchService) -> None:
    """A finished match accepts no move and no pack, and the refusal says that it is over."""
    opened = service.create(CreateMatch(SHORT))
    play_out(service, opened.match)
    snapshot = service.repository.load(opened.match)
    pack = Move("start_deal", snapshot.game.pack.cards)
    for asked in (service, other):
        for request in (MoveRequest(0, Move("play_card", (snapshot.game.pack.cards[0],))), MoveRequest(CHANCE, pack)):
            played = asked.play(opened.match, request)
            assert (False, ["match_over"]) == (played.accepted, [refusal.code for refusal in played.refusals])
    check_consistency(service, opened)


def test_aborted_match_refuses_moves(service: MatchService, other: MatchService) -> None:
    """An aborted match can be read and aborted again, but not played; an old request is still answered."""
    opened = service.create(CreateMatch(SHORT))
    request = choice(opened.snapshot)._replace(request_id="request")
    first = service.play(opened.match, request)
    other.repository.load(opened.match)
    for _ in range(2):
        assert first.snapshot.row._replace(aborted=True) == service.abort(opened.match).row
    for asked in (service, other):
        with pytest.raises(errors.NotPossibleNow) as wrong:
            asked.play(opened.match, choice(asked.repository.load(opened.match)))
        raised(errors.NotPossibleNow, "match_aborted", by=wrong.value)
        same_answer(first, asked.play(opened.match, request))
    assert 2 == len(check_consistency(other, opened))


def test_unknown_match_is_an_error_everywhere(service: MatchService) -> None:
    """Every call about a match that does not exist returns the same error."""
    request = choice(service.create(CreateMatch(SHORT)).snapshot)
    for ask in (
        lambda: service.repository.load("none"),
        lambda: service.repository.cached("none"),
        lambda: service.play("none", request),
        lambda: service.abort("none"),
        lambda: service.repository.format_record("none"),
        lambda: service.repository.history("none"),
    ):
        with pytest.raises(errors.NotFound) as wrong:
            ask()
        raised(errors.NotFound, "no_such_match", by=wrong.value)


def test_expired_match_is_gone_despite_the_cache(service: MatchService) -> None:
    """A match in a worker's cache that has expired in the store does not exist."""
    opened = service.create(CreateMatch(SHORT, ttl_seconds=1))
    until(lambda: not service.repository.read_log(opened.match), "the match is forgotten", 5)
    for ask in (
        lambda: service.play(opened.match, choice(opened.snapshot)),
        lambda: service.play(opened.match, unheld(opened.snapshot)),
        lambda: service.repository.load(opened.match),
        lambda: service.abort(opened.match),
    ):
        with pytest.raises(errors.NotFound):
            ask()


def test_match_keeps_its_edition(service: MatchService, store: RedisStore) -> None:
    """A match is played to its end in the edition that it began with; new matches get the latest."""
    opened = service.create(CreateMatch(SHORT))
    tomorrow = ModuleType("tomorrow")
    later = (*BRISCOLA.editions, Edition(2, "Another game."))
    tomorrow.GAMES = (replace(BRISCOLA, editions=later, title="New"), BRISCOLA)  # type: ignore[attr-defined]  # a module is what it is given
    catalogue = Catalogue(iter([tomorrow]))
    worker_b = MatchService(catalogue, store)
    go_on(worker_b, opened.match, 40)
    snapshot = worker_b.repository.load(opened.match)
    assert (1, BRISCOLA.title) == (snapshot.metadata.rule_set.edition, snapshot.game.title)
    assert "edition 1\n" in worker_b.repository.format_record(opened.match)
    assert (2, "New") == (
        worker_b.create(CreateMatch(SHORT)).snapshot.metadata.rule_set.edition,
        catalogue.game("briscola").title,
    )
    assert [True, True, False] == [catalogue.has_edition("briscola", number) for number in (1, 2, 3)]


def test_unreadable_position_is_an_error_without_cards(
    service: MatchService, other: MatchService, store: RedisStore
) -> None:
    """A stored position that today's rules cannot read is an error that names no card of it."""
    opened = service.create(CreateMatch(SHORT))
    (row_key,) = [
        name
        for name in store.connection.client.scan_iter(f"*{opened.match}*")
        if store.connection.client.type(name) == "hash"
    ]
    assert store.connection.client.hset(row_key, "position", "phase=play dealer=0 hands=Ab,Ab/Ab") == 0
    with pytest.raises(errors.NotPossibleNow) as wrong:
        other.repository.load(opened.match)
    raised(errors.NotPossibleNow, "edition_not_supported", by=wrong.value)
    assert "Ab" not in str(wrong.value)


def test_unknown_edition_is_an_error(service: MatchService, store: RedisStore) -> None:
    """A match of an edition that this release does not have is neither validated nor replayed: an error, whatever is
    asked.
    """
    tomorrow = ModuleType("tomorrow")
    tomorrow.GAMES = (replace(BRISCOLA, editions=(Edition(2, "Another game."),)),)  # type: ignore[attr-defined]  # a module is what it is given
    later = MatchService(Catalogue(iter([tomorrow])), store)
    opened = later.create(CreateMatch(SHORT))
    assert 2 == opened.snapshot.metadata.rule_set.edition
    for ask in (
        lambda: service.repository.load(opened.match),
        lambda: service.repository.cached(opened.match),
        lambda: service.play(opened.match, choice(opened.snapshot)),
        lambda: service.abort(opened.match),
        lambda: service.repository.format_record(opened.match),
        lambda: service.repository.history(opened.match),
    ):
        with pytest.raises(errors.NotPossibleNow) as wrong:
            ask()
        raised(errors.NotPossibleNow, "edition_not_supported", by=wrong.value)


def test_match_of_a_game_that_is_not_installed_is_kept(store: RedisStore) -> None:
    """Without the package of its game every question about a match has a code of its own; with it the match goes on."""
    absent, present = ModuleType("absent"), ModuleType("present")
    absent.GAMES = (BRISCOLONE,)  # type: ignore[attr-defined]  # a module is what it is given
    present.GAMES = (BRISCOLA,)  # type: ignore[attr-defined]  # a module is what it is given
    without, installed = (MatchService(Catalogue(iter([module])), store) for module in (absent, present))
    opened = installed.create(CreateMatch(SHORT))
    before = store.matches.load(opened.match)
    for ask in (
        lambda: without.repository.load(opened.match),
        lambda: without.play(opened.match, choice(opened.snapshot)),
        lambda: without.abort(opened.match),
        lambda: without.repository.format_record(opened.match),
    ):
        with pytest.raises(errors.NotPossibleNow) as wrong:
            ask()
        raised(errors.NotPossibleNow, "game_not_installed", by=wrong.value)
        assert "briscola" in str(wrong.value)
    assert before == store.matches.load(opened.match)
    go_on(installed, opened.match, 2)


def test_due_matches_of_unknown_games_are_left_to_other_workers(
    service: MatchService, store: RedisStore, clock_ms: list[int]
) -> None:
    """A worker leaves due matches of games or editions that it does not know to others, and can delete them."""
    tomorrow, yesterday = ModuleType("tomorrow"), ModuleType("yesterday")
    tomorrow.GAMES = (replace(BRISCOLA, editions=(Edition(2, "Another game."),)),)  # type: ignore[attr-defined]  # a module is what it is given
    yesterday.GAMES = (BRISCOLONE,)  # type: ignore[attr-defined]  # a module is what it is given
    later, before = (MatchService(Catalogue(iter([module])), store) for module in (tomorrow, yesterday))
    opened = later.create(CreateMatch(SHORT, clock=Clock(1_000, 0), platform="acme"))
    known = before.create(CreateMatch(RuleSet("briscolone", 2), clock=Clock(1_000, 0), platform="acme"))
    assert [known.match] == [match for match, _ in service.lists.page("acme", "", 10)[0]]
    clock_ms[0] += 2_000
    assert (
        1 == Scheduler(operations(before), before.store).run_once()
    )  # the other match is passed over, and does not hold this one up
    assert [1, 3] == [
        later.repository.load(opened.match).row.revision,
        before.repository.load(known.match).row.revision,
    ]
    clock_ms[0] += LEASE_MS
    assert 1 == Scheduler(operations(later), later.store).run_once()
    assert 3 == later.repository.load(opened.match).row.revision
    before.delete(opened.match)
    for connect_service in (before, later):  # one that remembers the match asks the store, too
        with pytest.raises(errors.NotFound):
            connect_service.delete(opened.match)


# ---------------------------------------------------------------------- request ids


@pytest.mark.parametrize("later", [0, 1, 5, 39, 45])
def test_repeated_request_is_answered_as_before(service: MatchService, other: MatchService, later: int) -> None:
    """A repeated request gets the first answer, however far the match has come since, and plays nothing."""
    opened = service.create(CreateMatch(LONG_MATCH))
    request = choice(opened.snapshot)._replace(expected_revision=1, request_id="request")
    first = service.play(opened.match, request)
    go_on(service, opened.match, later) if later else None
    log = service.repository.read_log(opened.match)
    for asked in (service, other):
        same_answer(first, asked.play(opened.match, request))
        same_answer(first, asked.play(opened.match, request._replace(expected_revision=None)))
    assert log == check_consistency(service, opened)


def test_repeated_request_of_the_last_move_returns_the_same_deal(service: MatchService, other: MatchService) -> None:
    """The move that ended a deal is answered with the same next deal again, also deals later."""
    opened = service.create(CreateMatch(LONG_MATCH))
    go_on(service, opened.match, 39)
    request = choice(service.repository.load(opened.match))._replace(request_id="request")
    first = service.play(opened.match, request)
    assert 2 == len(first.updates)
    for later in (0, 7, 80):
        go_on(service, opened.match, later) if later else None
        for asked in (service, other):
            same_answer(first, asked.play(opened.match, request))
    check_consistency(service, opened)


def test_request_id_with_another_move_is_an_error(service: MatchService, other: MatchService) -> None:
    """A request id that has made a move makes no other one, legal or not; it still names the first."""
    opened = service.create(CreateMatch(SHORT))
    request = choice(opened.snapshot)._replace(request_id="request")
    first = service.play(opened.match, request)
    seat, hand = (
        request.actor,
        [card for card in opened.snapshot.position.hands[request.actor] if card not in request.move.cards],
    )
    for asked in (service, other):
        for card in (hand[0], hand[1], next(iter(unheld(opened.snapshot).move.cards))):
            with pytest.raises(errors.AlreadyExists) as wrong:
                asked.play(opened.match, MoveRequest(seat, Move("play_card", (card,)), None, "request"))
            raised(errors.AlreadyExists, "request_reused", by=wrong.value)
    same_answer(first, other.play(opened.match, request))
    assert 2 == len(check_consistency(service, opened))


def test_request_ids_are_per_match(service: MatchService) -> None:
    """Request ids of two matches are independent."""
    for _ in range(2):
        opened = service.create(CreateMatch(SHORT))
        assert not service.play(opened.match, choice(opened.snapshot)._replace(request_id="1")).repeated


def test_request_ids_are_per_seat(service: MatchService) -> None:
    """Two seats may use the same request ids, and learn nothing of each other by it."""
    opened = service.create(CreateMatch(PARTNERS))
    assert service.play(opened.match, MoveRequest(3, parse(opened.snapshot, "signal A"), None, "1")).accepted
    for _ in range(4):
        played = service.play(opened.match, choice(service.repository.load(opened.match))._replace(request_id="2"))
        assert (True, False) == (played.accepted, played.repeated)
    assert 6 == len(check_consistency(service, opened))


def test_move_without_request_id_is_always_new(service: MatchService) -> None:
    """Without a request id the same move is a new one, and refused where it is illegal."""
    opened = service.create(CreateMatch(SHORT))
    request = choice(opened.snapshot)
    assert service.play(opened.match, request).accepted
    again = service.play(opened.match, request)
    assert (False, False) == (again.accepted, again.repeated)


# ---------------------------------------------------------------------- partner signals


# ---------------------------------------------------------------------- what partners tell each other


class Visible:
    """All that a viewer can ask about a match, as bytes."""

    def __init__(self, api: MatchServicer, opened: CreatedMatch) -> None:
        self.api, self.opened = api, opened

    def caller(self, viewer: Viewer) -> Caller:
        """The caller with the key of that viewer."""
        keys = {**dict(self.opened.keys), REFEREE: self.opened.referee_key}
        return Caller("" if viewer is None else keys[viewer])

    def everything(self, viewer: Viewer) -> tuple[bytes, ...]:
        """The table, its cursor, the events, what may be played."""
        match, caller = self.opened.match, self.caller(viewer)
        answers = [
            self.api.GetMatch(pb.GetMatchRequest(match_id=match), caller),
            self.api.ListEvents(pb.ListEventsRequest(match_id=match), caller),
        ]
        if viewer is not None:
            answers.append(self.api.ListMatchMoves(pb.ListMatchMovesRequest(match_id=match), caller))
            answers.append(self.api.ExplainMatchHand(pb.ExplainMatchHandRequest(match_id=match), caller))
        return tuple(answer.SerializeToString(deterministic=True) for answer in answers)


@pytest.fixture
def visible(service: MatchService) -> Visible:
    """A table of four who may signal, three cards played."""
    opened = service.create(CreateMatch(PARTNERS))
    go_on(service, opened.match, 3)
    return Visible(MatchServicer(service, WatchHub(service.repository, service.store.subscriptions)), opened)


def test_signal_is_visible_to_partner_and_referee_only(service: MatchService, visible: Visible) -> None:
    """A signal changes nothing that opponents and public can ask for; the partner and the referee see it."""
    viewer: tuple[Viewer, ...] = (None, 1, 3)
    before = {one: visible.everything(one) for one in (*viewer, 0, 2, REFEREE)}
    played = service.play(visible.opened.match, MoveRequest(2, Move("signal", choice="A"), 4))
    events = [event.kind for one in played.updates for event in one.events]
    assert (True, 4, ["signalled"]) == (played.accepted, played.revision, events)
    after = {one: visible.everything(one) for one in before}
    assert {0, 2, REFEREE} == {one for one in before if before[one] != after[one]}
    check_consistency(service, visible.opened)


def test_signal_does_not_conflict_with_expected_revision(
    service: MatchService, other: MatchService, visible: Visible
) -> None:
    """An expected revision stays valid after a signal that its caller cannot see, on any worker."""
    match = visible.opened.match
    other.repository.load(match)
    for seat in (0, 1, 2, 3):
        for rank in ("A", "3"):
            service.play(match, MoveRequest(seat, Move("signal", choice=rank), 4, f"{seat} {rank}"))
    request = choice(other.repository.load(match))._replace(expected_revision=4)
    played = other.play(match, request)
    assert (True, 5) == (played.accepted, played.revision)
    assert 13 == len(check_consistency(service, visible.opened))


def test_repeated_signal_is_answered_as_before(service: MatchService, visible: Visible) -> None:
    """A signal whose request is repeated gets the first answer, also when cards have been played since."""
    match = visible.opened.match
    request = MoveRequest(2, Move("signal", choice="A"), 4, "request")
    first = service.play(match, request)
    same_answer(first, service.play(match, request))
    go_on(service, match, 2)
    same_answer(first, service.play(match, request))


def test_revisions_are_numbered_per_viewer(service: MatchService, visible: Visible) -> None:
    """Two signals of one side and one of the other: each viewer's updates are numbered without a gap."""
    match = visible.opened.match
    for seat, rank in ((2, "A"), (1, "A"), (0, "3")):
        service.play(match, MoveRequest(seat, Move("signal", choice=rank)))
    cursors = {
        viewer: visible.api.GetMatch(pb.GetMatchRequest(match_id=match), visible.caller(viewer)).cursor
        for viewer in (None, 0, 1, 2, 3, REFEREE)
    }
    assert {None: "4.0", 0: "4.2", 1: "4.1", 2: "4.2", 3: "4.1", REFEREE: "4.3"} == cursors
    go_on(service, match)
    for viewer, cursor in cursors.items():
        listed = visible.api.ListEvents(pb.ListEventsRequest(match_id=match, cursor=cursor), visible.caller(viewer))
        assert ["5.0"] == [events.cursor for events in listed.moves]
        assert "5.0" == listed.cursor
