"""Questions about positions and cards, through the client with both faces, on a real service."""

from __future__ import annotations

from random import Random

import pytest

from chitarrella_client import Agreement, Chitarrella, Move, Position, RefusalCode, Tally, Wanted, ask, errors
from tests.client.conftest import Opens
from tests.walks import CATALOGUE


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_first_deal_position_by_position(client: Chitarrella, game: str) -> None:
    """A deal of every game can be played position by position, by him who keeps it himself."""
    rng = Random(game)
    start = client.rules.start(game)
    position, wanted = start.position, start.wanted
    for _ in range(40):
        if wanted is not None:
            position, wanted = supply(client, position, wanted, rng)
            continue
        moves = client.rules.legal_moves(position)
        if moves.seat is None:
            break
        move = str(rng.choice(moves.moves))
        assert client.rules.judge(position, move, by=moves.seat).accepted
        played = client.rules.play(position, (moves.seat, move))
        assert (1, ()) == (played.played, played.refusals)
        assert 0 < len(played.events)
        position, wanted = played.position, played.wanted
    assert client.rules.look(position, referee=True).piles
    assert client.rules.look(position).piles != client.rules.look(position, referee=True).piles


def supply(client: Chitarrella, position: Position, wanted: Wanted, rng: Random) -> tuple[Position, Wanted | None]:
    """Hand in what the table has to supply."""
    cards = tuple(rng.sample(wanted.cards, len(wanted.cards)))
    amount = rng.choice(wanted.amounts) if wanted.amounts else None
    played = client.rules.play(position, (None, Move(wanted.verb, cards, amount=amount)))
    return played.position, played.wanted


def test_moves_stop_before_the_first_refusal(client: Chitarrella) -> None:
    """Moves are played one after the other, up to the first that is refused."""
    start = client.rules.start("briscola", players=2)
    assert start.wanted is not None
    deal = (None, Move(start.wanted.verb, start.wanted.cards))
    played = client.rules.play(start.position, deal, (1, "play_card Ab"), (0, "play_card Ac"))
    assert (2, [RefusalCode.NOT_IN_HAND]) == (played.played, [refusal.code for refusal in played.refusals])
    assert ("Ab",) == played.view.pile("trick").cards


def test_stateless_trick_questions(client: Chitarrella) -> None:
    """Which cards may be played, which card takes, what a pile is worth: no match is needed to ask."""
    playable = client.rules.playable("coech", "NUL LEO VI VII", trick="IX", players=4)
    assert 4 == len(playable)
    assert {True, False} == {explained.legal for explained in playable}
    lead = client.rules.playable("cuccu-a-trionfo", "IV NUL")
    assert [[], ["zero_card_lead"]] == [[refusal.code for refusal in explained.refusals] for explained in lead]
    trick = client.rules.trick("briscola", "5c 3s", trump="s")
    assert (1, "3s", (Tally("card_points", 10),)) == (trick.place, trick.card, trick.tallies)
    assert (Tally("card_points", 21),) == client.rules.count("briscola", ["Ab", "3c"])


def test_many_questions(client: Chitarrella) -> None:
    """Many questions are answered in one call like one by one, each with its own answer or its own error."""
    start = client.rules.start("briscola")
    assert start.wanted is not None
    position = client.rules.play(start.position, (None, Move("start_deal", start.wanted.cards))).position
    questions = [
        ask.legal_moves(position),
        ask.explain(position, 0),
        ask.judge(position, "play_card Ab", by=1),
        ask.play(position, [(1, "play_card Ab")]),
        ask.look(position, 0),
        ask.playable("briscola", "Ab 3c"),
        ask.trick("briscola", "5c 3s", "s"),
        ask.count("briscola", "Ab 3c"),
    ]
    alone = [client.rules.ask(question) for question in questions]
    assert alone == client.rules.batch(questions)
    (fault,) = client.rules.batch([ask.count("nix", "Ab")])
    assert isinstance(fault, errors.UnknownGame)
    assert ("unknown_game", "agreement.game") == (fault.code, fault.field)


def test_rule_set_by_names_or_as_a_value(client: Chitarrella) -> None:
    """What a table agrees upon can be given by names or as one value, but not as both."""
    by_name = client.rules.start("briscola", players=3, options={"show_final_hand": False, "rubber_games": 5})
    rule_set = by_name.position.agreement
    assert (3, {"show_final_hand": "false", "rubber_games": "5"}) == (rule_set.players, rule_set.options)
    assert by_name == client.rules.start(rule_set)
    with pytest.raises(TypeError, match="agreement"):
        client.rules.start(rule_set, players=3)
    with pytest.raises(TypeError, match="unknown argument 'player'; known: edition, options, players"):
        client.rules.start("briscola", player=4)  # type: ignore[call-arg]  # misspelt on purpose
    with pytest.raises(errors.BadRequest) as wrong:
        client.rules.start("briscola", options={"rubber_games": "x"})
    assert "bad_option" == wrong.value.code


def test_service_and_client_report_the_same(client: Chitarrella) -> None:
    """The service tells the same, and names the agreement that cannot be."""
    update = client.compare("briscola", Agreement("briscola", 2, {"rubber_games": "1"}))
    assert [("option", "rubber_games")] == [(one.about, one.name) for one in update.differences]
    assert len(client.game("briscola").clauses) == update.clauses_alike
    for wrong, field in (("poker", "second.game"), (Agreement("briscola", 9), "second.players")):
        with pytest.raises(errors.BadRequest) as failed:
            client.compare("briscola", wrong)
        assert field == failed.value.field


def test_in_another_language(opens: Opens) -> None:
    """A client that speaks Italian is told why in Italian; codes and cards are the same."""
    with opens(language="it-CH, en;q=0.5") as client:
        refused = [
            card.refusals[0] for card in client.rules.playable("coech", hand="VI XIV", trick="III") if card.refusals
        ]
    assert ["must_follow_suit"] == [refusal.code for refusal in refused]
    assert "seme" in refused[0].because
    assert "/docs/rules/coech#CO-17" == refused[0].page
