"""Cucù and Lu Stù: thousands of games at random, played by the rules and once more by plain programs of their own."""

from collections import Counter
from collections.abc import Iterable
from itertools import product
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import CUCCO, Card
from chitarrella.core.game import legal_moves
from chitarrella.core.model import Event, Move, Seat
from chitarrella_testing.perft import over_every_pack
from tests.games.support.reference import Deal, PlainCucu, PlainGame, PlainLuStu, shared_out
from tests.games.support.scenes import UNWRITTEN, in_words
from tests.games.support.table import Match, any_match
from tests.vectors import digests
from tests.vectors.playthroughs import until_changed
from tests.walks import CATALOGUE, name

pytestmark = pytest.mark.unmeasured

DEALS, GAMES = 150, 30
OFTEN = {"reentry": 0.9, "syndicates": 0.7, "end_game_agreement": 0.7, "agreement_forces_exchange": 0.5}
"""How often each option is on."""
AFTERWARDS = ("eliminated", "all_reentered", "dealer_set", "prize_paid")  # what is told after the comparison


def agreed(key: str, players: int, **options: object) -> Match:
    """Begin a match; options may be numbers or booleans."""
    return any_match(key, players, **{name: str(value).lower() for name, value in options.items()})


def in_words_of(events: Iterable[Event], *unwritten: str) -> list[str]:
    """The events as scenes write them; of the prizes, which are last, the order means nothing."""
    said = [in_words(event) for event in events if event.kind not in (*UNWRITTEN, *unwritten)]
    return sorted(said, key=lambda words: words if words.startswith("prize ") else "")


def choose(rng: Random, match: Match, actor: Seat, phase: str, verbs: set[str], favoured: set[str]) -> str:
    """Choose one of ``verbs``, a favoured one twice as often; they must be the legal ones of the seat to move."""
    assert (phase, actor) == (match.p.phase, match.game.turn(match.p))
    assert verbs == {each.verb for each in legal_moves(match.game, match.p, actor)}
    return rng.choice([*sorted(verbs), *sorted(favoured & verbs)])


@pytest.mark.clause("CU-41", "CU-43", "CU-44", "CU-49", "CU-51", "CU-53", "CU-54", "CU-68", "CU-70", "CU-78")
@pytest.mark.parametrize("narrow", [False, True], ids=["always", "comparison"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 12, 20])
def test_deals_agree_with_the_reference(players: int, narrow: bool) -> None:
    """At every step the same seat decides between the same moves, and in the end the same has been told."""
    rng = Random(f"{players} {narrow}")
    for _ in range(DEALS):
        play_cucu_twice(rng, players, narrow)


def play_cucu_twice(rng: Random, players: int, narrow: bool) -> None:
    """Play one deal at random, and compare what is told."""
    tokens = [rng.randint(1, 3) for _ in range(players)]
    options = {"end_game_agreement": False, "cuckoo_protects": "comparison" if narrow else "always"}
    options["horse_dealer_draw"] = rng.choice(["top", "next"])
    played = agreed("cucu", players, first_dealer=rng.randrange(players), **options)
    played.p = played.p._replace(match_state=played.p.match_state._replace(tokens=tuple(tokens)))
    pack = rng.sample(CUCCO.cards, 40)

    def ask(seat: Seat, phase: str, verbs: set[str]) -> str:
        verb = choose(rng, played, seat, phase, verbs, {"exchange", "ask_guarantee"})
        played.move(seat, Move(verb))
        return verb

    played.deal(pack)
    deal = Deal(list(played.p.order), list(pack), list(tokens), ask)
    deal.from_the_top = options["horse_dealer_draw"] == "top"
    deal.cuckoo_saves = not narrow
    deal.play()
    assert deal.events == in_words_of(played.events, *AFTERWARDS)


@pytest.mark.clause("CU-91", "CU-92", "CU-93", "CU-94", "CU-97", "CU-98", "CU-100", "CU-101", "CU-104", "CU-110")
@pytest.mark.parametrize("tokens", [1, 2])
@pytest.mark.parametrize("players", [2, 3, 4, 6, 10])
def test_games_of_cucu_agree_with_the_reference(players: int, tokens: int) -> None:
    """Whole games: the same is told to the end, and tokens, virgins and money are the same after every deal."""
    rng = Random(f"{players} {tokens}")
    for _ in range(GAMES):
        play_game_twice(rng, "cucu", players, tokens)


LU_STU_GAMES, MOST_DEALS = 12, 60
SPECIAL = ("XI", "XII", "XIII", "XIV", "XV", "MAT", "NUL")
PLAIN: dict[str, type[PlainCucu | PlainLuStu]] = {"cucu": PlainCucu, "lu-stu": PlainLuStu}


