"""The rule book that every game carries: its clauses, and which of them stands behind each reason code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from chitarrella.cards import Hand
from chitarrella.words import Clause, Edition, Reason, Refusal, Seat

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
        "Each move belongs to its phases, and when the match is over neither a move nor a pack is accepted.",
        "common",
    ),
    Clause("ALL-8", "An option that is left out has its default; a value that is not allowed is refused.", "common"),
    Clause("ALL-9", "A deal ends after a bounded number of moves; a match need not.", "common"),
)
"""The clauses that hold in every game."""

COMMON_GROUNDS = {
    "match_over": "ALL-7",
    "wrong_phase": "ALL-7",
    "not_in_hand": "ALL-4",
    "bad_pack": "ALL-2",
    "bad_dealer": "ALL-8",
}


@dataclass(frozen=True, kw_only=True)
class RuleBook:
    """What a game says of itself.

    ``own_clauses`` are its sentences, ``cites`` maps its reason codes to the keys of clauses, where they are not the
    common ones; ``verb code`` stands for a code that another clause is behind when that move is refused. ``editions``
    tell how its rules have changed; the last of them is this one.
    """

    key: str
    title: str
    place: str
    sources: tuple[str, ...]
    editions: tuple[Edition, ...] = (Edition(1, "The first edition."),)
    own_clauses: tuple[Clause, ...] = ()
    cites: Mapping[str, str] = field(default_factory=dict)

    @property
    def edition(self) -> int:
        """The number of this version of the rules."""
        return self.editions[-1].number

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The whole rule book: the common clauses, then the game's own."""
        return COMMON + self.own_clauses

    @cached_property
    def grounds(self) -> dict[str, Clause]:
        """The clause behind each code, or verb and code; raises `KeyError` where a game cites a clause it lacks."""
        by_key = {clause.key: clause for clause in self.clauses}
        return {code: by_key[key] for code, key in {**COMMON_GROUNDS, **self.cites}.items()}

    def refuse(
        self,
        reason: Reason,
        *,
        verb: str = "",
        instead: Hand = (),
        held: Hand = (),
        word: str = "",
        amount: Seat | None = None,
    ) -> Refusal:
        """Refuse for ``reason``, quoting the clause of this game, and where it has one that of the move ``verb``."""
        grounds, code = self.grounds, reason.code
        clause = (grounds.get(f"{verb} {code}") if verb else None) or grounds[code]
        return Refusal(reason, clause, instead, held, word, amount)
