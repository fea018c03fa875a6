"""What a game says of itself: reasons, sentences, names, zones and rankings, held against what happens in its deals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from types import CodeType
from typing import Any

from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE, MATCH_OVER, WRONG_PHASE
from chitarrella.core.options import Choices, GameEntry, InvalidOption, Option
from chitarrella.i18n.narration import EVENT_KINDS, FACT_NAMES, SENTENCES
from chitarrella.tricks.dealing import deal_order
from chitarrella.tricks.passing import PassCards, PassingLayout
from chitarrella.tricks.rules import Rules
from chitarrella_testing.walks import Walk

NO_VERB = (MATCH_OVER.code, WRONG_PHASE.code)  # reasons for which no move has a clause of its own


def check_citations(catalogue: Catalogue, key: str) -> None:
    """Each clause is a sentence; one that is cited is cited for a reason of the game, and for a move that it has."""
    for clause in catalogue.entry(key).book.clauses:
        sentence = re.fullmatch(r"[A-Z0-9].*\.", clause.text)
        assert sentence, f"{clause.key} begins with no capital or figure, or ends without a full stop: {clause.text!r}"
    codes = {reason.code for reason in catalogue.reasons(key)}
    verbs = {spec.verb for spec in catalogue.move_specs(key)}
    for citation in catalogue.entry(key).book.citations:
        *verb, code = citation.split(" ")
        assert code in codes, f"a clause is cited for {citation!r}, but the game has no such reason"
        assert verbs.issuperset(verb), f"a clause is cited for {citation!r}, but the game has no such move"
        assert not verb or code not in NO_VERB, f"a clause is cited for {citation!r}, but every move has the same one"


class Asked(dict[str, Any]):
    """What the choices of a table mean, by option; ``names`` gets the names of the options that are asked for."""

    def __init__(self, meanings: Mapping[str, Any], names: set[str]) -> None:
        super().__init__(meanings)
        self.names = names

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        return super().__getitem__(name)


def check_choices(catalogue: Catalogue, key: str) -> None:
    """Every number of players can sit down, every value that an option offers can be chosen, and changes something."""
    entry, asked = catalogue.entry(key), set[str]()

    def rules(agreed: Choices) -> Any:
        return entry.rules(replace(agreed, meanings=Asked(agreed.meanings, asked)))

    recorded = replace(entry, rules=rules)
    every = [{option.name: value} for option in entry.options for value in bounds(option)]
    assert configures(recorded, {})
    for chosen in every:
        others = (chosen | other for other in every if other.keys() != chosen.keys())
        offered = configures(recorded, chosen) or any(configures(recorded, together) for together in others)
        assert offered, f"{written(chosen)} is refused with every number of players and beside every other option"
    later = {name for code in inner_code(getattr(entry.rules, "__code__", None)) for name in code.co_names}
    known: Mapping[str, Any] = getattr(entry.rules, "__globals__", {})
    asked |= {option.name for option in entry.options if any(known.get(name) is option for name in later)}
    unread = ", ".join(option.name for option in entry.options if option.name not in asked)
    assert not unread, f"rules never reads what is chosen of {unread}"


def bounds(option: Option[Any]) -> list[str]:
    """Every word of an option, and its least and its greatest number."""
    return [*option.choices, *(str(number) for number in (option.minimum, option.maximum) if number is not None)]


def written(chosen: Mapping[str, str]) -> str:
    """Return choices in a line."""
    return ", ".join(f"{name}={value}" for name, value in chosen.items())


def inner_code(code: CodeType | None) -> Iterator[CodeType]:
    """The code of the functions in a function, which read a choice when they are called."""
    for inner in code.co_consts if code else ():
        if isinstance(inner, CodeType):
            yield inner
            yield from inner_code(inner)


def configures(entry: GameEntry, chosen: Mapping[str, str]) -> bool:
    """Whether some number of players is offered what is ``chosen``; what is offered has to make a sound table."""
    offered = False
    for players in entry.players:
        where = f"with {players} players" + (f" and {written(chosen)}" if chosen else "")
        try:
            game = entry.configure(players, chosen)
        except InvalidOption:
            continue
        except Exception as error:  # of the game
            raise AssertionError(f"{where} the rules fail with {type(error).__name__}: {error}") from error
        persons = len({game.controller(seat) for seat in range(game.seats)})
        assert persons == players, f"{where} the seating has {persons} persons"
        if isinstance(game, Rules):
            check_cards(game, where)
        offered = True
    return offered


def check_cards(game: Rules, where: str) -> None:
    """The pack has each card that counts and as many as are dealt, and cards that seats choose have a place."""
    pack = game.pack
    passes = any(isinstance(phase, PassCards) for phase in game.phases)
    assert not passes or isinstance(game.layout, PassingLayout), f"{where} PassCards has no layout=PassingLayout(...)"
    for count in game.order.counts:
        odd = ", ".join(sorted(count.worth.keys() - {*pack.ranks, *pack.suits, *pack.faces}))
        assert not odd, f"{where} the count {count.name} has {odd}, no rank, suit or card of the pack"
    _, rest = game.dealing.start.split_packets(deal_order(game, game.start()), 2 * pack.cards)
    dealt = 2 * len(pack.cards) - len(rest)
    assert dealt <= len(pack.cards), f"{where} the packets are {dealt} cards, and the pack has {len(pack.cards)}"


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
