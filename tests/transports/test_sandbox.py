"""Tests of platforms over all transports: their seed, their clock, a service without them; and a match for money."""

from typing import Any

import pytest

from chitarrella import v1
from chitarrella.transports.inprocess import Service
from tests.transports.all_transports import Failed, Transport, WithoutTransport, status_error
from tests.transports.rest_client import Table, failed
from tests.walks import CATALOGUE

BRISCOLA = {"game_id": "briscola"}
CLOCK = {"move_time": {"seconds": 30}}


def created(transport: Transport, seed: str | None = "a seed", clock: dict[str, Any] | None = CLOCK) -> Any:
    """Create a test, or for no seed a real match."""
    sandbox = None if seed is None else {"seed": seed}
    return transport("CreateMatch", rule_set=BRISCOLA, clock=clock, sandbox=sandbox)


def advanced(transport: Transport, match: Any, seconds: int, request_id: str = "", key: str | None = None) -> Any:
    """Advance the clock of a match, by default as the referee."""
    key = match.referee_key if key is None else key
    return transport(
        "AdvanceClock", match_id=match.match.match_id, duration={"seconds": seconds}, request_id=request_id, key=key
    )


def test_clock_is_advanced_by_the_referee(transport: Transport) -> None:
    """The referee moves the time of a test; a deadline that it passes is enforced, and a repeated call does nothing."""
    match = created(transport)
    until = transport("GetMatch", match_id=match.match.match_id).deadline
    early = advanced(transport, match, 30)
    assert (False, until, 2) == (early.timed_out, early.time, early.match.revision)
    late = advanced(transport, match, 1, "late")
    assert (True, until.seconds + 1, 5) == (late.timed_out, late.time.seconds, late.match.revision)
    assert late == advanced(transport, match, 1, "late")
    state = transport("GetMatch", match_id=match.match.match_id)
    assert (until.seconds + 31, 5) == (state.deadline.seconds, state.revision)
    events = transport("ListEvents", match_id=match.match.match_id, page_token="2.0").updates
    assert ["clock_advanced", "timed_out", "card_played"] == [move.events[0].kind for move in events]
    assert Failed("request_reused", "request_id") == advanced(transport, match, 2, "late")


def test_others_cannot_advance_the_clock(transport: Transport) -> None:
    """Seats and the public cannot advance the clock, nor anybody by nothing, too much, or at a real match."""
    match = created(transport)
    for key in ("", *(one.key for one in match.seat_keys)):
        assert Failed("referee_only", "") == advanced(transport, match, 1, key=key)
    for seconds in (0, 2_592_001):
        assert Failed("bad_request", "duration") == advanced(transport, match, seconds)
    assert Failed("bad_request", "request_id") == advanced(transport, match, 1, "x" * 65)
    assert Failed("not_a_sandbox", "") == advanced(transport, created(transport, None), 1)
    assert Failed("no_clock", "") == advanced(transport, created(transport, clock=None), 1)
    assert 1 == transport("GetMatch", match_id=match.match.match_id).revision
    for seed in ("x" * 65, "two\nlines", "two\rlines"):
        assert Failed("bad_request", "sandbox.seed") == created(transport, seed)


def test_record_of_a_test_is_marked(transport: Transport) -> None:
    """The record of a test says that it is one, and a match that is made of it is real unless it is a test too."""
    match = created(transport)
    record = transport("GetRecord", match_id=match.match.match_id, key=match.referee_key).record
    assert "\nsandbox true\n" in record
    for sandbox in (None, {"seed": "a seed"}):
        again = transport("ImportMatch", record=record, sandbox=sandbox)
        state = transport("GetMatch", match_id=again.match.match_id)
        assert (sandbox is not None) == state.sandbox
        assert (again.match.next_commitment == match.match.next_commitment) == state.sandbox


def test_no_tests_without_the_setting() -> None:
    """A service without the setting creates no test, alone, in a batch or from a record."""
    service, off = Service(), Failed("sandbox_off", "sandbox")
    ask = WithoutTransport(service.dispatcher)
    assert off == created(ask) == created(ask, "")
    real = created(ask, None)
    record = ask("GetRecord", match_id=real.match.match_id, key=real.referee_key).record
    assert off == ask("ImportMatch", record=record, sandbox={})
    requests: list[Any] = [{"rule_set": BRISCOLA, "sandbox": {}}, {"rule_set": BRISCOLA}]
    first, second = ask("BatchCreateMatches", requests=requests).results
    assert ("sandbox_off", True) == (status_error(first.error).code, second.HasField("created"))
    service.close()


