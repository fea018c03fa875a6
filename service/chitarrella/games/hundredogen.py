"""Hundredogen: a race to 101 points, one card at a time, with a turned-up trump.

Source: S004, which says how it differs from Harjan. Parts taken over from there were partly reconstructed (see
`harjan`); their clauses say so.
"""

from dataclasses import replace

from chitarrella.core.cards import FRENCH_36
from chitarrella.core.model import Clause
from chitarrella.core.options import InvalidOption, Option, bool_option, choice_option, number_option, require_part
from chitarrella.games.briscola import BRISCOLA
from chitarrella.tricks import option_builders as build
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Dealing, turn_up_next
from chitarrella.tricks.following import JackOrder, JackPoints, Jacks, JacksOnTop
from chitarrella.tricks.game import TrickGame, keep_record
from chitarrella.tricks.layout import CommonLayout, after_deal, always
from chitarrella.tricks.match_formats import GAME_OVER, Race, RaceScore, StartDealOrGame, TargetReached
from chitarrella.tricks.play import Play

PAGE = "S004, Hundredogen"
FROM_HARJAN = "reconstructed from Harjan"

CLAUSES = (
    Clause("HU-3.1", "There are 36 cards; Ace, Ten, King, Queen, Jack, 9, 8, 7, 6 rank in this order.", PAGE),
    Clause("HU-3.2", "Cards count 11, 10, 4, 3, 2 and nothing, 120 in all; with ten for the last trick a deal holds 130.", "S004, Hundredogen and Harjan; rulings HU-R1, HU-R2"),
    Clause("HU-3.3", "Where agreed, the trump Jack and the other Jack of its colour, a trump too, are the highest trumps and count 12 each: a deal holds 150.", PAGE),
    Clause("HU-4.1", "Each of the two seats gets three cards in one packet, eldest first.", "S004, Hundredogen; ruling HU-R6"),
    Clause("HU-4.2", "The next card is turned up: its suit is trumps, and it lies last in the stock of thirty.", FROM_HARJAN),
    Clause("HU-4.3", "The deal alternates, from game to game as well.", FROM_HARJAN),
    Clause("HU-5.1", "Eldest leads to the first trick; a pack after a game is over opens the next one.", FROM_HARJAN),
    Clause("HU-5.2", "Any one card of one's own hand may be led, and any may follow.", PAGE),
    Clause("HU-5.3", "After the trick the winner draws a card, then the loser, who gets the turn-up after the fifteenth; the winner leads.", FROM_HARJAN),
    Clause("HU-5.4", "There are eighteen tricks; the last three are played without drawing.", FROM_HARJAN),
    Clause("HU-5.5", "Turn-up, size of the stock, tricks, totals and games are public; points are told when the deal is over, or with each trick where that can end the game.", FROM_HARJAN),
    Clause("HU-5.6", "Every broken clause is named: phase first, then the turn, then possession; no other clause can be broken.", "ruling"),
    Clause("HU-6.1", "The second card wins as a higher card of the suit led, or as a trump on a plain lead; else the leader wins.", FROM_HARJAN),
    Clause("HU-7.1", "After each deal its points, with ten for the last trick, are added to the totals of the game.", "S004, Harjan"),
    Clause("HU-7.2", "The higher of totals that have reached the target wins the game, and level ones play on: three where the loser has no trick in the game, two where his total is below the threshold, else one.", "S004, Harjan; rulings HA-R21 to HA-R24"),
    Clause("HU-7.3", "Without other agreements a game that is won in its first deal counts two at least.", "follows from HU-3.2 and HU-7.2"),
    Clause("HU-7.4", "After a game its totals stay in view until the next pack opens a new one from nothing; games are counted without end. Where the target is looked at after each trick, its winner wins the game at once when he has reached it, and nobody draws.", "S004, Harjan; ruling HA-R20"),
)  # fmt: skip

CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
"""The card points of each rank that has any."""
RANKS = ("A", "T", "K", "Q", "J", "9", "8", "7", "6")
"""The ranks from the strongest to the weakest."""
JACKS = Jacks("J", {"c": "s", "s": "c", "d": "h", "h": "d"})
"""The Jacks, and the two black and the two red suits."""


def race_of(game: TrickGame) -> Race:
    """Return the race; raises `TypeError` for a game scored otherwise."""
    return require_part(game.key, game.series, Race)


def with_jan_threshold(game: TrickGame, value: str) -> TrickGame:
    """Set the points below which the loser is in jan. ``default`` stands for 30, or the target where that is less."""
    return replace(game, series=replace(race_of(game), jan=None if value == "default" else int(value)))


def check_jan_threshold(game: TrickGame) -> InvalidOption | None:
    """Conflict: the threshold of jan lies above the target, so even the winner might not reach it."""
    if race_of(game).threshold > race_of(game).target:
        return InvalidOption("options.jan_threshold", "it cannot be above the target")
    return None


def race_options(target: int) -> tuple[Option[TrickGame], ...]:
    return (
        number_option(
            "target",
            "How many points win a game.",
            PAGE,
            lambda game, n: replace(game, series=replace(race_of(game), target=n)),
            default=target,
            least=1,
            most=1000,
        ),
        Option(
            "jan_threshold",
            "Below how many points the loser loses two; by default 30, or the target where that is less.",
            "S004; ruling HA-R33",
            "default",
            with_jan_threshold,
            ("default",),
            minimum=0,
            maximum=1000,
        ),
        choice_option(
            "target_check",
            "Whether the target is looked at after each deal, or after each trick.",
            "ruling HA-R20",
            {
                "end_of_deal": lambda game: replace(game, trick_effects=()),
                "immediate": lambda game: replace(
                    game, trick_effects=(TargetReached(),), layout=replace(game.layout, shows_points=always)
                ),
            },
        ),
    )


START = StartDealOrGame((3,), turn_up_next)
"""One packet of three cards, then the turn-up."""

HUNDREDOGEN = replace(
    BRISCOLA,
    key="hundredogen",
    title="Hundredogen",
    place="Scandinavia",
    description="A Scandinavian trick game for two with draws and trumps, in which the last trick counts ten.",
    pack=FRENCH_36,
    order=Order(RANKS, (Count("card_points", CARD_POINTS),)),
    dealing=Dealing("await_deal", START),
    phases=(Play(),),
    between=(Dealing(GAME_OVER, START),),
    series=Race(101),
    layout=CommonLayout(shows_points=after_deal),
    own=RaceScore,
    carry_over=keep_record,
    spare=(),
    seatings={2: build.seat_with_totals(2)},
    options=(
        bool_option(
            "jacks_top",
            "Whether the two Jacks of the trump colour are the highest trumps.",
            PAGE,
            lambda game: replace(
                game,
                order=JackOrder(RANKS, (JackPoints("card_points", CARD_POINTS, JACKS),), jacks=JACKS),
                taking=JacksOnTop(),
            ),
        ),
        *race_options(101),
        build.first_dealer(1, "drawn by the caller"),
    ),
    conflicts=(check_jan_threshold,),
    own_clauses=CLAUSES,
    citations={"not_in_hand": "HU-5.2"},
)

GAMES = (HUNDREDOGEN,)
