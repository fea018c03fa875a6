"""The information state: all that a seat can know of a position, and the only input of a bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from random import Random
from typing import Final, NamedTuple, TypeAlias

from chitarrella.core.cards import Card, Hand
from chitarrella.core.game import AnyGame, MoveValue, Position, apply_move, default_move, legal_moves, validate_move
from chitarrella.core.model import Inference, Move, Refusal, Seat, View, Viewer, Zone
from chitarrella.core.visibility import can_see, view_for

SAMPLES: Final = 8  # so many ways in which the hidden cards may lie tell whether a move loses the match at once
ANY: Final = None  # no constraint on the card of a place

AllowedCards: TypeAlias = frozenset[Card] | None  # the cards that may lie in a place, or `ANY`


class CardPlace(NamedTuple):
    """A place with a hidden card: its zone, the seat of the zone, its index from the front and (negative) the back."""

    card: Card
    zone: str
    seat: Seat | None
    front: int
    back: int


class HiddenCards:
    """The cards of one position that a viewer does not see, and where each of them may lie."""

    def __init__(self, game: AnyGame, p: Position, viewer: Viewer) -> None:
        self.game, self.p, self.viewer = game, p, viewer
        self.zones = tuple(game.zones(p))
        self.places = [place for zone in self.zones if not can_see(zone.seen_by, viewer) for place in places_of(zone)]
        self.cards = game.pack.in_order(game.pack.faces[place.card] for place in self.places)
        self.allowed = self._allowed(tuple(dict.fromkeys(game.inferences(p, viewer))))  # two parts may say the same

    def redeal(self, rng: Random) -> Position:
        """Return the position with the hidden cards dealt anew."""
        shuffled = list(self.cards)
        rng.shuffle(shuffled)
        cards = iter(assign(shuffled, self.allowed) or shuffled)
        zones = [
            zone if can_see(zone.seen_by, self.viewer) else zone._replace(cards=tuple(islice(cards, len(zone.cards))))
            for zone in self.zones
        ]
        return self.game.redeal(self.p, self.viewer, zones)

    def _allowed(self, inferences: Sequence[Inference]) -> list[AllowedCards]:
        """Return what may lie in each place.

        Inferences can contradict each other, because a position that a client sends need not come from play. Then only
        the inferences that give the cards of a place or their number are used. If these contradict each other too, no
        inference is used.
        """
        strict = allowed_cards(self.places, self.cards, inferences)
        if assign(self.cards, strict) is not None:
            return strict
        held = allowed_cards(
            self.places,
            self.cards,
            [inference for inference in inferences if inference.many or inference.place is not None],
        )
        return held if assign(self.cards, held) is not None else [ANY] * len(self.places)


def places_of(zone: Zone) -> Iterator[CardPlace]:
    """Yield the places of a zone, from the front."""
    for front, card in enumerate(zone.cards):
        yield CardPlace(card, zone.name, zone.seat, front, front - len(zone.cards))


def allowed_cards(places: Sequence[CardPlace], cards: Hand, inferences: Sequence[Inference]) -> list[AllowedCards]:
    """Return for each of ``places`` which of ``cards`` may lie there by the ``inferences``."""
    found: list[AllowedCards] = [ANY] * len(places)
    reserved: set[int] = set()
    for inference in inferences:
        there = [n for n, place in enumerate(places) if place.zone in inference.zones and place.seat == inference.seat]
        if inference.place is not None:
            there = [n for n in there if inference.place in (places[n].front, places[n].back)]
        elif inference.many is not None:
            hidden = sum(card in inference.cards for card in cards)
            there = [n for n in there if n not in reserved][: min(inference.many, hidden)]
            reserved.update(there)
        for n in there:
            before = found[n]
            found[n] = inference.cards if before is None else before & inference.cards
    return found


def assign(cards: Sequence[Card], allowed: Sequence[AllowedCards]) -> list[Card] | None:
    """Return ``cards`` in an order that fits the ``allowed`` cards of each place; None if there is none.

    Finds a maximum bipartite matching by augmenting paths (Kuhn's algorithm), from the narrowest place on; places
    without a constraint get the remaining cards in their order.
    """
    place_of: dict[int, int] = {}  # by the number of the card

    def find(place: int, tried: set[int]) -> bool:
        wanted = allowed[place]
        for number, card in enumerate(cards):
            if number not in tried and (wanted is None or card in wanted):
                tried.add(number)
                if number not in place_of or find(place_of[number], tried):
                    place_of[number] = place
                    return True
        return False

    narrow = [place for place, wanted in enumerate(allowed) if wanted is not None]
    for place in sorted(narrow, key=lambda place: len(allowed[place] or ())):
        if not find(place, set()):
            return None
    assigned = {place: cards[number] for number, place in place_of.items()}
    rest = (card for number, card in enumerate(cards) if number not in place_of)
    return [assigned[place] if place in assigned else next(rest) for place in range(len(allowed))]


class InformationState:
    """A position as the person of ``seat`` knows it. Everything is computed when it is first needed.

    The position itself stays private: what is computed from it depends only on what the seat can see.
    """

    def __init__(self, game: AnyGame, p: Position, seat: Seat, *, out_of_turn: bool = True) -> None:
        """Wrap ``p``; without ``out_of_turn`` only moves that wait for the turn of the seat count as moves."""
        self.game = game
        self.seat = seat
        self._p = p
        self._out_of_turn = out_of_turn

    @cached_property
    def view(self) -> View:
        """What the seat sees."""
        return view_for(self.game, self._p, self.seat)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves of the seat."""
        specs, moves = self.game.move_specs, legal_moves(self.game, self._p, self.seat)
        return moves if self._out_of_turn else tuple(move for move in moves if not specs[move.verb].out_of_turn)

    def only(self, moves: tuple[Move, ...]) -> InformationState:
        """Return the same state as if these ``moves`` alone were legal."""
        state = InformationState(self.game, self._p, self.seat)
        state.moves = moves
        return state

    def loses(self, move: Move) -> bool:
        """Return whether ``move`` loses the match at once, however the hidden cards lie in some samples of them."""
        rng = Random(0)  # the same samples for each move; nothing that is hidden decides which
        ends = (self.game.outcome(apply_move(self.game, self.sample(rng), self.seat, move)[0]) for _ in range(SAMPLES))
        return all(winners and self.seat not in winners for winners in ends)

    @property
    def default_move(self) -> Move:
        """The move that is made for the seat, which is on turn, when its time is over."""
        return default_move(self.game, self._p, self.seat)

    def refusals(self, move: Move) -> tuple[Refusal, ...]:
        """Return every clause that a move of the seat would break."""
        return validate_move(self.game, self._p, self.seat, move)

    @cached_property
    def move_values(self) -> Sequence[MoveValue]:
        """What the heuristic of the game thinks of each of `moves`, in their order; the greatest is the best."""
        return self.game.move_values(self._p, self.seat, self.moves)

    @cached_property
    def _hidden_cards(self) -> HiddenCards:
        return HiddenCards(self.game, self._p, self.seat)

    def sample(self, rng: Random) -> Position:
        """Return a position that looks the same to the seat, in which the cards hidden from it are dealt at random."""
        return self._hidden_cards.redeal(rng)


Bot: TypeAlias = Callable[[InformationState, Random], Move]
"""Chooses one of the legal moves of an information state, of which there is at least one."""
