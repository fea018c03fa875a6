"""Laws of visibility: what a viewer receives does not depend on cards that are hidden from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from random import Random
from typing import NamedTuple, TypeAlias

from chitarrella.core.cards import Card
from chitarrella.core.game import AnyGame, IllegalMove, Position, legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, EVERYBODY, REFEREE, Event, Move, Seat, Viewer, Zone
from chitarrella.core.visibility import can_see, view_for, visible_to
from chitarrella_testing.expectations import Expectations
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
    """The places of cards in the pack; a card that was named by its face alone has none."""
    return {card.place for card in cards if isinstance(card, PlacedCard)}


class Trace(NamedTuple):
    """A deal whose cards have places: its pack, its moves, and the position and the events after each move."""

    game: AnyGame
    expected: Expectations
    secret: frozenset[str]  # the verbs whose cards nobody else sees
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
    first, secret = 0, secret_verbs(walk)
    for at in numbers:
        packs = [number for number, (actor, move) in enumerate(walk.moves[:at]) if actor == CHANCE and move.cards]
        if not packs:
            continue
        if trace is None or packs[-1] != first:
            first = packs[-1]
            opening, pack = walk.steps[first].before, placed(walk.moves[first][1].cards)
            trace = Trace(walk.game, walk.expected, secret, opening, pack, (), (), ())
        moves = walk.moves[first + len(trace.moves) : at]
        if not trace.moves:
            moves = ((CHANCE, moves[0][1]._replace(cards=trace.pack)), *moves[1:])
        moves, positions, events = follow(walk.game, trace.positions[-1] if trace.moves else trace.opening, moves)
        lying = tuple(tuple((zone, places_of(zone.cards)) for zone in walk.game.zones(p)) for p in positions)
        trace = trace._replace(
            moves=trace.moves + moves,
            positions=trace.positions + positions,
            events_by_move=trace.events_by_move + events,
            lying=trace.lying + lying,
        )
        yield trace


def secret_verbs(walk: Walk) -> frozenset[str]:
    """The verbs of moves of seats that name cards, none of which lies open to everybody after such a move."""
    named, open_ = set[str](), set[str]()
    for step in walk.steps:
        if step.actor != CHANCE and step.move.cards:
            named.add(step.move.verb)
            seen = {card for zone in walk.game.zones(step.after) if can_see(zone.seen_by, None) for card in zone.cards}
            open_ |= {step.move.verb} if seen.issuperset(step.move.cards) else set()
    return frozenset(named - open_)


def follow(
    game: AnyGame, p: Position, moves: Iterable[tuple[Seat, Move]]
) -> tuple[tuple[tuple[Seat, Move], ...], tuple[Position, ...], tuple[tuple[Event, ...], ...]]:
    """Play ``moves``; return them with the places of their cards, and the position and the events after each."""
    said: list[tuple[Seat, Move]] = []
    positions: list[Position] = []
    events: list[tuple[Event, ...]] = []
    for actor, move in moves:
        placed_move = taken_from_hand(game, p, actor, move) if actor != CHANCE and move.cards else move
        p, happened = play(game, p, actor, placed_move)
        said.append((actor, placed_move))
        positions.append(p)
        events.append(happened)
    return tuple(said), tuple(positions), tuple(events)


def taken_from_hand(game: AnyGame, p: Position, actor: Seat, move: Move) -> Move:
    """The move with the cards of the hand in place of their faces, if it can name no other cards."""
    seat = actor if move.seat is None else move.seat
    hand = [card for zone in game.zones(p) if (zone.name, zone.seat) == ("hand", seat) for card in zone.cards]
    other = next((face for face in game.pack.faces.values() if face not in hand), None)
    if other is None or set(move.cards) - set(hand):
        return move
    swapped = move._replace(cards=game.pack.in_order((other, *move.cards[1:])))
    if "not_in_hand" not in [refusal.code for refusal in game.conditions(p, seat, swapped)]:
        return move
    return move._replace(cards=tuple(hand.pop(hand.index(card)) for card in move.cards))


def hidden_places(trace: Trace, viewer: Viewer) -> list[int]:
    """The indices in the pack of the cards that the viewer may not know at the end of the trace.

    This does not rely on what the game declares of its hands and its stock, nor of events about cards that lie there
    or that a secret move has named: all are under test. Such an event shows its cards only if its kind is known to, or
    if the game infers for the viewer that they lie there.
    """
    seen: set[int] = set()
    lies = dict[ZoneKey, set[int]]()
    kinds, reveals = trace.expected.kinds, trace.expected.reveals
    known, covered = kinds.turned_up | kinds.to_both | reveals, COVERED | kinds.own_zones
    for lying, events, (_, move), p in zip(
        trace.lying, trace.events_by_move, trace.moves, trace.positions, strict=True
    ):
        lies = {(zone.name, zone.seat): places for zone, places in lying}
        guarded = set().union(*(places for (name, _), places in lies.items() if name in covered))
        named: dict[Card, Card] = {card: card for card in move.cards if isinstance(card, PlacedCard)}
        guarded |= places_of(named.values()) if move.verb in trace.secret else set()
        for event in events:
            if event.cards and can_see(event.seen_by, viewer):
                shown = places_of(named.get(card, card) for card in event.cards)
                if event.kind not in known and move.verb not in kinds.to_partner and shown & guarded:
                    shown -= guarded - inferred(trace, p, viewer)
                seen |= shown
        seen = seen.union(*(places for zone, places in lying if may_see(trace, zone, viewer)))
    return sorted(set().union(*lies.values()) - seen)


def inferred(trace: Trace, p: Position, viewer: Viewer) -> set[int]:
    """The places of the cards that the viewer can infer one by one."""
    single = (each.cards for each in trace.game.inferences(p, viewer) if each.many == len(each.cards))
    cards = set().union(*single)
    return {place for place, card in enumerate(trace.pack) if card in cards}


def may_see(trace: Trace, zone: Zone, viewer: Viewer) -> bool:
    """Whether the viewer may see a zone (ALL-5): its own hands and a dummy's, never the stock."""
    if zone.name in COVERED - {"hand"}:
        return False
    if zone.name == "hand" and zone.seat is not None:
        person = trace.game.controller(zone.seat)
        return person == viewer or person != zone.seat
    if zone.name in trace.expected.kinds.own_zones:
        return zone.seat == viewer
    return can_see(zone.seen_by, viewer)


