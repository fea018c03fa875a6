"""What games of drawing and plain tricks have in common, game by game from tables: from the pack to the rubber."""

from collections.abc import Mapping
from itertools import combinations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import UnknownCard
from chitarrella.core.game import AnyGame, Position, legal_moves
from chitarrella.core.model import EVERYBODY, Viewer
from chitarrella.core.visibility import view_for, visible_to
from tests.games.support.chosen_deals import contrive, drawn, last_trick_before, played_out, points, rubber
from tests.games.support.table import Match, events_of, facts, seat, taker, worth, zone
from tests.walks import CATALOGUE, known_walk, name

RUBBERS = ("briscola", "brisca", "briscolone", "brusquembille")
WHOLE = {**{key: {"rubber_games": "99"} for key in RUBBERS}, "bisca-guyana": {"sudden_death": "false"}}
"""Options by game under which every deal has all its tricks, and another deal follows."""


def agreed(words: str) -> dict[str, str]:
    """Read options written as ``name=value name=value``."""
    return dict(word.split("=") for word in words.split())


def rule_set(key: str, players: int, options: Mapping[str, str]) -> RuleSet:
    """A rule set with the options under which deals are whole, and others."""
    return RuleSet(key, players, tuple(sorted({**WHOLE.get(key, {}), **options}.items())))


# ---------------------------------------------------------------------- cards and deal

RANKS = {
    **dict.fromkeys(("briscola", "brisca", "briscolone", "madrasso"), ("bcds", "A3RCF76542")),
    "brusquembille": ("cdhs", "ATKQJ987"),
    "hundredogen": ("cdhs", "ATKQJ9876"),
    "bisca-guyana": ("cdhs", "A7KJQ65432"),
    "bisca-brazil": ("cdhs", "ATKJQ98765432"),
}
"""Suits and ranks, the highest first."""


@pytest.mark.clause("BR-3.1", "BN-3.1", "BS-3.1", "BQ-3.1", "BG-3.1", "BG-6.1", "BB-3.1", "BB-6.1")
@pytest.mark.clause("MA-3.1", "MA-3.2", "MA-3.4", "MA-6.1", "HU-3.1", "HU-3.2")
@pytest.mark.parametrize("key", RANKS)
def test_ranks_and_points(key: str) -> None:
    """In each suit the first of two ranks takes the trick; the first five count 11 10 4 3 2, all cards 120."""
    game, (suits, ranks) = seat(key), RANKS[key]
    for suit in suits:
        cards = game.pack.hand(rank + suit for rank in ranks)
        for high, low in combinations(cards, 2):
            assert (0, 1) == (taker(game, (high, low)), taker(game, (low, high)))
        assert [11, 10, 4, 3, 2] + [0] * (len(ranks) - 5) == [worth(game, (card,)) for card in cards]
    assert (4 * len(ranks), 120) == (len(game.pack.cards), worth(game, game.pack.cards))


@pytest.mark.clause("BR-3.3", "BC-3.3")
@pytest.mark.parametrize("key", ["briscola", "briscola-chiamata"])
def test_spanish_and_french_cards_keep_the_codes(key: str) -> None:
    """The codes stay A 3 R C F: a King is R, a Queen C, and K, Q, S, J or spades as such name no card."""
    pack = CATALOGUE.game(key).pack
    assert set("A3RCF76542") == {card.rank for card in pack.cards}
    for word in ("Kb", "Sb", "Jb", "Qb", "1b", "Ah"):
        with pytest.raises(UnknownCard):
            pack.card(word)


LEFT_OUT = [
    *((key, "removed_two", f"2{suit}") for key in ("briscola", "brisca") for suit in "bcds"),
    ("bisca-brazil", "removed_card", "2c"),
    ("bisca-brazil", "removed_card", "9s"),
    ("bisca-guyana", "removed_card", "2c"),
    ("bisca-guyana", "removed_card", "6h"),
]
"""Games with an odd number of cards for three, the option that names the card left out, and a card without points."""


