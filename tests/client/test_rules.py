"""Questions about positions and cards, through the client with both faces, on a real service."""

from __future__ import annotations

from random import Random

import pytest

from chitarrella_client import (
    AppliedMoves,
    ChanceRequest,
    Chitarrella,
    Move,
    MoveValidation,
    PartialPosition,
    PartialTrick,
    Position,
    RefusalCode,
    RuleSet,
    Score,
    ask,
    errors,
)
from tests.client.conftest import Opens
from tests.walks import CATALOGUE


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_first_deal_position_by_position(client: Chitarrella, game: str) -> None:
    """A deal of every game can be played position by position, without a match."""
    rng = Random(game)
    start = client.rules.start_game(game)
    position, request = start.position, start.chance_request
    for _ in range(40):
        if request is not None:
            position, request = supply(client, position, request, rng)
            continue
        moves = client.rules.legal_moves(position)
        if moves.seat is None:
            break
        move = str(rng.choice(moves.moves))
        assert client.rules.validate_move(position, move, by=moves.seat).accepted
        applied = client.rules.apply_moves(position, (moves.seat, move))
        assert (1, ()) == (applied.applied, applied.refusals)
        assert 0 < len(applied.events)
        assert applied.legal_moves == client.rules.legal_moves(applied.position).moves
        position, request = applied.position, applied.chance_request
    assert client.rules.get_view(position, referee=True).zones
    assert client.rules.get_view(position).zones != client.rules.get_view(position, referee=True).zones


def supply(
    client: Chitarrella, position: Position, request: ChanceRequest, rng: Random
) -> tuple[Position, ChanceRequest | None]:
    """Supply a random pack or lot."""
    cards = tuple(rng.sample(request.cards, len(request.cards)))
    amount = rng.choice(request.amounts) if request.amounts else None
    applied = client.rules.apply_moves(position, (None, Move(request.verb, cards, amount=amount)))
    return applied.position, applied.chance_request


def test_moves_stop_before_the_first_refusal(client: Chitarrella) -> None:
    """Moves are played one after the other, up to the first that is refused."""
    start = client.rules.start_game("briscola", players=2)
    assert start.chance_request is not None
    deal = (None, Move(start.chance_request.verb, start.chance_request.cards))
    applied = client.rules.apply_moves(start.position, deal, (1, "play_card Ab"), (0, "play_card Ac"))
    assert (2, [RefusalCode.NOT_IN_HAND]) == (applied.applied, [refusal.code for refusal in applied.refusals])
    assert ("Ab",) == applied.view.zone("trick").cards


def test_stateless_trick_questions(client: Chitarrella) -> None:
    """Which cards may be played, which card takes a trick, what cards count: no match is needed to ask."""
    playable = client.rules.playable_cards("coech", "NUL LEO VI VII", trick="IX", players=4)
    assert 4 == len(playable)
    assert {True, False} == {explained.legal for explained in playable}
    lead = client.rules.playable_cards("cuccu-a-trionfo", "IV NUL")
    assert [[], ["zero_card_lead"]] == [[refusal.code for refusal in explained.refusals] for explained in lead]
    trick = client.rules.resolve_trick("briscola", "5c 3s", trump="s")
    assert (1, "3s", (Score("card_points", 10),)) == (trick.winning_index, trick.winning_card, trick.scores)
    assert (Score("card_points", 21),) == client.rules.score_cards("briscola", ["Ab", "3c"])


def test_legal_moves_of_one_hand(client: Chitarrella) -> None:
    """A hand, a trick and a trump are enough to ask; an answer that an unknown part would change names the part."""
    known = PartialPosition("bisca-brazil", hands={0: "2h Kh 2c"}, trick="Qh", trump="h", stock_size=0)
    found = client.rules.legal_moves(known)
    assert (["play_card Kh"], 0, ()) == (list(map(str, found)), found.seat, found.depends_on)
    explained = client.rules.explain_hand(known)
    assert [False, True, False] == [move.legal for move in explained]
    assert not client.rules.validate_move(known, "play_card 2c").accepted
    assert client.rules.validate_move(known, "play_card", cards="Kh").accepted
    two = RuleSet("bisca-brazil", 2)
    unknown = PartialPosition(two, hands={0: "2h Kh 2c"}, trick=PartialTrick("Qh", leader=1), stock_size=0)
    found = client.rules.legal_moves(unknown, seat=0)
    assert (["play_card Kh"], ["play_card 2h", "play_card 2c"]) == (
        list(map(str, found)),
        [str(explained.move) for explained in found.undecided],
    )
    assert ("trump",) == found.undecided[1].depends_on == client.rules.validate_move(unknown, "play_card 2c").depends_on
    assert ("trick",) == client.rules.explain_hand(PartialPosition("briscola", hands={0: "Ab"})).depends_on


