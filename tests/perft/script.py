"""The perft cases: openings to some depth and endgames to the end, from stride packs and moves by a fixed rule.

Every game has `OPENINGS` and `ENDGAMES` for each number of players (where there are many, for 2 to 4 of them, a middle
number and the most); an option has one of each where its counts are not those of the game without it. The counts of
`FAMOUS` cases were published, those of `EVERY_PACK` are sums over all packs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from chitarrella.catalogue import Agreement
from chitarrella.game import AnyGame, Position, play
from chitarrella.perft import Report, decisions, perft, running
from chitarrella.perft_file import Case, lay_out
from chitarrella.words import CHANCE
from tests.kit import CATALOGUE, name, steady_chance, steady_choice, strides, tables, variants

FOLDER = Path(__file__).parent
COMMAND = "python -m tests.perft.write"

OPENINGS, ENDGAMES = 3, 5
SEATINGS = 6
"""Games with more numbers of players than this have cases for three of them."""
NODES = 2_500
"""A case goes as deep as it can with so many nodes."""

FAMOUS = {
    "briscola-2-first-12-k7": Case(
        Agreement("briscola", 2, (("deal_packets", "1-1-1"), ("first_dealer", "1"))), stride=7, first=12
    ),
} | {
    f"coteccio-{players}-whole-k{step}": Case(
        Agreement("coteccio", players, (("first_dealer", str(players - 1)),)), stride=step, without=("annul_deal",)
    )
    for players, step in ((2, 7), (2, 13), (3, 7), (4, 7))
}
"""Briscola for two with the first twelve cards of a stride pack: seat 0 wins 19,322 of 26,244 ways to play it.