@pytest.mark.clause("BR-3.2", "BS-4.1", "BB-3.2", "BG-3.2", "ALL-8")
@pytest.mark.parametrize(("key", "option", "card"), LEFT_OUT)
def test_three_players_leave_out_the_agreed_card(key: str, option: str, card: str) -> None:
    """That card alone, still 120 points; others keep the whole pack (BR-R25, BS-R14); a Two where nothing is said."""
    game, whole = seat(key, 3, **{option: card}), seat(key, 2).pack
    assert {card} == set(whole.cards) - set(game.pack.cards)
    assert (len(whole.cards) - 1, 120) == (len(game.pack.cards), worth(game, game.pack.cards))
    assert [whole, whole] == [seat(key, players, **{option: card}).pack for players in (2, 4)]
    assert (game.pack == seat(key, 3).pack) == (card == LEFT_OUT[[row[0] for row in LEFT_OUT].index(key)][2])


PACKETS = """
BR-EX13   briscola 2 deal_packets=3 : 1 1 2 3 : 0 4 5 6 : up 7
BR-EX13   briscola 2 deal_packets=1-1-1 : 1 1 3 5 : 0 2 4 6 : up 7
BR-4.1    briscola 3 deal_packets=3 first_dealer=1 : 2 1 2 3 : 0 4 5 6 : 1 7 8 9 : up 10
BR-4.1    briscola 3 deal_packets=1-1-1 first_dealer=1 : 2 1 4 7 : 0 2 5 8 : 1 3 6 9 : up 10
BR-4.1    briscola 4 deal_packets=3 first_dealer=1 : 2 1 2 3 : 3 4 5 6 : 0 7 8 9 : 1 10 11 12 : up 13
BR-4.1    briscola 4 deal_packets=1-1-1 first_dealer=1 : 2 1 5 9 : 3 2 6 10 : 0 3 7 11 : 1 4 8 12 : up 13
BS-EX11   brisca 3 first_dealer=2 : 0 1 4 7 : 1 2 5 8 : 2 3 6 9 : up 10
BS-EX11   brisca 3 deal_packets=1-1-1 first_dealer=2 : 0 1 4 7 : 1 2 5 8 : 2 3 6 9 : up 10
BS-EX11   brisca 3 deal_packets=3 first_dealer=2 : 0 1 2 3 : 1 4 5 6 : 2 7 8 9 : up 10
BQ-4.1    brusquembille 2 : 0 4 5 6 : 1 1 2 3 : up 7
BQ-4.1    brusquembille 2 deal_packets=3 : 0 4 5 6 : 1 1 2 3 : up 7
BQ-4.1    brusquembille 2 deal_packets=1-1-1 : 0 2 4 6 : 1 1 3 5 : up 7
BN-EX6    briscolone 2 first_dealer=1 : 0 1 2 3 4 5 : 1 6 7 8 9 10
BN-EX6    briscolone 2 deal_packets=5 first_dealer=1 : 0 1 2 3 4 5 : 1 6 7 8 9 10
BN-EX6    briscolone 2 deal_packets=3-2 first_dealer=1 : 0 1 2 3 7 8 : 1 4 5 6 9 10
BN-EX6    briscolone 2 deal_packets=1-1-1-1-1 first_dealer=1 : 0 1 3 5 7 9 : 1 2 4 6 8 10
BB-EX13   bisca-brazil 2 : 1 1 2 3 7 8 9 13 14 15 : 0 4 5 6 10 11 12 16 17 18
BB-EX8    bisca-brazil 2 deal_packets=3-3-3 : 1 1 2 3 7 8 9 13 14 15 : 0 4 5 6 10 11 12 16 17 18
BB-EX8    bisca-brazil 2 deal_packets=9 : 1 1 2 3 4 5 6 7 8 9 : 0 10 11 12 13 14 15 16 17 18
BB-EX8    bisca-brazil 2 deal_packets=1x9 : 1 1 3 5 7 9 11 13 15 17 : 0 2 4 6 8 10 12 14 16 18
BB-EX14   bisca-brazil 4 trump_by=turn_up first_dealer=3 : 0 1 2 3 13 14 15 25 26 27 : up 37
BG-EX14   bisca-guyana 2 : 1 1 3 5 : 0 2 4 6
BG-EX14   bisca-guyana 2 deal_packets=1-1-1 : 1 1 3 5 : 0 2 4 6
BG-EX14   bisca-guyana 2 deal_packets=3 : 1 1 2 3 : 0 4 5 6
BG-EX15   bisca-guyana 2 trump_by=turn_up : 1 1 3 5 : 0 2 4 6 : up 7
SN-EX11   bohemian-schneider 2 : 1 1 2 3 7 8 9 : 0 4 5 6 10 11 12
HU-EX16   hundredogen 2 first_dealer=1 : 0 1 2 3 : 1 4 5 6 : up 7
EL-EX8    elfern 2 deal_packets=2-2-2 first_dealer=1 : 0 1 2 5 6 9 10 : 1 3 4 7 8 11 12
EL-EX8    elfern 2 deal_packets=2-2-2 first_dealer=1 trump_variant=true : 0 1 2 5 6 9 10 : 1 3 4 7 8 11 12 : up 13
EL-EX13   elfern 2 deal_packets=3-3 first_dealer=1 : 0 1 2 3 7 8 9 : 1 4 5 6 10 11 12
EL-EX13   elfern 2 deal_packets=3-3 first_dealer=1 trump_variant=true : 0 1 2 3 7 8 9 : 1 4 5 6 10 11 12 : up 13
""".strip().splitlines()
"""The game, its players and options; seats with the numbers of their cards in the pack; the card that is turned up."""


