"""Briscola Chiamata: cards, deal, auction and the naming of trumps (clauses BC-3 to BC-5.7)."""

from __future__ import annotations

import itertools
import re

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import UnknownCard
from chitarrella.core.model import CHANCE, REFEREE, Seat, Viewer
from chitarrella.core.notation import InvalidPosition
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.games.support.chiamata_tables import RANKS, WORTH, chiamata, scored, talk
from tests.games.support.examples import HAND, TRICK, blocks
from tests.games.support.table import Match, events_of, facts, first_cards, pack_for, reveals, seat, taker, worth
from tests.walks import accepted, known_walk, name


def deal_table(players: int = 5, dealer: int = 4, /, **options: str) -> Match:
    """Begin a match and deal the pack as it comes."""
    match = chiamata(players, first_dealer=str(dealer), **options)
    match.deal(match.game.pack.cards)
    return match


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("BC-3.1", "BC-3.2")
def test_ranks_and_points() -> None:
    """Ranks and points are those of Briscola, 120 in the pack, and the same order serves for bids."""
    game = seat("briscola-chiamata")
    assert [WORTH.get(rank, 0) for rank in RANKS] == [worth(game, (game.pack.card(f"{rank}c"),)) for rank in RANKS]
    assert 120 == worth(game, game.pack.cards)
    assert RANKS == game.move_specs["bid_rank"].choices
    for high, low in itertools.pairwise(RANKS):
        cards = game.pack.hand([f"{low}c", f"{high}c"])
        assert 1 == taker(game, cards)
        match = deal_table()
        talk(match, f"0 {high}")
        assert [] == match.codes(1, f"bid_rank {low}")


@pytest.mark.clause("BC-3.3")
def test_french_cards_keep_the_codes() -> None:
    """Whatever cards are on the table the codes stay: the Queen is C, and Q, K, J or spades as such name no card."""
    game = seat("briscola-chiamata")
    assert game.pack.card("Cc")
    for word in ("Qc", "Kc", "Jc", "Ah"):
        with pytest.raises(UnknownCard):
            game.pack.card(word)


@pytest.mark.clause("BC-4.1", "ALL-2")
def test_packets_for_four() -> None:
    """BC-EX12, deal: packets of 4, 2, 4 from eldest round, ten cards each, and nothing is left over."""
    match = deal_table(4, 0)
    cards = match.game.pack.cards
    numbers = {1: (1, 17, 25), 2: (5, 19, 29), 3: (9, 21, 33), 0: (13, 23, 37)}
    for place, (first, second, third) in numbers.items():
        hand = cards[first - 1 : first + 3] + cards[second - 1 : second + 1] + cards[third - 1 : third + 3]
        assert hand == match.p.hands[place]
    assert () == match.p.stock


@pytest.mark.clause("BC-4.1", "ALL-2", "ALL-1")
@pytest.mark.parametrize("dealer", range(5))
def test_packets_for_five(dealer: int) -> None:
    """Five get two packets of four each, eldest first; all forty cards are dealt and none is turned up."""
    match = deal_table(5, dealer)
    cards = match.game.pack.cards
    for turn in range(5):
        hand = cards[4 * turn : 4 * turn + 4] + cards[20 + 4 * turn : 24 + 4 * turn]
        assert hand == match.p.hands[(dealer + 1 + turn) % 5]
    assert ((), None, "") == (match.p.stock, match.p.turn_up, match.p.trump)


# ---------------------------------------------------------------------- the auction


@pytest.mark.clause("BC-5.1", "BC-5.2", "BC-5.3", "BC-5.5")
def test_an_auction() -> None:
    """BC-EX1: any rank opens, ranks are skipped (BC-R2, BC-R3, BC-R28); s2 is soloist with the Four, R and 7 fell."""
    match = deal_table()
    talk(match, "0 R, 1 pass, 2 7, 3 pass, 4 5, 0 pass, 2 4, 4 pass")
    assert ("announce", 2, "4") == (match.p.phase, match.game.turn(match.p), match.p.own.rank)
    assert [("auction_won", 2, "4")] == [(e.kind, e.seat, e.word) for e in match.last if e.kind == "auction_won"]


