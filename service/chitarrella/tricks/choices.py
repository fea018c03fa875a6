"""The choices that tables of many games make: how they sit, who deals first, in which packets, for how many games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace as but

from chitarrella.option import BadChoice, Option, numbers, words
from chitarrella.tricks.act import Act, AfterTrick, Phase
from chitarrella.tricks.following import Following
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.play import Play
from chitarrella.tricks.reckoning import Series
from chitarrella.tricks.sudden import SuddenDeath
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


def phase_with(kind: type[Phase], **changes: object) -> Callable[[TrickGame], TrickGame]:
    """Change something about the phase of one kind; every phase is a dataclass, though its type does not say so."""

    def edit(game: TrickGame) -> TrickGame:
        phases = tuple(but(phase, **changes) if isinstance(phase, kind) else phase for phase in game.phases)  # type: ignore[type-var]
        return but(game, phases=phases)

    return edit


def follow(duty: Following) -> Callable[[TrickGame], TrickGame]:
    """Put this duty upon those who play to a trick."""
    return lambda game: but(game, following=duty)


def sudden(*, prey: str | None = None, partner_too: bool | None = None) -> Callable[[TrickGame], TrickGame]:
    """Change what sudden death hangs on; what is not named stays."""

    def changed(part: AfterTrick) -> AfterTrick:
        if not isinstance(part, SuddenDeath):
            return part
        return SuddenDeath(
            part.prey if prey is None else prey, part.partner_too if partner_too is None else partner_too
        )

    return lambda game: but(game, after=tuple(map(changed, game.after)))


def cut_or_turned(source: str) -> Option[TrickGame]:
    """Let the table agree whether trumps are found by cutting the stock or by turning up its first card."""

    def turned(game: TrickGame) -> TrickGame:
        return but(game, dealing=but(game.dealing, start=but(game.dealing.start, turns_up=True)))

    edits: dict[str, Callable[[TrickGame], TrickGame]] = {"cut": lambda game: game, "turn_up": turned}
    return words("trump_by", "Whether the stock is cut for trumps, or its first card turned up.", source, edits, "cut")


def packets(source: str, sizes: Mapping[str, tuple[int, ...]], default: str) -> Option[TrickGame]:
    """Let the table agree on the packets of the deal."""

    def edit(row: tuple[int, ...]) -> Callable[[TrickGame], TrickGame]:
        return lambda game: but(game, dealing=but(game.dealing, start=but(game.dealing.start, packets=row)))

    edits = {label: edit(row) for label, row in sizes.items()}
    return words("deal_packets", "How many cards are dealt to a seat at once.", source, edits, default)


def series(game: TrickGame) -> Series:
    """Give the series that a game is played in."""
    if not isinstance(game.series, Series):
        raise TypeError(f"{game.key} is not played in a series of deals won")
    return game.series


def rubber(source: str) -> Option[TrickGame]:
    """Let the table agree on the games that win the rubber."""
    return numbers(
        "rubber_games",
        "How many games won make the rubber.",
        source,
        lambda game, n: but(game, series=but(series(game), to_win=n)),
        default=3,
        least=1,
        most=99,
    )


def match_deals(source: str) -> Option[TrickGame]:
    """Let the table agree on the number of deals of a match."""
    return numbers(
        "match_deals",
        "How many deals make the match; not asked where a number of wins is agreed.",
        source,
        lambda game, n: but(game, series=but(series(game), deals=n)),
        default=1,
        least=1,
    )


def target_wins(source: str) -> Option[TrickGame]:
    """Let the table agree on the deals won that win the match, whatever their number."""
    return numbers(
        "target_wins",
        "How many deals won make the match; 0 for none.",
        source,
        lambda game, n: but(game, series=but(series(game), to_win=n)),
        default=0,
        least=0,
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
