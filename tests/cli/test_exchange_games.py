"""Exchange games at the terminal: a whole match, moves with shares, and the greedy bot."""

from pathlib import Path
from random import Random

import pytest

from chitarrella.bots import InformationState, play_greedily, play_randomly
from chitarrella.bots.search import chance_move
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import CUCCO
from chitarrella.core.game import play
from chitarrella.core.model import CHANCE, Event, public_event
from chitarrella.i18n.narration import narrate
from tests.cli.run_command import ALWAYS_FIRST, CATALOGUE, invoke, over, recorded

LOST = ("-p", "4", "-o", "tokens=1", "--seed", "1")
"""Seat 0 keeps its first card, loses its only token and is asked whether it pays for another one."""


@pytest.mark.parametrize("key", ["cucu", "lu-stu"])
def test_game_of_eight_with_bots(key: str, tmp_path: Path) -> None:
    """A person plays a match against seven bots, and reads of cards, tokens, the pool, and who is out and wins."""
    file = tmp_path / "match.txt"
    result = invoke("play", key, "--players", "8", "--seed", "5", "--record", str(file), stdin=ALWAYS_FIRST)
    assert 0 == result.exit_code
    assert over(recorded(file))
    said = result.output
    for sentence in (
        "you have seat 0, and bots (greedy) have seats 1, 2, 3, 4, 5, 6, 7.", "You are dealt ",
        "Seat 3 keeps the card.", " wants to exchange.", " exchange cards.", "You turn up ",
        " loses a token for the lowest card.", "You buy back in; paid into the pool: you ",
        " is out of the game.", "The pool pays out: ", " wins the match.", "pool 800", "won and lost",
    ):  # fmt: skip
        assert sentence in said, sentence
    assert not {"None", "{", "(('"} & set(said.split(" "))


@pytest.mark.parametrize("key", ["cucu", "lu-stu"])
def test_a_syndicate_is_typed(key: str) -> None:
    """Shares are typed as PERSON:AMOUNT, as the help says; a wrong sum is refused with its clause."""
    typed = ["1", "?", "reenter 0:40 zia%20Anna:61", "reenter 0:40 :60", "reenter 0:40 zia%20Anna:60", "quit"]
    said = invoke("play", key, *LOST, stdin="\n".join(typed)).output
    assert "1: reenter   Pay the price and come back; the shares say who pays how much" in said
    assert "price of a re-entry 100" in said
    assert "reenter 0:40 Anna%20Maria:60  name who has how much: PERSON:AMOUNT" in said
    assert "reenter 0:40 zia%20Anna:61 is refused." in said
    assert "Whole amounts from 1 must add up to 100" in " ".join(said.split())
    assert "Not understood: a person has a name of 1 to 80 characters" in said
    assert "You buy back in; paid into the pool: you 40, zia Anna 60." in said


def test_a_hand_that_no_move_names() -> None:
    """A card that no move names is shown in words."""
    said = invoke("play", "cucu", "--seed", "5", stdin="hand\nhint\nNUL\nquit\n").output
    assert "You hold NUL, the zero." in said
    assert "  2: draw\n" in said
    assert "Not understood: no move takes 1 cards." in said


def test_the_table_names_what_belongs_to_whom() -> None:
    """Money is in the row of its seat; an agreement and people without a seat have lines of their own."""
    said = invoke("play", "cucu", *LOST, stdin="1\nreenter zia:100\n1\nquit\n").output
    _, _, after = said.partition("You buy back in")
    assert "  won and lost: zia -100\n" in after
    assert "  tokens paid by others of you: zia 100\n" in after
    said = invoke("play", "cucu", "--players", "2", "--seed", "1", stdin="1\n" * 200).output
    assert "agreed division of the pool: " in said


@pytest.mark.parametrize(
    ("event", "says", "says_to_seat_1"),
    [
        (public_event("horse_jumped", 1, other=2), "The horse is jumped: seat 1 tries the seat beyond seat 2.",
         "The horse is jumped: you try the seat beyond seat 2."),
        (public_event("offered", 1, amount=5, other=2, shares=(("2", 7),)),
         "Seat 1 offers seat 2 for the inn: 5 in money and 7 percent of the prize.",
         "You offer seat 2 for the inn: 5 in money and 7 percent of the prize."),
        (public_event("next_game_seated", shares=(("1", 0), ("zia\nAnna", 1))),
         "In the next game sit, from seat 0 on: seat 1, zia Anna.",
         "In the next game sit, from seat 0 on: you, zia Anna."),
    ],
)  # fmt: skip
def test_what_is_said(event: Event, says: str, says_to_seat_1: str) -> None:
    """A jump, an offer and the next game are sentences, in the second and the third person."""
    assert says == narrate(event, CUCCO)
    assert says_to_seat_1 == narrate(event, CUCCO, 1)


@pytest.mark.parametrize("key", ["cucu", "lu-stu"])
def test_heuristic_beats_random(key: str) -> None:
    """The greedy bot, which keeps high cards and exchanges low ones, wins far more matches than four random ones."""
    game = CATALOGUE.game_for(RuleSet(key, 5, (("reentry", "false"), ("end_game_agreement", "false"))))
    rng, won = Random(3), 0
    for number in range(60):
        seat = number % 5
        p = game.start()
        while (turn := game.turn(p)) is not None:
            if turn == CHANCE:
                p, _ = play(game, p, CHANCE, chance_move(game, p, rng))
                continue
            bot = play_greedily if turn == seat else play_randomly
            p, _ = play(game, p, turn, bot(InformationState(game, p, turn), rng))
        won += game.outcome(p) == frozenset({seat})
    assert won > 24


def test_a_game_for_many_is_explained() -> None:
    """Many numbers of players are shown as a span, and cards in their order."""
    assert " 2 to 20 " in invoke("games").output
    said = invoke("explain", "cucu").output
    assert "XV" in said.partition("strongest first:")[2].partition("LEO")[0]
