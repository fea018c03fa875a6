"""Questions about positions and cards, through the client with both faces, on a real service."""

import re
from dataclasses import astuple, replace
from datetime import timedelta
from random import Random

import pytest

import chitarrella_client
from chitarrella_client import BotSeat, Chitarrella, Move, PartialPosition, PartialTrick, RuleSet, Verdict, ask, errors
from chitarrella_client.catalogue import Family, OptionType, ScoreDirection
from tests.client.conftest import Opens, play_out


def test_what_is_left_out_is_unknown(client: Chitarrella) -> None:
    """Of a trick or a hand what is not given is unknown, and named where it matters; nothing is not the same."""
    rules = client.rules
    unknown = rules.resolve_trick("briscola", "Rs 2d")
    assert (None, "", 4) == (unknown.winning_index, unknown.winning_card, unknown.scores[0].value)
    assert ("trump",) == unknown.depends_on
    assert 0 == rules.resolve_trick("briscola", "Rs 2d", trump="").winning_index
    assert ("trump_card",) == rules.resolve_trick("cuccu-a-trionfo", "IV MAT").depends_on
    assert "MAT" == rules.resolve_trick("cuccu-a-trionfo", "IV MAT", trump_card="MAT").winning_card
    lead = rules.explain_hand(PartialPosition("cuccu-a-trionfo", hands={0: "MAT IV"}, trick="", trump_card="MAT"))
    assert [("IV", ""), ("MAT", "numbers"), ("MAT", "pictures")] == [
        (explained.move.cards[0], explained.move.choice) for explained in lead if explained.legal
    ]
    for stock_size, codes in ((3, [[], []]), (0, [["must_follow_suit"], []])):
        cards = rules.explain_hand(PartialPosition("elfern", hands={0: "7c 9d"}, trick="8d", stock_size=stock_size))
        assert codes == [[refusal.code for refusal in explained.refusals] for explained in cards]
    with pytest.raises(TypeError, match="no argument 'trumps'; did you mean trump"):
        rules.score_cards("elfern", "7c 9d", trumps="d")  # type: ignore[call-arg]  # misspelt on purpose
    known = PartialPosition("bisca-brazil", hands={0: "2h Kh 2c"}, trick="Qh", trump="h", stock_size=0)
    assert [False, True, False] == [move.legal for move in rules.explain_hand(known)]
    assert Verdict.ACCEPTED is rules.validate_move(known, "play_card", cards="Kh").verdict
    trick = PartialTrick("Qh", leader=1)
    unknown_trump = PartialPosition(RuleSet("bisca-brazil", 2), hands={0: "2h Kh 2c"}, trick=trick, stock_size=0)
    undecided = rules.validate_move(unknown_trump, "play_card 2c")
    assert (Verdict.UNDECIDED, ("trump",), [True]) == (
        undecided.verdict, undecided.depends_on, [refusal.undecided for refusal in undecided.refusals],
    )  # fmt: skip
    assert ((), ("trump",)) == astuple(rules.score_cards("harjan", "Jh Ac"))


def test_many_questions(client: Chitarrella) -> None:
    """Many questions are answered in one call like one by one, each with its own answer or its own error."""
    start = client.rules.start_game("briscola")
    assert start.chance_request is not None
    deal = Move("start_deal", start.chance_request.cards)
    position = client.rules.apply_moves(start.position, [(None, deal)]).position
    questions = [
        ask.legal_moves(position), ask.explain_hand(position, 0), ask.validate_move(position, "play_card Ab", by=1),
        ask.apply_moves(position, [(1, "play_card Ab")]), ask.get_view(position, 0),
        ask.resolve_trick("briscola", "5c 3s", "s"), ask.score_cards("briscola", "Ab 3c"),
    ]  # fmt: skip
    assert client.rules.get_view(position).zones != client.rules.get_view(position, referee=True).zones
    alone = [client.rules.ask(question) for question in questions]
    assert alone == client.rules.batch(questions)
    beginning = ask.start_game("briscola")
    dealt = ask.apply_moves(beginning, [(None, Move("start_deal", start.chance_request.cards))])
    first, second, third = client.rules.batch([beginning, dealt, ask.validate_move(dealt, "play_card Ab", by=1)])
    assert start == first
    assert isinstance(third, chitarrella_client.MoveValidation)
    assert third.verdict is Verdict.ACCEPTED
    assert isinstance(second, chitarrella_client.AppliedMoves)
    assert position == second.position
    (error,) = client.rules.batch([ask.score_cards("nix", "Ab")])
    assert isinstance(error, errors.UnknownGame)
    assert ("unknown_game", "rule_set.game_id") == (error.code, error.field)


