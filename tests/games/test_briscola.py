"""Briscola, Brisca, Brusquembille, both games of Bisca and Madrasso: what is true of every deal, and chosen ends."""

from collections.abc import Callable
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import minus
from chitarrella.core.game import legal_moves, play
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.notation import format_move
from chitarrella.core.visibility import view_for
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table
from tests.games.support.chosen_deals import Script, contrive, drawn, play_on, points
from tests.games.support.table import Match, events_of, facts, pack_for, seat, table
from tests.walks import CATALOGUE, Walk, known_walk

# ---------------------------------------------------------------------- showing


@pytest.mark.clause("BR-5.5", "BR-5.9")
@pytest.mark.parametrize("signals", ["free", "truthful"])
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_signals_and_showing_change_nothing_else(signals: str, seed: str) -> None:
    """BR 8: without signals and shown hands the deal is the same, and opponents saw the same all along."""
    walk = known_walk(RuleSet("briscola", 4, (("signals", signals),)), seed, 1, 6)
    game = seat("briscola", 4, signals=signals)
    silent = Match(game)
    spoken = 0
    for step in walk.steps:
        if step.move.verb in ("signal", "show_hand_to_partner"):
            spoken += 1
            for viewer in ((step.actor + 1) % 4, (step.actor + 3) % 4, None):
                assert view_for(game, step.before, viewer) == view_for(game, step.after, viewer)
        else:
            silent.move(step.actor, step.move)
        for field in ("hands", "stock", "tricks"):
            assert getattr(step.after, field) == getattr(silent.p, field)
        assert cards_of(game, step.after) == cards_of(game, silent.p)
    assert spoken > 0
    assert silent.p.match_state == walk.positions[-1].match_state


def cards_of(game: Rules, p: Table) -> list[list[Move]]:
    return [[move for move in legal_moves(game, p, place) if move.verb == "play_card"] for place in range(game.seats)]


MODES = ["free", "follow", "follow_or_trump"]


# ---------------------------------------------------------------------- playing to a trick


@pytest.mark.clause("BS-5.2")
@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_suit_is_followed_before_and_after_the_stock_is_gone(players: int, mode: str) -> None:
    """BS 3, BS-R2: who holds the suit led may play only that, in all tricks; else only trumps, or anything."""
    walk = known_walk(RuleSet("brisca", players, (("follow", mode),)), "suits", 2, 6)
    game = CATALOGUE.game_for(walk.rule_set)
    assert isinstance(game, Rules)
    bound = set()
    for p in walk.positions:
        turn = game.turn(p)
        if p.phase == "play" and turn is not None:
            cards = {move.cards[0] for move in legal_moves(game, p, turn) if move.verb == "play_card"}
            led = {card for card in p.hands[turn] if p.trick and card.suit == p.trick[0].suit}
            trumps = {card for card in p.hands[turn] if p.trick and card.suit == p.trump and mode != "follow"}
            assert (led or trumps or set(p.hands[turn])) == cards
            bound |= {bool(p.stock)} if cards != set(p.hands[turn]) else set()
    assert {True, False} == bound


# ---------------------------------------------------------------------- the game of the other name


@pytest.mark.clause("BS-4.1", "BS-5.3", "BS-5.5", "BS-5.6", "BS-6.1", "BS-7.1")
@pytest.mark.parametrize("seed", ["one", "two", "three"])
@pytest.mark.parametrize(
    ("players", "options"),
    [
        *((players, {}) for players in (2, 3, 4)),
        *((4, {"signals": mode}) for mode in ("off", "free")),
        (4, {"show_final_hand": "false", "removed_two": "2c"}),
    ],
)
def test_brisca_is_briscola(players: int, options: dict[str, str], seed: str) -> None:
    """BS 1, BS-EX14: what is played, signalled, shown and told is so at Briscola that is dealt card by card."""
    walk = known_walk(RuleSet("brisca", players, tuple(sorted(options.items()))), seed, 3, 6)
    twin = seat("briscola", players, deal_packets="1-1-1", **options)
    p = twin.start()
    for step in walk.steps:
        for place in range(players):
            assert legal_moves(walk.game, step.before, place) == legal_moves(twin, p, place)
        p, events = play(twin, p, step.actor, step.move)
        assert (step.events, step.after) == (events, p)


