"""What is asked of a part of the rules that play never asks of it: it has an answer, and the right one."""

from typing import Any, NamedTuple

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import ITALIAN
from chitarrella.core.game import play, validate_move
from chitarrella.core.model import CHANCE, Event, Move
from chitarrella.core.notation import InvalidPosition, PositionCodec
from chitarrella.exchange import layout
from chitarrella.exchange.bargains import MAX_BALANCE, are_valid_shares
from chitarrella.exchange.deal import StartNextGame
from chitarrella.exchange.round import MAX_PERSONS, Payment, Promise
from chitarrella.games.harjan import legal_leads
from chitarrella.tricks.dealing import DrawDealer
from chitarrella.tricks.following import Offence, offence_fault
from chitarrella.tricks.robbing import LayAside, robbery_fault
from chitarrella.tricks.side_actions import SignalTrump
from chitarrella_testing.perft import Case, lay_out, over_every_pack
from chitarrella_testing.perft_files import write_case
from tests.walks import CATALOGUE, known_walk, variants


def positions(rule_set: RuleSet, deals: int = 2) -> list[Any]:
    return list(known_walk(rule_set, "guards", deals=deals, effort=1).positions)


def refused(rule_set: RuleSet, p: Any) -> str:
    game = CATALOGUE.game_for(rule_set)
    with pytest.raises(InvalidPosition) as wrong:
        game.decode(game.encode(p))
    return wrong.value.field


# ---------------------------------------------------------------------- trick games


def test_the_pack_and_the_lot_belong_to_nobody() -> None:
    """Handing in a pack, drawing a lot and opening the next game are offered to no seat, nor is its pack looked at."""
    game: Any = CATALOGUE.game_for(RuleSet("briscola"))
    for act in (game.dealing.start, DrawDealer()):
        assert act.offers(game, game.start(), 0) == ()
    assert ["not_your_turn"] == [refusal.code for refusal in validate_move(game, game.start(), 0, Move("start_deal"))]
    assert ["bad_pack"] == [refusal.code for refusal in validate_move(game, game.start(), CHANCE, Move("start_deal"))]
    cucu: Any = CATALOGUE.game_for(RuleSet("cucu"))
    assert StartNextGame().offers(cucu, cucu.start(), CHANCE) == ()


def test_a_signal_is_held_against_the_hand() -> None:
    """Out of turn too a truthful signal needs the trump; who has no partner is not asked for it."""
    for players, code in ((2, "signal_not_available"), (4, "not_in_hand")):
        rule_set = RuleSet("briscola", players, (("signals", "truthful"),) if players == 4 else ())
        game: Any = CATALOGUE.game_for(rule_set)
        p = next(p for p in positions(rule_set, 1) if p.hands)
        lacking = next(rank for rank in "A3RCF" if rank + p.trump not in p.hands[0])
        against = SignalTrump().conditions(game, p, 0, Move("signal", choice=lacking))
        assert [code] == [refusal.code for refusal in against]


def test_thrown_in_deal_is_an_event_and_counts_nothing() -> None:
    """Whatever the match, the next deal is asked for, and the score stays."""
    game: Any = CATALOGUE.game_for(RuleSet("briscola"))
    p = next(p for p in positions(RuleSet("briscola"), 1) if p.hands)
    events: list[Event] = []
    after = game.series.void_deal(game, p, events)
    assert [("deal_voided", p.match_state.deal)] == [(event.kind, event.amount) for event in events[:1]]
    assert (game.dealing.name, p.match_state.wins) == (after.phase, after.match_state.wins)


def test_nobody_leads_after_the_match() -> None:
    """Whoever has taken the last trick, a match that is over names no leader but seat 0."""
    rule_set = RuleSet("briscola", 2, (("rubber_games", "1"),))
    over: list[Any] = [known_walk(rule_set, f"over {seed}", deals=9, effort=1).positions[-1] for seed in range(8)]
    assert {("rubber_over", 0)} == {(p.phase, p.leader) for p in over}
    assert {0, 1} == {p.tricks[-1].winner for p in over}


def test_a_score_without_end_has_no_winner() -> None:
    """However many games are counted."""
    game: Any = CATALOGUE.game_for(RuleSet("hundredogen"))
    assert frozenset() == game.series.winners(game, game.start())


