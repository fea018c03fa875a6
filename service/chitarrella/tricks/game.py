"""A trick-taking game: a frozen value put together from parts, which signs the treaty of `chitarrella.game`.

The parts say what is particular; this file only knows the order of things: a pack is dealt, the phases follow each
other, the piles are counted, the next deal is wanted or the match is over.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from chitarrella.cards import Card, Hand
from chitarrella.option import Choices
from chitarrella.sheet import BadPosition, Sheet
from chitarrella.tricks.act import Act, AfterTrick, Over, Phase
from chitarrella.tricks.arrangement import Layout
from chitarrella.tricks.dealing import Dealing, Lot, opening
from chitarrella.tricks.following import Following, Free
from chitarrella.tricks.play import Drawing, draw
from chitarrella.tricks.reckoning import Match, MostCounted, Reckoning, SidePayments
from chitarrella.tricks.suits import Suits
from chitarrella.tricks.table import Nothing, Standing, Table, sheet_of
from chitarrella.tricks.taking import Highest, Taking
from chitarrella.words import (
    MATCH_OVER,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    Chance,
    Clue,
    Event,
    Eyes,
    Fact,
    Form,
    Move,
    Reason,
    Refusal,
    Seat,
    Zone,
)


def everybody(g: TrickGame, t: Table) -> tuple[Seat, ...]:
    """Let every seat take part in the deal."""
    return g.everybody


def begun_anew(own: Any) -> Any:
    """Forget with each deal what a game's own record held."""
    return type(own)()