@pytest.mark.clause("LS-41", "LS-49", "LS-52", "LS-55", "LS-58", "LS-59", "LS-61", "LS-63", "LS-69", "LS-78", "LS-90")
@pytest.mark.clause("LS-92", "LS-95", "LS-97", "LS-98", "LS-100", "LS-101", "LS-104", "LS-107", "LS-110", "LS-111")
@pytest.mark.parametrize("tokens", [1, 2, 3])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 12, 20])
def test_games_of_lu_stu_agree_with_the_reference(players: int, tokens: int) -> None:
    """At every step the same seat decides between the same moves; the same is told, and the table stands the same."""
    rng = Random(f"{players} {tokens}")
    for _ in range(LU_STU_GAMES):
        play_game_twice(rng, "lu-stu", players, tokens)


def play_game_twice(rng: Random, key: str, players: int, tokens: int) -> None:
    """Play a game at random, and compare after every deal what was told and how the table stands."""
    said = {name: rng.random() < often for name, often in OFTEN.items()}
    stake, dealer, offers = rng.choice([1, 7, 10, 10**9]), rng.randrange(players), rng.randint(1, 4)
    kinds, one_fool = rng.choice(["both", "money", "pool_share"]), rng.choice([0, 0, 2, 3, 5])
    inn = {"inn_offer_rounds": offers, "inn_offer_kinds": kinds, "single_matto_from": one_fool}
    options = {"stake": stake, "first_dealer": dealer, **said, **(inn if key == "lu-stu" else {})}
    played = agreed(key, players, tokens=tokens, **options)

    def ask(actor: Seat, phase: str, verbs: set[str], persons: list[str], total: int) -> tuple[str, dict[str, int]]:
        verb = choose(rng, played, actor, phase, verbs, {"exchange", "reenter", "make_offer"})
        if verb == "make_offer":
            price = priced(rng, persons, total)
            share = ((str(played.p.target), price["percent"]),) if "percent" in price else ()
            played.move(actor, Move(verb, amount=price.get("money", 0), shares=share))
            return verb, price
        shares = shared_out(rng, persons, total) if verb in ("reenter", "propose_agreement") else {}
        played.move(actor, Move(verb, shares=tuple(shares.items())))
        return verb, shares

    plain = PLAIN[key](players, tokens, stake, dealer, ask)
    plain.reentry, plain.syndicates, plain.talks, plain.duty = said.values()
    if isinstance(plain, PlainLuStu):
        plain.offers, plain.money, plain.percent = offers, kinds != "pool_share", kinds != "money"
    for _ in range(MOST_DEALS):
        pack = stacked(rng, played.game.chance_request(played.p).cards)
        played.deal(pack)
        plain.play([str(card) for card in pack])
        compare(plain, played)
        if plain.over:
            return


def compare(plain: PlainGame, played: Match) -> None:
    """See that the same was told, and that the table stands the same in both."""
    assert sorted(plain.events) == sorted(in_words_of(played.events))
    assert [words for words in plain.events if not words.startswith("prize_paid")] == [
        words for words in in_words_of(played.events) if not words.startswith("prize_paid")
    ]
    match_state = played.p.match_state
    assert (plain.tokens, plain.virgins) == (list(match_state.tokens), set(match_state.virgins))
    assert (plain.pool, plain.promises) == (match_state.pool, [tuple(promise) for promise in match_state.promises])
    assert {who: n for who, n in plain.net.items() if n} == {who: n for who, n in match_state.net if n}
    assert plain.over == played.game.is_finished(played.p)


def stacked(rng: Random, cards: tuple[Card, ...]) -> list[Card]:
    """Shuffle, and in half of the packs bring many cards to the top that do something."""
    pack = rng.sample(cards, len(cards))
    if rng.random() < 0.5:
        pack.sort(key=lambda card: rng.random() - (card.rank in SPECIAL) * 0.5)
    return pack


def priced(rng: Random, kinds: list[str], left: int) -> dict[str, int]:
    """Name a price, of one kind or of all that may be offered."""
    price = {"money": rng.choice([1, 5, 10**9]), "percent": rng.choice([1, left, rng.randint(1, max(left, 1))])}
    some = rng.sample(kinds, rng.randint(1, len(kinds)))
    return {kind: price[kind] for kind in some}


LINES = [line for line in digests.kept().values() if line.game == "lu-stu"]
MATCHES = [digests.rule_sets()[one.name] for one in LINES if one.digests.get("match", "").startswith("1:")]


