"""What Scopa has in every rule set, and which of its moves are legal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from chitarrella.core.cards import ITALIAN, Pack
from chitarrella.core.model import (
    BAD_PACK,
    NOT_IN_HAND,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    CardSpec,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    SuitRanking,
    ZoneSpec,
)
from chitarrella.core.model import MATCH_OVER as NO_MORE_MOVES
from chitarrella.core.options import AgreedRules
from chitarrella_scopa.position import MATCH_OVER, NEW_DEAL, PLAY, Position
from chitarrella_scopa.scoring import PRIMIERA, captures, value

MUST_CAPTURE = Reason("must_capture", "{word} can capture, so it may not be laid on the table.")
ONE_FROM_HAND = Reason("one_from_hand", "Exactly one of the cards comes from the hand.")
NOT_ON_TABLE = Reason("not_on_table", "{word} is not on the table.")
WRONG_SUM = Reason("wrong_sum", "The captured cards must add up to {amount}.")
SINGLE_FIRST = Reason("single_first", "A single card of the value {amount} lies on the table, so it must be captured.")
REASONS: Final = (MUST_CAPTURE, ONE_FROM_HAND, NOT_ON_TABLE, WRONG_SUM, SINGLE_FIRST)

START_DEAL = MoveSpec(
    "start_deal", "Hand in the pack, first card first.", frozenset({NEW_DEAL}), (0, 104), by_chance=True
)
PLAY_CARD = MoveSpec("play_card", "Lay a card of the hand on the table.", frozenset({PLAY}), (1, 1))
CAPTURE = MoveSpec("capture", "Take cards from the table with a card of the hand.", frozenset({PLAY}), (2, 8))
SPECS: Final = {spec.verb: spec for spec in (START_DEAL, PLAY_CARD, CAPTURE)}


@dataclass(frozen=True, kw_only=True)
class Entry(AgreedRules):
    """What the catalogue shows and what is legal: ``sides`` is the side of each seat, ``target`` the winning score."""

    sides: tuple[int, ...]
    target: int
    first_dealer: Seat

    @property
    def seats(self) -> int:
        """One for each player."""
        return len(self.sides)

    # ------------------------------------------------------------------ the catalogue entry

    @property
    def pack(self) -> Pack:
        """The Italian pack."""
        return ITALIAN

    @property
    def avoids_points(self) -> bool:
        """Points are wanted."""
        return False

    @property
    def trick_rules(self) -> None:
        """There are no tricks."""
        return

    @property
    def move_specs(self) -> Mapping[str, MoveSpec]:
        """Dealing, laying a card, capturing."""
        return SPECS

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason for a refusal, sorted by code."""
        return tuple(sorted({NO_MORE_MOVES, WRONG_PHASE, NOT_YOUR_TURN, NOT_IN_HAND, BAD_PACK, *REASONS}))

    @property
    def phase_names(self) -> tuple[str, ...]:
        """The names of the phases."""
        return MATCH_OVER, NEW_DEAL, PLAY

    @property
    def ranking(self) -> tuple[SuitRanking, ...]:
        """The ranks by what they capture, the highest first, and what each counts for primiera."""
        ranks = ITALIAN.ranks[::-1]
        return (SuitRanking("", ranks, {"primiera": tuple(PRIMIERA[rank] for rank in ranks)}),)

    @property
    def card_specs(self) -> tuple[CardSpec, ...]:
        """Each card with what it captures and what it counts for primiera."""
        return tuple(CardSpec(card, card.suit, value(card), PRIMIERA[card.rank], 1) for card in ITALIAN.cards)

    @property
    def zone_specs(self) -> tuple[ZoneSpec, ...]:
        """The kinds of zones."""
        return (
            ZoneSpec("pack", "The cards that are not dealt yet.", "nobody"),
            ZoneSpec("hand", "The cards that a seat holds.", "owner"),
            ZoneSpec("stock", "The rest of the pack after the deal, the top card first.", "nobody"),
            ZoneSpec("table", "The cards that lie face up and can be captured.", "everybody"),
            ZoneSpec("taken", "The cards that a seat has captured in this deal, in order.", "everybody"),
        )

    # ------------------------------------------------------------------ moves

    def candidates(self, p: Position, actor: Seat) -> Iterable[Move]:
        """Return the moves of the seat to play."""
        return self.potential_moves(p, actor) if p.phase == PLAY and p.at == actor else ()

    def legal_moves(self, p: Position, actor: Seat) -> Iterable[Move]:
        """Return those of the candidates that no clause forbids."""
        return [move for move in self.candidates(p, actor) if not self.conditions(p, actor, move)]

    def potential_moves(self, p: Position, actor: Seat) -> Iterable[Move]:
        """Return what the hand of ``actor`` could do on this table: lay each card, capture each fitting set."""
        hand = p.hands[actor] if actor in range(self.seats) else ()
        lay = [Move(PLAY_CARD.verb, (card,)) for card in hand]
        take = [
            Move(CAPTURE.verb, ITALIAN.in_order((card, *some))) for card in hand for some in captures(card, p.table)
        ]
        return [*lay, *take]

    def conditions(self, p: Position, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Return the clauses that a move breaks: nothing here depends on whose turn it is."""
        return tuple(self._checks[move.verb](p, seat, move))

    refusals = conditions

    @property
    def _checks(self) -> Mapping[str, Callable[[Position, Seat, Move], Iterator[Refusal]]]:
        return {
            START_DEAL.verb: self._check_pack,
            PLAY_CARD.verb: self._check_card,
            CAPTURE.verb: self._check_capture,
        }

    def _check_pack(self, p: Position, seat: Seat, move: Move) -> Iterator[Refusal]:
        """Refuse what is not the pack."""
        if not ITALIAN.holds_exactly(move.cards):
            missing, surplus = ITALIAN.missing(move.cards), ITALIAN.surplus(move.cards)
            yield self.refuse(BAD_PACK, allowed_cards=missing, offending_cards=surplus)

    def _check_card(self, p: Position, seat: Seat, move: Move) -> Iterator[Refusal]:
        """Refuse to lay a card that is not held, or that can capture."""
        (card,) = move.cards
        if card not in p.hands[seat]:
            yield self.refuse(NOT_IN_HAND, verb=move.verb, word=card)
        elif captures(card, p.table):
            yield self.refuse(MUST_CAPTURE, word=card)

    def _check_capture(self, p: Position, seat: Seat, move: Move) -> Iterator[Refusal]:
        """Refuse a capture without one card of the hand, of what is not there, or of another sum."""
        mine = [card for card in move.cards if card in p.hands[seat]]
        others = [card for card in move.cards if card not in mine]
        missing = [card for card in others if card not in p.table]
        if not mine:
            yield self.refuse(NOT_IN_HAND, verb=move.verb, word=(missing or others)[0])
        elif len(mine) > 1 or len(set(move.cards)) < len(move.cards):
            yield self.refuse(ONE_FROM_HAND)
        elif missing:
            yield self.refuse(NOT_ON_TABLE, word=missing[0])
        elif sum(map(value, others)) != value(mine[0]):
            yield self.refuse(WRONG_SUM, amount=value(mine[0]))
        elif len(others) > 1 and any(value(card) == value(mine[0]) for card in p.table):
            yield self.refuse(SINGLE_FIRST, amount=value(mine[0]))