@pytest.mark.parametrize("key", ["briscola", "cucu"])
def test_nothing_is_dealt_anew_before_the_first_card(key: str) -> None:
    """A position without cards on the table stays as it is."""
    game: Any = CATALOGUE.game_for(RuleSet(key))
    p = game.start()
    assert p == game.redeal(p, None, tuple(game.zones(p)))


def test_nobody_is_offered_to_discard_who_has_robbed_nothing() -> None:
    """Who robbed lays as many cards aside; for all others there is nothing to choose."""
    rule_set = RuleSet("cuccu-a-trionfo")
    game: Any = CATALOGUE.game_for(rule_set)
    p = next(p for p in positions(rule_set) if p.hands and p.phase == "play")
    assert [()] * game.seats == [tuple(LayAside().offers(game, p, seat)) for seat in range(game.seats)]


def test_what_was_robbed_is_known_until_it_is_played() -> None:
    """Who may see what was robbed, or that something was, is told that the robber has it until he has played it."""
    found = set()
    for rule_set in [each for each in variants() if each.game == "cuccu-a-trionfo"]:
        game: Any = CATALOGUE.game_for(rule_set)
        for p in [p for p in positions(rule_set, 4) if p.hands and any(robber.robbed for robber in p.own.robbers)]:
            for zones, seat, cards, many, _ in game.inferences(p, None):
                if zones == ("robbed", "hand", "discards"):
                    had = [card for zone in game.zones(p) if zone.seat == seat for card in zone.cards]
                    assert many <= sum(card in cards for card in had)
                    found.add(many)
    assert found


def test_a_robber_looks_at_a_card_of_the_stock() -> None:
    """Without a stock there is no card that a robber has looked at."""
    game: Any = CATALOGUE.game("cuccu-a-trionfo")
    looked = (p for p in positions(RuleSet(game.key), 8) if p.hands and any(one.looked for one in p.own.robbers))
    p = next(looked)._replace(stock=())
    assert ("robbers", "the card that a robber has looked at lies in the stock") == robbery_fault(game, p)


# ---------------------------------------------------------------------- impossible tables of single families


def test_between_deals_nobody_holds_cards() -> None:
    """A deal that is being played does not become one that is over by its name."""
    for key in ("briscola", "madrasso", "harjan"):
        rule_set = RuleSet(key)
        game: Any = CATALOGUE.game_for(rule_set)
        p = next(p for p in positions(rule_set, 1) if p.phase in game.deal_phases and p.tricks)
        over = p._replace(phase=game.dealing.name)
        assert game.layout.fault(game, over), key
        assert game.layout.shape_fault(game, over)[0] in ("hands", "trick"), key


def test_an_empty_hand_leads_nothing() -> None:
    """There is one set to lead, without a card in it."""
    assert ((),) == legal_leads((), "c").sets


def test_tricks_of_several_cards_are_even_on_both_sides() -> None:
    """Every field in which such a table can be wrong is named, though the cards are all there."""
    rule_set = RuleSet("harjan")
    game: Any = CATALOGUE.game_for(rule_set)
    led = [p for p in positions(rule_set, 1) if p.phase == "lead" and p.stock]
    p, over = led[2], positions(rule_set, 1)[-1]
    one, other = p.hands
    for q, field in (
        (p._replace(hands=((*one, p.stock[0]), other), stock=p.stock[1:]), "tricks"),
        (p._replace(phase="follow"), "trick"),
        (p._replace(hands=((*one, *other[:2]), other[2:])), "hands"),
        (p._replace(hands=(one[1:], other[1:]), stock=(one[0], other[0], *p.stock)), "hands"),
        (p._replace(phase=game.dealing.name), "hands"),
    ):
        fault = game.layout.shape_fault(game, q)
        assert fault is not None
        assert field == fault[0]
    assert "trump" == game.layout.trump_fault(game, p._replace(trump=""))[0]
    dealer, leader = 1 - over.tricks[0].leader, over.tricks[-1].winner
    bare = over._replace(phase="lead", leader=leader, match_state=over.match_state._replace(dealer=dealer))
    assert "hands" == game.layout.shape_fault(game, bare)[0]


