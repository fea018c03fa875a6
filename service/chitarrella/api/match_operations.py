"""The part of MatchService for operations other than moves: seeds, the clock, takebacks, bots, keys, lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from google.protobuf.duration_pb2 import Duration

from chitarrella import errors
from chitarrella import v1 as pb
from chitarrella.api.api_keys import check_admin, platform_only
from chitarrella.api.authorization import (
    actor_of,
    check_manager,
    check_referee,
    is_manager,
    requested_seat,
    role_of,
    viewer_of,
)
from chitarrella.api.caller import Caller
from chitarrella.api.converters import read_page_token, time_fields, write_page_token
from chitarrella.api.match_message import STATES, match_fields, whole_match
from chitarrella.api.streams import ResponseStream
from chitarrella.bots import BOTS
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE, REFEREE, Seat
from chitarrella.core.provable_shuffle import commit, derive_nonce
from chitarrella.matches.chance import Shuffle, next_commitment, shuffles_of
from chitarrella.matches.clock import match_time
from chitarrella.matches.metadata import (
    CONTRIBUTE_SEED,
    SHUFFLE_NOW,
    BotAssignment,
    ControlAction,
    MatchDetails,
    PlayerNames,
    Snapshot,
)
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.service import MatchFilter, MatchLists, MatchService, check_in_progress
from chitarrella.matches.watching import PlatformHub
from chitarrella.questions import read_seat
from chitarrella.storage.rows import is_index_entry


class MatchOperationsServicer:
    def __init__(self, matches: MatchService, operations: MatchOperations) -> None:
        self._matches = matches
        self._operations = operations

    def _match(self, match: str, snapshot: Snapshot, caller: Caller, seat: Seat | None = None) -> pb.Match:
        return pb.Match(**whole_match(self._matches, match, snapshot, viewer_of(snapshot, caller, seat), caller))

    def ContributeSeed(self, request: pb.ContributeSeedRequest, caller: Caller) -> pb.Match:
        actor = actor_of(self._matches.repository.load(request.match_id), caller, requested_seat(request))
        if (actor == CHANCE) == bool(request.client_seed):
            raise errors.BadRequest("bad_request", "A seat adds a seed; the referee adds none.", "client_seed")
        verb = SHUFFLE_NOW if actor == CHANCE else CONTRIBUTE_SEED
        action = ControlAction(actor, verb, request.client_seed)  # the referee's seed is empty
        snapshot = self._operations.contribute_seed(request.match_id, action, request.request_id)
        return self._match(request.match_id, snapshot, caller, requested_seat(request))

    def JoinMatch(self, request: pb.JoinMatchRequest, caller: Caller) -> pb.Match:
        snapshot = self._matches.repository.load(request.match_id)
        seat = _named_seat(snapshot, caller, requested_seat(request))
        if seat not in snapshot.control.joined and (error := check_in_progress(snapshot)):
            raise error
        if request.player_name:  # before the event: who reads the match because of it finds the name
            name = pb.PlayerName(seat=seat, name=request.player_name)
            self._matches.update(request.match_id, lambda details: renamed(snapshot.game, details, [name]))
        snapshot = self._operations.join(request.match_id, seat)
        return self._match(request.match_id, snapshot, caller, requested_seat(request))

    def ResignMatch(self, request: pb.ResignMatchRequest, caller: Caller) -> pb.Match:
        snapshot, seat = self._matches.repository.load(request.match_id), requested_seat(request)
        forfeits = is_manager(snapshot, caller)
        names_seat = forfeits and seat is not None
        seat = read_seat(snapshot.game, seat or 0) if names_seat else _named_seat(snapshot, caller, seat)
        snapshot = self._operations.resign(request.match_id, snapshot.game.controller(seat), forfeits=forfeits)
        return self._match(request.match_id, snapshot, caller)

    def DecideMatch(self, request: pb.DecideMatchRequest, caller: Caller) -> pb.Match:
        snapshot = self._matches.repository.load(request.match_id)
        check_manager(snapshot, caller, "decide a match")
        game, winners = snapshot.game, set(request.winners)
        for place, seat in enumerate(request.winners):
            if seat >= game.seats or game.controller(seat) not in winners:  # a dummy wins with who plays it
                read_seat(game, seat, f"winners[{place}]")
        snapshot = self._operations.decide(request.match_id, tuple(sorted(winners)), request.reason)
        return self._match(request.match_id, snapshot, caller)

    def PauseClock(self, request: pb.PauseClockRequest, caller: Caller) -> pb.Match:
        snapshot, seat = self._matches.repository.load(request.match_id), requested_seat(request)
        decides = seat is None and is_manager(snapshot, caller)
        actor = CHANCE if decides else actor_of(snapshot, caller, seat)
        snapshot = self._operations.pause_clock(request.match_id, actor, resume=request.resume)
        return self._match(request.match_id, snapshot, caller, seat)

    def AddTime(self, request: pb.AddTimeRequest, caller: Caller) -> pb.Match:
        snapshot = self._matches.repository.load(request.match_id)
        check_manager(snapshot, caller, "add time")
        seat, seconds = read_seat(snapshot.game, request.seat), read_seconds(request.duration)
        snapshot = self._operations.add_time(request.match_id, seat, seconds, request.request_id)
        return self._match(request.match_id, snapshot, caller)

    def EnforceClock(self, request: pb.EnforceClockRequest, caller: Caller) -> pb.EnforceClockResponse:
        role_of(self._matches.repository.load(request.match_id), caller)
        applied, snapshot = self._operations.enforce_clock(request.match_id)
        return pb.EnforceClockResponse(timed_out=applied, match=self._match(request.match_id, snapshot, caller))

    def AdvanceClock(self, request: pb.AdvanceClockRequest, caller: Caller) -> pb.AdvanceClockResponse:
        check_referee(role_of(self._matches.repository.load(request.match_id), caller), "advance the clock")
        seconds = read_seconds(request.duration)
        timed_out, snapshot = self._operations.advance_clock(request.match_id, seconds, request.request_id)
        return pb.AdvanceClockResponse(
            time=time_fields(match_time(snapshot.metadata, snapshot.control)),
            timed_out=timed_out,
            match=self._match(request.match_id, snapshot, caller),
        )

    def TakeBack(self, request: pb.TakeBackRequest, caller: Caller) -> pb.TakeBackResponse:
        match, seat = request.match_id, requested_seat(request)
        actor = actor_of(self._matches.repository.load(match), caller, seat)
        expected = request.expected_revision if request.HasField("expected_revision") else None
        taken_back, snapshot = self._operations.take_back(
            match, actor, decline=request.decline, expected=expected, request_id=request.request_id
        )
        return pb.TakeBackResponse(taken_back=taken_back, match=self._match(match, snapshot, caller, seat))

    def AssignBot(self, request: pb.AssignBotRequest, caller: Caller) -> pb.Match:
        snapshot = self._matches.repository.load(request.match_id)
        seat = _named_seat(snapshot, caller, requested_seat(request))
        bot = BotAssignment(seat, request.bot, *map(Duration.ToMilliseconds, (request.think_time, request.delay)))
        by = CHANCE if role_of(snapshot, caller).referee else seat
        snapshot = self._operations.assign_bot(request.match_id, _check_bot(snapshot.game, bot, ""), by)
        return self._match(request.match_id, snapshot, caller, requested_seat(request))

    def RotateKey(self, request: pb.RotateKeyRequest, caller: Caller) -> pb.RotateKeyResponse:
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
        snapshot = self._matches.repository.load(request.match_id)
        viewer_of(snapshot, caller, None)
        history, lines = self._matches.repository.history(request.match_id)
        shuffles = [_shuffle_message(snapshot, one) for one in shuffles_of(history, lines, snapshot.metadata)]
        return pb.ListShufflesResponse(
            shuffles=shuffles, next_commitment=next_commitment(snapshot.metadata, snapshot.control)
        )


def _named_seat(snapshot: Snapshot, caller: Caller, requested: Seat | None) -> Seat:
    """Return the seat of the caller, or the one that the referee names."""
    seat = actor_of(snapshot, caller, requested)
    if seat == CHANCE:
        raise errors.BadRequest("bad_request", "The referee names the seat.", "seat")
    return seat


def read_seconds(duration: Duration) -> int:
    if duration.nanos:
        raise errors.BadRequest("bad_request", "The duration must be whole seconds.", "duration")
    return duration.seconds


def read_player_names(game: AnyGame, messages: Iterable[pb.PlayerName]) -> PlayerNames:
    """Read the names of players; no error names a player."""
    names: dict[int, str] = {}
    for place, message in enumerate(messages):
        seat = read_seat(game, message.seat, f"player_names[{place}].seat")
        if seat in names:
            raise errors.BadRequest("bad_request", f"Seat {seat} has a name already.", f"player_names[{place}].seat")
        names[seat] = message.name
    return tuple(sorted(names.items()))


def renamed(game: AnyGame, details: MatchDetails, messages: Iterable[pb.PlayerName]) -> MatchDetails:
    names = {**dict(details.player_names), **dict(read_player_names(game, messages))}
    return details._replace(player_names=tuple(sorted(names.items())))


def read_bots(game: AnyGame, messages: Iterable[pb.BotSeat]) -> tuple[BotAssignment, ...]:
    bots = []
    for place, message in enumerate(messages):
        seat = read_seat(game, message.seat, f"bots[{place}].seat")
        bot = BotAssignment(seat, message.bot, *map(Duration.ToMilliseconds, (message.think_time, message.delay)))
        bots.append(_check_bot(game, bot, f"bots[{place}]."))
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


def _shuffle_message(snapshot: Snapshot, shuffle: Shuffle) -> pb.Shuffle:
    nonce = derive_nonce(snapshot.metadata.seed, shuffle.number)
    return pb.Shuffle(
        number=shuffle.number,
        revision=shuffle.revision,
        verb=shuffle.move.verb,
        supplied=not shuffle.is_provable,
        commitment=commit(nonce) if shuffle.is_provable else "",
        client_seeds=[pb.ClientSeed(seat=seat, seed=seed) for seat, seed in shuffle.client_seeds],
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
            matches=[match_fields(*one, caller) for one in found], next_page_token=write_page_token(method, following)
        )

    def WatchMatches(
        self, request: pb.WatchMatchesRequest, caller: Caller, notify: Callable[[], None]
    ) -> ResponseStream:
        return ResponseStream(self._hub.watch(_platform_of(caller), notify))


def read_filter(request: pb.ListMatchesRequest) -> MatchFilter:
    labels = dict.fromkeys(tuple(label.split("=", 1)) for label in request.labels)
    states = {number: state for state, number in STATES.items()}
    return MatchFilter(
        request.external_id,
        tuple((key, value) for key, value in labels),
        request.player_name,
        state=states.get(request.state, ""),
        game=request.game_id,
        created_after=request.created_after.ToMilliseconds(),
        ended_after=request.ended_after.ToMilliseconds(),
        winner_name=request.winner_name,
        ascending=request.ascending,
    )


def _platform_of(caller: Caller) -> str:
    if not caller.platform:
        raise platform_only()
    return caller.platform
