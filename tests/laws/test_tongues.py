"""Laws of languages: whatever the rules refuse, in whatever position, is said in every language."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from chitarrella.catalogue import Agreement
from chitarrella.game import AnyGame, judge
from chitarrella.tongues import LANGUAGES, Tongue, tongue
from chitarrella.words import CHANCE, WRONG_PHASE, Refusal
from tests.kit import CATALOGUE, Walk, defaults, known_walk, name, universe, variants

FOREIGN = [tongue(code) for code in LANGUAGES[1:]]


def refusals(walk: Walk, rng: Random) -> Iterator[Refusal]:
    """What is refused in some positions of a walk, of all that a seat could say and of what chance said elsewhere."""
    game, chances = walk.game, {step.move for step in walk.steps if step.actor == CHANCE}
    for at in walk.sample(rng):
        for seat in range(min(game.seats, 3)):
            for move in universe(game, rng, most=15):
                yield from judge(game, walk.positions[at], seat, move)
        for move in chances:
            yield from judge(game, walk.positions[at], CHANCE, move)


def check(foreign: Tongue, game: AnyGame, refusal: Refusal) -> None:
    """A refusal is a sentence without gaps, not the English one; a phase has a name in it, and so has a suit."""
    said = foreign.because(refusal, game.pack)
    assert not {"{", "}"} & set(said), said
    assert said != refusal.because
    assert said[0] == said[0].upper()
    if refusal.reason == WRONG_PHASE:
        assert foreign.phase(refusal.word) != refusal.word
        assert foreign.phase(refusal.word) in said
    elif "{word}" in refusal.reason.says and refusal.word in game.pack.suits and refusal.word:
        assert foreign.names(game.pack)[refusal.word] in said
    if "{instead}" in refusal.reason.says:
        assert " ".join(refusal.instead) in said


@pytest.mark.parametrize("agreement", [*defaults(), *variants()], ids=name)
def test_every_refusal_is_said_in_every_language(agreement: Agreement) -> None:
    """What a table refuses is said with its particulars in Italian and German."""
    walk = known_walk(agreement, "tongues", deals=1, effort=2)
    met = {(refusal.code, refusal.word): refusal for refusal in refusals(walk, Random(name(agreement)))}
    assert met
    for refusal in met.values():
        for foreign in FOREIGN:
            check(foreign, walk.game, refusal)


@pytest.mark.parametrize("game", list(CATALOGUE), ids=lambda game: game.key)
def test_every_reason_is_said_in_every_language(game: AnyGame) -> None:
    """Also what no table has come to yet is said, for every reason that the game knows."""
    cards = tuple(game.pack.cards[:2])
    for reason in game.reasons:
        word = "play" if reason == WRONG_PHASE else "9"
        refusal = Refusal(reason, game.grounds[reason.code], cards, cards, word, 3)
        for foreign in FOREIGN:
            check(foreign, game, refusal)
