"""A game for money over every transport: a syndicate, an agreement, the prizes, and the call for the next game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from google.protobuf.message import Message

from chitarrella.v1 import matches_pb2, rules_pb2, table_pb2
from tests.transports.all_transports import Failed, Transport
from tests.transports.rest_client import Table
from tests.walks import CATALOGUE

SYNDICATE_OPTIONS = table_pb2.RuleSet(game_id="cucu", players=4, options={"tokens": "1"})
Shares = Mapping[str, int]
NOBODY: Shares = {}
AUNT = "zia Anna: 50% | più"
"""A spectator whose name holds signs that notations need."""


class Match:
    """A match whose referee deals the packs that the test needs."""

    def __init__(self, transport: Transport) -> None:
        """Open it."""
        self.transport = transport
        asked = matches_pb2.CreateMatchRequest(rule_set=SYNDICATE_OPTIONS, pack_source=matches_pb2.PACK_SOURCE_REFEREE)
        self.opened = transport("CreateMatch", asked)
        self.keys = {one.seat: one.key for one in self.opened.seat_keys}
        self.events: list[Any] = []

    def ask(self, key: str, verb: str, shares: Shares = NOBODY, cards: Sequence[str] = ()) -> Any:
        """Make a move; gives the answer, whatever it is."""
        named = [table_pb2.Share(person=who, amount=amount) for who, amount in shares.items()]
        move = table_pb2.Move(verb=verb, cards=cards, shares=named)
        return self.transport("PlayMove", matches_pb2.PlayMoveRequest(match_id=self.opened.match_id, move=move), key)

    def says(self, seat: int, verb: str, shares: Shares = NOBODY) -> None:
        """Play a move of a seat; it must be accepted."""
        self._made(self.ask(self.keys[seat], verb, shares))

    def table(self, verb: str, shares: Shares = NOBODY, cards: Sequence[str] = ()) -> None:
        """Play a move of the table; it must be accepted."""
        self._made(self.ask(self.opened.referee_key, verb, shares, cards))

    def _made(self, answer: Any) -> None:
        assert not isinstance(answer, Failed), answer
        assert answer.accepted, answer.refusals
        self.events += answer.events

    def deal(self, *first: str) -> None:
        """Deal a pack that begins with these cards."""
        rest: list[str] = list(CATALOGUE.game("cucu").pack.cards)
        for card in first:
            rest.remove(card)
        self.table("start_deal", cards=[*first, *rest])

    def view(self, key: str = "") -> Any:
        """Look at the table."""
        return self.transport("GetMatch", matches_pb2.GetMatchRequest(match_id=self.opened.match_id), key).view

    def fact(self, name: str) -> Any:
        """The value of a fact about the table."""
        (fact,) = (fact for fact in self.view().facts if fact.name == name and not fact.HasField("seat"))
        value = getattr(fact, fact.WhichOneof("value"))
        return by_person(value.shares) if name in ("net", "agreement", "next_game") else value


def by_person(shares: Any) -> dict[str, int]:
    """Read amounts by person."""
    return {share.person: share.amount for share in shares}


def played(match: Match) -> None:
    """Seat 1 is bought back with the aunt's help and agrees with seat 3, who wins."""
    match.deal("I", "X", "IX", "VIII")
    for seat in (1, 2, 3, 0):
        match.says(seat, "keep")
    assert ("reentry", 100) == (match.view().phase, match.fact("cost"))
    match.says(1, "reenter", {"1": 40, AUNT: 60})
    match.deal("I", "X", "IX", "VIII")
    for seat in (2, 3, 0, 1):
        match.says(seat, "keep")
    match.says(2, "decline_reentry")
    match.deal("I", "X", "IX")
    for seat in (0, 1, 3):
        match.says(seat, "keep")
    match.says(0, "decline_reentry")
    match.deal("X", "I")
    match.says(3, "propose_agreement", {"3": 60, "1": 40})
    match.says(1, "accept_agreement")
    assert {"1": 40, "3": 60} == match.fact("agreement")
    match.says(3, "keep")
    match.says(1, "keep")
    match.says(1, "decline_reentry")


