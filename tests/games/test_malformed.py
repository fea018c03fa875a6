"""Words that are no move: each is named by its argument, with the same sentence for everybody."""

from typing import Any, NamedTuple

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import UnknownCard
from chitarrella.core.model import Event
from chitarrella.core.notation import MAX_MOVE_LENGTH, InvalidPosition, MalformedMove, make_move, parse_move
from chitarrella.core.options import InvalidOption, Option, number_option
from chitarrella.tricks.auction import Bid, Bidding
from chitarrella.tricks.dealing import StartDeal
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Signal, TurnUpExchange
from chitarrella_testing.perft import end_of
from tests.walks import CATALOGUE, Walk, name, walk

BRISCOLA, BISCA, CUCU = RuleSet("briscola", 4), RuleSet("bisca-brazil", 3), RuleSet("cucu", 4)


class Wrong(NamedTuple):
    """Arguments that make no move, the one at fault, and what is said of it."""

    rule_set: RuleSet
    verb: str
    field: str
    message: str
    arguments: dict[str, Any]


WRONG = [
    Wrong(BRISCOLA, "PlayCard", "verb", "'PlayCard' is no move of briscola; did you mean play_card?", {}),
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
    *(
        Wrong(CUCU, "reenter", "shares", "a person has a name of 1 to 80 characters", {"shares": ((name, 1),)})
        for name in ("", "a" * 81, "\ud800")
    ),
    Wrong(
        CUCU, "reenter", "shares", "9007199254740993 is not among -9007199254740992 to 9007199254740992",
        {"shares": (("a", 2**53 + 1),)},
    ),
]  # fmt: skip


def test_a_name_may_have_its_greatest_length() -> None:
    """A person may have a name of 80 characters."""
    longest = make_move(CATALOGUE.game_for(CUCU), "reenter", shares=((80 * "a", 1),))
    assert ((80 * "a", 1),) == longest.shares


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: f"{wrong.verb[:9]}-{wrong.message[:24]}")
def test_what_is_said_of_arguments_that_make_no_move(wrong: Wrong) -> None:
    """The argument at fault is named, and what it should be."""
    game = CATALOGUE.game_for(wrong.rule_set)
    with pytest.raises(MalformedMove) as caught:
        make_move(game, wrong.verb, **wrong.arguments)
    message = wrong.message.format(moves=", ".join(game.move_specs))
    found = caught.value
    assert (wrong.field, message, f"{wrong.field}: {message}") == (found.field, found.message, str(found))


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
        *((CUCU, f"reenter zia:{word}", "shares", f"'{word}' is no whole number") for word in ("x", "", "1.5")),
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
    option: Option[int] = number_option("size", "How many.", "ruling", 1, 0)
    assert 10**12 - 1 == option.meaning("9" * 12)
    with pytest.raises(InvalidOption, match="'9999999999999' is not allowed; allowed: a number from 0"):
        option.meaning("9" * 13)


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
        ([("deal_won", 0)], "won"), ([("deal_won", 1), ("deal_won", 0)], "won"), ([("deal_won", 1)], "lost"),
        ([("deal_drawn", None)], "drawn"), ([("trick_taken", 0)], ""), ([], ""),
    ],
)  # fmt: skip
def test_a_deal_ends_for_the_first_seat(kinds: list[tuple[str, int | None]], end: str) -> None:
    """A deal is won where seat 0 is among its winners, lost where others are alone; not every game names winners."""
    assert end == end_of([Event(kind, seat) for kind, seat in kinds])


# ---------------------------------------------------------------------- invalid histories


IMMEDIATE = (("target_check", "immediate"), ("target", "30"))


def fault(game: Any, p: Any) -> str:
    """The field for which a position is refused; empty where it is read."""
    try:
        assert p == game.decode(game.encode(p))
    except InvalidPosition as refused:
        return refused.field
    return ""


def begun(rule_set: RuleSet, tricks: int = 3) -> tuple[Any, Any]:
    """A game, and its table when some tricks have been taken."""
    walked = walk(rule_set, "history", deals=1)
    return walked.game, next(p for p in walked.positions if p.hands and len(p.tricks) == tricks and not p.trick)


