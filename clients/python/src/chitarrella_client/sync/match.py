"""A match that the service keeps, with the eyes and the hand of one key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Unpack

from chitarrella_client import reading, requests
from chitarrella_client.answers import (
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
from chitarrella_client.draws import Awaited, Draws
from chitarrella_client.errors import Refused
from chitarrella_client.moves import Arguments, MoveLike, is_line, move_message
from chitarrella_client.requests import Holder
from chitarrella_client.retrying import Following
from chitarrella_client.sync.line import Line
from chitarrella_client.sync.verbs import Verbs
from chitarrella_client.sync.watch import Watch
from chitarrella_client.v1 import matches_pb2 as pb
from chitarrella_client.v1 import table_pb2

NO_KEYS: Mapping[int, str] = MappingProxyType({})


class Match:
    """A match. The key says who asks: a seat, the referee, or, without one, the public."""

    def __init__(
        self, line: Line, verbs: Verbs, holder: Holder, game: str = "", keys: Mapping[int, str] = NO_KEYS
    ) -> None:
        """Speak for ``holder`` over ``line``; ``game`` and ``keys`` where they are known."""
        self._line = line
        self._verbs = verbs
        self._holder = holder
        self._game = game
        self.keys = keys
        """The key of every seat, where this client has opened the match; whoever has a key is that seat."""

    @property
    def id(self) -> str:
        """The name of the match."""
        return self._holder.match

    @property
    def key(self) -> str:
        """The key it is bound to; of a match that was just opened, the referee's."""
        return self._holder.key

    @property
    def seat(self) -> int | None:
        """The seat that `as_seat` has named."""
        return self._holder.seat

    def as_seat(self, seat: int) -> Match:
        """Speak for a seat: with its own key where that is known, or else with the referee's."""
        key = self.keys.get(seat)
        holder = self._holder._replace(seat=seat) if key is None else Holder(self.id, key, seat)
        return Match(self._line, self._verbs, holder, self._game, self.keys)

    def look(self) -> Seen:
        """Look at the table."""
        request = pb.GetMatchRequest(match=self.id, seat=self.seat)
        return self._line.ask(self._line.matches.GetMatch, request, reading.seen, self.key)

    def moves(self) -> MatchMoves:
        """List what the seat may do now; for the referee, what the seat to move may do."""
        request = pb.ListMatchMovesRequest(match=self.id, seat=self.seat)
        return self._line.ask(self._line.matches.ListMatchMoves, request, reading.match_moves, self.key)

    def hand(self) -> MatchHand:
        """Explain every card of the seat: legal, or the clauses it would break."""
        request = pb.ExplainMatchHandRequest(match=self.id, seat=self.seat)
        return self._line.ask(self._line.matches.ExplainMatchHand, request, reading.match_hand, self.key)

    def judge(self, move: MoveLike, **arguments: Unpack[Arguments]) -> MatchVerdict:
        """Judge a move without making it."""
        message = self._message(move, arguments)
        request = pb.JudgeMoveRequest(match=self.id, seat=self.seat, move=message)
        return self._line.ask(self._line.matches.JudgeMove, request, reading.match_verdict, self.key)

    def play(
        self,
        move: MoveLike,
        expected_revision: int | None = None,
        *,
        want_view: bool = False,
        request_id: str = "",
        **arguments: Unpack[Arguments],
    ) -> Played:
        """Make a move: ``"play_card Ab"``, ``("play_card", cards="Ab")``, a `Move` or the message.

        A refusal is an answer like another; see `play_or_raise`.  With ``expected_revision`` the move is made only if
        the table is still there, or else `StaleRevision` is raised.  ``request_id`` is for who wants to repeat the
        call later, or from another process; otherwise one is made, and repeating is done here.
        """
        message = self._message(move, arguments)
        request = requests.play_move(self._holder, message, expected_revision, want_view, request_id)
        return self._line.ask(self._line.matches.PlayMove, request, reading.played, self.key)

    def play_or_raise(
        self,
        move: MoveLike,
        expected_revision: int | None = None,
        *,
        want_view: bool = False,
        request_id: str = "",
        **arguments: Unpack[Arguments],
    ) -> Played:
        """Make a move like `play`, but raise `Refused` where it is refused."""
        played = self.play(move, expected_revision, want_view=want_view, request_id=request_id, **arguments)
        if not played.accepted:
            raise Refused(played.refusals, played.revision)
        return played

    def events(self, after: str = "") -> Iterator[Told]:
        """Go through what has happened after a cursor, or from the first card on, as those eyes may know it."""
        more = True
        while more:
            request = pb.ListEventsRequest(match=self.id, seat=self.seat, cursor=after)
            page = self._line.ask(self._line.matches.ListEvents, request, lambda answer: answer, self.key)
            for message in page.moves:
                yield reading.told(message)
            after, more = page.cursor, page.more

    def watch(self, cursor: str = "", give_up: float | None = None) -> Watch:
        """Follow the match from a cursor, or from the first card on, until it is over.

        After a cut it comes back by itself; cut off for ``give_up`` seconds, it raises what keeps it from coming back.
        """
        return Watch(self._line, self._holder, Following(cursor, give_up))

    def contribute(self, word: str, *, request_id: str = "") -> Awaited:
        """Add a word to the shuffle of the pack that is wanted: any text, best a long random one."""
        request = requests.contribute(self._holder, word, request_id)
        return self._line.ask(self._line.matches.ContributeToDeal, request, reading.awaited, self.key)

    def deal_now(self, *, request_id: str = "") -> Awaited:
        """Wait for no more words, as the referee."""
        request = requests.contribute(Holder(self.id), "", request_id)
        return self._line.ask(self._line.matches.ContributeToDeal, request, reading.awaited, self.key)

    def draws(self) -> Draws:
        """List every pack and lot that was drawn, with as much of the proof as hides nothing any more."""
        request = pb.ListDrawsRequest(match=self.id)
        return self._line.ask(self._line.matches.ListDraws, request, reading.draw_list, self.key)

    def record(self) -> str:
        """Give the record of the match: to the referee at any time, to everybody when it is over."""
        request = pb.GetRecordRequest(match=self.id)
        return self._line.ask(self._line.matches.GetRecord, request, lambda answer: answer.record, self.key)

    def end(self) -> int:
        """End the match before its time, as the referee; gives the last revision."""
        request = pb.EndMatchRequest(match=self.id)
        return self._line.ask(self._line.matches.EndMatch, request, lambda answer: answer.revision, self.key)

    def rule_on_time(self) -> Ruling:
        """Have the seat on turn make its move by default, or a pack dealt without missing words, if time is over."""
        request = pb.RuleOnTimeRequest(match=self.id)
        return self._line.ask(self._line.matches.RuleOnTime, request, reading.ruling, self.key)

    def take_back(
        self, *, refuse: bool = False, expected_revision: int | None = None, request_id: str = ""
    ) -> TakenBack:
        """Ask that the last decision be taken back, agree to that, or ``refuse``; the referee decides for everybody."""
        request = requests.take_back(self._holder, refuse, expected_revision, request_id)
        return self._line.ask(self._line.matches.TakeBack, request, reading.taken_back, self.key)

    def seat_bot(self, bot: str, think_ms: int = 0) -> tuple[BotSeat, ...]:
        """Give the seat to a bot, or back to a person where that is empty; gives the seats that bots play."""
        request = pb.SeatBotRequest(match=self.id, seat=self.seat, bot=bot, think_ms=think_ms)
        return self._line.ask(self._line.matches.SeatBot, request, reading.bots, self.key)

    def delete(self) -> None:
        """Have the match forgotten at once, as the referee."""
        request = pb.DeleteMatchRequest(match=self.id)
        self._line.ask(self._line.matches.DeleteMatch, request, lambda answer: None, self.key)

    def _message(self, move: MoveLike, arguments: Arguments) -> table_pb2.Move:
        if is_line(move) and not self._game:
            self._game = (self.look()).agreement.game
        return move_message(move, arguments, self._verbs.of(self._game if is_line(move) else ""))

    def __repr__(self) -> str:
        """Show everything but keys."""
        return f"<{type(self).__name__} {self.id}" + (">" if self.seat is None else f" as seat {self.seat}>")
