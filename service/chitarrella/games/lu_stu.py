"""Lu Stù as played in Montorio al Vomano: Cucù, but cats send cards back, inns are bargained for, fools may win.

Source: S001, its Montorio part; what that does not mention is as in Campli. Rulings fill the gaps.
"""

from chitarrella.core.cards import CUCCO
from chitarrella.core.options import Choices, GameEntry, choice_option, number_option, rule_book
from chitarrella.exchange import effects, inn_bargains
from chitarrella.exchange.options import PLAYERS, shared_options, shared_rules
from chitarrella.exchange.parts import CAT, CUCKOO, HORSE, HUNTER, INN
from chitarrella.exchange.reentry_terms import PerReentry
from chitarrella.exchange.rules import Rules
from chitarrella.exchange.showdown import FirstLowest
from chitarrella.games.cucu import LATER_ACTIONS, TURN_ACTIONS, VALUES

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
    inn = inn_bargains.InnBargain(agreed[INN_OFFER_ROUNDS], **agreed[INN_OFFER_KINDS])
    return Rules(
        agreed,
        pack=CUCCO,
        values=VALUES,
        effects={
            INN: inn,
            CAT: effects.SendBack(),
            HORSE: effects.Jump(),
            HUNTER: effects.Shoot(),
            CUCKOO: effects.StopExchange(),
        },
        actions=(
            *TURN_ACTIONS,
            *LATER_ACTIONS,
            *(inn_bargains.MakeOffer(inn), inn_bargains.NoOffer()),
            *(inn_bargains.AcceptOffer(), inn_bargains.RefuseOffer(inn)),
        ),
        comparison=FirstLowest(),
        penalty=effects.ImmediatePenalty(),
        single_fool_from=agreed[SINGLE_MATTO_FROM],
        **shared_rules(agreed, PerReentry()),
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
