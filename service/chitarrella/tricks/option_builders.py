"""Options that several games share: seating, first dealer, packets, length of the match, duties, contracts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace as but
from typing import TypeAlias

from chitarrella.core.cards import Card
from chitarrella.core.model import Seat
from chitarrella.core.options import InvalidOption, Option, choice_option, number_option
from chitarrella.tricks.base import Action, Following, Phase, TrickEffect
from chitarrella.tricks.dealing import Packet, turn_up_next
from chitarrella.tricks.following import PenalizedFollowing, as_penalty
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.match_formats import Series, SoloContract, deal_again, pass_deal_on
from chitarrella.tricks.play import Play, PlayOrRevoke

Edit: TypeAlias = Callable[[TrickGame], TrickGame]  # what the choice of an option changes in a game

BY_LOT = "by_lot"  # the choice by which a lot decides who deals first


# Seating
def seat_individually(game: TrickGame, seats: int) -> TrickGame:
    """Seat ``seats`` players, each alone."""
    return but(game, sides=tuple(range(seats)), controllers=tuple(range(seats)))


def seat_with_totals(players: int) -> Callable[[TrickGame], TrickGame]:
    """Set the number of players, each for himself and with a running total of his own."""
    return lambda game: but(seat_individually(game, players), total_count=players)


def seat_in_partnerships(game: TrickGame) -> TrickGame:
    """Seat four players, partners opposite each other."""
    return but(game, sides=(0, 1, 0, 1), controllers=(0, 1, 2, 3))


def removed_card(name: str, description: str, source: str, cards: Iterable[Card], default: Card) -> Option[TrickGame]:
    """Build the option which of ``cards`` three players leave out of the pack."""
    edits = {str(card): _with_spare(card) for card in cards}
    return choice_option(name, description, source, edits, str(default)).only_for(3)


def _with_spare(card: Card) -> Edit:
    return lambda game: but(game, spare=(card,))


# Parts of a game
def with_phase(kind: type[Phase], **changes: object) -> Edit:
    """Change fields of the phase of type ``kind``; every phase is a dataclass, though its type does not show it."""

    def edit(game: TrickGame) -> TrickGame:
        phases = tuple(but(phase, **changes) if isinstance(phase, kind) else phase for phase in game.phases)  # type: ignore[type-var]  # every phase is a dataclass
        return but(game, phases=phases)

    return edit


def in_place_of(kind: type[Phase], phase: Phase) -> Edit:
    """Put ``phase`` in the place of the phase of type ``kind``."""
    return lambda game: but(game, phases=tuple(phase if isinstance(old, kind) else old for old in game.phases))


def with_side_action(action: Action) -> Edit:
    """Put ``action`` in the place of the action with the same verb beside the tricks."""

    def edit(game: TrickGame) -> TrickGame:
        play = next(phase for phase in game.phases if isinstance(phase, Play))
        actions = [action if old.spec.verb == action.spec.verb else old for old in play.side_actions]
        return with_phase(Play, side_actions=tuple(actions))(game)

    return edit


def with_following(duty: Following) -> Edit:
    """Make ``duty`` that of the seats that follow to a trick."""
    return lambda game: but(game, following=duty)


def with_effect(kind: type[TrickEffect], **changes: object) -> Edit:
    """Change fields of the trick effects of type ``kind``; each is a dataclass, though its type does not show it."""

    def edit(game: TrickGame) -> TrickGame:
        effects = tuple(
            but(effect, **changes) if isinstance(effect, kind) else effect  # type: ignore[type-var]  # a dataclass
            for effect in game.trick_effects
        )
        return but(game, trick_effects=effects)

    return edit


def with_trick_effects(*effects: TrickEffect) -> Edit:
    """Make ``effects`` what happens after a trick."""
    return lambda game: but(game, trick_effects=effects)


def with_contract(**changes: object) -> Edit:
    """Change fields of the `SoloContract` of a game; raises `TypeError` for a game without one."""

    def edit(game: TrickGame) -> TrickGame:
        if not isinstance(game.series, SoloContract):
            raise TypeError(f"{game.key} is not a game of contracts")
        return but(game, series=but(game.series, **changes))  # type: ignore[arg-type]  # fields of a game's own contract

    return edit


def penalize(game: TrickGame) -> TrickGame:
    """Accept revokes at a penalty; to be applied after the options that choose the duty."""
    reasons = tuple(map(as_penalty, game.following.reasons))
    following = PenalizedFollowing(game.following, reasons)
    return but(with_phase(Play, play_action=PlayOrRevoke())(game), following=following)


def with_start(**changes: object) -> Edit:
    """Change fields of the action that deals the pack."""
    return lambda game: but(game, dealing=but(game.dealing, start=but(game.dealing.start, **changes)))  # type: ignore[arg-type]  # fields of a game's own deal


# Options
def trump_by(source: str) -> Option[TrickGame]:
    """Build the option whether trumps are found by cutting the stock or by turning up its first card."""
    edits: dict[str, Edit] = {"cut": lambda game: game, "turn_up": with_start(turn_up=turn_up_next)}
    return choice_option(
        "trump_by", "Whether the stock is cut for trumps, or its first card turned up.", source, edits, "cut"
    )


def deal_packets(source: str, sizes: Mapping[str, tuple[Packet, ...]], default: str) -> Option[TrickGame]:
    """Build the option that chooses the packets of the deal; ``sizes`` gives them by value."""
    edits = {label: with_start(packets=packets) for label, packets in sizes.items()}
    return choice_option("deal_packets", "How many cards are dealt to a seat at once.", source, edits, default)


def all_pass(source: str) -> Option[TrickGame]:
    """Build the option who deals after a deal in which all have passed."""
    edits = {"next_dealer": with_contract(after_void=pass_deal_on), "same_dealer": with_contract(after_void=deal_again)}
    return choice_option("all_pass", "Who deals after a deal that nobody wanted.", source, edits, "next_dealer")


def series_of(game: TrickGame) -> Series:
    """Return the series that a game is played in; raises `TypeError` for another kind of match."""
    if not isinstance(game.series, Series):
        raise TypeError(f"{game.key} is not played in a series of deals won")
    return game.series


def _with_wins(game: TrickGame, wins: int) -> TrickGame:
    return but(game, series=but(series_of(game), to_win=wins))


def rubber_games(source: str) -> Option[TrickGame]:
    """Build the option how many games win the rubber."""
    text = "How many games won make the rubber."
    return number_option("rubber_games", text, source, _with_wins, default=3, least=1, most=99)


def match_deals(source: str) -> Option[TrickGame]:
    """Build the option how many deals make a match."""
    text = "How many deals make the match; not asked where a number of wins is agreed."

    def edit(game: TrickGame, deals: int) -> TrickGame:
        return but(game, series=but(series_of(game), deals=deals))

    return number_option("match_deals", text, source, edit, default=1, least=1)


def target_wins(source: str) -> Option[TrickGame]:
    """Build the option how many deals won make a match, whatever their number."""
    text = "How many deals won make the match; 0 for none."
    return number_option("target_wins", text, source, _with_wins, default=0, least=0)


def first_dealer(most: Seat, source: str, *, lot: bool = False) -> Option[TrickGame]:
    """Build the option which seat, 0 to ``most``, deals first; with ``lot`` the default is to draw it by lot."""

    def edit(game: TrickGame, value: str) -> TrickGame:
        return but(game, first_dealer=None if value == BY_LOT else int(value))

    default, words = (BY_LOT, (BY_LOT,)) if lot else ("0", ())
    text = "Which seat deals first."
    return Option("first_dealer", text, source, default, edit, words, minimum=0, maximum=most)


def check_first_dealer(game: TrickGame) -> InvalidOption | None:
    """Return an error for a first dealer that has no seat or never deals."""
    dealer = game.first_dealer
    if dealer is None or dealer in game.dealing.dealers(game):
        return None
    offers = ", ".join(map(str, game.dealing.dealers(game)))
    return InvalidOption("options.first_dealer", f"seat {dealer} does not deal here; seats that do: {offers}")
