"""What a trick-taking game is made of besides its cards: acts, which seats do, and phases, in which they do them.

Both come with the plain answers, so that a part says only what is particular about it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chitarrella.tricks.table import Table, Trick
from chitarrella.words import NOT_IN_HAND, Event, Form, Move, Reason, Refusal, Seat

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


class Act:
    """One kind of move: what it looks like, and every reason for which it may be refused beyond phase and turn."""

    form: ClassVar[Form]
    reasons: ClassVar[tuple[Reason, ...]] = ()
    leaves: ClassVar[str] = ""
    """The field of the table in which it is remembered until the next deal, if it is."""

    def belongs(self, g: TrickGame, t: Table) -> bool:
        """Tell whether it belongs to the state that its phase is in; in most phases there is only one."""
        return True

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer what ``seat`` could physically do, at its turn or, where the form is free, at any time."""
        return (Move(self.form.verb),)

    def possession(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to cards that are not in the hand."""
        hand = list(t.hands[seat]) if t.hands else []
        try:
            for card in move.cards:
                hand.remove(card)
        except ValueError:
            return (g.refuse(NOT_IN_HAND, verb=self.form.verb, word=card),)
        return ()

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """List every clause ``move`` breaks, possession first."""
        return self.possession(g, t, seat, move)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Give the table after ``move``."""
        raise NotImplementedError(self.form.verb)

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Name the field and the reason why it cannot have left what ``t`` says of it; all seats are there."""
        return None


class Phase:
    """One stretch of a deal; phases follow each other in the order in which the game lists them."""

    name: str
    turns_up: ClassVar[bool] = False
    """Whether a card is turned up for trumps in it."""

    @property
    def acts(self) -> tuple[Act, ...]:
        """List what may be done in it."""
        return ()

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Open the stretch; one without a decision may be left at once."""
        return t._replace(phase=self.name)

    def turn(self, g: TrickGame, t: Table) -> Seat | None:
        """Name the seat the table waits for."""
        raise NotImplementedError(self.name)

    def first_lead(self, g: TrickGame, t: Table) -> Seat | None:
        """Name the seat that leads to the first trick, where this phase has settled it."""
        return None

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Name the field and the reason why this phase cannot be, or have been, as ``t`` says; all seats are there."""
        return next(filter(None, [act.fault(g, t) for act in self.acts]), None)


@dataclass(frozen=True)
class Over(Phase):
    """The end of the match: nothing can be done any more."""

    name: str

    def turn(self, g: TrickGame, t: Table) -> None:
        """Wait for nobody."""
        return


class AfterTrick:
    """Something that happens whenever a trick was taken, before anybody draws."""

    def taken(self, g: TrickGame, t: Table, trick: Trick, tell: list[Event]) -> Table:
        """Give the table after it; the trick lies among ``t.tricks`` already."""
        return t

    def ends(self, g: TrickGame, t: Table) -> bool:
        """Tell whether the deal is over with this trick, whatever is still in the hands."""
        return False
