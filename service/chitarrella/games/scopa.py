"""Scopa: cards are captured from the table, one of the same value or several of that sum; with Scopone for four.

Sources: S004 and S005. Rulings fill their gaps; the clauses name them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from chitarrella.core.cards import ITALIAN, Card, Hand, minus, put
from chitarrella.core.game import MoveValue
from chitarrella.core.model import (
    BAD_PACK,
    CHANCE,
    EVERYBODY,
    MATCH_OVER,
    NOBODY,
    NOT_IN_HAND,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    CardSpec,
    ChanceRequest,
    Event,
    Fact,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    SuitRanking,
    Viewer,
    Zone,
    ZoneSpec,
    hidden_cards_event,
    public_event,
)
from chitarrella.core.notation import InvalidPosition, PositionCodec
from chitarrella.core.options import (
    AgreedRules,
    Choices,
    GameEntry,
    InvalidOption,
    bool_option,
    choice_option,
    number_option,
    rule_book,
)
from chitarrella.tricks.layout import PACK, STOCK
from chitarrella.tricks.match_formats import by_seat, side_at_target
from chitarrella.tricks.parts import strictly_best
from chitarrella.tricks.seating import Seating, alone_or_partners

AWAIT_DEAL, PLAY, OVER = "await_deal", "play", "match_over"
"""The phases: a pack is needed, cards are played, the match is finished."""
MAX_COUNT = 1_000_000
"""Limit of the numbers of deals and of scores."""
KINGS = 3
"""With so many kings on the table a deal is void."""
VALUES = {rank: place for place, rank in enumerate(ITALIAN.ranks, 1)}
"""What each rank captures: ace 1 to king 10."""
PRIMIERA = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "F": 10, "C": 10, "R": 10}
"""What each rank counts for primiera."""
COINS = "d"
SETTEBELLO, RE_BELLO = ITALIAN.face("7", COINS), ITALIAN.face("R", COINS)


def primiera(cards: Hand) -> int:
    """Return the sum of the best card of each suit, 0 where a suit is missing."""
    best = [max([PRIMIERA[card.rank] for card in cards if card.suit == suit], default=0) for suit in ITALIAN.suits]
    return sum(best) if all(best) else 0


POINTS: Mapping[str, Callable[[Hand], int]] = {
    "cards": len,
    "coins": lambda cards: sum(card.suit == COINS for card in cards),
    "settebello": lambda cards: cards.count(SETTEBELLO),
    "primiera": primiera,
    "re_bello": lambda cards: cards.count(RE_BELLO),
}
"""What gives a point to the side that has most of it, to nobody where the best are level."""


@lru_cache(maxsize=10_000)  # a table is asked for every card of every hand, again when a move is checked
def sums(cards: Hand, total: int) -> tuple[Hand, ...]:
    """Return every set of ``cards`` whose values add up to ``total``."""
    if not total or not cards:
        return () if total else ((),)
    first, rest = cards[0], cards[1:]
    left = total - VALUES[first.rank]
    return (*((first, *more) for more in (sums(rest, left) if left >= 0 else ())), *sums(rest, total))


MUST_CAPTURE = Reason("must_capture", "{word} can capture, so it may not be laid on the table.")
ONE_FROM_HAND = Reason("one_from_hand", "Exactly one of the cards comes from the hand.")
NOT_ON_TABLE = Reason("not_on_table", "{word} is not on the table.")
WRONG_SUM = Reason("wrong_sum", "The captured cards must add up to {amount}.")
SINGLE_FIRST = Reason("single_first", "A single card of the value {amount} lies on the table, so it must be captured.")
ACE_TAKES_ALL = Reason("ace_takes_all", "The ace takes all cards on the table.")
REASONS = (BAD_PACK, NOT_IN_HAND, MUST_CAPTURE, ONE_FROM_HAND, NOT_ON_TABLE, WRONG_SUM, SINGLE_FIRST, ACE_TAKES_ALL)

SPECS = {
    spec.verb: spec
    for spec in (
        MoveSpec(
            "start_deal", "Hand in the pack, first card first.", frozenset({AWAIT_DEAL}), (0, 104), by_chance=True
        ),
        MoveSpec("play_card", "Lay a card of the hand on the table.", frozenset({PLAY}), (1, 1)),
        MoveSpec("capture", "Take cards from the table with a card of the hand.", frozenset({PLAY}), (1, 40)),
    )
}
ZONES = (
    PACK,
    ZoneSpec("hand", "The cards that a seat holds.", "owner"),
    STOCK,
    ZoneSpec("table", "The cards that lie face up and can be captured.", "everybody"),
    ZoneSpec("captured", "The cards that a seat has captured in this deal, in order.", "everybody"),
)


def is_void(table: Hand) -> bool:
    """Return whether a deal is void with these cards laid on the table (SC-3.3)."""
    kings = [card for card in table if card.rank == "R"]
    return len(kings) >= KINGS


class MatchState(NamedTuple):
    """What goes on from deal to deal: who deals, the number of the deal, the total of each side (SC-6.1)."""

    dealer: Seat
    deal: int
    totals: tuple[int, ...]


class Position(NamedTuple):
    """The cards: those in hand, the stock, those on the table and those that each seat has taken, in order.

    ``sweeps`` counts the scope of each seat (SC-4.6). ``at`` is the seat to play, ``taker`` the last one that took a card.
    """

    phase: str
    match_state: MatchState
    hands: tuple[Hand, ...]
    taken: tuple[Hand, ...]
    sweeps: tuple[int, ...]
    stock: Hand = ()
    table: Hand = ()
    at: Seat = 0
    taker: Seat | None = None


CODEC = PositionCodec(Position, ITALIAN)


class Aces(NamedTuple):
    """The rank of the cards that take the whole table (SC-4.5), and of those with which that is a scopa (SC-4.6)."""

    take_all: str = ""
    sweep: str = ""


@dataclass(frozen=True, kw_only=True)
class Scopa(AgreedRules):
    """The rules of a table: so many cards are dealt to a hand, and so many laid on the table (SC-3.1)."""

    seating: Seating
    hand: int
    laid: int
    aces: Aces
    points_for: tuple[str, ...]
    target: int
    first_dealer: Seat

    pack = ITALIAN
    trick_rules = None
    avoids_points = False
    move_specs = SPECS
    reasons = tuple(sorted({MATCH_OVER, WRONG_PHASE, NOT_YOUR_TURN, *REASONS}))
    phase_names = (AWAIT_DEAL, PLAY, OVER)
    zone_specs = ZONES
    ranking = (SuitRanking("", ITALIAN.ranks[::-1], {"primiera": tuple(PRIMIERA[r] for r in ITALIAN.ranks[::-1])}),)
    card_specs = tuple(CardSpec(c, c.suit, VALUES[c.rank], PRIMIERA[c.rank], 1) for c in ITALIAN.cards)

    @cached_property
    def sides(self) -> tuple[int, ...]:
        return self.seating.sides

    @cached_property
    def seats(self) -> int:
        return len(self.sides)

    def partner(self, seat: Seat) -> Seat | None:
        return self.seating.partner(seat)

    # ------------------------------------------------------------------ whose turn it is

    def start(self) -> Position:
        return self._without_cards(MatchState(self.first_dealer, 0, (0,) * (max(self.sides) + 1)))

    def _without_cards(self, state: MatchState) -> Position:
        none: tuple[Hand, ...] = ((),) * self.seats
        return Position(AWAIT_DEAL, state, none, none, (0,) * self.seats)

    def is_in_phase(self, p: Position, verb: str) -> bool:
        return p.phase in SPECS[verb].phases

    def is_finished(self, p: Position) -> bool:
        return p.phase == OVER

    def turn(self, p: Position) -> Seat | None:
        return {AWAIT_DEAL: CHANCE, PLAY: p.at, OVER: None}[p.phase]

    def chance_request(self, p: Position) -> ChanceRequest:
        return ChanceRequest("start_deal", ITALIAN.cards)

    # ------------------------------------------------------------------ what is legal

    def captures(self, card: Card, table: Hand) -> list[Hand]:
        """Return the sets of cards that ``card`` may capture: single ones of its rank before all others."""
        same: list[Hand] = [(other,) for other in table if other.rank == card.rank]
        if card.rank == self.aces.take_all:
            return same or [table]
        return same or [*sums(table, VALUES[card.rank])]

    def potential_moves(self, p: Position, actor: Seat) -> Iterable[Move]:
        """Return what the hand of ``actor`` could do on this table: lay each card, capture each fitting set."""
        hand = p.hands[actor] if actor in self.seating.seat_set else ()
        lay = [Move("play_card", (card,)) for card in hand]
        found = [ITALIAN.in_order((card, *some)) for card in hand for some in self.captures(card, p.table)]
        return [*lay, *(Move("capture", cards) for cards in found)]

    def candidates(self, p: Position, actor: Seat) -> Iterable[Move]:
        return self.potential_moves(p, actor) if p.phase == PLAY and p.at == actor else ()

    def legal_moves(self, p: Position, actor: Seat) -> Iterable[Move]:
        offers = self.candidates(p, actor)
        return [m for m in offers if m.verb == "capture" or not self.captures(m.cards[0], p.table)]

    def conditions(self, p: Position, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Return the clauses that a move breaks: nothing here depends on whose turn it is."""
        if move.verb == "start_deal":
            return self.refuse_pack(ITALIAN, move.cards)
        return tuple(self._broken(p.table, p.hands[seat], move))

    refusals = conditions

    def _broken(self, table: Hand, hand: Hand, move: Move) -> Iterator[Refusal]:
        cards, mine = move.cards, [card for card in move.cards if card in hand]
        strange = [*(Counter(cards) - Counter(table) - Counter(mine)).elements()]
        card, *more = mine or strange or cards
        if not mine:
            yield self.refuse(NOT_IN_HAND, verb=move.verb, word=card)
        if mine and more:
            yield self.refuse(ONE_FROM_HAND)
        if missing := strange[not mine :]:
            yield self.refuse(NOT_ON_TABLE, word=missing[0])
        if more:
            return  # nobody can say which card is to capture
        value, rest = VALUES[card.rank], tuple(other for other in table if other != card)
        takes_all, others = card.rank == self.aces.take_all, minus(cards, card)
        if move.verb == "play_card":
            yield from [self.refuse(MUST_CAPTURE, word=card)] if self.captures(card, rest) else []
            return
        if not takes_all and sum(VALUES[other.rank] for other in others) != value:
            yield self.refuse(WRONG_SUM, amount=value)
        if any(other.rank == card.rank for other in rest):
            if [other.rank for other in others] != [card.rank]:
                yield self.refuse(SINGLE_FIRST, amount=value)
        elif takes_all and not set(others).issuperset(rest):
            yield self.refuse(ACE_TAKES_ALL)

    # ------------------------------------------------------------------ what a move does

    def apply(self, p: Position, seat: Seat, move: Move, events: list[Event]) -> Position:
        if move.verb == "start_deal":
            return self._deal(p.match_state, move.cards, events)
        p = self._play(p, seat, move, events)
        if any(p.hands):
            return p._replace(at=(seat + 1) % self.seats)
        return self._deal_hands(p, events) if p.stock else self._score(p, events)

    def _deal(self, state: MatchState, cards: Hand, events: list[Event]) -> Position:
        """Lay cards on the table, and deal the first hands; with too many kings the same seat deals again."""
        state = state._replace(deal=state.deal + 1)
        events.append(public_event("deal_started", state.dealer, amount=state.deal))
        first = self.hand * self.seats
        table, rest = cards[first : first + self.laid], cards[first + self.laid :]
        if table:
            events.append(public_event("cards_laid", cards=table))
        p = self._without_cards(state)._replace(stock=cards[:first] + rest, table=table)
        if is_void(table):
            events.append(public_event("deal_voided", amount=state.deal))
            return p
        return self._deal_hands(p._replace(phase=PLAY), events)

    def _order(self, p: Position) -> tuple[Seat, ...]:
        """Return the seats in order of play: eldest first, the dealer last."""
        return self.seating.rotations[(p.match_state.dealer + 1) % self.seats]

    def _deal_hands(self, p: Position, events: list[Event]) -> Position:
        """Deal a hand to each seat from the top of the stock, eldest first, who plays next."""
        order, hands = self._order(p), list(p.hands)
        for place, seat in enumerate(order):
            hands[seat] = p.stock[self.hand * place : self.hand * (place + 1)]
            events.append(hidden_cards_event("dealt", seat, hands[seat], frozenset({seat})))
        return p._replace(hands=tuple(hands), stock=p.stock[self.hand * self.seats :], at=order[0])

    def _play(self, p: Position, seat: Seat, move: Move, events: list[Event]) -> Position:
        """Lay the card, or capture with it and note a scopa."""
        (card,) = (card for card in move.cards if card in p.hands[seat])
        p = p._replace(hands=put(p.hands, seat, minus(p.hands[seat], card)))
        events.append(public_event("card_played", seat, (card,)))
        if move.verb == "play_card":
            return p._replace(table=(*p.table, card))
        got = tuple(other for other in move.cards if other != card)
        table = tuple(other for other in p.table if other not in got)
        events.append(public_event("captured", seat, got or (card,)))
        if got and self._is_sweep(p, card, got):
            events.append(public_event("swept", seat))
            p = p._replace(sweeps=tuple(n + (s == seat) for s, n in enumerate(p.sweeps)))
        return p._replace(table=table, taken=put(p.taken, seat, (*p.taken[seat], card, *got)), taker=seat)

    def _is_sweep(self, p: Position, card: Card, got: Hand) -> bool:
        """Return whether the captured cards were all on the table, not with the last card of the deal, nor by right."""
        by_right = card.rank == self.aces.take_all != got[0].rank
        return (
            len(got) == len(p.table)
            and bool(p.stock or any(p.hands))
            and (card.rank == self.aces.sweep or not by_right)
        )

    def _score(self, p: Position, events: list[Event]) -> Position:
        """Pass the rest to the last taker, count the deal, and ask for a pack or end the match."""
        assert p.taker is not None, "of four cards of a rank the second captures"
        if p.table:
            events.append(public_event("rest_taken", p.taker, p.table))
            p = p._replace(taken=put(p.taken, p.taker, p.taken[p.taker] + p.table), table=())
        won = [0] * (max(self.sides) + 1)
        for seat, side in enumerate(self.sides):
            won[side] += p.sweeps[seat]
        lying = [tuple(c for s in self.seating.seats_of(side) for c in p.taken[s]) for side in range(len(won))]
        for word in self.points_for:
            counted = [POINTS[word](cards) for cards in lying]
            events.append(public_event("deal_counted", word=word, shares=by_seat([counted[s] for s in self.sides])))
            best = strictly_best(counted)
            won = [n + (side == best) for side, n in enumerate(won)]
        events.append(public_event("deal_scored", shares=by_seat([won[side] for side in self.sides])))
        totals = tuple(before + gain for before, gain in zip(p.match_state.totals, won, strict=True))
        state = MatchState((p.match_state.dealer + 1) % self.seats, p.match_state.deal, totals)
        winners = self._winners(totals)
        events += [public_event("match_won", seat) for seat in sorted(winners)]
        return p._replace(phase=OVER if winners else AWAIT_DEAL, match_state=state, at=0)

    def _winners(self, totals: Sequence[int]) -> frozenset[Seat]:
        """Return the seats of the side that has reached the target and leads, none while the match goes on."""
        side = side_at_target(totals, self.target)
        return frozenset(() if side is None else self.seating.seats_of(side))

    # ------------------------------------------------------------------ what is seen

    def zones(self, p: Position) -> Iterable[Zone]:
        if not _cards(p):
            return (Zone("pack", None, ITALIAN.cards, NOBODY),)
        return (
            *(Zone("hand", seat, hand, frozenset({seat})) for seat, hand in enumerate(p.hands)),
            Zone("stock", None, p.stock, NOBODY),
            Zone("table", None, p.table, EVERYBODY),
            *(Zone("captured", seat, cards, EVERYBODY) for seat, cards in enumerate(p.taken)),
        )

    def facts(self, p: Position) -> Iterable[Fact]:
        yield Fact("deal", p.match_state.deal, None, EVERYBODY)
        yield Fact("dealer", p.match_state.dealer, None, EVERYBODY)
        if p.taker is not None:
            yield Fact("last_capture", p.taker, None, EVERYBODY)
        yield from (Fact("sweeps", number, seat, EVERYBODY) for seat, number in enumerate(p.sweeps))

    def redeal(self, p: Position, viewer: Viewer, zones: Sequence[Zone]) -> Position:
        if not _cards(p):
            return p
        (stock,) = (zone.cards for zone in zones if zone.name == "stock")
        return p._replace(hands=tuple(zone.cards for zone in zones if zone.name == "hand"), stock=stock)

    def move_values(self, p: Position, seat: Seat, moves: Sequence[Move]) -> Sequence[MoveValue]:
        """Prefer a scopa, then the cards that count; lay down what is worth least."""
        return [self._value(p, move) for move in moves]

    def _value(self, p: Position, move: Move) -> MoveValue:
        worth = sum(
            1 + 3 * (c.suit == COINS) + 5 * (c == SETTEBELLO) + max(0, PRIMIERA[c.rank] - 15) for c in move.cards
        )
        return (int(len(move.cards) > len(p.table)), worth) if move.verb == "capture" else (0, -worth)

    # ------------------------------------------------------------------ results and notation

    def points(self, p: Position) -> tuple[int, ...]:
        """Return the sweeps of each seat, and one for the seven of coins."""
        return tuple(n + (SETTEBELLO in taken) for n, taken in zip(p.sweeps, p.taken, strict=True))

    def scores(self, p: Position) -> tuple[int, ...]:
        return tuple(p.match_state.totals[side] for side in self.sides)

    def outcome(self, p: Position) -> frozenset[Seat] | None:
        return self._winners(p.match_state.totals) if self.is_finished(p) else None

    def encode(self, p: Position) -> str:
        return CODEC.encode(p)

    def decode(self, text: str) -> Position:
        p = CODEC.decode(text)
        for fault in self._faults(p):
            raise InvalidPosition(*fault)
        return p

    def _faults(self, p: Position) -> Iterator[tuple[str, str]]:
        """Yield the fields for which no play leads to ``p``, each with the reason."""
        state, seats = p.match_state, self.seats
        if p.phase not in self.phase_names:
            yield "phase", f"this game has the phases {', '.join(self.phase_names)}"
        rows = {"hands": p.hands, "taken": p.taken, "sweeps": p.sweeps, "totals": state.totals}
        for name, row in rows.items():
            if len(row) != (due := len(set(self.sides)) if name == "totals" else seats):
                yield name, f"there must be {due} of them"
        if any(not 0 <= number <= MAX_COUNT for number in (state.deal, *state.totals, *p.sweeps)):
            yield "deal", f"deals, totals and sweeps are numbers from 0 to {MAX_COUNT}"
        for name, seat in (("dealer", state.dealer), ("at", p.at), ("taker", p.taker or 0)):
            if not 0 <= seat < seats:
                yield name, f"seats are numbered from 0 to {seats - 1}"
        cards = _cards(p)
        if cards and not (state.deal and ITALIAN.holds_exactly(cards)):
            yield "deal", "every card is in one place once a pack is dealt"
        if (p.taker is None) != (not any(p.taken)) or (p.taker is not None and not p.taken[p.taker]):
            yield "taker", "it is the seat that has taken last"
        if any(2 * sweeps > len(taken) for sweeps, taken in zip(p.sweeps, p.taken, strict=True)):
            yield "sweeps", "each has taken two cards at least"
        if p.phase == PLAY:
            yield from self._deal_faults(p)
        elif any(p.hands) or ((p.stock or p.table) and (any(p.taken) or not is_void(p.table))):
            yield "hands", "between two deals all cards are taken, or lie as they were when the deal was void"
        if bool(self._winners(state.totals)) != self.is_finished(p):
            yield "totals", "the match is over exactly if a side has won it"

    def _deal_faults(self, p: Position) -> Iterator[tuple[str, str]]:
        """Yield the faults of a deal that goes on: eldest plays first, and the hands are refilled when all are empty."""
        if len(p.stock) % (self.hand * self.seats):
            yield "stock", f"it is dealt {self.hand} cards at a time to each seat"
        order = self._order(p)
        left, at = len(p.hands[p.at]), order.index(p.at)
        sizes = [left - (step < at) for step in range(self.seats)]
        if not 1 <= left <= self.hand or sizes != [len(p.hands[seat]) for seat in order]:
            yield "hands", f"the seat to play has 1 to {self.hand} cards, and those that have played one less"