@pytest.mark.clause("ALL-4", "BR-5.4", "BR-5.6")
def test_signals_between_partners() -> None:
    """A sign of a rank without one, or given twice, or not agreed, and hands shown early or twice cannot have been."""
    agreed = RuleSet("briscola", 4, (("signals", "free"),))
    game, p = begun(agreed)
    ace = Signal(0, "A")
    assert "" == fault(game, p._replace(signals=(ace,)))
    for signals in ((ace, ace), (Signal(0, "7"),)):
        assert "signals" == fault(game, p._replace(signals=signals))
    late = RuleSet("briscola", 4, (("signals", "after_first_trick"),))
    none = (RuleSet("briscola", 4, (("signals", "off"),)), RuleSet("briscola", 2), RuleSet("elfern"))
    for other, tricks in ((late, 0), *((one, 3) for one in none)):
        game_, q = begun(other, tricks)
        assert "signals" == fault(game_, q._replace(signals=(ace,)))
    for shown in ((1,), (1, 1)):
        assert "shown" == fault(game, p._replace(shown=shown))
    late = next(p for p in walk(agreed, "history", deals=1).positions if p.tricks and not p.stock and not p.trick)
    assert "" == fault(game, late._replace(shown=(1,)))


@pytest.mark.clause("ALL-4", "BQ-5.4", "MA-5.2")
def test_exchanges_that_nobody_made() -> None:
    """After an exchange what was laid down is the turn-up, a trump was taken; where none is agreed there is none."""
    game, p = begun(RuleSet("brusquembille", 2, (("seven_exchange", "true"),)))
    high = next(card for card in game.pack.cards if card.suit == p.trump and card.rank in "AK" and card != p.turn_up)
    plain = next(card for card in game.pack.cards if card.suit != p.trump)
    seven = game.pack.card(f"7{p.trump}")
    lies = game.decode(game.encode(p)).stock[:-1]
    assert "exchanged" == fault(game, p._replace(exchanged=(TurnUpExchange(0, high),))) or p.turn_up == seven
    assert "exchanged" == fault(
        CATALOGUE.game_for(RuleSet("brusquembille")), p._replace(exchanged=(TurnUpExchange(0, high),))
    )
    held = (*p.hands[0], *p.hands[1], *lies)
    if seven in held:
        swapped = [tuple(p.turn_up if card == seven else card for card in hand) for hand in p.hands]
        stock = (*(p.turn_up if card == seven else card for card in lies), seven)
        q = p._replace(hands=tuple(swapped), stock=stock, turn_up=seven)
        assert "exchanged" == fault(game, q._replace(exchanged=(TurnUpExchange(0, plain),)))
        assert "" == fault(game, q._replace(exchanged=(TurnUpExchange(0, p.turn_up),)))


ENDING = [RuleSet(key, 2, (("match_games", "0"), *IMMEDIATE)) for key in ("hundredogen", "harjan")]
ENDING += [RuleSet("bisca-guyana", 4, (("sudden_death", "true"),))]


def broken_off(rule_set: RuleSet) -> tuple[Walk, int]:
    """A deal that a trick has ended while cards are held, and the step with which it did."""
    for number in range(500):
        walked = walk(rule_set, f"ends {number}", deals=1)
        if any(walked.positions[-1].hands):
            return walked, len(walked.positions) - 1
    raise AssertionError(rule_set)


@pytest.mark.clause("BG-5.5", "HA-7.3", "HU-7.2")
@pytest.mark.parametrize("rule_set", ENDING, ids=name)
def test_a_deal_ends_with_the_trick_that_ends_it(rule_set: RuleSet) -> None:
    """It does not go on, though cards are held; and without such a trick no deal is over while they are."""
    walked, last = broken_off(rule_set)
    game: Any = walked.game
    before, over = walked.positions[last - 1], walked.positions[last]
    phase = game.phases[0].name if rule_set.game == "harjan" else "play"
    going_on = before._replace(
        phase=phase, hands=over.hands, tricks=over.tricks, trick=(), leader=over.tricks[-1].winner
    )
    assert "tricks" == fault(game, going_on)
    without = (("sudden_death", "false") if rule_set.game == "bisca-guyana" else ("match_games", "0"),)
    usual: Any = CATALOGUE.game_for(rule_set._replace(options=without))
    assert fault(usual, over._replace(phase="await_deal")) in ("hands", "totals")


