"""The actions of a game, looked up once: by verb, by phase, and by whether they can ever be legal."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

from chitarrella.core.model import MATCH_OVER, NOT_YOUR_TURN, WRONG_PHASE, MoveSpec, Reason
from chitarrella.tricks.base import Action, Phase, Rules


@dataclass(frozen=True, kw_only=True)
class ActionIndex(Rules):
    """The part of a game that finds its actions."""

    @property
    @abstractmethod
    def names_seats(self) -> bool:
        """Whether a move may name the seat whose card is played: with some number of players there are dummies."""

    @cached_property
    def _actions(self) -> dict[str, Action]:
        return {action.spec.verb: action for phase in self.phases_by_name.values() for action in phase.actions}

    @cached_property
    def recorded_fields(self) -> frozenset[str]:
        """The fields of `Table` in which an action of this game is recorded."""
        return frozenset(action.recorded_in for action in self._actions.values())

    @cached_property
    def _out_of_turn_actions(self) -> dict[str, tuple[Action, ...]]:
        return {
            name: tuple(action for action in phase.actions if action.spec.out_of_turn)
            for name, phase in self.phases_by_name.items()
        }

    @cached_property
    def _following_phases(self) -> dict[str, Phase | None]:
        """The phase after each phase of a deal, None after the last."""
        following: tuple[Phase | None, ...] = (*self.phases[1:], None)
        return {phase.name: after for phase, after in zip(self.phases, following, strict=True)}

    @cached_property
    def _agreed_actions(self) -> dict[str, tuple[Phase, tuple[Action, ...], tuple[Action, ...]]]:
        """Each phase by its name, with its actions that can be legal in turn, and those that can be out of turn."""
        agreed = {
            name: tuple(action for action in phase.actions if action.is_agreed(self))
            for name, phase in self.phases_by_name.items()
        }
        return {
            name: (self.phases_by_name[name], actions, tuple(action for action in actions if action.spec.out_of_turn))
            for name, actions in agreed.items()
        }

    @cached_property
    def _actions_in_phase(self) -> dict[str, dict[str, Action]]:
        """The actions of each phase by their verb."""
        return {
            name: {action.spec.verb: self._actions[action.spec.verb] for action in phase.actions}
            for name, phase in self.phases_by_name.items()
        }

    @cached_property
    def move_specs(self) -> dict[str, MoveSpec]:
        """Every kind of move of this game by its verb, with the phases that it belongs to."""
        phase_names: dict[str, set[str]] = {}
        for phase in self.phases_by_name.values():
            for action in phase.actions:
                phase_names.setdefault(action.spec.verb, set()).add(phase.name)
        return {
            verb: spec._replace(phases=frozenset(names), seat=spec.seat and self.names_seats)
            for verb, names in phase_names.items()
            for spec in (self._actions[verb].spec,)
        }

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason for which a move of this game may be refused, ordered by code."""
        own = [reason for action in self._actions.values() for reason in action.reasons]
        ended = () if self.series.is_endless else (MATCH_OVER,)
        every = {*ended, WRONG_PHASE, NOT_YOUR_TURN, *own, *self.leading.reasons, *self.following.reasons}
        return tuple(sorted(every))
