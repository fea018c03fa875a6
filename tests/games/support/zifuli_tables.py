"""Helpers for Zifuli: its worked examples, auctions as text, and deals with a chosen result."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from random import Random

import pytest

from chitarrella.core.game import legal_moves
from chitarrella.core.model import Seat, Viewer
from tests.games.support.examples import Block, blocks
from tests.games.support.table import Match, dealt_to, facts, pack_for, seat

RESULTS = {"caller side wins": True, "win": True, "caller side loses": False, "lose": False, "draw": None}
"""The words of the examples for the result of a call."""


def checks(kind: str) -> list[Block]:
    """The blocks of one kind."""
    return [block for block in blocks("zifuli.txt") if block.lines[0] == f"check: {kind}"]


def each(kind: str) -> pytest.MarkDecorator:
    """Parametrise a test by the blocks of one kind."""
    found = checks(kind)
    assert found
    return pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in found])


def complete_deals() -> list[Block]:
    """The complete deals."""
    return [block for block in blocks("zifuli.txt") if block.lines[0] == "game: zifuli"]


def zifuli(dealer: Seat = 4, /, **options: str) -> Match:
    """Begin a match in which that seat deals first."""
    return Match(seat("zifuli", 5, first_dealer=str(dealer), **options))


def deal_table(hands: Mapping[Seat, str], dealer: Seat = 4, /, **options: str) -> Match:
    """Begin a match and deal these hands."""
    match = zifuli(dealer, **options)
    match.deal(pack_for(match.game, hands, dealer=dealer))
    return match


def talk(match: Match, words: str) -> None:
    """Play an auction: ``0 XV, 1 pass``, each in turn."""
    for part in words.split(", "):
        who, what = part.split()
        assert int(who) == match.game.turn(match.p), part
        match.say(int(who), "pass_bid" if what == "pass" else f"call_card {what}")


def all_pass(match: Match) -> Match:
    """Deal, and pass at all five seats."""
    match.deal(match.game.pack.cards)
    for _ in range(5):
        match.say(on_turn(match), "pass_bid")
    return match


def on_turn(match: Match) -> Seat:
    """The seat the table waits for."""
    turn = match.game.turn(match.p)
    assert turn is not None
    return turn


def call(match: Match, caller: Seat, face: str) -> None:
    """Call a face from that seat; all others pass."""
    while match.p.phase == "auction":
        talk(match, f"{on_turn(match)} {face if on_turn(match) == caller else 'pass'}")


def tricks(match: Match, number: int, named: Mapping[tuple[int, Seat], str] | None = None) -> None:
    """Play so many tricks: the given cards by trick (from 1) and seat, else the first legal one."""
    wanted = dict(named or {})
    called = match.p.own.called(match.game, match.p)
    for _ in range(number * 5):
        turn = on_turn(match)
        cards = [move.cards[0] for move in legal_moves(match.game, match.p, turn)]
        others = [card for card in cards if card != called] or cards
        match.say(turn, f"play_card {wanted.pop((len(match.p.tricks) + 1, turn), others[0])}")
    assert not wanted


def perform(match: Match, caller: Seat, partner: Seat | None, made: bool | None) -> str:
    """Play a deal that this caller, with that partner or alone, wins, loses or draws; return the called face."""
    for number in count():
        trial, rng = Match(match.game, match.p), Random(number)
        pack = rng.sample(match.game.pack.cards, 40)
        mine = [card for card, to in zip(pack, owners(match), strict=True) if to == caller]
        other = [card for card, to in zip(pack, owners(match), strict=True) if to == partner]
        shared = [face for face in mine if (face in other if partner is not None else mine.count(face) == 2)]
        if not shared:
            continue
        trial.deal(pack)
        call(trial, caller, shared[0])
        while trial.p.phase == "play":
            trial.move(on_turn(trial), rng.choice(legal_moves(trial.game, trial.p, on_turn(trial))))
        if result(trial) == made:
            match.p, match.last = trial.p, trial.last
            match.events += trial.events
            return str(shared[0])
    raise AssertionError


def owners(match: Match) -> list[Seat | None]:
    """The owner of each card of the next pack."""
    return dealt_to(match.game, match.p.match_state.dealer)


def result(match: Match) -> bool | None:
    """Whether the call of the last deal was made; None for a draw."""
    (kind,) = [event.kind for event in match.last if event.kind in ("contract_made", "contract_lost", "deal_drawn")]
    return None if kind == "deal_drawn" else kind == "contract_made"


def payments(words: str) -> tuple[int, ...]:
    """Parse ``0 -1, 1 +2, ...``."""
    return tuple(int(part.split()[1]) for part in words.split(", "))


def paid(match: Match) -> tuple[int, ...]:
    """The payment of each seat for the last deal."""
    (event,) = [event for event in match.last if event.kind == "deal_scored"]
    return tuple(amount for _, amount in event.shares)


def knows(match: Match, viewer: Viewer) -> tuple[dict[Seat | None, str | int], dict[Seat | None, str | int]]:
    """What a viewer knows of the sides: the ally, and whether the caller has one."""
    view = match.view(viewer)
    return facts(view, "ally"), facts(view, "alone")
