"""Taking back: the last decision, with the consent of all, and only while it has uncovered nothing."""

from __future__ import annotations

import pytest

from chitarrella import errors
from chitarrella.affairs import BotSeat
from chitarrella.backward import uncovers
from chitarrella.cards import Card
from chitarrella.catalogue import Agreement
from chitarrella.chronicle import Decision
from chitarrella.game import applied, legal, look
from chitarrella.header import Clock
from chitarrella.kept import Opened, Seen, Wish
from chitarrella.record import read_record
from chitarrella.referee import Referee
from chitarrella.words import CHANCE, Move, Seat
from tests.house.table import CATALOGUE, PARTNERS, SHORT, choice, go_on, on_turn, play_out, steward
from tests.kit import defaults, name, walk

MADRASSO = Agreement("madrasso", 4)


def back(referee: Referee, match: str, seat: Seat, **how: object) -> tuple[bool, Seen]:
    """Let a seat ask, or answer."""
    return steward(referee).take_back(match, seat, **how)  # type: ignore[arg-type]


def refused(referee: Referee, match: str, seat: Seat, **how: object) -> str:
    """Give the reason code with which a seat is turned away, having seen that nothing changes."""
    before = referee.see(match).page
    with pytest.raises(errors.ChitarrellaError) as failed:
        back(referee, match, seat, **how)
    assert before == referee.see(match).page
    return failed.value.code


def after_first_card(referee: Referee, agreement: Agreement = MADRASSO) -> tuple[Opened, Seat]:
    """Open a match and lead; gives the seat that led."""
    opened = referee.open(agreement)
    while (seat := on_turn(referee.see(opened.match))) is not None:
        seen = referee.see(opened.match)
        moves = legal(seen.game, seen.position, seat)
        referee.play(opened.match, Wish(seat, moves[0]))
        if moves[0].verb == "play_card":
            return opened, seat
    raise AssertionError


def test_all_agree(referee: Referee, other: Referee) -> None:
    """Who made the decision asks, the others agree one by one, and the table stands as before; the story goes on."""
    opened, seat = after_first_card(referee)
    begun = Decision(seat, opened.seen.position, None, 0, 0)
    asked = referee.see(opened.match)
    assert refused(referee, opened.match, (seat + 1) % 4) == "not_your_decision"
    assert not back(referee, opened.match, seat)[0]
    for step in (1, 2):
        done, seen = back(other, opened.match, (seat + step) % 4)
        assert not done
        assert (seat, *((seat + one) % 4 for one in range(1, step + 1))) == seen.affairs.want_back
    done, seen = back(referee, opened.match, (seat + 3) % 4)
    assert done
    assert begun.before == seen.position
    assert asked.page.revision + 5 == seen.page.revision
    story, lines = other.chronicle(opened.match)
    kinds = [event.kind for _, events in story.go_on(lines) for event in events]
    assert ["take_back_asked", *["take_back_agreed"] * 3, "taken_back"] == kinds[-5:]
    assert story.position == seen.position
    assert () == seen.affairs.want_back


def test_a_bot_sits_down_meanwhile(referee: Referee) -> None:
    """Where the last one to answer is gone, and a bot has its seat, who has agreed need only say so again."""
    opened, seat = after_first_card(referee)
    for step in range(3):
        assert not back(referee, opened.match, (seat + step) % 4)[0]
    steward(referee).seat_bot(opened.match, BotSeat((seat + 3) % 4, "greedy"))
    assert back(referee, opened.match, (seat + 1) % 4)[0]


def test_the_record_has_what_stands(referee: Referee) -> None:
    """What was taken back is not in the record, which replays to the table as it is."""
    opened, _ = after_first_card(referee)
    back(referee, opened.match, CHANCE)
    go_on(referee, opened.match, 3)
    record = read_record(CATALOGUE, referee.record(opened.match))
    assert 3 == sum(move.verb == "play_card" for _, move in record.moves)


def test_an_answer_of_no(referee: Referee) -> None:
    """One who refuses ends the asking; it may be asked again, withdrawn, and lapses with the next move."""
    opened, seat = after_first_card(referee)
    assert "nothing_to_take_back" == refused(referee, opened.match, (seat + 1) % 4, refuse=True)
    back(referee, opened.match, seat)
    assert () == back(referee, opened.match, (seat + 2) % 4, refuse=True)[1].affairs.want_back
    assert "not_your_decision" == refused(referee, opened.match, (seat + 2) % 4)
    back(referee, opened.match, seat)
    assert (seat,) == back(referee, opened.match, seat)[1].affairs.want_back  # said again it changes nothing
    assert () == back(referee, opened.match, seat, refuse=True)[1].affairs.want_back
    back(referee, opened.match, seat)
    go_on(referee, opened.match, 1)
    assert () == referee.see(opened.match).affairs.want_back
    assert "not_your_decision" == refused(referee, opened.match, seat)


def test_nothing_to_take_back(referee: Referee) -> None:
    """Before the first decision, and when a pack was dealt since, there is nothing; nor when the match is over."""
    opened = referee.open(SHORT)
    assert "nothing_to_take_back" == refused(referee, opened.match, 0)
    play_out(referee, opened.match)
    assert "match_over" == refused(referee, opened.match, 0)
    ended, seat = after_first_card(referee)
    referee.end(ended.match)
    assert "match_ended" == refused(referee, ended.match, seat)


