"""Zifuli: cards, deal and dealer (clauses ZI-1 to ZI-6), with the worked examples ZI-E1, ZI-E15 and ZI-E19."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, play, view_for
from chitarrella.core.model import CHANCE, Seat
from chitarrella.core.notation import InvalidPosition
from chitarrella.core.options import InvalidOption
from chitarrella.tricks.auction import Ally, ally
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.games.support.examples import Block
from tests.games.support.table import Match, events_of, facts, reveals, seat, taker
from tests.games.support.zifuli_tables import (
    RESULTS,
    all_pass,
    call,
    complete_deals,
    deal_table,
    each,
    knows,
    paid,
    payments,
    perform,
    result,
    talk,
    tricks,
    zifuli,
)
from tests.walks import Step, Walk, known_walk, name


@pytest.mark.clause("ZI-2", "ZI-4")
def test_the_pack() -> None:
    """Twenty numbers and twenty pictures, two of each face; 38 half-points and 82 units as in Cöch (ZI-R15)."""
    game = seat("zifuli")
    assert {"numbers": 20, "pictures": 20} == {
        suit: sum(game.cards.suit[card] == suit for card in game.pack.cards) for suit in ("numbers", "pictures")
    }
    assert {2} == {game.pack.cards.count(face) for face in game.pack.faces.values()}
    assert {"half_points": 38, "units": 82} == dict(game.cards.count(game.pack.cards))
    for face in game.pack.faces.values():
        assert seat("coech", 4).cards.count((face,)) == game.cards.count((face,))
    assert {"half_points": 0, "units": 0} == dict(game.cards.count(game.pack.hand(["MAT"])))


@pytest.mark.clause("ZI-3", "ZI-24")
@each("order")
def test_whole_order(block: Block) -> None:
    """ZI-E19: of two faces the one further right takes the trick, and the one further left overcalls (ZI-R4)."""
    said = block.words()
    game = seat("zifuli")
    cards = game.pack.hand(said["order"].split())
    assert {said["suit"]} == {game.cards.suit[card] for card in cards}
    for low, high in combinations(cards, 2):
        assert (1, 0) == (
            taker(game, (low, high)),
            taker(game, (high, low)),
        )
        match = deal_table({0: f"{low} {high}", 1: f"{low} {high}"})
        talk(match, f"0 {high}")
        assert [] == match.codes(1, f"call_card {low}")
        match = deal_table({0: f"{low} {high}", 1: f"{low} {high}"})
        if low != cards[0]:
            talk(match, f"0 {low}")
            assert ["call_not_lower"] == match.codes(1, f"call_card {high}")


@pytest.mark.clause("ZI-24", "ZI-3")
@each("trick")
def test_winner_of_a_trick(block: Block) -> None:
    """ZI-E1, ZI-E15: who takes a trick and what it is worth; of equal cards the first, whoever played it."""
    said = block.words()
    plays = [words.split() for words in said["trick"].split(", ")]
    hands = {int(place): card for place, card in plays}
    leader, led = int(plays[0][0]), plays[0][1]
    match = deal_table(hands, (leader - 1) % 5)
    call(match, leader, led)
    match.play(said["trick"])
    trick = match.p.tricks[-1]
    assert (int(said["winner"]), tuple(card for _, card in plays)) == (trick.winner, trick.cards)
    worth = {"half_points": int(said["half-points"]), "units": int(said["units"])}
    assert worth == dict(match.game.cards.count(trick.cards))


@pytest.mark.clause("ZI-5", "ZI-1", "ALL-1", "ALL-2")
@pytest.mark.parametrize("dealer", range(5))
def test_packets(dealer: int) -> None:
    """Two packets of four from the dealer's right, the dealer last: all forty cards are dealt (ZI-R19)."""
    match = zifuli(dealer)
    cards = match.game.pack.cards
    match.deal(cards)
    for turn in range(5):
        hand = cards[4 * turn : 4 * turn + 4] + cards[20 + 4 * turn : 24 + 4 * turn]
        assert hand == match.p.hands[(dealer + 1 + turn) % 5]
    assert ((), None, "") == (match.p.stock, match.p.turn_up, match.p.trump)


