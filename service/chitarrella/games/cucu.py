"""Cucù as played in Campli: one card each, one chance to be rid of it, and the lowest card loses a token.

Source: S001, its Campli part. Rulings fill its gaps.
"""

from chitarrella.core.cards import CUCCO
from chitarrella.core.options import Choices, GameEntry, choice_option, rule_book
from chitarrella.exchange import effects, ending, inn_bargains
from chitarrella.exchange.options import PLAYERS, shared_options, shared_rules
from chitarrella.exchange.parts import CAT, CUCKOO, HORSE, HUNTER, INN
from chitarrella.exchange.reentry import DeclineReentry, Reenter
from chitarrella.exchange.reentry_terms import PerElimination
from chitarrella.exchange.round import draw_last
from chitarrella.exchange.rules import Rules
from chitarrella.exchange.showdown import AllLowest
from chitarrella.exchange.turns import Draw, Exchange, Keep

PAGE = "S001, Cucù of Campli"

VALUES = {"LEO": -3, "MAS": -2, "SEC": -1, "NUL": 0} | {
    rank: value
    for value, rank in enumerate(
        ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"), 1
    )
}
"""The value of each face at the showdown; the lowest loses."""
TURN_ACTIONS = (Keep(), Exchange(), Draw())
"""The moves of a seat on turn."""
LATER_ACTIONS = (
    *(Reenter(), DeclineReentry()),
    *(ending.ProposeAgreement(), ending.NoProposal(), ending.AcceptAgreement(), ending.DeclineAgreement()),
    ending.StartNextGame(),
)
"""The moves of who has lost the last token, of the last two, and after the game."""

HORSE_DEALER_DRAW = choice_option(
    "horse_dealer_draw",
    "Which card is taken at the dealer's horse: the top one, from which nothing is dealt, or the next.",
    "S001; ruling CU-R6",
    {"top": effects.Jump(draw_last), "next": effects.Jump()},
)
CUCKOO_PROTECTS = choice_option(
    "cuckoo_protects",
    "When a cuckoo saves the tokens of the player who has it.",
    "S001; ruling CU-R13",
    {"always": (CUCKOO,), "comparison": ()},
)


def rules(agreed: Choices) -> Rules:
    return Rules(
        agreed,
        pack=CUCCO,
        values=VALUES,
        effects={
            INN: inn_bargains.InnGuarantee(),
            CAT: effects.UndoSwaps(),
            HORSE: agreed[HORSE_DEALER_DRAW],
            HUNTER: effects.Shoot(),
            CUCKOO: effects.StopExchange(),
        },
        actions=(
            *TURN_ACTIONS,
            *(inn_bargains.Stay(), inn_bargains.AskGuarantee(), inn_bargains.AgreeToPay(), inn_bargains.RefuseToPay()),
            *LATER_ACTIONS,
        ),
        comparison=AllLowest(two_fools=(VALUES[HUNTER] + VALUES[CUCKOO]) / 2),
        penalty=effects.DeadCard(),
        protectors=agreed[CUCKOO_PROTECTS],
        **shared_rules(agreed, PerElimination()),
    )


CUCU = GameEntry(
    key="cucu",
    title="Cucù",
    place="Campli, Abruzzo",
    description="Each has one card and may exchange it with a neighbour; the lowest costs a token.",
    sources=("S001",),
    players=PLAYERS,
    options=(
        *shared_options(PAGE, forces_exchange=True, forced_source=PAGE),
        HORSE_DEALER_DRAW,
        CUCKOO_PROTECTS,
    ),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (CUCU,)
