"""Cuccu a trionfo: Cöch with robbing, a single trump card, and numerals for points; eight cards each, partners opposite.

Source: S002, after Smith, Fantini and Santelia. The leaflet in Masenghini's packs is the preset of that name.
"""

from chitarrella.core.cards import CUCCO
from chitarrella.core.model import Clause
from chitarrella.core.options import Choices, GameEntry, Option, bool_option, choice_option, number_option
from chitarrella.games.coech import FIRST_DEALER, MATCH_DEALS, NUMBERS, ROBBABLE, SUITS, TARGET_WINS
from chitarrella.tricks import following, robbing
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import CutBeforeDeal, Dealing, PackComesCut
from chitarrella.tricks.layout import RobbingLayout
from chitarrella.tricks.match_formats import Series
from chitarrella.tricks.parts import Following
from chitarrella.tricks.play import Play, PlayOrDeclare
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.seating import partnerships

PAGE = "S002, a trionfo"
AS_IN_COECH = "S002, as in Cöch"
WEB = "S002, a trionfo; two Italian web pages"

CLAUSES = (
    Clause("CT-1", "Four play, two sides crosswise; the cutter sits at the dealer's left, and the seat at his right leads first.", AS_IN_COECH),
    Clause("CT-2", "There are two suits of twenty cards, the numbers and the pictures; every face is there twice.", PAGE),
    Clause("CT-3", "Numbers rank from I up to X; pictures Matto, lion, mask, bucket, zero, XI, XII, XIII, XIV, XV, lowest first.", PAGE),
    Clause("CT-4", "A card counts what its numeral says, from I to XV; the pictures without a numeral count nothing: 110 and 130, in all 240.", PAGE),
    Clause("CT-5", "Matto, lion, mask, bucket and zero are the zero cards; X, XIV and XV may be robbed.", PAGE),
    Clause("CT-6", "The pack is handed in shuffled, top card first, before the cut.", PAGE),
    Clause("CT-7", "The first dealer is agreed or drawn from the four seats; the deal passes to the seat at the dealer's right, after a draw too; after the last deal the dealer stays.", f"{AS_IN_COECH}; ruling CO-R23"),
    Clause("CT-8", "Eight cards are out of play: the turn-up, what is left of the stock, and what was laid aside.", PAGE),
    Clause("CT-9", "The cutter lifts one card at least and leaves one at least; what he lifted goes under the rest, so its bottom card is the bottom of the pack. A pack may come cut by agreement.", f"{WEB}; rulings CT-R1, CT-R3"),
    Clause("CT-10", "The cutter robs from the bottom of the pack, before the deal and before he has seen any other card.", PAGE),
    Clause("CT-11", "A robber may look at the next card, which nobody else sees, or pass; he is done when he has as many as agreed, and the cutter when he has all that he lifted.", f"{PAGE}; ruling CT-R2"),
    Clause("CT-12", "What he has looked at he may take if it may be robbed, or leave; any other card he must leave. What he takes is counted, and shown where that is agreed.", f"{PAGE}; rulings CT-R4, CT-R6"),
    Clause("CT-13", "Nobody looks at a further card once he has passed, left a card, or robbed all that he may.", f"{PAGE}; rulings CT-R7, CT-R34"),
    Clause("CT-14", "Each seat gets two packets of four from the top, the dealer last; then the cutter picks up what he robbed.", PAGE),
    Clause("CT-15", "A card that the cutter left is the bottom card of the stock, and is neither dealt nor turned up.", "ruling CT-R25"),
    Clause("CT-16", "Knowing his hand, the dealer may rob from the top of the stock, up to the same number for himself.", f"{PAGE}; ruling CT-R8"),
    Clause("CT-17", "Six cards may be robbed, so two at least are left in the stock.", "follows from CT-5 and CT-14"),
    Clause("CT-18", "The first card that the dealer did not rob is turned up and laid apart; it belongs to nobody and counts for nobody.", PAGE),
    Clause("CT-19", "The other copy of the turn-up is the trionfo; if nobody holds it there is none, and nobody is told.", f"{PAGE}; ruling CT-R23"),
    Clause("CT-20", "After the turn-up the cutter, then the dealer, lays as many cards aside as he robbed, any cards, in one move.", f"{PAGE}; rulings CT-R9, CT-R10"),
    Clause("CT-21", "What was laid aside lies face down and is never counted; who laid it there may look at it, and everybody knows how much it is.", PAGE),
    Clause("CT-22", "Eight tricks are played; the seat at the dealer's right leads first, then the winner of each trick.", AS_IN_COECH),
    Clause("CT-23", "The trionfo may be played at any time and belongs to no suit in the hand, unless that is agreed.", f"{WEB}; ruling CT-R12"),
    Clause("CT-24", "A zero card is led only from a hand of zero cards, unless it is the trionfo; by the leaflet any card is led.", f"{PAGE}; rulings CT-R14, CT-R15"),
    Clause("CT-25", "Who leads the trionfo declares the suit to be followed, either of the two; with no other card anything is declared.", f"{PAGE}; ruling CT-R17"),
    Clause("CT-26", "The suit led must be followed while the hand holds it, or the trionfo played; otherwise any card may be played.", PAGE),
    Clause("CT-27", "On a picture a zero card is played only by a hand without a better picture, unless the trionfo was led; by the leaflet always.", PAGE),
    Clause("CT-28", "A trionfo that was not led does not change the suit to be followed.", f"{PAGE}; ruling CT-R18"),
    Clause("CT-29", "By agreement the trionfo is a card of its suit in the hand too, and may be due; it may still be played at any time.", "ruling CT-R12"),
    Clause("CT-30", "Forced cards are played too, to the eighth trick; nothing else can be done.", AS_IN_COECH),
    Clause("CT-31", "Broken clauses are named in order: phase, turn, cut, robbing, discard, possession, declaration, suit, zero cards; nothing changes.", "ruling"),
    Clause("CT-32", "That a robber looked, took or left is public, and looks the same whatever card it was.", "ruling CT-R5"),
    Clause("CT-33", "The trionfo takes the trick it is played to, whatever was led.", PAGE),
    Clause("CT-34", "Otherwise the highest card of the suit led takes the trick; of two equal ones the one played first.", AS_IN_COECH),
    Clause("CT-35", "The winner's side takes the four cards, the trionfo counts what its face does, and no trick bears a bonus.", f"{PAGE}; ruling CT-R22"),
    Clause("CT-36", "The side with more points wins the deal; where they are level it is a draw.", PAGE),
    Clause("CT-37", "In play are 240 points less those of the eight cards out of play.", PAGE),
    Clause("CT-38", "A deal counts one for each seat of the winning side and one against each of the other; matches are those of Cöch.", f"{AS_IN_COECH}; ruling CO-R17"),
)  # fmt: skip

