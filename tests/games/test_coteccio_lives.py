"""Coteccio: who loses a life and who gains one, and the doctor (clauses CC-16 to CC-25)."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from chitarrella.cli.screen import Screen
from chitarrella.core.model import REFEREE
from chitarrella.core.notation import InvalidPosition
from tests.games.support.coteccio_tables import (
    SEATS,
    before_deal,
    each,
    game,
    life_events,
    lost_by,
    options,
    over,
    record,
    row,
    scored,
    seen_to,
    swept,
    terms,
    waiting,
)
from tests.games.support.examples import Block, blocks
from tests.games.support.table import Match, events_of, facts, net, worth, zone

# ---------------------------------------------------------------------- lives


@pytest.mark.clause("CC-16", "CC-17", "CC-18", "CC-19", "CC-20")
@each("outcome")
def test_outcome(block: Block) -> None:
    """CC-E4 to CC-E8, CC-E15, CC-E25: a whole deal is played, and these are the lives after the count."""
    said = block.words()
    lives = row(said["lives"])
    cap = {"life_cap": said["life_cap"]} if "life_cap" in said else {}
    match = before_deal(game(4, **cap), lives)
    if "points" in said:
        points = {int(place): int(number) for place, number in (part.split() for part in said["points"].split(", "))}
        scored(match, points).perform(match)
        assert [tuple((str(place), number) for place, number in points.items())] == [
            event.shares for event in events_of(match, "deal_counted")
        ]
    elif "annulled" in said:
        hero = int(said["annulled"])
        swept(match, hero, hero).perform(match, tricks=4).say(hero, "annul_deal")
    else:
        hero, last = map(int, said["saved"].split(" by ")) if "saved" in said else [int(said["capotto"])] * 2
        swept(match, hero, last).perform(match)
        kind, other = ("capotto_saved", hero) if "saved" in said else ("capotto", None)
        assert [(last, other)] == [(event.seat, event.other) for event in events_of(match, kind)]
    assert row(said["after"]) == life_events(lives, match.events)


@pytest.mark.clause("CC-18", "CC-21", "CC-22")
def test_the_hero_of_a_saved_capotto_may_call_the_doctor() -> None:
    """CC-R34: seat 0 loses its last life in a saved capotto while two others are alive, and is asked."""
    match = before_deal(game(), (1, 2, 4, 3))
    swept(match, 0, 1).perform(match)
    assert ("doctor", 0, (0, 3, 4, 3)) == (match.p.phase, match.game.turn(match.p), match.p.own.lives)
    match.say(0, "call_doctor")
    assert (3, 3, 4, 3) == match.p.own.lives


# ---------------------------------------------------------------------- the doctor


@pytest.mark.clause("CC-22", "CC-23", "CC-24")
@each("doctor")
def test_doctor(block: Block) -> None:
    """CC-E9 to CC-E12, CC-E22, CC-E26: who may call, and how many lives that brings; who may not is out at once."""
    said = block.words()
    lives, asked = row(said["lives"]), int(said["seat"])
    calls = [int(number) for number in said.get("calls", "").split()]
    g = game(len(lives), **options(said))
    assert (said["may_call"] == "yes") == terms(g).may_call(record(lives, calls), asked)
    if said["may_call"] == "yes":
        match = waiting(g, lives, asked, calls)
        assert (asked, ["call_doctor", "drop_out"]) == (g.turn(match.p), match.moves(asked))
        before = match.p.own
        match.say(asked, "call_doctor")
        assert int(said["receives"]) == match.p.own.lives[asked]
        for name in ("doctor_calls", "doctor_calls_total"):
            old, new = getattr(before, name), getattr(match.p.own, name)
            assert tuple(number + (place == asked) for place, number in enumerate(old)) == new
        return
    assert "-" == said["receives"]
    after, events = seen_to(g, over(g, lives, asked, calls))
    assert ("died", asked, None) == (events[0].kind, events[0].seat, after.own.lives[asked])
    with pytest.raises(InvalidPosition):
        waiting(g, lives, asked, calls)


@pytest.mark.clause("CC-21", "CC-23")
@pytest.mark.parametrize("leader", [0, 1, 2, 3, 4])
def test_seats_are_asked_from_the_leader_on(leader: int) -> None:
    """CC-E22, CC-R11: three at zero are asked one by one, the leader of the deal first, the dealer last."""
    lives = tuple(0 if place in (0, 2, 4) else 2 for place in range(5))
    match = waiting(game(5), lives, leader)
    asked = []
    while match.p.phase == "doctor":
        asked.append(match.game.turn(match.p) or 0)
        assert [["not_your_turn"]] * 4 == [match.codes(s, "drop_out") for s in range(5) if s != asked[-1]]
        match.say(asked[-1], "call_doctor")
    assert sorted((0, 2, 4), key=lambda place: (place - leader) % 5) == asked
    assert (2,) * 5 == match.p.own.lives


@pytest.mark.clause("CC-23", "CC-25")
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_dropping_out(players: int) -> None:
    """Who drops out is out for good: no cards, no vote, nothing paid back, and no doctor later (CC-R21)."""
    lives = (0, *(2 for _ in range(players - 1)))
    match = waiting(game(players), lives, 0)
    match.say(0, "drop_out")
    assert ([0], {0: 1}) == ([event.seat for event in events_of(match, "dropped_out")], facts(match.view(None), "out"))
    assert (None, -1000) == (match.p.own.lives[0], net(match.view(None))[0])
    match.deal(match.game.pack.cards)
    assert ((), []) == (match.p.hands[0], match.moves(0))
    assert ["wrong_phase"] == match.codes(0, "call_doctor")


@pytest.mark.clause("CC-22", "CC-24")
@pytest.mark.parametrize("limit", ["0", "1", "2", "unlimited"])
def test_the_limit_of_a_seat(limit: str) -> None:
    """CC-E18: a seat may call as often as agreed; when its calls are used up it is out without a decision."""
    g = game(doctor_limit=limit)
    for calls in range(4):
        if limit != "unlimited" and calls > int(limit):
            with pytest.raises(InvalidPosition):
                before_deal(g, (1, 2, 2, 2), calls=[calls, 0, 0, 0])
            continue
        match = before_deal(g, (1, 2, 2, 2), calls=[calls, 0, 0, 0])
        lost_by(match, 0)
        may = limit == "unlimited" or calls < int(limit)
        assert ("doctor" if may else "deal", [] if may else [0]) == (
            match.p.phase,
            [event.seat for event in events_of(match, "died")],
        )


@pytest.mark.clause("CC-22")
def test_the_limit_of_the_table() -> None:
    """CC-E18: with a limit of one for the whole game nobody else may call after seat 0, until a restart."""
    g = game(doctor_limit_scope="per_game")
    match = waiting(g, (0, 0, 2, 3), 0)
    match.say(0, "call_doctor")
    assert ([1], "deal", (2, None, 2, 3)) == (
        [event.seat for event in events_of(match, "died")],
        match.p.phase,
        match.p.own.lives,
    )
    again = before_deal(g, (1, 1, None, None), calls=[1, 0, 0, 0])
    lost_by(again, 0, 1)
    assert (0, 0, 0, 0) == again.p.own.doctor_calls


@pytest.mark.clause("CC-20", "ALL-8")
@pytest.mark.parametrize(("cap", "after"), [("3", 3), ("4", 4), ("unlimited", 4)])
def test_lives_and_cap(cap: str, after: int) -> None:
    """`lives` and `life_cap`: with how many all begin, and beyond which number a gain is lost (CC-R10, CC-R35)."""
    match = Match(game(3, 0, lives="3", life_cap=cap))
    assert (3, 3, 3) == match.p.own.lives
    swept(match, 0, 0).perform(match)
    assert (after, 2, 2) == match.p.own.lives
    assert [after] * (after > 3) == [event.amount for event in events_of(match, "life_gained")]


# ---------------------------------------------------------------------- coteccio matches


MATCHES = [block for block in blocks("coteccio.txt") if block.lines[0] == "game: coteccio"]


class Course:
    """A match that is played as its lines say; every line is done or checked, one after the other."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        said = dict(line.split(": ", 1) for line in lines if ": " in line)
        players = int(said["players"].split(",")[0])
        agreed = dict(re.findall(r"(\w+): (\w+)", lines[1]))
        options = {name: agreed[name] for name in ("lives", "stake", "doctor_fee", "doctor_limit")}
        first = next(line.split()[1] for line in lines if line.startswith("dealer:")).strip(",")
        self.match = Match(game(players, int(first), **options))
        self.pack = ""

    def dealer(self, words: str) -> None:
        """Check who deals and who leads."""
        dealer, leader = map(int, re.findall(r"\d", words))
        assert ("deal", dealer, leader) == (
            self.match.p.phase,
            self.match.p.match_state.dealer,
            self.match.p.leader,
        )

    def lives(self, words: str) -> None:
        """Check the lives before a deal."""
        assert row(words) == self.match.p.own.lives

    def deal(self, words: str) -> None:
        """Deal the two halves of a pack."""
        self.before = self.match.p.own.lives
        self.match.deal(self.match.game.pack.hand(f"{self.pack} {words}".split()))
        self.events_for = len(self.match.events)

    def hand(self, place: int, words: str) -> None:
        """Check a hand."""
        assert words == " ".join(self.match.p.hands[place])

    def trick(self, words: str) -> None:
        """Play a trick, and check who takes it, and its worth."""
        found = re.fullmatch(r"(.+) -> (\d) \((\d+)(?: \+ 6)?\)", words)
        assert found
        for play in found[1].split(", "):
            assert int(play.split()[0]) == self.match.game.turn(self.match.p)
            self.match.play(play)
        trick = self.match.p.tricks[-1]
        assert (int(found[2]), int(found[3])) == (trick.winner, worth(self.match.game, trick.cards))
        assert ("+ 6" in words) == (len(self.match.p.tricks) == 5)

    def choice(self, words: str) -> None:
        """Annul, or be about to lead the last card."""
        place = int(words[0])
        assert ("last_trick_choice", place) == (self.match.p.phase, self.match.game.turn(self.match.p))
        if words.endswith("annul_deal"):
            self.match.say(place, "annul_deal")

    def points(self, words: str) -> None:
        """Check the points of a deal, if they are counted."""
        counted = [event.shares for event in self.match.events[self.events_for :] if event.kind == "deal_counted"]
        if words == "not counted":
            assert [] == counted
            return
        points = [(place, int(number)) for place, number in (part.split() for part in words.split(", "))]
        assert [tuple(points)] == counted
        assert all(number == facts(self.match.view(None), "points")[int(place)] for place, number in points)

    def outcome(self, words: str) -> None:
        """Check which kind of deal it was, and who lost most."""
        events = self.match.events[self.events_for :]
        kinds = {event.kind for event in events}
        lost = {event.seat for event in events if event.kind == "life_lost"}
        assert ("annulled" in words, "saved" in words) == ("deal_annulled" in kinds, "capotto_saved" in kinds)
        if words.startswith("most points"):
            assert {int(place) for place in re.findall(r"\d", words)} == lost

    def after(self, words: str) -> None:
        """Check the lives after the count, before anybody was seen to."""
        assert row(words) == life_events(self.before, self.match.events[self.events_for :])

    def doctor(self, words: str) -> None:
        """Call the doctor or drop out, or see that a seat is out without being asked."""
        place, what = int(words.split(maxsplit=1)[0]), words.split()[1].strip(",")
        if what == "is":
            assert place in {event.seat for event in self.match.events[self.events_for :] if event.kind == "died"}
            return
        assert ("doctor", place) == (self.match.p.phase, self.match.game.turn(self.match.p))
        self.match.say(place, what)
        if found := re.search(r"receives (\d+), pool (\d+)", words):
            assert int(found[1]) == self.match.p.own.lives[place]
            assert {None: int(found[2])} == facts(self.match.view(None), "pool")

    def restart(self, words: str) -> None:
        """Check that all begin again."""
        lives, pool = map(int, re.findall(r"\d+", words))
        assert {lives} == set(self.match.p.own.lives)
        assert {None: pool} == facts(self.match.view(None), "pool")
        assert "restarted" in {event.kind for event in self.match.last}

    def winner(self, words: str) -> None:
        """Check who has won, and how much."""
        place, pool = map(int, re.findall(r"\d+", words))
        assert ("match_over", frozenset({place})) == (self.match.p.phase, self.match.game.outcome(self.match.p))
        assert [(place, pool)] == [(event.seat, event.amount) for event in events_of(self.match, "pool_won", None)]
        assert [place] == [event.seat for event in events_of(self.match, "match_won", None)]

    def net(self, words: str) -> None:
        """Check what everybody has won or lost."""
        won = {int(place): int(number) for place, number in (part.split() for part in words.split(", "))}
        assert won == net(self.match.view(None))

    def follow(self, line: str) -> None:
        """Do what a line says."""
        key, _, words = line.partition(": ")
        if found := re.fullmatch(r"hand (\d)", key):
            self.hand(int(found[1]), words)
        elif key == "pack":
            self.pack = words
        elif key.startswith("trick "):
            assert int(key.split()[1]) == len(self.match.p.tricks) + 1
            self.trick(words)
        elif found := re.fullmatch(r"deal (\d+)", key):
            assert int(found[1]) == self.match.p.match_state.deal + 1
        else:
            {
                "dealer": self.dealer,
                "lives before": self.lives,
                "pack+": self.deal,
                "choice": self.choice,
                "points": self.points,
                "outcome": self.outcome,
                "lives after": self.after,
                "doctor": self.doctor,
                "restart": self.restart,
                "match winner": self.winner,
                "net": self.net,
            }[key](words)


