"""The catalogue as messages: games, options, moves and rule books, in the language of the reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chitarrella.comparing import Difference
from chitarrella.game import AnyGame
from chitarrella.notation import pattern
from chitarrella.option import default_players
from chitarrella.tongues import Tongue
from chitarrella.v1 import catalogue_pb2, table_pb2
from chitarrella.wire import clause_message
from chitarrella.words import Clause, Form, Reason


def summary_message(game: AnyGame, tongue: Tongue) -> catalogue_pb2.GameSummary:
    """Write a game in one line."""
    return catalogue_pb2.GameSummary(
        game=game.key,
        title=tongue.title(game),
        place=tongue.place(game),
        players=sorted(game.seatings),
        default_players=default_players(game),
        pack=tongue.pack(game.pack.name),
        sources=map(tongue.source, game.sources),
        edition=game.edition,
    )


def form_message(game: AnyGame, form: Form, tongue: Tongue) -> catalogue_pb2.MoveForm:
    """Write what a move looks like."""
    return catalogue_pb2.MoveForm(
        verb=form.verb,
        means=tongue.form(game, form),
        phases=sorted(form.phases),
        least_cards=form.cards[0],
        most_cards=form.cards[1],
        words=form.words,
        amount=form.amounts is not None,
        seat=form.seat,
        shares=form.shares,
        out_of_turn=form.free,
        by_table=form.by_chance,
        lapse=form.lapse,
        written=pattern(form),
    )


def game_message(
    game: AnyGame, forms: Sequence[Form], reasons: Sequence[Reason], kept: Callable[[int], bool], tongue: Tongue
) -> catalogue_pb2.GetGameResponse:
    """Write a game with its rule book.

    ``forms`` of moves and ``reasons`` for refusals are those of all tables, ``kept`` tells what editions are kept.
    """
    return catalogue_pb2.GetGameResponse(
        summary=summary_message(game, tongue),
        pack=game.pack.cards,
        options=[
            catalogue_pb2.Option(
                name=option.name,
                means=tongue.option(game, option),
                source=tongue.source(option.source),
                default=option.default,
                words=option.words,
                least=option.least,
                most=option.most,
            )
            for option in game.options
        ],
        moves=[form_message(game, form, tongue) for form in forms],
        reasons=[
            catalogue_pb2.ReasonCode(code=reason.code, says=tongue.reason(reason), clause=game.grounds[reason.code].key)
            for reason in reasons
        ],
        clauses=[clause_message(clause, tongue) for clause in game.clauses],
        editions=[
            catalogue_pb2.Edition(number=edition.number, changes=edition.changes, kept=kept(edition.number))
            for edition in game.editions
        ],
    )


def difference_message(difference: Difference, tongue: Tongue) -> catalogue_pb2.Difference:
    """Write what is not the same in two games."""

    def said(text: str, clause: Clause | None) -> str:
        return text if clause is None else tongue.clause(clause)

    def told(clause: Clause | None) -> table_pb2.Clause | None:
        return None if clause is None else clause_message(clause, tongue)

    return catalogue_pb2.Difference(
        about=difference.about,
        name=difference.name,
        first=said(difference.first, difference.first_clause),
        second=said(difference.second, difference.second_clause),
        first_clause=told(difference.first_clause),
        second_clause=told(difference.second_clause),
    )
