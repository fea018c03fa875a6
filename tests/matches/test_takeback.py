"""Taking back: the last decision, with the consent of all, and only while it has uncovered nothing."""

import pytest

from chitarrella import errors
from chitarrella.catalogue.record import parse_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.game import apply_move, legal_moves
from chitarrella.core.model import CHANCE, Move, Seat
from chitarrella.core.visibility import view_for
from chitarrella.matches.history import Decision
from chitarrella.matches.metadata import BotAssignment, Snapshot
from chitarrella.matches.model import CreatedMatch, CreateMatch, MoveRequest
from chitarrella.matches.operations import reveals_cards
from chitarrella.matches.service import MatchService
from tests.matches.playing import CATALOGUE, SHORT, choice, go_on, log_of, on_turn, operations, play_out
from tests.walks import defaults, name, walk

MADRASSO = RuleSet("madrasso", 4)


def back(service: MatchService, match: str, seat: Seat, **how: object) -> tuple[bool, Snapshot]:
    """Request a takeback as a seat, or answer the request."""
    return operations(service).take_back(match, seat, **how)  # type: ignore[arg-type]  # of all kinds


def refused(service: MatchService, match: str, seat: Seat, **how: object) -> str:
    """The reason code of a takeback that fails; checks that the row stays unchanged."""
    before = service.repository.load(match).row
    with pytest.raises(errors.ChitarrellaError) as failed:
        back(service, match, seat, **how)
    assert before == service.repository.load(match).row
    return failed.value.code


def after_first_card(service: MatchService, rule_set: RuleSet = MADRASSO) -> tuple[CreatedMatch, Seat]:
    """Open a match and lead; gives the seat that led."""
    opened = service.create(CreateMatch(rule_set))
    while (seat := on_turn(service.repository.load(opened.match))) is not None:
        snapshot = service.repository.load(opened.match)
        moves = legal_moves(snapshot.game, snapshot.position, seat)
        service.play(opened.match, MoveRequest(seat, moves[0]))
        if moves[0].verb == "play_card":
            return opened, seat
    raise AssertionError


def test_takeback_needs_the_consent_of_all(service: MatchService, other: MatchService) -> None:
    """The seat that decided asks, the others agree one by one, and the position before returns; history goes on."""
    opened, seat = after_first_card(service)
    begun = Decision(seat, opened.snapshot.position, None, 0, 0)
    asked = service.repository.load(opened.match)
    assert refused(service, opened.match, (seat + 1) % 4) == "not_your_decision"
    assert not back(service, opened.match, seat)[0]
    for step in (1, 2):
        done, snapshot = back(other, opened.match, (seat + step) % 4)
        assert not done
        assert (seat, *((seat + one) % 4 for one in range(1, step + 1))) == snapshot.control.takeback_request
    done, snapshot = back(service, opened.match, (seat + 3) % 4)
    assert done
    assert begun.before == snapshot.position
    assert asked.row.revision + 5 == snapshot.row.revision
    history, lines = other.repository.history(opened.match)
    kinds = [event.kind for step in history.replay(lines) for event in step.events]
    assert ["takeback_requested", *["takeback_agreed"] * 3, "taken_back"] == kinds[-5:]
    assert history.position == snapshot.position
    assert () == snapshot.control.takeback_request


def test_bot_assigned_during_a_takeback_completes_the_consent(service: MatchService) -> None:
    """If a bot replaces the last seat to answer, the decision is taken back; the record omits the move."""
    opened, seat = after_first_card(service)
    for step in range(3):
        assert not back(service, opened.match, (seat + step) % 4)[0]
    snapshot = operations(service).assign_bot(opened.match, BotAssignment((seat + 3) % 4, "greedy"))
    assert ((), 1) == (
        snapshot.control.takeback_request,
        sum("!take_back" in one for one in log_of(service, opened.match)),
    )
    go_on(service, opened.match, 3)
    record = parse_record(CATALOGUE, service.repository.format_record(opened.match))
    assert 3 == sum(move.verb == "play_card" for _, move in record.moves)


