"""Cuccu a trionfo: Cöch with robbing, a single trump card, and numerals for points; eight cards each, partners opposite.

Source: S002, after Smith, Fantini and Santelia. The leaflet in Masenghini's packs is the preset of that name.
"""

from chitarrella import tricks
from chitarrella.core.cards import CUCCO
from chitarrella.core.options import Choices, GameEntry, Option, bool_option, choice_option, number_option, rule_book
from chitarrella.games.coech import FIRST_DEALER, MATCH_DEALS, NUMBERS, ROBBABLE, SUITS, TARGET_WINS
from chitarrella.tricks import following, robbing
from chitarrella.tricks.dealing import CutBeforeDeal, PackComesCut
from chitarrella.tricks.play import PlayOrDeclare

PAGE = "S002, a trionfo"

ZEROS = ("NUL", "SEC", "MAS", "LEO", "MAT")
"""The pictures that count nothing, the highest first."""
VALUED = ("XV", "XIV", "XIII", "XII", "XI")
"""The pictures that count, the highest first."""
POINTS = tricks.Count("card_points", dict(zip((*VALUED, *NUMBERS), range(15, 0, -1), strict=True)))
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


def rules(agreed: Choices) -> tricks.Rules:
    is_limited = agreed[PRESET]  # the leaflet sets no limits on robbing and on zero cards
    limit, leads_last, keeps = agreed[ROB_LIMIT], agreed[ZERO_LEAD_RESTRICTION], agreed[ZERO_FOLLOW_RESTRICTION]
    if limit is None:
        limit = 3 if is_limited else len(CUCCO.cards)
    rob = ROBBABLE, limit, robbing.seen_by_all if agreed[SHOW_ROBBED] else robbing.seen_by_robber
    duty = following.FollowButTrionfo(
        keeps_zeros=following.on_pictures if (is_limited if keeps is None else keeps) else following.on_no_lead,
        in_suit=following.with_trionfo if agreed[TRIONFO_IN_SUIT] else following.without_trionfo,
    )
    return tricks.Rules(
        agreed,
        seating=tricks.partnerships(),
        pack=CUCCO,
        order=tricks.Order((*NUMBERS, *VALUED, *ZEROS), (POINTS,), SUITS),
        dealing=tricks.Dealing("await_deal", robbing.StartRobbing((4, 4))),
        phases=(
            agreed[CUT_MODE],
            robbing.RobBeforeDeal(*rob),
            robbing.RobAfterDeal(*rob),
            robbing.Discard(),
            tricks.Play(play_action=PlayOrDeclare()),
        ),
        series=tricks.Series(agreed[TARGET_WINS], agreed[MATCH_DEALS], lost_deal_score=-1),
        following=duty,
        leading=following.ZerosLast() if (is_limited if leads_last is None else leads_last) else tricks.Following(),
        trick_effects=(),
        taking=following.TrionfoTakes(),
        layout=robbing.RobbingLayout(),
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
    book=rule_book(__file__),
)

GAMES = (CUCCU_A_TRIONFO,)
