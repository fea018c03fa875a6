"""Events as sentences for people."""

import re
from itertools import product

import pytest

from chitarrella.api.caller import negotiate_language
from chitarrella.catalogue.registry import PLACEHOLDERS, RuleSet
from chitarrella.core.cards import CUCCO, ITALIAN, Card, Pack
from chitarrella.core.game import AnyGame
from chitarrella.core.model import REFEREE, Event, public_event
from chitarrella.core.visibility import visible_to
from chitarrella.i18n.narration import (
    ADDED_SENTENCES,
    ALTERNATIVE,
    FACT_NAMES,
    TEXTS,
    card_name,
    kind,
    names,
    narrate,
    who,
)
from chitarrella.i18n.table_words import TableWords, words_of
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.matches.metadata import ADD_TIME, ASSIGN_BOT, DECIDE, EVENTS, RESIGN, ControlAction, events_of
from tests.games.test_facts import TABLE
from tests.walks import CATALOGUE, Walk, defaults, known_walk, name

AB, C3 = ITALIAN.card("Ab"), ITALIAN.card("3c")


@pytest.mark.parametrize(
    ("event", "says", "says_to_seat_1"),
    [
        (public_event("trick_taken", 1, (AB, C3)), "Seat 1 takes the trick (Ab 3c).", "You take the trick (Ab 3c)."),
        (Event("card_drawn", 1, hidden=1), "Seat 1 draws a card.", "You draw a card."),
        (Event("dealt", 1, hidden=3), "Seat 1 is dealt 3 cards.", "You are dealt 3 cards."),
        (public_event("deal_started", 1, amount=2), "Deal 2: seat 1 deals.", "Deal 2: you deal."),
        (
            public_event("dealer_drawn", 1),
            "Seat 1 is drawn by lot to deal first.",
            "You are drawn by lot to deal first.",
        ),
        (
            public_event("turned_up", cards=(AB,), word="b"),
            "Ab is turned up: batons are trumps.",
            "Ab is turned up: batons are trumps.",
        ),
        (
            public_event("chips_paid", 0, amount=3, other=1),
            "Seat 0 pays seat 1 3 in chips.",
            "Seat 0 pays you 3 in chips.",
        ),
        (
            public_event("turn_up_exchanged", 1, (AB, C3)),
            "Seat 1 lays down Ab and takes the turn-up, 3c.",
            "You lay down Ab and take the turn-up, 3c.",
        ),
        (
            public_event("swapped", 0, (CUCCO.card("II"), CUCCO.card("X")), other=1),
            "Seat 0 and seat 1 exchange cards: seat 0 has II now, seat 1 has X.",
            "Seat 0 and you exchange cards: seat 0 has II now, you have X.",
        ),
        (
            public_event("swapped", 1, (CUCCO.card("II"), CUCCO.card("X")), other=0),
            "Seat 1 and seat 0 exchange cards: seat 1 has II now, seat 0 has X.",
            "You and seat 0 exchange cards: you have II now, seat 0 has X.",
        ),
        (Event("swapped", 0, other=1), "Seat 0 and seat 1 exchange cards.", "Seat 0 and you exchange cards."),
        (public_event("signalled", 1, word="3"), "Seat 1 signals the 3 of trumps.", "You signal the 3 of trumps."),
        (
            public_event("hand_shown", 1, (AB, C3)),
            "Seat 1 shows their partner these cards: Ab 3c.",
            "You show your partner these cards: Ab 3c.",
        ),
        (
            public_event("deal_counted", word="card_points", shares=(("0", 71), ("1", 49))),
            "Card points: seat 0 71, seat 1 49.",
            "Card points: seat 0 71, you 49.",
        ),
        (
            public_event("deal_drawn", amount=4),
            "Deal 4 is a stand-off: nobody wins it.",
            "Deal 4 is a stand-off: nobody wins it.",
        ),
        (public_event("rank_bid", 1, word="A"), "Seat 1 bids the ace.", "You bid the ace."),
        (
            public_event("contract_lost", 1, word="alone", other=1),
            "Seat 1 loses the contract, alone.",
            "You lose the contract, alone.",
        ),
    ],
    ids=lambda value: value.kind if isinstance(value, Event) else "",
)
def test_sentences(event: Event, says: str, says_to_seat_1: str) -> None:
    """Each event is a plain sentence, which addresses its reader where it is about them; every form of them is here."""
    assert narrate(event, ITALIAN) == says
    assert narrate(event, ITALIAN, 1) == says_to_seat_1


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (public_event("claim_made", 2), "Seat 2: claim made."),
        (
            public_event("offer_made", 2, (), "pool_share", 30, 1, (("anna", 5),)),
            "Seat 2: offer made, pool share, 30, to you, anna 5.",
        ),
        (Event("stock_cut", cards=(AB,), hidden=2), "Stock cut (Ab and 2 cards)."),
        (Event("torn_up", 1, hidden=1), "You: torn up (a card)."),
        (public_event("trick_taken", None, (AB,)), "Trick taken (Ab)."),
    ],
)
def test_unknown_event_has_a_sentence(event: Event, says: str) -> None:
    """An event of a game that is not thought of yet is told in its own words, with all it says."""
    assert narrate(event, ITALIAN, 1) == says


def test_a_text_may_count_from_one() -> None:
    """The words for a seat may have the number of a person."""
    assert "1" == who(0, text=lambda *_: "{number}")