# ---------------------------------------------------------------------- the exchange


def before_last_draw(laid: str, winner: int, kept: tuple[str, ...]) -> Match:
    """Play on from BS-EX6 to the last two cards of the stock, ``laid`` being the last but one, ``winner`` on lead."""
    game = seat("brisca", first_dealer="1", exchange="seven_two")
    base = pack_for(game, {0: "Ab 7s 4d", 1: "5b 4b 7b"}, "Rs", dealer=1)
    rest = list(minus(base[7:], game.pack.card(laid)))
    rng = Random(0)
    while True:
        rng.shuffle(rest)
        match = Match(game)
        match.deal((*base[:7], *rest, game.pack.card(laid)))
        match.play("0 Ab, 1 5b")
        if "7s" not in kept:
            match.say(0, "exchange_turn_up 7s")
        play_on(match, 2, kept)
        if match.game.turn(match.p) == winner and all(card in match.p.hands[winner] for card in kept):
            return match


@pytest.mark.clause("BS-5.4", "BS-5.3")
def test_the_loser_draws_the_card_laid_down() -> None:
    """BS-EX9: stock 6b 7s: the winner s1 draws 6b, s0 the 7s; from now on nobody exchanges (BS-R9)."""
    match = before_last_draw("6b", 1, ())
    lead = match.p.hands[1][0]
    lost = next(card for card in match.p.hands[0] if card.suit not in (lead.suit, "s"))
    match.play(f"1 {lead}, 0 {lost}")
    assert ("1 6b, 0 7s", ()) == (drawn(match), match.p.stock)
    assert {None: "7s"} == facts(match.view(None), "turn_up")
    assert ["exchange_not_available"] == match.codes(1, f"exchange_turn_up {match.p.hands[1][0]}")[:1]


@pytest.mark.clause("BS-5.4")
def test_exchange_before_the_last_draw() -> None:
    """BS-R19, BS-R9: with only a card and the turn-up left, the seat on lead still exchanges; the Seven is drawn."""
    match = before_last_draw("6b", 0, ("7s",))
    match.say(0, "exchange_turn_up 7s")
    assert (("6b", "7s"), True) == (match.p.stock, "Rs" in match.p.hands[0])
    match.play("0 Rs")
    match.play(f"1 {match.p.hands[1][0]}")
    assert "7s" in drawn(match).split(", ")[1]


@pytest.mark.clause("BS-5.4", "BS-5.5")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_exchanges_of_a_deal(players: int, seed: int) -> None:
    """BS 2, 5 and 6: at most two exchanges a deal, a Seven before a Two; hands and the trump suit stay as they were."""
    walk = known_walk(RuleSet("brisca", players, (("exchange", "seven_two"),)), str(seed), 1, 6)
    swaps = [step for step in walk.steps if step.move.verb == "exchange_turn_up"]
    assert "".join(step.move.cards[0].rank for step in swaps) in ("", "7", "2", "72")
    for step in swaps:
        assert [len(hand) for hand in step.before.hands] == [len(hand) for hand in step.after.hands]
        assert (step.before.trump, len(step.before.stock)) == (step.after.trump, len(step.after.stock))


BRAZIL = "bisca-brazil"


# ---------------------------------------------------------------------- playing to a trick


