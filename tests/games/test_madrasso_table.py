"""Madrasso: options, what is seen, and a complete deal (clauses MA-4.2, MA-5.9 and MA-7.1)."""

from __future__ import annotations

import pytest

from chitarrella.core.model import CHANCE, REFEREE
from chitarrella.core.notation import InvalidPosition
from chitarrella.core.options import InvalidOption
from tests.games.support.examples import TRICK, blocks
from tests.games.support.madrasso_tables import before_deal, deal_table, game, last_trick
from tests.games.support.table import Match, events_of, facts, seat, worth
from tests.games.test_options import NONSENSE, Said
from tests.walks import CATALOGUE

YES_NO = ("false", "true")
OPTIONS = {
    "target": Said("777", (), 1, 1300),
    "min_deals": Said("10", (), 1, 99),
    "claim_from_deal": Said("after_min_deals", ("after_min_deals",), 1, 100),
    "must_trump_if_void": Said("false", YES_NO),
    "seven_exchange": Said("true", YES_NO),
    "revoke_mode": Said("prevent", ("penalize", "prevent")),
    "first_dealer": Said("0", (), 0, 3),
}
DEALER = {0: "Ab 3b Rb Cb Fb As"}
"""The dealer's first six cards: the sixth is face up, so that swords are trumps."""


# ---------------------------------------------------------------------- options


@pytest.mark.clause("ALL-8")
def test_the_options_are_those_of_the_specification() -> None:
    """Names, defaults and allowed values are those of the specification, and four play."""
    book = CATALOGUE.game("madrasso")
    assert OPTIONS == {o.name: Said(o.default, tuple(sorted(o.choices)), o.minimum, o.maximum) for o in book.options}
    assert [4] == list(book.seatings)


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize("name", OPTIONS)
def test_values_of_options(name: str) -> None:
    """Every allowed value makes a match, every other one is refused."""
    said = OPTIONS[name]
    ends = [] if said.least is None or said.most is None else [said.least, (said.least + said.most) // 2, said.most]
    for value in [*said.words, *map(str, ends)]:
        match = Match(seat("madrasso", **{name: value}))
        match.play_out()
        assert 1 == match.p.match_state.deal
    beyond = [] if said.most is None else [str(said.most + 1), *(["0"] if said.least else [])]
    for value in [*NONSENSE, *beyond, "Penalize", "4000"]:
        with pytest.raises(InvalidOption) as refused:
            seat("madrasso", **{name: value} if value not in said.words else {name: "nothing"})
        assert f"options.{name}" == refused.value.field


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_four_players_only(players: int) -> None:
    """Any number of players but four is refused."""
    with pytest.raises(InvalidOption) as refused:
        seat("madrasso", players)
    assert "players" == refused.value.field


@pytest.mark.clause("ALL-8")
def test_an_option_left_out_has_its_default() -> None:
    """A rule set with every default given plays the same moves as one without options."""
    silent, spoken = (
        Match(seat("madrasso")),
        Match(seat("madrasso", **{n: said.default for n, said in OPTIONS.items()})),
    )
    for match in (silent, spoken):
        match.play_out(12)
    assert (silent.p, silent.events) == (spoken.p, spoken.events)


# ---------------------------------------------------------------------- what is seen


@pytest.mark.clause("MA-5.9", "ALL-5", "ALL-6")
def test_points_of_a_deal_are_an_event_at_its_end() -> None:
    """While a deal runs, also after its last trick, the service tells totals and no points (MA-R28)."""
    match = last_trick(game(), 11, (700, 600), 65)
    for viewer in (None, 0, 1, 2, 3, REFEREE):
        assert ({}, {0: 700, 1: 600, 2: 700, 3: 600}) == (
            facts(match.view(viewer), "card_points"),
            facts(match.view(viewer), "total"),
        )
    match.say(1, "decline_claim")
    for viewer in (None, 0, REFEREE):
        assert 120 == sum(int(points) for points in facts(match.view(viewer), "card_points").values())
        assert 10 == sum(each.name == "taken" for each in match.view(viewer).zones)
    assert [("claim_declined", 1)] == [(e.kind, e.seat) for e in events_of(match, "claim_declined", None)]


@pytest.mark.clause("ALL-4")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ("champion=0", "champion"),
        ("offence=0,4c,must_follow_suit", "offence"),
        ("turn_up=4d", "turn_up"),
        ("trump=c", "trump"),
    ],
)
def test_impossible_tables(change: str, field: str) -> None:
    """A winner of a running game, a revoke where none can be, a faced card in the wrong hand cannot be read."""
    match = deal_table(Match(game()), {**DEALER, 1: "4d"})
    name = change.partition("=")[0]
    kept = [word for word in match.game.encode(match.p).split() if not word.startswith(f"{name}=")]
    with pytest.raises(InvalidPosition) as refused:
        match.game.decode(" ".join([*kept, change]))
    assert field == refused.value.field


# ---------------------------------------------------------------------- a complete deal


@pytest.mark.clause("MA-4.2", "MA-5.2", "MA-6.1", "MA-3.3", "MA-7.1")
def test_complete_deal() -> None:
    """MA-EX14: the deal as the specification tells it, card by card, 68 to 62."""
    (block,) = blocks("madrasso.txt")
    lines = dict(line.partition(": ")[::2] for line in block.lines)
    match = Match(game(3))
    match.deal(match.game.pack.hand(lines["pack (top first)"].split()))
    for place in range(4):
        assert lines[f"s{place} is dealt"] == " ".join(match.p.hands[place])
    assert ("Fc", "c") == (match.p.turn_up, match.p.trump)
    rounds = TRICK.findall("\n".join(block.lines))
    assert 10 == len(rounds)
    for number, (plays, winner, points, _, _) in enumerate(rounds):
        for at, words in enumerate(plays.split(", ")):
            if (number, at) == (0, 1):
                match.say(1, "exchange_turn_up 7c")
            match.say(int(words[1]), f"play_card {words[3:]}")
        trick = match.p.tricks[-1]
        assert (int(winner), int(points)) == (trick.winner, worth(match.game, trick.cards))
    assert ((68, 62), "await_deal", CHANCE) == (match.p.match_state.totals, match.p.phase, match.game.turn(match.p))
    assert before_deal(game(3), 2, 68, 62).p.match_state == match.p.match_state
