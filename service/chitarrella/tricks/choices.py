"""The choices that tables of many games make: how they sit, who deals first, in which packets, for how many games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace as but

from chitarrella.option import BadChoice, Option, numbers, words
from chitarrella.tricks.act import Act
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.play import Play
from chitarrella.words import Seat

BY_LOT = "by_lot"


def seat_each(game: TrickGame, seats: int) -> TrickGame:
    """Seat so many players, each for himself."""
    return but(game, sides=tuple(range(seats)), controllers=tuple(range(seats)))


def crosswise(game: TrickGame) -> TrickGame:
    """Seat four players, partners opposite each other."""
    return but(game, sides=(0, 1, 0, 1), controllers=(0, 1, 2, 3))


def spare(card: str) -> Callable[[TrickGame], TrickGame]:
    """Let ``card`` be the one that three players leave out."""
    return lambda game: but(game, spare=card)


def beside(act: Act) -> Callable[[TrickGame], TrickGame]:
    """Put ``act`` into the place of the act of its kind beside the play."""

    def edit(game: TrickGame) -> TrickGame:
        phases = tuple(
            but(phase, beside=tuple(act if type(old) is type(act) else old for old in phase.beside))
            if isinstance(phase, Play)
            else phase
            for phase in game.phases
        )
        return but(game, phases=phases)

    return edit


def packets(source: str, sizes: Mapping[str, tuple[int, ...]], default: str) -> Option[TrickGame]:
    """Let the table agree on the packets of the deal."""

    def edit(row: tuple[int, ...]) -> Callable[[TrickGame], TrickGame]:
        return lambda game: but(game, dealing=but(game.dealing, start=but(game.dealing.start, packets=row)))

    edits = {label: edit(row) for label, row in sizes.items()}
    return words("deal_packets", "How many cards are dealt to a seat at once.", source, edits, default)


def rubber(source: str) -> Option[TrickGame]:
    """Let the table agree on the games that win the rubber."""
    return numbers(
        "rubber_games",
        "How many games won make the rubber.",
        source,
        lambda game, n: but(game, series=but(game.series, to_win=n)),
        default=3,
        least=1,
        most=99,
    )


def first_dealer(most: Seat, source: str, *, lot: bool = False) -> Option[TrickGame]:
    """Let the table say who deals first; with ``lot`` the default is that the service draws a seat."""

    def edit(game: TrickGame, value: str) -> TrickGame:
        return but(game, first_dealer=None if value == BY_LOT else int(value))

    return Option(
        "first_dealer",
        "Which seat deals first.",
        source,
        BY_LOT if lot else "0",
        edit,
        (BY_LOT,) if lot else (),
        least=0,
        most=most,
    )


def dealer_sits_here(game: TrickGame) -> BadChoice | None:
    """Object to a first dealer who has no seat, or who never deals."""
    dealer = game.first_dealer
    if dealer is None or dealer in game.dealing.dealers(game):
        return None
    offers = ", ".join(map(str, game.dealing.dealers(game)))
    return BadChoice("options.first_dealer", f"seat {dealer} does not deal here; seats that do: {offers}")
