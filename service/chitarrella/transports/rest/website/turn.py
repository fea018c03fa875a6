"""What a rule book shows card by card: a trick of a deal, a capture, or the cards that all show at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from chitarrella.catalogue.record import Record
from chitarrella.core.cards import Hand, Pack
from chitarrella.core.game import AnyGame, Position, play
from chitarrella.core.model import Event, Seat
from chitarrella.core.visibility import view_for
from chitarrella.i18n.narration import TEXTS, Text, capital, narrate
from chitarrella.i18n.translator import Translator

# The kinds of events by which cards come onto the table in the open, and those that say what comes of them.
LAID: Final = frozenset({"card_played", "cards_led", "cards_followed", "card_revealed"})
DECIDING: Final = frozenset({"trick_taken", "captured", "token_lost"})


def of_players(text: Text) -> Text:
    """The ``text`` with players, from 1, for seats."""
    named = "part player", TEXTS["part"]["player"]
    return lambda key, english: text(*named) if key.startswith("part seat") else text(key, english)


def sentence(event: Event, pack: Pack, translator: Translator) -> str:
    """Narrate an event among players."""
    return narrate(event, pack, None, of_players(translator.text))


class LaidCards(NamedTuple):
    """Cards of a seat, None for those that lay on the table, and whether what comes of the turn is of this seat."""

    seat: Seat | None
    cards: Hand
    is_named: bool = False


class Turn(NamedTuple):
    """Cards in the order in which they were laid, what came of them, and what everybody knew before the last one."""

    game: AnyGame
    plays: tuple[LaidCards, ...]
    outcome: tuple[Event, ...]
    facts: Mapping[str, str]

    @property
    def cards(self) -> Hand:
        return tuple(card for play in self.plays for card in play.cards)

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """What the cards of a trick count, by the name of the count."""
        rules = self.game.trick_rules
        return tuple(rules.count(self.cards, self.facts.get("trump", ""))) if rules else ()

    @property
    def worth(self) -> tuple[bool, int]:
        """How much it shows: most if another seat than the first one takes cards that count much, or many cards."""
        return not self.plays[0].is_named, self.counts[0][1] if self.counts else len(self.cards)

    def caption(self, translator: Translator) -> str:
        """Return what came of it, what the trick counts, and what was trumps, in words."""
        pack, rules = self.game.pack, self.game.trick_rules
        if rules is None:
            return " ".join(map(partial(_said, pack, translator), self.outcome))
        # The pictures show the cards of the trick.
        taken = sentence(self.outcome[-1]._replace(cards=()), pack, translator).replace(" ()", "")
        named = [(translator.noun(name), str(number)) for name, number in self.counts]
        if rules.has_trump_card and "turn_up" in self.facts:
            named.append((translator.fact("turn_up"), translator.card(pack.card(self.facts["turn_up"]), pack)))
        elif rules.has_trumps and self.facts.get("trump"):
            named.append((translator.fact("trump"), translator.suit(self.facts["trump"], pack)))
        return " ".join([taken, *(f"{capital(name)}: {value}." for name, value in named)])


def _said(pack: Pack, translator: Translator, event: Event) -> str:
    """Return the sentence of an event, with the names of its cards."""
    named = ", ".join(translator.card(card, pack) for card in event.cards)
    return sentence(event, pack, translator).replace(" ".join(event.cards) or "\n", named)


def turns(game: AnyGame, record: Record) -> Iterator[Turn]:
    """Yield the tricks of a deal, or its captures, or the cards that were shown where some of them lost a token."""
    p = before = game.start()
    laid, outcome = dict[Seat, Hand](), list[Event]()
    for actor, move in record.moves:
        p, made = play(game, p, actor, move)
        for event in made:
            if event.kind in LAID and event.seat is not None:
                if outcome:
                    yield _turn(game, before, laid, outcome)
                # Without tricks every card that is played is a turn of its own.
                if outcome or (event.kind == "card_played" and game.trick_rules is None):
                    laid, outcome = {}, []
                laid[event.seat] = (*laid.get(event.seat, ()), *event.cards)
            elif event.kind in DECIDING and laid:
                outcome.append(event)
        before = before if outcome else p
    if outcome:
        yield _turn(game, before, laid, outcome)


def _turn(game: AnyGame, p: Position, laid: Mapping[Seat, Hand], outcome: list[Event]) -> Turn:
    seats = {event.seat for event in outcome}
    plays = [LaidCards(seat, cards, seat in seats) for seat, cards in laid.items()]
    if outcome[0].kind == "captured":
        plays.insert(0, LaidCards(None, outcome[0].cards))
    facts = {fact.name: str(fact.value) for fact in view_for(game, p, None).facts if fact.seat is None}
    return Turn(game, tuple(plays), tuple(outcome), facts)