@pytest.mark.clause("BR-4.1", "BR-4.2", "BS-4.1", "BQ-4.1", "BN-4.1", "BN-4.2", "BB-4.1", "BG-4.1", "BG-4.3", "BG-5.1")
@pytest.mark.clause("SN-4.1", "SN-5.1", "HU-4.1", "HU-4.2", "HU-5.1", "EL-4.1", "EL-4.2", "EL-5.1")
@pytest.mark.clause("ALL-1", "ALL-2", "ALL-8")
@pytest.mark.parametrize("row", PACKETS)
def test_packets(row: str) -> None:
    """Who gets which cards of the pack, which is turned up and lies last in the stock, and who moves next."""
    said, *rest = (part.split() for part in row.split(" : "))
    match = Match(seat(said[1], int(said[2]), **agreed(" ".join(said[3:]))))
    pack, dealer = match.game.pack.cards, match.p.match_state.dealer
    match.deal(pack)
    for place, *numbers in rest:
        if place != "up":
            assert tuple(pack[int(number) - 1] for number in numbers) == match.p.hands[int(place)]
    number = sum(map(len, match.p.hands))
    if rest[-1][0] == "up":
        assert int(rest[-1][1]) == number + 1
        assert (pack[number], pack[number].suit) == (match.p.turn_up, match.p.trump)
        assert (*pack[number + 1 :], pack[number]) == match.p.stock
    else:
        assert (pack[number:], None, "") == (match.p.stock, match.p.turn_up, match.p.trump)
    step = -1 if match.p.phase == "cut" else 1
    assert (dealer + step) % match.game.seats == match.game.turn(match.p)
    assert ("bisca" in said[1] and rest[-1][0] != "up") == (match.p.phase == "cut")


FORTY = {2: (40, 34, 17, 20), 3: (39, 30, 10, 13), 4: (40, 28, 7, 10)}
SIZES = {
    **{(key, n): row for key in ("briscola", "brisca", "bisca-guyana") for n, row in FORTY.items()},
    ("bisca-brazil", 2): (52, 34, 17, 26),
    ("bisca-brazil", 3): (51, 24, 8, 17),
    ("bisca-brazil", 4): (52, 16, 4, 13),
    ("briscolone", 2): (40, 30, 15, 20),
    ("brusquembille", 2): (32, 26, 13, 16),
    ("bohemian-schneider", 2): (32, 20, 10, 16),
    ("hundredogen", 2): (36, 30, 15, 18),
    ("elfern", 2): (32, 20, 10, 16),
}
"""Cards in the pack, stock with the turn-up, rounds of drawing and tricks, by game and number of players."""


@pytest.mark.clause("BR-4.3", "BR-5.1", "BS-4.2", "BS-5.1", "BN-4.3", "BN-5.1", "BQ-4.2", "BQ-5.1", "BB-4.2", "BB-5.1")
@pytest.mark.clause("BG-4.2", "BG-4.4", "BG-5.1", "SN-4.2", "SN-5.1", "HU-4.3", "HU-5.1", "EL-4.3", "EL-5.1", "ALL-1")
@pytest.mark.parametrize(("key", "players"), SIZES)
def test_the_deal_goes_round_and_eldest_leads(key: str, players: int) -> None:
    """The next seat deals next; the seat before the dealer cuts, if there is a cut, and the one after it leads."""
    match = Match(seat(key, players, first_dealer="1", **WHOLE.get(key, {})))
    for deal in range(players + 1):
        dealer = (deal + 1) % players
        assert dealer == match.p.match_state.dealer
        match.deal(match.game.pack.cards)
        if "bisca" in key:
            assert ("cut", (dealer - 1) % players) == (match.p.phase, match.game.turn(match.p))
            match.say((dealer - 1) % players, "cut_stock 2")
        assert ("play", (dealer + 1) % players) == (match.p.phase, match.game.turn(match.p))
        match.play_out()