@pytest.mark.clause("CC-7", "CC-11", "CC-14", "CC-15", "CC-16", "CC-18", "CC-19", "CC-23", "CC-26", "CC-27", "CC-28")
@pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in MATCHES])
def test_complete_match(block: Block) -> None:
    """CC-E19 to CC-E21: every deal, hand, trick, choice, count, doctor and restart, and who takes the pool."""
    course = Course(block.lines)
    for line in block.lines[2:]:
        course.follow(line)
    assert course.match.game.turn(course.match.p) is None


# ---------------------------------------------------------------------- coteccio rulings


@pytest.mark.clause("CC-7", "ALL-5", "ALL-6")
@pytest.mark.parametrize("players", SEATS)
def test_the_rest_of_the_pack_is_never_shown(players: int) -> None:
    """CC-R2, CC-R28, CC-R29: after the deal and after the match tricks lie open, and the rest face down."""
    ended = before_deal(game(players), (2, 1, *(None for _ in range(players - 2))), 0)
    going = before_deal(game(players), (2,) * players, 0)
    for match in (lost_by(ended, 1), lost_by(going, 1)):
        for viewer in (None, *range(players)):
            view = match.view(viewer)
            taken = [each.cards for each in view.zones if each.name == "taken"]
            assert [trick.cards for trick in match.p.tricks] == taken
            assert ((), len(match.p.own.undealt)) == (zone(view, "undealt").cards, zone(view, "undealt").size)
        assert match.p.own.undealt == zone(match.view(REFEREE), "undealt").cards
        assert all(set(match.p.own.undealt).isdisjoint(event.cards) for event in match.events)
    assert ("match_over", "deal") == (ended.p.phase, going.p.phase)


