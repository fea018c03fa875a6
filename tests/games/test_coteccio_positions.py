"""Coteccio: positions in one line of notation, and what no table can look like (ALL-4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.notation import InvalidPosition
from chitarrella.testing.laws.law_list import LAWS, check_law
from tests.games.support.coteccio_tables import SEATS, before_deal, game, lost_by, swept, waiting
from tests.games.support.table import Match, pack_for
from tests.properties.corrupt import NUMBERS, corrupt
from tests.properties.test_hostile import check_line
from tests.walks import known_walk, name

HANDS = {1: "Ab 2c 3c 4c 5c", 2: "2b 6c 7c Fc Cc", 3: "3b Ad 2d 3d 4d", 0: "4b 5d 6d 7d Fd"}
CALLS = "doctor_calls=0,0,0,0"


def play() -> Match:
    """A table of four in the second trick; seat 1 has taken the first."""
    match = Match(game())
    match.deal(pack_for(match.game, HANDS))
    match.play("1 Ab, 2 2b, 3 3b, 0 4b, 1 2c")
    return match


def three() -> Match:
    """A table of four before a deal, with seat 2 out."""
    return before_deal(game(), (4, 3, None, 1), 1)


def doctor() -> Match:
    """A table of four at which seat 1 is asked."""
    return waiting(game(), (2, 0, 2, 2), 1)


def annulled() -> Match:
    """A table of four before a deal, after one that was annulled."""
    match = Match(game())
    swept(match, 2, 2).perform(match, tricks=4).say(2, "annul_deal")
    return match


def ended() -> Match:
    """A table of four at the end of the match."""
    return lost_by(before_deal(game(), (3, 1, None, None)), 1)


def spoilt(match: Match, changes: str) -> str:
    """Write the table with some fields changed, or taken away where nothing is said of them."""
    fields = dict(word.split("=", 1) for word in match.game.encode(match.p).split())
    for change in changes.split():
        field, _, value = change.partition("=")
        fields[field] = value
    return " ".join(f"{field}={value}" for field, value in fields.items() if value)


FAULTS = [
    (play, "lives=4,4,4", "lives"),
    (play, "lives=4,4,4,-1", "lives"),
    (play, "lives=4,4,4,0", "lives"),
    (play, "lives=4,~,~,~", "lives"),
    (play, "lives=4,4,~,4", "dealt_in"),
    (play, "lives=4,~,4,4", "leader"),
    (play, "lives=~,4,4,4", "leader"),
    (play, "lives=9999999999,4,4,4", "lives"),
    (play, "doctor_calls=1,0,0,0", "doctor_calls"),
    (play, "doctor_calls=2,0,0,0 doctor_calls_total=2,0,0,0", "doctor_calls"),
    (play, "doctor_calls_total=0,0,0", "doctor_calls_total"),
    (play, "doctor_calls_total=2147483647,0,0,0", "doctor_calls_total"),
    (play, "dealer=1", "leader"),
    (play, "leader=2", "leader"),
    (play, "dealt_in=0,1,2", "tricks"),
    (play, "dealt_in=0,1,2,3,3", "dealt_in"),
    (play, "dealt_in=3,2,1,0", "dealt_in"),
    (play, "dealt_in=0,1,2,7", "dealt_in"),
    (play, "dealt_in=1", "dealt_in"),
    (play, "dealt_in=", "dealt_in"),
    (play, "tricks=1/Ab,2b,3b,4b/2 leader=2", "tricks"),
    (play, "tricks=2/Ab,2b,3b,4b/2 leader=2", "leader"),
    (play, "phase=last_trick_choice", "phase"),
    (play, "phase=doctor", "lives"),
    (play, "phase=deal leader=1", "hands"),
    (play, "phase=match_over", "lives"),
    (play, "undealt=", "hands"),
    (play, "stock=2s undealt=3s,4s", "hands"),
    (play, "trump=b", "trump"),
    (play, "trick=2c,6c,Ad,5d,3c", "hands"),
    (three, "leader=2", "leader"),
    (three, "dealer=2", "leader"),
    (three, "undealt=Ab", "hands"),
    (three, "dealt_in=0,1", "hands"),
    (three, "phase=play", "hands"),
    (three, "phase=doctor lives=4,0,1,1", "leader"),
    (doctor, "lives=2,2,2,2", "lives"),
    (doctor, "lives=2,0,~,~", "lives"),
    (doctor, "doctor_calls=0,1,0,0 doctor_calls_total=0,1,0,0", "lives"),
    (doctor, "leader=2", "leader"),
    (doctor, "phase=deal", "lives"),
    (doctor, "tricks=", "leader"),
    (annulled, "phase=doctor lives=4,0,4,4", "dealt_in"),
    (annulled, "lives=4,4,~,4", "dealt_in"),
    (ended, "lives=3,1,~,~", "lives"),
    (ended, "lives=~,~,~,~", "lives"),
    (ended, "leader=1", "leader"),
    (ended, "phase=deal", "lives"),
]


@pytest.mark.clause("ALL-4", "CC-1", "CC-5", "CC-12")
@pytest.mark.parametrize(("scene", "changes", "field"), FAULTS, ids=[f"{s.__name__}-{c}" for s, c, _ in FAULTS])
def test_impossible_tables(scene: Callable[[], Match], changes: str, field: str) -> None:
    """Lives, calls, leaders, tricks and hands that no table can show are refused by the field that is wrong."""
    match = scene()
    assert match.p == match.game.decode(spoilt(match, ""))
    with pytest.raises(InvalidPosition) as refused:
        match.game.decode(spoilt(match, changes))
    assert field == refused.value.field


@pytest.mark.clause("CC-20", "ALL-4")
def test_lives_above_the_cap_are_impossible() -> None:
    """Where a cap is agreed nobody has more lives."""
    with pytest.raises(InvalidPosition) as refused:
        before_deal(game(life_cap="5"), (5, 6, 1, 1))
    assert "lives" == refused.value.field


@pytest.mark.clause("CC-12", "CC-19", "ALL-4")
def test_unplayed_cards_only_after_an_annulled_deal() -> None:
    """Last cards that were not played lie there only where one seat had won the first four tricks."""
    match = Match(game(2, 0))
    hands = {1: "Ab 2c 3c 4c 2d", 0: "2b 6c 7c Fc 3d"}
    match.deal(pack_for(match.game, hands))
    match.play("1 Ab, 0 2b, 1 2c, 0 6c, 0 7c, 1 3c, 0 Fc, 1 4c")
    with pytest.raises(InvalidPosition) as refused:
        match.game.decode(spoilt(match, "phase=deal leader=1"))
    assert "hands" == refused.value.field


LONG = [RuleSet("coteccio", players, (("lives", "1"),)) for players in SEATS]


@pytest.mark.clause("ALL-3", "ALL-5", "ALL-9")
@pytest.mark.parametrize("rule_set", LONG, ids=name)
@pytest.mark.parametrize("law", LAWS)
def test_long_matches_keep_every_law(law: str, rule_set: RuleSet) -> None:
    """Also with seats that are out, and where the doctor was called, a match keeps every law of the table."""
    for seed in ("one", "two", "three"):
        check_law(law, known_walk(rule_set, seed, deals=20, effort=3))


CHOICES = {
    "deal_packets": "2-3",
    "doctor_fee": "0",
    "doctor_limit": "unlimited",
    "doctor_limit_scope": "per_game",
    "doctor_reset_on_restart": "false",
    "first_dealer": "1",
    "life_cap": "1",
    "stake": "0",
}


@pytest.mark.unmeasured
@pytest.mark.clause("ALL-8", "ALL-3", "ALL-5")
@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("option", CHOICES)
def test_every_option_at_every_table(players: int, option: str) -> None:
    """Whatever is agreed, and however many play, some deals with deaths and doctors keep every law."""
    rule_set = RuleSet("coteccio", players, tuple(sorted({"lives": "1", option: CHOICES[option]}.items())))
    for law in LAWS:
        check_law(law, known_walk(rule_set, "one", deals=4, effort=1))


@pytest.mark.clause("ALL-4")
@pytest.mark.parametrize("rule_set", LONG, ids=name)
def test_wrong_numbers_late_in_a_match(rule_set: RuleSet) -> None:
    """Odd numbers put into positions late in a match are a `InvalidPosition`, or do no harm."""
    walk = known_walk(rule_set, "one", deals=20, effort=3)
    good = list(
        dict.fromkeys(walk.game.encode(p) for p in walk.positions if p.phase in ("doctor", "deal", "match_over"))
    )
    for line in good[-6:]:
        for at, _ in enumerate(NUMBERS):
            for place in range(0, 60, 7):
                check_line(walk.game, corrupt(line, [("change number", place, at)]), far=False)