@pytest.mark.clause("ZI-1", "ALL-8")
def test_five_play() -> None:
    """Exactly five: any other number is refused, and every seat is its own side (ZI-R21)."""
    assert (5, (0, 1, 2, 3, 4)) == (seat("zifuli").seats, seat("zifuli").sides)
    for players in (1, 2, 3, 4, 6, 7):
        with pytest.raises(InvalidOption):
            seat("zifuli", players)


@pytest.mark.clause("ZI-6", "ZI-1", "ALL-8")
@pytest.mark.parametrize("drawn", range(5))
def test_the_first_dealer_is_drawn(drawn: int) -> None:
    """`first_dealer`: where nothing is agreed a lot of five names him; a sixth seat is none."""
    match = Match(seat("zifuli"))
    assert ("await_dealer", CHANCE) == (match.p.phase, match.game.turn(match.p))
    assert ["bad_dealer"] == match.codes(CHANCE, "draw_dealer 5")
    match.say(CHANCE, f"draw_dealer {drawn}")
    assert ("deal", drawn) == (match.p.phase, match.p.match_state.dealer)
    match.deal(match.game.pack.cards)
    assert ("auction", (drawn + 1) % 5) == (match.p.phase, match.game.turn(match.p))


@pytest.mark.clause("ZI-6")
def test_the_deal_passes_to_the_right() -> None:
    """After a deal that was played out the next seat deals, whoever has won what."""
    match = zifuli(3, match_deals="3")
    for dealer in (3, 4, 0):
        assert dealer == match.p.match_state.dealer
        match.play_out()
    assert ("match_over", 0) == (match.p.phase, match.p.match_state.dealer)


# ---------------------------------------------------------------------- zifuli deals


PLAYED = re.compile(r"(.*) -> (\d) \(half-points (\d+), units (\d+)\)")
REVEAL = re.compile(r"trick (\d), card (\d) \(seat (\d) plays (\w+)\)")


@pytest.mark.clause("ZI-5", "ZI-13", "ZI-18", "ZI-20", "ZI-21", "ZI-24", "ZI-25", "ZI-26", "ZI-27")
@pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in complete_deals()])
def test_complete_deal(block: Block) -> None:
    """ZI-E17, E18, E22: hands, auction, every trick, the card that tells the sides, both counts, and the payments."""
    said = block.words()
    options = {option: said[option] for option in ("bidding_direction", "stake") if option in said}
    match = zifuli(int(said["dealer"]), match_deals="2", **options)
    match.deal(match.game.pack.hand(said["pack"].split()))
    assert [said[f"hand {place}"] for place in range(5)] == [" ".join(hand) for hand in match.p.hands]
    talk(match, said["auction"])
    found = REVEAL.fullmatch(said["partnership public from"])
    assert found
    for number in range(1, 9):
        _play_trick(match, said[f"trick {number}"], int(found[2]) if number == int(found[1]) else 0)
    caller, partner = said["caller"].split()[0].strip(","), said["caller"].rpartition(" partner: ")[2]
    seats = {int(caller), int(caller) if partner.startswith("none") else int(partner)}
    assert seats == {2} if "alone" in partner else seats == {int(caller), int(found[3])}
    _check_result(match, said, seats)


def _play_trick(match: Match, words: str, events_text: int) -> None:
    """Play a trick, in which the card of that number (0: none) tells the sides, and check what it says of it."""
    found = PLAYED.fullmatch(words)
    assert found
    for number, card in enumerate(found[1].split(", "), 1):
        before = reveals(match)
        assert int(card.split()[0]) == match.game.turn(match.p)
        match.play(card)
        assert (number == events_text) == (before != reveals(match))
        assert bool(reveals(match)) == bool(knows(match, None)[0])
    trick = match.p.tricks[-1]
    worth = {"half_points": int(found[3]), "units": int(found[4])}
    assert (int(found[2]), worth) == (trick.winner, dict(match.game.cards.count(trick.cards)))