def test_trump_of_a_trick(client: Chitarrella) -> None:
    """A trump that is not given is unknown, and named where it matters; it may be a single card."""
    unknown = client.rules.resolve_trick("briscola", "Rs 2d")
    assert (None, "", (), ("trump",)) == (
        unknown.winning_index,
        unknown.winning_card,
        unknown.scores,
        unknown.depends_on,
    )
    assert 0 == client.rules.resolve_trick("briscola", "Rs 2d", trump="").winning_index
    assert "MAT" == client.rules.resolve_trick("cuccu-a-trionfo", "IV MAT", trump_card="MAT").winning_card
    assert ("trump_card",) == client.rules.resolve_trick("cuccu-a-trionfo", "IV MAT").depends_on
    lead = client.rules.playable_cards("cuccu-a-trionfo", "MAT IV", trump_card="MAT")
    assert {("MAT", "numbers"), ("MAT", "pictures"), ("IV", "")} == {
        (explained.move.cards[0], explained.move.choice) for explained in lead if explained.legal
    }


def test_stock_left(client: Chitarrella) -> None:
    """In Elfern a suit must be followed only when no cards are left to draw."""
    for stock_left, codes in ((True, [[], []]), (False, [["must_follow_suit"], []])):
        cards = client.rules.playable_cards("elfern", "7c 9d", trick="8d", stock_left=stock_left)
        assert codes == [[refusal.code for refusal in explained.refusals] for explained in cards]
    with pytest.raises(TypeError, match="unknown argument 'stock'"):
        client.rules.playable_cards("elfern", "7c 9d", stock=True)  # type: ignore[call-arg]  # misspelt on purpose


def test_many_questions(client: Chitarrella) -> None:
    """Many questions are answered in one call like one by one, each with its own answer or its own error."""
    start = client.rules.start_game("briscola")
    assert start.chance_request is not None
    position = client.rules.apply_moves(start.position, (None, Move("start_deal", start.chance_request.cards))).position
    questions = [
        ask.legal_moves(position),
        ask.explain_hand(position, 0),
        ask.validate_move(position, "play_card Ab", by=1),
        ask.apply_moves(position, [(1, "play_card Ab")]),
        ask.get_view(position, 0),
        ask.playable_cards("briscola", "Ab 3c"),
        ask.resolve_trick("briscola", "5c 3s", "s"),
        ask.score_cards("briscola", "Ab 3c"),
    ]
    alone = [client.rules.ask(question) for question in questions]
    assert alone == client.rules.batch(questions)
    beginning = ask.start_game("briscola")
    dealt = ask.apply_moves(beginning, [(None, Move("start_deal", start.chance_request.cards))])
    first, second, third = client.rules.batch([beginning, dealt, ask.validate_move(dealt, "play_card Ab", by=1)])
    assert (start, True) == (first, isinstance(third, MoveValidation) and third.accepted)
    assert isinstance(second, AppliedMoves)
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
    with pytest.raises(TypeError, match="unknown argument 'player'; a rule set takes edition, options, players"):
        client.rules.start_game("briscola", player=4)  # type: ignore[call-arg]  # misspelt on purpose
    with pytest.raises(errors.BadRequest) as wrong:
        client.rules.start_game("briscola", options={"rubber_games": "x"})
    assert "bad_option" == wrong.value.code


def test_in_another_language(opens: Opens) -> None:
    """A client whose language is Italian gets explanations in Italian; codes and cards are the same."""
    with opens(language="it-CH, en;q=0.5") as client:
        refused = [
            card.refusals[0]
            for card in client.rules.playable_cards("coech", hand="VI XIV", trick="III")
            if card.refusals
        ]
    assert ["must_follow_suit"] == [refusal.code for refusal in refused]
    assert "seme" in refused[0].message
    assert "/docs/rules/coech#CO-17" == refused[0].page
