"""Coteccio: positions in one line of notation, and what no table can look like (ALL-4)."""

from collections import Counter
from itertools import pairwise

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.model import Event
from chitarrella.core.visibility import view_for
from chitarrella.tricks.lives import next_alive, previous_alive, seats_alive
from chitarrella.tricks.table import Table
from chitarrella_testing.checks import LAWS, check_law
from chitarrella_testing.outside import NUMBERS, check_line, corrupt
from tests.games.support.coteccio_tables import SEATS, terms
from tests.games.support.table import facts, game_of, worth
from tests.walks import Step, Walk, known_walk, name, on_walks

LONG = [RuleSet("coteccio", players, (("lives", "1"),)) for players in SEATS]


@pytest.mark.clause("ALL-3", "ALL-5", "ALL-9")
@pytest.mark.parametrize("rule_set", LONG, ids=name)
@pytest.mark.parametrize("law", LAWS)
def test_long_matches_keep_every_law(law: str, rule_set: RuleSet) -> None:
    """Also with seats that are out, and where the doctor was called, a match keeps every law of the table."""
    for seed in ("one", "two", "three"):
        check_law(law, known_walk(rule_set, seed, deals=20, effort=3))


CHOICES = {
    "deal_packets": "2-3", "doctor_fee": "0", "doctor_limit": "unlimited", "doctor_limit_scope": "per_game",
    "doctor_reset_on_restart": "false", "first_dealer": "1", "life_cap": "1", "stake": "0",
}  # fmt: skip


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
    shown = (p for p in walk.positions if p.phase in ("doctor", "deal", "match_over"))
    good = list(dict.fromkeys(map(walk.game.encode, shown)))
    for line in good[-6:]:
        for at, _ in enumerate(NUMBERS):
            for place in range(0, 60, 7):
                check_line(walk.game, corrupt(line, [("change number", place, at)]), {}, far=False)


# ---------------------------------------------------------------------- coteccio invariants


DEALS = 60
TABLES = [
    *(RuleSet("coteccio", players, (("lives", "2"),)) for players in SEATS),
    RuleSet("coteccio", 4),
    RuleSet("coteccio", 3, (("lives", "1"),)),
    RuleSet("coteccio", 5, (("doctor_limit", "unlimited"), ("lives", "1"))),
    RuleSet("coteccio", 4, (("life_cap", "2"), ("lives", "2"))),
    RuleSet("coteccio", 7, (("deal_packets", "2-3"), ("doctor_limit_scope", "per_game"))),
]
RESTARTED = [(RuleSet("coteccio", players, (("lives", "1"),)), seed) for players, seed in ((2, "319"), (3, "9"))]
"""Matches in which the last two lose their last life together, which is rare."""

PLAYED = [*((table, seed) for table in TABLES for seed in ("one", "two")), *RESTARTED]
EVERY = on_walks((*pair, DEALS) for pair in PLAYED)


def running(walk: Walk) -> list[Table]:
    return [p for p in walk.positions if p.phase in game_of(walk).deal_phases]


def counted(walk: Walk) -> list[Step]:
    """The moves that have ended a deal by its last card."""
    return [step for step in walk.steps if any(event.kind == "deal_counted" for event in step.events)]


def kinds(events: tuple[Event, ...]) -> set[str]:
    return {event.kind for event in events}


@pytest.mark.clause("CC-4", "CC-15")
@EVERY
def test_points_add_up(walk: Walk) -> None:
    """CC-I2, CC-R27: the points of a deal are the value of its cards and 6, never more than 78, and somebody has 6."""
    for step in counted(walk):
        points = game_of(walk).points(step.after)
        dealt = tuple(card for trick in step.after.tricks for card in trick.cards)
        assert worth(game_of(walk), dealt) + 6 == sum(points) == 78 - worth(game_of(walk), step.after.own.undealt)
        assert 6 <= max(points) <= 78


@pytest.mark.clause("CC-12", "CC-10", "CC-11")
@EVERY
def test_legal_moves(walk: Walk) -> None:
    """CC-I3: there always is a legal move; annulling is one just for the winner of four tricks, before the fifth."""
    for p in running(walk):
        turn = game_of(walk).turn(p)
        assert turn is not None
        assert turn in seats_alive(p.own.lives)
        verbs = [move.verb for move in legal_moves(walk.game, p, turn)]
        due = len(p.tricks) == 4 and not p.trick and {turn} == {trick.winner for trick in p.tricks}
        assert verbs
        assert due == ("annul_deal" in verbs) == (p.phase == "last_trick_choice")
        if due:
            assert ["play_card", "annul_deal"] == verbs
        if p.phase == "play":
            led = [card for card in p.hands[turn] if p.trick and card.suit == p.trick[0].suit]
            assert (led or list(p.hands[turn])) == [move.cards[0] for move in legal_moves(walk.game, p, turn)]


