"""What a game says of itself: reasons, sentences, names, zones and rankings, held against what happens in its deals."""

from __future__ import annotations

from random import Random

from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE, MATCH_OVER, WRONG_PHASE
from chitarrella.i18n.narration import EVENT_KINDS, FACT_NAMES, SENTENCES
from chitarrella_testing.walks import Walk

NO_VERB = (MATCH_OVER.code, WRONG_PHASE.code)  # reasons for which no move has a clause of its own


def check_citations(catalogue: Catalogue, key: str) -> None:
    """Each clause that is cited is cited for a reason of the game, and for a kind of move that it has."""
    codes = {reason.code for reason in catalogue.reasons(key)}
    verbs = {spec.verb for spec in catalogue.move_specs(key)}
    for citation in catalogue.entry(key).book.citations:
        *verb, code = citation.split(" ")
        assert code in codes, f"a clause is cited for {citation!r}, but the game has no such reason"
        assert verbs.issuperset(verb), f"a clause is cited for {citation!r}, but the game has no such move"
        assert not verb or code not in NO_VERB, f"a clause is cited for {citation!r}, but every move has the same one"


def check_names(walk: Walk, rng: Random) -> None:
    """What happens has a sentence, what is true a name, a place where cards lie a description; a duty says so."""
    game = walk.game
    texts = walk.catalogue.texts(walk.rule_set.game)
    for kind, word in {(event.kind, event.word) for step in walk.steps for event in step.events}:
        sentences = SENTENCES.keys() | texts.sentences.keys()
        assert not sentences.isdisjoint((kind, f"{kind} {word}")), f"the event {kind} has no sentence in SENTENCES"
        assert kind in EVENT_KINDS or kind in texts.events, f"the event {kind} is not described in EVENTS"
    zones = {spec.name for spec in game.zone_specs}
    for p in walk.positions:
        for fact in game.facts(p):
            known = fact.name in FACT_NAMES or fact.name in texts.fact_names
            assert known, f"the fact {fact.name} has no name in FACT_NAMES"
        for zone in game.zones(p):
            assert zone.name in zones, f"the zone {zone.name} has no ZoneSpec"
        if (turn := game.turn(p)) is None or turn == CHANCE:
            continue
        for move in game.candidates(p, game.controller(turn)):
            if (turn if move.seat is None else move.seat) != turn:
                continue
            conditions = game.conditions(p, turn, move)
            for refusal in conditions:
                assert not refusal.reason.duty, f"{refusal.code} is a condition, and its reason says that it is a duty"
            for refusal in game.refusals(p, turn, move):
                is_duty = refusal.reason.duty or refusal in conditions
                assert is_duty, f"{refusal.code} binds the seat to move alone: its reason lacks duty=True"


def check_ranking(game: AnyGame) -> None:
    """Cards count what the ranking and the specifications of the cards say."""
    rules = game.trick_rules
    for spec in game.card_specs if rules else ():
        counted = rules.count((spec.card,), "") if rules else ()
        said = [each for each in game.ranking if spec.card.rank in each.ranks and each.suit in ("", spec.suit)]
        for each in said:
            place = each.ranks.index(spec.card.rank)
            row = {name: numbers[place] for name, numbers in each.counts.items()}
            assert row == dict(counted), f"{spec.card} counts {dict(counted)}, but its ranking says {row}"
        main = next((number for _, number in counted), None)
        assert spec.points in (None, main), f"{spec.card} counts {main}, but its specification says {spec.points}"
