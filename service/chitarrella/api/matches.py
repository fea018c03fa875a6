"""MatchService: matches kept in the store, each caller seeing what its key opens."""

from __future__ import annotations

from collections.abc import Callable

from chitarrella import errors
from chitarrella.against import ended
from chitarrella.api.acts import ActApi, asked_back, bot_messages, read_bots
from chitarrella.api.caller import Caller
from chitarrella.api.roles import actor_of, asked_seat, eyes_of, role_of, seat_of
from chitarrella.api.rules import explained, may
from chitarrella.catalogue import Catalogue
from chitarrella.chronicle import Cursor, Ears, Told, read_cursor
from chitarrella.drawing import REFEREE as REFEREE_DEALS
from chitarrella.drawing import SERVICE, SHARED, next_commitment, words_awaited
from chitarrella.game import Refused, accepted, judge
from chitarrella.header import Clock
from chitarrella.hub import Hub, Watch
from chitarrella.kept import Opened, Seen, Wish
from chitarrella.proving import BadSignature, Signer, signer_of, unproved
from chitarrella.record import Record
from chitarrella.referee import Referee
from chitarrella.steward import Steward
from chitarrella.store import is_entry
from chitarrella.timing import until_when
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.wire import (
    agreement_message,
    event_message,
    fault_message,
    move_message,
    read_a_record,
    read_agreement,
    read_cards,
    read_game,
    read_move,
    read_position,
    refusal_messages,
    told_message,
    view_message,
)
from chitarrella.words import CHANCE, REFEREE, Eyes

PAGE, LINES = 100, 50
PACKS = {
    pb.PACK_SOURCE_UNSPECIFIED: SERVICE,
    pb.PACK_SOURCE_SERVICE: SERVICE,
    pb.PACK_SOURCE_REFEREE: REFEREE_DEALS,
    pb.PACK_SOURCE_SHARED: SHARED,
}


