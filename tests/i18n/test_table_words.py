"""The words of a table: every fact and every event of every game has one, in each language."""

from __future__ import annotations

import re

import pytest

from chitarrella.catalogue.packages import PLACEHOLDERS
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE
from chitarrella.i18n.narration import SENTENCES, kind, narrate
from chitarrella.i18n.table_texts import FACT_NAMES, FLAGS, MATCH_SENTENCES, SEATS, WORDS
from chitarrella.i18n.table_words import TableWords, third_person, words_of
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.matches.control import KINDS, ControlAction, events_of
from tests.games.test_facts import TABLE
from tests.walks import CATALOGUE, Walk, defaults, known_walk, name

VALUES = PLACEHOLDERS | {"faces", "people", "price"}
"""The placeholders that the page fills in (``clients/typescript/web/sentences.ts``)."""


def tables(game: AnyGame) -> list[TableWords]:
    """The words of a game in each language."""
    return [words_of(translator_for(code), kind(game.pack)) for code in LANGUAGES]


def known_words(game: AnyGame) -> set[str]:
    """Everything that has a name of its own, and numbers."""
    return {*tables(game)[0]["words"], *game.pack.faces, *map(str, range(121)), ""}


def names_in(walk: Walk) -> set[str]:
    """The words in the events and facts of a walk that are neither cards nor numbers, where no sentence is for them."""
    sentences = tables(walk.game)[0]["events"]
    events = [event for step in walk.steps for event in step.events if f"{event.kind} {event.word}" not in sentences]
    facts = [fact for p in walk.positions for fact in walk.game.facts(p) if isinstance(fact.value, str)]
    return {event.word for event in events} | {str(fact.value) for fact in facts}


@pytest.mark.parametrize("rule_set", defaults(), ids=name)
def test_every_fact_and_event_has_words_in_each_language(rule_set: RuleSet) -> None:
    """Facts have a name, events a sentence, and what they name has a word; in Italian and German none is English."""
    walk = known_walk(rule_set, "story", 2, 1)
    english, *others = tables(walk.game)
    facts = {fact.name for p in walk.positions for fact in walk.game.facts(p)}
    events = {event for step in walk.steps for event in step.events}
    assert names_in(walk) <= known_words(walk.game)
    for words in (english, *others):
        assert facts <= set(words["facts"])
        assert all({event.kind, f"{event.kind} {event.word}"} & set(words["events"]) for event in events)
    for words in others:
        assert all(words["facts"][fact] != english["facts"][fact] for fact in facts)
        kinds = {event.kind for event in events} & set(english["events"]) - {"deal_counted"}  # that one has no words
        assert all(words["events"][event] != english["events"][event] for event in kinds)


def test_facts_are_those_of_the_page() -> None:
    """The facts are those of docs/facts.md, in its order, and flags and seats are as it says."""
    assert list(TABLE) == list(FACT_NAMES)
    assert {name for name, row in TABLE.items() if row.kind == "flag"} == FLAGS
    assert {name for name, row in TABLE.items() if row.kind == "seat"} == SEATS


def test_every_word_of_the_rules_is_known() -> None:
    """Counts, suits without a letter, and the duties that may be broken at a price are among the words."""
    for game in CATALOGUE:
        for table in (game, *CATALOGUE.configurations(game)):
            ranking = [each for each in table.ranking if each.suit not in game.pack.suits]
            named = {each.suit for each in ranking} | {count for each in table.ranking for count in each.counts}
            broken = {reason.code for reason in table.reasons if reason.penalty}
            assert named | broken <= {*WORDS, ""}


def test_every_action_of_a_match_has_a_sentence() -> None:
    """What the service does at a match beside the moves is told in a sentence."""
    kinds = {event.kind for kind in KINDS for event in events_of(ControlAction(CHANCE, kind, "1"))}
    kinds |= {event.kind for event in events_of(ControlAction(0, "!assign_bot", ""))}
    kinds |= {event.kind for event in events_of(ControlAction(0, "!assign_bot", "greedy"))}
    assert kinds == set(MATCH_SENTENCES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_page_can_fill_in_every_placeholder(code: str) -> None:
    """No sentence has a placeholder that the page does not know, and none depends on who reads it."""
    for game in CATALOGUE:
        for sentence in words_of(translator_for(code), kind(game.pack))["events"].values():
            assert set(re.findall(r"\{(\w*)\}", sentence)) <= VALUES
            assert not set("[|]") & set(sentence)


def test_third_person_is_that_of_the_narration() -> None:
    """A sentence is as the narration says it of another seat."""
    rule_set = RuleSet("cucu", 3)
    events = [event for step in known_walk(rule_set, "story", 2, 1).steps for event in step.events]
    event = next(event for event in events if event.kind == "said")
    sentence = third_person(SENTENCES[f"said {event.word}"])
    assert narrate(event, CATALOGUE.game("cucu").pack) == sentence.format(Who=f"Seat {event.seat}")
