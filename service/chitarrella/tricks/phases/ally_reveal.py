"""Playing a card that reveals the soloist's secret ally."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from chitarrella.core.model import Event, Seat, public_event
from chitarrella.tricks.base import Rules
from chitarrella.tricks.bidding import soloist
from chitarrella.tricks.phases.play import Play, PlayCard
from chitarrella.tricks.secret_ally import Ally, ally
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class PlayAndReveal(PlayCard):
    """A card goes to the trick; when it shows who plays with whom, that becomes public at once."""

    reveals = True

    def on_card_played(self, g: Rules, t: Table, seat: Seat, events: list[Event]) -> None:
        """Report the ally that plays the called card, or the soloist that has played all of its copies."""
        if t.trick[-1] != t.own.called(g, t):
            return
        friend = ally(g, t)
        if friend == Ally(seat, known=True):
            alone = soloist(t)
            events.append(
                public_event("alone_revealed", seat)
                if seat == alone
                else public_event("ally_revealed", seat, other=alone)
            )


PLAY_AND_REVEAL: Final = Play(play_action=PlayAndReveal())
"""The play of tricks in which a card can reveal the ally."""
