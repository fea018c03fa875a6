"""Sueca, the card game of Portugal: two pairs, the Seven next to the ace, trumps by a card of the dealer."""

from chitarrella import tricks
from chitarrella.core.cards import FRENCH_40
from chitarrella.core.options import Choices, GameEntry, bool_option, choice_option, number_option, parse_rule_book

BOOK = parse_rule_book("""
[pagat.com, Sueca]
SUE-1.1 Four play as partners, who sit opposite each other; each is dealt ten cards.
SUE-2.1 Ace, 7, King, Jack, Queen and 6 to 2 rank in this order; the first five count 11, 10, 4, 3 and 2.
SUE-3.1 A card of the dealer is turned up for trumps, and stays open in the hand.
SUE-4.1 (must_follow_suit) Eldest leads, then the winner of a trick; who holds the suit led must follow it.
SUE-5.1 A side with more than 60 points wins a game, with more than 90 two; all tricks, or all points, win four.
SUE-5.2 A level deal wins nothing, or adds a game to the next one; the first side with the agreed games wins.
""")
PAGE = "pagat.com, Sueca"
TARGET = number_option("target", "How many games win the match.", PAGE, 4, 1, 20).of_length()
TURNED = choice_option("turned_card", "Which card of the dealer makes trumps.", PAGE, {"last": -1, "first": 0})
FOUR = choice_option("four_games_for", "What wins four games.", PAGE, {"all_tricks": 10, "all_points": 120})
LEVEL = bool_option("level_counts", "Whether a level deal adds a game to the next one.", PAGE)
DEALER = tricks.first_dealer(3, "ruling")


def rules(agreed: Choices) -> tricks.Rules:
    def score(deal: tricks.Deal) -> list[int]:
        games = 4 if agreed[FOUR] in (max(deal.tricks), max(deal.points)) else 2 if max(deal.points) > 90 else 1
        return deal.to(deal.best, games + agreed[LEVEL] * deal.level_before)

    return tricks.Rules(
        agreed,
        seating=tricks.partnerships(),
        pack=FRENCH_40,
        order=tricks.Order(tuple("A7KJQ65432"), (tricks.Count("points", {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}),)),
        dealing=tricks.Dealing("deal", tricks.StartDeal((10,), tricks.turn_up_of_dealer(agreed[TURNED]))),
        following=tricks.FollowSuit(),
        series=tricks.Scored(score, agreed[TARGET]),
        layout=tricks.CommonLayout(open_cards=tricks.turn_up_in_hand),
        first_dealer=agreed[DEALER],
    )


SUECA = GameEntry(
    key="sueca", place="Portugal", players=(4,), options=(TARGET, TURNED, FOUR, LEVEL, DEALER), rules=rules, book=BOOK
)
GAMES = (SUECA,)