@pytest.mark.clause("BC-5.2", "BC-5.4", "BC-5.11")
@pytest.mark.parametrize("variant", ["true", "false"])
def test_what_may_follow_a_six(variant: str) -> None:
    """BC-EX2: after a Six only 5, 4, 2 and a pass; points cannot be bid, with Variant A neither (BC-R5)."""
    match = deal_table(variant_a=variant)
    talk(match, "0 6")
    assert ["bid_rank 2", "bid_rank 4", "bid_rank 5", "pass_bid"] == match.moves(1)
    for rank in ("A", "3", "R", "C", "F", "7", "6"):
        assert ["call_not_lower"] == match.codes(1, f"bid_rank {rank}")
    for points in (66, 67, 116, 121):
        assert ["raise_not_available"] == match.codes(1, f"bid_points {points}")


@pytest.mark.clause("BC-5.5")
@pytest.mark.parametrize("final", ["true", "false"])
def test_the_two_ends_the_auction(final: str) -> None:
    """BC-EX3: without Variant A a Two cannot be beaten, so nobody else speaks and 61 points are needed (BC-R6)."""
    match = deal_table(pass_is_final=final)
    talk(match, "0 2")
    assert ("announce", 0, 61) == (match.p.phase, match.game.turn(match.p), match.p.own.required)


@pytest.mark.clause("BC-5.4", "BC-5.3")
def test_variant_a() -> None:
    """BC-EX4: over a Two s1 bids 66, s3 76; s0 could have bid any higher rung (BC-R8, BC-R9); s3 needs 76."""
    match = deal_table(variant_a="true")
    talk(match, "0 2, 1 66, 2 pass, 3 76, 4 pass")
    assert ["116", "81", "86", "91"] == [
        move.split()[1] for move in match.moves(0) if move in {f"bid_points {n}" for n in (66, 71, 76, 81, 86, 91, 116)}
    ]
    assert 8 + 1 == len(match.moves(0))
    talk(match, "0 pass, 1 pass")
    assert ("announce", 3) == (match.p.phase, match.game.turn(match.p))
    assert ("2", 76) == (match.p.own.rank, match.p.own.required)
    match.say(3, "announce_trump c")
    assert ({3: "2c"}, {3: 76}) == tuple(facts(match.view(None), name) for name in ("called_card", "required"))


@pytest.mark.clause("BC-5.4", "BC-5.5")
@pytest.mark.parametrize("players", [4, 5])
def test_the_top_of_the_ladder_ends_the_auction(players: int) -> None:
    """116 is the last rung, since there are only 120 points: nobody is asked after it (BC-R9)."""
    match = deal_table(players, 0, variant_a="true")
    talk(match, "1 2, 2 116")
    assert ("announce", 2, 116) == (match.p.phase, match.game.turn(match.p), match.p.own.required)


@pytest.mark.clause("BC-5.4", "BC-5.3", "BC-5.5")
def test_the_two_of_variant_a_stands_when_all_pass() -> None:
    """With Variant A all others are asked over a Two; who bid it cannot raise himself, and plays for 61 (BC-R10)."""
    match = deal_table(variant_a="true")
    talk(match, "0 2, 1 pass, 2 pass, 3 pass, 4 pass")
    assert ("announce", 0, 61) == (match.p.phase, match.game.turn(match.p), match.p.own.required)


@pytest.mark.clause("BC-5.5", "BC-4.2", "ALL-6")
@pytest.mark.parametrize(("agreed", "dealer"), [("", 0), ("next_dealer", 0), ("same_dealer", 4)])
def test_passed_out(agreed: str, dealer: int) -> None:
    """BC-EX5, BC-EX19, `all_pass`: five passes, void with noughts; deal 2 is the next seat's, or s4's again (BC-R7)."""
    match = deal_table(**({"all_pass": agreed} if agreed else {}))
    talk(match, "0 pass, 1 pass, 2 pass, 3 pass, 4 pass")
    assert [1] == [event.amount for event in match.last if event.kind == "deal_void"]
    assert (0,) * 5 == scored(match) == match.game.scores(match.p)
    assert ("await_deal", dealer, ()) == (match.p.phase, match.p.match_state.dealer, match.p.hands)
    assert dict.fromkeys(range(5), "pass") == facts(match.view(None), "bid")
    match.deal(match.game.pack.cards)
    assert (2, (dealer + 1) % 5) == (match.p.match_state.deal, match.game.turn(match.p))
    assert {} == facts(match.view(None), "bid")


