"""Laws of translations: every refusal has a text in every language."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, validate_move
from chitarrella.core.model import CHANCE, WRONG_PHASE, Refusal
from chitarrella.i18n.translator import ENGLISH, LANGUAGES, Translator, translator_for
from tests.walks import CATALOGUE, Walk, combined_variants, defaults, known_walk, name, universe

FOREIGN = [translator_for(code) for code in LANGUAGES[1:]]


def refusals(walk: Walk, rng: Random) -> Iterator[Refusal]:
    """Refusals in some positions of a walk, of moves that seats could make and of chance moves of other positions."""
    game, chances = walk.game, {step.move for step in walk.steps if step.actor == CHANCE}
    for at in walk.sample(rng):
        for seat in range(min(game.seats, 3)):
            for move in universe(game, rng, most=15):
                yield from validate_move(game, walk.positions[at], seat, move)
        for move in chances:
            yield from validate_move(game, walk.positions[at], CHANCE, move)


def check(foreign: Translator, game: AnyGame, refusal: Refusal) -> None:
    """Check a translated refusal: no placeholders, not the English text, and names of phases and suits translated."""
    said = foreign.reason(refusal, game.pack)
    assert not {"{", "}"} & set(said), said
    assert said != ENGLISH.reason(refusal, game.pack)
    assert said[0] == said[0].upper()
    if refusal.reason == WRONG_PHASE:
        assert foreign.phase(refusal.word) != ENGLISH.phase(refusal.word)
        assert foreign.phase(refusal.word) in said
    elif "{word}" in refusal.reason.text and refusal.word in game.pack.suits and refusal.word:
        assert foreign.names(game.pack)[refusal.word] in said
    if "{allowed_cards}" in refusal.reason.text:
        assert " ".join(refusal.allowed_cards) in said


@pytest.mark.parametrize("rule_set", [*defaults(), *combined_variants()], ids=name)
def test_every_refusal_is_translated(rule_set: RuleSet) -> None:
    """Refusals in play are translated to Italian and German, with their arguments."""
    walk = known_walk(rule_set, "translations", deals=1, effort=2)
    met = {(refusal.code, refusal.word): refusal for refusal in refusals(walk, Random(name(rule_set)))}
    assert met
    for refusal in met.values():
        for foreign in FOREIGN:
            check(foreign, walk.game, refusal)


@pytest.mark.parametrize("game", list(CATALOGUE), ids=lambda game: game.key)
def test_every_reason_is_translated(game: AnyGame) -> None:
    """Every reason of a game has a translation, whether or not play has come to it."""
    cards = tuple(game.pack.cards[:2])
    for reason in game.reasons:
        word = "play" if reason == WRONG_PHASE else "9"
        refusal = Refusal(reason, game.reason_clauses[reason.code], cards, cards, word, 3)
        for foreign in FOREIGN:
            check(foreign, game, refusal)
