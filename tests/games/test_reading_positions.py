"""What is looked up while positions are read and checked changes nothing about what is found."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import CUCCO, FRENCH_52, ITALIAN, Card, Pack
from chitarrella.core.notation import CACHE_SIZE, DecodedByText, InvalidPosition
from chitarrella.tricks.checks import MAX_KNOWN_TRICKS, known_tricks, remember_tricks
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.seating import overrides
from chitarrella.tricks.table import MatchState, Table, Trick
from tests.walks import CATALOGUE, defaults, name, walk

PACKS = (ITALIAN, FRENCH_52, CUCCO, ITALIAN.without(Card("2", "b")), CUCCO.without(Card("MAT")))
TRICK_GAMES = [rule_set for rule_set in defaults() if isinstance(CATALOGUE.game_for(rule_set), TrickGame)]


@pytest.mark.parametrize("pack", PACKS, ids=range(len(PACKS)))
def test_only_the_whole_pack_is_held_exactly(pack: Pack) -> None:
    """Of packs in which some cards were put in place of others exactly those with the same cards are the pack."""
    rng, faces = Random("packs"), list(pack.faces.values())
    for _ in range(300):
        cards = rng.sample(pack.cards, len(pack.cards))
        for _ in range(rng.randrange(4)):
            cards[rng.randrange(len(cards))] = rng.choice(faces)
        assert (Counter(cards) == Counter(pack.cards)) == pack.holds_exactly(cards)
        assert (Counter(cards) == Counter(pack.cards)) == (pack.weight == pack.weigh(cards))
    assert not pack.holds_exactly(pack.cards[1:])


def test_few_short_texts_are_kept() -> None:
    """What was decoded is kept by its text, unless that is long; never more than so much, and nothing that is wrong."""
    decoded: list[str] = []

    def decode(text: str) -> int:
        decoded.append(text)
        return int(text)

    cache = DecodedByText(decode, 5)
    assert [12, 12] == [cache["12"], cache["12"]]
    assert [123456, 123456] == [cache["123456"], cache["123456"]]
    assert ["12", "123456", "123456"] == decoded
    with pytest.raises(ValueError, match="x"):
        _ = cache["x"]
    assert {"12": 12} == cache
    for number in range(2 * CACHE_SIZE):
        assert number == cache[str(number)]
        assert len(cache) <= CACHE_SIZE


def test_few_tricks_are_remembered() -> None:
    """A set of possible tricks is emptied before it grows beyond its bound by more than one position."""
    known = known_tricks(object(), (0, 1), "b", None)
    tricks = [Trick(0, (card, other), 0) for card in ITALIAN.cards for other in ITALIAN.cards]
    for trick in tricks:
        remember_tricks(known, [trick])
        assert trick in known
        assert len(known) <= MAX_KNOWN_TRICKS + 1


@pytest.mark.parametrize("rule_set", TRICK_GAMES, ids=name)
def test_trumps_alone_decide_who_takes_a_trick(rule_set: RuleSet) -> None:
    """Of a table only its trumps say who takes given cards, so a trick is possible on every table with the same."""
    game = CATALOGUE.game_for(rule_set)
    assert isinstance(game, TrickGame)
    for t in walk(rule_set, "takes", 1).positions:
        trump_card = t.turn_up if game.taking.has_trump_card else None
        bare = Table("", MatchState(), turn_up=trump_card, trump=t.trump)
        for trick in t.tricks:
            assert game.taking.best(game, t, trick.cards) == game.taking.best(game, bare, trick.cards)


@pytest.mark.parametrize("rule_set", TRICK_GAMES, ids=name)
def test_an_action_finds_fault_only_with_what_it_records(rule_set: RuleSet) -> None:
    """The check of an action is left out where nothing is recorded, so an action with a check names its field."""
    game = CATALOGUE.game_for(rule_set)
    assert isinstance(game, TrickGame)
    checked = [action for phase in game.phases for action in phase.actions if overrides(action, "fault")]
    assert {"", *(action.recorded_in for action in checked)} <= {"", "signals", "shown", "exchanged"}
    assert all(action.recorded_in for action in checked)


@pytest.mark.parametrize("rule_set", TRICK_GAMES, ids=name)
def test_a_trick_taken_by_another_seat_is_refused_again_and_again(rule_set: RuleSet) -> None:
    """A position is read before and after one with a trick that another seat took, which is refused each time."""
    game = CATALOGUE.game_for(rule_set)
    assert isinstance(game, TrickGame)
    t = next(t for t in reversed(walk(rule_set, "again", 1).positions) if t.tricks and t.phase in game.deal_phases)
    leader, cards, winner = t.tricks[0]
    spoilt = t._replace(tricks=(Trick(leader, cards, (winner + 1) % game.seats), *t.tricks[1:]))
    for _ in range(2):
        assert t == game.decode(game.encode(t))
        with pytest.raises(InvalidPosition) as refused:
            game.decode(game.encode(spoilt))
        assert "tricks" == refused.value.field


@pytest.mark.parametrize("rule_set", TRICK_GAMES, ids=name)
def test_parts_that_are_not_asked_would_find_nothing(rule_set: RuleSet) -> None:
    """Phases and actions without a check of their own find no fault in any position, and decide no first lead."""
    game = CATALOGUE.game_for(rule_set)
    assert isinstance(game, TrickGame)
    phases = [phase for phase in game.phases if not overrides(phase, "fault")]
    actions = [one for phase in game.phases for one in phase.actions if not overrides(one, "fault")]
    undecided = [phase for phase in game.phases if not overrides(phase, "first_lead")]
    found: set[object] = set()
    for step in walk(rule_set, "silent").steps:
        found |= {one.fault(game, step.before) for one in actions}
        found |= {phase.fault(game, step.before) for phase in phases}
        found |= {phase.first_lead(game, step.before) for phase in undecided}
    assert {None} == found