def test_tricks_of_a_part_of_the_table_follow_from_one_another() -> None:
    """Nobody draws at Coteccio, who takes a trick leads to the next, and a deal goes on while cards are held."""
    rule_set = RuleSet("coteccio")
    game: Any = CATALOGUE.game_for(rule_set)
    walked = positions(rule_set, 3)
    p = next(p for p in walked if p.phase == "play" and len(p.tricks) == 2 and p.tricks[0].leader != p.tricks[1].winner)
    check = game.layout.shape_fault
    assert check(game, p) is None
    assert ("stock", "nobody draws in this game") == check(game, p._replace(stock=p.hands[0]))
    turned = p._replace(tricks=p.tricks[::-1], leader=p.tricks[0].winner)
    assert ("tricks", "who takes a trick leads to the next") == check(game, turned)
    done = next(p for p in walked if len(p.tricks) == game.dealing.start.size and p.phase != "play")
    held = ("hands", "a deal goes on while cards are held, unless it was broken off")
    dealt = done.match_state._replace(dealer=(done.tricks[0].leader - 1) % game.seats)
    assert held == check(game, done._replace(phase="play", leader=done.tricks[-1].winner, match_state=dealt))


def test_cards_robbed_do_not_make_tricks_uneven() -> None:
    """At Cuccu a trionfo every trick has a card of each seat, and a deal goes on while cards are held."""
    rule_set = RuleSet("cuccu-a-trionfo")
    game: Any = CATALOGUE.game_for(rule_set)
    walked = positions(rule_set, 1)
    p = next(p for p in walked if p.phase == "play" and len(p.tricks) == 2)
    one, other = p.tricks
    uneven = (one._replace(cards=(*one.cards, other.cards[0])), other._replace(cards=other.cards[1:]))
    check = game.layout.shape_fault
    assert check(game, p) is None
    assert "tricks" == check(game, p._replace(tricks=uneven))[0]
    bare = next(p for p in walked if p.tricks and p.phase not in game.deal_phases)._replace(phase="play")
    assert check(game, bare) is not None


def test_a_match_of_some_deals_has_no_more() -> None:
    """Where four deals were agreed there is no fifth."""
    rule_set = RuleSet("bohemian-schneider", 2, (("match_deals", "4"),))
    p = next(p for p in positions(rule_set, 1) if p.hands)
    assert "deal" == refused(rule_set, p._replace(match_state=p.match_state._replace(deal=5)))


def test_a_revoke_is_one_that_the_game_knows() -> None:
    """By a seat that there is, of a duty that has a price, and with the last card of the deal."""
    (mode,) = [option for option in CATALOGUE.entry("madrasso").options if option.name == "revoke_mode"]
    penal = next(word for word in mode.choices if word != mode.default)
    rule_set = RuleSet("madrasso", 0, ((mode.name, penal),))
    game: Any = CATALOGUE.game_for(rule_set)
    p = next(p for p in positions(rule_set, 1) if p.phase in game.deal_phases and p.trick)
    code = next(reason.code for reason in game.following.reasons if reason.penalty)
    for offence, message in (
        (Offence(9, p.trick[-1], code), "no such seat"),
        (Offence(0, p.trick[-1], "sang"), "nobody can revoke in this way"),
        (Offence(0, p.trick[-1], code), "a revoke ends the deal"),
    ):
        fault = offence_fault(game, p._replace(own=p.own._replace(offence=offence)))
        assert fault is not None
        assert fault[0] == "offence"
        assert message in fault[1]


# ---------------------------------------------------------------------- notation


class Inner(NamedTuple):
    number: int = 0


class Twice(NamedTuple):
    """A position in which two fields have one name."""

    number: int = 0
    inner: Inner = Inner()


def test_two_fields_of_one_name_are_found_at_once() -> None:
    """A family whose position could not be read back is not begun with."""
    with pytest.raises(TypeError, match="two fields of Twice have one name"):
        PositionCodec(Twice, ITALIAN)


def test_a_count_without_an_end_says_nothing_of_results() -> None:
    """Where the depth is less than the deal there are levels and no ends."""
    text = write_case(CATALOGUE, Case(RuleSet("coech", 4), strides=(7,), depth=1))
    heads = {line.split()[0] for line in text.splitlines() if line and not line.startswith("#")}
    assert {"level", "divide"} < heads
    assert "ends" not in heads


