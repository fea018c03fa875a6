"""An exchange game: a frozen value put together from parts, which signs the treaty of `chitarrella.game`.

The parts say what is particular; this file only knows the order of things: seats are drawn, a pack is handed in, one
seat after the other decides, the cards are compared, those without tokens are settled, and the next deal is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from chitarrella.cards import Hand, Pack, minus
from chitarrella.exchange.act import Act
from chitarrella.exchange.agreement import Talk
from chitarrella.exchange.dealing import PACK, SEATS, DrawSeats, StartDeal
from chitarrella.exchange.effects import Effect, Penalty
from chitarrella.exchange.ending import GAME_OVER, MATCH_OVER, finish
from chitarrella.exchange.layout import facts, zones
from chitarrella.exchange.reentry import Reentry, settle
from chitarrella.exchange.round import Round, Standing, in_game, live, sheet_of
from chitarrella.exchange.showdown import FOOL, Comparison, compared
from chitarrella.exchange.soundness import fault
from chitarrella.option import Choices
from chitarrella.rulebook import RuleBook
from chitarrella.sheet import BadPosition, Sheet
from chitarrella.words import (
    CHANCE,
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
    public,
)
from chitarrella.words import MATCH_OVER as NO_MORE_MOVES


@dataclass(frozen=True, kw_only=True)
class ExchangeGame(RuleBook, Choices):
    """A game of exchanges.

    ``values`` rank the faces that have a rank of their own, ``effects`` say what the special ones do when they are met.
    ``acts`` are all moves of the seats. ``protectors`` are the faces whose owner loses no token to others, ``duty``
    those that must be exchanged under an agreement. ``drawn_from`` is the number of copies of each face by which seats
    are drawn, 0 where they are given. From ``single_fool_from`` players on one fool is left out, 0 for never.
    """

    pack: Pack
    values: Mapping[str, int]
    effects: Mapping[str, Effect]
    acts: tuple[Act, ...]
    comparison: Comparison
    penalty: Penalty
    reentry: Reentry
    talk: Talk
    protectors: tuple[str, ...] = ()
    duty: tuple[str, ...] = ()
    tokens: int = 3
    stake: int = 100
    drawn_from: int = 0
    first_dealer: Seat = 0
    single_fool_from: int = 0
    seats: int = 0

    # ------------------------------------------------------------------ compiled once

    @cached_property
    def _acts(self) -> dict[str, Act]:
        of_the_table = (*((DrawSeats(),) if self.drawn_from else ()), StartDeal())
        return {act.form.verb: act for act in (*of_the_table, *self.acts)}

    @cached_property
    def _by_phase(self) -> dict[str, tuple[Act, ...]]:
        phases = {phase for act in self._acts.values() for phase in act.form.phases}
        return {phase: tuple(act for act in self._acts.values() if phase in act.form.phases) for phase in phases}

    @cached_property
    def forms(self) -> dict[str, Form]:
        """Every move of this game."""
        return {verb: act.form for verb, act in self._acts.items()}

    @cached_property
    def phases(self) -> frozenset[str]:
        """Every phase of this game."""
        return frozenset((*self._by_phase, GAME_OVER, MATCH_OVER))

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason for which a move of this game may be refused, in the order of the codes."""
        own = [reason for act in self._acts.values() for reason in act.reasons]
        return tuple(sorted({NO_MORE_MOVES, WRONG_PHASE, NOT_YOUR_TURN, *own}))

    @cached_property
    def _sheet(self) -> Sheet[Round]:
        return sheet_of(self.pack)

    # ------------------------------------------------------------------ the treaty

    def start(self) -> Round:
        """Give the round before the first card: the stakes are in the pool, everybody has tokens and is a virgin."""
        everybody = range(self.seats)
        standing = Standing(
            dealer=self.first_dealer,
            tokens=(self.tokens,) * self.seats,
            virgins=tuple(everybody),
            pool=self.stake * self.seats,
            net=tuple((str(seat), -self.stake) for seat in everybody),
        )
        return Round(SEATS if self.drawn_from else PACK, standing)

    def phase(self, p: Round) -> str:
        """Name the phase."""
        return p.phase

    def belongs(self, p: Round, verb: str) -> bool:
        """Tell whether such a move belongs to the phase."""
        return p.phase in self.forms[verb].phases

    def over(self, p: Round) -> bool:
        """Tell whether the game is over; the table of the next one may still be named."""
        return p.phase in (GAME_OVER, MATCH_OVER)

    def turn(self, p: Round) -> Seat | None:
        """Name the seat the table waits for."""
        if self.over(p):
            return None
        return CHANCE if p.phase in (SEATS, PACK) else p.at

    def chance(self, p: Round) -> Chance:
        """Ask for the pack, or for cards to draw the seats by."""
        if p.phase == SEATS:
            return Chance("draw_seats", cards=tuple(self.pack.faces.values()) * self.drawn_from)
        return Chance("start_deal", cards=self.cards_for(len(in_game(p))))

    def cards_for(self, players: int) -> Hand:
        """Give the pack with which so many play."""
        cards = self.pack.cards
        for card in self.left_out(players):
            cards = minus(cards, card)
        return cards

    def left_out(self, players: int) -> Hand:
        """Give the cards that stay out of play where so many play: a fool, or none."""
        return (self.pack.card(FOOL),) if 0 < self.single_fool_from <= players else ()

    def controller(self, seat: Seat) -> Seat:
        """Everybody moves for himself."""
        return seat

    def candidates(self, p: Round, actor: Seat) -> Iterable[Move]:
        """Offer what ``actor`` could do: nothing out of turn."""
        return self.reach(p, actor) if actor == self.turn(p) else []

    def reach(self, p: Round, actor: Seat) -> Iterable[Move]:
        """Offer the same to who has a card and waits for the turn."""
        if actor != self.turn(p) and (self.over(p) or not p.held or p.held[actor] is None):
            return []
        return [move for act in self._by_phase.get(p.phase, ()) for move in act.offers(self, p, actor)]

    def possession(self, p: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to nothing: no move names a card."""
        return ()

    def objections(self, p: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """List every clause that ``move`` would break."""
        return self._acts[move.verb].objections(self, p, seat, move)

    def apply(self, p: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Give the round after ``move``."""
        act = self._acts[move.verb]
        if act.said:
            tell.append(public("said", seat, word=move.verb))
        return act.apply(self, p, seat, move, tell)

    def showdown(self, r: Round, tell: list[Event]) -> Round:
        """Compare the cards, and settle with those who have lost the last token."""
        those = live(r)
        r = compared(self, r._replace(chain=(), at=0), tell)
        out = [seat for seat in r.order if not r.standing.tokens[seat] and self.penalty.settles(seat in those)]
        return settle(self, r._replace(pending=tuple(out)), tell)

    def finish(self, r: Round, tell: list[Event]) -> Round:
        """Ask for the next pack, or end the game."""
        return finish(self, r, tell)

    def zones(self, p: Round) -> Iterable[Zone]:
        """Say where the cards lie."""
        return zones(self, p)

    def facts(self, p: Round) -> Iterable[Fact]:
        """Say what else is true of the table."""
        return facts(self, p)

    def clues(self, p: Round, eyes: Eyes) -> Iterable[Clue]:
        """Tell nothing of cards that are not seen."""
        return ()

    def squared(self, p: Round, eyes: Eyes) -> Round:
        """Take nothing away: all that is noted beside the cards everybody knows."""
        return p

    def points(self, p: Round) -> tuple[int, ...]:
        """Count the tokens of each seat: all there is to count in a deal."""
        return p.standing.tokens

    def scores(self, p: Round) -> tuple[int, ...]:
        """Give the tokens of each seat."""
        return p.standing.tokens

    def outcome(self, p: Round) -> frozenset[Seat] | None:
        """Name the last seat with tokens, None while there are several."""
        return frozenset(in_game(p)) if self.over(p) else None

    def write(self, p: Round) -> str:
        """Put the round into one line."""
        return self._sheet.write(p)

    def read(self, text: str) -> Round:
        """Read a line; raises `BadPosition` for nonsense and for what no table can show."""
        found = self._sheet.read(text)
        if wrong := fault(self, found):
            raise BadPosition(*wrong)
        return found