@pytest.mark.clause("CC-16", "CC-17", "CC-18", "CC-19", "CC-20")
@EVERY
def test_changes_of_lives(walk: Walk) -> None:
    """CC-I4: most points cost a life each; capotto +1 and -1 for all others; saved +1 and -1; annulled nothing."""
    cap = terms(game_of(walk)).cap
    for step in counted(walk):
        lives = step.before.own.lives
        players_in = seats_alive(lives)
        changes = {e.seat: (e.amount or 0) - (lives[e.seat or 0] or 0) for e in step.events if "life_" in e.kind}
        points = game_of(walk).points(step.after)
        winners = [trick.winner for trick in step.after.tricks]
        if len(set(winners[:4])) > 1:
            wanted = {seat: -1 for seat in players_in if points[seat] == max(points)}
        elif winners[4] == winners[0]:
            wanted = {seat: 1 if seat == winners[0] else -1 for seat in players_in}
        else:
            wanted = {winners[4]: 1, winners[0]: -1}
        assert {seat: n for seat, n in wanted.items() if n < 0 or cap is None or (lives[seat] or 0) < cap} == changes
    for step in walk.steps:
        if step.move.verb == "annul_deal":
            assert step.before.own == step.after.own
            assert (step.before.match_state, "deal") == (step.after.match_state, step.after.phase)


@pytest.mark.clause("CC-20", "CC-24")
@EVERY
def test_lives_are_never_negative(walk: Walk) -> None:
    """CC-I5: lives are never negative; above the start one gets by capotto, by saving one, or from the doctor."""
    match = terms(game_of(walk))
    for step in walk.steps:
        for seat, number in enumerate(step.after.own.lives):
            assert number is None or 0 <= number <= (match.cap or 1000)
            risen = (number or 0) > max(match.lives, step.before.own.lives[seat] or 0)
            assert not risen or kinds(step.events) & {"capotto_made", "capotto_saved", "doctor_called"}


@pytest.mark.clause("CC-22", "CC-28", "CC-26")
@EVERY
def test_the_pool(walk: Walk) -> None:
    """CC-I6: the pool is all stakes and fees and never falls before the end; all results add up to nothing."""
    game, match = game_of(walk), terms(game_of(walk))
    pools = [int(facts(view_for(game, p, None), "pool")[None]) for p in walk.positions]
    for p, pool in zip(walk.positions, pools, strict=True):
        paid = game.seats * match.stake + match.fee * sum(p.own.doctor_calls_total)
        assert (0 if game.is_finished(p) else paid) == pool
        assert (0 if game.is_finished(p) else -paid) == sum(match.net(game, p))
    assert all(
        one <= other for one, other in pairwise(pools if not game.is_finished(walk.positions[-1]) else pools[:-1])
    )


@pytest.mark.clause("CC-24", "CC-22", "CC-23")
@EVERY
def test_the_doctor(walk: Walk) -> None:
    """CC-I7: a call brings the fewest lives of the others that are alive, of whom there are two at least."""
    for step in walk.steps:
        if step.move.verb == "call_doctor":
            others = [number for number in step.before.own.lives if number]
            assert len(others) >= 2
            assert min(others) == step.after.own.lives[step.actor]
        if step.before.phase == "doctor":
            assert step.move.verb in ("call_doctor", "drop_out")
            assert step.before.own.lives[step.actor] == 0


@pytest.mark.clause("CC-26", "CC-27")
@EVERY
def test_ends_and_restarts(walk: Walk) -> None:
    """CC-I8, CC-R17: a match ends with one alive; a restart comes of a tie of all who had one life."""
    for step in walk.steps:
        if "restarted" in kinds(step.events):
            assert {terms(game_of(walk)).lives} == set(step.after.own.lives)
            assert {1, None} >= set(step.before.own.lives)
            assert not kinds(step.events) & {"capotto_made", "capotto_saved"}
        assert walk.game.is_finished(step.after) == (len(seats_alive(step.after.own.lives)) == 1)


@pytest.mark.clause("CC-5", "CC-6", "CC-8", "CC-9")
@EVERY
def test_dealer_and_leader(walk: Walk) -> None:
    """CC-I9, CC-I10: both are in, neighbours, and two; the lead goes to the next seat that is in, or stays."""
    starts = [step for step in walk.steps if "deal_started" in kinds(step.events)]
    for step in starts:
        dealer, leader = step.before.match_state.dealer, step.before.leader
        assert dealer != leader
        lives = step.after.own.lives
        assert (leader, dealer) == (next_alive(lives, dealer), previous_alive(lives, leader))
        assert leader == step.after.leader == walk.game.turn(step.after)
    for one, other in pairwise(starts):
        between = walk.steps[walk.steps.index(one) : walk.steps.index(other)]
        if any(step.move.verb == "annul_deal" for step in between):
            assert one.before.leader == other.before.leader
            assert one.before.match_state.dealer == other.before.match_state.dealer
        else:
            assert next_alive(other.before.own.lives, one.before.leader) == other.before.leader


@pytest.mark.clause("ALL-9")
def test_the_matches_show_everything() -> None:
    """In the matches that these laws are held against there is all that can happen between two deals."""
    walks = [known_walk(table, seed, DEALS, 6) for table, seed in PLAYED]
    happened = Counter(event.kind for walk in walks for step in walk.steps for event in step.events)
    wanted = {
        "capotto_made", "capotto_saved", "deal_annulled", "doctor_called", "dropped_out", "eliminated", "restarted",
        "pool_won",
    }  # fmt: skip
    assert wanted <= set(happened), wanted - set(happened)
