"""The trick-taking family: the rules of a game are a `Rules` put together from the parts of this package.

What a game is made of can be imported from here; `docs/building-blocks.md` lists it.
"""

from chitarrella.tricks.auction import PLAY_AND_REVEAL, Announce, Auction
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.claims import AfterLastTrick, Claim, ClaimMatch, ClaimState
from chitarrella.tricks.dealing import (
    Cut,
    Dealing,
    PartialDeal,
    StartDeal,
    turn_up_next,
    turn_up_none,
    turn_up_of_dealer,
)
from chitarrella.tricks.following import (
    FOLLOW_AND_HEAD,
    FOLLOW_ELSE_TRUMP,
    Duties,
    FollowOrTrump,
    FollowSuit,
    HeadTheTrick,
    PenalizedFollowing,
    TrumpIfVoid,
)
from chitarrella.tricks.layout import CommonLayout, MultiCardLayout, PartialLayout, after_deal, always, turn_up_in_hand
from chitarrella.tricks.match_formats import (
    Deal,
    DoubledDeal,
    Race,
    RaceScore,
    Scored,
    Series,
    SoloContract,
    TieredMatch,
)
from chitarrella.tricks.options import (
    all_pass,
    deal_packets,
    first_dealer,
    match_deals,
    match_games,
    removed_card,
    rubber_games,
    target_wins,
    trump_by,
)
from chitarrella.tricks.parts import Action, DealScoring, Following, MatchFormat, Phase, Taking, TrickEffect
from chitarrella.tricks.passing import PassCards, Passing, PassingLayout
from chitarrella.tricks.play import HolderLeads, Play, PlayCard, PlayOrRevoke
from chitarrella.tricks.rules import Rules, keep_record, reset_record
from chitarrella.tricks.scoring import SidePayments, SuddenDeath, SuddenOrMost
from chitarrella.tricks.seating import alone, alone_or_partners, partnerships
from chitarrella.tricks.shown_cards import Declare, DrawInTheOpen, Shown, ShownCards
from chitarrella.tricks.side_actions import (
    ExchangeTurnUp,
    ShowHand,
    SignalTrump,
    after_first_trick,
    after_winning,
    any_trick,
    first_trick,
    never,
)
from chitarrella.tricks.table import NoRecord, Table

__all__ = [
    "FOLLOW_AND_HEAD",
    "FOLLOW_ELSE_TRUMP",
    "PLAY_AND_REVEAL",
    "Action",
    "AfterLastTrick",
    "Announce",
    "Auction",
    "Claim",
    "ClaimMatch",
    "ClaimState",
    "CommonLayout",
    "Count",
    "Cut",
    "Deal",
    "DealScoring",
    "Dealing",
    "Declare",
    "DoubledDeal",
    "DrawInTheOpen",
    "Duties",
    "ExchangeTurnUp",
    "FollowOrTrump",
    "FollowSuit",
    "Following",
    "HeadTheTrick",
    "HolderLeads",
    "MatchFormat",
    "MultiCardLayout",
    "NoRecord",
    "Order",
    "PartialDeal",
    "PartialLayout",
    "PassCards",
    "Passing",
    "PassingLayout",
    "PenalizedFollowing",
    "Phase",
    "Play",
    "PlayCard",
    "PlayOrRevoke",
    "Race",
    "RaceScore",
    "Rules",
    "Scored",
    "Series",
    "ShowHand",
    "Shown",
    "ShownCards",
    "SidePayments",
    "SignalTrump",
    "SoloContract",
    "StartDeal",
    "SuddenDeath",
    "SuddenOrMost",
    "Table",
    "Taking",
    "TieredMatch",
    "TrickEffect",
    "TrumpIfVoid",
    "after_deal",
    "after_first_trick",
    "after_winning",
    "all_pass",
    "alone",
    "alone_or_partners",
    "always",
    "any_trick",
    "deal_packets",
    "first_dealer",
    "first_trick",
    "keep_record",
    "match_deals",
    "match_games",
    "never",
    "partnerships",
    "removed_card",
    "reset_record",
    "rubber_games",
    "target_wins",
    "trump_by",
    "turn_up_in_hand",
    "turn_up_next",
    "turn_up_none",
    "turn_up_of_dealer",
]