ZEROS = ("NUL", "SEC", "MAS", "LEO", "MAT")
"""The pictures that count nothing, the highest first."""
VALUED = ("XV", "XIV", "XIII", "XII", "XI")
"""The pictures that count, the highest first."""
POINTS = Count("card_points", dict(zip((*VALUED, *NUMBERS), range(15, 0, -1), strict=True)))
"""The card points of each rank that has any."""
BY_PRESET = "by_preset"
"""The value of an option that is left to the preset: its meaning is None."""


def preset_option(name: str, description: str) -> Option[bool | None]:
    """Build an option that the preset decides unless a value is given."""
    return choice_option(name, description, PAGE, {BY_PRESET: None, "true": True, "false": False})


PRESET = choice_option(
    "preset",
    "Whose rules are played: those of Smith's sources, or those of the leaflet in Masenghini's packs.",
    PAGE,
    {"smith": True, "masenghini": False},
)
ROB_LIMIT: Option[int | None] = number_option(
    "rob_limit",
    "How many cards a robber may take.",
    PAGE,
    BY_PRESET,
    0,
    6,
    {BY_PRESET: None, "unlimited": len(CUCCO.cards)},
)
ZERO_LEAD_RESTRICTION = preset_option("zero_lead_restriction", "Whether zero cards are led last.")
ZERO_FOLLOW_RESTRICTION = preset_option(
    "zero_follow_restriction", "Whether zero cards are kept from pictures while there are better ones."
)
SHOW_ROBBED = bool_option("show_robbed", "Whether everybody sees what is robbed.", f"{PAGE}: a guess; ruling CT-R6")
TRIONFO_IN_SUIT = bool_option("trionfo_in_suit", "Whether the trionfo must be played to follow suit.", "ruling CT-R12")
CUT_MODE = choice_option(
    "cut_mode",
    "Whether a player cuts the pack, or it comes cut.",
    PAGE,
    {"player": CutBeforeDeal(), "automatic": PackComesCut()},
)