def test_takeback_without_a_decision_is_an_error(service: MatchService) -> None:
    """There is nothing to take back before the first decision, after a deal, and after the end."""
    opened = service.create(CreateMatch(SHORT))
    assert "nothing_to_take_back" == refused(service, opened.match, 0)
    play_out(service, opened.match)
    assert "match_finished" == refused(service, opened.match, 0)
    ended, seat = after_first_card(service)
    service.abort(ended.match)
    assert "match_aborted" == refused(service, ended.match, seat)


def test_takeback_stops_at_cards_that_were_seen(service: MatchService) -> None:
    """A decision after which a card was drawn stands, the one that it answered too, and a look at the next card."""
    opened = service.create(CreateMatch(SHORT))
    first = choice(opened.snapshot)
    service.play(opened.match, first)
    second = choice(service.repository.load(opened.match))
    service.play(opened.match, second)
    assert "not_your_decision" == refused(service, opened.match, first.actor)
    rules = RuleSet("cuccu-a-trionfo", 4, (("cut_mode", "automatic"), ("first_dealer", "0")))
    robbing = MoveRequest(3, Move("rob_look"))
    looking = service.create(CreateMatch(rules)).match
    service.play(looking, robbing)
    for match, seat in ((opened.match, second.actor), (opened.match, CHANCE), (looking, 3), (looking, CHANCE)):
        assert "cards_were_seen" == refused(service, match, seat)


def test_repeated_takeback_request_acts_once(service: MatchService) -> None:
    """A repeated request gets the first answer; its id for something else is an error, and so is a stale revision."""
    opened, seat = after_first_card(service)
    revision = service.repository.load(opened.match).row.revision
    assert "stale_revision" == refused(service, opened.match, seat, expected=revision - 1)
    for _ in range(3):
        assert back(service, opened.match, CHANCE, request_id="once", expected=revision)[0]
    assert 1 == sum("!take_back" in line for line in log_of(service, opened.match))
    request = choice(service.repository.load(opened.match))._replace(request_id="card")
    service.play(opened.match, request)
    assert "request_reused" == refused(service, opened.match, request.actor, request_id="card")
    with pytest.raises(errors.AlreadyExists):
        service.play(opened.match, MoveRequest(CHANCE, request.move, None, "once"))
    assert seat == request.actor


def test_repeated_request_is_not_answered_by_a_later_takeback(service: MatchService, clock_ms: list[int]) -> None:
    """A repeated request whose decision the referee has taken back since has the first answer: not by this call."""
    opened, seat = after_first_card(service)
    assert not back(service, opened.match, seat, request_id="asked")[0]
    clock_ms[0] += 1
    assert back(service, opened.match, CHANCE)[0]
    assert not back(service, opened.match, seat, request_id="asked")[0]


def test_signal_does_not_end_a_takeback_request(service: MatchService) -> None:
    """A signal ends no request, which would reveal it, and is taken back with the decision; bots agree to all."""
    rules = RuleSet("briscola", 4, (("signals", "free"),))
    opened = service.create(CreateMatch(rules, bots=(BotAssignment(3, "random"),)))
    seat = on_turn(opened.snapshot)
    go_on(service, opened.match, 1)
    first, *others = [(seat + step) % 4 for step in range(4) if (seat + step) % 4 != 3]
    assert not back(service, opened.match, first)[0]
    before = service.repository.load(opened.match)
    assert service.play(opened.match, MoveRequest((seat + 2) % 4, Move("signal", choice="A"))).accepted
    after = service.repository.load(opened.match)
    assert (before.control, before.row.revision) == (after.control, after.row.revision)
    history, lines = service.repository.history(opened.match)
    history.skip(lines)
    assert after.control == history.control._replace(talk=((CHANCE, 1),))
    assert [False, True] == [back(service, opened.match, one)[0] for one in others]
    assert opened.snapshot.position == service.repository.load(opened.match).position


