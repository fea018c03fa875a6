"""Words that are no move: each is named by its argument, with the same sentence for everybody."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import UnknownCard
from chitarrella.core.model import Event
from chitarrella.core.notation import MAX_MOVE_LENGTH, InvalidPosition, MalformedMove, make_move, parse_move
from chitarrella.core.options import InvalidOption, Option, number_option
from chitarrella.perft.count import end_of
from chitarrella.tricks.dealing import StartDeal
from tests.walks import CATALOGUE

BRISCOLA, BISCA, CUCU = RuleSet("briscola", 4), RuleSet("bisca-brazil", 3), RuleSet("cucu", 4)


class Wrong(NamedTuple):
    """Arguments that make no move, the one at fault, and what is said of it."""

    rule_set: RuleSet
    verb: str
    field: str
    message: str
    arguments: dict[str, Any]


WRONG = [
    Wrong(BRISCOLA, "sing", "verb", "'sing' is no move of briscola; moves: {moves}", {}),
    Wrong(BRISCOLA, "s" * 41, "verb", f"'{'s' * 40}' is no move of briscola; moves: {{moves}}", {}),
    Wrong(BRISCOLA, "play_card", "cards", "play_card takes one card, not 0", {}),
    Wrong(BRISCOLA, "play_card", "cards", "play_card takes one card, not 2", {"cards": ["4c", "5c"]}),
    Wrong(BRISCOLA, "start_deal", "cards", "start_deal takes 0 to 104 cards, not 105", {"cards": ["4c"] * 105}),
    Wrong(BRISCOLA, "show_hand_to_partner", "cards", "show_hand_to_partner takes 0 cards, not 1", {"cards": ["4c"]}),
    Wrong(BRISCOLA, "signal", "choice", "signal takes one of A, 3, R, C, F", {"choice": "7"}),
    Wrong(BRISCOLA, "play_card", "choice", "play_card takes no choice", {"cards": ["4c"], "choice": "A"}),
    Wrong(BRISCOLA, "play_card", "amount", "play_card takes no number", {"cards": ["4c"], "amount": 0}),
    Wrong(BISCA, "cut_stock", "amount", "cut_stock takes a number", {}),
    Wrong(BISCA, "cut_stock", "amount", "2147483648 is not among -2147483648 to 2147483647", {"amount": 2**31}),
    Wrong(BRISCOLA, "play_card", "seat", "play_card is not made for a seat 1", {"cards": ["4c"], "seat": 1}),
    Wrong(BRISCOLA, "play_card", "shares", "play_card takes no shares", {"cards": ["4c"], "shares": (("0", 1),)}),
    Wrong(CUCU, "reenter", "shares", "at most 64 persons are named, not 65", {"shares": (("a", 1),) * 65}),
    Wrong(CUCU, "reenter", "shares", "a person has a name of 1 to 80 characters", {"shares": (("", 1),)}),
    Wrong(
        CUCU, "reenter", "shares", "9007199254740993 is not among -9007199254740992 to 9007199254740992",
        {"shares": (("a", 2**53 + 1),)},
    ),
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: f"{wrong.verb[:9]}-{wrong.message[:24]}")
def test_what_is_said_of_arguments_that_make_no_move(wrong: Wrong) -> None:
    """The argument at fault is named, and what it should be."""
    game = CATALOGUE.game_for(wrong.rule_set)
    with pytest.raises(MalformedMove) as caught:
        make_move(game, wrong.verb, **wrong.arguments)
    message = wrong.message.format(moves=", ".join(game.move_specs))
    assert (wrong.field, message, f"{wrong.field}: {message}") == (
        caught.value.field,
        caught.value.message,
        str(caught.value),
    )


@pytest.mark.parametrize(
    ("rule_set", "line", "field", "message"),
    [
        (BRISCOLA, "", "verb", "'' is no move of briscola; moves: {moves}"),
        (BRISCOLA, "x" * (MAX_MOVE_LENGTH + 1), "move", f"a move has at most {MAX_MOVE_LENGTH} characters"),
        (BRISCOLA, "x" * MAX_MOVE_LENGTH, "verb", f"'{'x' * 40}' is no move of briscola; moves: {{moves}}"),
        (BRISCOLA, "show_hand_to_partner 4c", "move", "show_hand_to_partner does not take '4c'"),
        (BRISCOLA, f"show_hand_to_partner {'y' * 50}", "move", f"show_hand_to_partner does not take '{'y' * 40}'"),
        (BRISCOLA, "play_card 4c @x", "seat", "'x' is no whole number"),
        (BRISCOLA, "play_card 4c @1", "seat", "play_card is not made for a seat 1"),
        (BISCA, "cut_stock ten", "amount", "'ten' is no whole number"),
        (BISCA, f"cut_stock {'1' * 18}", "amount", f"'{'1' * 18}' is no whole number"),
        (BISCA, f"cut_stock {'z' * 30}", "amount", f"'{'z' * 24}' is no whole number"),
        (CUCU, "reenter %ff:1", "shares", "'%ff' is no name"),
        (CUCU, f"reenter {'%ff' * 20}:1", "shares", f"'{('%ff' * 20)[:40]}' is no name"),
        (CUCU, "reenter zia:x", "shares", "'x' is no whole number"),
    ],
)
def test_what_is_said_of_a_line_that_is_no_move(rule_set: RuleSet, line: str, field: str, message: str) -> None:
    """A line names what is wrong with it in the same words."""
    game = CATALOGUE.game_for(rule_set)
    with pytest.raises(MalformedMove) as caught:
        parse_move(game, line)
    assert (field, message.format(moves=", ".join(game.move_specs))) == (caught.value.field, caught.value.message)


def test_a_word_that_is_no_card_is_named() -> None:
    """A card of another pack is no move of this game."""
    with pytest.raises(UnknownCard, match="'Kh' is no card of the Italian pack"):
        parse_move(CATALOGUE.game_for(BRISCOLA), "play_card Kh")


@pytest.mark.parametrize(
    ("agreed", "message"),
    [
        ("coteccio 4 life_cap=2 lives=4", "options.life_cap: it cannot be below the 4 lives at the start"),
        ("hundredogen 2 jan_threshold=102", "options.jan_threshold: it cannot be above the target"),
        ("harjan 2 jan_threshold=122", "options.jan_threshold: it cannot be above the target"),
        (
            "bohemian-schneider 2 match_deals=5",
            "options.match_deals: 5 is odd; the seats deal in turn, so it must be even",
        ),
        ("bohemian-schneider 2 ace_by_seven=any_suit", "options.ace_by_seven: any_suit needs any_suit_captures"),
        ("cucu 4 first_dealer=4", "options.first_dealer: seats are numbered from 0 to 3"),
        (
            "lu-stu 4 seating=half_pack first_dealer=1",
            "options.first_dealer: where seats are drawn the highest card deals first, as seat 0",
        ),
        (
            "coech 2 first_dealer=2 skip_dummy_dealer=true",
            "options.first_dealer: seat 2 does not deal here; seats that do: 0, 1",
        ),
    ],
)
def test_choices_that_exclude_each_other_say_why(agreed: str, message: str) -> None:
    """The option at fault is named, and what stands against it."""
    key, players, *options = agreed.split()
    chosen = tuple(sorted((name, value) for name, _, value in (option.partition("=") for option in options)))
    with pytest.raises(InvalidOption) as caught:
        CATALOGUE.game_for(RuleSet(key, int(players), chosen))
    assert message == str(caught.value)


def test_a_number_of_an_option_has_a_length() -> None:
    """Where a number may be of any size, it has twelve figures at most."""
    option: Option[int] = number_option("size", "How many.", "ruling", lambda _, number: number, default=1, least=0)
    assert 10**12 - 1 == option.apply(0, "9" * 12)
    with pytest.raises(InvalidOption, match="'9999999999999' is not allowed; allowed: a number from 0"):
        option.apply(0, "9" * 13)


@pytest.mark.parametrize("digits", [17, 18])
def test_a_number_of_a_position_has_a_length(digits: int) -> None:
    """So many digits as no honest number has are no number; a shorter one may still be impossible."""
    with pytest.raises(InvalidPosition) as caught:
        CATALOGUE.game_for(BRISCOLA).decode(f"phase=await_deal wins=0,0 deal={'1' * digits}")
    assert ("is no whole number" in caught.value.message) == (digits > 17)
    assert "deal" == caught.value.field


def test_a_hand_is_as_large_as_the_largest_packets_make_it() -> None:
    """A packet is of one size for everybody, or of a size for each place."""
    assert 6 == StartDeal((3, 3)).size
    assert 7 == StartDeal((3, (2, 4, 1))).size


@pytest.mark.parametrize(
    ("kinds", "end"),
    [
        ([("deal_won", 0)], "won"),
        ([("deal_won", 1), ("deal_won", 0)], "won"),
        ([("deal_won", 1)], "lost"),
        ([("deal_drawn", None)], "drawn"),
        ([("trick_taken", 0)], ""),
        ([], ""),
    ],
)
def test_a_deal_ends_for_the_first_seat(kinds: list[tuple[str, int | None]], end: str) -> None:
    """A deal is won where seat 0 is among its winners, lost where others are alone; not every game names winners."""
    assert end == end_of([Event(kind, seat) for kind, seat in kinds])