def _check_result(match: Match, said: dict[str, str], side: set[Seat]) -> None:
    """Check the end of a complete deal against what was said of it."""
    counted = {event.word: dict(event.shares) for event in match.last if event.kind == "deal_counted"}
    stages = [re.findall(r"(?:side|opponents) (\d+)", said[f"stage {stage}"]) for stage in (1, 2)]
    for count, stage in zip(("half_points", "units"), stages, strict=True):
        shares = {str(place): int(stage[place not in side]) for place in range(5)} if stage else None
        assert shares == counted.get(count)
    assert RESULTS[said["result"]] == result(match)
    won = {event.seat for event in match.last if event.kind == "deal_won"}
    assert won == (side if RESULTS[said["result"]] else set(range(5)) - side)
    assert payments(said["payments"]) == paid(match) == match.game.scores(match.p)
    assert ("deal", (int(said["dealer"]) + 1) % 5) == (match.p.phase, match.p.match_state.dealer)


# ---------------------------------------------------------------------- zifuli stakes


@pytest.mark.clause("ZI-27", "ZI-18", "ZI-25")
@each("pay")
@pytest.mark.parametrize("stake", [1, 5])
def test_payments(block: Block, stake: int) -> None:
    """ZI-E12, ZI-E13: what caller, ally and each opponent get or pay; a stake of five makes it five times that."""
    said = block.words()
    match = zifuli(4, stake=str(stake))
    partner = None if said["partner"] == "none" else int(said["partner"])
    perform(match, int(said["caller"]), partner, RESULTS[said["result"]])
    assert tuple(stake * amount for amount in payments(said["payments"])) == paid(match) == match.game.scores(match.p)


@pytest.mark.clause("ZI-26")
@each("score")
def test_result_of_a_count(block: Block) -> None:
    """ZI-E16: half-points decide, units where they are level (ZI-R15, ZI-R17)."""
    said = block.words()
    halves, units = ([int(number) for number in said[name].split()] for name in ("half-points", "units"))
    game = seat("zifuli")
    assert 0 == game.deal_scoring.winner(game, game.start(), tuple(zip(halves, units, strict=True)))
    assert "caller side wins" == said["result"]


@pytest.mark.clause("ZI-26", "ZI-25")
@pytest.mark.parametrize(
    ("ours", "theirs", "side"),
    [((20, 0), (18, 82), 0), ((18, 82), (20, 0), 1), ((19, 40), (19, 42), 1), ((19, 41), (19, 41), None)],
)
def test_half_points_before_units(ours: tuple[int, int], theirs: tuple[int, int], side: int | None) -> None:
    """Units are asked only at 19 to 19, and at 41 to 41 nobody has won (ZI-R16)."""
    game = seat("zifuli")
    assert side == game.deal_scoring.winner(game, game.start(), (ours, theirs))


@pytest.mark.clause("ZI-26", "ZI-27", "ZI-28")
@pytest.mark.parametrize("partner", [3, None])
def test_a_drawn_deal(partner: int | None) -> None:
    """Level in both counts: nobody pays, nobody has won, and the deal counts as played (ZI-R16)."""
    match = zifuli(4)
    perform(match, 1, partner, None)
    assert ("match_over", (0, 0, 0, 0, 0), frozenset()) == (match.p.phase, paid(match), match.game.outcome(match.p))
    assert ([], 1) == (events_of(match, "deal_won"), len(events_of(match, "match_drawn")))
    assert [41, 41] == sorted(set(facts(match.view(None), "side_units").values())) * 2


