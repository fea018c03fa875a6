"""A match kept by the service, with the rights of one key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from types import MappingProxyType
from typing import Unpack

from chitarrella.v1 import match_play_pb2, match_requests_pb2, table_pb2
from chitarrella_client import decoders, requests
from chitarrella_client.aio.rules import AsyncMoveSpecCache
from chitarrella_client.aio.transport import AsyncTransport
from chitarrella_client.aio.watch import AsyncWatch
from chitarrella_client.arguments import checked
from chitarrella_client.connection import Secret
from chitarrella_client.errors import Refused
from chitarrella_client.moves import MoveArguments, MoveLike, has_arguments, move_message
from chitarrella_client.requests import NO_LABELS, NO_NAMES, SeatAccess, Seconds
from chitarrella_client.responses import (
    ClockAdvance,
    ClockResult,
    MatchDetails,
    MatchHand,
    MatchMoves,
    MatchMoveValidation,
    MatchUpdate,
    MoveResult,
    TakebackResult,
)
from chitarrella_client.retry import Subscription
from chitarrella_client.shuffles import Shuffles

NO_KEYS: Mapping[int, Secret] = MappingProxyType({})


@checked
class AsyncMatch:
    """A match. The key decides who acts and what is visible: a seat, the referee, or, without a key, the public."""

    def __init__(
        self,
        transport: AsyncTransport,
        move_specs: AsyncMoveSpecCache,
        access: SeatAccess,
        game_id: str = "",
        keys: Mapping[int, Secret] = NO_KEYS,
    ) -> None:
        """Act as ``access`` over ``transport``; ``game_id`` and ``keys`` where they are known."""
        self._transport = transport
        self._move_specs = move_specs
        self._access = access
        self._game_id = game_id
        self.keys = keys
        """The keys by seat, if this client created the match. Whoever has a key may act for its seat."""
        self.spectator_key = ""
        """The key of spectators, if this client created the match and it is private."""

    @property
    def id(self) -> str:
        """The id of the match."""
        return self._access.match_id

    @property
    def key(self) -> Secret:
        """The key in use; the referee's, for a match that was just created. Its ``repr`` does not show it."""
        return self._access.key

    @property
    def seat(self) -> int | None:
        """The seat named by `as_seat`."""
        return self._access.seat

    def as_seat(self, seat: int | None) -> AsyncMatch:
        """Return the same match for a seat: with the seat's own key if it is known, else with the present one.

        None (`MatchMoves.seat` if no seat is to move) stands for no seat, with the present key.
        """
        key = None if seat is None else self.keys.get(seat)
        access = self._access._replace(seat=seat) if key is None else SeatAccess(self.id, key, seat)
        return AsyncMatch(self._transport, self._move_specs, access, self._game_id, self.keys)

    async def get(self) -> MatchDetails:
        """Return the state of the match, with the view of this key."""
        request = match_requests_pb2.GetMatchRequest(match_id=self.id, seat=self.seat)
        return await self._transport.call(self._transport.matches.GetMatch, request, decoders.match_details, self.key)

    async def legal_moves(self) -> MatchMoves:
        """List the legal moves of the seat; for the referee, those of the seat to move."""
        request = match_play_pb2.ListMatchMovesRequest(match_id=self.id, seat=self.seat)
        list_moves = self._transport.matches.ListMatchMoves
        return await self._transport.call(list_moves, request, decoders.match_moves, self.key)

    async def explain_hand(self, *, suggest: bool = False) -> MatchHand:
        """Explain every move that the seat might make: legal, or the clauses that it would break.

        ``suggest``: suggest one of them too, the one that a normal bot makes: `MatchHand.suggested`.
        """
        request = match_play_pb2.ExplainMatchHandRequest(match_id=self.id, seat=self.seat, suggest=suggest)
        explain_hand = self._transport.matches.ExplainMatchHand
        return await self._transport.call(explain_hand, request, decoders.match_hand, self.key)

    async def validate_move(self, move: MoveLike, **arguments: Unpack[MoveArguments]) -> MatchMoveValidation:
        """Validate a move without playing it."""
        message = await self._message(move, arguments)
        request = match_play_pb2.ValidateMatchMoveRequest(match_id=self.id, seat=self.seat, move=message)
        validate = self._transport.matches.ValidateMatchMove
        return await self._transport.call(validate, request, decoders.match_move_validation, self.key)

    async def play(
        self,
        move: MoveLike,
        expected_revision: int | None = None,
        *,
        include_view: bool = False,
        request_id: str = "",
        **arguments: Unpack[MoveArguments],
    ) -> MoveResult:
        """Play a move: ``"play_card Ab"``, ``("play_card", cards="Ab")``, a `Move` or the message.

        A refused move is a normal result; `play_or_raise` raises instead.
        ``expected_revision``: play only if the match is at that revision, else raise `StaleRevision`.
        ``include_view``: return the view after the move too.
        ``request_id``: for repeating the call later or from another process. Left out, the client makes one, and
        retries a lost call with it.
        """
        message = await self._message(move, arguments)
        request = requests.play_move(self._access, message, expected_revision, include_view, request_id)
        return await self._transport.call(self._transport.matches.PlayMove, request, decoders.move_result, self.key)

    async def play_or_raise(
        self,
        move: MoveLike,
        expected_revision: int | None = None,
        *,
        include_view: bool = False,
        request_id: str = "",
        **arguments: Unpack[MoveArguments],
    ) -> MoveResult:
        """Play a move like `play`, but raise `Refused` if it is refused."""
        result = await self.play(move, expected_revision, include_view=include_view, request_id=request_id, **arguments)
        if not result.accepted:
            raise Refused(result.refusals, result.revision)
        return result

    async def events(self, after: str = "") -> AsyncIterator[MatchUpdate]:
        """Iterate over the updates after a cursor, or from the beginning, as visible to this key."""
        more = True
        while more:
            request = match_play_pb2.ListEventsRequest(match_id=self.id, seat=self.seat, page_token=after)
            list_events = self._transport.matches.ListEvents
            page = await self._transport.call(list_events, request, lambda response: response, self.key)
            for message in page.updates:
                yield decoders.match_update(message)
            after = page.next_page_token
            more = bool(after)

    def watch(self, cursor: str = "", give_up: float | None = None) -> AsyncWatch:
        """Follow the match from a cursor, or from the beginning, until it is finished.

        After a lost connection it reconnects by itself.  If that does not succeed within ``give_up`` seconds, it raises
        the last error.
        """
        return AsyncWatch(self._transport, self._access, Subscription(cursor, give_up))

    async def contribute_seed(self, seed: str, *, request_id: str = "") -> MatchDetails:
        """Add the seed of the seat to the next shuffle: any text without line breaks, best a long random one."""
        return await self._contribute(self._access, seed, request_id)

    async def shuffle_now(self, *, request_id: str = "") -> MatchDetails:
        """Shuffle without the seeds that are still missing, as the referee."""
        return await self._contribute(SeatAccess(self.id), "", request_id)

    async def _contribute(self, access: SeatAccess, seed: str, request_id: str) -> MatchDetails:
        request = requests.contribute_seed(access, seed, request_id)
        contribute = self._transport.matches.ContributeSeed
        return await self._transport.call(contribute, request, decoders.match_details, self.key)

    async def shuffles(self) -> Shuffles:
        """List the shuffles so far; each has its nonce and its order once they reveal nothing hidden any more."""
        request = match_play_pb2.ListShufflesRequest(match_id=self.id)
        list_shuffles = self._transport.matches.ListShuffles
        return await self._transport.call(list_shuffles, request, decoders.shuffle_list, self.key)

    async def record(self) -> str:
        """Return the record of the match: to the referee at any time, to everybody when it is finished."""
        request = match_play_pb2.GetRecordRequest(match_id=self.id)
        get_record = self._transport.matches.GetRecord
        return await self._transport.call(get_record, request, lambda response: response.record, self.key)

    async def join(self, player_name: str = "") -> MatchDetails:
        """Record that the player of the seat is there, perhaps with a name."""
        request = match_requests_pb2.JoinMatchRequest(match_id=self.id, seat=self.seat, player_name=player_name)
        return await self._transport.call(self._transport.matches.JoinMatch, request, decoders.match_details, self.key)

    async def resign(self) -> MatchDetails:
        """Resign for the seat; as the referee or the platform, let the seat of `as_seat` forfeit."""
        request = match_requests_pb2.ResignMatchRequest(match_id=self.id, seat=self.seat)
        resign = self._transport.matches.ResignMatch
        return await self._transport.call(resign, request, decoders.match_details, self.key)

    async def decide(self, winners: Iterable[int], reason: str) -> MatchDetails:
        """Decide who has won, as the referee or the platform; no winners make a draw."""
        request = match_requests_pb2.DecideMatchRequest(match_id=self.id, winners=winners, reason=reason)
        decide = self._transport.matches.DecideMatch
        return await self._transport.call(decide, request, decoders.match_details, self.key)

    async def update(
        self,
        *,
        external_id: str | None = None,
        labels: Mapping[str, str] = NO_LABELS,
        player_names: Mapping[int, str] = NO_NAMES,
        expire_after: Seconds = 0,
    ) -> MatchDetails:
        """Change what the platform attaches to the match; what is left out stays, a label with an empty value goes."""
        request = requests.update_match(self.id, external_id, labels, player_names, expire_after)
        update = self._transport.matches.UpdateMatch
        return await self._transport.call(update, request, decoders.match_details, self.key)

    async def pause_clock(self, *, resume: bool = False) -> MatchDetails:
        """Ask for the clock to be paused, or to go on; the referee and the platform decide so."""
        request = match_play_pb2.PauseClockRequest(match_id=self.id, seat=self.seat, resume=resume)
        pause = self._transport.matches.PauseClock
        return await self._transport.call(pause, request, decoders.match_details, self.key)

    async def add_time(self, seat: int, time: Seconds, *, request_id: str = "") -> MatchDetails:
        """Add whole seconds to the bank of a seat, as the referee or the platform."""
        request = requests.add_time(self.id, seat, time, request_id)
        return await self._transport.call(self._transport.matches.AddTime, request, decoders.match_details, self.key)

    async def abort(self, reason: str = "") -> MatchDetails:
        """Abort the match, as the referee."""
        request = match_requests_pb2.AbortMatchRequest(match_id=self.id, reason=reason)
        abort = self._transport.matches.AbortMatch
        return await self._transport.call(abort, request, decoders.match_details, self.key)

    async def enforce_clock(self) -> ClockResult:
        """Enforce the clock: if time is up, play the default move, or shuffle without the missing seeds."""
        request = match_play_pb2.EnforceClockRequest(match_id=self.id)
        enforce = self._transport.matches.EnforceClock
        return await self._transport.call(enforce, request, decoders.clock_result, self.key)

    async def advance_clock(self, time: Seconds, *, request_id: str = "") -> ClockAdvance:
        """Move the time of a test forward by whole seconds, as the referee; who is out of time then, is played for."""
        request = requests.advance_clock(self._access, time, request_id)
        advance = self._transport.matches.AdvanceClock
        return await self._transport.call(advance, request, decoders.clock_advance, self.key)

    async def take_back(
        self, *, decline: bool = False, expected_revision: int | None = None, request_id: str = ""
    ) -> TakebackResult:
        """Request a takeback of the last decision, agree to one, or ``decline`` it; the referee decides alone."""
        request = requests.take_back(self._access, decline, expected_revision, request_id)
        return await self._transport.call(self._transport.matches.TakeBack, request, decoders.takeback_result, self.key)

    async def assign_bot(self, bot: str, think_time: Seconds = 0, delay: Seconds = 0) -> MatchDetails:
        """Assign the seat to a bot, or with an empty name back to a person.

        ``think_time``: how long the bot may think about a move, at most 2 seconds; 0 for the default.
        ``delay``: how long after the last decision it moves at the earliest, at most 10 seconds.
        """
        time, wait = requests.duration(think_time), requests.duration(delay)
        request = match_play_pb2.AssignBotRequest(
            match_id=self.id, seat=self.seat, bot=bot, think_time=time, delay=wait
        )
        return await self._transport.call(self._transport.matches.AssignBot, request, decoders.match_details, self.key)

    async def rotate_key(self, seat: int | None = None, *, request_id: str = "") -> AsyncMatch:
        """Replace the key in use, or, as the referee, that of ``seat``; returns the match with the new key.

        The old key is closed at once: this object goes on only if its own key stays, and watches with the old key end.
        The new key is `key` of the result, that of another seat is in its `keys`.
        """
        request = requests.rotate_key(self.id, seat, request_id)
        rotate = self._transport.matches.RotateKey
        new = await self._transport.call(rotate, request, lambda response: Secret(response.key), self.key)
        old = self.key if seat is None else self.keys.get(seat, "")
        access = self._access._replace(key=new) if self.key == old else self._access
        replaced = {known: new if key == old else key for known, key in self.keys.items()}
        keys = MappingProxyType(replaced if seat is None else {**replaced, seat: new})
        return AsyncMatch(self._transport, self._move_specs, access, self._game_id, keys)

    async def delete(self) -> None:
        """Delete the match with all its data, as the referee."""
        request = match_requests_pb2.DeleteMatchRequest(match_id=self.id)
        await self._transport.call(self._transport.matches.DeleteMatch, request, lambda response: None, self.key)

    async def _message(self, move: MoveLike, arguments: MoveArguments) -> table_pb2.Move:
        game_id = ""
        if has_arguments(move):
            if not self._game_id:
                self._game_id = (await self.get()).rule_set.game_id
            game_id = self._game_id
        return move_message(move, arguments, await self._move_specs.get(game_id))

    def __repr__(self) -> str:
        """Show the match and the seat; never a key."""
        return f"<{type(self).__name__} {self.id}" + (">" if self.seat is None else f" as seat {self.seat}>")
