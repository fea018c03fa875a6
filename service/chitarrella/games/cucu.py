"""Cucù as played in Campli: one card each, one chance to be rid of it, and the lowest card loses a token.

Source: S001, its Campli part. Rulings fill its gaps.
"""

from functools import partial
from typing import Any

from chitarrella.core.cards import CUCCO, RankOrder
from chitarrella.core.options import Choices, GameEntry, Option, bool_option, choice_option, number_option, rule_book
from chitarrella.exchange import bargains, deal
from chitarrella.exchange.parts import CAT, CUCKOO, HORSE, HUNTER, INN
from chitarrella.exchange.round import MAX_MONEY, MAX_PERSONS, Phases
from chitarrella.exchange.rules import Rules

PAGE = "S001, Cucù of Campli"

ORDER = RankOrder(
    (
        *("XV", "XIV", "XIII", "XII", "XI", "X", "IX", "VIII", "VII", "VI", "V", "IV", "III", "II", "I"),
        *("NUL", "SEC", "MAS", "LEO"),
    )
)
"""The ranks at the showdown, where the lowest loses."""
EFFECTS = {HUNTER: deal.strike, CUCKOO: deal.stop_exchange}
"""What the two highest cards do to who asks for them."""
TURN_ACTIONS = (deal.Keep(), deal.exchange, deal.draw)
"""The moves of a seat on turn."""
LATER_ACTIONS = (
    *(deal.Reenter(), deal.decline_reentry),
    *(bargains.ProposeAgreement(), bargains.no_proposal, bargains.accept_agreement, bargains.decline_agreement),
    deal.StartNextGame(),
)
"""The moves of who has lost the last token, of the last two, and after the game."""

MAX_STAKE = 1_000_000_000  # the greatest stake that a table may agree on
PLAYERS = (8, *(players for players in range(2, 21) if players != 8))
"""From 2 to 20 play; the default is 8."""
LOW_CARDS = ("I", "II", "III", "IV", "NUL", "SEC", "MAS", "LEO")
"""The cards that an agreement of the last two may oblige to exchange."""

HORSE_DEALER_DRAW = choice_option(
    "horse_dealer_draw",
    "Which card is taken at the dealer's horse: the top one, from which nothing is dealt, or the next.",
    "S001; ruling CU-R6",
    {"top": partial(deal.jump, place=-1), "next": partial(deal.jump)},
)
CUCKOO_PROTECTS = choice_option(
    "cuckoo_protects",
    "When a cuckoo saves the tokens of the player who has it.",
    "S001; ruling CU-R13",
    {"always": (CUCKOO,), "comparison": ()},
)


def shared_options(source: str, *, forces_exchange: bool, forced_source: str) -> tuple[Option[Any], ...]:
    """Return the options that both games have. The forced exchange has a default and a source of its own."""
    stake = "What everybody pays into the pool, in the smallest unit of money."
    seating = "Whether seats are given, or drawn from one copy of each face or from the whole pack."
    forced = "Whether under an agreement low cards must be exchanged."
    return (
        number_option("tokens", "How many tokens a stake is worth.", source, 3, 1, 9).of_length(),
        number_option("stake", stake, f"{source}; the default is ours", 100, 1, MAX_STAKE),
        choice_option("seating", seating, source, {"given": 0, "half_pack": 1, "full_pack": 2}),
        number_option("first_dealer", "Who deals first.", "ruling", 0, 0, 19),
        bool_option("reentry", "Whether who has lost the last token may buy himself back.", source, default=True),
        bool_option("syndicates", "Whether others may help to pay a re-entry.", source, default=True),
        bool_option("end_game_agreement", "Whether the last two may agree to divide the pool.", source, default=True),
        bool_option("agreement_forces_exchange", forced, forced_source, default=forces_exchange),
    )


def shared_rules(agreed: Choices) -> dict[str, Any]:
    """Return the cards and their order, and the fields of `Rules` that `shared_options` decide."""
    chosen = agreed.meanings
    return {name: chosen[name] for name in ("tokens", "stake", "first_dealer")} | {
        "pack": CUCCO,
        "order": ORDER,
        "drawn_from": chosen["seating"],
        "opening": bargains.talk_of_two if chosen["end_game_agreement"] else deal.first_turn,
        "max_pool": MAX_MONEY if chosen["reentry"] else 0,
        "max_helpers": MAX_PERSONS if chosen["syndicates"] else 0,
        "duty": LOW_CARDS if chosen["agreement_forces_exchange"] else (),
    }


def rules(agreed: Choices) -> Rules:
    return Rules(
        agreed,
        effects=EFFECTS
        | {
            INN: partial(bargains.announce, phase=Phases.INN_GUEST),
            CAT: deal.undo_swaps,
            HORSE: agreed[HORSE_DEALER_DRAW],
        },
        actions=(
            *TURN_ACTIONS,
            *(bargains.stay_at_inn, bargains.ask_guarantee, bargains.agree_to_pay, bargains.refuse_to_pay),
            *LATER_ACTIONS,
        ),
        comparison=deal.all_lowest,
        last_token=deal.AskedLater(),
        loss_steps=1,
        protectors=agreed[CUCKOO_PROTECTS],
        **shared_rules(agreed),
    )


CUCU = GameEntry(
    key="cucu",
    title="Cucù",
    place="Campli, Abruzzo",
    description="Each has one card and may exchange it with a neighbour; the lowest costs a token.",
    sources=("S001",),
    players=PLAYERS,
    options=(*shared_options(PAGE, forces_exchange=True, forced_source=PAGE), HORSE_DEALER_DRAW, CUCKOO_PROTECTS),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (CUCU,)