@pytest.mark.clause("ZI-28", "ZI-6", "ALL-7", "ALL-6")
@each("balance")
def test_balances(block: Block) -> None:
    """ZI-E21: stake 2, two deals and one that all passed between them; the match is over, and dealer 3 stays."""
    said = block.words()
    match = zifuli(1, stake=said["stake"], match_deals="2")
    deals = [words.split() for words in said["deals"].split("; ")]
    for number, (caller, partner, made) in enumerate(deals):
        perform(match, int(caller), None if partner == "none" else int(partner), RESULTS[made])
        if number == 0:
            assert ("deal", 2) == (match.p.phase, match.p.match_state.dealer)
            all_pass(match)
    assert ("match_over", 3) == (match.p.phase, match.p.match_state.dealer)
    assert payments(said["payments"]) == match.game.scores(match.p)
    assert (
        ["match_over"] == match.codes(3, "pass_bid") == match.codes(4, "play_card I") == match.codes(0, "call_card I")
    )
    assert ["match_over"] == match.codes(CHANCE, f"start_deal {' '.join(match.game.pack.cards)}")
    assert (3, 2) == (match.p.match_state.deal, match.p.own.played)


@pytest.mark.clause("ZI-28", "ALL-8", "ALL-9")
@pytest.mark.parametrize("deals", [1, 2, 4])
def test_match_deals(deals: int) -> None:
    """`match_deals`: exactly so many deals that were played out; those that all passed never end the match."""
    match = zifuli(0, **({} if deals == 1 else {"match_deals": str(deals)}))
    for number in range(deals):
        assert "deal" == match.p.phase
        all_pass(match)
        all_pass(match)
        assert (number, "deal") == (match.p.own.played, match.p.phase)
        match.play_out()
    assert ("match_over", deals, 3 * deals) == (match.p.phase, match.p.own.played, match.p.match_state.deal)


@pytest.mark.clause("ZI-28")
def test_who_wins_a_match() -> None:
    """The highest balance wins the match; opponents who are level at the top share it."""
    match = zifuli(4)
    perform(match, 0, 2, False)
    assert ((-2, 1, -1, 1, 1), frozenset({1, 3, 4})) == (match.game.scores(match.p), match.game.outcome(match.p))
    assert [1, 3, 4] == [event.seat for event in events_of(match, "match_won")]
    match = zifuli(4)
    perform(match, 0, 2, True)
    assert ((2, -1, 1, -1, -1), frozenset({0})) == (match.game.scores(match.p), match.game.outcome(match.p))
    assert [0, 2] == [event.seat for event in events_of(match, "deal_won")]


# ---------------------------------------------------------------------- stakes and positions


@pytest.mark.clause("ZI-27", "ALL-8")
def test_stake_too_large_to_count() -> None:
    """Stake and number of deals have bounds in the catalogue: a balance goes into 32 bits whatever happens."""
    highest = 10_000
    perform(match := zifuli(4, stake=str(highest)), 2, None, True)
    assert 8 * highest == match.game.scores(match.p)[2]
    assert match.p == match.game.decode(match.game.encode(match.p))
    for option in ("stake", "match_deals"):
        with pytest.raises(InvalidOption) as refused:
            seat("zifuli", 5, **{option: str(highest + 1)})
        assert f"options.{option}" == refused.value.field
        assert [highest] == [one.maximum for one in match.game.options if one.name == option]
    most = seat("zifuli", 5, match_deals=str(highest), stake=str(highest)).series.max_balance
    assert 8 * highest**2 == most < 2**31


def after(deals: int, **options: str) -> Match:
    """Play so many deals; seat 0 wins each of them alone."""
    match = zifuli(0, **options)
    for _ in range(deals):
        perform(match, 0, None, True)
    return match