def test_what_was_drawn_since_is_seen(referee: Referee) -> None:
    """A decision by which somebody drew from the stock stands, and so does the one that it answered."""
    opened = referee.open(SHORT)
    first = choice(opened.seen)
    referee.play(opened.match, first)
    second = choice(referee.see(opened.match))
    referee.play(opened.match, second)
    assert "cards_were_seen" == refused(referee, opened.match, second.actor)
    assert "cards_were_seen" == refused(referee, opened.match, CHANCE)
    assert "not_your_decision" == refused(referee, opened.match, first.actor)


def test_a_retry_takes_nothing_more_back(referee: Referee) -> None:
    """A repeated request is answered as the first time, and an id of something else is an error."""
    opened, seat = after_first_card(referee)
    for _ in range(3):
        assert back(referee, opened.match, CHANCE, request="once")[0]
    assert 1 == sum("!take_back" in line for line in referee.moves(opened.match))
    wish = choice(referee.see(opened.match))._replace(request="card")
    referee.play(opened.match, wish)
    assert "request_reused" == refused(referee, opened.match, wish.actor, request="card")
    with pytest.raises(errors.AlreadyExists):
        referee.play(opened.match, Wish(CHANCE, wish.move, None, "once"))
    assert seat == wish.actor


def test_another_table(referee: Referee) -> None:
    """Who builds upon a revision that is not the table's any more is told so."""
    opened, seat = after_first_card(referee)
    revision = referee.see(opened.match).page.revision
    assert "stale_revision" == refused(referee, opened.match, seat, expected=revision - 1)
    assert back(referee, opened.match, CHANCE, expected=revision)[0]


def test_bots_and_signals(referee: Referee) -> None:
    """A bot agrees to everything; what a partner signalled since is forgotten, and tells nobody that there was any."""
    opened = referee.open(PARTNERS, bots=(BotSeat(3, "random"),))
    seat = on_turn(opened.seen)
    go_on(referee, opened.match, 1)
    partner = (seat + 2) % 4
    seen = referee.see(opened.match)
    signals = [move for move in legal(seen.game, seen.position, partner) if move.verb == "signal"]
    if signals:
        referee.play(opened.match, Wish(partner, signals[0]))
    persons = [(seat + step) % 4 for step in range(4) if (seat + step) % 4 != 3]
    results = [back(referee, opened.match, one)[0] for one in persons]
    assert [False, False, True] == results
    assert opened.seen.position == referee.see(opened.match).position


def test_a_card_that_was_looked_at_stays_seen(referee: Referee) -> None:
    """Who may rob and has looked at the next card cannot look as if he had not, by taking it back."""
    opened = referee.open(Agreement("cuccu-a-trionfo", 4, (("cut_mode", "automatic"), ("first_dealer", "0"))))
    referee.play(opened.match, Wish(3, Move("rob_look")))
    assert "cards_were_seen" == refused(referee, opened.match, 3)
    assert "cards_were_seen" == refused(referee, opened.match, CHANCE)


def test_a_secret_signal_leaves_an_ask_as_it_is(referee: Referee) -> None:
    """That nobody asks any more to take back would tell everybody of a signal which is the partner's alone."""
    opened = referee.open(Agreement("briscola", 4, (("signals", "free"),)))
    seat = on_turn(opened.seen)
    go_on(referee, opened.match, 1)
    back(referee, opened.match, seat)
    before = referee.see(opened.match)
    assert referee.play(opened.match, Wish((seat + 1) % 4, Move("signal", word="A"))).accepted
    after = referee.see(opened.match)
    assert (before.affairs.want_back, before.page.revision) == (after.affairs.want_back, after.page.revision)
    story, lines = referee.chronicle(opened.match)
    story.pass_over(lines)
    assert after.affairs == story.affairs


def test_the_clock_runs_on(referee: Referee) -> None:
    """After a decision was taken back its seat thinks again; what is left in the banks stays as it is."""
    opened = referee.open(SHORT, clock=Clock(60_000, 60_000))
    go_on(referee, opened.match, 1)
    done, seen = back(referee, opened.match, CHANCE)
    assert done
    assert (60_000, 60_000) == seen.affairs.banks
    assert seen.affairs.since >= opened.seen.affairs.since


@pytest.mark.parametrize("agreement", defaults(), ids=name)
def test_nobody_keeps_a_card(agreement: Agreement) -> None:
    """At every game: what may be taken back has shown nobody a card that its own seat had not seen before."""
    game = CATALOGUE.seat(agreement)
    free = 0
    for step in walk(agreement, "back", deals=1).steps:
        if step.actor == CHANCE or game.forms[step.move.verb].free:
            continue
        after, _ = applied(game, step.before, step.actor, step.move)
        if uncovers(game, Decision(step.actor, step.before, after, 0, 0)):
            continue
        free += 1
        mine = {card for pile in look(game, step.before, step.actor).piles for card in pile.cards}
        for eyes in (None, *range(game.seats)):
            shown, known = (
                {card for pile in view.piles for card in pile.cards}
                | {fact.value for fact in view.facts if isinstance(fact.value, Card)}
                for view in (look(game, after, eyes), look(game, step.before, eyes))
            )
            assert shown - known <= mine
        own = sorted(card for pile in look(game, after, step.actor).piles for card in pile.cards)
        assert own == sorted(card for pile in look(game, step.before, step.actor).piles for card in pile.cards)
    assert free
