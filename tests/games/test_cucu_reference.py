"""Cucù: thousands of deals and games at random, told by the rules and once more by a plain program of its own."""

from __future__ import annotations

from random import Random

import pytest

from chitarrella.core.cards import CUCCO
from chitarrella.core.model import CHANCE, Move, Seat
from tests.games.support.exchange_events import in_any_order
from tests.games.support.exchange_layouts import GameInPlay, seat, set_up
from tests.games.support.reference_cucu import Deal
from tests.games.support.reference_cucu_match import Game, shared_out

pytestmark = pytest.mark.unmeasured

DEALS, GAMES = 150, 30
OFTEN = {"reentry": 0.9, "syndicates": 0.7, "end_game_agreement": 0.7, "agreement_forces_exchange": 0.5}
"""How often each option is on."""
AFTERWARDS = ("eliminated", "free_reentry", "next_dealer", "prize")
"""What is told after the comparison."""


@pytest.mark.clause("CU-41", "CU-43", "CU-44", "CU-49", "CU-51", "CU-53", "CU-54", "CU-68", "CU-70", "CU-78")
@pytest.mark.parametrize("narrow", [False, True], ids=["always", "comparison"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 12, 20])
def test_deals_agree_with_the_reference(players: int, narrow: bool) -> None:
    """At every step the same seat decides between the same moves, and in the end the same has been told."""
    rng = Random(f"{players} {narrow}")
    for _ in range(DEALS):
        play_twice(rng, players, narrow)


def play_twice(rng: Random, players: int, narrow: bool) -> None:
    """Play one deal at random, and compare what is told."""
    tokens = [rng.randint(1, 3) for _ in range(players)]
    options = {"end_game_agreement": False, "cuckoo_protects": "comparison" if narrow else "always"}
    options["horse_dealer_draw"] = rng.choice(["top", "next"])
    said = {"players": players, "dealer": rng.randrange(players), "tokens": tokens, "options": options}
    played = GameInPlay(*set_up("cucu", said), rng)
    pack = rng.sample(CUCCO.cards, 40)

    def ask(seat: Seat, phase: str, verbs: set[str]) -> str:
        verb = played.choose(seat, phase, verbs, {"exchange", "ask_guarantee"})
        played.move(seat, Move(verb))
        return verb

    played.move(CHANCE, Move("start_deal", tuple(pack)))
    deal = Deal(list(played.p.order), list(pack), list(tokens), ask)
    deal.from_the_top = options["horse_dealer_draw"] == "top"
    deal.cuckoo_saves = not narrow
    deal.play()
    assert deal.events == [words for words in played.words if words.split()[0] not in AFTERWARDS]


@pytest.mark.clause("CU-91", "CU-92", "CU-93", "CU-94", "CU-97", "CU-98", "CU-100", "CU-101", "CU-104", "CU-110")
@pytest.mark.parametrize("tokens", [1, 2])
@pytest.mark.parametrize("players", [2, 3, 4, 6, 10])
def test_games_agree_with_the_reference(players: int, tokens: int) -> None:
    """Whole games: the same is told to the end, and tokens, virgins and money are the same after every deal."""
    rng = Random(f"{players} {tokens}")
    for _ in range(GAMES):
        play_game_twice(rng, players, tokens)


def play_game_twice(rng: Random, players: int, tokens: int) -> None:
    """Play a game at random, forty deals at most, and compare what is told and how the table stands."""
    said = {name: rng.random() < often for name, often in OFTEN.items()}
    stake, dealer = rng.choice([1, 7, 10, 10**9]), rng.randrange(players)
    game = seat("cucu", players, tokens=tokens, stake=stake, first_dealer=dealer, **said)
    played = GameInPlay(game, game.start(), rng)

    def ask(actor: Seat, phase: str, verbs: set[str], persons: list[str], total: int) -> tuple[str, dict[str, int]]:
        verb = played.choose(actor, phase, verbs, {"exchange", "reenter"})
        shares = shared_out(rng, persons, total) if verb in ("reenter", "propose_agreement") else {}
        played.move(actor, Move(verb, shares=tuple(shares.items())))
        return verb, shares

    plain = Game(players, tokens, stake, dealer, ask)
    plain.reentry, plain.syndicates = said["reentry"], said["syndicates"]
    plain.talks, plain.duty = said["end_game_agreement"], said["agreement_forces_exchange"]
    for _ in range(40):
        pack = rng.sample(CUCCO.cards, 40)
        played.move(CHANCE, Move("start_deal", tuple(pack)))
        plain.play(list(pack))
        assert in_any_order(plain.events) == in_any_order(played.words)
        match_state = played.p.match_state
        assert (plain.tokens, plain.virgins, plain.pool) == (
            list(match_state.tokens),
            set(match_state.virgins),
            match_state.pool,
        )
        assert {who: n for who, n in plain.net.items() if n} == {who: n for who, n in match_state.net if n}
        assert plain.over == game.is_finished(played.p)
        if plain.over:
            return
