"""The referee judges and plays: revisions, workers that remember, and how matches end."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest

from chitarrella import errors
from chitarrella.catalogue import Agreement, Catalogue
from chitarrella.chronicle import Cursor
from chitarrella.games.briscola import BRISCOLA
from chitarrella.games.briscolone import BRISCOLONE
from chitarrella.header import Clock
from chitarrella.kept import Wish
from chitarrella.redis_store import RedisStore
from chitarrella.referee import Referee
from chitarrella.timekeeper import LEASE, Timekeeper
from chitarrella.words import CHANCE, Edition, Move
from tests.house.table import (
    SHORT,
    check_books,
    choice,
    go_on,
    play_out,
    raised,
    same_answer,
    steward,
    unheld,
)
from tests.servers import until

# ---------------------------------------------------------------------- moving


def test_a_move_at_the_revision_that_was_expected(referee: Referee) -> None:
    """Who expects the table as it is may move; what came of it is told, under the next revision."""
    opened = referee.open(SHORT)
    wish = choice(opened.seen)._replace(expected=1)
    played = referee.play(opened.match, wish)
    assert (True, (), 2, False) == (played.accepted, played.refusals, played.revision, played.repeated)
    assert [Cursor(2)] == [told.cursor for told in played.told]
    assert wish.move.cards == played.told[0].events[0].cards
    assert played.seen.page == referee.see(opened.match).page


@pytest.mark.parametrize("expected", [0, 1, 3, 4_000_000_000])
def test_the_table_has_moved_on(referee: Referee, other: Referee, expected: int) -> None:
    """Who expects another revision than the present one is told which it is, and nothing is played."""
    opened = referee.open(SHORT)
    go_on(referee, opened.match)
    for asked in (referee, other):
        with pytest.raises(errors.Stale) as wrong:
            asked.play(opened.match, choice(asked.see(opened.match))._replace(expected=expected))
        raised(errors.Stale, "stale_revision", by=wrong.value)
        assert {"revision": "2", "still_legal": "true"} == wrong.value.details
        with pytest.raises(errors.Stale) as wrong:
            asked.play(opened.match, unheld(asked.see(opened.match))._replace(expected=expected))
        assert {"revision": "2", "still_legal": "false"} == wrong.value.details
    assert 2 == len(check_books(referee, opened))


def test_a_move_that_the_rules_forbid(referee: Referee) -> None:
    """A refusal is an answer: it names the clause, changes nothing, and is not remembered as a request."""
    opened = referee.open(SHORT)
    wrong = unheld(opened.seen)._replace(request="request")
    for _ in range(2):
        played = referee.play(opened.match, wrong)
        assert (False, ["not_in_hand"], 1, (), False) == (
            played.accepted,
            [refusal.code for refusal in played.refusals],
            played.revision,
            played.told,
            played.repeated,
        )
    assert opened.seen.page == referee.see(opened.match).page
    assert referee.play(opened.match, choice(opened.seen)._replace(request="request")).accepted


def test_a_worker_that_remembers_an_old_table(referee: Referee, other: Referee) -> None:
    """A worker that has missed moves judges by the table as it is, not as it remembers it."""
    opened = referee.open(SHORT)
    assert opened.seen.page == other.see(opened.match).page
    first = choice(opened.seen)
    go_on(referee, opened.match, 3)
    refused = other.play(opened.match, first)
    assert (False, 4) == (refused.accepted, refused.revision)
    wish = choice(referee.see(opened.match))
    go_on(referee, opened.match)
    fresh = choice(referee.see(opened.match))
    assert wish != fresh
    assert other.play(opened.match, fresh).accepted
    assert 6 == len(check_books(other, opened))


def test_two_workers_take_turns(referee: Referee, other: Referee) -> None:
    """Two services on one store play a match together, to the end, each knowing only what it reads."""
    opened = referee.open(SHORT)
    asked = [referee, other]
    while not (seen := asked[0].known(opened.match)).game.over(seen.position):
        seen = asked[1].see(opened.match)
        if seen.game.over(seen.position):
            break
        assert asked[0].play(opened.match, choice(seen)._replace(expected=seen.page.revision)).accepted
        asked.reverse()
    log = check_books(referee, opened)
    assert len(log) > 40
    assert referee.record(opened.match) == other.record(opened.match)


# ---------------------------------------------------------------------- endings


def test_a_match_that_is_over(referee: Referee, other: Referee) -> None:
    """When the match is played out no move and no pack is accepted, and the refusal says that it is over."""
    opened = referee.open(SHORT)
    play_out(referee, opened.match)
    seen = referee.see(opened.match)
    pack = Move("start_deal", seen.game.pack.cards)
    for asked in (referee, other):
        for wish in (Wish(0, Move("play_card", (seen.game.pack.cards[0],))), Wish(CHANCE, pack)):
            played = asked.play(opened.match, wish)
            assert (False, ["match_over"]) == (played.accepted, [refusal.code for refusal in played.refusals])
    check_books(referee, opened)


def test_a_match_that_was_ended(referee: Referee, other: Referee) -> None:
    """A match that was ended can be looked at and ended again, but nobody moves; an old request is still answered."""
    opened = referee.open(SHORT)
    wish = choice(opened.seen)._replace(request="request")
    first = referee.play(opened.match, wish)
    other.see(opened.match)
    for _ in range(2):
        assert first.seen.page._replace(ended=True) == referee.end(opened.match).page
    for asked in (referee, other):
        with pytest.raises(errors.NotPossibleNow) as wrong:
            asked.play(opened.match, choice(asked.see(opened.match)))
        raised(errors.NotPossibleNow, "match_ended", by=wrong.value)
        same_answer(first, asked.play(opened.match, wish))
    assert 2 == len(check_books(other, opened))


def test_no_such_match(referee: Referee) -> None:
    """Whatever is asked of a match that is not there, the answer is that there is none."""
    wish = choice(referee.open(SHORT).seen)
    for ask in (
        lambda: referee.see("none"),
        lambda: referee.known("none"),
        lambda: referee.play("none", wish),
        lambda: referee.end("none"),
        lambda: referee.record("none"),
        lambda: referee.chronicle("none"),
    ):
        with pytest.raises(errors.NotFound) as wrong:
            ask()
        raised(errors.NotFound, "no_such_match", by=wrong.value)


def test_a_match_that_has_expired(referee: Referee) -> None:
    """A match that a worker still remembers, but the store does not, is not there."""
    opened = referee.open(SHORT, expires=1)
    until(lambda: not referee.moves(opened.match), "the match is forgotten", 5)
    for ask in (
        lambda: referee.play(opened.match, choice(opened.seen)),
        lambda: referee.play(opened.match, unheld(opened.seen)),
        lambda: referee.see(opened.match),
        lambda: referee.end(opened.match),
    ):
        with pytest.raises(errors.NotFound):
            ask()


def test_a_match_goes_on_in_its_edition(referee: Referee, store: RedisStore) -> None:
    """A match is played to its end by the rules it began with, while new ones get the latest."""
    opened = referee.open(SHORT)
    tomorrow = ModuleType("tomorrow")
    later = (*BRISCOLA.editions, Edition(2, "Another game."))
    tomorrow.GAMES = (replace(BRISCOLA, editions=later, title="New"), BRISCOLA)  # type: ignore[attr-defined]
    catalogue = Catalogue(iter([tomorrow]))
    there = Referee(catalogue, store)
    go_on(there, opened.match, 40)
    seen = there.see(opened.match)
    assert (1, BRISCOLA.title) == (seen.header.agreement.edition, seen.game.title)
    assert "edition 1\n" in there.record(opened.match)
    assert (2, "New") == (there.open(SHORT).seen.header.agreement.edition, catalogue.game("briscola").title)
    assert [True, True, False] == [catalogue.keeps("briscola", number) for number in (1, 2, 3)]


def test_a_position_that_is_not_kept(referee: Referee, other: Referee, store: RedisStore) -> None:
    """So it is where another release has left a position that is none by today's rules; no card of it is told."""
    opened = referee.open(SHORT)
    (page,) = [name for name in store.client.scan_iter(f"*{opened.match}*") if store.client.type(name) == "hash"]
    assert store.client.hset(page, "p", "phase=play dealer=0 hands=Ab,Ab/Ab") == 0
    with pytest.raises(errors.NotPossibleNow) as wrong:
        other.see(opened.match)
    raised(errors.NotPossibleNow, "edition_not_kept", by=wrong.value)
    assert "Ab" not in str(wrong.value)


