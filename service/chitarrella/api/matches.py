"""The part of MatchService for playing and following a match; each caller sees what its key gives access to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from chitarrella import errors
from chitarrella.api import authorization, converters
from chitarrella.api.caller import Caller, network_of
from chitarrella.api.match_operations import bot_messages, player_name_messages, read_bots, takeback_request_message
from chitarrella.api.streams import ResponseStream, update_message
from chitarrella.catalogue.record import Record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, is_accepted, validate_move
from chitarrella.core.model import CHANCE, REFEREE, Viewer
from chitarrella.core.visibility import view_for
from chitarrella.matches.chance import (
    InvalidRecordSignature,
    Signer,
    awaiting_seeds_from,
    invalid_proofs,
    next_commitment,
    parse_signer,
)
from chitarrella.matches.clock import deadline
from chitarrella.matches.history import Cursor, Update, parse_cursor
from chitarrella.matches.metadata import Clock, PlayerNames
from chitarrella.matches.model import (
    REFEREE_PACKS,
    SERVICE_PACKS,
    SHARED_PACKS,
    CreatedMatch,
    CreateMatch,
    MoveRequest,
    Sandbox,
    Snapshot,
)
from chitarrella.matches.repository import moves_lost
from chitarrella.matches.service import MatchService, match_aborted
from chitarrella.matches.watching import WatchHub
from chitarrella.questions import PositionQuestion, explain_hand, read_cards, read_position, read_seat
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2

DEFAULT_PAGE_SIZE = 100  # updates on a page if the caller names no size


class MatchServicer:
    def __init__(self, matches: MatchService, hub: WatchHub, signer: Signer | None = None) -> None:
        self._matches = matches
        self._hub = hub
        self._signer = signer

    def GetMatch(self, request: pb.GetMatchRequest, caller: Caller) -> pb.GetMatchResponse:
        snapshot = self._matches.repository.load(request.match_id)
        return self._match_message(
            request.match_id,
            snapshot,
            authorization.viewer_of(snapshot, caller, authorization.requested_seat(request)),
            caller,
        )

    def BatchGetMatches(self, request: pb.BatchGetMatchesRequest, caller: Caller) -> pb.BatchGetMatchesResponse:
        outcomes = self._matches.repository.load_each(request.match_ids)
        found = [self._found(match, one, caller) for match, one in zip(request.match_ids, outcomes, strict=True)]
        return pb.BatchGetMatchesResponse(matches=found)

    def _found(self, match: str, outcome: Snapshot | errors.ChitarrellaError, caller: Caller) -> pb.FoundMatch:
        if isinstance(outcome, errors.ChitarrellaError):
            return pb.FoundMatch(error=converters.item_error_message(outcome))
        try:
            viewer = authorization.viewer_in_batch(outcome, caller)
        except errors.MatchNotFound as error:
            return pb.FoundMatch(error=converters.item_error_message(error))
        return pb.FoundMatch(match=self._match_message(match, outcome, viewer, caller))

    def _match_message(self, match: str, snapshot: Snapshot, viewer: Viewer, caller: Caller) -> pb.GetMatchResponse:
        is_labelled = authorization.sees_labels(snapshot, caller)
        return pb.GetMatchResponse(
            match_id=match,
            rule_set=converters.rule_set_message(snapshot.metadata.rule_set),
            revision=snapshot.row.revision,
            view=converters.view_fields(view_for(snapshot.game, snapshot.position, viewer)),
            seat=viewer if viewer is not None and viewer >= 0 else None,
            aborted=snapshot.row.aborted,
            cursor=self._current_cursor(match, snapshot, viewer),
            next_commitment=next_commitment(snapshot.metadata, snapshot.control),
            awaiting_seeds_from=awaiting_seeds_from(snapshot),
            deadline=converters.timestamp_message(deadline(snapshot)),
            bank_ms=snapshot.control.banks,
            takeback_request=takeback_request_message(snapshot),
            bots=bot_messages(snapshot),
            sandbox=snapshot.metadata.sandbox,
            external_id=snapshot.metadata.external_id if is_labelled else "",
            labels=dict(snapshot.metadata.labels) if is_labelled else None,
            player_names=player_name_messages(snapshot.metadata),
        )

    def _current_cursor(self, match: str, snapshot: Snapshot, viewer: Viewer) -> str:
        """Return the cursor of the last update for ``viewer``; it equals the revision if all moves were public."""
        if snapshot.row.length == snapshot.row.revision:
            return str(Cursor(snapshot.row.revision))

        def replay() -> str:
            replay = self._matches.repository.replay(match, snapshot)
            feed = replay.feed(viewer, Cursor())
            for revision, events in replay.steps(snapshot.row.length):
                feed.next_update(revision, events)
            return str(feed.cursor)

        return self._matches.run_long(replay)

    def ListMatchMoves(self, request: pb.ListMatchMovesRequest, caller: Caller) -> pb.ListMatchMovesResponse:
        snapshot = self._matches.repository.load(request.match_id)
        seat = authorization.seat_of(snapshot, caller, authorization.requested_seat(request))
        moves = (
            ()
            if seat is None or snapshot.row.aborted
            else converters.legal_moves_of(snapshot.game, snapshot.position, seat)
        )
        return pb.ListMatchMovesResponse(
            moves=map(converters.move_message, moves), seat=seat, revision=snapshot.row.revision
        )

    def ExplainMatchHand(self, request: pb.ExplainMatchHandRequest, caller: Caller) -> pb.ExplainMatchHandResponse:
        snapshot = self._matches.repository.load(request.match_id)
        seat = authorization.seat_of(snapshot, caller, authorization.requested_seat(request))
        asked = PositionQuestion(snapshot.game, snapshot.position, None if snapshot.row.aborted else seat)
        moves = converters.explained_move_messages(snapshot.game, explain_hand(asked), caller.translator)
        return pb.ExplainMatchHandResponse(moves=moves, seat=seat, revision=snapshot.row.revision)

    def ValidateMatchMove(self, request: pb.ValidateMatchMoveRequest, caller: Caller) -> pb.ValidateMatchMoveResponse:
        snapshot = self._matches.repository.load(request.match_id)
        actor = authorization.actor_of(snapshot, caller, authorization.requested_seat(request))
        move = converters.read_move(snapshot.game, request.move, actor)
        if snapshot.row.aborted:
            raise match_aborted()
        refusals = validate_move(snapshot.game, snapshot.position, actor, move)
        return pb.ValidateMatchMoveResponse(
            verdict=table_pb2.VERDICT_ACCEPTED if is_accepted(refusals) else table_pb2.VERDICT_REFUSED,
            refusals=converters.refusal_messages(snapshot.game, refusals, caller.translator),
            revision=snapshot.row.revision,
        )

    def PlayMove(self, request: pb.PlayMoveRequest, caller: Caller) -> pb.PlayMoveResponse:
        """Play a move."""
        cached, actor = authorization.cached_actor_of(self._matches.repository, request.match_id, caller, request)
        try:
            move = converters.read_move(cached.game, request.move, actor)
        except errors.BadRequest:
            # a closed key is reported first
            authorization.actor_of(
                self._matches.repository.load(request.match_id), caller, authorization.requested_seat(request)
            )
            raise
        expected = request.expected_revision if request.HasField("expected_revision") else None
        played = self._matches.play(
            request.match_id,
            MoveRequest(actor, move, expected, request.request_id),
            cached,
            lambda snapshot: authorization.actor_of(snapshot, caller, authorization.requested_seat(request)),
        )
        viewer = REFEREE if actor == CHANCE else actor
        view = view_for(played.snapshot.game, played.snapshot.position, viewer) if request.include_view else None
        return pb.PlayMoveResponse(
            accepted=played.accepted,
            refusals=converters.refusal_messages(played.snapshot.game, played.refusals, caller.translator)
            if played.refusals
            else None,
            revision=played.revision,
            events=[converters.event_fields(event) for update in played.updates for event in update.events],
            view=None if view is None else converters.view_fields(view),
            repeated_request=played.repeated,
        )

    def ListEvents(self, request: pb.ListEventsRequest, caller: Caller) -> pb.ListEventsResponse:
        snapshot = self._matches.repository.load(request.match_id)
        viewer = authorization.viewer_of(snapshot, caller, authorization.requested_seat(request))
        after = _read_cursor(request.cursor, snapshot)
        replay = self._matches.repository.replay(request.match_id, snapshot, lambda one: one.revision <= after.revision)
        feed, size = replay.feed(viewer, after), request.page_size or DEFAULT_PAGE_SIZE
        found = (one for revision, events in replay.steps() if (one := feed.next_update(revision, events)))
        updates = list(islice(found, size + 1))  # one more, to know whether there is more
        page: list[Update] = updates[:size]
        return pb.ListEventsResponse(
            moves=map(update_message, page),
            cursor=str(page[-1].cursor if page else max(after, feed.cursor)),
            has_more=len(page) < len(updates),
        )

    def GetRecord(self, request: pb.GetRecordRequest, caller: Caller) -> pb.GetRecordResponse:
        """Return the record; before the end of the match for the referee only, afterwards signed."""
        snapshot = self._matches.repository.load(request.match_id)
        if not authorization.role_of(snapshot, caller).referee and not snapshot.game.is_finished(snapshot.position):
            raise errors.NotPossibleNow("match_running", "The record is available when the match is finished.")
        record = self._matches.repository.format_record(request.match_id)
        if self._signer is None or not snapshot.game.is_finished(snapshot.position):
            return pb.GetRecordResponse(record=record)
        return pb.GetRecordResponse(record=self._signer.sign(record), public_key=self._signer.public_key)

    def WatchMatch(self, request: pb.WatchMatchRequest, caller: Caller, notify: Callable[[], None]) -> ResponseStream:
        """Watch a match. ``notify`` is called, in any thread, when the stream has something to take."""
        snapshot = self._matches.repository.load(request.match_id)
        viewer = authorization.viewer_of(snapshot, caller, authorization.requested_seat(request))
        after, access = _read_cursor(request.cursor, snapshot), authorization.watch_access(snapshot, caller)
        watcher = self._hub.watch(request.match_id, viewer, after, notify, access)
        return ResponseStream(watcher, request.cursor)


def _read_cursor(text: str, snapshot: Snapshot) -> Cursor:
    try:
        cursor = parse_cursor(text)
    except ValueError as error:
        raise errors.BadRequest("bad_cursor", str(error), "cursor") from error
    if cursor.revision > snapshot.row.revision:
        raise moves_lost(snapshot.row.revision, "cursor")
    return cursor


PACK_SOURCES = {
    pb.PACK_SOURCE_UNSPECIFIED: SERVICE_PACKS,
    pb.PACK_SOURCE_SERVICE: SERVICE_PACKS,
    pb.PACK_SOURCE_REFEREE: REFEREE_PACKS,
    pb.PACK_SOURCE_SHARED: SHARED_PACKS,
}


class MatchLifecycleServicer:
    def __init__(self, matches: MatchService, *, sandbox: bool = False) -> None:
        self._matches = matches
        self._has_sandbox = sandbox

    def CreateMatch(self, request: pb.CreateMatchRequest, caller: Caller) -> pb.CreateMatchResponse:
        game = converters.read_game(self._matches.repository.catalogue, request.rule_set)
        pack = read_cards(game, request.pack, "pack")
        if request.position:
            read_position(game, request.position, "position")
        start = {"position": request.position, "pack": pack}
        asked = _asked(
            request, caller, game, converters.read_rule_set(request.rule_set), self._read_sandbox(request), **start
        )
        return _create_response(self._matches.create(asked))

    def BatchCreateMatches(
        self, request: pb.BatchCreateMatchesRequest, caller: Caller
    ) -> pb.BatchCreateMatchesResponse:
        created: list[pb.CreatedMatch] = []
        unavailable: errors.StoreUnavailable | None = None
        for item in request.requests:
            try:
                if unavailable:  # fail at once instead of waiting again for every match
                    raise unavailable
                created.append(pb.CreatedMatch(created=self.CreateMatch(item, caller)))
            except errors.ChitarrellaError as error:
                unavailable = error if isinstance(error, errors.StoreUnavailable) else None
                created.append(pb.CreatedMatch(error=converters.item_error_message(error)))
        return pb.BatchCreateMatchesResponse(matches=created)

    def ImportMatch(self, request: pb.ImportMatchRequest, caller: Caller) -> pb.ImportMatchResponse:
        record = converters.read_record(self._matches.repository.catalogue, request.record)
        game = self._matches.repository.catalogue.game_for(record.rule_set)
        with converters.illegal_moves_explained(game, caller.translator):
            check_proofs(game, record, request.record)
            count = request.move_count if request.HasField("move_count") else len(record.moves)
            if count > len(record.moves):
                raise errors.BadRequest("bad_request", f"The record has {len(record.moves)} moves.", "move_count")
            start = {"position": record.position, "moves": record.moves[:count]}
            created = self._matches.create(
                _asked(request, caller, game, record.rule_set, self._read_sandbox(request), **start)
            )
        return pb.ImportMatchResponse(created=_create_response(created))

    def _read_sandbox(self, request: pb.CreateMatchRequest | pb.ImportMatchRequest) -> Sandbox | None:
        if not request.HasField("sandbox"):
            return None
        if not self._has_sandbox:
            raise errors.NotPossibleNow("sandbox_off", "This service runs without --sandbox.", "sandbox")
        return Sandbox(request.sandbox.seed)

    def AbortMatch(self, request: pb.AbortMatchRequest, caller: Caller) -> pb.AbortMatchResponse:
        snapshot = self._matches.repository.load(request.match_id)
        if not caller.is_admin:
            authorization.check_referee(authorization.role_of(snapshot, caller), "end a match")
        if snapshot.game.is_finished(snapshot.position):
            return pb.AbortMatchResponse(revision=snapshot.row.revision)
        return pb.AbortMatchResponse(revision=self._matches.abort(request.match_id).row.revision)

    def DeleteMatch(self, request: pb.DeleteMatchRequest, caller: Caller) -> pb.DeleteMatchResponse:
        if not caller.is_admin:
            role = authorization.role_at(*self._matches.repository.load_without_rules(request.match_id), caller)
            authorization.check_referee(role, "delete a match")
        self._matches.delete(request.match_id)
        return pb.DeleteMatchResponse()


def read_player_names(game: AnyGame, messages: Iterable[pb.PlayerName]) -> PlayerNames:
    """Read the names of players; no error names a player."""
    names: dict[int, str] = {}
    for place, message in enumerate(messages):
        seat = read_seat(game, message.seat, f"player_names[{place}].seat")
        if seat in names:
            raise errors.BadRequest("bad_request", f"Seat {seat} has a name already.", f"player_names[{place}].seat")
        names[seat] = message.name
    return tuple(sorted(names.items()))


def check_proofs(game: AnyGame, record: Record, text: str) -> None:
    """Check the signature and the proofs of a record; raises `IllegalMove` for a move before the proof."""
    try:
        parse_signer(text)
        fault = invalid_proofs(game, record) if record.proofs else ""
    except InvalidRecordSignature as error:
        fault = str(error)
    if fault:
        raise errors.BadRequest("bad_record", fault, "record")


def _asked(
    request: pb.CreateMatchRequest | pb.ImportMatchRequest,
    caller: Caller,
    game: AnyGame,
    rule_set: RuleSet,
    sandbox: Sandbox | None,
    **start: Any,
) -> CreateMatch:
    """Read what is asked for when a match is created or imported; ``start`` is what it begins with."""
    return CreateMatch(
        rule_set,
        pack_source=PACK_SOURCES[request.pack_source],
        private=request.private,
        ttl_seconds=request.expires_after_seconds,
        clock=Clock(request.clock.move_seconds * 1000, request.clock.bank_seconds * 1000),
        bots=read_bots(game, request.bots),
        platform=caller.platform,
        request_id=request.request_id,
        sandbox=sandbox,
        external_id=request.external_id,
        labels=tuple(sorted(request.labels.items())),
        player_names=read_player_names(game, request.player_names),
        address=network_of(caller.address),
        **start,
    )


def _create_response(created: CreatedMatch) -> pb.CreateMatchResponse:
    return pb.CreateMatchResponse(
        match_id=created.match,
        seat_keys=[pb.SeatKey(seat=seat, key=key) for seat, key in created.keys],
        referee_key=created.referee_key,
        revision=created.snapshot.row.revision,
        view=converters.view_fields(view_for(created.snapshot.game, created.snapshot.position, None)),
        next_commitment=next_commitment(created.snapshot.metadata, created.snapshot.control),
    )
