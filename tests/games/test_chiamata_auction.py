"""Briscola Chiamata: cards, deal, auction and the naming of trumps (clauses BC-3 to BC-5.7)."""

from __future__ import annotations

import itertools

import pytest

from chitarrella.core.cards import UnknownCard
from chitarrella.core.model import CHANCE
from chitarrella.core.notation import InvalidPosition, MalformedMove, parse_move
from tests.games.support.chiamata_tables import RANKS, WORTH, chiamata, scored, talk
from tests.games.support.table import Match, events_of, facts, first_cards, pack_for, seat, worth
from tests.games.support.tricks import taker


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


@pytest.mark.clause("BC-5.11", "BC-5.3", "BC-5.4")
def test_refused_bids() -> None:
    """BC-EX20: what s2 may not say after 2 and 71, what s3 may not at all, and what is refused during the play."""
    match = deal_table(variant_a="true")
    talk(match, "0 2, 1 71")
    assert [["raise_not_higher"]] * 2 == [match.codes(2, f"bid_points {points}") for points in (71, 66)]
    assert [["raise_not_on_ladder"]] * 2 == [match.codes(2, f"bid_points {points}") for points in (75, 121)]
    assert ["call_not_lower"] == match.codes(2, "bid_rank 2")
    assert ["wrong_phase"] == match.codes(2, "announce_trump b") == match.codes(2, f"play_card {match.p.hands[2][0]}")
    assert ["not_your_turn"] == match.codes(3, "pass_bid")
    talk(match, "2 pass, 3 pass, 4 pass, 0 pass")
    match.say(1, "announce_trump b")
    assert ["not_in_hand"] == match.codes(0, f"play_card {match.p.hands[1][0]}")
    assert ["wrong_phase"] == match.codes(0, "pass_bid")


@pytest.mark.clause("BC-5.1", "BC-5.2", "BC-5.4")
@pytest.mark.parametrize("words", ["bid_rank", "bid_rank K", "bid_rank 8", "bid_points", "bid_points x", "pass_bid 2"])
def test_what_is_no_bid(words: str) -> None:
    """A rank that is not in the pack, or no number, is malformed."""
    with pytest.raises(MalformedMove):
        parse_move(seat("briscola-chiamata", variant_a="true"), words)


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
