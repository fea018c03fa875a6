"""Laws of visibility: what a viewer receives does not depend on cards that are hidden from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random
from typing import NamedTuple, TypeAlias

from chitarrella.core.cards import Card
from chitarrella.core.game import AnyGame, IllegalMove, Position, legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, EVERYBODY, REFEREE, Event, Move, Seat, Viewer, Zone
from chitarrella.core.visibility import can_see, view_for, visible_to
from chitarrella_testing.expectations import EventKinds
from chitarrella_testing.walks import Walk, universe

TRIES = 5  # how many other deals of the hidden cards are tried

COVERED = frozenset({"hand", "stock", "pack"})  # zones in which cards lie face down; a hand is seen by its person alone
ZoneKey: TypeAlias = tuple[str, Seat | None]  # the name and the seat of a zone


class PlacedCard(Card):
    """A card with its place in the pack: equal to every copy of its face, and told apart from them by its place."""

    __slots__ = ("place",)
    place: int


def placed(pack: Iterable[Card]) -> tuple[PlacedCard, ...]:
    """The cards of a pack, each with its place."""
    cards = tuple(PlacedCard(card.rank, card.suit) for card in pack)
    for place, card in enumerate(cards):
        card.place = place
    return cards


def places_of(cards: Iterable[Card]) -> set[int]:
    """The places of cards in the pack; a card that a move names by its face alone has none."""
    return {card.place for card in cards if isinstance(card, PlacedCard)}


class Trace(NamedTuple):
    """A deal whose cards have places: its pack, its moves, and the position and the events after each move."""

    game: AnyGame
    kinds: EventKinds
    opening: Position
    pack: tuple[Card, ...]
    moves: tuple[tuple[Seat, Move], ...]
    positions: tuple[Position, ...]
    events_by_move: tuple[tuple[Event, ...], ...]
    lying: tuple[tuple[tuple[Zone, set[int]], ...], ...] = ()  # the zones after each move, and what lies in them

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, in order."""
        return tuple(chain.from_iterable(self.events_by_move))


def secrecy(walk: Walk, rng: Random) -> None:
    """With its hidden cards dealt otherwise, a viewer has the same view, events and legal moves."""
    redealt = tried = 0
    for trace in traces(walk, walk.sample(rng)):
        check_stays_visible(trace)
        said = list(universe(walk.game, rng, 25))
        for viewer in walk.some((None, *range(walk.game.seats)), rng):
            hidden = hidden_places(trace, viewer)
            if len({trace.pack[place] for place in hidden}) < 2:
                continue
            tried += 1
            redealt += _redeal_and_compare(trace, viewer, hidden, said, rng)
    assert redealt > 0 or tried < 12, "no redeal kept the moves legal, so nothing was compared"


def trace_deal(walk: Walk, at: int) -> Trace | None:
    """Replay the deal of position ``at`` up to there."""
    return next(traces(walk, [at]), None)


def traces(walk: Walk, numbers: Iterable[int]) -> Iterator[Trace]:
    """Replay the deals of these positions up to them, with packs whose cards have places; each deal is played once."""
    trace: Trace | None = None
    first = 0
    for at in numbers:
        packs = [number for number, (actor, move) in enumerate(walk.moves[:at]) if actor == CHANCE and move.cards]
        if not packs:
            continue
        if trace is None or packs[-1] != first:
            first = packs[-1]
            opening, pack = walk.steps[first].before, placed(walk.moves[first][1].cards)
            trace = Trace(walk.game, walk.expected.kinds, opening, pack, (), (), ())
        moves = walk.moves[first + len(trace.moves) : at]
        if not trace.moves:
            moves = ((CHANCE, moves[0][1]._replace(cards=trace.pack)), *moves[1:])
        positions, events = follow(walk.game, trace.positions[-1] if trace.moves else trace.opening, moves)
        lying = tuple(tuple((zone, places_of(zone.cards)) for zone in walk.game.zones(p)) for p in positions)
        trace = trace._replace(
            moves=trace.moves + moves,
            positions=trace.positions + positions,
            events_by_move=trace.events_by_move + events,
            lying=trace.lying + lying,
        )
        yield trace