Whole deals of Coteccio led by seat 0, in which nobody annuls.
"""


SILENT = ("end_game_agreement", "false")
LAST = ("tokens", "1")
ONE_OFFER = ("inn_offer_rounds", "1")
ARRESTS = ("XI", "XII", "XIII", "XIV", "XV")
EVERY_PACK = {
    "cucu-2": Case(Agreement("cucu", 2, (SILENT,)), weighted=True),
    "cucu-2-next": Case(Agreement("cucu", 2, (SILENT, ("horse_dealer_draw", "next"))), weighted=True),
    "cucu-2-comparison": Case(Agreement("cucu", 2, (("cuckoo_protects", "comparison"), SILENT)), weighted=True),
    "cucu-2-last-token": Case(Agreement("cucu", 2, (SILENT, LAST)), weighted=True),
    "cucu-2-talk": Case(Agreement("cucu", 2, (LAST,)), weighted=True, among=("II", "NUL", "MAT", *ARRESTS)),
    "cucu-3": Case(Agreement("cucu", 3), weighted=True, among=("NUL", "MAT", *ARRESTS)),
    "cucu-4": Case(Agreement("cucu", 4, (LAST,)), weighted=True, among=("NUL", "XI", "XII", "XIII")),
    "lu-stu-2": Case(Agreement("lu-stu", 2, (SILENT,)), weighted=True),
    "lu-stu-2-one-fool": Case(Agreement("lu-stu", 2, (SILENT, ("single_matto_from", "2"))), weighted=True),
    "lu-stu-2-last-token": Case(Agreement("lu-stu", 2, (SILENT, LAST)), weighted=True),
    "lu-stu-2-talk": Case(Agreement("lu-stu", 2, (LAST,)), weighted=True, among=("II", "NUL", "MAT", *ARRESTS)),
    "lu-stu-3": Case(Agreement("lu-stu", 3, (ONE_OFFER,)), weighted=True, among=("NUL", "MAT", *ARRESTS)),
    "lu-stu-3-last-token": Case(Agreement("lu-stu", 3, (ONE_OFFER, LAST)), weighted=True, among=("NUL", *ARRESTS)),
    "lu-stu-4": Case(Agreement("lu-stu", 4, (ONE_OFFER, LAST)), weighted=True, among=("NUL", "XI", "XII", "XIV")),
}
"""Deals of Cucù and Lu Stù over every pack: with all faces for two, with some for more."""


class Named(NamedTuple):
    """A case with the name of its file and a sentence on it."""

    file: str
    case: Case
    note: str


Kind: TypeAlias = Callable[[Agreement, int], list[Named]]


def counted() -> list[Agreement]:
    """The rule sets that have cases without any option."""
    seatings = {
        game.key: sorted(game.seatings)
        if len(game.seatings) <= SEATINGS
        else sorted({*tables(game), *(few for few in (2, 3, 4) if few in game.seatings)})
        for game in CATALOGUE
    }
    return [Agreement(key, players) for key, numbers in seatings.items() for players in numbers]


def cases() -> list[Named]:
    """Every case there should be a file for."""
    found = [
        Named(f"{file}.perft", case, "The counts of this case were published before.")
        for file, case in FAMOUS.items()
        if case.agreement.game in {game.key for game in CATALOGUE}
    ]
    found += [
        Named(f"{file}-every-pack.perft", case, "All packs together, each face as often as there are copies of it.")
        for file, case in EVERY_PACK.items()
        if case.agreement.game in {game.key for game in CATALOGUE}
    ]
    for agreement in counted():
        found += openings(agreement, OPENINGS) + endgames(agreement, ENDGAMES)
    for agreement in variants():
        usual = agreement._replace(options=())
        for kind in (openings, endgames):
            pairs = zip(kind(agreement, ENDGAMES), usual_counts(kind, usual), strict=True)
            found += [new for new, old in pairs if counts(new) != old][:1]
    return found


@lru_cache(maxsize=4)
def usual_counts(kind: Kind, agreement: Agreement) -> tuple[Report, ...]:
    """The counts of a game without options."""
    return tuple(counts(named) for named in kind(agreement, ENDGAMES))


def counts(named: Named) -> Report:
    """Count a case."""
    game, p = lay_out(CATALOGUE, named.case)
    return perft(game, p, named.case.depth, named.case.without)


def openings(agreement: Agreement, number: int) -> list[Named]:
    """The first decisions of deals with different packs, as deep as the nodes allow."""
    game = CATALOGUE.seat(agreement)
    p = game.start()
    position = ""
    while not running(game, after := play(game, p, CHANCE, steady_chance(game, p, 0))[0]):
        p, position = after, game.write(after)
    found = []
    for step in strides(game.pack)[:number]:
        depth, case = 1, Case(agreement, position, step, depth=1)
        while size(case._replace(depth=depth + 1)) <= NODES and depth < 12:
            depth += 1
        note = f"The first decisions of a deal with the stride pack of step {step}."
        found.append(Named(f"{name(agreement)}-opening-k{step}.perft", case._replace(depth=depth), note))
    return found


def endgames(agreement: Agreement, number: int) -> list[Named]:
    """The last decisions of deals with different packs, begun as early as the nodes allow."""
    game = CATALOGUE.seat(agreement)
    found = []
    for deal, step in enumerate(strides(game.pack)[:number]):
        position = ""
        for p in reversed(played(game, deal)):
            case = Case(agreement, game.write(p))
            if size(case) > NODES:
                break
            position = case.position
        note = f"The end of a deal with the stride pack of step {step}; what went before was played by a fixed rule."
        found.append(Named(f"{name(agreement)}-endgame-k{step}.perft", Case(agreement, position), note))
    return found


def played(game: AnyGame, deal: int) -> list[Position]:
    """Play one deal by the fixed rule, with that stride pack, and give the positions in which a seat is to decide."""
    p, found = game.start(), []
    while not running(game, p):
        p, _ = play(game, p, CHANCE, steady_chance(game, p, deal))
    while running(game, p):
        found.append(p)
        p, _ = play(game, p, *steady_choice(game, p, len(found) - 1, free=False))
    return found


def size(case: Case) -> int:
    """Count the nodes of a case, level by level, and stop where there are too many."""
    game, p = lay_out(CATALOGUE, case)
    level, total, depth = [p], 1, 0
    while level and total <= NODES and depth != case.depth:
        level = [after for p in level if running(game, p) for after in following(game, p)]
        total += len(level)
        depth += 1
    return total


def following(game: AnyGame, p: Position) -> list[Position]:
    """The positions one decision on."""
    return [play(game, p, actor, move)[0] for actor, move in decisions(game, p)[0]]