@pytest.mark.clause("BC-5.5", "BC-5.3")
def test_a_late_bid() -> None:
    """BC-EX6: after four passes the dealer bids an Ace; nobody can answer."""
    match = deal_table()
    talk(match, "0 pass, 1 pass, 2 pass, 3 pass, 4 A")
    assert ("announce", 4, "A") == (match.p.phase, match.game.turn(match.p), match.p.own.rank)


@pytest.mark.clause("BC-5.6", "ALL-8")
def test_a_pass_need_not_be_final() -> None:
    """`pass_is_final=false`: who passed may bid when its turn returns; four passes in succession end it (BC-R4)."""
    final, loose = deal_table(), deal_table(pass_is_final="false")
    for match in (final, loose):
        talk(match, "0 R, 1 pass, 2 C")
    talk(final, "3 pass, 4 pass, 0 F, 2 pass")
    assert ("announce", 0) == (final.p.phase, final.game.turn(final.p))
    talk(loose, "3 pass, 4 pass, 0 F, 1 7, 2 pass, 3 pass, 4 pass, 0 pass")
    assert ("announce", 1, "7") == (loose.p.phase, loose.game.turn(loose.p), loose.p.own.rank)
    talk(out := deal_table(pass_is_final="false"), "0 pass, 1 pass, 2 pass, 3 pass, 4 pass")
    assert "await_deal" == out.p.phase
    talk(four := deal_table(pass_is_final="false"), "0 pass, 1 pass, 2 pass, 3 pass, 4 6, 0 5, 1 pass, 2 pass, 3 pass")
    assert "auction" == four.p.phase
    talk(four, "4 pass")
    assert ("announce", 0) == (four.p.phase, four.game.turn(four.p))


# ---------------------------------------------------------------------- trumps and the first lead


@pytest.mark.clause("BC-5.7", "BC-5.8")
@pytest.mark.parametrize("suit", ["b", "c", "d", "s"])
def test_any_suit_may_be_named(suit: str) -> None:
    """The soloist, nobody else and once, names any suit, held or not (BC-R11, BC-R12, BC-R13, BC-R30)."""
    match = chiamata(first_dealer="4")
    match.deal(pack_for(match.game, {0: "Ab 3b Rb Cb Fb 7b 6b 5b"}, dealer=4))
    talk(match, "0 2")
    assert [f"announce_trump {each}" for each in "bcds"] == match.moves(0)
    assert [["not_your_turn"]] * 4 == [match.codes(place, f"announce_trump {suit}") for place in range(1, 5)]
    match.say(0, f"announce_trump {suit}")
    assert [(f"2{suit}",)] == [event.cards for event in events_of(match, "trump_announced", None)]
    assert ({None: suit}, {0: f"2{suit}"}) == tuple(facts(match.view(3), name) for name in ("trump", "called_card"))
    assert ["wrong_phase"] == match.codes(0, "announce_trump b")


@pytest.mark.clause("BC-5.9", "ALL-8")
@pytest.mark.parametrize(("agreed", "leader"), [("", 0), ("eldest", 0), ("soloist", 2)])
def test_first_lead(agreed: str, leader: int) -> None:
    """BC-EX17, `first_lead`: eldest or the soloist leads (BC-R16); after that the winner of a trick."""
    match = deal_table(**({"first_lead": agreed} if agreed else {}))
    talk(match, "0 pass, 1 pass, 2 2")
    match.say(2, "announce_trump c")
    assert (leader, leader) == (match.game.turn(match.p), match.p.leader)
    first_cards(match, 1)
    assert match.p.tricks[0].winner == match.game.turn(match.p)