@dataclass(frozen=True, kw_only=True)
class TrickGame(Suits, Choices):
    """A game of tricks.

    ``sitting`` names the seats that take part in a deal, in order; ``first_dealer`` is None where it is drawn by lot.
    ``between`` are phases that lie between two deals, ``after`` is what happens after each trick. ``leading`` is the
    duty of the seat that leads, ``drawing`` what is done with the stock after a trick. ``own`` is the kind of record
    that this game keeps on its table, ``renewed`` what of it is kept for the next deal; ``totals`` counts its running
    totals. ``spare`` is the card that three players leave out.
    """

    dealing: Dealing
    phases: tuple[Phase, ...]
    series: Match
    between: tuple[Phase, ...] = ()
    following: Following = Free()
    leading: Following = Free()
    drawing: Drawing = draw
    taking: Taking = Highest()
    reckoning: Reckoning = MostCounted()
    payments: SidePayments | None = None
    after: tuple[AfterTrick, ...] = ()
    layout: Layout = Layout()
    own: type[Any] = Nothing
    renewed: Callable[[Any], Any] = begun_anew
    sitting: Callable[[TrickGame, Table], tuple[Seat, ...]] = everybody
    totals: int = 0
    first_dealer: Seat | None = 0
    spare: str = ""

    # ------------------------------------------------------------------ compiled once

    @cached_property
    def after_tricks(self) -> tuple[AfterTrick, ...]:
        """Everything that happens after a trick, in this order."""
        return (*((self.payments,) if self.payments else ()), *self.after)

    @cached_property
    def rows(self) -> dict[str, int]:
        """How long each row of the standing is."""
        return {"wins": len(set(self.sides)), "chips": self.chip_holders, "totals": self.totals}

    @property
    def chip_holders(self) -> int:
        """How many seats hold chips."""
        return self.seats if self.payments else 0

    @cached_property
    def lot(self) -> str:
        """What the phase is called in which the first dealer is drawn."""
        return Lot().name

    @cached_property
    def running(self) -> frozenset[str]:
        """The phases in which a deal is being played."""
        return frozenset(phase.name for phase in self.phases)

    @cached_property
    def turning_up(self) -> tuple[str, ...]:
        """The phases in which a card is turned up."""
        return tuple(phase.name for phase in self.phases if phase.turns_up)

    @cached_property
    def has_trumps(self) -> bool:
        """Whether there is a trump suit: that of a card which is turned up, or one that a seat names."""
        return self.dealing.start.turns_up or bool(self.turning_up) or self.layout.named_trumps

    @cached_property
    def plays(self) -> tuple[dict[Card, Move], ...]:
        """The move that plays each card, seat by seat; a dummy's names the seat."""
        return tuple(
            {
                card: Move("play_card", (card,), seat=None if self.controllers[seat] == seat else seat)
                for card in self.pack.faces.values()
            }
            for seat in range(self.seats)
        )

    @cached_property
    def stages(self) -> dict[str, Phase]:
        """Every phase by its name."""
        before: tuple[Phase, ...] = (self.dealing,) if self.first_dealer is not None else (Lot(), self.dealing)
        end = () if self.series.endless else (Over(self.series.over),)
        return {phase.name: phase for phase in (*before, *self.phases, *self.between, *end)}

    @cached_property
    def _acts(self) -> dict[str, Act]:
        return {act.form.verb: act for phase in self.stages.values() for act in phase.acts}

    @cached_property
    def remembered(self) -> frozenset[str]:
        """The fields of the table in which an act of this game is remembered."""
        return frozenset(act.leaves for act in self._acts.values())

    @cached_property
    def _any_time(self) -> dict[str, tuple[Act, ...]]:
        return {name: tuple(act for act in phase.acts if act.form.free) for name, phase in self.stages.items()}

    @cached_property
    def forms(self) -> dict[str, Form]:
        """Every move of this game, with the phases it belongs to."""
        homes: dict[str, set[str]] = {}
        for phase in self.stages.values():
            for act in phase.acts:
                homes.setdefault(act.form.verb, set()).add(phase.name)
        return {
            verb: form._replace(phases=frozenset(names), seat=form.seat and self.names_seats)
            for verb, names in homes.items()
            for form in (self._acts[verb].form,)
        }

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason for which a move of this game may be refused, in the order of the codes."""
        own = [reason for act in self._acts.values() for reason in act.reasons]
        ended = () if self.series.endless else (MATCH_OVER,)
        every = {*ended, WRONG_PHASE, NOT_YOUR_TURN, *own, *self.leading.reasons, *self.following.reasons}
        return tuple(sorted(every))

    @cached_property
    def _sheet(self) -> Sheet[Table]:
        return sheet_of(self.pack, cast(Hashable, self.own))

    # ------------------------------------------------------------------ the treaty

    def start(self) -> Table:
        """Give the table before the first card."""
        return opening(self)

    def phase(self, p: Table) -> str:
        """Name the phase."""
        return p.phase

    def belongs(self, p: Table, verb: str) -> bool:
        """Tell whether such a move belongs to the phase, and to the state that the phase is in."""
        return p.phase in self.forms[verb].phases and self._acts[verb].belongs(self, p)

    def over(self, p: Table) -> bool:
        """Tell whether the match is over."""
        return p.phase == self.series.over

    def turn(self, p: Table) -> Seat | None:
        """Name the seat the table waits for."""
        return self.stages[p.phase].turn(self, p)

    def chance(self, p: Table) -> Chance:
        """Ask for the pack, or for the lot."""
        if p.phase == self.lot:
            return Chance("draw_dealer", amounts=self.dealing.dealers(self))
        return Chance("start_deal", cards=self.pack.cards)

    def candidates(self, p: Table, actor: Seat) -> Iterable[Move]:
        """Offer what ``actor`` could physically do, its dummy's cards included; the table's packs nobody can list."""
        stage = self.stages[p.phase]
        turn = stage.turn(self, p)
        moves: list[Move] = []
        for seat in self.hands_of.get(actor, ()):
            for act in stage.acts if seat == turn else self._any_time[p.phase]:
                moves += act.offers(self, p, seat)
        return moves

    def reach(self, p: Table, actor: Seat) -> Iterable[Move]:
        """Offer the same, whether or not it is the seat's turn."""
        acts = self.stages[p.phase].acts if p.hands else ()
        return [move for seat in self.hands_of[actor] for act in acts for move in act.offers(self, p, seat)]

    def possession(self, p: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Say whether ``seat`` lacks what ``move`` names."""
        return self._acts[move.verb].possession(self, p, seat, move)

    def duty(self, p: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to ``card`` of ``hand`` as the duty of the leader does, or that of those who follow."""
        return (self.following if p.trick else self.leading).objections(self, p, hand, card)

    def objections(self, p: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """List every clause that ``move`` would break."""
        return self._acts[move.verb].objections(self, p, seat, move)

    def apply(self, p: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Give the table after ``move``."""
        return self._acts[move.verb].apply(self, p, seat, move, tell)

    def leave(self, t: Table, tell: list[Event]) -> Table:
        """Go from a finished phase to the next, or close the deal."""
        names = [phase.name for phase in self.phases]
        following = names.index(t.phase) + 1
        if following < len(names):
            return self.phases[following].enter(self, t, tell)
        return self.series.close(self, t, tell)

    def zones(self, p: Table) -> Iterable[Zone]:
        """Say where the cards lie; before the first deal all of them in the pack."""
        return self.layout.zones(self, p)

    def facts(self, p: Table) -> Iterable[Fact]:
        """Say what else is true of the table."""
        return self.layout.facts(self, p)

    def clues(self, p: Table, eyes: Eyes) -> Iterable[Clue]:
        """Say what can be told of cards that are not seen."""
        return self.layout.clues(self, p, eyes)

    def squared(self, p: Table, eyes: Eyes) -> Table:
        """Take away what those eyes were never told."""
        return self.layout.squared(self, p, eyes)

    def points(self, p: Table) -> tuple[int, ...]:
        """Count what each seat has taken in this deal, by the first count."""
        return self.reckoning.points(self, p)

    def tally(self, p: Table, place: int) -> tuple[int, ...]:
        """Count what each seat has taken in this deal, by one of the counts."""
        points = [0] * self.seats
        for trick in p.tricks:
            points[trick.winner] += self.order.counts[place].of(trick.cards, p.trump)
        return tuple(points)

    def scores(self, p: Table) -> tuple[int, ...]:
        """Give the score of the match, seat by seat."""
        return self.series.scores(self, p)

    def outcome(self, p: Table) -> frozenset[Seat] | None:
        """Name the winners of the match, None while it lasts."""
        return self.series.winners(self, p) if self.over(p) else None

    def write(self, p: Table) -> str:
        """Put the table into one line."""
        return self._sheet.write(p)

    def read(self, text: str) -> Table:
        """Read a line; raises `BadPosition` for nonsense and for what no table can show."""
        table = self._sheet.read(text)
        if fault := self.layout.fault(self, table):
            raise BadPosition(*fault)
        return table

    def glance(self, trick: Hand, trump: str, stock: Hand = ()) -> Table:
        """Lay out no more of a table than a trick, the trump suit and a stock: enough to ask a part about a card."""
        return Table(self.phases[-1].name, Standing(), stock=stock, trick=trick, trump=trump, own=self.own())