@pytest.mark.clause("ZI-28", "ZI-27", "ALL-4")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("played=1", "played=0"),
        ("played=1", "played=2"),
        ("played=1", "played=-1"),
        ("played=1", "played=3"),
        ("totals=16,-4,-4,-4,-4", "totals=16,-4,-4,-4,-2"),
        ("totals=16,-4,-4,-4,-4", "totals=1,-1,0,0,0"),
        ("totals=16,-4,-4,-4,-4", "totals=32,-8,-8,-8,-8"),
        ("totals=16,-4,-4,-4,-4", "totals=16,-4,-4,-8"),
        ("phase=deal", "phase=match_over"),
        ("phase=deal", "phase=passed_out"),
    ],
)
def test_an_impossible_match_is_no_position(old: str, new: str) -> None:
    """Deals that were not played, balances that are no stakes, or an end too early cannot be read."""
    match = after(1, stake="2", match_deals="3")
    line = match.game.encode(match.p)
    assert match.p == match.game.decode(line)
    assert old in line
    with pytest.raises(InvalidPosition):
        match.game.decode(line.replace(old, new))


@pytest.mark.clause("ZI-28", "ALL-7", "ALL-4")
def test_a_match_that_is_over_is_not_played_on() -> None:
    """After the last deal no position waits for a pack, and the last tricks lie there."""
    match = after(1)
    line = match.game.encode(match.p)
    with pytest.raises(InvalidPosition):
        match.game.decode(line.replace("phase=match_over", "phase=deal"))
    with pytest.raises(InvalidPosition):
        match.game.decode("phase=match_over deal=1 wins=0,0,0,0,0 totals=8,-2,-2,-2,-2 played=1")


@pytest.mark.clause("ZI-9", "ZI-18", "ALL-4")
@pytest.mark.parametrize("talk", ["0,XV", "0,XI/1,LEO", "0,XI/1,I", "1,XI", "0,XI/0,MAT", "0,XI/1,MAT", "5,XI", "0,66"])
def test_an_impossible_auction_is_no_position(talk: str) -> None:
    """Nobody calls what he does not hold, higher, another suit or out of turn; such a position cannot be read."""
    match = deal_table({0: "XI MAT MAT XIII", 1: "LEO I XII"})
    line = match.game.encode(match.p)
    assert match.game.decode(f"{line} talk=0,XI")
    with pytest.raises(InvalidPosition):
        match.game.decode(f"{line} talk={talk}")


@pytest.mark.clause("ZI-13", "ZI-20", "ALL-4")
def test_no_card_before_the_call() -> None:
    """A position in which cards were played in the auction, or the play goes on without a caller, cannot be."""
    match = zifuli(4)
    match.deal(match.game.pack.cards)
    line = match.game.encode(match.p)
    with pytest.raises(InvalidPosition):
        match.game.decode(line.replace("phase=auction", "phase=play"))
    match.say(0, f"call_card {match.p.hands[0][0]}")
    for turn in range(1, 5):
        if match.p.phase == "auction":
            match.say(turn, "pass_bid")
    tricks(match, 1)
    with pytest.raises(InvalidPosition):
        match.game.decode(match.game.encode(match.p).replace("phase=play", "phase=auction"))


# ---------------------------------------------------------------------- invariants


DEALS = 6
TABLES = [
    RuleSet("zifuli", 5, (("match_deals", "6"),)),
    RuleSet("zifuli", 5, (("bidding_direction", "clockwise"), ("match_deals", "6"), ("stake", "3"))),
]
EVERY = pytest.mark.parametrize(
    "walk",
    [pytest.param((table, seed), id=f"{name(table)}-{seed}") for table in TABLES for seed in ("one", "two", "three")],
    indirect=True,
)
ORDER = {
    "numbers": ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"],
    "pictures": ["MAS", "SEC", "NUL", "MAT", "XI", "XII", "XIII", "XIV", "XV", "LEO"],
}


