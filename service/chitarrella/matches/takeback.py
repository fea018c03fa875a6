"""Takebacks: which decision would be taken back, and what stands against it.

A decision may be taken back while it has shown nobody a card but those of its own seat: nothing that was hidden from
that seat was moved, opened or looked at, and no shuffle was made since.
"""

from __future__ import annotations

from chitarrella import errors
from chitarrella.core.cards import Card
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE, EVERYBODY, Seat, can_see
from chitarrella.matches.control import (
    AGREE_TAKEBACK,
    DECLINE_TAKEBACK,
    REQUEST_TAKEBACK,
    TAKE_BACK,
    ControlAction,
)
from chitarrella.matches.history import Decision, MatchHistory
from chitarrella.matches.model import Snapshot
from chitarrella.matches.preconditions import check_in_progress, check_revision
from chitarrella.storage.rows import MatchRow

NO_DECISION = Decision(CHANCE, None, None, 0, 0)
"""No decision was made since the last pack or lot."""


def last_decision(history: MatchHistory, entries: list[str], row: MatchRow) -> Decision | None:
    """The last decision that stands, `NO_DECISION` where there is none, None where the log has grown meanwhile."""
    if len(entries) != row.length:
        return None
    history.skip(entries)
    return history.decisions[-1] if history.decisions else NO_DECISION


def check_takeback(
    snapshot: Snapshot, last: Decision, actor: Seat, *, decline: bool, expected: int | None
) -> errors.ChitarrellaError | None:
    """The error for a takeback request or an answer to one; None where it may be."""
    requested_by = snapshot.control.takeback_request
    if error := check_in_progress(snapshot) or check_revision(snapshot, expected):
        return error
    if last is NO_DECISION or (decline and not requested_by):
        return errors.NotPossibleNow("nothing_to_take_back", "No decision was made since the last shuffle.")
    if not requested_by and actor not in (last.actor, CHANCE):
        return errors.NotPossibleNow("not_your_decision", f"The last decision was made by seat {last.actor}.")
    if reveals_cards(snapshot.game, last):
        return errors.NotPossibleNow("cards_were_seen", "This decision moved hidden cards.")
    return None


def reveals_cards(game: AnyGame, decision: Decision) -> bool:
    """Whether a decision moved a card that was hidden from its seat, or revealed a card to some viewers only."""
    zones_after, facts_before = list(game.zones(decision.after)), list(game.facts(decision.before))
    new_cards = [
        fact for fact in game.facts(decision.after) if isinstance(fact.value, Card) and fact not in facts_before
    ]
    return any(fact.seen_by is not EVERYBODY for fact in new_cards) or any(
        not can_see(zone.seen_by, decision.actor) and zone not in zones_after for zone in game.zones(decision.before)
    )


def takeback_actions(snapshot: Snapshot, last: Decision, actor: Seat, *, decline: bool) -> tuple[ControlAction, ...]:
    """The actions by which a seat requests, agrees or declines.

    The last agreement takes the decision back, and so does the referee's decision. Empty where nothing would change.
    """
    take_back = ControlAction(last.actor, TAKE_BACK, str(last.revision))
    requested_by = snapshot.control.takeback_request
    if decline:
        return (ControlAction(actor, DECLINE_TAKEBACK),)
    if actor == CHANCE:
        return (take_back,)
    if actor in requested_by:  # a bot may have replaced the last seat whose answer was waited for
        return () if awaiting_answers_from(snapshot) else (take_back,)
    agreement = ControlAction(actor, AGREE_TAKEBACK if requested_by else REQUEST_TAKEBACK)
    control = snapshot.control._replace(takeback_request=(*requested_by, actor))
    return (agreement,) if awaiting_answers_from(snapshot._replace(control=control)) else (agreement, take_back)


def awaiting_answers_from(snapshot: Snapshot) -> tuple[Seat, ...]:
    """The seats that have not answered a takeback request yet; bots agree to everything."""
    requested_by, control = snapshot.control.takeback_request, snapshot.control
    if not requested_by:
        return ()
    return tuple(seat for seat in snapshot.metadata.seats if seat not in requested_by and control.bot(seat) is None)
