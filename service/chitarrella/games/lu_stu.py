"""Lu Stù as played in Montorio al Vomano: Cucù, but cats send cards back, inns are bargained for, fools may win.

Source: S001, its Montorio part; what that does not mention is as in Campli. Rulings fill the gaps.
"""

from functools import partial

from chitarrella.core.options import Choices, GameEntry, choice_option, number_option, rule_book
from chitarrella.exchange import bargains, deal
from chitarrella.exchange.parts import CAT, HORSE, INN
from chitarrella.exchange.round import Phases
from chitarrella.exchange.rules import Rules
from chitarrella.games.cucu import EFFECTS, LATER_ACTIONS, PLAYERS, TURN_ACTIONS, shared_options, shared_rules

PAGE = "S001, Lu Stù of Montorio"
AS_IN_CUCU = "S001, as in Campli"

SINGLE_MATTO_FROM = number_option(
    "single_matto_from",
    "From how many players in the game on a deal is played with one MAT; 0 for never.",
    "S001; ruling LS-R22",
    0,
    2,
    20,
    {"0": 0},
)
INN_OFFER_ROUNDS = number_option("inn_offer_rounds", "How many offers a guest may make.", "ruling LS-R17", 3, 1, 10)
INN_OFFER_KINDS = choice_option(
    "inn_offer_kinds",
    "What a guest may offer for an inn: money, a share of the prize, or both.",
    PAGE,
    {"both": {}, "money": {"max_percent": 0}, "pool_share": {"max_money": 0}},
)


def rules(agreed: Choices) -> Rules:
    return Rules(
        agreed,
        effects=EFFECTS
        | {INN: partial(bargains.announce, phase=Phases.INN_OFFER), CAT: deal.send_back, HORSE: deal.jump},
        actions=(
            *TURN_ACTIONS,
            *LATER_ACTIONS,
            *(bargains.MakeOffer(), bargains.no_offer, bargains.accept_offer, bargains.refuse_offer),
        ),
        comparison=deal.first_lowest,
        last_token=deal.AskedAtOnce(),
        reentry_steps=1,
        single_fool_from=agreed[SINGLE_MATTO_FROM],
        offer_terms=bargains.OfferTerms(agreed[INN_OFFER_ROUNDS], **agreed[INN_OFFER_KINDS]),
        **shared_rules(agreed),
    )


LU_STU = GameEntry(
    key="lu-stu",
    title="Lu Stù",
    place="Montorio al Vomano, Abruzzo",
    description="Each has one card and may exchange it with a neighbour; guests at the inn bargain, the lowest pays.",
    sources=("S001",),
    players=PLAYERS,
    options=(
        *shared_options(AS_IN_CUCU, forces_exchange=False, forced_source="S001, Campli only; ruling LS-R25"),
        SINGLE_MATTO_FROM,
        INN_OFFER_ROUNDS,
        INN_OFFER_KINDS,
    ),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (LU_STU,)
