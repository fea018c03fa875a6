"""Partial positions: a front end asks with what it knows; what matters and is unknown is named, never guessed."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from chitarrella import v1
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Hand
from chitarrella.core.game import TrickRules, legal_moves, turn_order
from chitarrella.core.model import CHANCE
from chitarrella.core.visibility import view_for
from chitarrella.games.madrasso import Waiting
from chitarrella_testing.table_laws import is_play, rules_of
from tests.transports.all_transports import Failed, Transport
from tests.walks import CATALOGUE, Walk, combined_variants, defaults, name, walk

TRICK_GAMES = [game.key for game in CATALOGUE if game.trick_rules]
GUIDE = Path(__file__).parents[2] / "docs/validating.md"
pytestmark = pytest.mark.measured


def partial(
    game: str,
    hand: str | None,
    trick: str | None = "",
    *,
    players: int = 0,
    leader: int | None = None,
    declared: str | None = None,
    options: Mapping[str, str] | None = None,
    **more: Any,
) -> v1.PartialPosition:
    position = v1.PartialPosition(rule_set=v1.RuleSet(game_id=game, players=players, options=options), **more)
    if hand is not None:
        position.hands.add(seat=0, cards=hand.split())
    if trick is not None:
        position.trick.MergeFrom(v1.PartialTrick(cards=trick.split(), leader=leader, declared_suit=declared))
        position.trick.SetInParent()
    return position


def test_guide_lists_the_games_without_a_trump_suit() -> None:
    """The guide names every game that has no trump suit with its default options, and no other."""
    without = {game.key for game in CATALOGUE if game.trick_rules and not game.trick_rules.has_trumps}
    text = GUIDE.read_text(encoding="utf-8").partition("<!-- games without a trump suit -->")[2].partition("\n\n")[0]
    assert without == set(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE))
    elfern = CATALOGUE.game_for(RuleSet("elfern", 2, (("trump_variant", "true"),)))
    assert rules_of(elfern).has_trumps


CUCCU: dict[str, Any] = {"trump_card": "MAT", "stock_size": 0}
MADRASSO = {"must_trump_if_void": "true", "revoke_mode": "penalize"}
LISTED: list[tuple[v1.PartialPosition, list[str], dict[str, str]]] = [
    # Whoever follows the trionfo follows the suit that its player declared (CT-25).
    (
        partial("cuccu-a-trionfo", "VI XI", "MAT", **CUCCU),
        [],
        {"VI": "trick.declared_suit", "XI": "trick.declared_suit"},
    ),
    (partial("cuccu-a-trionfo", "VI XI", "MAT", declared="numbers", **CUCCU), ["VI"], {}),
    # A trump led must be followed; whether a suit is trumps is not guessed.
    (partial("bisca-brazil", "7h Kh 2c", "Qh", stock_size=0), ["Kh"], {"7h": "trump", "2c": "trump"}),
    (partial("bisca-brazil", "7h Kh 2c", "Qh", trump="s"), ["7h", "Kh", "2c"], {}),
    # Suits are followed when the stock is gone.
    (partial("elfern", "Ah 8s", "Th"), ["Ah"], {"8s": "stock_size"}),
    (partial("elfern", "Ah 8s", "Th", stock_size=3), ["Ah", "8s"], {}),
    (partial("elfern", "Ah 8s", "Th", stock_size=0), ["Ah"], {}),
    # Three cards and more are led, and as many follow.
    (partial("harjan", "Ah Th 9h 2c", trump="s"), ["9h Th Ah"], {}),
    (partial("harjan", "2c 3d 4s", "Ah Th", trump="s"), ["2c 3d", "2c 4s", "3d 4s"], {}),
    # The seat after the leader may be out of the match, so that the next one is to play.
    (partial("coteccio", "Ab 3c", "2b", players=3, leader=1), [], {"Ab": "dealt_in"}),
    (partial("coteccio", "Ab 3c", "2b", players=3, leader=1, dealt_in=[0, 1]), ["Ab"], {}),
    (partial("coteccio", "Ab 3c", "2b", players=3, leader=2), [], {"Ab": "dealt_in"}),
    (partial("coteccio", "Ab 3c", "2b", players=3), ["Ab"], {}),
    # A revoke that costs a price is legal or not as the trump suit is.
    (partial("madrasso", "2b Rd", "Cs", options=MADRASSO), [], {"2b": "trump", "Rd": "trump"}),
    (partial("madrasso", "2b Rd", "Cs", options=MADRASSO, trump="b"), ["2b"], {}),
]


@pytest.mark.parametrize(("position", "listed", "undecided"), LISTED)
def test_what_matters_and_is_unknown_is_named(
    ask: Transport, position: v1.PartialPosition, listed: list[str], undecided: dict[str, str]
) -> None:
    """What may be played whatever is unknown is listed; where an unknown part decides, each answer names it."""
    found = ask("ListLegalMoves", partial_position=position, seat=0)
    assert listed == [" ".join(move.cards) for move in found.moves]
    named = {one.move.cards[0]: list(one.depends_on) for one in found.undecided}
    assert {card: [part] for card, part in undecided.items()} == named
    for move in (*found.moves, *(one.move for one in found.undecided)):
        validation = ask("ValidateMove", partial_position=position, seat=0, move=move)
        unknown = [undecided[move.cards[0]]] if move.cards[0] in undecided else []
        at_a_price = all(refusal.penalty for refusal in validation.refusals)  # then it is accepted in any case
        verdict = v1.VERDICT_ACCEPTED if at_a_price else v1.VERDICT_UNDECIDED
        assert (verdict, unknown) == (validation.verdict, list(validation.depends_on))
        assert bool(unknown) == bool(validation.refusals) == any(one.undecided for one in validation.refusals)
    legal = {tuple(move.cards) for move in (*found.moves, *(one.move for one in found.undecided))}
    for one in ask("ExplainHand", partial_position=position, seat=0).moves:
        at_a_price = any(refusal.penalty for refusal in one.refusals)
        assert tuple(one.move.cards) in legal or at_a_price or v1.VERDICT_REFUSED == one.verdict


def test_a_single_trump_card_can_be_named(ask: Transport) -> None:
    """Cuccu a trionfo: MAT as the trionfo may be led with a declaration; as another card it is led last."""
    led = partial("cuccu-a-trionfo", "MAT IV", trump_card="MAT")
    found = ask("ListLegalMoves", partial_position=led)
    leads = {("MAT", "numbers"), ("MAT", "pictures"), ("IV", "")}
    assert leads == {(move.cards[0], move.choice) for move in found.moves}
    led.trump_card = ""
    assert ["IV"] == [move.cards[0] for move in ask("ListLegalMoves", partial_position=led).moves]


def play(card: str) -> v1.Move:
    return v1.Move(verb="play_card", cards=[card])


def codes_of(validation: Any) -> list[str]:
    """The codes of the refusals of a move that is refused for certain."""
    assert v1.VERDICT_REFUSED == validation.verdict
    assert not any(refusal.undecided for refusal in validation.refusals)
    return [refusal.code for refusal in validation.refusals]


def test_unknown_hand_or_trick_decides_nothing(ask: Transport) -> None:
    """Without the hand, or the trick, nothing is listed, and the answer says why."""
    for position, missing in ((partial("briscola", None), ["hands"]), (partial("briscola", "Ab", None), ["trick"])):
        found = ask("ListLegalMoves", partial_position=position, seat=0)
        assert ([], missing) == (list(found.moves), list(found.depends_on))
        validation = ask("ValidateMove", partial_position=position, seat=0, move=play("Ab"))
        assert (v1.VERDICT_UNDECIDED, missing) == (validation.verdict, list(validation.depends_on))


def test_out_of_turn_nobody_has_a_duty(ask: Transport) -> None:
    """Where the leader is known, a seat out of turn is refused; it need not follow suit, but must hold the card."""
    briscola = partial("briscola", "Ab", "3c", trump="d", leader=1)
    assert v1.VERDICT_ACCEPTED == ask("ValidateMove", partial_position=briscola, move=play("Ab")).verdict
    briscola.trick.leader = 0
    assert ["not_your_turn"] == codes_of(ask("ValidateMove", partial_position=briscola, move=play("Ab")))
    position = partial("coteccio", "Ab 3c", "2b", players=2)
    late = ["not_your_turn"]
    for leader, card, codes in ((1, "3c", ["must_follow_suit"]), (0, "3c", late), (0, "3d", [*late, "not_in_hand"])):
        position.trick.leader = leader
        assert codes == codes_of(ask("ValidateMove", partial_position=position, seat=0, move=play(card)))
    hand = ask("ExplainHand", partial_position=position, seat=0)
    assert [["not_your_turn"]] * 2 == [[refusal.code for refusal in move.refusals] for move in hand.moves]
    four = ask("ExplainHand", partial_position=partial("coteccio", "Ab 3c", "2b", players=4, leader=1))
    assert (0, ["dealt_in"]) == (four.seat, list(four.moves[0].depends_on))


@pytest.mark.parametrize(
    ("position", "move", "refusals", "depends_on"),
    [
        # Of two clauses that exclude each other each may be broken; that the play is refused is certain.
        (
            partial("cuccu-a-trionfo", "V VII MAS"),
            play("MAS"),
            {"declaration_missing", "zero_card_lead"},
            ["trump_card"],
        ),
        (partial("cuccu-a-trionfo", "V VII MAS", trump_card="MAS"), play("MAS"), {"declaration_missing"}, []),
    ],
)
def test_a_play_that_is_refused_for_one_of_two_reasons(
    ask: Transport, position: v1.PartialPosition, move: v1.Move, refusals: set[str], depends_on: list[str]
) -> None:
    """It is refused, and both reasons are named as such that may hold."""
    found = ask("ValidateMove", partial_position=position, move=move)
    assert (v1.VERDICT_REFUSED, depends_on) == (found.verdict, list(found.depends_on))
    assert refusals == {refusal.code for refusal in found.refusals}
    assert all(refusal.undecided == (len(refusals) > 1) for refusal in found.refusals)


def test_a_person_plays_the_cards_of_a_dummy(ask: Transport) -> None:
    """Cöch with three: who is asked about is the person who plays the dummy on turn (CO-R11)."""
    position = partial("coech", "I", "", players=3, leader=2)
    position.hands.add(seat=2, cards=["V"])
    move = v1.Move(verb="play_card", cards=["V"], dummy_seat=2)
    assert [move] == list(ask("ListLegalMoves", partial_position=position, seat=0).moves)
    assert v1.VERDICT_ACCEPTED == ask("ValidateMove", partial_position=position, seat=0, move=move).verdict
    assert ["not_your_turn"] == codes_of(ask("ValidateMove", partial_position=position, seat=0, move=play("I")))
    assert ["not_your_turn"] == codes_of(ask("ValidateMove", partial_position=position, seat=1, move=move))


def test_who_has_led_does_not_play_again(ask: Transport) -> None:
    """Coteccio with three: the seat that led waits, whoever sits the deal out (CC-13)."""
    position = partial("coteccio", "2b 3c", "Ab", players=3, leader=0)
    assert [] == list(ask("ListLegalMoves", partial_position=position, seat=0).moves)
    found = ask("ValidateMove", partial_position=position, seat=0, move=play("2b"))
    assert (["not_your_turn"], ["dealt_in"]) == (codes_of(found), list(found.depends_on))
    assert "None" not in found.refusals[0].message


def test_resolving_names_the_unknown_trump(ask: Transport) -> None:
    """Who takes a trick, and what it counts, is answered only where the trump suit does not matter, or is known."""

    def resolve(game: str, cards: str, players: int = 4, **more: Any) -> Any:
        return ask("ResolveTrick", rule_set={"game_id": game, "players": players}, cards=cards.split(), **more)

    unknown = resolve("briscola", "Rs 2d 6c 3b")
    assert (False, "", ["trump"]) == (unknown.HasField("winning_index"), unknown.winning_card, list(unknown.depends_on))
    assert "3s" == resolve("briscola", "Rs 3s 6s").winning_card
    assert (1, "2d") == (resolve("briscola", "Rs 2d 6c 3b", trump="d").winning_index, "2d")
    assert [14] == [score.value for score in unknown.scores]
    harjan = "2h 3h 5h Ac Jh 8s"
    found = [resolve("harjan", harjan, 2, **trump) for trump in ({}, {"trump": ""}, {"trump": "d"})]
    counted = [([score.value for score in one.scores], list(one.depends_on)) for one in found]
    assert [([], ["trump"]), ([13], []), ([23], [])] == counted
    assert 1 == len({one.winning_index for one in found})
    assert ["trump_card"] == list(resolve("cuccu-a-trionfo", "IV XV MAT VI").depends_on)
    assert "MAT" == resolve("cuccu-a-trionfo", "IV XV MAT VI", trump_card="MAT").winning_card


def playable(game: Any, p: Any, hand: Hand) -> Hand:
    """What a seat may play from: at Madrasso a faced card that waits is not part of it."""
    return game.leading.playable(game, p, hand) if isinstance(game.leading, Waiting) else hand


def partial_of(played: Walk, p: Any, hands: Iterable[int], leader: int | None, rules: TrickRules) -> v1.PartialPosition:
    """What a front end knows of a real position: some hands, the trick, the trumps and the stock."""
    game, players, options = played.rule_set[:3]
    rule_set = v1.RuleSet(game_id=game, players=players, options=dict(options))
    position = v1.PartialPosition(rule_set=rule_set, stock_size=len(p.stock))
    for seat in hands:
        position.hands.add(seat=seat, cards=playable(played.game, p, p.hands[seat]))
    position.trick.cards.extend(p.trick)
    if leader is not None:
        position.trick.leader = leader
    if declared := rules.has_trump_card and p.own.declared:
        position.trick.declared_suit = declared
    if rules.has_trumps:
        position.trump = p.trump
    if rules.has_trump_card:
        position.trump_card = p.turn_up or ""
    if not rules.everybody_plays:
        position.dealt_in.extend(turn_order(view_for(played.game, p, None), played.game.seats, p.leader))
    return position


@pytest.mark.unmeasured
@pytest.mark.parametrize("rule_set", [r for r in defaults() + combined_variants() if r.game in TRICK_GAMES], ids=name)
def test_every_honest_partial_position_is_answered(ask: Transport, rule_set: RuleSet) -> None:
    """The part of a real position that a seat knows is answered: on turn as the whole position, else as out of turn."""
    played = walk(rule_set, "partial positions", deals=2)
    game, rules = played.game, rules_of(played.game)
    for p in [p for p in played.positions if game.turn(p) not in (None, CHANCE) and is_play(game, p)][::4]:
        turn = game.turn(p)
        assert turn is not None
        whole = [move for move in legal_moves(game, p, game.controller(turn)) if move.verb in rules.verbs(p.trick)]
        everybody = range(game.seats)
        for hands, leader in (((turn,), None), ((turn,), p.leader), (everybody, p.leader)):
            own: dict[str, Any] = {} if leader is None else {"seat": game.controller(turn)}
            found = ask("ListLegalMoves", partial_position=partial_of(played, p, hands, leader, rules), **own)
            assert {tuple(move.cards) for move in whole} == {tuple(move.cards) for move in found.moves}
            assert game.controller(turn) == found.seat
            assert not found.undecided
            if len(hands) == 1:
                known = partial_of(played, p, hands, leader, rules)
                explained = ask("ExplainHand", partial_position=known, **own).moves
                assert [one.move for one in explained if not one.refusals] == list(found.moves)
        for seat in {seat for seat in everybody if game.controller(seat) == seat} - {turn}:
            position = partial_of(played, p, [seat], p.leader, rules)
            explained = ask("ExplainHand", partial_position=position, seat=seat).moves
            assert all("not_your_turn" == move.refusals[0].code for move in explained)


IMPOSSIBLE: list[tuple[v1.PartialPosition, str, str]] = [
    (partial("briscola", "Ab Ab"), "bad_position", "hands"),
    (partial("briscola", "Ab", "Ab"), "bad_position", "hands"),
    (partial("briscola", "Ab", "2b 3b"), "bad_position", "trick.cards"),
    (partial("briscola", "Zz"), "unknown_card", "hands[0].cards"),
    (partial("briscola", "Ab", trump="hearts"), "unknown_suit", "trump"),
    (partial("briscola", "Ab", trump_card="3c"), "bad_position", "trump_card"),
    (partial("coteccio", "Ab", trump="b"), "unknown_suit", "trump"),
    (partial("cucu", "XV"), "no_tricks", "rule_set.game_id"),
    (partial("briscola", "Ab 2b 3b 4b"), "bad_position", "hands[0].cards"),
    (partial("briscola", "Ab", stock_size=40), "bad_position", "stock_size"),
    (partial("briscola", "Ab", stock_size=35), "bad_position", "stock_size"),
    (partial("coteccio", "Ab", stock_size=1), "bad_position", "stock_size"),
    (partial("coteccio", "Ab 2b 3b 4b 5b 6b 7b", "Ac 2c"), "bad_position", "hands[0].cards"),
    (partial("harjan", "Ah Th 9h 2c 3c 4c 5c 6c"), "bad_position", "hands[0].cards"),
    (partial("harjan", "Ah Th 9h", "2c 3c 4c 5c 6c 7c 8c"), "bad_position", "trick.cards"),
    (partial("harjan", "Ah Th 9h", "2c 3c 4c 5c"), "bad_position", "hands[0].cards"),
    (partial("briscola", "Ab 2b 3b", "4b", leader=0), "bad_position", "hands[0].cards"),
    (partial("harjan", "Ah Th 9h 2s", "2c 3c 4c", leader=0), "bad_position", "hands[0].cards"),
    (partial("briscola", "Ab", leader=0, dealt_in=[0]), "bad_position", "dealt_in"),
    (partial("coteccio", "Ab", players=3, leader=0, dealt_in=[1, 2]), "bad_position", "dealt_in"),
    (partial("coteccio", "Ab", players=3, leader=0, dealt_in=[0, 3]), "no_such_seat", "dealt_in"),
]


@pytest.mark.parametrize(("position", "code", "field"), IMPOSSIBLE)
def test_impossible_parts_are_refused(ask: Transport, position: v1.PartialPosition, code: str, field: str) -> None:
    """Cards that the pack does not have, a full trick, unknown suits and cards are errors with their field."""
    assert Failed(code, f"partial_position.{field}") == ask("ListLegalMoves", partial_position=position)


def test_a_position_is_needed_in_one_form(ask: Transport) -> None:
    """Neither form of a position is an error, so are both, and one without a hand and a seat."""
    whole = {"rule_set": {"game_id": "briscola"}, "text": "x"}
    assert Failed("bad_request", "position") == ask("ListLegalMoves")
    both = ask("ListLegalMoves", position=whole, partial_position=partial("briscola", "Ab"))
    assert Failed("bad_request", "position") == both
    assert Failed("bad_request", "seat") == ask("ListLegalMoves", partial_position=partial("briscola", None))