def check_stays_visible(trace: Trace) -> None:
    """Check that a card that was turned up or announced stays visible to everybody for the rest of the deal."""
    last = trace.positions[-1]
    kinds = trace.expected.kinds
    turned_up = places_of(card for event in trace.events if event.kind in kinds.turned_up for card in event.cards)
    named = {fact.seat for fact in trace.game.facts(last) if fact.name in kinds.open_hands}
    for zone in trace.game.zones(last):
        if places_of(zone.cards) & turned_up or (zone.name == "hand" and zone.seat in named):
            assert can_see(zone.seen_by, None), zone.name


def _redeal_and_compare(trace: Trace, viewer: Viewer, hidden: list[int], said: list[Move], rng: Random) -> int:
    """Deal the hidden cards otherwise and compare; return 1 if that was possible, else 0."""
    if (other := redealt(trace, hidden, rng)) is None:
        return 0
    before, after = trace.positions[-1], other.positions[-1]
    views = view_for(trace.game, before, viewer), view_for(trace.game, after, viewer)
    parts = ((*one.zones, *one.facts, *one._asdict().items()) for one in views)
    assert views[0] == views[1], difference(viewer, *parts)
    learnt = visible_events(trace.events, viewer), visible_events(other.events, viewer)
    assert learnt[0] == learnt[1], difference(viewer, *learnt)
    if viewer is not None:
        _check_choices(trace.game, before, after, viewer, said)
    return 1


def difference(viewer: Viewer, one: Iterable[object], two: Iterable[object]) -> str:
    """What a viewer can tell two deals by, in a sentence."""
    here, there = next(((a, b) for a, b in zip_longest(one, two) if a != b), ("", ""))
    who = "everybody" if viewer is None else f"seat {viewer}"
    return f"{who} is told of hidden cards, for with others {here} is {there}; see Expectations, kinds and reveals"


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
        try:
            moves, positions, events = follow(trace.game, trace.opening, said_again(trace, redealt_pack))
        except IllegalMove:
            continue
        happened = tuple(chain.from_iterable(events))
        if any(outline(trace.events, kind) != outline(happened, kind) for kind in trace.expected.reveals):
            continue  # everybody learns of another deal
        turns = [trace.game.turn(p) for p in trace.positions] == [trace.game.turn(p) for p in positions]
        if not same_effects(trace, redealt_pack) and not (turns and outline(trace.events) == outline(happened)):
            continue
        if penalties(trace.game, trace.opening, trace.moves) == penalties(trace.game, trace.opening, moves):
            return trace._replace(pack=redealt_pack, moves=moves, positions=positions, events_by_move=events)
    return None


def said_again(trace: Trace, pack: tuple[PlacedCard, ...]) -> Iterator[tuple[Seat, Move]]:
    """The moves with the cards that lie in the same places in another pack."""
    for actor, move in trace.moves:
        cards = [pack[card.place] if isinstance(card, PlacedCard) else card for card in move.cards]
        is_sorted = actor != CHANCE and move.cards == trace.game.pack.in_order(move.cards)
        yield actor, move._replace(cards=trace.game.pack.in_order(cards) if is_sorted else tuple(cards))


def effect(trace: Trace, card: Card) -> str:
    """What everybody learns of a card when it has a consequence: the card or its rank, by default nothing."""
    return next((word for word in (str(card), card.rank) if word in trace.expected.reveals), "")


def alike(trace: Trace, places: list[int]) -> list[list[int]]:
    """Group indices of the pack by the effects of their cards."""
    parts: dict[str, list[int]] = {}
    for place in places:
        parts.setdefault(effect(trace, trace.pack[place]), []).append(place)
    return list(parts.values())


def same_effects(trace: Trace, pack: tuple[Card, ...]) -> bool:
    """Whether every card of another pack has the effect of the one in its place; then the events must be the same."""
    return all(effect(trace, a) == effect(trace, b) for a, b in zip(trace.pack, pack, strict=True))


def outline(events: Iterable[Event], kind: str = "") -> list[tuple[str, Seat | None, Seat | None]]:
    """The kinds and seats of events, without cards; of one kind, or of all."""
    return [(event.kind, event.seat, event.other) for event in events if kind in ("", event.kind)]


def penalties(game: AnyGame, p: Position, moves: tuple[tuple[Seat, Move], ...]) -> list[tuple[str, ...]]:
    """The penalised refusals of each move; everybody learns of them, so they must stay the same."""
    if not any(reason.penalty for reason in game.reasons):
        return []
    before = (p, *follow(game, p, moves)[1])
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
            if event.kind in kinds.to_both:
                assert event.known_to is EVERYBODY
                assert event.seen_by is not EVERYBODY
                assert set(event.seen_by) == {event.seat, event.other}
            learnt = visible_to(event, None)
            assert learnt is None or learnt.cards == () or can_see(event.seen_by, None)


SECRECY_LAWS = (secrecy, partner_secrecy, visibility)  # what viewers see
