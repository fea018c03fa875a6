"""Laws of the bots: they know what their seat knows, and what they imagine beside it could be true."""

from __future__ import annotations

from collections import Counter
from random import Random

from chitarrella.bots import BOTS
from chitarrella.bots.outlook import Outlook
from chitarrella.bots.search import Effort
from chitarrella.game import AnyGame, Position, legal, look, play, waited_for
from chitarrella.words import Seat
from tests.kit import BOUND, Walk
from tests.laws.secrecy import Trace, hidden_places, redealt, trace_deal

BRIEFLY = Effort(None, 3)
"""So short a thought that it comes out the same every time."""


def imagination(walk: Walk, rng: Random) -> None:
    """What a seat imagines looks the same to it, lets it do the same, holds every card, and can be played out."""
    game = walk.game
    for at in walk.sample(rng):
        p = walk.positions[at]
        some = rng.randrange(game.seats)
        for seat in {some, some if (actor := waited_for(game, p)) is None else actor}:
            q = Outlook(game, p, seat).imagine(rng)
            assert look(game, p, seat) == look(game, q, seat)
            assert legal(game, p, seat) == legal(game, q, seat)
            assert Counter(game.pack.cards) == Counter(card for zone in game.zones(q) for card in zone.cards)
            assert q == game.read(game.write(q))
            plays_out(game, q, rng)


def plays_out(game: AnyGame, p: Position, rng: Random) -> None:
    """Play legal moves until the deal is over."""
    for _ in range(BOUND):
        if (actor := waited_for(game, p)) is None:
            return
        p, _ = play(game, p, actor, rng.choice(legal(game, p, actor)))
    raise AssertionError("the deal does not end")


def ignorance(walk: Walk, rng: Random) -> None:
    """If what a seat cannot see had been dealt otherwise, its bots would imagine the same and do the same."""
    for at in walk.sample(rng):
        if (trace := trace_deal(walk, at)) is None:
            continue
        if (seat := waited_for(walk.game, trace.positions[-1])) is None:
            continue
        hidden = hidden_places(trace, seat)
        if len({trace.pack[place] for place in hidden}) > 1 and (other := redealt(trace, hidden, rng)):
            _compare(trace, other, seat, str(rng.random()))


def _compare(trace: Trace, other: Trace, seat: Seat, seed: str) -> None:
    """Ask for what a seat imagines and for what every bot does, here and there, with the same luck."""
    game = trace.game
    here, there = (Outlook(game, each.positions[-1], seat) for each in (trace, other))
    assert here.imagine(Random(seed)) == there.imagine(Random(seed))
    for name, make in BOTS.items():
        bot = make(game, BRIEFLY)
        move = bot(here, Random(seed))
        assert move in here.moves, name
        assert move == bot(there, Random(seed)), name


BOT_LAWS = (imagination, ignorance)