@pytest.mark.clause("BB-5.2", "BB-5.3", "BB-6.1")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", ["one", "two"])
def test_legal_cards_of_brazil(players: int, seed: str) -> None:
    """BB 1 to 8: what is legal in every position, before and after the stock is gone (BB-R9); heading does head."""
    walk = known_walk(RuleSet(BRAZIL, players), seed, 1, 6)
    game = CATALOGUE.game_for(walk.rule_set)
    assert isinstance(game, Rules)
    bound = set()
    for step in walk.steps:
        p = step.before
        if step.move.verb != "play_card":
            continue
        hand = p.hands[step.actor]
        cards = {move.cards[0] for move in legal_moves(game, p, step.actor)}
        trumps = {card for card in hand if card.suit == p.trump}
        if not p.trick or p.trick[0].suit != p.trump:
            assert set(hand) == cards
            continue
        best = max(game.cards.strength[card] for card in p.trick if card.suit == p.trump)
        higher = {card for card in trumps if game.cards.strength[card] > best}
        assert (higher or trumps or set(hand)) == cards
        if higher:
            so_far = (*p.trick, *step.move.cards)
            assert len(p.trick) == game.taking.best(game, p._replace(trick=so_far), so_far)
            bound.add(bool(p.stock))
    last = walk.positions[-1]
    assert bound
    assert 120 == sum(game.points(last))


GUYANA = "bisca-guyana"


# ---------------------------------------------------------------------- playing to a trick


@pytest.mark.clause("BG-5.3", "BG-5.6", "BG-6.1")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", ["one", "two"])
def test_legal_cards_of_guyana(players: int, seed: str) -> None:
    """BG 3 to 5: in suit or a trump to a plain lead, else the whole hand, also without a stock (BG-R22)."""
    walk = known_walk(RuleSet(GUYANA, players, (("sudden_death", "false"),)), seed, 1, 6)
    game = CATALOGUE.game_for(walk.rule_set)
    assert isinstance(game, Rules)
    for p in walk.positions:
        turn = game.turn(p)
        assert not p.stock or p.turn_up in (None, p.stock[-1])
        if p.phase == "play" and turn is not None:
            cards = {move.cards[0] for move in legal_moves(game, p, turn)}
            led = p.trick[0].suit if p.trick else p.trump
            bound = led != p.trump and any(card.suit == led for card in p.hands[turn])
            assert cards == {card for card in p.hands[turn] if not bound or card.suit in (led, p.trump)}
    assert 120 == sum(game.points(walk.positions[-1]))


# ---------------------------------------------------------------------- sudden death, the score and the cut


@pytest.mark.clause("BG-5.5")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_sudden_death_means_an_ace(players: int, seed: int) -> None:
    """BG 1 and 7: a deal that is broken off ended with an Ace of its winner; every card still lies somewhere."""
    walk = known_walk(RuleSet(GUYANA, players), str(seed), 2, 6)
    game = CATALOGUE.game_for(walk.rule_set)
    assert isinstance(game, Rules)
    for step in walk.steps:
        if step.after.phase == "await_deal" and step.before.phase == "play" and any(step.after.hands):
            trick = step.after.tricks[-1]
            assert "A" == trick.cards[(trick.winner - trick.leader) % players].rank
            assert trick.winner in [event.seat for event in step.events if event.kind == "deal_won"]
    assert step.after == game.decode(game.encode(step.after))


def paid(match: Match) -> list[tuple[int | None, int | None, int | None]]:
    """The payments of a match: who paid, to whom, how much."""
    return [(event.seat, event.other, event.amount) for event in events_of(match, "chips_paid")]


def balance(match: Match) -> dict[int | None, str | int]:
    return facts(match.view(None), "chips")


# ---------------------------------------------------------------------- tricks and chips


@pytest.mark.clause("BQ-3.2", "BQ-7.2")
@pytest.mark.parametrize("suit", ["c", "d", "h", "s"])
def test_every_ace_and_ten_is_paid_alike(suit: str) -> None:
    """All four aces cost 2 and all four tens 1, trumps no more than others (BQ-R4); no other card costs anything."""
    game = seat("brusquembille")
    due = {}
    for rank in "ATKQJ987":
        low = f"7{suit}" if rank != "7" else f"8{suit}"
        match = table(game, {1: f"{rank}{suit}", 0: low}, "9h" if f"{rank}{suit}" != "9h" else "Kh")
        match.play(f"1 {rank}{suit}, 0 {low}")
        due[rank] = sum(amount or 0 for _, _, amount in paid(match))
    assert {"A": 2, "T": 1} == {rank: chips for rank, chips in due.items() if chips}