def _cards(p: Position) -> list[Card]:
    """Return all cards of the position; none where they are in the pack."""
    return [card for row in (*p.hands, *p.taken, p.stock, p.table) for card in row]


DEAL = choice_option(
    "deal",
    "Whether four get three cards at a time, or all at once: nine with four on the table, or ten with none.",
    "S004; S005, Scopone; ludopoli.us",
    {"scopa": (3, 4), "scopone": (9, 4), "scopone_scientifico": (10, 0)},
).only_for(4)
ACES = choice_option(
    "asso_pigliatutto",
    "Whether an ace takes all cards on the table, and whether that is a scopa.",
    "S004; it.wikipedia.org",
    {"off": Aces(), "no_scopa": Aces("A"), "scopa": Aces("A", "A")},
)
RE_BELLO_OPTION = bool_option("re_bello", "Whether the king of coins is worth a point.", "giocopocomagioco.com")
TARGET = choice_option(
    "target", "How many points end the match.", "S004; spazioinwind.libero.it", {str(n): n for n in (11, 16, 21, 31)}
).of_length()
FIRST_DEALER = number_option("first_dealer", "Which seat deals first.", "drawn by the caller", 0, 0, 3)


def rules(agreed: Choices) -> Scopa:
    if (dealer := agreed[FIRST_DEALER]) >= agreed.players:
        raise InvalidOption("options.first_dealer", f"seats are numbered from 0 to {agreed.players - 1}")
    hand, laid = agreed[DEAL] if agreed.players == 4 else (3, 4)
    return Scopa(
        agreed,
        seating=alone_or_partners(agreed.players),
        hand=hand,
        laid=laid,
        aces=agreed[ACES],
        points_for=tuple(word for word in POINTS if word != "re_bello" or agreed[RE_BELLO_OPTION]),
        target=agreed[TARGET],
        first_dealer=dealer,
    )


SCOPA = GameEntry(
    key="scopa",
    title="Scopa",
    place="Italy",
    description="The Italian game of capturing cards from the table; cards, coins, primiera and scope give points.",
    sources=("S005",),
    players=(2, 3, 4),
    options=(DEAL, ACES, RE_BELLO_OPTION, TARGET, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (SCOPA,)