@pytest.mark.clause("ALL-4", "ALL-5")
@pytest.mark.parametrize(
    "talk",
    [
        "5,A",
        "0,A/0,3",
        "1,A",
        "0,3/1,A",
        "0,A/1,A",
        "0,66",
        "0,x",
        "0,2/1,.",
        "0,./1,./2,./3,./4,.",
        "0,A/1,./2,./3,./4,.",
        "0,./1,A/2,./3,./0,3",
    ],
)
def test_an_impossible_auction_is_no_position(talk: str) -> None:
    """Nobody speaks out of turn, bids no better, or goes on after the end; such a position cannot be read."""
    match = deal_table()
    line = match.game.encode(match.p)
    assert match.p == match.game.decode(line)
    with pytest.raises(InvalidPosition):
        match.game.decode(f"{line} talk={talk}")


@pytest.mark.clause("ALL-4")
def test_no_trumps_before_the_auction_is_over() -> None:
    """A position with trumps but no bid, or with cards played before the announcement, cannot be."""
    match = deal_table()
    line = match.game.encode(match.p)
    with pytest.raises(InvalidPosition):
        match.game.decode(f"{line} trump=b")
    for phase in ("announce", "play"):
        with pytest.raises(InvalidPosition):
            match.game.decode(line.replace("phase=auction", f"phase={phase}"))
    talk(match, "0 2")
    match.say(0, "announce_trump b")
    first_cards(match, 1)
    for phase in ("auction", "announce"):
        with pytest.raises(InvalidPosition):
            match.game.decode(match.game.encode(match.p).replace("phase=play", f"phase={phase}"))
    assert ["wrong_phase"] == match.codes(CHANCE, f"start_deal {' '.join(match.game.pack.cards)}")


# ---------------------------------------------------------------------- chiamata ally


SWORDS = {
    0: "As 3s Rs Cs Fs 7s 6s 5s",
    1: "5b 4b 2b 4s 2s Ad 3d Rd",
    2: "Ac 3c Rc Cc Fc Cd Fd 7d",
    3: "4d Ab 3b Rb Cb Fb 7b 6b",
    4: "7c 6c 5c 4c 2c 6d 5d 2d",
}
"""Seat 0 leads swords and wins with them as long as nobody plays a coin."""


def events_before(match: Match) -> dict[Viewer, dict[Seat | None, str | int]]:
    """What each viewer knows of the ally."""
    return {viewer: facts(match.view(viewer), "ally") for viewer in (None, REFEREE, *range(match.game.seats))}


def swords(hands: dict[int, str]) -> Match:
    """Deal those hands; s2 calls the Four of coins; four tricks of swords without a coin."""
    match = chiamata(first_dealer="4")
    match.deal(pack_for(match.game, hands, dealer=4))
    talk(match, "0 R, 1 pass, 2 4, 3 pass, 4 pass, 0 pass")
    match.say(2, "announce_trump d")
    for place in range(4):
        match.play(f"0 {SWORDS[0].split()[place]}")
        for other in (1, 2, 3, 4):
            match.play(f"{other} {next(card for card in match.p.hands[other] if card.suit != 'd')}")
    return match


@pytest.mark.clause("BC-5.8", "BC-5.10")
def test_the_ally_is_secret_until_the_card_falls() -> None:
    """BC-EX7: s3 holds 4d and alone knows, also the soloist does not, till s3 ruffs in trick 5 (BC-R25, BC-R26)."""
    match = swords(SWORDS)
    assert [{}, {}, {}, {3: 3}, {}, {}, {3: 3}] == [
        events_before(match)[viewer] for viewer in (0, 1, 2, 3, 4, None, REFEREE)
    ]
    match.play("0 Fs, 1 Ad, 2 Fc")
    assert ({}, []) == (events_before(match)[2], reveals(match))
    match.play("3 4d")
    assert [("ally_revealed", 3, 2)] == reveals(match)
    assert [{3: 3}] * 7 == list(events_before(match).values())
    match.play("4 2d")
    assert (1, [{3: 3}] * 7) == (match.p.tricks[-1].winner, list(events_before(match).values()))


