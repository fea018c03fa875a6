"""Convert games, options, moves and rule books to messages of the contract, in the language of the caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chitarrella.api.converters import clause_message
from chitarrella.catalogue.packages import Origin
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CardSpec, MoveSpec, Reason
from chitarrella.core.notation import move_pattern
from chitarrella.core.options import default_players
from chitarrella.i18n.translator import Translator
from chitarrella.svg.paths import picture_path
from chitarrella.v1 import catalogue_pb2
from chitarrella.v1.catalogue_pb2 import Card as CardMessage


def summary_message(game: AnyGame, origin: Origin, translator: Translator) -> catalogue_pb2.GameSummary:
    """Convert a game, which comes from the distribution ``origin``, to its summary."""
    return catalogue_pb2.GameSummary(
        game_id=game.key,
        title=translator.title(game),
        place=translator.place(game),
        players=sorted(game.seatings),
        default_players=default_players(game),
        pack=translator.pack(game.pack.name),
        sources=map(translator.source, game.sources),
        edition=game.edition,
        distribution=origin.distribution,
        version=origin.version,
    )


def move_spec_message(game: AnyGame, spec: MoveSpec, translator: Translator) -> catalogue_pb2.MoveSpec:
    """Convert the specification of a move."""
    return catalogue_pb2.MoveSpec(
        verb=spec.verb,
        description=translator.move_spec(game, spec),
        phases=sorted(spec.phases),
        min_cards=spec.cards[0],
        max_cards=spec.cards[1],
        choices=spec.choices,
        amount=spec.amounts is not None,
        seat=spec.seat,
        shares=spec.shares,
        out_of_turn=spec.out_of_turn,
        by_chance=spec.by_chance,
        timeout_default=spec.timeout_default,
        notation=move_pattern(spec),
    )


def card_message(spec: CardSpec, game: AnyGame, translator: Translator) -> CardMessage:
    """Convert a card of a game."""
    return CardMessage(
        code=spec.card,
        name=translator.card(spec.card, game.pack),
        suit=spec.suit,
        rank=spec.card.rank,
        order=spec.order,
        points=spec.points,
        copies=spec.copies,
        picture_url=picture_path(spec.card, game.pack),
    )


def partnership_messages(tables: Mapping[int, AnyGame]) -> list[catalogue_pb2.Partnership]:
    """Convert the sides of ``tables``, a game by number of players; everybody alone is left out."""
    return [
        catalogue_pb2.Partnership(
            players=players, sides=[catalogue_pb2.Side(seats=seats) for seats in _seats_by_side(table.sides)]
        )
        for players, table in tables.items()
        if len(set(table.sides)) < len(table.sides)
    ]


def _seats_by_side(sides: Sequence[int]) -> list[list[int]]:
    return [[seat for seat, other in enumerate(sides) if other == side] for side in dict.fromkeys(sides)]


def game_message(
    game: AnyGame,
    origin: Origin,
    tables: Mapping[int, AnyGame],
    specs: Sequence[MoveSpec],
    reasons: Sequence[Reason],
    is_supported: Callable[[int], bool],
    translator: Translator,
) -> catalogue_pb2.GetGameResponse:
    """Convert a game with its rule book.

    ``game`` is configured and comes from ``origin``; ``tables`` are its configurations by number of players, in order.
    ``specs`` of moves and ``reasons`` for refusals are those of all rule sets. ``is_supported`` returns whether an
    edition can still be played.
    """
    return catalogue_pb2.GetGameResponse(
        summary=summary_message(game, origin, translator),
        pack=game.pack.cards,
        options=[
            catalogue_pb2.Option(
                name=option.name,
                description=translator.option(game, option),
                source=translator.source(option.source),
                default=option.default,
                choices=option.choices,
                minimum=option.minimum,
                maximum=option.maximum,
            )
            for option in game.options
        ],
        moves=[move_spec_message(game, spec, translator) for spec in specs],
        reasons=[
            catalogue_pb2.ReasonCode(
                code=reason.code,
                text=translator.reason_template(reason),
                clause_key=game.reason_clauses[reason.code].key,
            )
            for reason in reasons
        ],
        clauses=[clause_message(clause, translator) for clause in game.clauses],
        editions=[
            catalogue_pb2.Edition(
                number=edition.number, changes=edition.changes, supported=is_supported(edition.number)
            )
            for edition in game.editions
        ],
        cards=[card_message(spec, game, translator) for spec in game.card_specs],
        suits=[
            catalogue_pb2.Suit(code=code, name=translator.suit(code, game.pack))
            for code in dict.fromkeys(spec.suit for spec in game.card_specs if spec.suit)
        ],
        partnerships=partnership_messages(tables),
        zones=[
            catalogue_pb2.ZoneSpec(name=spec.name, description=translator.zone(spec), seen_by=spec.seen_by)
            for spec in game.zone_specs
        ],
    )