@pytest.mark.clause("CC-7", "CC-9", "CC-12", "CC-19")
@pytest.mark.parametrize("players", [2, 4, 7])
def test_annulling_again_and_again(players: int) -> None:
    """CC-R1, CC-R6, CC-R7: there is no limit to annulled deals; each time the same seat deals and the same leads."""
    match = before_deal(game(players), (1,) * players, 1)
    for deal in range(1, 7):
        hero = deal % players
        swept(match, hero, hero).perform(match, tricks=4).say(hero, "annul_deal")
        assert ((1,) * players, 1, 0, deal) == (
            match.p.own.lives,
            match.p.leader,
            match.p.match_state.dealer,
            match.p.match_state.deal,
        )
    assert [] == events_of(match, "deal_counted")


@pytest.mark.clause("CC-24", "CC-8")
def test_a_revived_seat_keeps_its_place() -> None:
    """CC-R24: seat 2 leads next although it has just been revived by the doctor."""
    match = before_deal(game(), (3, 3, 1, 3), 1)
    lost_by(match, 2)
    match.say(2, "call_doctor")
    assert (2, 1, 3) == (match.p.leader, match.p.match_state.dealer, match.p.own.lives[2])


@pytest.mark.clause("CC-22", "CC-24")
def test_seats_at_zero_do_not_count() -> None:
    """CC-R18, CC-R19, CC-R20: the fewest lives are those of others with one at least; nobody counts himself."""
    match = waiting(game(5), (0, 0, 4, 2, None), 1)
    assert 1 == match.game.turn(match.p)
    match.say(1, "call_doctor")
    assert (0, 2, 4, 2, None) == match.p.own.lives
    match.say(0, "call_doctor")
    assert (2, 2, 4, 2, None) == match.p.own.lives
    after, _ = seen_to(game(3), over(game(3), (0, 0, 2), 0))
    assert (None, None, 2) == after.own.lives


