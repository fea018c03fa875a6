"""Elfern: eleven of twenty honours; free play while there is a stock, strict duties in the last six tricks.

Source: S004, whose page breaks off inside this game; the rest is recovered from the next page of the same book.
"""

from dataclasses import dataclass

from chitarrella import tricks
from chitarrella.core.cards import FRENCH_32, Hand
from chitarrella.core.options import Choices, GameEntry, bool_option, choice_option, rule_book
from chitarrella.games.bohemian_schneider import HONOURS, RANKS
from chitarrella.tricks import following
from chitarrella.tricks.match_formats import alternate, loser_deals
from chitarrella.tricks.options import WITH_AN_END

NEXT_PAGE = "recovered: the next page of the book of S004"


@dataclass(frozen=True)
class StrictAtTheEnd(tricks.Duties):
    """No duty while there is a stock; then the ``duties`` (EL-5.2). The rule book names those of both options."""

    reasons = (following.MUST_FOLLOW_SUIT, following.MUST_TRUMP, following.MUST_HEAD_TRICK)

    def allowed_cards(self, g: tricks.Rules, t: tricks.Table, hand: Hand) -> Hand:
        return hand if t.stock else super().allowed_cards(g, t, hand)


TRUMP_VARIANT = bool_option("trump_variant", "Whether a card is turned up for trumps.", NEXT_PAGE)
HEAD_IN_ENDGAME = choice_option(
    "head_in_endgame",
    "Whether the trick must be headed when the stock is gone.",
    "Meyers Konversations-Lexikon, 1905",
    {
        "true": (tricks.FollowSuit(), tricks.HeadTheTrick(), tricks.TrumpIfVoid()),
        "false": tricks.FOLLOW_ELSE_TRUMP.duties,
    },
    "false",
)
STAND_OFF = choice_option(
    "stand_off",
    "Whether a stand-off doubles the next deal that is won.",
    "Pierer's Lexicon, 1857",
    {"none": 1, "double_next": 2},
)
DEAL_PACKETS = tricks.deal_packets("ruling EL-R1", {"2-2-2": (2, 2, 2), "3-3": (3, 3)})
NEXT_DEALER = choice_option(
    "next_dealer", "Who deals the next deal.", "ruling EL-R2", {"alternate": alternate, "loser": loser_deals}
)
MATCH_GAMES = tricks.match_games("ruling", 3)
FIRST_DEALER = tricks.first_dealer(1, "drawn by the caller")


def rules(agreed: Choices) -> tricks.Rules:
    turn_up = tricks.turn_up_next if agreed[TRUMP_VARIANT] else tricks.turn_up_none
    return tricks.Rules(
        agreed,
        seating=tricks.alone(2),
        pack=FRENCH_32,
        order=tricks.Order(RANKS, (HONOURS,)),
        dealing=tricks.Dealing("await_deal", tricks.StartDeal(agreed[DEAL_PACKETS], turn_up)),
        series=tricks.TieredMatch(
            ((20, 3), (15, 2), (11, 1)),
            to_win=agreed[MATCH_GAMES],
            stand_off_factor=agreed[STAND_OFF],
            pass_deal=agreed[NEXT_DEALER],
        ),
        following=StrictAtTheEnd(agreed[HEAD_IN_ENDGAME]),
        own=tricks.DoubledDeal,
        carry_over=tricks.keep_record,
        first_dealer=agreed[FIRST_DEALER],
    )


ELFERN = GameEntry(
    key="elfern",
    place="Germany and Austria",
    description="A trick game for two with draws, in which honours alone count and eleven of them win.",
    sources=("S004",),
    players=(2,),
    options=(TRUMP_VARIANT, HEAD_IN_ENDGAME, STAND_OFF, DEAL_PACKETS, NEXT_DEALER, MATCH_GAMES, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
    editions=WITH_AN_END,
)

GAMES = (ELFERN, ELFERN.former(match_games="0"))