def test_shown_hand_ends_no_takeback_request(service: MatchService) -> None:
    """A hand that is shown to the partner changes nothing of a declined request, which would reveal it."""
    opened = service.create(CreateMatch(RuleSet("briscola", 4, (("signals", "off"),))))
    go_on(service, opened.match, 29)  # the stock is gone, and a card of the next trick is played
    seat, other = ((on_turn(service.repository.load(opened.match)) or 0) + step for step in (3, 4))
    back(service, opened.match, seat % 4)
    back(service, opened.match, other % 4, decline=True)
    before = service.repository.load(opened.match)
    assert service.play(opened.match, MoveRequest(other % 4, Move("show_hand_to_partner"))).accepted
    after = service.repository.load(opened.match)
    assert (before.control, before.row.revision) == (after.control, after.row.revision)


def test_bot_in_place_of_a_person_shows_no_card_by_takebacks(service: MatchService) -> None:
    """Among bots a person takes back what they have played since, unless it shows the hand of a person who is away."""
    scopa = RuleSet("scopa", 2, (("first_dealer", "1"),))
    trained = service.create(CreateMatch(scopa, bots=(BotAssignment(1, "easy"),))).match
    left = service.create(CreateMatch(scopa)).match
    operations(service).assign_bot(left, BotAssignment(1, "easy"), 1)
    for match in (trained, left):
        snapshot, before = service.repository.load(match), service.repository.load(match).position
        service.play(match, MoveRequest(0, legal_moves(snapshot.game, before, 0)[0]))
        assert operations(service).run_due(match)
        if match == trained:
            assert back(service, match, 0)[0]
            assert before == service.repository.load(match).position
    assert "cards_were_seen" == refused(service, left, 0)


def test_a_decision_is_asked_for_once(service: MatchService) -> None:
    """A request ends with the next move, or declined or withdrawn; then it is not made again for the same decision."""
    opened, seat = after_first_card(service)
    assert "nothing_to_take_back" == refused(service, opened.match, (seat + 1) % 4, decline=True)
    back(service, opened.match, seat)
    assert (seat,) == back(service, opened.match, seat)[1].control.takeback_request  # said again it changes nothing
    assert () == back(service, opened.match, (seat + 2) % 4, decline=True)[1].control.takeback_request
    assert "not_your_decision" == refused(service, opened.match, (seat + 2) % 4)
    assert "already_declined" == refused(service, opened.match, seat)
    assert back(service, opened.match, CHANCE)[0]
    service.play(opened.match, choice(service.repository.load(opened.match)))
    back(service, opened.match, seat)
    back(service, opened.match, seat, decline=True)
    assert "already_declined" == refused(service, opened.match, seat)
    go_on(service, opened.match, 1)
    back(service, opened.match, (seat + 1) % 4)
    go_on(service, opened.match, 1)
    assert () == service.repository.load(opened.match).control.takeback_request
    assert "not_your_decision" == refused(service, opened.match, seat)


@pytest.mark.parametrize("rule_set", defaults(), ids=name)
def test_takeback_reveals_no_card_in_any_game(rule_set: RuleSet) -> None:
    """In every game, what may be taken back has shown nobody a card that its own seat had not seen."""
    game = CATALOGUE.game_for(rule_set)
    free = 0
    for step in walk(rule_set, "back", deals=1).steps:
        if step.actor == CHANCE or game.move_specs[step.move.verb].out_of_turn:
            continue
        after, _ = apply_move(game, step.before, step.actor, step.move)
        if reveals_cards(game, Decision(step.actor, step.before, after, 0, 0), step.actor):
            continue
        free += 1
        mine = {card for zone in view_for(game, step.before, step.actor).zones for card in zone.cards}
        for viewer in (None, *range(game.seats)):
            shown, known = (
                {card for zone in view.zones for card in zone.cards}
                | {fact.value for fact in view.facts if isinstance(fact.value, Card)}
                for view in (view_for(game, after, viewer), view_for(game, step.before, viewer))
            )
            assert shown - known <= mine
        own = sorted(card for zone in view_for(game, after, step.actor).zones for card in zone.cards)
        assert own == sorted(card for zone in view_for(game, step.before, step.actor).zones for card in zone.cards)
    assert free