@pytest.mark.clause("BR-7.4", "ALL-7")
def test_a_rubber_is_over_when_it_is_won() -> None:
    """Every deal was won or drawn; who has won the rubber does not play on, and two cannot have won it."""
    game, p = begun(RuleSet("briscola", 2))
    start = game.start()
    for wins, draws, deal, phase, field in (
        ((2, 0), 0, 2, "await_deal", ""), ((2, 0), 0, 3, "await_deal", "wins"), ((3, 0), 0, 3, "await_deal", "phase"),
        ((2, 0), 1, 3, "rubber_over", "phase"), ((3, 3), 0, 6, "rubber_over", "wins"),
    ):  # fmt: skip
        match_state = start.match_state._replace(wins=wins, draws=draws, deal=deal)
        assert field == fault(game, start._replace(phase=phase, match_state=match_state))
    assert "deal" == fault(game, p._replace(match_state=p.match_state._replace(deal=0)))


@pytest.mark.clause("BC-7.7")
def test_a_game_of_contracts_is_over_when_somebody_leads() -> None:
    """Who leads with the target has won; nobody has more than so many deals can have brought."""
    game: Any = CATALOGUE.game_for(RuleSet("briscola-chiamata", 5))
    start = game.start()
    for totals, deal, phase, field in (
        ((4, -1, -1, -1, -1), 1, "await_deal", ""),
        ((4, -1, -1, -1, -1), 1, "game_over", "phase"),
        ((12, -3, -3, -3, -3), 3, "await_deal", "phase"),
        ((9, -1, -1, -1, -1), 1, "await_deal", "totals"),
        ((4, -1, -1, -1, 0), 2, "await_deal", "totals"),
    ):
        p = start._replace(phase=phase, match_state=start.match_state._replace(totals=totals, deal=deal))
        assert field == fault(game, p), totals


@pytest.mark.clause("BC-5.4")
@pytest.mark.parametrize(
    ("talk", "field"), [([(0, 66)], "talk"), ([(0, "A"), (1, 66)], "talk"), ([(0, "2"), (1, 66)], "")]
)
def test_points_are_bid_over_the_two_alone(talk: list[tuple[Any, Any]], field: str) -> None:
    """By Variant A too nobody has bid points before the Two was bid."""
    rule_set = RuleSet("briscola-chiamata", 5, (("variant_a", "true"), ("first_dealer", "4")))
    walked = walk(rule_set, "talk", deals=1)
    game: Any = walked.game
    p = walked.positions[1]
    p = p._replace(own=p.own._replace(talk=Bidding(tuple(Bid(*bid) for bid in talk))))
    assert field == fault(game, p)


@pytest.mark.clause("MA-5.5", "MA-7.2")
def test_games_of_madrasso_that_cannot_stand_so() -> None:
    """A deal is worth 130, the game ends when it is decided, and there is nothing to claim before its last trick."""
    rule_set = RuleSet("madrasso", 4, (("claim_from_deal", "1"),))
    walks = [walk(rule_set, f"history {number}", deals=1) for number in range(30)]
    game: Any = walks[0].game
    p = next(p for p in walks[0].positions if p.tricks and not p.trick)
    assert "phase" == fault(game, p._replace(phase="after_last_trick"))
    last = next(p for walked in walks for p in walked.positions if p.phase == "after_last_trick")
    assert "phase" == fault(CATALOGUE.game_for(RuleSet("madrasso", 4)), last)
    start = game.start()
    for deal, totals, field in ((1, (130, 0), ""), (1, (100, 0), "totals"), (12, (800, 760), "totals")):
        assert field == fault(game, start._replace(match_state=start.match_state._replace(deal=deal, totals=totals)))
    usual: Any = CATALOGUE.game_for(RuleSet("madrasso", 4))
    won = usual.start()._replace(phase="game_over", leader=0, own=usual.own(None, 0))
    won = won._replace(match_state=won.match_state._replace(deal=3, totals=(200, 190)))
    assert "champion" == fault(usual, won)


def test_no_trumps_where_there_are_none() -> None:
    """Games in which a card is turned up, or trumps are named, have a trump suit; others have none."""
    for rule_set in [RuleSet(game.key) for game in CATALOGUE]:
        if isinstance(game := CATALOGUE.game_for(rule_set), Rules):
            played: Any = walk(rule_set, "trumps", deals=1).positions
            assert any(p.trump for p in played) == game.trick_rules.has_trumps, game.key


def test_the_reasons_of_every_table() -> None:
    """A code that only some agreement brings is among those of the game: `match_over` where deals were agreed upon."""
    assert "match_over" in {reason.code for reason in CATALOGUE.reasons("bohemian-schneider")}
    assert {"must_follow_suit", "must_trump"} <= {reason.code for reason in CATALOGUE.reasons("brisca")}
