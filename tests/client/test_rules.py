"""Questions about positions and cards, through the client with both faces, on a real service."""

from __future__ import annotations

from random import Random
from uuid import uuid4

import pytest

from chitarrella_client import (
    AppliedMoves,
    ChanceRequest,
    Chitarrella,
    ErrorCode,
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
from tests.client.playing import play_out, step
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


# ---------------------------------------------------------------------- records


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_imported_record_is_the_same_match(client: Chitarrella, game: str) -> None:
    """The import of a record is the same match: view, events and record."""
    match = client.create_match(game)
    for _ in range(12):
        step(match, Random(game))
    again = client.import_match(match.record(), pack_source="referee")
    assert match.id != again.id
    assert match.record() == again.record()
    assert match.get().view == again.get().view
    assert [update.events for update in match.events()] == [update.events for update in again.events()]


def test_record_is_imported_from_any_point(client: Chitarrella) -> None:
    """A record can be taken up from any point; what follows is a new match, with keys of its own."""
    match = client.create_match("coech", players=2, options={"first_dealer": 0})
    play_out(match, Random(3))
    record = match.record()
    moves = [line for line in record.splitlines() if line[:1].isdigit() or line.startswith("table")]
    for count in (0, 1, 7, len(moves)):
        fork = client.import_match(record, count, pack_source="referee")
        imported = [line for line in fork.record().splitlines() if line[:1].isdigit() or line.startswith("table")]
        assert moves[:count] == imported
    fork = client.import_match(record, 7, clock=(60, 5), bots={1: "greedy"})
    assert {5_000} == set(fork.get().bank_ms)
    assert [(1, "greedy")] == [(bot.seat, bot.bot) for bot in fork.get().bots]
    fork = client.import_match(record, 7)
    seat = fork.legal_moves().seat or 0
    with pytest.raises(errors.BadKey):
        client.match(fork.id, match.keys[seat]).get()
    assert fork.as_seat(seat).play(fork.legal_moves()[0]).accepted
    assert match.record() == record


def test_packs_of_a_record_are_supplied(client: Chitarrella) -> None:
    """The packs of an imported record count as supplied: the service cannot prove them."""
    match = client.create_match("briscola", options={"rubber_games": 2})
    play_out(match, Random(4))
    again = client.import_match(match.record())
    assert {True} == {shuffle.supplied for shuffle in again.shuffles()}


def test_invalid_record_is_named(client: Chitarrella) -> None:
    """A line that is no record, or a move that the rules refuse, is an error of its own code."""
    match = client.create_match("briscola")
    record = match.record()
    seat = match.legal_moves().seat or 0
    for spoilt in (record.replace("game ", "gam "), record + "5 play_card Ab\n", record + f"{1 - seat} play_card Ab\n"):
        with pytest.raises(errors.BadRequest) as failed:
            client.import_match(spoilt)
        assert ErrorCode.BAD_RECORD == failed.value.code


def test_a_repeated_import_creates_one_match(client: Chitarrella) -> None:
    """The same request id brings the same match; with another record it is an error."""
    record, name = client.create_match("briscola").record(), str(uuid4())
    first = client.import_match(record, request_id=name)
    again = client.import_match(record, request_id=name)
    assert (first.id, first.keys) == (again.id, again.keys)
    with pytest.raises(errors.RequestReused):
        client.import_match(record, 0, request_id=name)
