"""The life of a match over all transports: who comes, gives up and decides, its clock, what is forbidden, its lists."""

from collections.abc import Callable
from typing import Any

import pytest

from chitarrella.api import match_message
from chitarrella.matches import clock as clocks
from chitarrella.matches import log_writer, service
from chitarrella.matches.clock import now_ms
from chitarrella.v1 import match_pb2, table_pb2
from tests.transports.all_transports import Failed, Transport, WithoutTransport
from tests.transports.conftest import Platforms, WiredService
from tests.transports.rest_client import Rest

BRISCOLA = {"game_id": "briscola"}
CLOCK = {"move_time": {"seconds": 30}, "bank": {"seconds": 60}}


class Table:
    def __init__(self, ask: Transport, **more: Any) -> None:
        self._ask = ask
        self.made = ask("CreateMatch", **{"rule_set": BRISCOLA, **more})
        self.id, self.referee = self.made.match.match_id, self.made.referee_key
        self.keys = {one.seat: one.key for one in self.made.seat_keys}

    def __call__(self, rpc: str, by: int | str = "", **fields: Any) -> Any:
        key = self.keys[by] if isinstance(by, int) else by
        return self._ask(rpc, match_id=self.id, key=key, **fields)

    def play(self) -> Any:
        """Play the first legal move of the seat to move, as the referee."""
        listed = self("ListMatchMoves", self.referee)
        return self("PlayMove", self.referee, seat=listed.seat, move=listed.moves[0])

    def kinds(self, by: int | str = "") -> list[str]:
        return [event.kind for update in self("ListEvents", by).updates for event in update.events]


def present(match: match_pb2.Match) -> list[bool]:
    return [seat.present for seat in match.seats]