@pytest.mark.clause("BC-5.8", "BC-5.10")
def test_a_soloist_may_call_his_own_card() -> None:
    """BC-EX8: s1 calls Fb and holds it: he knows; for s0, s2 and s3 it is as if s4 held it, until he plays it."""
    views = []
    for held in (1, 4):
        match = chiamata(first_dealer="4")
        mine, theirs = ("Fb", "Fc") if held == 1 else ("Fc", "Fb")
        match.deal(pack_for(match.game, {1: f"{mine} 2c", 4: f"{theirs} 2d", 0: "Ab 3b"}, dealer=4))
        talk(match, "0 pass, 1 F, 2 pass, 3 pass, 4 pass")
        match.say(1, "announce_trump b")
        assert {held: held} == facts(match.view(held), "ally")
        views.append([match.view(viewer) for viewer in (0, 2, 3, None)])
        match.play("0 Ab")
        if held == 1:
            assert {} == facts(match.view(4), "ally")
            assert [{}, {1: 1}] == [facts(match.view(viewer), "alone") for viewer in (4, 1)]
            assert [] == reveals(match)
            match.play("1 Fb")
            assert [{1: 1}] * 5 == [facts(match.view(viewer), "ally") for viewer in range(5)]
            assert [{1: 1}] * 5 == [facts(match.view(viewer), "alone") for viewer in range(5)]
            assert [("alone_revealed", 1, None)] == reveals(match)
    assert views[0] == views[1]


WALKS = [
    *(RuleSet("briscola-chiamata", players) for players in (4, 5)),
    RuleSet("briscola-chiamata", 5, (("variant_a", "true"),)),
    RuleSet("briscola-chiamata", 5, (("first_lead", "soloist"),)),
]


@pytest.mark.clause("BC-5.10", "ALL-5")
def test_no_totals_by_side_before_the_end() -> None:
    """Points are told seat by seat, and what the sides have together only when the deal is over (BC-R31)."""
    match = swords(SWORDS)
    for viewer in (None, *range(5)):
        counted = facts(match.view(viewer), "card_points")
        assert dict(enumerate(match.game.points(match.p))) == counted
    assert not [event for event in match.events if event.kind in ("deal_counted", "contract_made", "contract_lost")]


@pytest.mark.clause("BC-5.10", "ALL-6", "ALL-7")
def test_views_at_the_end_of_a_deal() -> None:
    """After the deal auction, contract, ally and tricks stay in view for all until the next pack is dealt."""
    match = swords(SWORDS)
    first_cards(match, 4)
    assert ("await_deal", 0) == (match.p.phase, match.p.match_state.dealer)
    for viewer in (None, *range(5)):
        view = match.view(viewer)
        assert ({3: 3}, {2: "4d"}, {2: 61}, {2: 2}) == tuple(
            facts(view, name) for name in ("ally", "called_card", "required", "bidder")
        )
        assert 8 == sum(each.name == "taken" for each in view.zones)
        assert 120 == sum(int(points) for points in facts(view, "card_points").values())
    match.deal(match.game.pack.cards)
    assert [{}] * 4 == [facts(match.view(REFEREE), name) for name in ("ally", "called_card", "required", "bid")]


@pytest.mark.clause("BC-5.9", "BC-6.1")
def test_free_play() -> None:
    """BC-EX14: trump d, led As; 3s, 2d and Fb may all be played, and 7d takes 23 (BC-R14, BC-R15)."""
    match = chiamata(first_dealer="4")
    match.deal(pack_for(match.game, {0: "As", 1: "3s 2d Fb", 2: "6b", 3: "2c", 4: "7d"}, dealer=4))
    talk(match, "0 2")
    match.say(0, "announce_trump d")
    match.play("0 As")
    assert {"play_card 3s", "play_card 2d", "play_card Fb"} <= set(match.moves(1))
    assert 8 == len(match.moves(1))
    again = chiamata(first_dealer="4")
    again.deal(pack_for(again.game, {0: "As", 1: "3s", 2: "Fb", 3: "2d", 4: "7d"}, dealer=4))
    talk(again, "0 2")
    again.say(0, "announce_trump d")
    assert (4, 23) == again.one_trick("0 As, 1 3s, 2 Fb, 3 2d, 4 7d")


