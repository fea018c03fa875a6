"""What partners tell each other stays between them."""

from __future__ import annotations

import pytest

from chitarrella.api.caller import Caller
from chitarrella.api.matches import MatchApi
from chitarrella.hub import Hub
from chitarrella.kept import Opened, Wish
from chitarrella.referee import Referee
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.words import REFEREE, Eyes, Move
from tests.house.table import (
    PARTNERS,
    check_books,
    choice,
    go_on,
    same_answer,
    steward,
)

# ---------------------------------------------------------------------- what partners tell each other


class Looks:
    """All that a pair of eyes can ask about a match, as bytes."""

    def __init__(self, api: MatchApi, opened: Opened) -> None:
        self.api, self.opened = api, opened

    def caller(self, eyes: Eyes) -> Caller:
        """The caller with those eyes."""
        keys = {**dict(self.opened.keys), REFEREE: self.opened.referee_key}
        return Caller("" if eyes is None else keys[eyes])

    def everything(self, eyes: Eyes) -> tuple[bytes, ...]:
        """The table, its cursor, the events, what may be played."""
        match, caller = self.opened.match, self.caller(eyes)
        answers = [
            self.api.GetMatch(pb.GetMatchRequest(match=match), caller),
            self.api.ListEvents(pb.ListEventsRequest(match=match), caller),
        ]
        if eyes is not None:
            answers.append(self.api.ListMatchMoves(pb.ListMatchMovesRequest(match=match), caller))
            answers.append(self.api.ExplainMatchHand(pb.ExplainMatchHandRequest(match=match), caller))
        return tuple(answer.SerializeToString(deterministic=True) for answer in answers)


@pytest.fixture
def looks(referee: Referee) -> Looks:
    """A table of four who may signal, three cards played."""
    opened = referee.open(PARTNERS)
    go_on(referee, opened.match, 3)
    return Looks(MatchApi(referee, steward(referee), Hub(referee)), opened)


def test_a_signal_is_for_the_partner_alone(referee: Referee, looks: Looks) -> None:
    """A signal changes nothing that opponents and public can ask for; the partner and the referee learn of it."""
    eyes: tuple[Eyes, ...] = (None, 1, 3)
    before = {one: looks.everything(one) for one in (*eyes, 0, 2, REFEREE)}
    played = referee.play(looks.opened.match, Wish(2, Move("signal", word="A"), 4))
    told = [event.kind for one in played.told for event in one.events]
    assert (True, 4, ["signalled"]) == (played.accepted, played.revision, told)
    after = {one: looks.everything(one) for one in before}
    assert {0, 2, REFEREE} == {one for one in before if before[one] != after[one]}
    check_books(referee, looks.opened)


def test_a_signal_makes_nobody_stale(referee: Referee, other: Referee, looks: Looks) -> None:
    """Who builds upon a revision may do so though somebody has signalled behind it meanwhile, whoever is asked."""
    match = looks.opened.match
    other.see(match)
    for seat in (0, 1, 2, 3):
        for rank in ("A", "3"):
            referee.play(match, Wish(seat, Move("signal", word=rank), 4, f"{seat} {rank}"))
    wish = choice(other.see(match))._replace(expected=4)
    played = other.play(match, wish)
    assert (True, 5) == (played.accepted, played.revision)
    assert 13 == len(check_books(referee, looks.opened))


def test_a_repeated_signal(referee: Referee, looks: Looks) -> None:
    """A signal whose request is repeated is answered as it was, also when cards have been played since."""
    match = looks.opened.match
    wish = Wish(2, Move("signal", word="A"), 4, "request")
    first = referee.play(match, wish)
    same_answer(first, referee.play(match, wish))
    go_on(referee, match, 2)
    same_answer(first, referee.play(match, wish))


def test_where_each_pair_of_eyes_stands(referee: Referee, looks: Looks) -> None:
    """Two signals of one side and one of the other: each hears its own side's, numbered without a gap."""
    match = looks.opened.match
    for seat, rank in ((2, "A"), (1, "A"), (0, "3")):
        referee.play(match, Wish(seat, Move("signal", word=rank)))
    cursors = {
        eyes: looks.api.GetMatch(pb.GetMatchRequest(match=match), looks.caller(eyes)).cursor
        for eyes in (None, 0, 1, 2, 3, REFEREE)
    }
    assert {None: "4.0", 0: "4.2", 1: "4.1", 2: "4.2", 3: "4.1", REFEREE: "4.3"} == cursors
    go_on(referee, match)
    for eyes, cursor in cursors.items():
        listed = looks.api.ListEvents(pb.ListEventsRequest(match=match, cursor=cursor), looks.caller(eyes))
        assert ["5.0"] == [told.cursor for told in listed.moves]
        assert "5.0" == listed.cursor
