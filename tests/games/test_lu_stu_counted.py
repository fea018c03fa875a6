"""Lu Stù for two, worked out a second time, in a few lines and apart from the rules: what deals can come to.

Every pack is counted with every way to play it. There are only four cards that can matter: those of the two, what the
first takes at the dealer's horse, and what the dealer draws. So all counts are out of the orders of four cards.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from chitarrella.perft.all_deals import over_every_pack
from tests.games.support.exchange_layouts import seat

pytestmark = pytest.mark.unmeasured

RANKING = ("MAT", "LEO", "MAS", "SEC", "NUL", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
FACES = (*RANKING, "XI", "XII", "XIII", "XIV", "XV")
ROUNDS = 3
BARGAINS = sum(2**offers for offers in range(1, ROUNDS + 1))
"""Ways to strike a bargain where each offer is one of two, and all before it were refused."""
REFUSALS = sum(2**offers for offers in range(ROUNDS)) + 2**ROUNDS
"""Ways to strike none: nothing offered after so many refusals, or the last offer refused."""


def losses(first: str, dealer: str, host: bool) -> tuple[int, int]:
    """What the comparison adds to the tokens of the first player and of the dealer, who may answer for a nulla."""
    fools = (first == "MAT") + (dealer == "MAT")
    if fools == 2:
        return 0, 1
    if fools == 1:
        return (0, -2) if host and first == "NUL" else (-1, -1)
    if FACES.index(first) <= FACES.index(dealer):
        return (0, -1) if host and first == "NUL" else (-1, 0)
    return 0, -1


def ways(cards: tuple[str, ...]) -> Counter[tuple[int, int]]:
    """All ways to play a pack that begins so: what first player and dealer win and lose, and in how many ways."""
    a, b, c, d = cards
    found: Counter[tuple[int, int]] = Counter()

    def compared(first: str, dealer: str, drawn: str, *, times: int = 1, lost: int = 0, host: bool = False) -> None:
        for last in (dealer, drawn):  # the dealer keeps, or draws
            mine, his = losses(first, last, host)
            found[mine - lost, his] += times

    compared(a, b, c)  # the first keeps; from here on he exchanges
    if b in ("XII", "XIV"):
        compared(a, b, c, lost=1)
    elif b == "XIII":
        compared(c, b, d)
    elif b == "XV":
        compared(a, b, c)
    elif b == "XI":
        compared(b, a, c, times=BARGAINS)
        compared(a, b, c, times=REFUSALS, host=True)
    else:
        compared(b, a, c)
    return found


def orders(cards: tuple[str, ...], copies: dict[str, int]) -> int:
    """In how many ways a pack with so many copies of each face can begin with these cards."""
    left, found = dict(copies), 1
    for card in cards:
        found *= left[card]
        left[card] -= 1
    return found


@pytest.mark.clause("LS-71", "LS-72", "LS-74", "LS-75", "LS-78", "LS-46", "LS-48", "LS-51", "LS-53")
@pytest.mark.parametrize("fools", [2, 1])
def test_every_deal_for_two(fools: int) -> None:
    """Over all packs and all ways to play, the tokens after a deal for two are those worked out here."""
    game = seat("lu-stu", 2, end_game_agreement=False, single_matto_from=0 if fools == 2 else 2)
    copies = {face: fools if face == "MAT" else 2 for face in FACES}
    expected: Counter[tuple[int, ...]] = Counter()
    for cards in product(FACES, repeat=4):
        if number := orders(cards, copies):
            for (first, dealer), times in ways(cards).items():
                expected[3 + dealer, 3 + first] += times * number
    counted = over_every_pack(game, game.start())
    assert (4, sum(expected.values())) == (counted.cards, counted.report.leaves)
    assert expected == dict(counted.report.results)