# ---------------------------------------------------------------------- results


def with_chips(taken: tuple[int, int], got: tuple[int, int]) -> Callable[[Script], int]:
    """Want these points and these chips received, seat by seat."""
    near = points(*taken)
    return lambda script: near(script) + 5 * abs(chips_of_first(script) - got[0])


def chips_of_first(script: Script) -> int:
    """What seat 0 is paid in a script, at 2 for an ace and 1 for a ten."""
    won = [script.plays[2 * trick : 2 * trick + 2] for trick, winner in enumerate(script.winners) if winner == 0]
    return sum({"A": 2, "T": 1}.get(card.rank, 0) for plays in won for _, card in plays)


@pytest.mark.clause("BQ-7.3", "BQ-7.1")
def test_game_and_chips_differ() -> None:
    """BQ-EX10: s0 wins the game with 66 to 54 and pays 2 chips net all the same (BQ-R6)."""
    match = Match(seat("brusquembille"))
    script = contrive(match.game, 0, with_chips((66, 54), (5, 7)))
    script.perform(match)
    assert ((66, 54), (1, 0)) == (match.game.points(match.p), match.p.match_state.wins)
    assert {0: -2, 1: 2} == balance(match)


@pytest.mark.clause("BQ-7.3", "BQ-5.5")
def test_balance_of_a_rubber() -> None:
    """BQ-EX14: received 9:3, 2:10 and, in a stand-off, 6:6; the balance goes on: +6, -2, -2 for s0 (BQ-R12)."""
    match = Match(seat("brusquembille"))
    deals = [((70, 50), (9, 3), 6), ((50, 70), (2, 10), -2), ((60, 60), (6, 6), -2)]
    for taken, got, net in deals:
        contrive(match.game, match.p.match_state.dealer, with_chips(taken, got)).perform(match)
        assert {0: net, 1: -net} == balance(match)
    assert (1, 1) == match.p.match_state.wins
    match.deal(match.game.pack.cards)
    assert {0: -2, 1: 2} == balance(match) == facts(match.view(0), "chips") == facts(match.view(1), "chips")


# ---------------------------------------------------------------------- brusquembille seven


def with_seven(hands: dict[int, str], agreed: str = "true") -> Match:
    """Deal these hands, s1 to lead; trump s, turn-up Ks."""
    return table(seat("brusquembille", seven_exchange=agreed), hands, "Ks")


@pytest.mark.clause("BQ-5.4", "BQ-5.6")
def test_no_exchange_when_the_turn_up_has_been_drawn() -> None:
    """BQ-EX11, end: once the turn-up has been drawn there is nothing to exchange."""
    match = with_seven({1: "7s 8h 9h"})
    while match.p.stock:
        turn = match.game.turn(match.p)
        assert turn is not None
        match.say(turn, f"play_card {next(card for card in reversed(match.p.hands[turn]) if card != '7s')}")
    holder = next(place for place in (0, 1) if "7s" in match.p.hands[place])
    if holder != match.game.turn(match.p):
        match.say(1 - holder, match.moves(1 - holder)[0])
    assert ["exchange_not_available"] == match.codes(holder, "exchange_turn_up 7s")
    assert ["BQ-5.4"] == match.cited(holder, "exchange_turn_up 7s")


