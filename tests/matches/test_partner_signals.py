"""What partners tell each other stays between them."""

from __future__ import annotations

import pytest

from chitarrella.api.caller import Caller
from chitarrella.api.matches import MatchServicer
from chitarrella.core.model import REFEREE, Move, Viewer
from chitarrella.matches.model import CreatedMatch, CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import WatchHub
from chitarrella.v1 import matches_pb2 as pb
from tests.matches.playing import (
    PARTNERS,
    check_consistency,
    choice,
    go_on,
    same_answer,
)

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
