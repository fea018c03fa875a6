"""Laws of bots: they use only what their seat knows, and their determinizations are possible."""

from __future__ import annotations

from collections import Counter
from random import Random

from chitarrella.bots import BOTS
from chitarrella.bots.information_state import InformationState
from chitarrella.bots.search import Effort
from chitarrella.core.game import AnyGame, Position, legal_moves, play, seat_to_move, view_for
from chitarrella.core.model import Seat
from chitarrella.testing.laws.secrecy import Trace, hidden_places, redealt, trace_deal
from chitarrella.testing.walks import BOUND, Walk

QUICK = Effort(None, 3)
"""Three playouts and no clock, so that the choice is reproducible."""


def determinization(walk: Walk, rng: Random) -> None:
    """A determinization has the seat's view and legal moves, holds every card once, and can be played to the end."""
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


def bot_secrecy(walk: Walk, rng: Random) -> None:
    """With the hidden cards dealt otherwise, a bot with the same seed has the same determinization and move."""
    for at in walk.sample(rng):
        if (trace := trace_deal(walk, at)) is None:
            continue
        if (seat := seat_to_move(walk.game, trace.positions[-1])) is None:
            continue
        hidden = hidden_places(trace, seat)
        if len({trace.pack[place] for place in hidden}) > 1 and (other := redealt(trace, hidden, rng)):
            _compare(trace, other, seat, str(rng.random()))


def _compare(trace: Trace, other: Trace, seat: Seat, seed: str) -> None:
    """Compare the determinizations and the moves of every bot in two deals, with the same seed."""
    game = trace.game
    here, there = (InformationState(game, each.positions[-1], seat) for each in (trace, other))
    assert here.sample(Random(seed)) == there.sample(Random(seed))
    for name, make in BOTS.items():
        bot = make(game, QUICK)
        move = bot(here, Random(seed))
        assert move in here.moves, name
        assert move == bot(there, Random(seed)), name


BOT_LAWS = (determinization, bot_secrecy)
"""What bots see and choose."""
