"""Zifuli: deals with a chosen result, matches, and what is true of every deal (clauses ZI)."""

from collections.abc import Iterator, Mapping
from itertools import count, pairwise, product
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, play
from chitarrella.core.model import CHANCE, Seat
from chitarrella.core.options import InvalidOption
from chitarrella.core.visibility import view_for
from chitarrella.tricks.auction import Ally, ally, soloist
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table
from tests.games.support.examples import Block, each
from tests.games.support.table import Match, dealt_to, events_of, facts, game_of, pack_for, seat
from tests.walks import Step, Walk, on_walks

RESULTS = {"caller side wins": True, "win": True, "caller side loses": False, "lose": False, "draw": None}
"""The words of the examples for the result of a call."""


def zifuli(dealer: Seat = 4, /, **options: str) -> Match:
    """Begin a match in which that seat deals first."""
    return Match(seat("zifuli", 5, first_dealer=str(dealer), **options))


def deal_table(hands: Mapping[Seat, str], dealer: Seat = 4, /, **options: str) -> Match:
    match = zifuli(dealer, **options)
    match.deal(pack_for(match.game, hands, dealer=dealer))
    return match


def talk(match: Match, words: str) -> None:
    """Play an auction: ``0 XV, 1 pass``, each in turn."""
    for part in words.split(", "):
        who, what = part.split()
        assert int(who) == match.game.turn(match.p), part
        match.say(int(who), "pass_bid" if what == "pass" else f"call_card {what}")


def all_pass(match: Match) -> Match:
    """Deal, and pass at all five seats."""
    match.deal(match.game.pack.cards)
    for _ in range(5):
        match.say(on_turn(match), "pass_bid")
    return match


def on_turn(match: Match) -> Seat:
    turn = match.game.turn(match.p)
    assert turn is not None
    return turn


def call(match: Match, caller: Seat, face: str) -> None:
    """Call a face from that seat; all others pass."""
    while match.p.phase == "auction":
        talk(match, f"{on_turn(match)} {face if on_turn(match) == caller else 'pass'}")


def tricks(match: Match, number: int, named: Mapping[tuple[int, Seat], str] | None = None) -> None:
    """Play so many tricks: the given cards by trick (from 1) and seat, else the first legal one."""
    wanted = dict(named or {})
    called = match.p.own.called(match.game, match.p)
    for _ in range(number * 5):
        turn = on_turn(match)
        cards = [move.cards[0] for move in legal_moves(match.game, match.p, turn)]
        others = [card for card in cards if card != called] or cards
        match.say(turn, f"play_card {wanted.pop((len(match.p.tricks) + 1, turn), others[0])}")
    assert not wanted


def perform(match: Match, caller: Seat, partner: Seat | None, made: bool | None) -> str:
    """Play a deal that this caller, with that partner or alone, wins, loses or draws; return the called face."""
    for number in count():
        trial, rng = Match(match.game, match.p), Random(number)
        pack = rng.sample(match.game.pack.cards, 40)
        mine = [card for card, to in zip(pack, owners(match), strict=True) if to == caller]
        other = [card for card, to in zip(pack, owners(match), strict=True) if to == partner]
        shared = [face for face in mine if (face in other if partner is not None else mine.count(face) == 2)]
        if not shared:
            continue
        trial.deal(pack)
        call(trial, caller, shared[0])
        while trial.p.phase == "play":
            trial.move(on_turn(trial), rng.choice(legal_moves(trial.game, trial.p, on_turn(trial))))
        if result(trial) == made:
            match.p, match.last = trial.p, trial.last
            match.events += trial.events
            return str(shared[0])
    raise AssertionError


def owners(match: Match) -> list[Seat | None]:
    """The owner of each card of the next pack."""
    return dealt_to(match.game, match.p.match_state.dealer)


def result(match: Match) -> bool | None:
    """Whether the call of the last deal was made; None for a draw."""
    (kind,) = [event.kind for event in match.last if event.kind in ("contract_made", "contract_lost", "deal_drawn")]
    return None if kind == "deal_drawn" else kind == "contract_made"


def payments(words: str) -> tuple[int, ...]:
    """Parse ``0 -1, 1 +2, ...``."""
    return tuple(int(part.split()[1]) for part in words.split(", "))


def paid(match: Match) -> tuple[int, ...]:
    (event,) = [event for event in match.last if event.kind == "deal_scored"]
    return tuple(amount for _, amount in event.shares)


@pytest.mark.clause("ZI-15")
def test_a_deal_that_all_passed_has_no_soloist() -> None:
    """Who asks for the seat that won such an auction is told that nobody bid."""
    with pytest.raises(LookupError):
        soloist(all_pass(zifuli(0)).p)


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


@pytest.mark.clause("ZI-1", "ALL-8")
def test_five_play() -> None:
    """Exactly five: any other number is refused, and every seat is its own side (ZI-R21)."""
    assert (5, (0, 1, 2, 3, 4)) == (seat("zifuli").seats, seat("zifuli").sides)
    for players in (1, 2, 3, 4, 6, 7):
        with pytest.raises(InvalidOption):
            seat("zifuli", players)


# ---------------------------------------------------------------------- zifuli stakes


@pytest.mark.clause("ZI-27", "ZI-18", "ZI-25")
@each("zifuli", "pay")
@pytest.mark.parametrize("stake", [1, 5])
def test_payments(block: Block, stake: int) -> None:
    """ZI-E12, ZI-E13: what caller, ally and each opponent get or pay; a stake of five makes it five times that."""
    said = block.words()
    match = zifuli(4, stake=str(stake))
    partner = None if said["partner"] == "none" else int(said["partner"])
    perform(match, int(said["caller"]), partner, RESULTS[said["result"]])
    assert tuple(stake * amount for amount in payments(said["payments"])) == paid(match) == match.game.scores(match.p)


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
@each("zifuli", "balance")
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
        assert [highest] == [one.maximum for one in match.game.entry.options if one.name == option]
    most = seat("zifuli", 5, match_deals=str(highest), stake=str(highest)).series.max_balance
    assert 8 * highest**2 == most < 2**31


# ---------------------------------------------------------------------- invariants


DEALS = 6
TABLES = [
    RuleSet("zifuli", 5, (("match_deals", "6"),)),
    RuleSet("zifuli", 5, (("bidding_direction", "clockwise"), ("match_deals", "6"), ("stake", "3"))),
]
EVERY = on_walks(product(TABLES, ("one", "two", "three"), [DEALS]))
ORDER = {
    "numbers": ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"],
    "pictures": ["MAS", "SEC", "NUL", "MAT", "XI", "XII", "XIII", "XIV", "XV", "LEO"],
}


def running(walk: Walk) -> list[Table]:
    return [p for p in walk.positions if p.phase == "play"]


def ended(walk: Walk) -> list[Step]:
    """The last card of each deal."""
    return [step for step in walk.steps if step.before.phase == "play" != step.after.phase]


def by_deal(walk: Walk) -> Iterator[list[Step]]:
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
        assert not [bid for at, bid in enumerate(said) if bid.seat in {old.seat for old in said[:at] if not old.value}]
        words = [bid.value for bid in said if bid.value]
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
        ally_seat = next((place for place in holders if place != caller), caller)
        assert (Ally(ally_seat, known=False), 1 + (ally_seat == caller)) == (ally(game, first), holders.count(caller))


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


def drawn(game: Rules, p: Table) -> bool:
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


def public_events(game: Rules, p: Table) -> bool:
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