SCHNEIDERS = ["", "ace_by_seven=same_suit", "any_suit_captures=true", "any_suit_captures=true ace_by_seven=any_suit"]
FREE = [
    *(
        RuleSet("briscola", n, (option,))
        for n in (2, 3, 4)
        for option in (("signals", "free"), ("deuce_exchange", "true"))
    ),
    *(rule_set("brisca", n, {"exchange": choice}) for n in (2, 3, 4) for choice in ("none", "seven_two")),
    RuleSet("briscolone", 2),
    *(RuleSet("brusquembille", 2, (("seven_exchange", choice),)) for choice in ("true", "false")),
    *(rule_set("bohemian-schneider", 2, agreed(options)) for options in SCHNEIDERS),
    *(rule_set("hundredogen", 2, agreed(options)) for options in ("", "jacks_top=true")),
]
"""Tables at which any card may be played at any time."""
OTHERS = [
    *(rule_set(key, n, {}) for key in ("bisca-brazil", "bisca-guyana") for n in (2, 3, 4)),
    *(rule_set(key, 2, {"trump_by": "turn_up"}) for key in ("bisca-brazil", "bisca-guyana")),
    *(rule_set("elfern", 2, agreed(options)) for options in ("", "trump_variant=true", "head_in_endgame=true")),
]
SEEDS = pytest.mark.parametrize("seed", ["one", "two"])


@pytest.mark.clause("BR-4.2", "BR-5.3", "BR-5.7", "BR-7.1", "BN-4.2", "BN-5.3", "BQ-4.1", "BQ-5.3", "BQ-5.4")
@pytest.mark.clause("BS-4.1", "BS-5.3", "BS-7.1", "BG-4.1", "BG-5.4", "BG-5.6", "BB-3.2", "BB-4.1", "BB-5.3")
@pytest.mark.clause("SN-4.1", "SN-5.3", "HU-4.2", "HU-5.3", "HU-5.4", "EL-4.1", "EL-4.2", "EL-5.3")
@pytest.mark.parametrize("table", [*FREE, *OTHERS], ids=name)
@SEEDS
def test_from_the_pack_to_the_last_trick(table: RuleSet, seed: str) -> None:
    """EL-EX7: stock, level hands, rounds of drawing, tricks; the winner draws first, the turn-up is drawn last."""
    walk = known_walk(table, seed, 1, 6)
    pack, stock, rounds, tricks = SIZES[table.game, table.players]
    begun = [p for p in walk.positions if p.hands]
    assert (pack, stock) == (len(walk.game.pack.cards), len(begun[0].stock))
    for p in begun:
        if not p.trick:
            size = (pack - stock) // table.players if len(p.tricks) <= rounds else tricks - len(p.tricks)
            assert {size} == {len(hand) for hand in p.hands}
    found = [event for step in walk.steps for event in step.events if event.kind == "card_drawn"]
    assert (tricks, rounds * table.players) == (len(walk.positions[-1].tricks), len(found))
    (step,) = [step for step in walk.steps if step.before.stock and not step.after.stock]
    winner = step.after.tricks[rounds - 1].winner
    assert [(winner + place) % table.players for place in range(table.players)] == [
        e.seat for e in found[-table.players :]
    ]
    turn_up = step.before.turn_up
    assert turn_up in (None, *found[-1].cards)
    assert (turn_up is not None) == (found[-1].seen_by is EVERYBODY)


@pytest.mark.clause("BR-5.2", "BN-5.2", "BQ-5.2", "BS-5.2", "SN-5.2", "HU-5.2")
@pytest.mark.parametrize("table", FREE, ids=name)
@SEEDS
def test_every_card_of_the_hand_may_be_played(table: RuleSet, seed: str) -> None:
    """Leading or following, with a stock and without, whoever is to play may play any card of its hand."""
    walk = known_walk(table, seed, 1, 6)
    for p in walk.positions:
        turn = walk.game.turn(p)
        if p.phase == "play" and turn is not None:
            cards = {move.cards[0] for move in legal_moves(walk.game, p, turn) if move.verb == "play_card"}
            assert set(p.hands[turn]) == cards