@pytest.mark.clause("BC-5.9", "BC-5.3", "BC-5.2", "BC-3.1", "BC-4.1")
@pytest.mark.parametrize("rule_set", WALKS, ids=name)
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_invariants(rule_set: RuleSet, seed: str) -> None:
    """BC 1 to 6, 8: cards, one called card, falling bids, silent passes, points, tricks, scores, free play."""
    walk = known_walk(rule_set, seed, 2, 6)
    game = walk.game
    assert isinstance(game, TrickGame)
    ladder = [*game.order.ranks, *map(str, range(66, 117, 5))]
    for step in walk.steps:
        p: Table = step.after
        bids = [ladder.index(bid.word) for bid in p.own.talk.bids if bid.word]
        assert sorted(set(bids)) == bids
        spoke_after = [bid for at, bid in enumerate(p.own.talk.bids) if bid.seat in passed(p, at)]
        assert not spoke_after
        if p.phase == "play" and not p.tricks and not p.trick:
            assert {40 // game.seats} == {len(hand) for hand in p.hands}
            assert 1 == sum(hand.count(p.own.called(game, p)) for hand in p.hands)
        if p.phase == "play":
            turn = game.turn(p)
            assert turn is not None
            assert set(p.hands[turn]) == {move.cards[0] for move in accepted(game, p, turn)}
        for event in step.events:
            if event.kind == "deal_scored" and p.tricks:
                assert (120, 40 // game.seats) == (sum(game.points(p)), len(p.tricks))
                total = sum(amount for _, amount in event.shares)
                assert total == 0 if game.seats == 5 else abs(total) in (1, 2)


def passed(p: Table, at: int) -> set[Seat]:
    """The seats that have passed before the word number ``at``."""
    return {bid.seat for bid in p.own.talk.bids[:at] if not bid.word}


@pytest.mark.clause("BC-4.1", "BC-5.3", "BC-5.7", "BC-5.8", "BC-5.9", "BC-6.1", "BC-7.2")
def test_a_complete_deal() -> None:
    """BC-EX15: hands, auction, every trick with its winner and worth, the ally known in trick 6, and the scores."""
    (block,) = blocks("briscola-chiamata.txt")
    text = "\n".join(block.lines)
    match = Match(seat("briscola-chiamata", 5, first_dealer="2"))
    match.deal(match.game.pack.hand(block.lines[1].partition(": ")[2].split()))
    deal_table = [(event.seat, event.cards) for event in events_of(match, "dealt")]
    assert [(int(who), tuple(hand.split())) for who, hand in HAND.findall(text)] == deal_table
    auction = next(line for line in block.lines if line.startswith("auction")).partition(";")[0]
    said = re.findall(r"s(\d) (?:passes|bids (\w+))", auction)
    talk(match, ", ".join(f"{who} {bid or 'pass'}" for who, bid in said))
    assert (1, "3") == (match.game.turn(match.p), match.p.own.rank)
    match.say(1, "announce_trump c")
    known = []
    for plays, winner, points, _, _ in TRICK.findall(text):
        match.play(re.sub(r"s(\d) ", r"\1 ", plays))
        trick = match.p.tricks[-1]
        assert (int(winner), int(points)) == (trick.winner, worth(match.game, trick.cards))
        known.append(facts(match.view(None), "ally"))
    assert [{}] * 5 + [{0: 0}] * 3 == known
    taken = match.game.points(match.p)
    assert (83, 5) == (taken[0] + taken[1], sum(trick.winner in (0, 1) for trick in match.p.tricks))
    assert (1, 2, -1, -1, -1) == scored(match) == match.game.scores(match.p)
    assert ("await_deal", 3) == (match.p.phase, match.p.match_state.dealer)
