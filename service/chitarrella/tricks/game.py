"""A trick-taking game: a frozen value put together from parts, which signs the treaty of `chitarrella.game`.

The parts say what is particular; this file only knows the order of things: a pack is dealt, the phases follow each
other, the piles are counted, the next deal is wanted or the match is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from chitarrella.cards import Card, Hand, Pack
from chitarrella.option import BadChoice, Option
from chitarrella.rulebook import RuleBook
from chitarrella.sheet import BadPosition, Sheet
from chitarrella.tricks import arrangement
from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.dealing import Dealing, Lot, opening
from chitarrella.tricks.following import Following, Free
from chitarrella.tricks.order import Order
from chitarrella.tricks.reckoning import MostCounted, Series, SidePayments
from chitarrella.tricks.table import Table, sheet_of
from chitarrella.tricks.taking import Highest, Taking
from chitarrella.words import (
    EVERYBODY,
    MATCH_OVER,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    Chance,
    Event,
    Fact,
    Form,
    Move,
    Reason,
    Refusal,
    Seat,
    Sight,
    Zone,
    public,
)


@dataclass(frozen=True, kw_only=True)
class TrickGame(RuleBook):
    """A game of tricks.

    ``sides`` gives the side of every seat; ``controllers`` the seat whose person moves its cards; ``first_dealer`` is
    None where it is drawn by lot. ``spare`` is the card that three players leave out.
    """

    pack: Pack
    order: Order
    dealing: Dealing
    phases: tuple[Phase, ...]
    series: Series
    following: Following = Free()
    taking: Taking = Highest()
    reckoning: MostCounted = MostCounted()
    payments: SidePayments | None = None
    sides: tuple[int, ...] = (0, 1)
    controllers: tuple[Seat, ...] = (0, 1)
    first_dealer: Seat | None = 0
    spare: str = ""
    seatings: Mapping[int, Callable[[TrickGame], TrickGame]] = field(default_factory=dict)
    options: tuple[Option[TrickGame], ...] = ()
    conflicts: tuple[Callable[[TrickGame], BadChoice | None], ...] = ()

    # ------------------------------------------------------------------ the table and who sits there

    @cached_property
    def seats(self) -> int:
        """The number of places at the table, dummies included."""
        return len(self.sides)

    def controller(self, seat: Seat) -> Seat:
        """Name the seat whose person moves the cards of ``seat``."""
        return self.controllers[seat]

    def partner(self, seat: Seat) -> Seat | None:
        """Name the other person of the same side, None where there is none."""
        return self._partner[seat]

    def partners(self, seat: Seat) -> frozenset[Seat]:
        """Name ``seat`` and its partner."""
        return frozenset({seat, seat if (partner := self.partner(seat)) is None else partner})

    def watchers(self, seat: Seat) -> Sight:
        """Say who sees the hand of ``seat``: its person, but everybody where it is a dummy's."""
        return self._watchers[seat]

    def conflict(self) -> BadChoice | None:
        """Name two choices that exclude each other."""
        return next((found for check in self.conflicts if (found := check(self))), None)

    # ------------------------------------------------------------------ compiled once

    @cached_property
    def suit(self) -> dict[Card, str]:
        """The suit each card counts as."""
        return self.order.suit(self.pack)

    @cached_property
    def strength(self) -> dict[Card, int]:
        """How strong each card is inside its suit."""
        return self.order.strength(self.pack)

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
    def _partner(self) -> tuple[Seat | None, ...]:
        sides, persons = self.sides, [seat for seat in range(self.seats) if self.controllers[seat] == seat]
        return tuple(
            next((other for other in persons if other != seat and sides[other] == sides[seat]), None)
            for seat in range(self.seats)
        )

    @cached_property
    def _watchers(self) -> tuple[Sight, ...]:
        return tuple(frozenset({seat}) if who == seat else EVERYBODY for seat, who in enumerate(self.controllers))

    @cached_property
    def stages(self) -> dict[str, Phase]:
        """Every phase by its name."""
        before: tuple[Phase, ...] = (self.dealing,) if self.first_dealer is not None else (Lot(), self.dealing)
        return {phase.name: phase for phase in (*before, *self.phases)}

    @cached_property
    def _acts(self) -> dict[str, Act]:
        return {act.form.verb: act for phase in self.stages.values() for act in phase.acts}

    @cached_property
    def _any_time(self) -> dict[str, tuple[Act, ...]]:
        return {name: tuple(act for act in phase.acts if act.form.free) for name, phase in self.stages.items()}

    @cached_property
    def _hands_of(self) -> dict[Seat, tuple[Seat, ...]]:
        seats = range(self.seats)
        return {actor: tuple(seat for seat in seats if self.controllers[seat] == actor) for actor in seats}

    @cached_property
    def forms(self) -> dict[str, Form]:
        """Every move of this game, with the phases it belongs to."""
        homes: dict[str, set[str]] = {}
        for phase in self.stages.values():
            for act in phase.acts:
                homes.setdefault(act.form.verb, set()).add(phase.name)
        return {verb: self._acts[verb].form._replace(phases=frozenset(names)) for verb, names in homes.items()}

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason for which a move of this game may be refused, in the order of the codes."""
        own = [reason for act in self._acts.values() for reason in act.reasons]
        every = {MATCH_OVER, WRONG_PHASE, NOT_YOUR_TURN, *own, *self.following.reasons}
        return tuple(sorted(every))

    @cached_property
    def _sheet(self) -> Sheet[Table]:
        return sheet_of(self.pack)

    # ------------------------------------------------------------------ the treaty

    def start(self) -> Table:
        """Give the table before the first card."""
        return opening(self)

    def phase(self, p: Table) -> str:
        """Name the phase."""
        return p.phase

    def over(self, p: Table) -> bool:
        """Tell whether the match is over."""
        return p.phase == self.series.over

    def turn(self, p: Table) -> Seat | None:
        """Name the seat the table waits for."""
        return None if p.phase == self.series.over else self.stages[p.phase].turn(self, p)

    def chance(self, p: Table) -> Chance:
        """Ask for the pack, or for the lot."""
        if p.phase == self.dealing.name:
            return Chance("start_deal", cards=self.pack.cards)
        return Chance("draw_dealer", amounts=self.dealing.dealers(self))

    def candidates(self, p: Table, actor: Seat) -> Iterable[Move]:
        """Offer what ``actor`` could physically do, its dummy's cards included."""
        turn = self.turn(p)
        moves: list[Move] = []
        for seat in self._hands_of.get(actor, (actor,)):
            for act in self.stages[p.phase].acts if seat == turn else self._any_time.get(p.phase, ()):
                moves += act.offers(self, p, seat)
        return moves

    def reach(self, p: Table, actor: Seat) -> Iterable[Move]:
        """Offer the same, whether or not it is the seat's turn."""
        acts = self.stages[p.phase].acts if p.hands and p.phase in self.stages else ()
        return [move for seat in self._hands_of[actor] for act in acts for move in act.offers(self, p, seat)]

    def possession(self, p: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Say whether ``seat`` lacks what ``move`` names."""
        return self._acts[move.verb].possession(self, p, seat, move)

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
        return self._close(t, tell)

    def _close(self, t: Table, tell: list[Event]) -> Table:
        """Count the piles, enter the deal, and ask for the next or end the match."""
        counted = self.reckoning.by_side(self, t.tricks)
        side = self.reckoning.winner(counted)
        for place, count in enumerate(self.order.counts):
            shares = tuple((str(seat), counted[s][place]) for seat, s in enumerate(self.sides))
            tell.append(public("deal_counted", word=count.name, shares=shares))
        standing = t.standing
        if side is None:
            tell.append(public("deal_drawn", amount=standing.deal))
        else:
            wins = tuple(won + (place == side) for place, won in enumerate(standing.wins))
            standing = standing._replace(wins=wins)
            for seat in self._seats_of(side):
                tell.append(public("deal_won", seat, amount=standing.deal))
        if self.series.ended(standing):
            winners = self.series.winners(self, standing)
            tell.extend([public("match_won", seat) for seat in sorted(winners)] or [public("match_drawn")])
            return t._replace(phase=self.series.over, standing=standing, leader=0)
        dealer = self.dealing.next_dealer(self, standing.dealer)
        return self.dealing.enter(self, t._replace(standing=standing._replace(dealer=dealer)), tell)

    def _seats_of(self, side: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in range(self.seats) if self.sides[seat] == side)

    def zones(self, p: Table) -> Iterable[Zone]:
        """Say where the cards lie; before the first deal all of them in the pack."""
        return arrangement.zones(self, p)

    def facts(self, p: Table) -> Iterable[Fact]:
        """Say what else is true of the table."""
        return arrangement.facts(self, p)

    def points(self, p: Table) -> tuple[int, ...]:
        """Count what each seat has taken in this deal, by the first count."""
        return self.tally(p, 0)

    def tally(self, p: Table, place: int) -> tuple[int, ...]:
        """Count what each seat has taken in this deal, by one of the counts."""
        points = [0] * self.seats
        for trick in p.tricks:
            points[trick.winner] += self.order.counts[place].of(trick.cards)
        return tuple(points)

    def scores(self, p: Table) -> tuple[int, ...]:
        """Give the score of the match, seat by seat."""
        return self.series.scores(self, p.standing)

    def outcome(self, p: Table) -> frozenset[Seat] | None:
        """Name the winners of the match, None while it lasts."""
        return self.series.winners(self, p.standing) if self.over(p) else None

    def deal_winner(self, p: Table) -> int | None:
        """Name the side that has most in the tricks of ``p``, None where it is level."""
        return self.reckoning.winner(self.reckoning.by_side(self, p.tricks))

    def write(self, p: Table) -> str:
        """Put the table into one line."""
        return self._sheet.write(p)

    def read(self, text: str) -> Table:
        """Read a line; raises `BadPosition` for nonsense and for what no table can show."""
        table = self._sheet.read(text)
        if fault := arrangement.fault(self, table):
            raise BadPosition(*fault)
        return table

    def count(self, cards: Hand) -> tuple[tuple[str, int], ...]:
        """Say what a pile is worth, count by count."""
        return tuple((count.name, count.of(cards)) for count in self.order.counts)