# ---------------------------------------------------------------------- exchange match


AUNT, WRITTEN = "zia Anna: 50% | più", "zia%20Anna%3A%2050%25%20%7C%20pi%C3%B9"
"""A spectator whose name holds signs that notations need, and as records write it."""


def dealt(*first: str) -> str:
    """Deal a pack that begins with these cards, in the notation of records."""
    rest = list(map(str, CATALOGUE.game("cucu").pack.cards))
    for card in first:
        rest.remove(card)
    return f"table start_deal {' '.join([*first, *rest])}"


SYNDICATE = [
    *("game cucu", "players 4", "option tokens 1", ""),
    *(dealt("I", "X", "IX", "VIII"), "1 keep", "2 keep", "3 keep", "0 keep", f"1 reenter 1:40 {WRITTEN}:60"),
    *(dealt("I", "X", "IX", "VIII"), "2 keep", "3 keep", "0 keep", "1 keep", "2 decline_reentry"),
    *(dealt("I", "X", "IX"), "0 keep", "1 keep", "3 keep", "0 decline_reentry", dealt("X", "I")),
    *("3 propose_agreement 3:60 1:40", "1 accept_agreement", "3 keep", "1 keep", "1 decline_reentry"),
]


def by_person(shares: Any) -> dict[str, int]:
    return {share.person: share.amount for share in shares}


def test_syndicate_split_prizes_and_next_game(transport: Transport) -> None:
    """A syndicate pays, the last two agree, prizes go to seats and a spectator; the referee alone goes on, once."""
    match = transport("ImportMatch", record="\n".join(SYNDICATE))
    own, keys = {"match_id": match.match.match_id}, {one.seat: one.key for one in match.seat_keys}
    view = transport("GetMatch", **own).view
    facts = {fact.name: fact for fact in view.facts if not fact.HasField("seat")}
    assert ("game_over", [3], v1.WAITING_NOBODY) == (view.phase, list(view.outcome.winners), view.waiting)
    assert 0 == facts["pool"].money
    assert {"0": -100, "1": -60, "2": -100, "3": 200, AUNT: 60} == by_person(facts["net"].shares.shares)
    happened = [event for move in transport("ListEvents", **own, page_size=100).updates for event in move.events]
    (bought,) = [event for event in happened if event.kind == "reentered"]
    assert (1, {"1": 40, AUNT: 60}) == (bought.seat, by_person(bought.shares))
    prizes = [by_person(event.shares) for event in happened if event.kind == "prize_paid"]
    assert [{"1": 80}, {"3": 300}, {AUNT: 120}] == prizes

    def start_next(key: str, **shares: int) -> Any:
        named = [{"person": who.strip("_"), "amount": amount} for who, amount in shares.items()]
        return transport("PlayMove", **own, key=key, move={"verb": "start_next_game", "shares": named})

    assert ["malformed_move", "key_needed"] == [start_next(key, _0=-1, Bruno=1).code for key in (keys[3], "")]
    assert ["wrong_table"] == [refusal.code for refusal in start_next(match.referee_key, _9=-1).refusals]
    started = start_next(match.referee_key, _0=-1, Bruno=1)
    assert {"3": 0, "1": 1, "2": 2, "Bruno": 3} == by_person(started.events[-1].shares)
    again = start_next(match.referee_key, _0=-1, Bruno=1)
    assert ["match_over"] == [refusal.code for refusal in again.refusals]
    record = transport("GetRecord", **own).record
    assert "start_next_game 0:-1 Bruno:1" in record
    assert f"{WRITTEN}:60" in record


def test_invalid_shares_have_codes(transport: Transport) -> None:
    """A name that is empty or too long, too many names, and more money than can be counted exactly have their codes."""
    match = transport("CreateMatch", rule_set={"game_id": "cucu", "players": 4, "options": {"tokens": "1"}})
    for names, amount, code in (
        ([""], 100, "bad_request"),
        (["a" * 81], 100, "bad_request"),
        ([f"friend {number}" for number in range(65)], 1, "bad_request"),
        (["zia"], 2**53 + 1, "malformed_move"),
    ):
        move = {"verb": "reenter", "shares": [{"person": name, "amount": amount} for name in names]}
        failed = transport("PlayMove", match_id=match.match.match_id, key=match.seat_keys[0].key, move=move)
        assert (code, True) == (failed.code, "shares" in failed.field), names


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