@pytest.mark.clause("CC-27", "CC-28")
@pytest.mark.parametrize("players", [3, 5, 7])
def test_nobody_pays_at_a_restart(players: int) -> None:
    """CC-R13 to CC-R17: two tie with one life each; nobody pays again, and the doctor comes to all once more."""
    calls = [1] * players
    lives = (1, 1, *(None for _ in range(players - 2)))
    match = before_deal(game(players), lives, 0, calls)
    paid = net(match.view(None))
    lost_by(match, 0, 1)
    assert (0, 0, *(None for _ in range(players - 2))) == life_events(lives, match.events)
    assert (paid, {None: 1500 * players}) == (net(match.view(None)), facts(match.view(None), "pool"))
    assert ((0,) * players, tuple(calls)) == (match.p.own.doctor_calls, match.p.own.doctor_calls_total)
    assert (1, 0) == (match.p.leader, match.p.match_state.dealer)


@pytest.mark.clause("CC-5", "CC-8", "CC-11")
def test_neighbours_are_in() -> None:
    """CC-R32, CC-R33: right and left pass over seats that are out, for deals, leads and forced cards alike."""
    match = before_deal(game(7), (None, 2, None, None, 2, None, None), 4)
    assert (4, 1) == (match.p.leader, match.p.match_state.dealer)
    match.deal(match.game.pack.cards)
    turns = []
    while match.p.phase in match.game.deal_phases:
        turns.append(match.game.turn(match.p) or 0)
        match.say(turns[-1], match.moves(turns[-1])[-1])
    assert ({1, 4}, 10) == (set(turns), len(turns))


