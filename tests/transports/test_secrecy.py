"""No card leaks through the running service: deal otherwise what somebody cannot see, and no byte that he gets changes.

Two services keep one match under the same id, with the same keys and the same secrets; the same moves are made in both,
and only cards that some role cannot see lie otherwise. Whatever that role asks, over whatever transport, both must
answer the same. The number of deals is small here; ``CHITARRELLA_DEALS=20 pytest tests/transports/test_secrecy.py``
compares more.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.visibility import Viewer
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.v1 import matches_pb2 as pb
from tests.transports.compare_answers import DEALS, MOST, interrogate, keys_of
from tests.transports.paired_matches import (
    Pair,
    Twins,
    create,
    find_twins,
    move_request,
    persons,
    silenced,
    two_services,
)
from tests.transports.probes import Role, views
from tests.transports.raw_transports import Asked
from tests.walks import CATALOGUE, name, walk


def tables() -> list[RuleSet]:
    """Every game as it stands in the book, and with as many players as it takes."""
    found = [RuleSet(game.key, players) for game in CATALOGUE for players in (0, max(game.seatings))]
    return list(dict.fromkeys(CATALOGUE.normalize(rule_set)._replace(options=(), edition=0) for rule_set in found))


@pytest.fixture(scope="module")
def pair(valkey: EmbeddedValkey) -> Iterator[Pair]:
    """Two services, and a caller who compares them."""
    with two_services(valkey.url) as made:
        yield made


@pytest.mark.parametrize("number", range(max(DEALS, 1)))
@pytest.mark.parametrize("rule_set", tables(), ids=name)
def test_answers_do_not_depend_on_hidden_cards(pair: Pair, rule_set: RuleSet, number: int) -> None:
    """If what a role cannot see had been dealt otherwise, every answer of the service to it would be the same."""
    rng = Random(f"secrecy {name(rule_set)} {number}")
    played = walk(rule_set, f"secrecy {number}", deals=2)
    seats = persons(played.game)
    found = 0
    for viewer in (None, *(seats if DEALS else rng.sample(seats, 1))):
        if (twins := find_twins(played, viewer, rng)) is not None:
            found += 1
            others = [other for other in twins.viewer if other != viewer]
            compare(pair, twins, [viewer, *rng.sample(others, min(MOST // 2, len(others)))], rng)
    assert found, "nothing could be dealt otherwise, so nothing was compared"


def test_signals_leave_no_trace_for_others(pair: Pair) -> None:
    """Whether a partner has given a signal or shown a hand, no answer of the service tells anybody else."""
    found = 0
    for rule_set in tables():
        for number in range(max(DEALS, 1)):
            rng = Random(f"silence {name(rule_set)} {number}")
            if (twins := silenced(walk(rule_set, f"silence {number}"), rng)) is not None:
                found += 1
                compare(pair, twins, list(twins.viewer) if DEALS else [None, twins.viewer[-1]], rng)
    assert found >= max(DEALS, 1), "nobody told his partner anything"


def compare(pair: Pair, twins: Twins, viewer: list[Viewer], rng: Random) -> None:
    """Play both courses while that viewer watches, and ask both services all that it may ask."""
    opened = pair.open(create(twins.walk))
    roles = [Role(one, key) for one, key in keys_of(opened).items() if one in viewer]
    watching = [
        pair.watch(Asked("WatchMatch", pb.WatchMatchRequest(match_id=opened.match_id), one.key), rng) for one in roles
    ]
    p = twins.walk.game.start()
    for number, (actor, move, other, after) in enumerate(twins.positions()):
        mover = next((role for role in roles if role.viewer == actor), None)
        if mover is None or other is None:
            requests = move_request(opened.match_id, actor, move), move_request(opened.match_id, actor, other)
            pair.send_both("PlayMove", requests, opened.referee_key)
        else:
            watch_as_mover(
                pair, mover, move_request(opened.match_id, actor, move, request_id=f"{number}", include_view=True), rng
            )
        if rng.random() < 0.05:
            for asked in views(rng.choice(roles), opened.match_id):
                pair.same(asked, rng)
        p = after
    assert p == interrogate(pair, opened, twins.walk.game, [role.viewer for role in roles], rng)
    for ending in watching:
        ending()


def watch_as_mover(pair: Pair, mover: Role, request: pb.PlayMoveRequest, rng: Random) -> None:
    """Make a move with the mover's own key, and now and then the same once more, as if the answer had been lost."""
    request.ClearField("seat")
    pair.same(Asked("PlayMove", request, mover.key), rng)
    if rng.random() < 0.2:
        pair.same(Asked("PlayMove", request, mover.key), rng)
