"""The part of MatchService for operations other than moves: seeds, the clock, takebacks, bots, keys, lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chitarrella import errors
from chitarrella.api.api_keys import check_admin, platform_only
from chitarrella.api.authorization import actor_of, check_referee, requested_seat, role_of, viewer_of
from chitarrella.api.caller import Caller
from chitarrella.api.converters import read_page_token, rule_set_message, timestamp_message, write_page_token
from chitarrella.api.streams import ResponseStream
from chitarrella.bots import BOTS
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE, REFEREE, Seat
from chitarrella.core.provable_shuffle import commit, derive_nonce
from chitarrella.matches.chance import Shuffle, awaiting_seeds_from, next_commitment, shuffles_of
from chitarrella.matches.clock import deadline, match_time
from chitarrella.matches.metadata import CONTRIBUTE_SEED, SHUFFLE_NOW, BotAssignment, ControlAction, MatchMetadata
from chitarrella.matches.model import Snapshot
from chitarrella.matches.operations import MatchOperations, awaiting_answers_from
from chitarrella.matches.service import MatchFilter, MatchLists, MatchService
from chitarrella.matches.watching import PlatformHub
from chitarrella.questions import read_seat
from chitarrella.storage.rows import is_index_entry
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2


class MatchOperationsServicer:
    def __init__(self, matches: MatchService, operations: MatchOperations) -> None:
        self._matches = matches
        self._operations = operations

    def ContributeSeed(self, request: pb.ContributeSeedRequest, caller: Caller) -> pb.ContributeSeedResponse:
        actor = actor_of(self._matches.repository.load(request.match_id), caller, requested_seat(request))
        if (actor == CHANCE) == bool(request.client_seed):
            raise errors.BadRequest("bad_request", "A seat adds a seed; the referee adds none.", "client_seed")
        verb = SHUFFLE_NOW if actor == CHANCE else CONTRIBUTE_SEED
        action = ControlAction(actor, verb, request.client_seed)  # the referee's seed is empty
        snapshot = self._operations.contribute_seed(request.match_id, action, request.request_id)
        return pb.ContributeSeedResponse(
            revision=snapshot.row.revision, awaiting_seeds_from=awaiting_seeds_from(snapshot)
        )

    def EnforceClock(self, request: pb.EnforceClockRequest, caller: Caller) -> pb.EnforceClockResponse:
        role_of(self._matches.repository.load(request.match_id), caller)
        applied, snapshot = self._operations.enforce_clock(request.match_id)
        return pb.EnforceClockResponse(
            timed_out=applied, revision=snapshot.row.revision, deadline=timestamp_message(deadline(snapshot))
        )

    def AdvanceClock(self, request: pb.AdvanceClockRequest, caller: Caller) -> pb.AdvanceClockResponse:
        check_referee(role_of(self._matches.repository.load(request.match_id), caller), "advance the clock")
        timed_out, snapshot = self._operations.advance_clock(request.match_id, request.seconds, request.request_id)
        return pb.AdvanceClockResponse(
            time=timestamp_message(match_time(snapshot.metadata, snapshot.control)),
            revision=snapshot.row.revision,
            timed_out=timed_out,
        )

    def TakeBack(self, request: pb.TakeBackRequest, caller: Caller) -> pb.TakeBackResponse:
        actor = actor_of(self._matches.repository.load(request.match_id), caller, requested_seat(request))
        expected = request.expected_revision if request.HasField("expected_revision") else None
        taken_back, snapshot = self._operations.take_back(
            request.match_id, actor, decline=request.decline, expected=expected, request_id=request.request_id
        )
        return pb.TakeBackResponse(
            revision=snapshot.row.revision, taken_back=taken_back, awaiting_answers_from=awaiting_answers_from(snapshot)
        )

    def AssignBot(self, request: pb.AssignBotRequest, caller: Caller) -> pb.AssignBotResponse:
        snapshot = self._matches.repository.load(request.match_id)
        seat = actor_of(snapshot, caller, requested_seat(request))
        if seat == CHANCE:
            raise errors.BadRequest("bad_request", "The referee names the seat.", "seat")
        bot = BotAssignment(seat, request.bot, request.think_ms)
        by = CHANCE if role_of(snapshot, caller).referee else seat
        snapshot = self._operations.assign_bot(request.match_id, _check_bot(snapshot.game, bot, ""), by)
        return pb.AssignBotResponse(revision=snapshot.row.revision, bots=bot_messages(snapshot))

    def RotateKey(self, request: pb.RotateKeyRequest, caller: Caller) -> pb.RotateKeyResponse:
        """Replace the key of the caller, or for the referee that of a seat."""
        match, seat = request.match_id, requested_seat(request)
        snapshot = self._matches.repository.load(match)
        recovered = self._operations.recover_key(match, snapshot, caller.key, request.request_id)
        if recovered is not None and seat in (None, recovered[0]):
            return pb.RotateKeyResponse(key=recovered[1], revision=snapshot.row.revision)
        role = _rotated_role(snapshot, caller, seat)
        by_referee = role != CHANCE and role_of(snapshot, caller).referee
        key, snapshot = self._operations.rotate_key(
            match,
            role,
            lambda snapshot: _rotated_role(snapshot, caller, seat),
            by_referee=by_referee,
            request_id=request.request_id,
        )
        return pb.RotateKeyResponse(key=key, revision=snapshot.row.revision)

    def ListShuffles(self, request: pb.ListShufflesRequest, caller: Caller) -> pb.ListShufflesResponse:
        """List the shuffles. One whose result is still partly hidden is listed without nonce and cards."""
        snapshot = self._matches.repository.load(request.match_id)
        viewer_of(snapshot, caller, None)
        history, lines = self._matches.repository.history(request.match_id)
        shuffles = [_shuffle_message(snapshot, one) for one in shuffles_of(history, lines, snapshot.metadata)]
        return pb.ListShufflesResponse(
            shuffles=shuffles, next_commitment=next_commitment(snapshot.metadata, snapshot.control)
        )


def read_bots(game: AnyGame, messages: Iterable[pb.BotSeat]) -> tuple[BotAssignment, ...]:
    bots = []
    for place, message in enumerate(messages):
        seat = read_seat(game, message.seat, f"bots[{place}].seat")
        bots.append(_check_bot(game, BotAssignment(seat, message.bot, message.think_ms), f"bots[{place}]."))
    if len({bot.seat for bot in bots}) != len(bots):
        raise errors.BadRequest("bad_request", "A seat is listed twice in bots.", "bots")
    return tuple(sorted(bots))


def _check_bot(game: AnyGame, bot: BotAssignment, path: str) -> BotAssignment:
    if bot.bot and bot.bot not in BOTS:
        raise errors.BadRequest("no_such_bot", f"There is no bot of that name; bots: {', '.join(BOTS)}.", f"{path}bot")
    if game.controller(bot.seat) != bot.seat:
        raise errors.BadRequest("no_such_seat", f"Seat {bot.seat} is a dummy, which its partner plays.", f"{path}seat")
    return bot


def _rotated_role(snapshot: Snapshot, caller: Caller, requested: Seat | None) -> Seat:
    """Return the seat whose key is to be replaced, `CHANCE` for the referee's own key."""
    viewer = viewer_of(snapshot, caller, requested)
    if viewer is None:
        raise errors.NotAuthenticated("key_needed", "A key is replaced by its holder, or by the referee.")
    if viewer == REFEREE:
        return CHANCE
    if viewer not in snapshot.metadata.seats:
        raise errors.BadRequest("no_such_seat", f"Seat {viewer} is a dummy, which has no key.", "seat")
    return viewer