def follow(
    game: AnyGame, p: Position, moves: tuple[tuple[Seat, Move], ...]
) -> tuple[tuple[Position, ...], tuple[tuple[Event, ...], ...]]:
    """Play ``moves``; return the position and the events after each."""
    positions: list[Position] = []
    events: list[tuple[Event, ...]] = []
    for actor, move in moves:
        p, happened = play(game, p, actor, move)
        positions.append(p)
        events.append(happened)
    return tuple(positions), tuple(events)


def hidden_places(trace: Trace, viewer: Viewer) -> list[int]:
    """The indices in the pack of the cards that the viewer may not know at the end of the trace.

    This does not rely on what the game declares of its hands and its stock, nor of events about cards that come there:
    both are under test. Such an event shows its cards only if its kind is known to.
    """
    seen: set[int] = set()
    lay = dict[ZoneKey, set[int]]()
    covered = COVERED | trace.kinds.own_zones
    for lying, events in zip(trace.lying, trace.events_by_move, strict=True):
        lies = {(zone.name, zone.seat): places for zone, places in lying}
        arrived = {place for key in lies if key[0] in covered for place in lies[key] - lay.get(key, set())}
        for event in events:
            if can_see(event.seen_by, viewer):
                is_known = event.kind in trace.kinds.turned_up | trace.kinds.to_both
                seen |= places_of(event.cards) - (set() if is_known else arrived)
        seen = seen.union(*(places for zone, places in lying if may_see(trace, zone, viewer)))
        lay = lies
    return sorted(set().union(*lay.values()) - seen)


def may_see(trace: Trace, zone: Zone, viewer: Viewer) -> bool:
    """Whether the viewer may see a zone (ALL-5): its own hands and a dummy's, never the stock."""
    if zone.name in COVERED - {"hand"}:
        return False
    if zone.name == "hand" and zone.seat is not None:
        person = trace.game.controller(zone.seat)
        return person == viewer or person != zone.seat
    if zone.name in trace.kinds.own_zones:
        return zone.seat == viewer
    return can_see(zone.seen_by, viewer)


def check_stays_visible(trace: Trace) -> None:
    """Check that a card that was turned up or announced stays visible to everybody for the rest of the deal."""
    last = trace.positions[-1]
    turned_up = places_of(card for event in trace.events if event.kind in trace.kinds.turned_up for card in event.cards)
    named = {fact.seat for fact in trace.game.facts(last) if fact.name in trace.kinds.open_hands}
    for zone in trace.game.zones(last):
        if places_of(zone.cards) & turned_up or (zone.name == "hand" and zone.seat in named):
            assert can_see(zone.seen_by, None), zone.name


def _redeal_and_compare(trace: Trace, viewer: Viewer, hidden: list[int], said: list[Move], rng: Random) -> int:
    """Deal the hidden cards otherwise and compare; return 1 if that was possible, else 0."""
    if (other := redealt(trace, hidden, rng)) is None:
        return 0
    before, after = trace.positions[-1], other.positions[-1]
    assert view_for(trace.game, before, viewer) == view_for(trace.game, after, viewer), viewer
    assert visible_events(trace.events, viewer) == visible_events(other.events, viewer), viewer
    if viewer is not None:
        _check_choices(trace.game, before, after, viewer, said)
    return 1


def redealt(trace: Trace, hidden: list[int], rng: Random) -> Trace | None:
    """Permute the hidden cards so that the same moves are legal with the same penalties; None if no try succeeds."""
    for attempt in range(TRIES):
        pack = list(trace.pack)
        places = hidden if attempt == 0 else rng.sample(hidden, 2)
        for group in alike(trace, places) if attempt == 0 else [places]:
            for place, card in zip(group, rng.sample([pack[i] for i in group], len(group)), strict=True):
                pack[place] = card
        if pack == list(trace.pack):
            continue
        redealt_pack = placed(pack)
        first = trace.moves[0][1]._replace(cards=redealt_pack)
        moves = ((CHANCE, first), *trace.moves[1:])
        try:
            positions, events = follow(trace.game, trace.opening, moves)
        except IllegalMove:
            continue
        if not same_effects(trace, redealt_pack) and outline(trace.events) != outline(chain.from_iterable(events)):
            continue
        if penalties(trace.game, trace.opening, trace.moves) == penalties(trace.game, trace.opening, moves):
            return trace._replace(pack=redealt_pack, moves=moves, positions=positions, events_by_move=events)
    return None