def rules(agreed: Choices) -> Rules:
    is_limited = agreed[PRESET]  # the leaflet sets no limits on robbing and on zero cards
    limit, leads_last, keeps = agreed[ROB_LIMIT], agreed[ZERO_LEAD_RESTRICTION], agreed[ZERO_FOLLOW_RESTRICTION]
    if limit is None:
        limit = 3 if is_limited else len(CUCCO.cards)
    rob = ROBBABLE, limit, robbing.seen_by_all if agreed[SHOW_ROBBED] else robbing.seen_by_robber
    duty = following.FollowButTrionfo(
        keeps_zeros=following.on_pictures if (is_limited if keeps is None else keeps) else following.on_no_lead,
        in_suit=following.with_trionfo if agreed[TRIONFO_IN_SUIT] else following.without_trionfo,
    )
    return Rules(
        agreed,
        seating=partnerships(),
        pack=CUCCO,
        order=Order((*NUMBERS, *VALUED, *ZEROS), (POINTS,), SUITS),
        dealing=Dealing("await_deal", robbing.StartRobbing((4, 4))),
        phases=(
            agreed[CUT_MODE],
            robbing.RobBeforeDeal(*rob),
            robbing.RobAfterDeal(*rob),
            robbing.Discard(),
            Play(play_action=PlayOrDeclare()),
        ),
        series=Series(agreed[TARGET_WINS], agreed[MATCH_DEALS], lost_deal_score=-1),
        following=duty,
        leading=following.ZerosLast() if (is_limited if leads_last is None else leads_last) else Following(),
        draws=False,
        taking=following.TrionfoTakes(),
        layout=RobbingLayout(),
        own=robbing.Robbery,
        first_dealer=agreed[FIRST_DEALER],
    )


CUCCU_A_TRIONFO = GameEntry(
    key="cuccu-a-trionfo",
    title="Cuccu a trionfo",
    place="Bergamo and the Abruzzi",
    description="A trick game of partners with the pack of Cucco, in which the dealer may rob from the stock.",
    sources=("S002",),
    players=(4,),
    options=(
        PRESET,
        ROB_LIMIT,
        ZERO_LEAD_RESTRICTION,
        ZERO_FOLLOW_RESTRICTION,
        SHOW_ROBBED,
        TRIONFO_IN_SUIT,
        CUT_MODE,
        FIRST_DEALER,
        MATCH_DEALS,
        TARGET_WINS,
    ),
    rules=rules,
    own_clauses=CLAUSES,
    citations={
        "bad_dealer": "CT-7",
        "discard not_your_turn": "CT-20",
        "cut_out_of_range": "CT-9",
        "not_robbable": "CT-12",
        "wrong_discard_count": "CT-20",
        "declaration_missing": "CT-25",
        "declaration_not_allowed": "CT-25",
        "must_follow_suit": "CT-26",
        "zero_card_lead": "CT-24",
        "zero_card_follow": "CT-27",
    },
)

GAMES = (CUCCU_A_TRIONFO,)
