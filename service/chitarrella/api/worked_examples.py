"""A worked example of each game for its rule book: a deal, its first trick, and a card that is refused.

Of a game without tricks it is the whole deal, if that is short.

The deals are shuffled by fixed seeds, and of some the most instructive one is taken.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Final, NamedTuple
from urllib.parse import urlencode

from chitarrella.bots.chance import chance_move
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.cards import Card, Hand
from chitarrella.core.game import AnyGame, Position, apply_move, legal_moves, seat_to_move, validate_move, view_for
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Refusal, Seat, View, ZoneView, can_see
from chitarrella.core.options import default_players
from chitarrella.i18n.narration import narrate
from chitarrella.i18n.translator import Translator

SEEDS: Final = 24
"""So many deals are tried for each game."""
MOST_PLAYERS: Final = 5
"""A game for more players is shown with so many."""
MOST_MOVES: Final = 200
"""A deal that has not come to the end of a trick after so many moves is not taken."""
MOST_EVENTS: Final = 40
"""A deal with more events is too long to be told."""
TRICK_TAKEN: Final = "trick_taken"
"""The event with which a trick is over."""


class RefusedCard(NamedTuple):
    """A card that the last seat of a trick may not play, and why."""

    seat: Seat
    card: Card
    refusals: tuple[Refusal, ...]


class WorkedExample(NamedTuple):
    """A deal before the first card is played, what happens until its first trick is over, and a refused card, if any.

    ``trick`` are the cards of the trick with the seats that played them, or those that everybody sees at the end of the
    deal where there are no tricks; ``last_hand`` is the hand of the last of these seats before it moved.
    """

    game: AnyGame
    players: int
    view: View
    events: tuple[Event, ...]
    trick: tuple[tuple[Seat, Card], ...]
    last_hand: Hand
    refused: RefusedCard | None

    @property
    def hands(self) -> list[ZoneView]:
        """The hands that are dealt, by seat; none where a card is dealt to each seat when its turn comes."""
        if self.game.trick_rules is None:
            return []
        in_order = self.game.pack.in_order
        zones = [zone for zone in self.view.zones if zone.name == "hand" and zone.cards]
        return [zone._replace(cards=in_order(zone.cards)) for zone in zones]

    @property
    def turned_up(self) -> list[ZoneView]:
        """The card that is turned up, if the deal has one."""
        return [zone for zone in self.view.zones if zone.name == "turn_up" and zone.cards]

    @property
    def facts(self) -> dict[str, object]:
        """The facts of the table."""
        return {fact.name: fact.value for fact in self.view.facts if fact.seat is None}

    def sentences(self, translator: Translator) -> list[str]:
        """Describe what happens in the language of ``translator``."""
        return [narrate(event, self.game.pack, None, translator.text) for event in self.events]

    def query(self) -> str:
        """The query of the page of questions that asks what the last seat may play to the trick; empty if none can."""
        rules = self.game.trick_rules
        if rules is None or not self.trick:
            return ""
        facts = self.facts
        values: dict[str, object] = {"game": self.game.key, "players": self.players}
        values |= {"trump": facts.get("trump", "")} if rules.has_trumps else {}
        values |= {"trump_card": facts["turn_up"]} if rules.has_trump_card else {}
        values |= {"stock": facts["stock"]} if "stock" in facts else {}
        played = ",".join(card for seat, card in self.trick if seat != self.trick[-1][0])
        return urlencode(values | {"hand": ",".join(self.last_hand), "trick": played}, safe=",")


class WorkedExamples:
    """The examples of the games of a catalogue, each made when it is first asked for."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Make them by the rules of ``catalogue``."""
        self._catalogue = catalogue
        self.of = cache(self._of)

    def _of(self, key: str) -> WorkedExample | None:
        """Return the example of the game with this key: of all deals that are tried the most instructive one."""
        players = min(default_players(self._catalogue.game(key)), MOST_PLAYERS)
        game = self._catalogue.game_for(RuleSet(key, players))
        found = [example for seed in range(SEEDS) if (example := _play(game, players, Random(seed))) is not None]
        return max(found, key=_merit, default=None)


