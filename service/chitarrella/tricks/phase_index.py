"""What the check of positions asks of the phases of a game, looked up once: which of them can object, and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from chitarrella.tricks.table import Table

Check: TypeAlias = Callable[[Any, Table], tuple[str, str] | None]
"""Returns why a phase or an action cannot have left a table so, given the game and the table."""


@dataclass(frozen=True, kw_only=True)
class PhaseIndex:
    """The phase that deals and those of a deal, in order, and what follows from them for every position.

    `chitarrella.tricks.base.Rules` says of which types they are.
    """

    dealing: Any
    phases: tuple[Any, ...]

    @cached_property
    def hand_size(self) -> int:
        """The number of cards in the largest hand after the deal."""
        size: int = self.dealing.start.size
        return size

    @cached_property
    def turns_up_at_start(self) -> bool:
        """Whether a card is turned up for trumps with the deal."""
        turns_up: bool = self.dealing.start.turns_up
        return turns_up

    @cached_property
    def phase_checks(self) -> tuple[Check, ...]:
        """The checks of the phases, and of their actions, that can ever find a fault, in order."""
        checks: list[Check] = []
        for phase in self.phases:
            parts: tuple[Any, ...] = (phase,) if overrides(phase, "fault") else phase.actions
            checks += [part.fault for part in parts if overrides(part, "fault")]
        return tuple(checks)

    @cached_property
    def phase_checks_without_records(self) -> tuple[Check, ...]:
        """Those of them that can find a fault in a table on which no action has left anything."""
        return tuple(phase.fault for phase in self.phases if overrides(phase, "fault"))

    @cached_property
    def turn_up_phases(self) -> tuple[str, ...]:
        """The names of the phases in which a card is turned up for trumps."""
        return tuple(phase.name for phase in self.phases if phase.turns_up)

    @cached_property
    def names_trumps(self) -> bool:
        """Whether a seat names the trumps."""
        return any(phase.names_trumps for phase in self.phases)

    @cached_property
    def breaks_off_deals(self) -> bool:
        """Whether a move can end a deal before its last trick."""
        return any(action.breaks_off_deal for phase in self.phases for action in phase.actions)

    @cached_property
    def first_lead_phases(self) -> tuple[Any, ...]:
        """The phases that may decide who leads to the first trick (`Phase.first_lead`)."""
        return tuple(phase for phase in self.phases if overrides(phase, "first_lead"))

    @cached_property
    def identity(self) -> object:
        """A key of this one game for caches: it is hashed at once, and the parts of a game are not."""
        return object()


def overrides(part: object, method: str) -> bool:
    """Return whether the class of ``part`` has its own ``method`` in place of the one that all such parts have."""
    return sum(method in vars(kind) for kind in type(part).__mro__) > 1
