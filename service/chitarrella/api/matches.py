"""The part of MatchService for playing and following a match; each caller sees what its key gives access to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

from chitarrella import errors
from chitarrella import v1 as pb
from chitarrella.api import authorization, converters
from chitarrella.api.caller import Caller, network_of
from chitarrella.api.match_message import PACK_SOURCES, read_restrictions, whole_match
from chitarrella.api.match_operations import read_bots, read_player_names, renamed
from chitarrella.api.status import status_of
from chitarrella.api.streams import ResponseStream, update_message
from chitarrella.bots import InformationState, suggest
from chitarrella.catalogue.record import Record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, is_accepted, validate_move
from chitarrella.core.model import CHANCE, REFEREE
from chitarrella.core.visibility import view_for
from chitarrella.matches.chance import InvalidRecordSignature, Signer, bot_chance, invalid_proofs, parse_signer
from chitarrella.matches.clock import with_clock
from chitarrella.matches.history import Cursor, parse_cursor
from chitarrella.matches.metadata import NO_BOTS, NO_CLOCK, Clock, MatchDetails, Snapshot
from chitarrella.matches.model import SERVICE_PACKS, CreatedMatch, CreateMatch, MoveRequest, Sandbox
from chitarrella.matches.repository import moves_lost
from chitarrella.matches.service import MatchService, check_in_progress, match_aborted
from chitarrella.matches.watching import WatchHub
from chitarrella.questions import PositionQuestion, explain_hand, read_position

MAX_LABELS = 16  # labels of a match
DEFAULT_PAGE_SIZE = 100  # updates on a page if the caller names no size


class MatchServicer:
    def __init__(self, matches: MatchService, hub: WatchHub, signer: Signer | None = None) -> None:
        self._matches = matches
        self._hub = hub
        self._signer = signer

    def GetMatch(self, request: pb.GetMatchRequest, caller: Caller) -> pb.Match:
        snapshot = self._matches.repository.load(request.match_id)
        viewer = authorization.viewer_of(snapshot, caller, authorization.requested_seat(request))
        return pb.Match(**whole_match(self._matches, request.match_id, snapshot, viewer, caller))

    def BatchGetMatches(self, request: pb.BatchGetMatchesRequest, caller: Caller) -> pb.BatchGetMatchesResponse:
        outcomes = self._matches.repository.load_each(request.match_ids)
        found = [self._found(match, one, caller) for match, one in zip(request.match_ids, outcomes, strict=True)]
        return pb.BatchGetMatchesResponse(results=found)

    def _found(self, match: str, outcome: Snapshot | errors.ChitarrellaError, caller: Caller) -> pb.MatchResult:
        try:
            if isinstance(outcome, errors.ChitarrellaError):
                raise outcome
            if caller.token is not None and caller.token.match_id != match:
                caller = caller._replace(token=None)
            viewer = authorization.viewer_in_batch(outcome, caller)
            return pb.MatchResult(match=whole_match(self._matches, match, outcome, viewer, caller))
        except errors.ChitarrellaError as error:
            return pb.MatchResult(error=status_of(error))

    def ListMatchMoves(self, request: pb.ListMatchMovesRequest, caller: Caller) -> pb.ListMatchMovesResponse:
        snapshot = self._matches.repository.load(request.match_id)
        seat = authorization.seat_of(snapshot, caller, authorization.requested_seat(request))
        moves = (
            ()
            if seat is None or snapshot.row.aborted or snapshot.is_decided
            else converters.legal_moves_of(snapshot.game, snapshot.position, seat)
        )
        return pb.ListMatchMovesResponse(
            moves=map(converters.move_fields, moves), seat=seat, revision=snapshot.row.revision
        )

    def ExplainMatchHand(self, request: pb.ExplainMatchHandRequest, caller: Caller) -> pb.ExplainMatchHandResponse:
        snapshot = self._matches.repository.load(request.match_id)
        seat = authorization.seat_of(snapshot, caller, authorization.requested_seat(request))
        asked = PositionQuestion(
            snapshot.game, snapshot.position, None if snapshot.row.aborted or snapshot.is_decided else seat
        )
        explained = explain_hand(asked)
        moves = converters.explained_move_messages(snapshot.game, explained, caller.translator)
        found = pb.ExplainMatchHandResponse(moves=moves, seat=seat, revision=snapshot.row.revision)
        if request.suggest and seat is not None and seat in snapshot.turns:
            if NO_BOTS in snapshot.metadata.restrictions and not authorization.role_of(snapshot, caller).referee:
                raise errors.NotPossibleNow("restricted", "This match was created without bots.")
            info_state = InformationState(snapshot.game, snapshot.position, seat, out_of_turn=False)
            move, points = self._matches.run_long(partial(suggest, info_state, bot_chance(snapshot)))
            found.MergeFrom(pb.ExplainMatchHandResponse(suggested_points=points))
            found.suggested = [one.move for one in explained].index(move)
        return found

    def ValidateMatchMove(self, request: pb.ValidateMatchMoveRequest, caller: Caller) -> pb.ValidateMatchMoveResponse:
        snapshot = self._matches.repository.load(request.match_id)
        actor = authorization.actor_of(snapshot, caller, authorization.requested_seat(request))
        move = converters.read_move(snapshot.game, request.move, actor)
        if snapshot.row.aborted or snapshot.is_decided:
            raise check_in_progress(snapshot) or match_aborted()
        refusals = validate_move(snapshot.game, snapshot.position, actor, move)
        return pb.ValidateMatchMoveResponse(
            verdict=pb.VERDICT_ACCEPTED if is_accepted(refusals) else pb.VERDICT_REFUSED,
            refusals=converters.refusal_messages(snapshot.game, refusals, caller.translator),
            revision=snapshot.row.revision,
        )

    def PlayMove(self, request: pb.PlayMoveRequest, caller: Caller) -> pb.PlayMoveResponse:
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
            events=map(converters.event_fields, played.events),
            view=None if view is None else converters.view_fields(view),
            repeated_request=played.repeated,
        )

    def ListEvents(self, request: pb.ListEventsRequest, caller: Caller) -> pb.ListEventsResponse:
        snapshot = self._matches.repository.load(request.match_id)
        viewer = authorization.viewer_of(snapshot, caller, authorization.requested_seat(request))
        after = _read_cursor(request.page_token, snapshot, "page_token")
        replay = self._matches.repository.replay(request.match_id, snapshot, lambda one: one.revision <= after.revision)
        feed, size = replay.feed(viewer, after), request.page_size or DEFAULT_PAGE_SIZE
        found = (update for step in replay.steps() if (update := feed.next_update(with_clock(snapshot, step))))
        updates = list(islice(found, size + 1))  # one more, to know whether there is more
        return pb.ListEventsResponse(
            updates=map(update_message, updates[:size]),
            next_page_token=str(updates[size - 1].cursor) if len(updates) > size else "",
        )

    def GetRecord(self, request: pb.GetRecordRequest, caller: Caller) -> pb.GetRecordResponse:
        snapshot = self._matches.repository.load(request.match_id)
        if not authorization.role_of(snapshot, caller).referee and not snapshot.is_over:
            if snapshot.row.aborted:
                raise errors.NotPossibleNow("match_aborted", "The record of an aborted match is the referee's.")
            raise errors.NotPossibleNow("match_running", "The record is available when the match is finished.")
        record = self._matches.repository.format_record(request.match_id)
        if self._signer is None or not snapshot.is_over:
            return pb.GetRecordResponse(record=record)
        return pb.GetRecordResponse(record=self._signer.sign(record), public_key=self._signer.public_key)

    def WatchMatch(self, request: pb.WatchMatchRequest, caller: Caller, notify: Callable[[], None]) -> ResponseStream:
        snapshot = self._matches.repository.load(request.match_id)
        viewer = authorization.viewer_of(snapshot, caller, authorization.requested_seat(request))
        after, access = _read_cursor(request.cursor, snapshot), authorization.watch_access(snapshot, caller)
        watcher = self._hub.watch(request.match_id, viewer, after, notify, access)
        return ResponseStream(watcher, request.cursor)


def _read_cursor(text: str, snapshot: Snapshot, field: str = "cursor") -> Cursor:
    try:
        cursor = parse_cursor(text)
    except ValueError as error:
        raise errors.BadRequest("bad_cursor", str(error), field) from error
    if cursor.revision > snapshot.row.revision:
        raise moves_lost(snapshot.row.revision, field)
    return cursor


class MatchLifecycleServicer:
    def __init__(self, matches: MatchService, *, sandbox: bool = False) -> None:
        self._matches = matches
        self._has_sandbox = sandbox

    def CreateMatch(self, request: pb.CreateMatchRequest, caller: Caller) -> pb.CreatedMatch:
        game = converters.read_game(self._matches.repository.catalogue, request.rule_set)
        pack = converters.read_cards(game.pack, request.pack, "pack")
        if request.position:
            read_position(game, request.position, "position")
        start = {"position": request.position, "pack": pack}
        asked = _asked(
            request, caller, game, converters.read_rule_set(request.rule_set), self._read_sandbox(request), **start
        )
        return self._created(self._matches.create(asked), caller)

    def BatchCreateMatches(
        self, request: pb.BatchCreateMatchesRequest, caller: Caller
    ) -> pb.BatchCreateMatchesResponse:
        created: list[pb.CreatedMatchResult] = []
        unavailable: errors.StoreUnavailable | None = None
        for item in request.requests:
            try:
                if unavailable:  # fail at once instead of waiting again for every match
                    raise unavailable
                created.append(pb.CreatedMatchResult(created=self.CreateMatch(item, caller)))
            except errors.ChitarrellaError as error:
                unavailable = error if isinstance(error, errors.StoreUnavailable) else None
                created.append(pb.CreatedMatchResult(error=status_of(error)))
        return pb.BatchCreateMatchesResponse(results=created)

    def ImportMatch(self, request: pb.ImportMatchRequest, caller: Caller) -> pb.CreatedMatch:
        record = converters.read_record(self._matches.repository.catalogue, request.record)
        game = self._matches.repository.catalogue.game_for(record.rule_set)
        with converters.illegal_moves_explained(game, caller.translator):
            check_proofs(game, record, request.record)
            count = request.move_count if request.HasField("move_count") else len(record.moves)
            if count > len(record.moves):
                raise errors.BadRequest("bad_request", f"The record has {len(record.moves)} moves.", "move_count")
            start: dict[str, Any] = {"position": record.position, "moves": record.moves[:count]}
            if not request.HasField("move_count"):
                start["endings"] = record.endings
            created = self._matches.create(
                _asked(request, caller, game, record.rule_set, self._read_sandbox(request), **start)
            )
        return self._created(created, caller)

    def _created(self, created: CreatedMatch, caller: Caller) -> pb.CreatedMatch:
        return pb.CreatedMatch(
            match=whole_match(self._matches, created.match, created.snapshot, None, caller),
            seat_keys=[pb.SeatKey(seat=seat, key=key) for seat, key in created.keys],
            referee_key=created.referee_key,
            spectator_key=created.spectator_key,
        )

    def _read_sandbox(self, request: pb.CreateMatchRequest | pb.ImportMatchRequest) -> Sandbox | None:
        if not request.HasField("sandbox"):
            return None
        if not self._has_sandbox:
            raise errors.NotPossibleNow("sandbox_off", "This service runs without --sandbox.", "sandbox")
        return Sandbox(request.sandbox.seed)

    def AbortMatch(self, request: pb.AbortMatchRequest, caller: Caller) -> pb.Match:
        snapshot = self._matches.repository.load(request.match_id)
        if not caller.is_admin:
            authorization.check_referee(authorization.role_of(snapshot, caller), "end a match")
        snapshot = self._matches.abort(request.match_id, request.reason)
        viewer = None if caller.is_admin else authorization.viewer_of(snapshot, caller, None)
        return pb.Match(**whole_match(self._matches, request.match_id, snapshot, viewer, caller))

    def UpdateMatch(self, request: pb.UpdateMatchRequest, caller: Caller) -> pb.Match:
        snapshot = self._matches.repository.load(request.match_id)
        authorization.check_manager(snapshot, caller, "change a match")

        def change(details: MatchDetails) -> MatchDetails:
            labels = {key: value for key, value in (dict(details.labels) | dict(request.labels)).items() if value}
            if len(labels) > MAX_LABELS:
                raise errors.BadRequest("bad_request", f"A match has {MAX_LABELS} labels at most.", "labels")
            if request.HasField("external_id"):
                details = details._replace(external_id=request.external_id)
            if request.HasField("expire_after"):
                ttl_seconds = self._matches.read_ttl(snapshot.metadata, request.expire_after.seconds)
                details = details._replace(ttl_seconds=ttl_seconds)
            return renamed(snapshot.game, details, request.player_names)._replace(labels=tuple(sorted(labels.items())))

        snapshot = self._matches.update(request.match_id, change)
        viewer = authorization.viewer_of(snapshot, caller, None)
        return pb.Match(**whole_match(self._matches, request.match_id, snapshot, viewer, caller))

    def DeleteMatch(self, request: pb.DeleteMatchRequest, caller: Caller) -> pb.DeleteMatchResponse:
        if not caller.is_admin:
            role = authorization.role_at(*self._matches.repository.load_without_rules(request.match_id), caller)
            authorization.check_referee(role, "delete a match")
        self._matches.delete(request.match_id)
        return pb.DeleteMatchResponse()


def check_proofs(game: AnyGame, record: Record, text: str) -> None:
    """Check the signature and the proofs of a record; raises `IllegalMove` for a move before the proof."""
    try:
        parse_signer(text)
        fault = invalid_proofs(game, record) if record.proofs else ""
    except InvalidRecordSignature as error:
        fault = str(error)
    if fault:
        raise errors.BadRequest("bad_record", fault, "record")


def _read_clock(request: pb.CreateMatchRequest | pb.ImportMatchRequest) -> Clock:
    if not request.HasField("clock"):
        return NO_CLOCK
    found = request.clock
    times = (found.move_time.ToMilliseconds(), found.bank.ToMilliseconds(), found.increment.ToMilliseconds())
    clock = Clock(*times, found.starts_when_joined)
    if not any(times[:2]):
        raise errors.BadRequest("bad_request", "A clock has a move_time, a bank, or both.", "clock")
    return clock


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
        pack_source=PACK_SOURCES.get(request.pack_source, SERVICE_PACKS),
        private=request.private or pb.RESTRICTION_NO_SPECTATORS in request.restrictions,
        restrictions=read_restrictions(request.restrictions),
        ttl_seconds=request.expire_after.seconds,
        clock=_read_clock(request),
        bots=read_bots(game, request.bots),
        platform=caller.platform,
        request_id=request.request_id,
        sandbox=sandbox,
        external_id=request.external_id,
        labels=tuple(label for label in converters.read_map(request.labels) if label[1]),
        player_names=read_player_names(game, request.player_names),
        address=network_of(caller.address),
        **start,
    )