@pytest.fixture
def walk(request: pytest.FixtureRequest) -> Walk:
    """Play some deals of a rule set."""
    rule_set, seed = request.param
    return known_walk(rule_set, seed, DEALS, 6)


def game_of(walk: Walk) -> TrickGame:
    """The game of a walk."""
    assert isinstance(walk.game, TrickGame)
    return walk.game


def running(walk: Walk) -> list[Table]:
    """The positions in which somebody is to play."""
    return [p for p in walk.positions if p.phase == "play"]


def ended(walk: Walk) -> list[Step]:
    """The last card of each deal."""
    return [step for step in walk.steps if step.before.phase == "play" != step.after.phase]


def by_deal(walk: Walk) -> Iterator[list[Step]]:
    """Go through the walk deal by deal."""
    deal: list[Step] = []
    for step in walk.steps:
        if step.move.verb == "start_deal" and deal:
            yield deal
            deal = []
        deal.append(step)
    yield deal


@pytest.mark.clause("ZI-8", "ZI-9", "ZI-10", "ZI-14")
@EVERY
def test_auctions(walk: Walk) -> None:
    """ZI-I2, ZI-I3: calls of one suit, falling, of faces held; ten at most; nobody speaks after his pass (ZI-R8)."""
    calls = 0
    for step in walk.steps:
        if step.move.verb == "call_card":
            assert step.move.cards[0] in step.before.hands[step.actor]
            calls += 1
        said = step.after.own.talk.bids
        assert not [bid for at, bid in enumerate(said) if bid.seat in {old.seat for old in said[:at] if not old.word}]
        words = [bid.word for bid in said if bid.word]
        (suit,) = [order for order in ORDER.values() if set(words) <= set(order)][:1]
        assert all(suit.index(after) < suit.index(before) for before, after in pairwise(words))
        assert (len(words) <= 10, len(said) - len(words) <= 5) == (True, True)
    assert calls > 0


@pytest.mark.clause("ZI-15", "ZI-18")
@EVERY
def test_one_caller_and_his_ally(walk: Walk) -> None:
    """ZI-I4: a deal is passed out, or the caller has one ally, or he holds both copies and is alone."""
    for deal in by_deal(walk):
        (first,) = [step.after for step in deal if step.before.phase == "auction" != step.after.phase] or [None]
        if first is None or first.phase != "play":
            continue
        game = game_of(walk)
        called, caller = first.own.called(game, first), first.own.talk.bidder
        holders = [place for place, hand in enumerate(first.hands) for card in hand if card == called]
        assert 2 == len(holders)
        friend = next((place for place in holders if place != caller), caller)
        assert (Ally(friend, known=False), 1 + (friend == caller)) == (ally(game, first), holders.count(caller))


