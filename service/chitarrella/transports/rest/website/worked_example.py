"""The worked example of a rule book: the first trick of the record of its game, and a card that is refused there.

Of a game without tricks it is the whole deal. The record is a text beside the game, with the default options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias
from urllib.parse import urlencode

from chitarrella.catalogue.record import Record, parse_record
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.cards import Card, Hand
from chitarrella.core.game import AnyGame, IllegalMove, Position, play, validate_move, view_for
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Refusal, Seat, View, ZoneView, can_see
from chitarrella.i18n.narration import narrate
from chitarrella.i18n.translator import Translator
from chitarrella.transports.rest.website.browser_files import RECORDS


class RefusedCard(NamedTuple):
    """A card that the last seat of a trick may not play, and why."""

    seat: Seat
    card: Card
    refusals: tuple[Refusal, ...]


class WorkedExample(NamedTuple):
    """A deal before the first card is played, what happens until its first trick is over, and a refused card, if any.

    ``trick`` are the cards of the trick with the seats that played them, or those that everybody sees at the end of the
    deal if there are no tricks; ``last_hand`` is the hand of the last of these seats before it moved.
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
        """The hands that are dealt, by seat; none if a card is dealt to each seat when its turn comes."""
        if self.game.trick_rules is None:
            return []
        in_order = self.game.pack.in_order
        zones = [zone for zone in self.view.zones if zone.name == "hand" and zone.cards]
        return [zone._replace(cards=in_order(zone.cards)) for zone in zones]

    @property
    def turned_up(self) -> list[ZoneView]:
        """The card that is turned up, if the deal has one."""
        return [zone for zone in self.view.zones if zone.name == "turn_up" and zone.cards]

    def sentences(self, translator: Translator) -> list[str]:
        """Describe what happens in the language of ``translator``."""
        return [narrate(event, self.game.pack, None, translator.text) for event in self.events]

    def query(self) -> str:
        """The query of the page of questions that asks what the last seat may play to the trick; empty if none can."""
        rules = self.game.trick_rules
        if rules is None:
            return ""
        facts = {fact.name: fact.value for fact in self.view.facts if fact.seat is None}
        values: dict[str, object] = {"game": self.game.key, "players": self.players}
        values |= {"trump": facts.get("trump", "")} if rules.has_trumps else {}
        values |= {"trump_card": facts["turn_up"]} if rules.has_trump_card else {}
        values |= {"stock": facts["stock"]} if "stock" in facts else {}
        played = ",".join(card for seat, card in self.trick if seat != self.trick[-1][0])
        return urlencode(values | {"hand": ",".join(self.last_hand), "trick": played}, safe=",")


FindExample: TypeAlias = Callable[[str], WorkedExample | None]
"""Returns the example of the game with a key, None if it has none."""


def worked_example(catalogue: Catalogue, key: str) -> WorkedExample | None:
    """Return the example of a game by its record; None if there is no record, or one that is not valid."""
    paths = (folder / f"{key}.txt" for folder in (RECORDS, *catalogue.records))
    text = next((path.read_text(encoding="utf-8") for path in paths if path.is_file()), "")
    try:
        record = parse_record(catalogue, text)
        return _first_trick(catalogue.game_for(record.rule_set), record)
    except (IllegalMove, LookupError, ValueError):  # that of another package: the rule book is shown without it
        return None


def _first_trick(game: AnyGame, record: Record) -> WorkedExample | None:
    """Replay a record until its first trick is over, or to its end if the game has no tricks."""
    p, before, events, trick = game.start(), None, list[Event](), list[tuple[Seat, Card]]()
    hand, refused = Hand(), None
    for actor, move in record.moves:
        turn = game.turn(p)
        if turn is not None and _is_play(game, actor, move, trick):
            before = p if before is None else before
            trick += [(turn, card) for card in move.cards]
            hand, refused = _hand(game, p), _refused(game, p, actor, move)
        p, made = play(game, p, actor, move)
        if before is None:
            continue
        events += made
        ends = [number for number, event in enumerate(events, 1) if event.kind == "trick_taken"]
        if ends:
            del events[ends[0] :]
            break
    if before is None:
        return None
    shown = trick if game.trick_rules else _shown(made).items()
    view = view_for(game, before, REFEREE)
    return WorkedExample(game, record.rule_set.players, view, tuple(events), tuple(shown), hand, refused)


def _is_play(game: AnyGame, actor: Seat, move: Move, trick: list[tuple[Seat, Card]]) -> bool:
    """Whether a move plays to the trick; in a game without tricks every move of a seat belongs to the example."""
    if game.trick_rules is None:
        return actor != CHANCE
    return move.verb in game.trick_rules.verbs(Hand(card for _, card in trick))


def _shown(made: Iterable[Event]) -> dict[Seat, Card]:
    """Return the card of each seat that everybody saw, the last one if there were several."""
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


def _refused(game: AnyGame, p: Position, seat: Seat, legal: Move) -> RefusedCard | None:
    """Return the first card of the hand on turn that may not be played; None if all may."""
    if len(legal.cards) != 1:
        return None
    for card in _hand(game, p):
        if refusals := validate_move(game, p, seat, legal._replace(cards=(card,))):
            return RefusedCard(seat, card, refusals)
    return None