@pytest.mark.clause(
    "BR-5.3", "BS-5.3", "BN-5.3", "BQ-5.3", "SN-5.3", "HU-5.3", "HU-5.4", "HU-4.2", "BB-5.3", "BG-4.2", "BG-5.4"
)
@pytest.mark.parametrize(
    ("key", "draws", "tricks", "left"),
    [
        pytest.param("briscola", "0 4c, 1 Rs", 17, 3, id="BR-EX5"),
        pytest.param("briscola", "2 6d, 0 Ab, 1 3c", 10, 3, id="BR-EX6"),
        pytest.param("briscola", "3 2b, 0 Fd, 1 7s, 2 Ac", 7, 3, id="BR-EX7"),
        pytest.param("briscolone", "1 6c, 0 Rd", 15, 5, id="BN-EX7"),
        pytest.param("brusquembille", "1 8c, 0 Jh", 13, 3, id="BQ-EX9"),
        pytest.param("bohemian-schneider", "1 8d, 0 Kc", 10, 6, id="SN-EX12"),
        pytest.param("hundredogen", "0 8d, 1 Qh", 15, 3, id="HU-EX7"),
        pytest.param("bisca-brazil", "2 3s, 3 Kd, 0 9c, 1 6h", 4, 9, id="BB-EX10"),
        pytest.param("bisca-guyana", "1 4h, 2 Qs, 0 Kd", 10, 3, id="BG-EX11"),
    ],
)
def test_last_draw(key: str, draws: str, tricks: int, left: int) -> None:
    """The winner draws first and leads, the seat before it takes the card turned up, which everybody sees."""
    order = [part.split() for part in draws.split(", ")]
    game, winner = seat(key, len(order), **WHOLE.get(key, {})), int(order[0][0])
    match = last_trick_before(game, " ".join(card for _, card in order), winner)
    assert (draws, tricks, ()) == (drawn(match), len(match.p.tricks), match.p.stock)
    assert ([left] * len(order), winner) == (list(map(len, match.p.hands)), match.game.turn(match.p))
    last = order[-1][1]
    assert ({} if match.p.turn_up is None else {None: last}) == facts(match.view(None), "turn_up")
    assert (() if match.p.turn_up is None else (last,)) == match.events_for(None)[-1].cards


# ---------------------------------------------------------------------- tricks

ALIKE = [
    ("briscola 2", "", "bcds dsbc"),
    ("briscola 3", "removed_two=2d", "bcds dsbc"),
    ("briscola 4", "", "bcds csdb"),
    ("briscolone 2", "", "bcds dsbc"),
    ("brusquembille 2 seven_exchange=true", "", "cdhs hscd"),
    ("brusquembille 2", "", "cdhs shcd"),
    ("bisca-brazil 2", "", "cdhs hscd"),
    ("bisca-brazil 3", "removed_card=2h", "cdhs hscd"),
    ("bisca-guyana 2", "", "cdhs hscd"),
    ("bisca-guyana 3", "removed_card=2h", "cdhs hscd"),
    *((f"bohemian-schneider 2 {options}", "", "cdhs hscd") for options in SCHNEIDERS),
    *(("hundredogen 2", "", f"cdhs {names}") for names in ("dhsc", "sdhc")),
    *(("hundredogen 2 jacks_top=true", "", f"cdhs {names}") for names in ("sdhc", "chds", "dcsh")),
    *(("harjan 2", "", f"cdhs {names}") for names in ("sdhc", "chds", "dcsh", "hscd")),
    *((f"coteccio {n} first_dealer=0 lives=2", "", "bcds dsbc") for n in (2, 4, 7)),
]
"""Tables, options of the other table, and suits with their other names."""


