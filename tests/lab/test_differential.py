"""A few hundreds of the random deals whose digests are kept."""

import pytest

from chitarrella.core.game import AnyGame, legal_moves
from chitarrella.core.model import Move
from lab.differential import transcript
from lab.differential.digests import DIGITS, HUNDREDS, plan, read
from lab.differential.run import differences

KNOWN = read()
GAMES = "brisca", "harjan", "lu-stu"
SAMPLE = [next(at for at, one in enumerate(KNOWN) if one.rule_set.startswith(game)) for game in GAMES]


@pytest.mark.parametrize("number", SAMPLE, ids=lambda at: KNOWN[at].rule_set)
def test_a_hundred_deals_are_as_they_were(number: int) -> None:
    """The first hundred deals of a thousand have the digest that another engine wrote."""
    assert [] == list(differences(number, KNOWN[number], KNOWN[number].played(1)))


def test_the_file_follows_the_plan() -> None:
    """The file has the million planned deals, in the present edition of their rules, with all digests."""
    assert plan(1000) == [thousand.plan for thousand in KNOWN]
    assert {HUNDREDS * DIGITS} == {len(thousand.digests) for thousand in KNOWN}


def test_one_move_more_in_a_list_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of legal moves in another order changes the digest, and the report names its hundred."""

    def reversed_moves(game: AnyGame, p: object, actor: int) -> tuple[Move, ...]:
        return legal_moves(game, p, actor)[::-1]

    number = SAMPLE[0]
    monkeypatch.setattr(transcript, "legal_moves", reversed_moves)
    (said,) = differences(number, KNOWN[number], KNOWN[number].played(1))
    assert f"--transcript {number}.0 prints deals" in said
