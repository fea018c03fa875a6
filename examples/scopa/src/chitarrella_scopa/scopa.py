"""Scopa: cards are captured from the table. The game implements `chitarrella.core.game.Game` by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from chitarrella.core.cards import ITALIAN, Card, Hand
from chitarrella.core.game import MoveValue
from chitarrella.core.model import (
    CHANCE,
    EVERYBODY,
    NOBODY,
    ChanceRequest,
    Event,
    Fact,
    Inference,
    Move,
    Seat,
    Viewer,
    Zone,
    hidden_cards_event,
    public_event,
)
from chitarrella.core.notation import InvalidPosition, PositionCodec
from chitarrella.core.options import Choices, GameEntry, InvalidOption, choice_option, number_option, rule_book
from chitarrella_scopa.legality import CAPTURE, PLAY_CARD, START_DEAL, Entry
from chitarrella_scopa.position import HAND, LAID, MATCH_OVER, NEW_DEAL, PLAY, MatchState, Position, faults
from chitarrella_scopa.scoring import COINS, PRIMIERA, SETTEBELLO, point_winners

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Scopa(Entry):
    """Scopa, configured: what `Entry` has, and what its moves do."""

    @cached_property
    def _codec(self) -> PositionCodec[Position]:
        return PositionCodec(Position, ITALIAN)

    # ------------------------------------------------------------------ whose turn it is

    def start(self) -> Position:
        """Return the position before the first deal."""
        none: tuple[Hand, ...] = ((),) * self.seats
        zeros = (0,) * self.seats
        return Position(NEW_DEAL, MatchState(self.first_dealer, 0, zeros), none, none, zeros)

    def phase(self, p: Position) -> str:
        """Return the phase."""
        return p.phase

    def is_in_phase(self, p: Position, verb: str) -> bool:
        """Return whether moves of the verb belong to the phase."""
        return p.phase in self.move_specs[verb].phases

    def is_finished(self, p: Position) -> bool:
        """Return whether the match is over."""
        return p.phase == MATCH_OVER

    def turn(self, p: Position) -> Seat | None:
        """Return the seat to play, `CHANCE` for a pack, None after the match."""
        return {NEW_DEAL: CHANCE, PLAY: p.at, MATCH_OVER: None}[p.phase]

    def chance_request(self, p: Position) -> ChanceRequest:
        """Return that a pack is needed."""
        return ChanceRequest(START_DEAL.verb, ITALIAN.cards)

    def controller(self, seat: Seat) -> Seat:
        """Return the seat itself: there are no dummies."""
        return seat

    def partner(self, seat: Seat) -> Seat | None:
        """Return the seat opposite, with four players."""
        return next((other for other in range(self.seats) if other != seat and self._together(other, seat)), None)

    def _together(self, one: Seat, other: Seat) -> bool:
        return self.sides[one] == self.sides[other]

    # ------------------------------------------------------------------ what a move does

    def apply(self, p: Position, seat: Seat, move: Move, events: list[Event]) -> Position:
        """Return the position after a move; append what happens."""
        if move.verb == START_DEAL.verb:
            return self._deal(p, move.cards, events)
        after = self._play(p, seat, move, events)
        if any(after.hands):
            return after._replace(at=(seat + 1) % self.seats)
        return self._refill(after, events) if after.stock else self._score(after, events)

    def _deal(self, p: Position, cards: Hand, events: list[Event]) -> Position:
        state = p.match_state._replace(deal=p.match_state.deal + 1)
        events.append(public_event("deal_started", state.dealer, amount=state.deal))
        fresh = self.start()._replace(phase=PLAY, match_state=state, stock=cards)
        dealt = self._refill(fresh, events)
        laid, stock = dealt.stock[:LAID], dealt.stock[LAID:]
        events.append(public_event("cards_laid", cards=laid))
        return dealt._replace(stock=stock, table=laid)

    def _refill(self, p: Position, events: list[Event]) -> Position:
        """Deal three cards to each seat from the top of the stock, eldest first, who plays next."""
        order = [(p.match_state.dealer + 1 + step) % self.seats for step in range(self.seats)]
        hands = {seat: p.stock[HAND * place : HAND * (place + 1)] for place, seat in enumerate(order)}
        events += [hidden_cards_event("dealt", seat, hands[seat], frozenset({seat})) for seat in order]
        rows = tuple(hands[seat] for seat in range(self.seats))
        return p._replace(hands=rows, stock=p.stock[HAND * self.seats :], at=order[0])

    def _play(self, p: Position, seat: Seat, move: Move, events: list[Event]) -> Position:
        """Lay the card, or capture with it and note a sweep."""
        (card,) = (card for card in move.cards if card in p.hands[seat])
        hands = _with(p.hands, seat, tuple(held for held in p.hands[seat] if held != card))
        events.append(public_event("card_played", seat, (card,)))
        if move.verb == PLAY_CARD.verb:
            return p._replace(hands=hands, table=(*p.table, card))
        got = tuple(other for other in move.cards if other != card)
        events.append(public_event("captured", seat, got))
        table = tuple(other for other in p.table if other not in got)
        is_last = not p.stock and not any(hands)
        swept = int(not table and not is_last)
        events += [public_event("swept", seat)] * swept
        return p._replace(
            hands=hands,
            table=table,
            taken=_with(p.taken, seat, (*p.taken[seat], card, *got)),
            sweeps=_with(p.sweeps, seat, p.sweeps[seat] + swept),
            taker=seat,
        )

    def _score(self, p: Position, events: list[Event]) -> Position:
        """Pass the rest to the last taker, count the deal, and ask for a pack or end the match."""
        if p.taker is not None and p.table:
            events.append(public_event("rest_taken", p.taker, p.table))
            p = p._replace(taken=_with(p.taken, p.taker, p.taken[p.taker] + p.table), table=())
        gains = dict.fromkeys(self.sides, 0)
        for seat in range(self.seats):
            gains[self.sides[seat]] += p.sweeps[seat]
        for word, side in point_winners(self._taken_by_side(p)).items():
            gains[side] += 1
            events.append(public_event("point_won", self.sides.index(side), word=word))
        row = tuple(gains[side] for side in self.sides)
        events.append(public_event("deal_scored", shares=tuple((str(seat), n) for seat, n in enumerate(row))))
        state = p.match_state
        scores = tuple(before + gain for before, gain in zip(state.scores, row, strict=True))
        state = MatchState((state.dealer + 1) % self.seats, state.deal, scores)
        winners = self._winners(scores)
        if winners:
            events.append(public_event("match_won", min(winners)))
        return p._replace(phase=MATCH_OVER if winners else NEW_DEAL, match_state=state, at=0)

    def _taken_by_side(self, p: Position) -> dict[int, Hand]:
        taken: dict[int, Hand] = {}
        for side, cards in zip(self.sides, p.taken, strict=True):
            taken[side] = (*taken.get(side, ()), *cards)
        return taken

    def _winners(self, scores: Sequence[int]) -> frozenset[Seat]:
        """Return the seats of the side that has reached the target and leads, none while the match goes on."""
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        is_over = max(scores) >= self.target and len({self.sides[seat] for seat in best}) == 1
        return frozenset(best) if is_over else frozenset()

    # ------------------------------------------------------------------ what is seen

    def zones(self, p: Position) -> Iterable[Zone]:
        """Yield the zones. Before the first deal all cards are in the pack."""
        if not p.match_state.deal:
            yield Zone("pack", None, ITALIAN.cards, NOBODY)
            return
        yield from (Zone("hand", seat, hand, frozenset({seat})) for seat, hand in enumerate(p.hands))
        yield Zone("stock", None, p.stock, NOBODY)
        yield Zone("table", None, p.table, EVERYBODY)
        yield from (Zone("taken", seat, cards, EVERYBODY) for seat, cards in enumerate(p.taken))

    def facts(self, p: Position) -> Iterable[Fact]:
        """Yield the number of the deal, the dealer, and the sweeps of each seat."""
        yield Fact("deal", p.match_state.deal, None, EVERYBODY)
        yield Fact("dealer", p.match_state.dealer, None, EVERYBODY)
        yield from (Fact("sweeps", number, seat, EVERYBODY) for seat, number in enumerate(p.sweeps))

    def inferences(self, p: Position, viewer: Viewer) -> Iterable[Inference]:
        """Return nothing: all that play says is on the table."""
        return ()

    def redeal(self, p: Position, viewer: Viewer, zones: Sequence[Zone]) -> Position:
        """Return the position with the hands and the stock of ``zones``."""
        if not p.match_state.deal:
            return p
        hands = tuple(zone.cards for zone in zones if zone.name == "hand")
        (stock,) = (zone.cards for zone in zones if zone.name == "stock")
        return p._replace(hands=hands, stock=stock)

    def move_values(self, p: Position, seat: Seat, moves: Sequence[Move]) -> Sequence[MoveValue]:
        """Prefer a sweep, then the seven of coins, then coins and many cards; lay down what is worth least."""
        return [self._move_value(p, move) for move in moves]

    def _move_value(self, p: Position, move: Move) -> MoveValue:
        takes = move.verb == CAPTURE.verb
        worth = sum(_worth(card) for card in move.cards)
        return (int(takes and len(move.cards) > len(p.table)), worth if takes else -worth)

    # ------------------------------------------------------------------ results and notation

    def points(self, p: Position) -> tuple[int, ...]:
        """Return the sweeps of each seat, and one for the seven of coins."""
        return tuple(n + (SETTEBELLO in taken) for n, taken in zip(p.sweeps, p.taken, strict=True))

    def scores(self, p: Position) -> tuple[int, ...]:
        """Return the score of each seat."""
        return p.match_state.scores

    def outcome(self, p: Position) -> frozenset[Seat] | None:
        """Return the winners, None while the match goes on."""
        return self._winners(p.match_state.scores) if self.is_finished(p) else None

    def encode(self, p: Position) -> str:
        """Return the position as a line."""
        return self._codec.encode(p)

    def decode(self, text: str) -> Position:
        """Parse a line; raises `InvalidPosition`."""
        p = self._codec.decode(text)
        for fault in faults(p, self.seats, ITALIAN):
            raise InvalidPosition(*fault)
        if bool(self._winners(p.match_state.scores)) != self.is_finished(p):
            raise InvalidPosition("scores", "the match is over exactly if a side has won it")
        return p


def _worth(card: Card) -> int:
    """Return how much a bot wants a card: the seven of coins most, then sevens, coins and sixes."""
    return 1 + 3 * (card.suit == COINS) + 5 * (card == SETTEBELLO) + max(0, PRIMIERA[card.rank] - 15)


def _with(row: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    return (*row[:seat], item, *row[seat + 1 :])


TARGET = choice_option("target", "The score that wins the match.", "custom", {"11": 11, "16": 16, "21": 21}).of_length()
FIRST_DEALER = number_option("first_dealer", "The seat that deals first.", "ruling", 0, 0, 3)


def rules(agreed: Choices) -> Scopa:
    """Return the rules of a table."""
    if (dealer := agreed[FIRST_DEALER]) >= agreed.players:
        raise InvalidOption("options.first_dealer", f"seats are numbered from 0 to {agreed.players - 1}")
    sides = (0, 1, 0, 1) if agreed.players == 4 else (0, 1)
    return Scopa(agreed, sides=sides, target=agreed[TARGET], first_dealer=dealer)


SCOPA = GameEntry(
    key="scopa",
    title="Scopa",
    place="Italy",
    sources=("custom",),
    players=(2, 4),
    options=(TARGET, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
)  # fmt: skip
"""The game as it stands in the catalogue."""