class MatchApi(ActApi):
    """The answers of MatchService."""

    def __init__(self, referee: Referee, steward: Steward, hub: Hub, signer: Signer | None = None) -> None:
        """Ask ``referee`` and ``steward``; let ``hub`` serve those who watch, ``signer`` sign finished records."""
        super().__init__(referee, steward)
        self._hub = hub
        self._signer = signer

    def CreateMatch(self, request: pb.CreateMatchRequest, caller: Caller) -> pb.CreateMatchResponse:
        """Open a match."""
        game = read_game(self._referee.catalogue, request.agreement)
        pack = read_cards(game, request.pack, "pack")
        if request.position:
            read_position(game, request.position, "position")
        opened = self._referee.open(
            read_agreement(request.agreement),
            position=request.position,
            pack=pack,
            packs=PACKS[request.pack_source],
            private=request.private,
            expires=request.expires_after_seconds,
            clock=_clock(request.clock),
            bots=read_bots(game, request.bots),
            platform=caller.platform,
            request=request.request_id,
        )
        return _opened(opened)

    def CreateMatches(self, request: pb.CreateMatchesRequest, caller: Caller) -> pb.CreateMatchesResponse:
        """Open many matches, each for itself."""
        created: list[pb.CreatedMatch] = []
        down: errors.StoreDown | None = None
        for one in request.requests:
            try:
                if down:  # not waited for again and again
                    raise down
                created.append(pb.CreatedMatch(opened=self.CreateMatch(one, caller)))
            except errors.ChitarrellaError as error:
                down = error if isinstance(error, errors.StoreDown) else None
                created.append(pb.CreatedMatch(fault=fault_message(error)))
        return pb.CreateMatchesResponse(matches=created)

    def ListMatches(self, request: pb.ListMatchesRequest, caller: Caller) -> pb.ListMatchesResponse:
        """List the matches of a platform."""
        if not caller.platform:
            raise errors.NotAllowed("platform_only", "Only a platform that shows its API key has a list of matches.")
        if request.page_token and not is_entry(request.page_token):
            raise errors.BadRequest("bad_request", "This is no page_token of this call.", "page_token")
        found, behind = self._referee.opened_by(caller.platform, request.page_token, request.page_size or LINES)
        return pb.ListMatchesResponse(matches=[_summary(*one) for one in found], next_page_token=behind)

    def ImportMatch(self, request: pb.ImportMatchRequest, caller: Caller) -> pb.ImportMatchResponse:
        """Open a match from a record."""
        record = _trusted(self._referee.catalogue, request.record)
        number = request.moves if request.HasField("moves") else len(record.moves)
        if number > len(record.moves):
            raise errors.BadRequest("bad_request", f"The record has {len(record.moves)} moves.", "moves")
        opened = self._referee.open(
            record.agreement,
            position=record.position,
            packs=PACKS[request.pack_source],
            private=request.private,
            expires=request.expires_after_seconds,
            moves=record.moves[:number],
            clock=_clock(request.clock),
            bots=read_bots(self._referee.catalogue.seat(record.agreement), request.bots),
            platform=caller.platform,
            request=request.request_id,
        )
        return pb.ImportMatchResponse(opened=_opened(opened))

    def GetMatch(self, request: pb.GetMatchRequest, caller: Caller) -> pb.GetMatchResponse:
        """Look at the table."""
        seen = self._referee.see(request.match)
        eyes = eyes_of(seen, caller, asked_seat(request))
        return pb.GetMatchResponse(
            match=request.match,
            agreement=agreement_message(seen.header.agreement),
            revision=seen.page.revision,
            view=view_message(seen.game, seen.position, eyes),
            seat=eyes if eyes is not None and eyes >= 0 else None,
            ended=seen.page.ended,
            cursor=self._cursor(request.match, seen, eyes),
            next_commitment=next_commitment(seen.header, seen.affairs),
            words_awaited=words_awaited(seen),
            deadline_ms=until_when(seen),
            bank_ms=seen.affairs.banks,
            asked_back=asked_back(seen),
            bots=bot_messages(seen),
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
        seat = seat_of(seen, caller, asked_seat(request))
        moves = () if seat is None or seen.page.ended else may(seen.game, seen.position, seat)
        return pb.ListMatchMovesResponse(moves=map(move_message, moves), seat=seat, revision=seen.page.revision)

    def ExplainMatchHand(self, request: pb.ExplainMatchHandRequest, caller: Caller) -> pb.ExplainMatchHandResponse:
        """Explain a hand."""
        seen = self._referee.see(request.match)
        seat = seat_of(seen, caller, asked_seat(request))
        moves = () if seat is None or seen.page.ended else explained(seen.game, seen.position, seat, caller.tongue)
        return pb.ExplainMatchHandResponse(moves=moves, seat=seat, revision=seen.page.revision)

    def JudgeMove(self, request: pb.JudgeMoveRequest, caller: Caller) -> pb.JudgeMoveResponse:
        """Judge a move without making it."""
        seen = self._referee.see(request.match)
        actor = actor_of(seen, caller, asked_seat(request))
        move = read_move(seen.game, request.move, actor)
        if seen.page.ended:
            raise ended()
        refusals = judge(seen.game, seen.position, actor, move)
        return pb.JudgeMoveResponse(
            accepted=accepted(refusals),
            refusals=refusal_messages(seen.game, refusals, caller.tongue),
            revision=seen.page.revision,
        )

    def PlayMove(self, request: pb.PlayMoveRequest, caller: Caller) -> pb.PlayMoveResponse:
        """Make a move."""
        known = self._referee.known(request.match)
        actor = actor_of(known, caller, asked_seat(request))
        move = read_move(known.game, request.move, actor)
        expected = request.expected_revision if request.HasField("expected_revision") else None
        played = self._referee.play(request.match, Wish(actor, move, expected, request.request_id))
        eyes = REFEREE if actor == CHANCE else actor
        view = view_message(played.seen.game, played.seen.position, eyes) if request.want_view else None
        return pb.PlayMoveResponse(
            accepted=played.accepted,
            refusals=refusal_messages(played.seen.game, played.refusals, caller.tongue),
            revision=played.revision,
            events=[event_message(event) for told in played.told for event in told.events],
            view=view,
            repeated_request=played.repeated,
        )

    def ListEvents(self, request: pb.ListEventsRequest, caller: Caller) -> pb.ListEventsResponse:
        """List what has happened."""
        seen = self._referee.see(request.match)
        eyes = eyes_of(seen, caller, asked_seat(request))
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
        if not role_of(seen.header, caller).referee and not seen.game.over(seen.position):
            raise errors.NotPossibleNow("match_running", "The record is open to all when the match is played out.")
        record = self._referee.record(request.match)
        if self._signer is None or not seen.game.over(seen.position):
            return pb.GetRecordResponse(record=record)
        return pb.GetRecordResponse(record=self._signer.signed(record), public_key=self._signer.public_key)

    def EndMatch(self, request: pb.EndMatchRequest, caller: Caller) -> pb.EndMatchResponse:
        """End a match before its time."""
        seen = self._referee.see(request.match)
        if not role_of(seen.header, caller).referee:
            raise errors.NotAllowed("referee_only", "Only the referee may end a match.")
        if seen.game.over(seen.position):
            return pb.EndMatchResponse(revision=seen.page.revision)
        return pb.EndMatchResponse(revision=self._referee.end(request.match).page.revision)

    def DeleteMatch(self, request: pb.DeleteMatchRequest, caller: Caller) -> pb.DeleteMatchResponse:
        """Forget a match."""
        if not role_of(self._referee.header(request.match), caller).referee:
            raise errors.NotAllowed("referee_only", "Only the referee may delete a match.")
        self._referee.delete(request.match)
        return pb.DeleteMatchResponse()

    def watch(self, request: pb.WatchMatchRequest, caller: Caller, notify: Callable[[], None]) -> Watch:
        """Begin to follow a match; ``notify`` is called, in any thread, when there is something to fetch."""
        seen = self._referee.see(request.match)
        eyes = eyes_of(seen, caller, asked_seat(request))
        return self._hub.watch(request.match, eyes, _cursor(request.cursor, seen), notify)


def _trusted(catalogue: Catalogue, text: str) -> Record:
    """Read a record whose moves are legal, and which keeps what its proofs and its signature promise."""
    record = read_a_record(catalogue, text)
    try:
        signer_of(text)
        fault = unproved(catalogue.seat(record.agreement), record) if record.proofs else ""
    except (BadSignature, Refused) as error:
        fault = str(error)
    if fault:
        raise errors.BadRequest("bad_record", fault, "record")
    return record


def _clock(message: pb.Clock) -> Clock:
    """Read how long the seats may think."""
    return Clock(message.move_seconds * 1000, message.bank_seconds * 1000)


def _summary(match: str, seen: Seen) -> pb.MatchSummary:
    """Write a match in one line."""
    return pb.MatchSummary(
        match=match,
        agreement=agreement_message(seen.header.agreement),
        revision=seen.page.revision,
        opened_at=seen.header.opened_at,
        over=seen.game.over(seen.position),
        ended=seen.page.ended,
        private=seen.header.private,
    )


def _opened(opened: Opened) -> pb.CreateMatchResponse:
    """Write a new match with its keys."""
    return pb.CreateMatchResponse(
        match=opened.match,
        seat_keys=[pb.SeatKey(seat=seat, key=key) for seat, key in opened.keys],
        referee_key=opened.referee_key,
        revision=opened.seen.page.revision,
        view=view_message(opened.seen.game, opened.seen.position, None),
        next_commitment=next_commitment(opened.seen.header, opened.seen.affairs),
    )


def _cursor(text: str, seen: Seen) -> Cursor:
    try:
        cursor = read_cursor(text)
    except ValueError as error:
        raise errors.BadRequest("bad_cursor", str(error), "cursor") from error
    if cursor.revision > seen.page.revision:
        raise errors.BadRequest("bad_cursor", "The match has not come so far yet.", "cursor")
    return cursor