def test_an_edition_that_is_not_kept(referee: Referee, store: RedisStore) -> None:
    """A match of another edition is neither judged nor retold by today's rules: that is said, whatever is asked."""
    tomorrow = ModuleType("tomorrow")
    tomorrow.GAMES = (replace(BRISCOLA, editions=(Edition(2, "Another game."),)),)  # type: ignore[attr-defined]  # a module is what it is given
    later = Referee(Catalogue(iter([tomorrow])), store)
    opened = later.open(SHORT)
    assert 2 == opened.seen.header.agreement.edition
    for ask in (
        lambda: referee.see(opened.match),
        lambda: referee.known(opened.match),
        lambda: referee.play(opened.match, choice(opened.seen)),
        lambda: referee.end(opened.match),
        lambda: referee.record(opened.match),
        lambda: referee.chronicle(opened.match),
    ):
        with pytest.raises(errors.NotPossibleNow) as wrong:
            ask()
        raised(errors.NotPossibleNow, "edition_not_kept", by=wrong.value)


def test_what_is_of_another_release_is_left_to_it(referee: Referee, store: RedisStore, hour: list[int]) -> None:
    """A worker that does not know a game, or its edition, leaves to others what is due there, and can forget it."""
    tomorrow, yesterday = ModuleType("tomorrow"), ModuleType("yesterday")
    tomorrow.GAMES = (replace(BRISCOLA, editions=(Edition(2, "Another game."),)),)  # type: ignore[attr-defined]  # a module is what it is given
    yesterday.GAMES = (BRISCOLONE,)  # type: ignore[attr-defined]
    later, before = (Referee(Catalogue(iter([module])), store) for module in (tomorrow, yesterday))
    opened = later.open(SHORT, clock=Clock(1_000, 0), platform="acme")
    known = before.open(Agreement("briscolone", 2), clock=Clock(1_000, 0), platform="acme")
    assert [known.match] == [match for match, _ in referee.opened_by("acme", "", 10)[0]]
    hour[0] += 2_000
    assert 1 == Timekeeper(steward(before)).look()  # the other match is passed over, and does not hold this one up
    assert [1, 3] == [later.see(opened.match).page.revision, before.see(known.match).page.revision]
    hour[0] += LEASE
    assert 1 == Timekeeper(steward(later)).look()
    assert 3 == later.see(opened.match).page.revision
    before.delete(opened.match)
    for worker in (before, later):  # one that remembers the match asks the store, too
        with pytest.raises(errors.NotFound):
            worker.delete(opened.match)
