"""The part of MatchService that creates, aborts and deletes matches."""

from __future__ import annotations

from chitarrella import errors
from chitarrella.api.addresses import network_of
from chitarrella.api.authorization import check_referee, role_at, role_of
from chitarrella.api.caller import Caller
from chitarrella.api.converters import (
    item_error_message,
    read_game,
    read_record,
    read_rule_set,
    view_message,
)
from chitarrella.api.match_labels import read_player_names
from chitarrella.api.match_operations import read_bots
from chitarrella.api.records import check_proofs, illegal_moves_explained
from chitarrella.core.game import view_for
from chitarrella.matches.chance import next_commitment
from chitarrella.matches.metadata import Clock
from chitarrella.matches.model import (
    REFEREE_PACKS,
    SERVICE_PACKS,
    SHARED_PACKS,
    CreatedMatch,
    CreateMatch,
    Sandbox,
)
from chitarrella.matches.service import MatchService
from chitarrella.questions.reading import read_cards, read_position
from chitarrella.v1 import matches_pb2 as pb

PACK_SOURCES = {
    pb.PACK_SOURCE_UNSPECIFIED: SERVICE_PACKS,
    pb.PACK_SOURCE_SERVICE: SERVICE_PACKS,
    pb.PACK_SOURCE_REFEREE: REFEREE_PACKS,
    pb.PACK_SOURCE_SHARED: SHARED_PACKS,
}
"""Who supplies packs, by the value in the contract."""


class MatchLifecycleServicer:
    """Implements creating, importing, aborting and deleting matches."""

    def __init__(self, matches: MatchService, *, sandbox: bool = False) -> None:
        """Work on ``matches``; with ``sandbox`` they can be created as tests."""
        self._matches = matches
        self._has_sandbox = sandbox

    def CreateMatch(self, request: pb.CreateMatchRequest, caller: Caller) -> pb.CreateMatchResponse:
        """Create a match."""
        game = read_game(self._matches.repository.catalogue, request.rule_set)
        pack = read_cards(game, request.pack, "pack")
        if request.position:
            read_position(game, request.position, "position")
        created_match = self._matches.create(
            CreateMatch(
                read_rule_set(request.rule_set),
                position=request.position,
                pack=pack,
                pack_source=PACK_SOURCES[request.pack_source],
                private=request.private,
                ttl_seconds=request.expires_after_seconds,
                clock=_read_clock(request.clock),
                bots=read_bots(game, request.bots),
                platform=caller.platform,
                request_id=request.request_id,
                sandbox=self._read_sandbox(request),
                external_id=request.external_id,
                labels=tuple(sorted(request.labels.items())),
                player_names=read_player_names(game, request.player_names),
                address=network_of(caller.address),
            )
        )
        return _create_response(created_match)

    def BatchCreateMatches(
        self, request: pb.BatchCreateMatchesRequest, caller: Caller
    ) -> pb.BatchCreateMatchesResponse:
        """Create many matches; each succeeds or fails on its own."""
        created: list[pb.CreatedMatch] = []
        unavailable: errors.StoreUnavailable | None = None
        for item in request.requests:
            try:
                if unavailable:  # fail at once instead of waiting again for every match
                    raise unavailable
                created.append(pb.CreatedMatch(created=self.CreateMatch(item, caller)))
            except errors.ChitarrellaError as error:
                unavailable = error if isinstance(error, errors.StoreUnavailable) else None
                created.append(pb.CreatedMatch(error=item_error_message(error)))
        return pb.BatchCreateMatchesResponse(matches=created)

    def ImportMatch(self, request: pb.ImportMatchRequest, caller: Caller) -> pb.ImportMatchResponse:
        """Create a match from a record, or from its first moves."""
        record = read_record(self._matches.repository.catalogue, request.record)
        game = self._matches.repository.catalogue.game_for(record.rule_set)
        with illegal_moves_explained(game, caller.translator):
            check_proofs(game, record, request.record)
            count = request.move_count if request.HasField("move_count") else len(record.moves)
            if count > len(record.moves):
                raise errors.BadRequest("bad_request", f"The record has {len(record.moves)} moves.", "move_count")
            created = self._matches.create(
                CreateMatch(
                    record.rule_set,
                    position=record.position,
                    pack_source=PACK_SOURCES[request.pack_source],
                    private=request.private,
                    ttl_seconds=request.expires_after_seconds,
                    moves=record.moves[:count],
                    clock=_read_clock(request.clock),
                    bots=read_bots(game, request.bots),
                    platform=caller.platform,
                    request_id=request.request_id,
                    sandbox=self._read_sandbox(request),
                    external_id=request.external_id,
                    labels=tuple(sorted(request.labels.items())),
                    player_names=read_player_names(game, request.player_names),
                    address=network_of(caller.address),
                )
            )
        return pb.ImportMatchResponse(created=_create_response(created))

    def _read_sandbox(self, request: pb.CreateMatchRequest | pb.ImportMatchRequest) -> Sandbox | None:
        """Read what makes a match a test; raises `errors.NotPossibleNow` where the service has no tests."""
        if not request.HasField("sandbox"):
            return None
        if not self._has_sandbox:
            raise errors.NotPossibleNow("sandbox_off", "This service runs without --sandbox.", "sandbox")
        return Sandbox(request.sandbox.seed)

    def AbortMatch(self, request: pb.AbortMatchRequest, caller: Caller) -> pb.AbortMatchResponse:
        """Abort a match; one that is finished already stays as it is. For the referee and administrators."""
        snapshot = self._matches.repository.load(request.match_id)
        if not caller.is_admin:
            check_referee(role_of(snapshot, caller), "end a match")
        if snapshot.game.is_finished(snapshot.position):
            return pb.AbortMatchResponse(revision=snapshot.row.revision)
        return pb.AbortMatchResponse(revision=self._matches.abort(request.match_id).row.revision)

    def DeleteMatch(self, request: pb.DeleteMatchRequest, caller: Caller) -> pb.DeleteMatchResponse:
        """Delete a match. For the referee and administrators."""
        if not caller.is_admin:
            role = role_at(*self._matches.repository.load_without_rules(request.match_id), caller)
            check_referee(role, "delete a match")
        self._matches.delete(request.match_id)
        return pb.DeleteMatchResponse()


def _read_clock(message: pb.Clock) -> Clock:
    """Read the clock of a match; zeros stand for no clock."""
    return Clock(message.move_seconds * 1000, message.bank_seconds * 1000)


def _create_response(created: CreatedMatch) -> pb.CreateMatchResponse:
    """Convert a new match with the keys of its seats and its referee."""
    return pb.CreateMatchResponse(
        match_id=created.match,
        seat_keys=[pb.SeatKey(seat=seat, key=key) for seat, key in created.keys],
        referee_key=created.referee_key,
        revision=created.snapshot.row.revision,
        view=view_message(view_for(created.snapshot.game, created.snapshot.position, None)),
        next_commitment=next_commitment(created.snapshot.metadata, created.snapshot.control),
    )