def test_who_is_present(transport: Transport, rest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody sees which seats call or hold a stream, or when they did last; neither the referee nor a bot counts."""
    table = Table(transport)
    assert [False, False] == present(table("GetMatch", table.referee, seat=1))
    assert [True, False] == present(table("JoinMatch", 0))
    with Rest(rest, table.keys[1]).stream(f"/v1/matches/{table.id}:watch"):
        both = table("GetMatch")
        assert ([True, True], False) == (present(both), both.seats[0].HasField("last_seen_time"))
    later = now_ms() + 60_000
    with monkeypatch.context() as patched:
        patched.setattr(match_message, "now_ms", lambda: later)
        left = table("GetMatch")
        assert [False, False] == present(left)
        assert all(0 < later - seat.last_seen_time.ToMilliseconds() <= 60_000 for seat in left.seats)
    assert [True, False] == present(table("AssignBot", 1, bot="greedy"))


def assert_imported(ask: Transport, table: Table, ended: match_pb2.Match) -> None:
    """Check that the record of a match that did not end by its rules is the match that ended so, unless played on."""
    record = table("GetRecord").record
    again = ask("ImportMatch", record=record).match
    for name in ("state", "outcome", "end_reason", "scores"):
        assert getattr(ended, name) == getattr(again, name), name
    assert [seat.resigned for seat in ended.seats] == [seat.resigned for seat in again.seats]
    assert match_pb2.MATCH_STATE_OPEN == ask("ImportMatch", record=record, move_count=1).match.state


def test_resignation_of_a_side_ends_the_match(transport: Transport) -> None:
    """Of two sides the other one wins; it is in the events, the record and every answer, and nothing goes on."""
    table = Table(transport, clock=CLOCK)
    table.play()
    assert Failed("key_needed", "authorization") == table("ResignMatch")
    assert Failed("bad_request", "seat") == table("ResignMatch", table.referee)
    left = table("ResignMatch", 1)
    resigned = table_pb2.Outcome(winners=[0], ending=table_pb2.ENDING_RESIGNED)
    assert (match_pb2.MATCH_STATE_FINISHED, resigned) == (left.state, left.outcome)
    assert left == table("ResignMatch", 1)
    found = table("GetMatch")
    assert found.end_time == left.end_time
    assert left.end_time.seconds >= found.create_time.seconds
    assert (table_pb2.WAITING_NOBODY, resigned) == (found.view.waiting, found.view.outcome)
    assert not found.view.HasField("turn")
    assert not found.HasField("deadline")
    assert [False, True] == [seat.resigned for seat in found.seats]
    assert "resigned" == table.kinds()[-1]
    assert "\nresigned 1\n" in table("GetRecord").record
    assert_imported(transport, table, found)
    assert [] == list(table("ListMatchMoves", table.referee).moves)
    assert Failed("match_finished", "") == table("PlayMove", 0, move={"verb": "play_card", "cards": ["Ab"]})
    for rpc in ("ResignMatch", "JoinMatch", "PauseClock", "TakeBack", "AssignBot"):
        fields = {"bot": "greedy"} if rpc == "AssignBot" else {}
        assert Failed("match_finished", "") == table(rpc, 0, **fields), rpc


def test_seat_that_resigns_among_many_loses_and_the_others_play_on(transport: Transport) -> None:
    """With more than two sides the match goes on: the service plays for the seat, which cannot win."""
    table = Table(transport, rule_set={"game_id": "coteccio", "players": 4})
    assert "forfeited" == (table("ResignMatch", table.referee, seat=2), table.kinds()[-1])[1]
    state = table("GetMatch")
    assert (match_pb2.MATCH_STATE_OPEN, True) == (state.state, state.seats[2].resigned)
    table("ResignMatch", 0)
    ended = table("ResignMatch", 1)
    assert (match_pb2.MATCH_STATE_FINISHED, [3]) == (ended.state, list(ended.outcome.winners))
    assert_imported(transport, table, ended)


def test_referee_or_platform_decides(platforms: Platforms) -> None:
    """A verdict has winners and a reason; the referee or the platform gives it, nobody else, and only once."""
    table = Table(platforms.acme)
    verdict: dict[str, Any] = {"winners": [1], "reason": "Seat 0 did not come."}
    for by in (0, 1):
        assert Failed("referee_only", "") == table("DecideMatch", by, **verdict)
    assert Failed("no_such_seat", "winners[0]") == table("DecideMatch", **{**verdict, "winners": [7]})
    decided = table("DecideMatch", **verdict)
    outcome = table_pb2.Outcome(winners=[1], ending=table_pb2.ENDING_DECIDED)
    assert (outcome, "Seat 0 did not come.") == (decided.outcome, decided.end_reason)
    assert decided.revision == table("DecideMatch", table.referee, **verdict).revision
    assert Failed("match_finished", "") == table("DecideMatch", table.referee, winners=[0], reason="no")
    assert "\ndecided 1 Seat 0 did not come.\n" in table("GetRecord").record
    drawn = Table(platforms.acme)
    assert [] == list(drawn("DecideMatch", drawn.referee, reason="0 to 0").outcome.winners)
    for one in (table, drawn):
        assert_imported(platforms.acme, one, one("GetMatch"))
    aborted = Table(platforms.acme)
    ended = aborted("AbortMatch", aborted.referee, reason="A mistake.")
    assert ("A mistake.", True, False) == (ended.end_reason, ended.HasField("end_time"), ended.HasField("outcome"))


def test_a_reported_outcome_can_be_decided(platforms: Platforms) -> None:
    """Winners may be named as outcomes have them, a dummy beside the seat that plays it, and alone it does not win."""
    coech = {"rule_set": {"game_id": "coech", "players": 2}}
    ended, table = Table(platforms.acme, **coech), Table(platforms.acme, **coech)
    winners = list(ended("ResignMatch", 1).outcome.winners)
    assert [0, 2] == winners
    assert Failed("no_such_seat", "winners[0]") == table("DecideMatch", winners=[2, 1], reason="a bug")
    assert winners == list(table("DecideMatch", winners=[2, 0], reason="a bug").outcome.winners)
    assert_imported(platforms.acme, table, table("GetMatch"))


def test_clock_waits_for_every_person(transport: Transport) -> None:
    """A clock that starts when all have joined stands still until then, and names come with joining."""
    table = Table(transport, clock={**CLOCK, "starts_when_joined": True})
    assert (True, False) == (table.made.match.clock_paused, table.made.match.HasField("deadline"))
    first = table("JoinMatch", 0, player_name="Ada")
    assert (True, [True, False], "Ada") == (
        first.clock_paused,
        [seat.joined for seat in first.seats],
        first.seats[0].player_name,
    )
    last = table("JoinMatch", 1)
    assert (False, True) == (last.clock_paused, last.HasField("deadline"))
    assert last.revision == table("JoinMatch", 1).revision
    assert ["joined", "joined", "clock_resumed"] == table.kinds()[-3:]


@pytest.mark.parametrize("rpc", ["ResignMatch", "DecideMatch", "AbortMatch"])
def test_nobody_is_waited_for_after_the_end(transport: Transport, rpc: str) -> None:
    """A match that is over, or was aborted, waits for no seat: no turn, no answer about a takeback or a pause."""
    table = Table(transport, clock=CLOCK)
    mover = table("GetMatch").view.turn
    table.play()
    table("PauseClock", mover)
    assert table("TakeBack", mover).match.HasField("takeback_request")
    ended = table(rpc, table.referee, **({"seat": 0} if rpc == "ResignMatch" else {"reason": "x"}))
    assert (table_pb2.WAITING_NOBODY, [], False) == (
        ended.view.waiting,
        list(ended.view.turns),
        ended.view.HasField("turn"),
    )
    assert (False, []) == (ended.HasField("takeback_request"), list(ended.pause_requested_by))
    paused = Table(transport, clock=CLOCK)
    paused("PauseClock", paused.referee)
    assert not paused(rpc, paused.referee, **({"seat": 0} if rpc == "ResignMatch" else {"reason": "x"})).clock_paused


@pytest.mark.parametrize(("rpc", "code"), [("DecideMatch", "match_finished"), ("AbortMatch", "match_aborted")])
def test_joining_that_fails_changes_no_name(transport: Transport, rpc: str, code: str) -> None:
    """Who joins a match that is over gets an error, and the seat keeps its name."""
    table = Table(transport, player_names=[{"seat": 0, "name": "Ada"}])
    table(rpc, table.referee, reason="x")
    assert Failed(code, "") == table("JoinMatch", 0, player_name="Eve")
    assert "Ada" == table("GetMatch").seats[0].player_name


def test_joining_resumes_no_clock_that_was_paused(transport: Transport) -> None:
    """The last person who joins starts a clock that waits for that, and none that has run and was paused since."""
    table = Table(transport, clock={**CLOCK, "starts_when_joined": True})
    table("JoinMatch", 0)
    assert not table("PauseClock", table.referee, resume=True).clock_paused
    assert table("PauseClock", table.referee).clock_paused
    assert table("JoinMatch", 1).clock_paused


BOT: dict[str, Any] = {"bot": "greedy", "delay": {"seconds": 10}}


def test_bot_in_place_of_the_last_person_is_not_waited_for(transport: Transport) -> None:
    """What every person has to agree to is done when a bot takes the seat of the last one; asked again nothing is."""
    table = Table(transport, clock={**CLOCK, "starts_when_joined": True})
    table("JoinMatch", 0)
    assert not table("AssignBot", 1, **BOT).clock_paused
    table = Table(transport, clock=CLOCK)
    table("PauseClock", 0)
    paused = table("AssignBot", 1, **BOT)
    assert (True, [], paused.revision) == (
        paused.clock_paused,
        list(paused.pause_requested_by),
        table("AssignBot", 1, **BOT).revision,
    )
    left = [table("AssignBot", 1, bot="", delay=BOT["delay"]).revision for _ in range(2)]
    assert [paused.revision + 1] * 2 == left
    table = Table(transport)
    mover = table("GetMatch").view.turn
    table.play()
    assert table("TakeBack", mover).match.HasField("takeback_request")
    state = table("AssignBot", 1 - mover, **BOT)
    assert (False, mover) == (state.HasField("takeback_request"), state.view.turn)
    assert ["bot_seated", "taken_back"] == table.kinds()[-2:]


def test_nobody_waits_for_a_person_who_has_resigned(transport: Transport) -> None:
    """Neither joining, a pause, a takeback nor a shuffle waits for a person who has resigned."""
    three: dict[str, Any] = {"rule_set": {**BRISCOLA, "players": 3, "options": {"first_dealer": "2"}}}
    table = Table(transport, **three, clock={**CLOCK, "starts_when_joined": True})
    for seat in (0, 1):
        table("JoinMatch", seat)
    assert not table("ResignMatch", 2).clock_paused
    for seat in (0, 1):
        state = table("PauseClock", seat)
    assert (True, 0) == (state.clock_paused, state.view.turn)
    table.play()
    table("TakeBack", 0)
    assert table("TakeBack", 1).taken_back
    shared = Table(transport, **three, pack_source=match_pb2.PACK_SOURCE_SHARED)
    for seat in (0, 1):
        state = shared("ContributeSeed", seat, client_seed="a")
    assert [2] == list(state.awaiting_seeds_from)
    state = shared("ResignMatch", 2)
    assert ([], table_pb2.WAITING_SEAT) == (list(state.awaiting_seeds_from), state.view.waiting)


def test_clock_is_paused_by_all_seats_or_by_the_platform(platforms: Platforms) -> None:
    """Seats pause it when all have asked, the referee and the platform at once; it goes on with what was left."""
    table = Table(platforms.acme, clock=CLOCK, sandbox={"seed": "pause"})
    advance = {"duration": {"seconds": 20}}
    table("AdvanceClock", table.referee, **advance)
    asked = table("PauseClock", 0)
    assert (False, [0]) == (asked.clock_paused, list(asked.pause_requested_by))
    paused = table("PauseClock", 1)
    assert (True, [], False) == (paused.clock_paused, list(paused.pause_requested_by), paused.HasField("deadline"))
    for _ in range(3):
        assert not table("AdvanceClock", table.referee, duration={"seconds": 600}).timed_out
    running = table("PauseClock", resume=True)
    now = table("AdvanceClock", table.referee, duration={"seconds": 1}).time
    assert 69 == running.deadline.seconds - now.seconds
    assert Failed("no_clock", "") == Table(platforms.acme)("PauseClock")
    assert Failed("referee_only", "") == table("AddTime", 0, seat=0, duration={"seconds": 5})
    more: dict[str, Any] = {"seat": 0, "duration": {"seconds": 5}, "request_id": "more"}
    for _ in range(2):
        assert [65, 60] == [seat.bank.seconds for seat in table("AddTime", table.referee, **more).seats]


def test_increment_and_takeback_at_the_clock(transport: Transport) -> None:
    """A decision adds the increment; taking it back gives the seat what it has cost, and takes the increment."""
    table = Table(transport, clock={**CLOCK, "increment": {"seconds": 2}}, sandbox={"seed": "increment"})
    seat = table("GetMatch").view.turn
    table("AdvanceClock", table.referee, duration={"seconds": 40})
    table.play()
    assert 60 - 10 + 2 == table("GetMatch").seats[seat].bank.seconds
    back = table("TakeBack", table.referee)
    assert (True, 60) == (back.taken_back, back.match.seats[seat].bank.seconds)


@pytest.mark.parametrize("clock", [{}, {"increment": {"seconds": 2}}, {"starts_when_joined": True}])
def test_clock_without_time_is_refused(transport: Transport, clock: dict[str, Any]) -> None:
    """A clock that limits nothing is a mistake of the caller."""
    assert Failed("bad_request", "clock") == transport("CreateMatch", rule_set=BRISCOLA, clock=clock)


def test_round_against_bots_is_taken_back_in_one_call(transport: Transport) -> None:
    """A person among bots takes back its last decision with all that bots have played since."""
    bots = [{"seat": seat, "bot": "random", "delay": {"seconds": 10}} for seat in (0, 2, 3)]
    table = Table(transport, rule_set={"game_id": "coteccio", "players": 4}, bots=bots)
    while table("GetMatch").view.turn != 1:
        table.play()
    before = table("GetMatch").view
    table.play()
    table.play()
    back = table("TakeBack", 1)
    assert back.taken_back
    assert (before.zones, before.turn) == (back.match.view.zones[:], back.match.view.turn) or before.turn == 1


def test_a_move_is_suggested(transport: Transport) -> None:
    """Who is to move can have a legal move suggested, with the points at stake; who waits has none, and no error."""
    table = Table(transport, bots=[{"seat": 0, "bot": "easy", "delay": {"seconds": 9}}])
    assert 9 == table("GetMatch").seats[0].bot.delay.seconds
    seat = table("GetMatch").view.turn
    hand = table("ExplainMatchHand", table.referee, seat=seat, suggest=True)
    assert hand.HasField("suggested_points")
    assert table_pb2.VERDICT_ACCEPTED == hand.moves[hand.suggested].verdict
    assert not table("ExplainMatchHand", table.referee, seat=1 - seat, suggest=True).HasField("suggested")
    assert not table("ExplainMatchHand", table.referee, seat=seat).HasField("suggested")


def test_what_a_match_forbids(transport: Transport) -> None:
    """Takebacks and bots may be forbidden to the seats, and spectators to everybody; the referee may all the same."""
    restrictions = ["RESTRICTION_NO_TAKEBACKS", "RESTRICTION_NO_BOTS"]
    table = Table(transport, restrictions=restrictions)
    assert restrictions == [match_pb2.Restriction.Name(one) for one in table.made.match.restrictions]
    seat = table("GetMatch").view.turn
    table.play()
    assert Failed("restricted", "") == table("TakeBack", seat)
    assert Failed("restricted", "") == table("AssignBot", seat, bot="greedy")
    assert Failed("restricted", "") == table("ExplainMatchHand", table("GetMatch").view.turn, suggest=True)
    assert table("TakeBack", table.referee).taken_back
    assert "greedy" == table("AssignBot", table.referee, seat=seat, bot="greedy").seats[seat].bot.bot
    private = Table(transport, private=True)
    assert Failed("no_such_match", "match_id") == private("GetMatch")
    watched = private("GetMatch", private.made.spectator_key)
    assert (False, False) == (watched.HasField("viewer"), any(zone.cards for zone in watched.view.zones if zone.seat))
    assert Failed("key_needed", "authorization") == private("ListMatchMoves", private.made.spectator_key)
    closed = Table(transport, restrictions=["RESTRICTION_NO_SPECTATORS"])
    assert ("", True) == (closed.made.spectator_key, closed.made.match.private)


def test_what_others_may_not_know_moves_no_time(transport: Transport) -> None:
    """A signal to the partner, and a key that is replaced, change nothing of the match as others get it."""
    rules = {**BRISCOLA, "players": 4, "options": {"signals": "free"}}
    table = Table(transport, rule_set=rules, clock=CLOCK)
    for seat in (0, 1):
        table("JoinMatch", seat)
    table.play()

    def seen() -> list[Any]:
        return [table(rpc, by) for rpc in ("GetMatch", "ListEvents") for by in ("", 1)]

    before = seen()
    assert table("PlayMove", 0, move={"verb": "signal", "choice": "A"}).accepted
    table("RotateKey", table.referee, seat=2)
    assert before == seen()
    table.play()
    assert before[0].update_time != table("GetMatch").update_time


@pytest.mark.parametrize("clock", [{}, {"clock": CLOCK}], ids=["without a clock", "with a clock"])
def test_match_is_deleted_when_it_says(
    wired: WiredService, monkeypatch: pytest.MonkeyPatch, clock: dict[str, Any]
) -> None:
    """Whatever happens to a match, the store keeps it until its expire_time; what is no public change moves neither."""
    begun, ahead = now_ms(), [0]
    for module in (service, log_writer, clocks):
        monkeypatch.setattr(module, "now_ms", lambda: begun + ahead[0])
    table = Table(WithoutTransport(wired.api), expire_after={"seconds": 3600}, **clock)

    def left() -> float:
        return float(wired.store.connection.client.pttl(wired.store.connection.match_keys(table.id)[0]) / 1000)

    def expires() -> float:
        return float(table("GetMatch").expire_time.ToMilliseconds() / 1000)

    stated, kept = expires(), left()
    assert abs(stated - begun / 1000 - kept) < 5
    changes: list[tuple[Callable[[], Any], bool]] = [
        (lambda: table("UpdateMatch", table.referee, external_id="x"), False),
        (lambda: table("JoinMatch", 0, player_name="Ada"), True),
        (lambda: table("JoinMatch", 0, player_name="Bea"), False),
        (lambda: table("UpdateMatch", table.referee, expire_after={"seconds": 60}), True),
        (lambda: table("RotateKey", table.referee, seat=0), False),
        (table.play, True),
        (lambda: table("UpdateMatch", table.referee, expire_after={"seconds": 1800}), True),
        (lambda: table("AbortMatch", table.referee), True),
        (lambda: table("UpdateMatch", table.referee, external_id="y"), False),
    ]
    for change, renews in changes:
        ahead[0] += 10_000
        assert not isinstance(change(), Failed)
        assert renews or stated == expires()
        stated = expires()
        kept = stated - (begun + ahead[0]) / 1000 if renews else kept
        assert abs(left() - kept) < 5


def test_update_of_a_match(platforms: Platforms) -> None:
    """The platform changes what it has attached, finds the match by it, and lets it be kept longer."""
    labels = {"cup": "update", "round": "1", "court": ""}
    table = Table(platforms.acme, labels=labels, player_names=[{"seat": 0, "name": "Ada"}])
    assert {"cup": "update", "round": "1"} == dict(table.made.match.labels)
    assert Failed("referee_only", "") == table("UpdateMatch", 0, external_id="x")
    more: dict[str, Any] = {"player_names": [{"seat": 1, "name": "Berto"}], "expire_after": {"seconds": 3600}}
    changed = table("UpdateMatch", external_id="updated", labels={"round": "", "court": "3"}, **more)
    assert ("updated", {"cup": "update", "court": "3"}) == (changed.external_id, dict(changed.labels))
    assert ["Ada", "Berto"] == [seat.player_name for seat in changed.seats]
    assert table.made.match.revision == changed.revision
    assert 3600 == changed.expire_time.seconds - changed.update_time.seconds
    table.play()
    wanted: dict[str, Any]
    for wanted in ({"external_id": "updated"}, {"labels": ["court=3"]}, {"player_name": "Berto"}):
        assert table.id in [one.match_id for one in platforms.acme("ListMatches", **wanted).matches]
    assert [] == list(platforms.acme("ListMatches", labels=["cup=update", "round=1"]).matches)


def test_list_of_what_ended_with_winners(platforms: Platforms) -> None:
    """A list is filtered by state, game, times and winner, in either order; its rows say who has won, and when."""
    acme, names = platforms.acme, [{"seat": 0, "name": "Lea"}, {"seat": 1, "name": "Max"}]
    tables = [Table(acme, player_names=names, external_id="listed") for _ in range(3)]
    tables[0]("ResignMatch", 1)
    tables[1]("AbortMatch", tables[1].referee)
    begun = tables[0].made.match.create_time
    every: dict[str, Any] = {"external_id": "listed"}

    def listed(**wanted: Any) -> list[str]:
        return [one.match_id for one in acme("ListMatches", **every, **wanted).matches]

    ids = [table.id for table in tables]
    assert [ids[0]] == listed(state="MATCH_STATE_FINISHED")
    assert [ids[2]] == listed(state="MATCH_STATE_OPEN")
    assert [ids[0]] == listed(winner_name="Lea", ended_after=begun)
    assert [] == listed(winner_name="Max")
    assert [] == listed(game_id="cucu")
    assert {*ids[:2]} == {*listed(ended_after=begun)}
    assert [] == listed(created_after={"seconds": begun.seconds + 3600})
    last = max(table.made.match.create_time.seconds for table in tables)
    assert listed(created_after={"seconds": last})
    assert [] == listed(created_after={"seconds": last, "nanos": 500_000_000})
    assert ids[::-1] == sorted(ids, key=listed().index) or set(ids) == set(listed())
    assert listed()[::-1] == listed(ascending=True)
    (row,) = acme("ListMatches", **every, winner_name="Lea").matches
    assert ([0], True, False) == (list(row.outcome.winners), row.HasField("end_time"), row.HasField("view"))


def test_match_that_begins_finished_has_an_end(platforms: Platforms) -> None:
    """A match that is imported with its end ended when it was imported, and is listed so."""
    table = Table(platforms.acme)
    table("ResignMatch", 1)
    made = platforms.acme("ImportMatch", record=table("GetRecord").record, external_id="imported").match
    assert made.end_time == made.update_time
    (listed,) = platforms.acme("ListMatches", external_id="imported", ended_after=made.create_time).matches
    assert made.match_id == listed.match_id


def test_updates_have_times(transport: Transport) -> None:
    """Every update says when it was, a decision how long it took, and the last one of a clock what is left."""
    table = Table(transport, clock=CLOCK)
    for _ in range(3):
        table.play()
    updates = table("ListEvents").updates
    assert all(update.HasField("time") for update in updates)
    assert [False, True, True, True] == [update.HasField("think_time") for update in updates]
    assert [False, False, False, True] == [update.HasField("deadline") for update in updates]
    assert [60, 60] == [bank.seconds for bank in updates[-1].banks]
    assert table("GetMatch").deadline == updates[-1].deadline
