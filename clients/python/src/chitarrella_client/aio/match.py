"""A match kept by the service, with the rights of one key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Unpack

from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from chitarrella_client import decoders, requests
from chitarrella_client.aio.move_forms import AsyncMoveForms
from chitarrella_client.aio.transport import AsyncTransport
from chitarrella_client.aio.watch import AsyncWatch
from chitarrella_client.draws import Awaited, Draws
from chitarrella_client.errors import Refused
from chitarrella_client.moves import MoveArguments, MoveLike, has_arguments, move_message
from chitarrella_client.requests import SeatAccess
from chitarrella_client.responses import (
    BotSeat,
    MatchHand,
    MatchMoves,
    MatchVerdict,
    Played,
    Ruling,
    Seen,
    TakenBack,
    Told,
)
from chitarrella_client.retry import Subscription

NO_KEYS: Mapping[int, str] = MappingProxyType({})


class AsyncMatch:
    """A match. The key decides who acts and what is visible: a seat, the referee, or, without a key, the public."""

    def __init__(
        self,
        transport: AsyncTransport,
        move_forms: AsyncMoveForms,
        access: SeatAccess,
        game: str = "",
        keys: Mapping[int, str] = NO_KEYS,
    ) -> None:
        """Act as ``access`` over ``transport``; ``game`` and ``keys`` where they are known."""
        self._transport = transport
        self._move_forms = move_forms
        self._access = access
        self._game = game
        self.keys = keys
        """The keys by seat, if this client created the match. Whoever has a key may act for its seat."""

    @property
    def id(self) -> str:
        """The id of the match."""
        return self._access.match

    @property
    def key(self) -> str:
        """The key in use; the referee's, for a match that was just created."""
        return self._access.key

    @property
    def seat(self) -> int | None:
        """The seat named by `as_seat`."""
        return self._access.seat

    def as_seat(self, seat: int) -> AsyncMatch:
        """Return the same match for a seat: with the seat's own key if it is known, else with the present one."""
        key = self.keys.get(seat)
        access = self._access._replace(seat=seat) if key is None else SeatAccess(self.id, key, seat)
        return AsyncMatch(self._transport, self._move_forms, access, self._game, self.keys)

    async def look(self) -> Seen:
        """Return the match as it stands, with the view of this key."""
        request = pb.GetMatchRequest(match=self.id, seat=self.seat)
        return await self._transport.call(self._transport.matches.GetMatch, request, decoders.snapshot, self.key)

    async def moves(self) -> MatchMoves:
        """List the legal moves of the seat; for the referee, those of the seat to move."""
        request = pb.ListMatchMovesRequest(match=self.id, seat=self.seat)
        list_moves = self._transport.matches.ListMatchMoves
        return await self._transport.call(list_moves, request, decoders.match_moves, self.key)

    async def hand(self) -> MatchHand:
        """Explain every card of the seat: legal, or the clauses that forbid it."""
        request = pb.ExplainMatchHandRequest(match=self.id, seat=self.seat)
        explain_hand = self._transport.matches.ExplainMatchHand
        return await self._transport.call(explain_hand, request, decoders.match_hand, self.key)

    async def judge(self, move: MoveLike, **arguments: Unpack[MoveArguments]) -> MatchVerdict:
        """Check a move without making it."""
        message = await self._message(move, arguments)
        request = pb.JudgeMoveRequest(match=self.id, seat=self.seat, move=message)
        return await self._transport.call(self._transport.matches.JudgeMove, request, decoders.match_verdict, self.key)

    async def play(
        self,
        move: MoveLike,
        expected_revision: int | None = None,
        *,
        want_view: bool = False,
        request_id: str = "",
        **arguments: Unpack[MoveArguments],
    ) -> Played:
        """Make a move: ``"play_card Ab"``, ``("play_card", cards="Ab")``, a `Move` or the message.

        A refused move is a normal result; `play_or_raise` raises instead.
        ``expected_revision``: make the move only if the match is at that revision, else raise `StaleRevision`.
        ``want_view``: return the view after the move too.
        ``request_id``: for repeating the call later or from another process. Left out, the client makes one, and
        retries a lost call with it.
        """
        message = await self._message(move, arguments)
        request = requests.play_move(self._access, message, expected_revision, want_view, request_id)
        return await self._transport.call(self._transport.matches.PlayMove, request, decoders.move_result, self.key)

    async def play_or_raise(
        self,
        move: MoveLike,
        expected_revision: int | None = None,
        *,
        want_view: bool = False,
        request_id: str = "",
        **arguments: Unpack[MoveArguments],
    ) -> Played:
        """Make a move like `play`, but raise `Refused` if it is refused."""
        played = await self.play(move, expected_revision, want_view=want_view, request_id=request_id, **arguments)
        if not played.accepted:
            raise Refused(played.refusals, played.revision)
        return played

    async def events(self, after: str = "") -> AsyncIterator[Told]:
        """Iterate over what has happened after a cursor, or from the beginning, as visible to this key."""
        more = True
        while more:
            request = pb.ListEventsRequest(match=self.id, seat=self.seat, cursor=after)
            list_events = self._transport.matches.ListEvents
            page = await self._transport.call(list_events, request, lambda response: response, self.key)
            for message in page.moves:
                yield decoders.update(message)
            after, more = page.cursor, page.more

    def watch(self, cursor: str = "", give_up: float | None = None) -> AsyncWatch:
        """Follow the match from a cursor, or from the beginning, until it is over.

        After a lost connection it reconnects by itself.  If that does not succeed within ``give_up`` seconds, it raises
        the last error.
        """
        return AsyncWatch(self._transport, self._access, Subscription(cursor, give_up))

    async def contribute(self, word: str, *, request_id: str = "") -> Awaited:
        """Contribute to the shuffle of the next pack: any text, best a long random one."""
        request = requests.contribute(self._access, word, request_id)
        contribute = self._transport.matches.ContributeToDeal
        return await self._transport.call(contribute, request, decoders.contribution_result, self.key)

    async def deal_now(self, *, request_id: str = "") -> Awaited:
        """Deal without the contributions that are still missing, as the referee."""
        request = requests.contribute(SeatAccess(self.id), "", request_id)
        contribute = self._transport.matches.ContributeToDeal
        return await self._transport.call(contribute, request, decoders.contribution_result, self.key)

    async def draws(self) -> Draws:
        """List the packs and lots drawn so far; each has its proof once nothing of it is hidden any more."""
        request = pb.ListDrawsRequest(match=self.id)
        return await self._transport.call(self._transport.matches.ListDraws, request, decoders.draw_list, self.key)

    async def record(self) -> str:
        """Return the record of the match: to the referee at any time, to everybody once it is over."""
        request = pb.GetRecordRequest(match=self.id)
        get_record = self._transport.matches.GetRecord
        return await self._transport.call(get_record, request, lambda response: response.record, self.key)

    async def end(self) -> int:
        """Abort the match, as the referee; returns the last revision."""
        request = pb.EndMatchRequest(match=self.id)
        end_match = self._transport.matches.EndMatch
        return await self._transport.call(end_match, request, lambda response: response.revision, self.key)

    async def rule_on_time(self) -> Ruling:
        """Enforce the clock: if time is up, the seat to move makes its default move, or the pack is dealt."""
        request = pb.RuleOnTimeRequest(match=self.id)
        return await self._transport.call(self._transport.matches.RuleOnTime, request, decoders.ruling, self.key)

    async def take_back(
        self, *, refuse: bool = False, expected_revision: int | None = None, request_id: str = ""
    ) -> TakenBack:
        """Request a takeback of the last decision, agree to one, or ``refuse`` it; the referee decides alone."""
        request = requests.take_back(self._access, refuse, expected_revision, request_id)
        return await self._transport.call(self._transport.matches.TakeBack, request, decoders.takeback_result, self.key)

    async def seat_bot(self, bot: str, think_ms: int = 0) -> tuple[BotSeat, ...]:
        """Seat a bot, or with an empty name the player again; returns the seats that bots play."""
        request = pb.SeatBotRequest(match=self.id, seat=self.seat, bot=bot, think_ms=think_ms)
        return await self._transport.call(self._transport.matches.SeatBot, request, decoders.bots, self.key)

    async def delete(self) -> None:
        """Delete the match, as the referee."""
        request = pb.DeleteMatchRequest(match=self.id)
        await self._transport.call(self._transport.matches.DeleteMatch, request, lambda response: None, self.key)

    async def _message(self, move: MoveLike, arguments: MoveArguments) -> table_pb2.Move:
        game = ""
        if has_arguments(move):
            if not self._game:
                self._game = (await self.look()).agreement.game
            game = self._game
        return move_message(move, arguments, await self._move_forms.get(game))

    def __repr__(self) -> str:
        """Show the match and the seat; never a key."""
        return f"<{type(self).__name__} {self.id}" + (">" if self.seat is None else f" as seat {self.seat}>")
