"""Options of both exchange games: stakes, seating, who deals first, and what may be agreed."""

from __future__ import annotations

from typing import Any

from chitarrella.core.options import Choices, Option, bool_option, choice_option, number_option
from chitarrella.exchange.ending import NoPoolSplit, TwoPlayerPoolSplit
from chitarrella.exchange.reentry_terms import Price, ReentryTerms, is_outsider, never, nobody, while_a_virgin_plays

MAX_STAKE = 1_000_000_000  # the greatest stake that a table may agree on
PLAYERS = (8, *(players for players in range(2, 21) if players != 8))
"""From 2 to 20 play; the default is 8."""
LOW_CARDS = ("I", "II", "III", "IV", "NUL", "SEC", "MAS", "LEO")
"""The cards that an agreement of the last two may oblige to exchange."""


def shared_options(source: str, *, forces_exchange: bool, forced_source: str) -> tuple[Option[Any], ...]:
    """Return the options that both games have. The forced exchange has a default and a source of its own."""
    return (
        number_option("tokens", "How many tokens a stake is worth.", source, 3, 1, 9),
        number_option(
            "stake",
            "What everybody pays into the pool, in the smallest unit of money.",
            f"{source}; the default is ours",
            100,
            1,
            MAX_STAKE,
        ),
        choice_option(
            "seating",
            "Whether seats are given, or drawn from one copy of each face or from the whole pack.",
            source,
            {"given": 0, "half_pack": 1, "full_pack": 2},
        ),
        number_option("first_dealer", "Who deals first.", "ruling", 0, 0, 19),
        bool_option("reentry", "Whether who has lost the last token may buy himself back.", source, default=True),
        bool_option("syndicates", "Whether others may help to pay a re-entry.", source, default=True),
        bool_option("end_game_agreement", "Whether the last two may agree to divide the pool.", source, default=True),
        bool_option(
            "agreement_forces_exchange",
            "Whether under an agreement low cards must be exchanged.",
            forced_source,
            default=forces_exchange,
        ),
    )


def shared_rules(agreed: Choices, price: Price) -> dict[str, Any]:
    """Return the fields of `Rules` that `shared_options` decide; ``price`` is that of a re-entry."""
    chosen = agreed.meanings
    return {
        "tokens": chosen["tokens"],
        "stake": chosen["stake"],
        "drawn_from": chosen["seating"],
        "first_dealer": chosen["first_dealer"],
        "reentry": ReentryTerms(
            price,
            while_a_virgin_plays if chosen["reentry"] else never,
            is_outsider if chosen["syndicates"] else nobody,
        ),
        "pool_split": TwoPlayerPoolSplit() if chosen["end_game_agreement"] else NoPoolSplit(),
        "duty": LOW_CARDS if chosen["agreement_forces_exchange"] else (),
    }
