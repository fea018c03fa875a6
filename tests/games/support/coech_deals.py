"""Deals of Cöch with a chosen result: one side wins, or the double tie of CO-E18."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from random import Random

from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE, Seat
from tests.games.support.examples import Block, blocks
from tests.games.support.table import Match


def checks(kind: str) -> list[Block]:
    """The blocks of one kind, without the line that names it."""
    return [block for block in blocks("coech.txt") if block.lines[0] == f"check: {kind}"]


def complete_deals() -> list[Block]:
    """The complete deals."""
    return [block for block in blocks("coech.txt") if block.lines[0] == "game: coech"]


def side(words: str) -> int | None:
    """Parse ``side 0 wins`` or ``draw``."""
    return None if words.strip() == "draw" else int(words.split()[1])


def play_for(match: Match, winner: int | None) -> None:
    """Play one deal that this side wins, or that is drawn."""
    if winner is None:
        _play_drawn(match)
        return
    for seed in count():
        trial = Match(match.game, match.p)
        _play_at_random(trial, Random(seed))
        scoring = match.game.deal_scoring
        if scoring.winner(match.game, trial.p, scoring.by_side(match.game, trial.p)) == winner:
            match.p = trial.p
            match.events += trial.events
            return


def play_all(match: Match, winners: Sequence[int | None]) -> None:
    """Play several deals."""
    for winner in winners:
        play_for(match, winner)


def _play_at_random(match: Match, rng: Random) -> None:
    match.deal(rng.sample(match.game.pack.cards, 40))
    while match.p.phase == "play":
        turn = match.game.turn(match.p)
        assert turn is not None
        assert turn != CHANCE
        actor = match.game.controller(turn)
        match.move(actor, rng.choice(legal_moves(match.game, match.p, actor)))


def _play_drawn(match: Match) -> None:
    """Play CO-E18, rotated to the dealer."""
    (block,) = [block for block in complete_deals() if block.name == "CO-E18"]
    said = block.words()
    shift: Seat = match.p.match_state.dealer - int(said["dealer"])
    match.deal(match.game.pack.hand(said["pack"].split()))
    for number in range(1, 11):
        for words in said[f"trick {number}"].partition(" ->")[0].split(", "):
            place, card = words.split()
            match.play(f"{(int(place) + shift) % 4} {card}")