def test_refusals_are_summed_over_every_pack() -> None:
    """What is refused at Cucù when the last two talk is counted with as many packs as it is refused in."""
    case = Case(RuleSet("cucu", 2, (("tokens", "1"),)), weighted=True, among=("II", "NUL", "MAT"), depth=4)
    _, _, whole, _ = over_every_pack(*lay_out(CATALOGUE, case), 4)
    assert {"CU-107/must_exchange"} <= {clause for level in whole.levels for clause, _ in level.refused}


# ---------------------------------------------------------------------- exchange guards


CUCU = RuleSet("cucu", 4)


def dealt() -> Any:
    return next(p for p in positions(CUCU) if p.held and all(p.held) and p.asker is None)


def test_who_has_no_card_is_not_reached() -> None:
    """Out of turn nothing is within reach of a seat without a card, or before the deal."""
    game: Any = CATALOGUE.game_for(CUCU)
    assert game.potential_moves(game.start(), 2) == []
    r = dealt()
    seat = next(seat for seat in range(4) if seat != game.turn(r))
    assert game.potential_moves(r, seat) != []
    out = r._replace(held=tuple(None if at == seat else held for at, held in enumerate(r.held)))
    assert game.potential_moves(out, seat) == []


def test_nobody_is_asked_in_the_middle_of_a_deal_that_settles_at_its_end() -> None:
    """At Cucù who has lost the last token is dead for the deal, and decides on re-entry when it is over."""
    rule_set = RuleSet("cucu", 4, (("tokens", "1"),))
    walked = (p for seed in range(40) for p in known_walk(rule_set, f"dead {seed}", deals=1, effort=1).positions)
    p = next(p for p in walked if p.phase == "turn" and 0 in p.match_state.tokens)
    dead = p.match_state.tokens.index(0)
    assert "phase" == refused(rule_set, p._replace(phase="reentry_now", at=dead, asker=dead, target=p.at, chain=()))


def test_a_round_that_cannot_be_is_named_by_its_field() -> None:
    """Tokens, claims, promises and talk are held against one another."""
    game: Any = CATALOGUE.game_for(CUCU)
    r = dealt()
    dealer = r.order[-1]
    poor = r._replace(match_state=r.match_state._replace(tokens=tuple(0 if s == dealer else 3 for s in range(4))))
    faults = list(layout.turn_faults(poor, layout.dealt_seats(poor)))
    assert ("tokens", "the dealer loses no token before the comparison") in faults
    met = poor._replace(asker=r.order[0], target=dealer)
    assert ("tokens", "guest and host have tokens") in list(layout.token_faults(game, met, layout.dealt_seats(met)))
    assert [field for field, _ in layout.pool_split_faults(r)] == ["order"]
    claims = tuple(Payment(1, f"zia {number:04}", 1) for number in range(MAX_PERSONS + 1))
    many = r._replace(match_state=r.match_state._replace(claims=claims))
    assert ("claims", f"there are at most {MAX_PERSONS}") in list(layout.money_faults(game, many))
    promised = r._replace(match_state=r.match_state._replace(promises=(Promise(0, 1, 0),)))
    assert ("promises", "a guest promises a host from 1 to 100 percent") in list(layout.share_faults(game, promised))


def test_shares_are_bounded() -> None:
    """A share of the seats is valid up to the greatest balance, positive or negative, and not beyond."""
    others = (("1", 0), ("2", 0), ("3", 0))
    for amount, is_valid in ((MAX_BALANCE, True), (-MAX_BALANCE, True), (MAX_BALANCE + 1, False)):
        assert is_valid == are_valid_shares((("0", amount), *others), ("0", "1", "2", "3"))


def test_two_share_and_a_low_card_goes() -> None:
    """Three do not share the pool; a low card is exchanged rather than kept, a high one is not."""
    game = CATALOGUE.game_for(RuleSet("cucu", 3))
    p = game.start()
    shared = p._replace(match_state=p.match_state._replace(agreement=(("0", 40), ("1", 30), ("2", 30))))
    with pytest.raises(InvalidPosition, match="agreement"):
        game.decode(game.encode(shared))
    packs = [game.pack.cards[n:] + game.pack.cards[:n] for n in range(40)]
    dealt = [play(game, p, CHANCE, Move("start_deal", pack))[0] for pack in packs]
    values = [game.move_values(at, game.turn(at) or 0, (Move("keep"), Move("exchange"))) for at in dealt]
    assert {True, False} == {keep > exchange for keep, exchange in values}