def effect(game: AnyGame, card: Card) -> str:
    """The rank of a card with an effect, else nothing: what everybody learns of a card that is met.

    A game whose cards have effects names their ranks in ``effects``.
    """
    return card.rank if card.rank in getattr(game, "effects", ()) else ""


def alike(trace: Trace, places: list[int]) -> list[list[int]]:
    """Group indices of the pack by the effects of their cards."""
    parts: dict[str, list[int]] = {}
    for place in places:
        parts.setdefault(effect(trace.game, trace.pack[place]), []).append(place)
    return list(parts.values())


def same_effects(trace: Trace, pack: tuple[Card, ...]) -> bool:
    """Whether every card of another pack has the effect of the one in its place; then the events must be the same."""
    return all(effect(trace.game, a) == effect(trace.game, b) for a, b in zip(trace.pack, pack, strict=True))


def outline(events: Iterable[Event]) -> list[tuple[str, Seat | None, Seat | None]]:
    """The kinds and seats of events, without cards."""
    return [(event.kind, event.seat, event.other) for event in events]


def penalties(game: AnyGame, p: Position, moves: tuple[tuple[Seat, Move], ...]) -> list[tuple[str, ...]]:
    """The penalised refusals of each move; everybody learns of them, so they must stay the same."""
    if not any(reason.penalty for reason in game.reasons):
        return []
    before = (p, *follow(game, p, moves)[0])
    return [
        tuple(refusal.code for refusal in validate_move(game, at, actor, move))
        for at, (actor, move) in zip(before, moves, strict=False)
    ]


def _check_choices(game: AnyGame, before: Position, after: Position, seat: Seat, said: list[Move]) -> None:
    """Check that legal moves and refusals of a seat do not depend on what it cannot see."""
    assert legal_moves(game, before, seat) == legal_moves(game, after, seat)
    for move in said:
        assert validate_move(game, before, seat, move) == validate_move(game, after, seat, move)


def visible_events(events: tuple[Event, ...], viewer: Viewer) -> list[Event]:
    """The events that a viewer learns of, as it sees them."""
    return [learnt for event in events if (learnt := visible_to(event, viewer)) is not None]


def partner_secrecy(walk: Walk, rng: Random) -> None:
    """A message between partners changes no view, event or legal move of anybody else."""
    for step in walk.steps:
        if step.move.verb in walk.expected.kinds.to_partner:
            assert all(event.known_to is not EVERYBODY and len(event.known_to) <= 2 for event in step.events)
        viewers = (None, *range(walk.game.seats))
        unaware = [one for one in viewers if not any(can_see(event.known_to, one) for event in step.events)]
        said = list(universe(walk.game, rng, 25)) if unaware else []
        for viewer in unaware:
            assert view_for(walk.game, step.before, viewer) == view_for(walk.game, step.after, viewer)
            assert not visible_events(step.events, viewer)
            if viewer is not None:
                _check_choices(walk.game, step.before, step.after, viewer, said)


def visibility(walk: Walk, rng: Random) -> None:
    """The player of a hand sees it, the referee sees every card and event, and the public no more than any seat."""
    game, kinds = walk.game, walk.expected.kinds
    for p in walk.positions:
        for zone in game.zones(p):
            assert can_see(zone.seen_by, REFEREE)
            if zone.name == "hand" and zone.seat is not None:
                assert can_see(zone.seen_by, game.controller(zone.seat))
            if can_see(zone.seen_by, None):
                assert all(can_see(zone.seen_by, seat) for seat in range(game.seats))
    for step in walk.steps:
        assert step.events, "this move has no event"
        assert list(step.events) == visible_events(step.events, REFEREE)
        for event in step.events:
            shows_one = event.kind in kinds.to_seat and len(event.cards) == 1
            if shows_one or event.kind in kinds.to_both:
                assert event.known_to is EVERYBODY
                assert event.seen_by is not EVERYBODY
                assert set(event.seen_by) == {event.seat, *((event.other,) if event.kind in kinds.to_both else ())}
            learnt = visible_to(event, None)
            assert learnt is None or learnt.cards == () or can_see(event.seen_by, None)


SECRECY_LAWS = (secrecy, partner_secrecy, visibility)  # what viewers see
