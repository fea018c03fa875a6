"""Tests of platforms over all transports: their seed, their clock, a service without them; and a match for money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from chitarrella.transports.inprocess import Service
from chitarrella.v1 import matches_pb2, table_pb2
from tests.transports.all_transports import Failed, Transport, WithoutTransport
from tests.transports.rest_client import Table, failed
from tests.walks import CATALOGUE

BRISCOLA = {"game_id": "briscola"}
CLOCK = {"move_seconds": 30}


def created(transport: Transport, seed: str | None = "a seed", clock: dict[str, int] | None = CLOCK) -> Any:
    """Create a test, or for no seed a real match."""
    sandbox = None if seed is None else {"seed": seed}
    return transport("CreateMatch", rule_set=BRISCOLA, clock=clock, sandbox=sandbox)


def advanced(transport: Transport, match: Any, seconds: int, request_id: str = "", key: str | None = None) -> Any:
    """Advance the clock of a match, by default as the referee."""
    key = match.referee_key if key is None else key
    return transport("AdvanceClock", match_id=match.match_id, seconds=seconds, request_id=request_id, key=key)


def test_clock_is_advanced_by_the_referee(transport: Transport) -> None:
    """The referee moves the time of a test; a deadline that it passes is enforced, and a repeated call does nothing."""
    match = created(transport)
    until = transport("GetMatch", match_id=match.match_id).deadline
    early = advanced(transport, match, 30)
    assert (False, until, 2) == (early.timed_out, early.time, early.revision)
    late = advanced(transport, match, 1, "late")
    assert (True, until.seconds + 1, 5) == (late.timed_out, late.time.seconds, late.revision)
    assert late == advanced(transport, match, 1, "late")
    state = transport("GetMatch", match_id=match.match_id)
    assert (until.seconds + 31, 5) == (state.deadline.seconds, state.revision)
    events = transport("ListEvents", match_id=match.match_id, cursor="2.0").moves
    assert ["clock_advanced", "time_over", "card_played"] == [move.events[0].kind for move in events]
    assert Failed("request_reused", "request_id") == advanced(transport, match, 2, "late")


def test_others_cannot_advance_the_clock(transport: Transport) -> None:
    """Seats and the public cannot advance the clock, nor anybody by nothing, too much, or at a real match."""
    match = created(transport)
    for key in ("", *(one.key for one in match.seat_keys)):
        assert Failed("referee_only", "") == advanced(transport, match, 1, key=key)
    for seconds in (0, 2_592_001):
        assert Failed("bad_request", "seconds") == advanced(transport, match, seconds)
    assert Failed("bad_request", "request_id") == advanced(transport, match, 1, "x" * 65)
    assert Failed("not_a_sandbox", "") == advanced(transport, created(transport, None), 1)
    assert Failed("no_clock", "") == advanced(transport, created(transport, clock=None), 1)
    assert 1 == transport("GetMatch", match_id=match.match_id).revision
    for seed in ("x" * 65, "two\nlines", "two\rlines"):
        assert Failed("bad_request", "sandbox.seed") == created(transport, seed)


def test_record_of_a_test_is_marked(transport: Transport) -> None:
    """The record of a test says that it is one, and a match that is made of it is real unless it is a test too."""
    match = created(transport)
    record = transport("GetRecord", match_id=match.match_id, key=match.referee_key).record
    assert "\nsandbox true\n" in record
    for sandbox in (None, {"seed": "a seed"}):
        again = transport("ImportMatch", record=record, sandbox=sandbox).created
        state = transport("GetMatch", match_id=again.match_id)
        assert (sandbox is not None) == state.sandbox
        assert (again.next_commitment == match.next_commitment) == state.sandbox


def test_no_tests_without_the_setting() -> None:
    """A service without the setting creates no test, alone, in a batch or from a record."""
    service, off = Service(), Failed("sandbox_off", "sandbox")
    ask = WithoutTransport(service.dispatcher)
    assert off == created(ask) == created(ask, "")
    real = created(ask, None)
    record = ask("GetRecord", match_id=real.match_id, key=real.referee_key).record
    assert off == ask("ImportMatch", record=record, sandbox={})
    requests: list[Any] = [{"rule_set": BRISCOLA, "sandbox": {}}, {"rule_set": BRISCOLA}]
    first, second = ask("BatchCreateMatches", requests=requests).matches
    assert ("sandbox_off", True) == (first.error.code, second.HasField("created"))
    service.close()


# ---------------------------------------------------------------------- exchange match


SYNDICATE = {"game_id": "cucu", "players": 4, "options": {"tokens": "1"}}
Shares = Mapping[str, int]
NOBODY: Shares = {}
AUNT = "zia Anna: 50% | più"
"""A spectator whose name holds signs that notations need."""


class Match:
    """A match whose referee deals the packs that the test needs."""

    def __init__(self, transport: Transport) -> None:
        by_referee = matches_pb2.PACK_SOURCE_REFEREE
        self.opened = transport("CreateMatch", rule_set=SYNDICATE, pack_source=by_referee)
        self._transport, self.id, self.events = transport, self.opened.match_id, list[Any]()
        self.keys = {None: self.opened.referee_key, **{one.seat: one.key for one in self.opened.seat_keys}}

    def ask(self, key: str, verb: str, shares: Shares = NOBODY, cards: Sequence[str] = ()) -> Any:
        """Make a move; gives the answer, whatever it is."""
        named: Any = [{"person": who, "amount": amount} for who, amount in shares.items()]
        move = {"verb": verb, "cards": cards, "shares": named}
        return self._transport("PlayMove", match_id=self.id, move=move, key=key)

    def play(self, verb: str, *seats: int | None, shares: Shares = NOBODY, cards: Sequence[str] = ()) -> None:
        """Make a move of some seats, or of the table; it must be accepted."""
        for seat in seats:
            answer = self.ask(self.keys[seat], verb, shares, cards)
            assert getattr(answer, "accepted", False), answer
            self.events += answer.events

    def deal(self, *first: str) -> None:
        """Deal a pack that begins with these cards."""
        rest = list(map(str, CATALOGUE.game("cucu").pack.cards))
        for card in first:
            rest.remove(card)
        self.play("start_deal", None, cards=[*first, *rest])

    def view(self) -> Any:
        """Look at the table."""
        return self._transport("GetMatch", match_id=self.id).view

    def fact(self, name: str) -> Any:
        """The value of a fact about the table."""
        (fact,) = (fact for fact in self.view().facts if fact.name == name and not fact.HasField("seat"))
        value = getattr(fact, fact.WhichOneof("value"))
        return by_person(value.shares) if name in ("net", "agreement", "next_game") else value


def by_person(shares: Any) -> dict[str, int]:
    """Read amounts by person."""
    return {share.person: share.amount for share in shares}


def test_syndicate_split_prizes_and_next_game(transport: Transport) -> None:
    """A syndicate pays, the last two agree, prizes go to seats and to somebody without one; the referee goes on."""
    match = Match(transport)
    match.deal("I", "X", "IX", "VIII")
    match.play("keep", 1, 2, 3, 0)
    assert ("reentry", 100) == (match.view().phase, match.fact("cost"))
    match.play("reenter", 1, shares={"1": 40, AUNT: 60})
    match.deal("I", "X", "IX", "VIII")
    match.play("keep", 2, 3, 0, 1)
    match.play("decline_reentry", 2)
    match.deal("I", "X", "IX")
    match.play("keep", 0, 1, 3)
    match.play("decline_reentry", 0)
    match.deal("X", "I")
    match.play("propose_agreement", 3, shares={"3": 60, "1": 40})
    match.play("accept_agreement", 1)
    assert {"1": 40, "3": 60} == match.fact("agreement")
    match.play("keep", 3, 1)
    match.play("decline_reentry", 1)
    view = match.view()
    assert ("game_over", [3], table_pb2.WAITING_NOBODY) == (view.phase, list(view.outcome.winners), view.waiting)
    assert 0 == match.fact("pool")
    assert {"0": -100, "1": -60, "2": -100, "3": 200, AUNT: 60} == match.fact("net")
    (bought,) = [event for event in match.events if event.kind == "reenter"]
    assert (1, {"1": 40, AUNT: 60}) == (bought.seat, by_person(bought.shares))
    prizes = [by_person(event.shares) for event in match.events if event.kind == "prize"]
    assert [{"1": 80}, {"3": 300}, {AUNT: 120}] == prizes
    check_next_game(transport, match)


def check_next_game(transport: Transport, match: Match) -> None:
    """Check that the referee's key opens the next game, once; a seat's key and no key open nothing."""
    shares, (referee, seat) = {"0": -1, "Bruno": 1}, (match.keys[None], match.keys[3])
    assert ["malformed_move", "key_needed"] == [match.ask(key, "start_next_game", shares).code for key in (seat, "")]
    refused = match.ask(referee, "start_next_game", {"9": -1})
    assert (False, ["wrong_table"]) == (refused.accepted, [refusal.code for refusal in refused.refusals])
    match.play("start_next_game", None, shares=shares)
    assert {"3": 0, "1": 1, "2": 2, "Bruno": 3} == match.fact("next_game") == by_person(match.events[-1].shares)
    again = match.ask(referee, "start_next_game", shares)
    assert ["match_over"] == [refusal.code for refusal in again.refusals]
    record = transport("GetRecord", match_id=match.id).record
    assert "start_next_game 0:-1 Bruno:1" in record
    assert "zia%20Anna%3A%2050%25%20%7C%20pi%C3%B9:60" in record
    assert "next_game" == transport("ListEvents", match_id=match.id, page_size=100).moves[-1].events[0].kind


def test_invalid_shares_have_codes(transport: Transport) -> None:
    """A name that is empty or too long, too many names, and more money than can be counted exactly have their codes."""
    match = Match(transport)
    many = {f"friend {number}": 1 for number in range(65)}
    for shares, code in (
        ({"": 100}, "bad_request"),
        ({"a" * 81: 100}, "bad_request"),
        (many, "bad_request"),
        ({"zia": 2**53 + 1}, "malformed_move"),
    ):
        failed = match.ask(match.keys[0], "reenter", shares)
        assert (code, True) == (failed.code, "shares" in failed.field), shares


@pytest.mark.parametrize("game", ["cucu", "lu-stu"])
def test_money_is_a_string_in_json(rest: str, game: str) -> None:
    """In JSON money is a string, as 64-bit numbers are there, and a small number is a number."""
    table = Table(rest, game)
    view = table.public.get(table.path).json()["view"]
    facts = {fact["name"]: fact for fact in view["facts"] if "seat" not in fact}
    assert {"name": "pool", "money": "800"} == facts["pool"]
    assert {"person": "7", "amount": "-100"} == facts["net"]["shares"]["shares"][7]
    assert 1 == facts["deal"]["number"]
    move = {"verb": "keep", "shares": [{"person": "zia", "amount": "5"}]}
    refused = table.referee.post(f"{table.path}/moves", {"seat": 1, "move": move})
    failed(refused, 400, "malformed_move", "move.shares")