def bot_messages(snapshot: Snapshot) -> list[pb.BotSeat]:
    return [pb.BotSeat(seat=bot.seat, bot=bot.bot, think_ms=bot.think_ms) for bot in snapshot.control.bots]


def takeback_request_message(snapshot: Snapshot) -> pb.PendingTakeback | None:
    if not (takeback := snapshot.control.takeback_request):
        return None
    return pb.PendingTakeback(seat=takeback[0], awaiting_answers_from=awaiting_answers_from(snapshot))


def _shuffle_message(snapshot: Snapshot, shuffle: Shuffle) -> pb.Shuffle:
    nonce = derive_nonce(snapshot.metadata.seed, shuffle.number)
    return pb.Shuffle(
        number=shuffle.number,
        revision=shuffle.revision,
        verb=shuffle.move.verb,
        supplied=not shuffle.is_provable,
        commitment=commit(nonce) if shuffle.is_provable else "",
        client_seeds=[table_pb2.ClientSeed(seat=seat, seed=seed) for seat, seed in shuffle.client_seeds],
        nonce=nonce if shuffle.is_provable and shuffle.is_revealed else "",
        cards=shuffle.move.cards if shuffle.is_revealed else (),
        amount=shuffle.move.amount,
        lots=shuffle.lots,
    )


DEFAULT_PAGE_SIZE = 50  # matches on a page if the caller names no size


class PlatformMatchServicer:
    def __init__(self, lists: MatchLists, hub: PlatformHub) -> None:
        self._lists = lists
        self._hub = hub

    def ListMatches(self, request: pb.ListMatchesRequest, caller: Caller) -> pb.ListMatchesResponse:
        if request.platform:
            check_admin(caller.is_admin, "platform")
        platform, wanted = request.platform or _platform_of(caller), read_filter(request)
        # A token is for its filters and the platform that was named.
        method = " ".join(filter(None, ("ListMatches", request.platform, self._lists.filter_digest(platform, wanted))))
        last = read_page_token(method, request.page_token, is_index_entry)
        found, following = self._lists.page(platform, last, request.page_size or DEFAULT_PAGE_SIZE, wanted)
        return pb.ListMatchesResponse(
            matches=[_summary_message(*one) for one in found], next_page_token=write_page_token(method, following)
        )

    def WatchMatches(
        self, request: pb.WatchMatchesRequest, caller: Caller, notify: Callable[[], None]
    ) -> ResponseStream:
        return ResponseStream(self._hub.watch(_platform_of(caller), notify))


def player_name_messages(metadata: MatchMetadata) -> list[pb.PlayerName]:
    return [pb.PlayerName(seat=seat, name=name) for seat, name in metadata.player_names]


def read_filter(request: pb.ListMatchesRequest) -> MatchFilter:
    labels = dict.fromkeys(tuple(label.split("=", 1)) for label in request.labels)
    return MatchFilter(request.external_id, tuple((key, value) for key, value in labels), request.player_name)


def _platform_of(caller: Caller) -> str:
    if not caller.platform:
        raise platform_only()
    return caller.platform


def _summary_message(match: str, snapshot: Snapshot) -> pb.MatchSummary:
    return pb.MatchSummary(
        match_id=match,
        rule_set=rule_set_message(snapshot.metadata.rule_set),
        revision=snapshot.row.revision,
        create_time=timestamp_message(snapshot.metadata.created_at * 1000),
        finished=snapshot.game.is_finished(snapshot.position),
        aborted=snapshot.row.aborted,
        private=snapshot.metadata.private,
        sandbox=snapshot.metadata.sandbox,
        external_id=snapshot.metadata.external_id,
        labels=dict(snapshot.metadata.labels),
        player_names=player_name_messages(snapshot.metadata),
    )
