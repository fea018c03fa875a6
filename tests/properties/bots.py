"""Laws of the bots: they know what their seat knows, and what they imagine beside it could be true."""

from __future__ import annotations

from collections import Counter
from random import Random

from chitarrella.bots import BOTS
from chitarrella.bots.information_state import InformationState
from chitarrella.bots.search import Effort
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Seat
from chitarrella.core.play import legal_moves, play, seat_to_move, view_for
from tests.properties.secrecy import Trace, hidden_places, redealt, trace_deal
from tests.walks import BOUND, Walk

BRIEFLY = Effort(None, 3)
"""So short a thought that it comes out the same every time."""


def imagination(walk: Walk, rng: Random) -> None:
    """What a seat imagines looks the same to it, lets it do the same, holds every card, and can be played out."""
    game = walk.game
    for at in walk.sample(rng):
        p = walk.positions[at]
        some = rng.randrange(game.seats)
        for seat in {some, some if (actor := seat_to_move(game, p)) is None else actor}:
            q = InformationState(game, p, seat).sample(rng)
            assert view_for(game, p, seat) == view_for(game, q, seat)
            assert legal_moves(game, p, seat) == legal_moves(game, q, seat)
            assert Counter(game.pack.cards) == Counter(card for zone in game.zones(q) for card in zone.cards)
            assert q == game.decode(game.encode(q))
            plays_out(game, q, rng)


def plays_out(game: AnyGame, p: Position, rng: Random) -> None:
    """Play legal moves until the deal is over."""
    for _ in range(BOUND):
        if (actor := seat_to_move(game, p)) is None:
            return
        p, _ = play(game, p, actor, rng.choice(legal_moves(game, p, actor)))
    raise AssertionError("the deal does not end")


def ignorance(walk: Walk, rng: Random) -> None:
    """If what a seat cannot see had been dealt otherwise, its bots would imagine the same and do the same."""
    for at in walk.sample(rng):
        if (trace := trace_deal(walk, at)) is None:
            continue
        if (seat := seat_to_move(walk.game, trace.positions[-1])) is None:
            continue
        hidden = hidden_places(trace, seat)
        if len({trace.pack[place] for place in hidden}) > 1 and (other := redealt(trace, hidden, rng)):
            _compare(trace, other, seat, str(rng.random()))


def _compare(trace: Trace, other: Trace, seat: Seat, seed: str) -> None:
    """Ask for what a seat imagines and for what every bot does, here and there, with the same luck."""
    game = trace.game
    here, there = (InformationState(game, each.positions[-1], seat) for each in (trace, other))
    assert here.sample(Random(seed)) == there.sample(Random(seed))
    for name, make in BOTS.items():
        bot = make(game, BRIEFLY)
        move = bot(here, Random(seed))
        assert move in here.moves, name
        assert move == bot(there, Random(seed)), name


BOT_LAWS = (imagination, ignorance)
