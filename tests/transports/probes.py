"""All that somebody can ask about a match without changing anything, whatever key he shows."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from chitarrella import v1
from chitarrella.api.converters import move_fields
from chitarrella.core.game import AnyGame, Position, is_accepted, legal_moves, validate_move
from chitarrella.core.model import Seat, Viewer
from tests.transports.raw_transports import Asked
from tests.walks import some, universe

PAGES = (0, 1, 2, 3, 7, 1000)
VIEWS: dict[str, Any] = {
    "GetMatch": v1.GetMatchRequest,
    "ListMatchMoves": v1.ListMatchMovesRequest,
    "ExplainMatchHand": v1.ExplainMatchHandRequest,
}
NO_KEYS = ("nonsense", "0" * 40)


class Role(NamedTuple):
    """A caller: the viewer, the key that is shown, and the seat that is named with the referee's key."""

    viewer: Viewer
    key: str = ""
    seat: Seat | None = None


class Moment(NamedTuple):
    """What is known of the match: its name, the position, the revision, and the cursors that the role came by."""

    match: str
    game: AnyGame
    position: Position
    revision: int
    cursors: list[str]


def views(role: Role, match: str) -> Iterator[Asked]:
    for rpc, request in VIEWS.items():
        yield Asked(rpc, request(match_id=match, seat=role.seat), role.key)


def questions(role: Role, now: Moment, rng: Random, most: int) -> Iterator[Asked]:
    """Ask everything once; of what there is very much, about ``most``."""
    yield from views(role, now.match)
    for seat in some([*range(now.game.seats), 19], 2, rng):
        if seat != role.viewer and role.seat is None:
            yield from views(role._replace(seat=seat), now.match)
    yield from _events(role, now, rng, most)
    yield from _validations(role, now, rng, most)
    yield Asked("ListShuffles", v1.ListShufflesRequest(match_id=now.match), role.key)
    yield Asked(
        "ContributeSeed", v1.ContributeSeedRequest(match_id=now.match, seat=role.seat, client_seed="x"), role.key
    )
    if role.seat is None:
        yield Asked("BatchGetMatches", v1.BatchGetMatchesRequest(match_ids=[now.match, "nobody"]), role.key)
        yield Asked("GetRecord", v1.GetRecordRequest(match_id=now.match), role.key)
        yield Asked("AbortMatch", v1.AbortMatchRequest(match_id=now.match), role.key)
    if role.viewer is None:
        for key in NO_KEYS:
            yield from views(Role(None, key), now.match)
            yield Asked("ListEvents", v1.ListEventsRequest(match_id=now.match), key)
            yield Asked("ListShuffles", v1.ListShufflesRequest(match_id=now.match), key)
            yield Asked("PlayMove", v1.PlayMoveRequest(match_id=now.match, move=v1.Move(verb="x")), key)
        yield Asked("GetMatch", v1.GetMatchRequest(match_id=now.match), "", (("Authorization", "Basic x"),))


def _events(role: Role, now: Moment, rng: Random, most: int) -> Iterator[Asked]:
    """Ask what has happened: in pages of every size, after every cursor, and after some that are none."""
    asked = v1.ListEventsRequest
    for size in some(PAGES, most + 1, rng):
        yield Asked("ListEvents", asked(match_id=now.match, page_size=size, seat=role.seat), role.key)
    for cursor in some(now.cursors, most, rng):
        size = rng.choice(PAGES)
        yield Asked(
            "ListEvents", asked(match_id=now.match, page_token=cursor, page_size=size, seat=role.seat), role.key
        )
    for cursor in some(["x", f"{now.revision + 1}.0", f"{now.revision}.9", "0.99", "1.1"], most + 1, rng):
        yield Asked("ListEvents", asked(match_id=now.match, page_token=cursor, seat=role.seat), role.key)


def watches(role: Role, now: Moment, rng: Random, most: int) -> Iterator[Asked]:
    """Watch from the beginning, from every cursor, and from some that are none."""
    cursors = ["", *some(now.cursors, most, rng), "x", f"{now.revision + 1}.0", f"{now.revision}.9"]
    for cursor in cursors:
        yield Asked("WatchMatch", v1.WatchMatchRequest(match_id=now.match, cursor=cursor, seat=role.seat), role.key)
    last = now.cursors[-1:] or ["0.0"]
    resumed = (("Last-Event-ID", last[0]),)
    yield Asked("WatchMatch", v1.WatchMatchRequest(match_id=now.match, seat=role.seat), role.key, resumed)


# ---------------------------------------------------------------------- moves


def _validations(role: Role, now: Moment, rng: Random, most: int) -> Iterator[Asked]:
    """Have moves validated, and request those that are refused, in every way in which that is possible."""
    seat = 0 if role.viewer is None else role.viewer
    game, p = now.game, now.position
    said = some(list(universe(game, rng, most)), most, rng) + some(list(game.potential_moves(p, seat)), most, rng)

    def validated(move: v1.Move, seat: Seat | None = role.seat) -> Asked:
        request = v1.ValidateMatchMoveRequest(match_id=now.match, seat=seat, move=move)
        return Asked("ValidateMatchMove", request, role.key)

    def requested(move: v1.Move, **how: Any) -> Asked:
        return Asked(
            "PlayMove", v1.PlayMoveRequest(match_id=now.match, move=move, **{"seat": role.seat, **how}), role.key
        )

    for move in [*some(list(legal_moves(game, p, seat)), most, rng), *said]:
        message = v1.Move(**move_fields(move))
        yield validated(message)
        if role.viewer is None or not is_accepted(validate_move(game, p, seat, move)):
            yield requested(message, request_id=rng.choice(("", "again")))
            yield requested(message, expected_revision=now.revision, include_view=True)
        yield requested(message, expected_revision=now.revision + rng.choice((-1, 1, 7)))
        yield requested(message)._replace(headers=(("If-Match", f'"{now.revision + 1}"'),))
    for message in some(_malformed(game, rng), 2 * most + 1, rng):
        yield validated(message)
        yield requested(message)
    for other in some([other for other in range(game.seats) if other != role.viewer], most, rng):
        message = v1.Move(**move_fields(rng.choice(said)))
        if role.seat is None:
            yield validated(message, other)
            yield requested(message, seat=other)
        message.dummy_seat = other
        yield validated(message)


def _malformed(game: AnyGame, rng: Random) -> list[v1.Move]:
    verb = rng.choice([form.verb for form in game.move_specs.values() if form.cards[1]])
    card = rng.choice(game.pack.cards)
    move = v1.Move
    pack = next(form.verb for form in game.move_specs.values() if form.by_chance and form.cards[1])
    return [
        move(verb="castle"), move(verb=verb, cards=["Zz"]), move(verb=verb, cards=[card] * 50),
        move(verb=verb, cards=[card], choice="nonsense", amount=1),
        move(verb=verb, cards=[card], shares=[v1.Share(person="me", amount=1)]), move(verb=pack, cards=game.pack.cards),
        move(),
    ]  # fmt: skip
