"""Acts: the kinds of move of the exchange family, each with its phases and every reason against it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from chitarrella.exchange.round import Round
from chitarrella.words import Event, Form, Move, Reason, Refusal, Seat

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame


class Act:
    """One kind of move; the plain answers are those of a word without arguments to which nothing objects.

    A move that is ``said`` is told to everybody as such; the others are told by what comes of them.
    """

    form: ClassVar[Form]
    said: ClassVar[bool] = False
    reasons: ClassVar[tuple[Reason, ...]] = ()

    def offers(self, g: ExchangeGame, r: Round, seat: Seat) -> Iterable[Move]:
        """Offer what ``seat`` could do; of an open amount the plainest."""
        return (Move(self.form.verb),)

    def objections(self, g: ExchangeGame, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """List every clause ``move`` breaks, beyond phase and turn."""
        return ()

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Give the round after ``move``."""
        raise NotImplementedError(self.form.verb)


def plain(verb: str, means: str, *phases: str, lapse: bool = False) -> Form:
    """Make the form of a word without arguments."""
    return Form(verb, means, frozenset(phases), lapse=lapse)