@pytest.mark.clause("BR-6.1", "BN-6.1", "BQ-6.1", "BB-6.1", "BG-6.1", "SN-6.1", "HU-6.1", "HA-6.1", "HA-3.2")
@pytest.mark.clause("CC-2", "CC-14", "CC-16")
@pytest.mark.parametrize(("table", "other", "names"), ALIKE)
def test_suits_are_alike(table: str, other: str, names: str) -> None:
    """Renaming the suits, of a card left out as well, changes no winner and no result; left Jacks keep their colour."""
    key, players, *options = table.split()
    said = agreed(" ".join(options))
    walk = known_walk(RuleSet(key, int(players), tuple(sorted(said.items()))), "suits", 3, 6)
    to = dict(zip(*names.split(), strict=True))
    match = Match(seat(key, int(players), **said, **agreed(other)))
    for actor, move in walk.moves:
        match.move(actor, move._replace(cards=match.game.pack.hand(card.rank + to[card.suit] for card in move.cards)))
    last = walk.positions[-1]
    assert [trick.winner for trick in last.tricks] == [trick.winner for trick in match.p.tricks]
    assert (last.match_state, walk.game.points(last)) == (match.p.match_state, match.game.points(match.p))
    assert walk.game.scores(last) == match.game.scores(match.p)


# ---------------------------------------------------------------------- results

RESULTS = {
    "briscola": "61-59:0 59-61:1 60-60:- 50-45-25:0 44-40-36:0 57-61-2:1 50-50-20:- 60-60-0:- 40-40-40:-",
    "brisca": "60-60:- 61-59:0 52-52-16:- 52-51-17:0 40-40-40:-",
    "briscolone": "61-59:0 60-60:- 120-0:0 0-120:1",
    "brusquembille": "61-59:0 59-61:1 60-60:-",
    "bisca-brazil": "30-40-30-20:- 50-50-20:- 41-40-39:0 59-61:1 10-20-60-30:0",
    "bisca-guyana": "47-47-26:- 41-40-39:0 60-60:- 59-61:1 40-40-40:- 40-10-21-49:0 30-30-30-30:- 61-59-0-0:0",
}
"""Points by seat, and the seat or side that has won the deal."""


@pytest.mark.clause("BR-7.2", "BR-7.3", "BS-7.1", "BN-7.1", "BQ-7.1", "BB-7.1", "BG-7.1")
@pytest.mark.parametrize(("key", "result"), [(key, row) for key, rows in RESULTS.items() for row in rows.split()])
def test_results(key: str, result: str) -> None:
    """BR-EX8, BS-EX10, BN-EX8, BB-EX17, BG-EX12: most points win one game, level at the top nobody does."""
    said, _, who = result.partition(":")
    taken = tuple(map(int, said.split("-")))
    match = Match(seat(key, len(taken), **WHOLE.get(key, {})))
    if "bisca" in key:
        played_out(match, taken)
    else:
        contrive(match.game, 0, points(*taken)).perform(match)
    assert taken == match.game.points(match.p)
    state, sides = match.p.match_state, match.game.sides
    assert tuple(int(str(side) == who) for side in range(len(state.wins))) == state.wins
    assert (int(who == "-"), 1) == (state.draws, state.dealer)
    assert [at for at, side in enumerate(sides) if str(side) == who] == [e.seat for e in events_of(match, "deal_won")]
    assert (who == "-") == bool(events_of(match, "deal_drawn"))
    assert {place: state.wins[side] for place, side in enumerate(sides)} == facts(match.view(None), "deals_won")


@pytest.mark.clause("BR-7.1", "BS-7.1", "BN-7.1")
@pytest.mark.parametrize("key", ["briscola", "brisca", "briscolone"])
def test_a_decided_deal_goes_on(key: str) -> None:
    """BR-R8, BS-R17, BN-R6: with more than 60 points for one seat the last trick is played all the same."""
    game = seat(key)
    match = contrive(game, 0, points(120, 0)).perform(Match(game), tricks=19)
    assert ("play", True) == (match.p.phase, max(game.points(match.p)) > 60)