def test_rule_set_by_names_or_as_a_value(client: Chitarrella) -> None:
    """A rule set can be given by names or as one value, but not as both."""
    by_name = client.rules.start_game("briscola", players=3, options={"show_final_hand": False, "rubber_games": 5})
    rule_set = by_name.position.rule_set
    assert (3, {"show_final_hand": "false", "rubber_games": "5"}) == (rule_set.players, rule_set.options)
    assert by_name == client.rules.start_game(rule_set)
    with pytest.raises(TypeError, match="a rule set takes no other arguments"):
        client.rules.start_game(rule_set, players=3)


def test_in_another_language(opens: Opens) -> None:
    """A client whose language is Italian gets explanations in Italian; codes and cards are the same."""
    with opens(language="it-CH, en;q=0.5") as client:
        hand = client.rules.explain_hand(PartialPosition("coech", hands={0: "VI XIV"}, trick="III"))
        refused = [card.refusals[0] for card in hand if card.refusals]
    assert ["must_follow_suit"] == [refusal.code for refusal in refused]
    assert "rispondere" in refused[0].message
    assert "/docs/rules/coech#CO-17" == refused[0].page_path


def moves_of(record: str) -> list[str]:
    """The moves of a record without comments, which have times."""
    return re.findall(r"^(?:\d|table)[^|\n]*", record, re.MULTILINE)


def test_record_is_imported_from_any_point(client: Chitarrella) -> None:
    """A record can be taken up from any point; what follows is a new match, with keys, bots and a clock of its own."""
    match = client.create_match("coech", players=2, options={"first_dealer": 0})
    play_out(match, Random(3))
    record = match.record()
    moves = moves_of(record)
    for count in (0, 1, 7, len(moves)):
        fork = client.import_match(record, count, pack_source="referee")
        assert moves[:count] == moves_of(fork.record())
    bot = BotSeat(1, "greedy", delay=timedelta(seconds=9))
    fork = client.import_match(record, 7, clock=(60, 5), bots=[bot])
    seats = fork.get().seats
    assert [timedelta(seconds=5)] * 2 + [None] * 2 == [seat.bank for seat in seats]
    assert [None, bot, None, None] == [seat.bot for seat in seats]
    assert replace(bot, seat=0) == fork.as_seat(0).assign_bot("greedy", delay=9).seats[0].bot
    with pytest.raises(errors.BadKey):
        client.match(fork.id, match.keys[0]).get()
    assert match.record() == record


def test_a_game_is_described_for_a_rule_set(client: Chitarrella) -> None:
    """A game has the options of the players that are named, typed; its line has enums, and its events have fields."""
    game = client.game("briscola", players=4, options={"signals": "off", "rubber_games": 5})
    assert (Family.TRICKS, ScoreDirection.HIGHER_WINS) == (game.summary.family, game.summary.score_direction)
    types = {option.name: option.type for option in game.options}
    assert (OptionType.BOOL, OptionType.INTEGER) == (types["show_final_hand"], types["rubber_games"])
    assert "removed_two" not in types
    assert ("seat", "cards") == next(one.fields for one in game.events if one.kind == "card_played")