def test_syndicate_split_and_prizes(transport: Transport) -> None:
    """A syndicate pays, the last two agree, and the prizes go to seats and to somebody who has none."""
    match = Match(transport)
    played(match)
    view = match.view()
    assert ("game_over", [3], table_pb2.WAITING_NOBODY) == (view.phase, list(view.outcome.winners), view.waiting)
    assert 0 == match.fact("pool")
    assert {"0": -100, "1": -60, "2": -100, "3": 200, AUNT: 60} == match.fact("net")
    (bought,) = [event for event in match.events if event.kind == "reenter"]
    assert (1, {"1": 40, AUNT: 60}) == (bought.seat, by_person(bought.shares))
    prizes = [by_person(event.shares) for event in match.events if event.kind == "prize"]
    assert [{"1": 80}, {"3": 300}, {AUNT: 120}] == prizes


def test_only_the_referee_starts_the_next_game(transport: Transport) -> None:
    """After the end the referee's key opens the next game, once; a seat's key and no key open nothing."""
    match = Match(transport)
    played(match)
    call = {"0": -1, "Bruno": 1}
    seat, nobody = match.ask(match.keys[3], "start_next_game", call), match.ask("", "start_next_game", call)
    assert ["malformed_move", "key_needed"] == [seat.code, nobody.code]
    refused = match.ask(match.opened.referee_key, "start_next_game", {"9": -1})
    assert (False, ["wrong_table"]) == (refused.accepted, [refusal.code for refusal in refused.refusals])
    match.table("start_next_game", call)
    assert {"3": 0, "1": 1, "2": 2, "Bruno": 3} == match.fact("next_game") == by_person(match.events[-1].shares)
    again = match.ask(match.opened.referee_key, "start_next_game", call)
    assert ["match_over"] == [refusal.code for refusal in again.refusals]
    record = transport("GetRecord", matches_pb2.GetRecordRequest(match_id=match.opened.match_id)).record
    assert "start_next_game 0:-1 Bruno:1" in record
    assert "zia%20Anna%3A%2050%25%20%7C%20pi%C3%B9:60" in record
    answer = transport("ListEvents", matches_pb2.ListEventsRequest(match_id=match.opened.match_id, page_size=100))
    assert "next_game" == answer.moves[-1].events[0].kind


WRONG_SHARES = [
    ({"": 100}, "bad_request"),
    ({"a" * 81: 100}, "bad_request"),
    ({f"friend {number}": 1 for number in range(65)}, "bad_request"),
    ({"zia": 2**53 + 1}, "malformed_move"),
]


@pytest.mark.parametrize(("shares", "code"), WRONG_SHARES, ids=["empty", "long", "many", "much"])
def test_invalid_shares_have_codes(transport: Transport, shares: dict[str, int], code: str) -> None:
    """A name that is empty or too long, too many names, and more money than can be counted exactly have their codes."""
    match = Match(transport)
    failed = match.ask(match.keys[0], "reenter", shares)
    assert code == failed.code
    assert "shares" in failed.field


TRICKS: list[tuple[str, Message]] = [
    ("ListPlayableCards", rules_pb2.ListPlayableCardsRequest(rule_set=SYNDICATE_OPTIONS, hand=["I"])),
    ("ResolveTrick", rules_pb2.ResolveTrickRequest(rule_set=SYNDICATE_OPTIONS, cards=["I", "II"])),
    ("ScoreCards", rules_pb2.ScoreCardsRequest(rule_set=SYNDICATE_OPTIONS, cards=["I"])),
]


@pytest.mark.parametrize(("rpc", "request_"), TRICKS, ids=lambda value: str(value)[:17])
def test_trick_questions_to_an_exchange_game_are_errors(transport: Transport, rpc: str, request_: Message) -> None:
    """Cards to play, the taker of a trick and the worth of cards mean nothing in an exchange game: it says so."""
    assert Failed("no_tricks", "rule_set.game_id") == transport(rpc, request_)


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
    assert (400, "malformed_move", "move.shares") == (refused.status_code, *map(refused.json().get, ("code", "field")))