@pytest.mark.clause("BR-7.4", "BS-7.1", "BN-7.1", "BQ-7.1", "ALL-8")
@pytest.mark.parametrize(
    ("key", "players", "games", "winners"),
    [
        pytest.param("briscola", 2, "", "01-101", id="BR-EX9"),
        pytest.param("briscola", 3, "", "0120122", id="BR-R9"),
        pytest.param("briscolone", 2, "", "0-010", id="BN-EX9"),
        *((key, 2, "", "-000") for key in RUBBERS),
        *((key, 2, games, "-" + "0" * int(games)) for key in RUBBERS for games in ("1", "2")),
    ],
)
def test_a_rubber(key: str, players: int, games: str, winners: str) -> None:
    """`rubber_games`: the rubber is over when a seat has won so many games, three by default, and not before."""
    match = Match(seat(key, players, **({"rubber_games": games} if games else {})))
    won = [None if who == "-" else int(who) for who in winners]
    rubber(match, won[:-1])
    assert ("await_deal", None) == (match.p.phase, match.game.outcome(match.p))
    rubber(match, won[-1:])
    assert ("rubber_over", len(won)) == (match.p.phase, match.p.match_state.deal)
    assert frozenset(won[-1:]) == match.game.outcome(match.p)
    assert won[-1:] == [event.seat for event in events_of(match, "match_won")]
    assert tuple(map(won.count, range(players))) == match.p.match_state.wins


# ---------------------------------------------------------------------- what is seen

SEEN = [
    *(RuleSet(key, 4, (("show_final_hand", "false"), ("signals", "off"))) for key in ("briscola", "brisca")),
    *(RuleSet(key, n) for key in ("briscola", "brisca") for n in (2, 3)),
    *(table for table in (*FREE, *OTHERS) if table.game not in ("briscola", "brisca")),
]


@pytest.mark.clause("BR-5.8", "BS-5.5", "BN-5.4", "BQ-5.5", "BB-5.5", "BG-5.7", "SN-5.4", "HU-5.5", "EL-5.4")
@pytest.mark.clause("ALL-5", "ALL-6")
@pytest.mark.parametrize("table", SEEN, ids=name)
def test_what_is_seen(table: RuleSet) -> None:
    """A hand and a card drawn are seen by their seat, the stock by nobody, all else by everybody, to the end."""
    walk = known_walk(table, "seen", 1, 6)
    for viewer in (None, *range(table.players)):
        for p in walk.positions[1:]:
            check_view(walk.game, p, viewer)
        for step in walk.steps:
            for event in step.events:
                seen = visible_to(event, viewer)
                assert seen is not None
                private = event.kind in ("dealt", "card_drawn") and event.cards != (step.before.turn_up,)
                assert (() if private and viewer != event.seat else event.cards) == seen.cards


def check_view(game: AnyGame, p: Position, viewer: Viewer) -> None:
    """Check hands, stock, turn-up and tricks in a view, and that everybody knows the same facts."""
    view = view_for(game, p, viewer)
    for place, hand in enumerate(p.hands):
        found = zone(view, "hand", place)
        assert (hand if viewer == place else (), len(hand)) == (found.cards, found.size)
    lying = (p.turn_up,) if p.turn_up is not None and p.stock else ()
    assert len(p.stock) - len(lying) == sum(each.size for each in view.zones if each.name == "stock")
    assert all(each.cards == () for each in view.zones if each.name == "stock")
    assert lying == tuple(card for each in view.zones if each.name == "turn_up" for card in each.cards)
    assert [trick.cards for trick in p.tricks] == [each.cards for each in view.zones if each.name == "taken"]
    assert {None: len(p.stock)} == facts(view, "stock")
    assert ({None: p.turn_up} if p.turn_up else {}) == facts(view, "turn_up")
    assert ({None: p.trump} if p.trump else {}) == facts(view, "trump")
    assert view.facts == view_for(game, p, None).facts
    assert game.key != "hundredogen" or bool(facts(view, "card_points")) == (p.phase != "play")


VERBS = {
    "briscolone": "play_card",
    "brusquembille": "play_card exchange_turn_up",
    "bisca-brazil": "cut_stock play_card",
    "bisca-guyana": "cut_stock play_card",
    "coech": "draw_dealer play_card",
    "zifuli": "draw_dealer call_card pass_bid play_card",
    "cuccu-a-trionfo": "draw_dealer cut rob_look rob_pass rob_take rob_leave discard play_card",
}


@pytest.mark.clause("BB-5.5", "BG-5.7", "CO-10", "CO-19", "CT-30", "ZI-17", "ZI-19", "ZI-22", "ALL-4")
@pytest.mark.parametrize("key", VERBS)
def test_there_is_no_other_move(key: str) -> None:
    """BN-EX12: nobody signals, claims, concedes or shows anything where the rule book has no such move."""
    assert {"start_deal", *VERBS[key].split()} == set(CATALOGUE.game_for(RuleSet(key)).move_specs)