@pytest.mark.clause("BQ-7.2", "BQ-7.3")
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_chips_of_a_deal(seed: str) -> None:
    """BQ 4 and 6: the chips received are 12, the balance is level, and only aces and tens move it."""
    walk = known_walk(RuleSet("brusquembille", 2), seed, 1, 6)
    assert 12 == sum(event.amount or 0 for step in walk.steps for event in step.events if event.kind == "chips_paid")
    for step in walk.steps:
        assert 0 == sum(step.after.match_state.chips)
        if step.before.match_state.chips != step.after.match_state.chips:
            assert {"A", "T"} & {card.rank for card in step.after.tricks[-1].cards}


@pytest.mark.clause("BQ-7.2")
@pytest.mark.parametrize(("ace", "ten"), [(0, 0), (5, 0), (0, 7), (99, 99)])
def test_chips_of_a_deal_at_other_prices(ace: int, ten: int) -> None:
    """BQ 4: four aces and four tens are paid for in every deal, at whatever price."""
    game = seat("brusquembille", ace_payment=str(ace), ten_payment=str(ten))
    match = Match(game)
    match.play_out()
    assert 4 * ace + 4 * ten == sum(event.amount or 0 for event in match.events if event.kind == "chips_paid")


# ---------------------------------------------------------------------- invariants


@pytest.fixture(params=["one", "two", "three"])
def walk(request: pytest.FixtureRequest) -> Walk:
    """A game at random, with revokes where they are let happen."""
    return known_walk(RuleSet("madrasso", 4), request.param, 40, 6)


@pytest.mark.clause("MA-7.1", "MA-7.2", "MA-7.3", "MA-5.4", "MA-5.2", "MA-3.3")
def test_a_whole_game(walk: Walk) -> None:
    """MA 2 to 6, 8, 10, 11: totals, exchanges and claims of whole games; none goes beyond twelve deals."""
    for step in walk.steps:
        p = step.after
        finished = p.match_state.deal - (p.phase in ("play", "after_last_trick"))
        broken = any(event.kind == "claimed" for event in step.events) and len(p.tricks) < 10
        assert 130 * (finished - broken) == sum(p.match_state.totals)
        if finished <= 10:
            assert 1 >= sum(total >= 777 for total in p.match_state.totals)
        if step.move.verb == "exchange_turn_up":
            assert ((), True) == (step.before.tricks, step.actor != step.before.match_state.dealer)
            assert [len(hand) for hand in step.before.hands] == [len(hand) for hand in p.hands]
        if step.move.verb == "claim_777":
            assert ("game_over", True) == (p.phase, p.match_state.deal >= 11)
        claimants = [s for s in range(4) if Move("claim_777") in legal_moves(walk.game, p, s)]
        assert len(claimants) <= (p.match_state.deal >= 11)
    assert "game_over" == walk.positions[-1].phase
    assert walk.positions[-1].match_state.deal <= 12


@pytest.mark.clause("MA-5.8a", "MA-5.3")
@pytest.mark.parametrize("number", range(3))
def test_lists_are_the_same_where_revokes_are_penalized(number: int) -> None:
    """MA 5, 7: in the same deal the lists of legal moves are the same with `prevent` and with `penalize`."""
    prevent, penalize = (seat("madrasso", revoke_mode=mode) for mode in ("prevent", "penalize"))
    rng = Random(number)
    pack = tuple(rng.sample(prevent.pack.cards, 40))
    p, q = (play(g, g.start(), CHANCE, Move("start_deal", pack))[0] for g in (prevent, penalize))
    while p.phase == "play":
        turn = prevent.turn(p) or 0
        moves = legal_moves(prevent, p, turn)
        assert list(map(format_move, moves)) == list(map(format_move, legal_moves(penalize, q, turn)))
        if p.trick and any(card.suit == p.trick[0].suit for card in p.hands[turn]):
            assert {p.trick[0].suit} == {move.cards[0].suit for move in moves if move.verb == "play_card"}
        move = rng.choice(moves)
        p, q = play(prevent, p, turn, move)[0], play(penalize, q, turn, move)[0]
    assert (p.match_state, p.tricks) == (q.match_state, q.tricks)
