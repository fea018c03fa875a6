"""The rule book of a game: its clauses, and the clause behind each reason code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from chitarrella.core.cards import Hand
from chitarrella.core.model import Clause, Edition, Reason, Refusal, Seat

COMMON = (
    Clause("ALL-1", "Seats are numbered in the order of play; eldest is the seat after the dealer.", "common"),
    Clause(
        "ALL-2",
        "A pack is a list of all the cards of the game, each as often as the game has it; the first is dealt first.",
        "common",
    ),
    Clause(
        "ALL-3",
        "A decision without alternatives is still a move of its seat; what leaves nobody a choice happens by itself.",
        "common",
    ),
    Clause(
        "ALL-4",
        "What names nothing of the game is malformed; whatever else a rule forbids is refused and changes nothing.",
        "common",
    ),
    Clause(
        "ALL-5",
        "Nobody sees another hand or the stock; tricks, sizes, scores and whose turn it is are seen by everybody.",
        "common",
    ),
    Clause("ALL-6", "What was public at the end of a deal stays in view until the next pack is dealt.", "common"),
    Clause(
        "ALL-7",
        "Each move belongs to its phases, and when the match is finished neither a move nor a pack is accepted.",
        "common",
    ),
    Clause("ALL-8", "An option that is left out has its default; a value that is not allowed is refused.", "common"),
    Clause("ALL-9", "A deal ends after a bounded number of moves; a match need not.", "common"),
)
"""The clauses that hold in every game."""

COMMON_REASON_CLAUSES = {
    "match_over": "ALL-7",
    "wrong_phase": "ALL-7",
    "not_in_hand": "ALL-4",
    "bad_pack": "ALL-2",
    "bad_dealer": "ALL-8",
}
"""The clause behind each reason code that all games share."""


@dataclass(frozen=True, kw_only=True)
class RuleBook:
    """Name, origin and rule book of a game.

    ``own_clauses`` are the clauses of this game alone. ``citations`` maps reason codes to keys of clauses, beyond
    `COMMON_REASON_CLAUSES`; the key ``verb code`` overrides ``code`` when that move is refused. ``editions`` is the
    history of the rules; the last entry is the present one.
    """

    key: str
    title: str
    place: str
    sources: tuple[str, ...]
    editions: tuple[Edition, ...] = (Edition(1, "The first edition."),)
    own_clauses: tuple[Clause, ...] = ()
    citations: Mapping[str, str] = field(default_factory=dict)

    @property
    def edition(self) -> int:
        """The number of this version of the rules."""
        return self.editions[-1].number

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses: the common ones, then the game's own."""
        return COMMON + self.own_clauses

    @cached_property
    def reason_clauses(self) -> dict[str, Clause]:
        """The clause by code, or by verb and code; raises `KeyError` where a citation names no clause of the game."""
        by_key = {clause.key: clause for clause in self.clauses}
        return {code: by_key[key] for code, key in {**COMMON_REASON_CLAUSES, **self.citations}.items()}

    def refuse(
        self,
        reason: Reason,
        *,
        verb: str = "",
        allowed_cards: Hand = (),
        offending_cards: Hand = (),
        word: str = "",
        amount: Seat | None = None,
    ) -> Refusal:
        """Build a refusal for ``reason`` with the clause that this game cites for it, or for it and ``verb``."""
        grounds, code = self.reason_clauses, reason.code
        clause = (grounds.get(f"{verb} {code}") if verb else None) or grounds[code]
        return Refusal(reason, clause, allowed_cards, offending_cards, word, amount)