@pytest.mark.parametrize("rule_set", MATCHES, ids=name)
def test_playthroughs_agree_with_the_reference(rule_set: RuleSet) -> None:
    """Every match that is played by the fixed rule is what the plain program makes of the same moves."""
    said = {option.name: option.default for option in CATALOGUE.entry("lu-stu").options} | dict(rule_set.options)
    played = any_match(rule_set.game, rule_set.players, **dict(rule_set.options))
    moves: list[tuple[Seat, Move]] = []
    for made in (made for deal in until_changed(rule_set) for made in deal):
        played.move(made.actor, made.move)
        if made.move.verb == "draw_seats":
            played.events.clear()
        else:
            moves.append((made.actor, made.move))

    def ask(actor: Seat, phase: str, verbs: set[str], persons: list[str], total: int) -> tuple[str, dict[str, int]]:
        who, move = moves.pop(0)
        assert actor == who
        assert move.verb in verbs
        if move.verb == "make_offer":
            return move.verb, {"money": move.amount or 0, "percent": sum(share for _, share in move.shares)}
        return move.verb, dict(move.shares)

    plain = PlainLuStu(played.game.seats, int(said["tokens"]), int(said["stake"]), int(said["first_dealer"]), ask)
    plain.reentry, plain.syndicates, plain.talks, plain.duty = (said[name] == "true" for name in OFTEN)
    plain.offers, kinds = int(said["inn_offer_rounds"]), said["inn_offer_kinds"]
    plain.money, plain.percent = kinds != "pool_share", kinds != "money"
    while moves:
        plain.play([str(card) for card in moves.pop(0)[1].cards])
    compare(plain, played)


# ---------------------------------------------------------------------- lu stu counted


RANKING = ("MAT", "LEO", "MAS", "SEC", "NUL", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
FACES = (*RANKING, "XI", "XII", "XIII", "XIV", "XV")
ROUNDS = 3
BARGAINS = sum(2**offers for offers in range(1, ROUNDS + 1))
"""Ways to strike a bargain where each offer is one of two, and all before it were refused."""
REFUSALS = sum(2**offers for offers in range(ROUNDS)) + 2**ROUNDS
"""Ways to strike none: nothing offered after so many refusals, or the last offer refused."""


def losses(first: str, dealer: str, host: bool) -> tuple[int, int]:
    """What the comparison adds to the tokens of the first player and of the dealer, who may answer for a nulla."""
    fools = (first == "MAT") + (dealer == "MAT")
    if fools == 2:
        return 0, 1
    if fools == 1:
        return (0, -2) if host and first == "NUL" else (-1, -1)
    if FACES.index(first) <= FACES.index(dealer):
        return (0, -1) if host and first == "NUL" else (-1, 0)
    return 0, -1


def ways(cards: tuple[str, ...]) -> Counter[tuple[int, int]]:
    """All ways to play a pack that begins so: what first player and dealer win and lose, and in how many ways."""
    a, b, c, d = cards
    found: Counter[tuple[int, int]] = Counter()

    def compared(first: str, dealer: str, drawn: str, *, times: int = 1, lost: int = 0, host: bool = False) -> None:
        for last in (dealer, drawn):  # the dealer keeps, or draws
            mine, his = losses(first, last, host)
            found[mine - lost, his] += times

    compared(a, b, c)  # the first keeps; from here on he exchanges
    if b in ("XII", "XIV"):
        compared(a, b, c, lost=1)
    elif b == "XIII":
        compared(c, b, d)
    elif b == "XV":
        compared(a, b, c)
    elif b == "XI":
        compared(b, a, c, times=BARGAINS)
        compared(a, b, c, times=REFUSALS, host=True)
    else:
        compared(b, a, c)
    return found


def orders(cards: tuple[str, ...], copies: dict[str, int]) -> int:
    """In how many ways a pack with so many copies of each face can begin with these cards."""
    left, found = dict(copies), 1
    for card in cards:
        found *= left[card]
        left[card] -= 1
    return found


@pytest.mark.clause("LS-71", "LS-72", "LS-74", "LS-75", "LS-78", "LS-46", "LS-48", "LS-51", "LS-53")
@pytest.mark.parametrize("fools", [2, 1])
def test_every_deal_for_two(fools: int) -> None:
    """Over all packs and all ways to play, the tokens after a deal for two are those worked out here."""
    game = agreed("lu-stu", 2, end_game_agreement=False, single_matto_from=0 if fools == 2 else 2).game
    copies = {face: fools if face == "MAT" else 2 for face in FACES}
    expected: Counter[tuple[int, ...]] = Counter()
    for cards in product(FACES, repeat=4):
        if number := orders(cards, copies):
            for (first, dealer), times in ways(cards).items():
                expected[3 + dealer, 3 + first] += times * number
    counted = over_every_pack(game, game.start())
    assert (4, sum(expected.values())) == (counted.cards, counted.report.leaves)
    assert expected == dict(counted.report.results)