@pytest.mark.clause("ZI-4", "ZI-25", "ZI-26", "ZI-27")
@EVERY
def test_counts_and_payments(walk: Walk) -> None:
    """ZI-I5, ZI-I6, ZI-I11: 38 and 82 in all, payments of the one table, and balances that add up to nothing."""
    game, stake = game_of(walk), int(dict(walk.rule_set.options).get("stake", "1"))
    balance = [0] * 5
    for step in ended(walk):
        p = step.after
        assert [(38, 82)] == [tuple(sum(game.card_points(p, place)) for place in (0, 1))]
        (scored,) = [event for event in step.events if event.kind == "deal_scored"]
        amounts = [amount for _, amount in scored.shares]
        patterns = ([-2, -1, 1, 1, 1], [-1, -1, -1, 1, 2], [-8, 2, 2, 2, 2], [-2, -2, -2, -2, 8])
        pattern = sorted(amount // stake for amount in amounts)
        assert pattern in patterns if any(amounts) else drawn(game, p)
        assert 0 == sum(amounts) == sum(amount % stake for amount in amounts)
        balance = [old + new for old, new in zip(balance, amounts, strict=True)]
        assert tuple(balance) == game.scores(p)


def drawn(game: TrickGame, p: Table) -> bool:
    """Whether the caller's side has 19 half-points and 41 units."""
    side = {p.own.talk.bidder, ally(game, p).seat}
    return [19, 41] == [sum(game.card_points(p, place)[who] for who in side if who is not None) for place in (0, 1)]


@pytest.mark.clause("ZI-21", "ZI-18")
@EVERY
def test_sides_are_an_event_once(walk: Walk) -> None:
    """ZI-I7, ZI-R20: once in every deal that is played, at the card of the clause, which is the called one."""
    kinds = ("ally_revealed", "alone_revealed")
    for deal in by_deal(walk):
        events_text = [(step, event) for step in deal for event in step.events if event.kind in kinds]
        played = [step for step in deal if step.move.verb == "play_card"]
        assert len(events_text) == bool(played)
        for step, event in events_text:
            copies = [each for each in played if each.move.cards[0] == step.before.own.talk.bid]
            others = [each for each in copies if each.actor != step.before.own.talk.bidder]
            assert (others or copies)[-1] == step
            assert step.actor == event.seat
            public = [each for each in played if public_events(game_of(walk), each.after)]
            assert played[played.index(step) :] == public


def public_events(game: TrickGame, p: Table) -> bool:
    """Whether the public knows the sides."""
    return any(fact.name == "ally" for fact in view_for(game, p, None).facts)


@pytest.mark.clause("ZI-19", "ZI-20")
@EVERY
def test_plays_do_not_depend_on_the_call(walk: Walk) -> None:
    """ZI-I10: with another caller of another face the same cards may be played."""
    compared = 0
    for p in running(walk):
        if p.tricks or p.trick:
            continue
        eldest = walk.game.turn(p) or 0
        other = next(card for card in p.hands[eldest] if card != p.own.talk.bid)
        (row,) = [order for order in ORDER.values() if other in order]
        q = deal_table({place: " ".join(hand) for place, hand in enumerate(p.hands)}, p.match_state.dealer).p
        game = seat("zifuli", first_dealer=str(p.match_state.dealer))
        q, _ = play(game, q, eldest, next(m for m in legal_moves(game, q, eldest) if m.cards == (other,)))
        while q.phase == "auction":
            turn = game.turn(q)
            q, _ = play(game, q, turn or 0, legal_moves(game, q, turn or 0)[-1])
        compared += q.own.talk.bid == other or other == row[0]
        assert legal_moves(walk.game, p, eldest) == legal_moves(game, q, eldest)
    assert compared > 0


@pytest.mark.clause("ZI-7", "ZI-20", "ZI-27")
@EVERY
def test_the_direction_has_no_effect_after_the_auction(walk: Walk) -> None:
    """ZI-I12: the same hands, caller and face, named in either direction, give the same plays and payments."""
    deal = next(deal for deal in by_deal(walk) if deal[-1].before.phase == "play")
    dealer, pack = deal[0].before.match_state.dealer, deal[0].move.cards
    caller, face = deal[-1].before.own.talk.best
    cards = [(step.actor, step.move) for step in deal if step.move.verb == "play_card"]
    ends = []
    for direction in ("anticlockwise", "clockwise"):
        game = seat("zifuli", first_dealer=str(dealer), bidding_direction=direction)
        p, _ = play(game, game.start(), -1, deal[0].move._replace(cards=pack))
        while p.phase == "auction":
            turn = game.turn(p) or 0
            wanted = ("call_card", (face,)) if turn == caller else ("pass_bid", ())
            p, _ = play(game, p, turn, next(m for m in legal_moves(game, p, turn) if (m.verb, m.cards) == wanted))
        listed, announcements = [], []
        for actor, move in cards:
            listed.append(legal_moves(game, p, actor))
            p, events = play(game, p, actor, move)
            announcements.append(events)
        ends.append((listed, announcements, game.scores(p)))
    assert ends[0] == ends[1]
