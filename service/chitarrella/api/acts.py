"""The part of MatchService for what happens beside the moves: words, rulings, bots, decisions taken back."""

from __future__ import annotations

from collections.abc import Iterable

from chitarrella import errors
from chitarrella.affairs import CONTRIBUTE, DEAL_NOW, Act, BotSeat
from chitarrella.api.caller import Caller
from chitarrella.api.draws import DrawApi
from chitarrella.api.roles import actor_of, asked_seat, role_of
from chitarrella.bots import BOTS
from chitarrella.drawing import words_awaited
from chitarrella.game import AnyGame
from chitarrella.kept import Seen
from chitarrella.referee import Referee
from chitarrella.steward import Steward, awaited
from chitarrella.timing import until_when
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.wire import read_seat
from chitarrella.words import CHANCE


class ActApi(DrawApi):
    """The answers about acts of the house."""

    def __init__(self, referee: Referee, steward: Steward) -> None:
        """Ask ``referee`` what there is, and let ``steward`` do it."""
        super().__init__(referee)
        self._steward = steward

    def ContributeToDeal(self, request: pb.ContributeToDealRequest, caller: Caller) -> pb.ContributeToDealResponse:
        """Add a word to the shuffle."""
        actor = actor_of(self._referee.see(request.match), caller, asked_seat(request))
        if (actor == CHANCE) == bool(request.word):
            raise errors.BadRequest("bad_request", "A seat adds a word; the referee, for nobody, adds none.", "word")
        act = Act(actor, DEAL_NOW) if actor == CHANCE else Act(actor, CONTRIBUTE, request.word)
        seen = self._steward.act(request.match, act, request.request_id)
        return pb.ContributeToDealResponse(revision=seen.page.revision, words_awaited=words_awaited(seen))

    def RuleOnTime(self, request: pb.RuleOnTimeRequest, caller: Caller) -> pb.RuleOnTimeResponse:
        """Rule on the time of the seat on turn."""
        role_of(self._referee.see(request.match).header, caller)
        ruled, seen = self._steward.rule_on_time(request.match)
        return pb.RuleOnTimeResponse(ruled=ruled, revision=seen.page.revision, deadline_ms=until_when(seen))

    def TakeBack(self, request: pb.TakeBackRequest, caller: Caller) -> pb.TakeBackResponse:
        """Ask to take back the last decision, or answer."""
        actor = actor_of(self._referee.known(request.match), caller, asked_seat(request))
        expected = request.expected_revision if request.HasField("expected_revision") else None
        done, seen = self._steward.take_back(
            request.match, actor, refuse=request.refuse, expected=expected, request=request.request_id
        )
        return pb.TakeBackResponse(revision=seen.page.revision, taken_back=done, awaited=awaited(seen))

    def SeatBot(self, request: pb.SeatBotRequest, caller: Caller) -> pb.SeatBotResponse:
        """Give a seat to a bot, or back to a person."""
        known = self._referee.known(request.match)
        seat = actor_of(known, caller, asked_seat(request))
        if seat == CHANCE:
            raise errors.BadRequest("bad_request", "The referee names the seat.", "seat")
        bot = BotSeat(seat, request.bot, request.think_ms)
        seen = self._steward.seat_bot(request.match, _known(known.game, bot, ""))
        return pb.SeatBotResponse(revision=seen.page.revision, bots=bot_messages(seen))


def read_bots(game: AnyGame, messages: Iterable[pb.BotSeat]) -> tuple[BotSeat, ...]:
    """Read which seats bots play from the beginning."""
    bots = []
    for place, message in enumerate(messages):
        seat = read_seat(game, message.seat, f"bots[{place}].seat")
        bots.append(_known(game, BotSeat(seat, message.bot, message.think_ms), f"bots[{place}]."))
    if len({bot.seat for bot in bots}) != len(bots):
        raise errors.BadRequest("bad_request", "One bot to a seat.", "bots")
    return tuple(sorted(bots))


def _known(game: AnyGame, bot: BotSeat, path: str) -> BotSeat:
    if bot.bot and bot.bot not in BOTS:
        raise errors.BadRequest("no_such_bot", f"There is no bot of that name; bots: {', '.join(BOTS)}.", f"{path}bot")
    if game.controller(bot.seat) != bot.seat:
        raise errors.BadRequest("no_such_seat", f"Seat {bot.seat} is a dummy, which its partner plays.", f"{path}seat")
    return bot


def bot_messages(seen: Seen) -> list[pb.BotSeat]:
    """Write the seats that bots play."""
    return [pb.BotSeat(seat=bot.seat, bot=bot.bot, think_ms=bot.think) for bot in seen.affairs.bots]


def asked_back(seen: Seen) -> pb.AskedBack | None:
    """Write who asks to take back the last decision."""
    asked = seen.affairs.want_back
    return pb.AskedBack(seat=asked[0], awaited=awaited(seen)) if asked else None