@pytest.mark.clause("CC-1")
def test_cards_stand_beside_the_seats_that_played_them() -> None:
    """In the terminal the cards of a trick are named after the seats that are in, and not after their neighbours."""
    match = before_deal(game(5), (2, None, 2, None, 2), 4)
    match.deal(match.game.pack.cards)
    for place in (4, 0):
        match.say(place, match.moves(place)[0])
    out = io.StringIO()
    Screen(Console(file=out, width=150), match.game, 2).print_table(match.view(2))
    (line,) = [row for row in out.getvalue().splitlines() if "Trick" in row]
    assert ["4", "0"] == [word for word in line.split() if word.isdecimal()]


@pytest.mark.clause("CC-23", "ALL-5")
def test_decisions_are_events_for_everybody() -> None:
    """Calls and departures are public events, with what was paid and received."""
    match = waiting(game(5), (0, 0, 2, 3, 3), 0)
    match.say(0, "call_doctor")
    for viewer in (None, *range(5)):
        events = [(event.kind, event.seat, event.amount) for event in match.events_for(viewer)]
        assert [("fee_paid", 0, 500), ("doctor_called", 0, 2)] == events
    match.say(1, "drop_out")
    for viewer in (None, *range(5)):
        assert [("dropped_out", 1)] == [(event.kind, event.seat) for event in match.events_for(viewer)]
