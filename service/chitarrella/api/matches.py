"""MatchService: matches kept in the store, each caller seeing what its key opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.rules import explained, waited_for
from chitarrella.chronicle import Cursor, Ears, Told, read_cursor
from chitarrella.game import accepted, judge, legal
from chitarrella.hub import Hub, Watch
from chitarrella.kept import Seen, Wish
from chitarrella.referee import Referee
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.wire import (
    agreement_message,
    event_message,
    move_message,
    read_agreement,
    read_cards,
    read_game,
    read_move,
    read_position,
    read_seat,
    refusal_messages,
    told_message,
    view_message,
)
from chitarrella.words import CHANCE, REFEREE, Eyes, Seat

PAGE = 100


class Role(NamedTuple):
    """What a key opens: a seat's eyes, the referee's, or the public's, and whether it is the referee's key."""

    eyes: Eyes
    referee: bool


class MatchApi:
    """The answers of MatchService."""

    def __init__(self, referee: Referee, hub: Hub) -> None:
        """Ask ``referee``; let ``hub`` serve those who watch."""
        self._referee = referee
        self._hub = hub

    def CreateMatch(self, request: pb.CreateMatchRequest, caller: Caller) -> pb.CreateMatchResponse:
        """Open a match."""
        game = read_game(self._referee.catalogue, request.agreement)
        pack = read_cards(game, request.pack, "pack")
        if pack and not game.pack.holds_exactly(pack):
            raise errors.BadRequest("bad_pack", "The pack must hold every card of the game exactly once.", "pack")
        if request.position:
            read_position(game, request.position, "position")
        opened = self._referee.open(
            read_agreement(request.agreement),
            position=request.position,
            pack=pack,
            referee_deals=request.pack_source == pb.PACK_SOURCE_REFEREE,
            expires=request.expires_after_seconds,
            request=request.request_id,
        )
        return pb.CreateMatchResponse(
            match=opened.match,
            seat_keys=[pb.SeatKey(seat=seat, key=key) for seat, key in opened.keys],
            referee_key=opened.referee_key,
            revision=opened.seen.page.revision,
            view=view_message(opened.seen.game, opened.seen.position, None),
        )

    def GetMatch(self, request: pb.GetMatchRequest, caller: Caller) -> pb.GetMatchResponse:
        """Look at the table."""
        seen = self._referee.see(request.match)
        eyes = _eyes(seen, caller, _asked(request))
        return pb.GetMatchResponse(
            match=request.match,
            agreement=agreement_message(seen.header.agreement),
            revision=seen.page.revision,
            view=view_message(seen.game, seen.position, eyes),
            seat=eyes if eyes is not None and eyes >= 0 else None,
            ended=seen.page.ended,
            cursor=self._cursor(request.match, seen, eyes),
        )

    def _cursor(self, match: str, seen: Seen, eyes: Eyes) -> str:
        """Say where the story stands for those eyes; where every move was public the revision says it."""
        if seen.page.number == seen.page.revision:
            return str(Cursor(seen.page.revision))
        story, lines = self._referee.chronicle(match)
        ears = Ears(eyes, Cursor())
        for revision, events in story.go_on(lines[: seen.page.number]):
            ears.hear(revision, events)
        return str(ears.cursor)

    def ListMatchMoves(self, request: pb.ListMatchMovesRequest, caller: Caller) -> pb.ListMatchMovesResponse:
        """List what a seat may do."""
        seen = self._referee.see(request.match)
        seat = _seat(seen, caller, _asked(request))
        moves = () if seat is None or seen.page.ended else legal(seen.game, seen.position, seat)
        return pb.ListMatchMovesResponse(moves=map(move_message, moves), seat=seat, revision=seen.page.revision)

    def ExplainMatchHand(self, request: pb.ExplainMatchHandRequest, caller: Caller) -> pb.ExplainMatchHandResponse:
        """Explain a hand."""
        seen = self._referee.see(request.match)
        seat = _seat(seen, caller, _asked(request))
        moves = () if seat is None else explained(seen.game, seen.position, seat)
        return pb.ExplainMatchHandResponse(moves=moves, seat=seat, revision=seen.page.revision)

    def JudgeMove(self, request: pb.JudgeMoveRequest, caller: Caller) -> pb.JudgeMoveResponse:
        """Judge a move without making it."""
        seen = self._referee.see(request.match)
        actor = _actor(seen, caller, _asked(request))
        move = read_move(seen.game, request.move, actor)
        if seen.page.ended:
            raise errors.NotPossibleNow("match_ended", "The match was ended before its time.")
        refusals = judge(seen.game, seen.position, actor, move)
        return pb.JudgeMoveResponse(
            accepted=accepted(refusals), refusals=refusal_messages(refusals), revision=seen.page.revision
        )

    def PlayMove(self, request: pb.PlayMoveRequest, caller: Caller) -> pb.PlayMoveResponse:
        """Make a move."""
        known = self._referee.known(request.match)
        actor = _actor(known, caller, _asked(request))
        move = read_move(known.game, request.move, actor)
        expected = request.expected_revision if request.HasField("expected_revision") else None
        played = self._referee.play(request.match, Wish(actor, move, expected, request.request_id))
        eyes = REFEREE if actor == CHANCE else actor
        view = view_message(played.seen.game, played.seen.position, eyes) if request.want_view else None
        return pb.PlayMoveResponse(
            accepted=played.accepted,
            refusals=refusal_messages(played.refusals),
            revision=played.revision,
            events=[event_message(event) for told in played.told for event in told.events],
            view=view,
            repeated_request=played.repeated,
        )

    def ListEvents(self, request: pb.ListEventsRequest, caller: Caller) -> pb.ListEventsResponse:
        """List what has happened."""
        seen = self._referee.see(request.match)
        eyes = _eyes(seen, caller, _asked(request))
        after = _cursor(request.cursor, seen)
        story, lines = self._referee.chronicle(request.match)
        ears = Ears(eyes, after)
        told = [one for revision, events in story.go_on(lines) if (one := ears.hear(revision, events))]
        page: list[Told] = told[: request.page_size or PAGE]
        return pb.ListEventsResponse(
            moves=map(told_message, page),
            cursor=str(page[-1].cursor if page else max(after, ears.cursor)),
            more=len(page) < len(told),
        )

    def GetRecord(self, request: pb.GetRecordRequest, caller: Caller) -> pb.GetRecordResponse:
        """Give the record."""
        seen = self._referee.see(request.match)
        if not _role(seen, caller).referee and not seen.game.over(seen.position):
            raise errors.NotPossibleNow("match_running", "The record is open to all when the match is played out.")
        return pb.GetRecordResponse(record=self._referee.record(request.match))

    def EndMatch(self, request: pb.EndMatchRequest, caller: Caller) -> pb.EndMatchResponse:
        """End a match before its time."""
        seen = self._referee.see(request.match)
        if not _role(seen, caller).referee:
            raise errors.NotAllowed("referee_only", "Only the referee may end a match.")
        if seen.game.over(seen.position):
            return pb.EndMatchResponse(revision=seen.page.revision)
        return pb.EndMatchResponse(revision=self._referee.end(request.match).page.revision)

    def watch(self, request: pb.WatchMatchRequest, caller: Caller, notify: Callable[[], None]) -> Watch:
        """Begin to follow a match; ``notify`` is called, in any thread, when there is something to fetch."""
        seen = self._referee.see(request.match)
        eyes = _eyes(seen, caller, _asked(request))
        return self._hub.watch(request.match, eyes, _cursor(request.cursor, seen), notify)


def _cursor(text: str, seen: Seen) -> Cursor:
    try:
        cursor = read_cursor(text)
    except ValueError as error:
        raise errors.BadRequest("bad_cursor", str(error), "cursor") from error
    if cursor.revision > seen.page.revision:
        raise errors.BadRequest("bad_cursor", "The match has not come so far yet.", "cursor")
    return cursor


class _NamesSeat(Protocol):
    """A request that may name a seat."""

    seat: int

    def HasField(self, field_name: Literal["seat"], /) -> bool:
        """Tell whether it does."""


def _asked(request: _NamesSeat) -> Seat | None:
    """Read the seat that a request names; seat 0 is a seat like the others."""
    return request.seat if request.HasField("seat") else None


def _role(seen: Seen, caller: Caller) -> Role:
    """Say what the key opens; raises `errors.NotAuthenticated` where it opens nothing."""
    if not caller.key:
        return Role(None, referee=False)
    seat = seen.header.role(caller.key)
    if seat is None:
        raise errors.NotAuthenticated("bad_key", "This key opens nothing at this match.")
    return Role(REFEREE, referee=True) if seat == CHANCE else Role(seat, referee=False)


def _eyes(seen: Seen, caller: Caller, asked: Seat | None) -> Eyes:
    """Say with whose eyes to look."""
    role = _role(seen, caller)
    if asked is None or asked == role.eyes:
        return role.eyes
    if not role.referee:
        raise errors.NotAllowed("not_your_seat", f"This key does not open seat {asked}.", "seat")
    return read_seat(seen.game, asked)


def _seat(seen: Seen, caller: Caller, asked: Seat | None) -> Seat | None:
    """Say whose hand is in question: for the seat itself, or the referee, only."""
    eyes = _eyes(seen, caller, asked)
    if eyes is None:
        raise errors.NotAuthenticated("key_needed", "What a seat may do tells what it holds: show its key.")
    return waited_for(seen.game, seen.position) if eyes == REFEREE else eyes


def _actor(seen: Seen, caller: Caller, asked: Seat | None) -> Seat:
    """Say who moves: the seat of the key, or whom the referee names, the table itself where nobody is named."""
    eyes = _eyes(seen, caller, asked)
    if eyes is None:
        raise errors.NotAuthenticated("key_needed", "A move is made by who holds the key of the seat.")
    return CHANCE if eyes == REFEREE else eyes