def test_names_of_cards() -> None:
    """A card has the name that players call it by beside its number; a pack nobody has named keeps its notation."""
    assert "XIV, the hunter" == card_name(CUCCO.card("XIV"), CUCCO)
    assert "VII" == card_name(CUCCO.card("VII"), CUCCO)
    tarot = Pack("Tarot", ("1", "2"), ("x",))
    assert ({}, "1 of x") == (names(tarot), card_name(Card("1", "x"), tarot))


@pytest.mark.parametrize("placeholder", sorted(PLACEHOLDERS))
def test_every_placeholder_of_a_package_is_filled_in(monkeypatch: pytest.MonkeyPatch, placeholder: str) -> None:
    """What a package may write in the braces of a sentence has a value, of an event with cards and amounts."""
    monkeypatch.setitem(ADDED_SENTENCES, "sung", f"<{{{placeholder}}}>")
    cards = tuple(map(ITALIAN.card, ("Ab", "2b")))
    event = public_event("sung", 1, cards, "b", 3, other=0, shares=(("zia", 3),))
    narrated = narrate(event, ITALIAN)
    assert ("<", ">") == (narrated[0], narrated[-1])
    assert narrated[1:-1]
    assert "{" not in narrated


# ---------------------------------------------------------------------- negotiation


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"), ("de", "de"), ("IT", "it"), ("de-AT", "de"), ("it-CH, de-CH;q=0.9", "it"), ("en-GB,it;q=0.8", "en"),
        ("en;q=0.5, it;q=0.8", "it"), ("de;q=0.5,it;q=0.5", "de"), ("fr, de;q=0.3", "de"), ("fr, ja;q=0.3", "en"),
        ("de ; q=0.1 , it ; q=0.25", "it"), ("it;Q=0.100, de;q=1.000", "de"), ("*", "en"), ("it, *;q=0.5", "it"),
        ("en;q=0, *", "it"), ("en;q=0, it;q=0, *;q=0.1", "de"), ("de;q=0", "en"),
        ("de-CH;q=0.2, it;q=0.4, de-DE;q=0.6", "de"), ("it;q=2", "en"), ("it;q=0.1234", "it"), ("it;q=nan", "en"),
        ("it;q=", "it"), ("it;;q=1", "it"), ("it_IT", "it"), ("italiano", "en"), ("-it", "en"), (",,;,de,;q=1", "de"),
        ("i\u0307t", "en"), ("it;q=\u0661", "it"), ("it\n", "en"), ("\x00", "en"), (", " * 5000 + "it", "en"),
        ("fr," * 39 + "it", "it"), ("it" * 5000, "en"),
    ],
)  # fmt: skip
def test_the_best_language_is_chosen(header: str, code: str) -> None:
    """Quality decides, then the order; regions do not matter; what names no language is passed over."""
    assert code == negotiate_language(header)


# ---------------------------------------------------------------------- table words


VALUES = PLACEHOLDERS | {"faces", "people", "price"}
"""The placeholders that the page fills in (``clients/typescript/web/words.ts``)."""


def tables(game: AnyGame) -> list[TableWords]:
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
    for event, viewer in product(events, (REFEREE, None, 0, 1)):
        visible = visible_to(event, viewer)
        sentence = "A." if visible is None else narrate(visible, walk.game.pack, viewer)
        assert sentence[0].isupper() or sentence.partition(" ")[0] in walk.game.pack.faces
        assert sentence.endswith(".")
        assert not {"None", "{", "}", "  "} & {sentence, *sentence.split(" ")}


def test_facts_are_those_of_the_page() -> None:
    """The facts are those of docs/facts.md, in its order, and flags and seats are as it says."""
    assert list(TABLE) == list(FACT_NAMES)
    assert {name for name, row in TABLE.items() if row.kind == "flag"} == set(TEXTS["flags"])
    assert {name for name, row in TABLE.items() if row.kind == "seat"} == set(TEXTS["seats"])


def test_every_word_of_the_rules_is_known() -> None:
    """Counts, suits without a letter, and the duties that may be broken at a price are among the words."""
    for game in CATALOGUE:
        for table in (game, *CATALOGUE.configurations(game)):
            ranking = [each for each in table.ranking if each.suit not in game.pack.suits]
            named = {each.suit for each in ranking} | {count for each in table.ranking for count in each.counts}
            broken = {reason.code for reason in table.reasons if reason.penalty}
            assert named | broken <= {*TEXTS["words"], ""}


def test_every_action_of_a_match_has_a_sentence() -> None:
    """What the service does at a match beside the moves is told in a sentence."""
    values = {ADD_TIME: ("0 60",), DECIDE: ("0 absent",), RESIGN: ("", "forfeited"), ASSIGN_BOT: ("", "greedy")}
    actions = [ControlAction(0, kind, value) for kind in EVENTS for value in values.get(kind, ("1",))]
    kinds = {event.kind for action in actions for event in events_of(action)}
    assert kinds == set(TEXTS["match event"])


@pytest.mark.parametrize("code", LANGUAGES)
def test_page_can_fill_in_every_placeholder(code: str) -> None:
    """No sentence has a placeholder that the page does not know; what depends on its reader is an alternative."""
    for game in CATALOGUE:
        for sentence in words_of(translator_for(code), kind(game.pack))["events"].values():
            assert set(re.findall(r"\{(\w*)\}", sentence)) <= VALUES
            assert not set("[|]") & set(ALTERNATIVE.sub("", sentence))
