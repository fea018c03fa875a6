"""Taking back: which decision it would be, and what stands against it.

A decision may be taken back while it has shown nobody a card but those of the seat that made it: so long as nothing
that lay hidden from that seat was moved, opened or looked at by it, and no pack and no lot was drawn since.
"""

from __future__ import annotations

from chitarrella import errors
from chitarrella.against import against_ending, against_revision
from chitarrella.cards import Card
from chitarrella.chronicle import Chronicle, Decision
from chitarrella.game import AnyGame
from chitarrella.kept import Seen
from chitarrella.store import Page
from chitarrella.words import CHANCE, EVERYBODY, Seat, sees

NOTHING = Decision(CHANCE, None, None, 0, 0)
"""There is no decision since something was last drawn."""


def last_decision(story: Chronicle, lines: list[str], page: Page) -> Decision | None:
    """Find the last decision that stands, `NOTHING` where there is none, None where the log has grown meanwhile."""
    if len(lines) != page.number:
        return None
    story.pass_over(lines)
    return story.decisions[-1] if story.decisions else NOTHING


def against_back(
    seen: Seen, last: Decision, actor: Seat, *, refuse: bool, expected: int | None
) -> errors.ChitarrellaError | None:
    """Say why a decision cannot be taken back, or an ask not be answered; None where it can."""
    asked = seen.affairs.want_back
    if fault := against_ending(seen) or against_revision(seen, expected):
        return fault
    if last is NOTHING or (refuse and not asked):
        return errors.NotPossibleNow("nothing_to_take_back", "No decision was made since something was last drawn.")
    if not asked and actor not in (last.actor, CHANCE):
        return errors.NotPossibleNow("not_your_decision", f"The last decision was made by seat {last.actor}.")
    if uncovers(seen.game, last):
        return errors.NotPossibleNow("cards_were_seen", "By this decision cards were moved that lay hidden.")
    return None


def uncovers(game: AnyGame, decision: Decision) -> bool:
    """Tell whether a decision has touched a card that lay hidden from the seat that made it, or let anybody see one."""
    left, known = list(game.zones(decision.after)), list(game.facts(decision.before))
    shown = [fact for fact in game.facts(decision.after) if isinstance(fact.value, Card) and fact not in known]
    return any(fact.seen_by is not EVERYBODY for fact in shown) or any(
        not sees(zone.seen_by, decision.actor) and zone not in left for zone in game.zones(decision.before)
    )
