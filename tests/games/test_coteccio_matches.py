"""Coteccio: the complete matches of the specification, card by card (CC-E19 to CC-E21)."""

from __future__ import annotations

import re

import pytest

from tests.games.support.coteccio_tables import game, life_events, row
from tests.games.support.examples import Block, blocks
from tests.games.support.table import Match, events_of, facts, net, worth

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
