"""Laws of notation: positions, moves and records survive a round trip."""

from __future__ import annotations

from itertools import product
from random import Random

from chitarrella.catalogue.record import Record, format_record, parse_record
from chitarrella.core.game import replay
from chitarrella.core.notation import format_move, parse_move
from chitarrella.testing.walks import Walk


def notation(walk: Walk, rng: Random) -> None:
    """Every candidate move is written as one line that parses to the same move."""
    game = walk.game
    for step in walk.steps:
        assert step.move == parse_move(game, format_move(step.move))
        for actor in range(game.seats):
            for move in game.candidates(step.before, actor):
                assert move == parse_move(game, format_move(move))


def round_trip(walk: Walk, rng: Random) -> None:
    """Every position is one line of text that decodes to the same position."""
    for p in walk.positions:
        line = walk.game.encode(p)
        assert [line] == line.splitlines()
        assert p == walk.game.decode(line)


def replaying(walk: Walk, rng: Random) -> None:
    """Replaying the moves of a match, from the start or from any position, leads to the same position."""
    last = walk.positions[-1]
    assert last == replay(walk.game, walk.moves)
    for at in walk.sample(rng):
        assert last == replay(walk.game, walk.moves[at:], walk.positions[at])


def recording(walk: Walk, rng: Random) -> None:
    """A record, with or without comments, parses to what was written, and its replay ends in the same position."""
    catalogue = walk.catalogue
    rule_set = catalogue.normalize(walk.rule_set)
    whole = Record(rule_set, "", walk.moves)
    at = rng.randrange(len(walk.moves) + 1)
    rest = Record(rule_set, walk.game.encode(walk.positions[at]), walk.moves[at:])
    for record, comments in walk.some(tuple(product((whole, rest), (True, False))), rng):
        text = format_record(catalogue, record, comments=comments)
        again = parse_record(catalogue, text)
        assert record == again
        start = walk.game.decode(again.position) if again.position else None
        assert walk.positions[-1] == replay(catalogue.game_for(again.rule_set), again.moves, start)


NOTATION_LAWS = (notation, round_trip, replaying, recording)
"""What is written is read again."""