@cache
def own_examples() -> WorkedExamples:
    """Return the examples of the games of this package alone."""
    return WorkedExamples(Catalogue())


def _merit(example: WorkedExample) -> tuple[bool, bool, int, int]:
    """How much an example shows: a refused card, a trick that the leader does not take, different and few events."""
    winner = next((event.seat for event in example.events if event.kind == TRICK_TAKEN), None)
    kinds = {(event.kind, event.word) for event in example.events}
    is_won = bool(example.trick) and winner not in (example.trick[0][0], None)
    return example.refused is not None, is_won, len(kinds), -len(example.events)


def _play(game: AnyGame, players: int, rng: Random) -> WorkedExample | None:
    """Play random moves until the first trick is over, or the first deal of a game without tricks."""
    p, before, events, trick = game.start(), None, list[Event](), list[tuple[Seat, Card]]()
    for _ in range(MOST_MOVES):
        turn, seat = game.turn(p), seat_to_move(game, p)
        if turn is None:
            return None
        if seat is None:
            p, _ = apply_move(game, p, CHANCE, chance_move(game, p, rng))
            continue
        moves = [move for move in legal_moves(game, p, seat) if not game.move_specs[move.verb].out_of_turn]
        move = rng.choice(moves)
        if _is_play(game, move, trick):
            before = p if before is None else before
            trick += [(turn, card) for card in move.cards]
        if before is None:
            p, _ = apply_move(game, p, seat, move)
            continue
        hand, refused = _hand(game, p), _refused(game, p, seat, move, moves)
        p, made = apply_move(game, p, seat, move)
        events += made
        if len(events) > MOST_EVENTS:
            return None
        if _is_over(game, p, made):
            shown = trick if game.trick_rules else list(_shown(made).items())
            view = view_for(game, before, REFEREE)
            return WorkedExample(game, players, view, _until_taken(events), tuple(shown), hand, refused)
    return None


def _is_play(game: AnyGame, move: Move, trick: list[tuple[Seat, Card]]) -> bool:
    """Whether a move plays to the trick; in a game without tricks every move belongs to the example."""
    return game.trick_rules is None or move.verb in game.trick_rules.verbs(tuple(card for _, card in trick))


def _is_over(game: AnyGame, p: Position, made: tuple[Event, ...]) -> bool:
    """Whether the trick was taken, or the deal is over where there are no tricks."""
    if game.trick_rules is None:
        return seat_to_move(game, p) is None
    return any(event.kind == TRICK_TAKEN for event in made)


def _until_taken(events: list[Event]) -> tuple[Event, ...]:
    """Return the events up to the end of the trick; all of them where there are no tricks."""
    ends = (place for place, event in enumerate(events, 1) if event.kind == TRICK_TAKEN)
    return tuple(events[: next(ends, len(events))])


def _shown(made: tuple[Event, ...]) -> dict[Seat, Card]:
    """Return the card of each seat that everybody saw, the last one where there were several."""
    return {
        event.seat: card
        for event in made
        if event.seat is not None and can_see(event.seen_by, None)
        for card in event.cards
    }


def _hand(game: AnyGame, p: Position) -> Hand:
    """Return the hand on turn."""
    zones = view_for(game, p, REFEREE).zones
    return next((zone.cards for zone in zones if zone.name == "hand" and zone.seat == game.turn(p)), Hand())


def _refused(game: AnyGame, p: Position, seat: Seat, legal: Move, moves: list[Move]) -> RefusedCard | None:
    """Return a card of the hand on turn that may not be played; None if all may."""
    if len(legal.cards) != 1:
        return None
    for card in _hand(game, p):
        move = legal._replace(cards=(card,))
        if move not in moves and (refusals := validate_move(game, p, seat, move)):
            return RefusedCard(seat, card, refusals)
    return None
