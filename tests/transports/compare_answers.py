"""Ask two services everything that a viewer may ask, while a match runs and when it has been ended."""

from __future__ import annotations

import os
from random import Random

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Seat, Viewer
from chitarrella.v1 import matches_pb2 as pb
from tests.transports.paired_matches import Pair, Twins, call, create, move_request
from tests.transports.probes import Moment, Role, questions, views, watches
from tests.transports.raw_transports import Asked

DEALS = int(os.environ.get("CHITARRELLA_DEALS", "0"))
MOST = 6 if DEALS else 2
"""Of what there is very much, so much is asked."""


def keys_of(opened: pb.CreateMatchResponse) -> dict[Viewer, str]:
    """The key of every seat, and an empty one for the public."""
    return {None: "", **{one.seat: one.key for one in opened.seat_keys}}


def interrogate(
    pair: Pair, opened: pb.CreateMatchResponse, game: AnyGame, viewer: list[Viewer], rng: Random
) -> Position:
    """Ask both services for that viewer, with its own key and with the referee's; the match is ended in between.

    Gives the position of the first service.
    """
    keys, match = keys_of(opened), opened.match_id
    page, _ = pair.services[0].store.matches.load(match)
    p = game.decode(page.position)
    roles = [Role(one, keys[one]) for one in viewer]
    # A seat's view that the referee asks for must show no more than the seat's own.
    roles += [Role(one, opened.referee_key, one) for one in viewer if one is not None and (DEALS or rng.random() < 0.3)]
    moments = [
        (role, Moment(match, game, p, page.revision, _cursors(pair, match, role.key, role.seat))) for role in roles
    ]
    for role, now in moments:
        for asked in questions(role, now, rng, MOST):
            pair.same(asked, rng)
    end = pb.AbortMatchRequest(match_id=match)
    pair.send_both("AbortMatch", (end, end), opened.referee_key)
    for role, now in moments:
        for asked in (*views(role, match), Asked("ListShuffles", pb.ListShufflesRequest(match_id=match), role.key)):
            pair.same(asked, rng)
        for asked in watches(role, now, rng, len(now.cursors) if DEALS else MOST):
            pair.watch(asked, rng)()
    return p


def _cursors(pair: Pair, match: str, key: str, seat: Seat | None) -> list[str]:
    """Every cursor that a caller receives from the first service."""
    asked = pb.ListEventsRequest(match_id=match, page_size=1000, seat=seat)
    return [one.cursor for one in call(pair.services[0], "ListEvents", asked, key).moves]


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
