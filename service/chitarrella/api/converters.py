"""Convert between the types of the rules and the messages of the contract.

Functions ``read_*`` convert from a message, and raise `errors.BadRequest` with the path of the invalid field; functions
``*_message`` convert to a message. Those of updates are in `chitarrella.api.streams`.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from google.protobuf.timestamp_pb2 import Timestamp

from chitarrella import errors
from chitarrella.catalogue.record import InvalidRecord, Record, parse_record
from chitarrella.catalogue.registry import Catalogue, Origin, RuleSet, UnknownEdition, UnknownGame
from chitarrella.core.cards import Card, Pack, UnknownCard
from chitarrella.core.game import AnyGame, IllegalMove, Position, legal_moves
from chitarrella.core.model import (
    CHANCE,
    CardSpec,
    ChanceRequest,
    Clause,
    Event,
    Fact,
    Money,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    Shares,
    View,
    ZoneView,
)
from chitarrella.core.notation import InvalidPosition, MalformedMove, make_move, move_pattern
from chitarrella.core.options import InvalidOption, default_players
from chitarrella.i18n.narration import kind
from chitarrella.i18n.translator import ENGLISH, Translator
from chitarrella.questions import ExplainedMove
from chitarrella.v1 import catalogue_pb2, rules_pb2, table_pb2
from chitarrella.v1.catalogue_pb2 import Card as CardMessage

RULES_PAGE: Final = "/docs/rules"


def read_rule_set(message: table_pb2.RuleSet) -> RuleSet:
    options = tuple(sorted(message.options.items())) if message.options else ()
    return RuleSet(message.game_id, message.players, options, message.edition)


def read_game(catalogue: Catalogue, message: table_pb2.RuleSet, field: str = "rule_set") -> AnyGame:
    try:
        return catalogue.game_for(read_rule_set(message))
    except UnknownGame as error:
        raise errors.NotFound("unknown_game", str(error), f"{field}.game_id") from error
    except UnknownEdition as error:
        raise errors.NotPossibleNow("edition_not_supported", str(error), f"{field}.edition") from error
    except InvalidOption as error:
        code = "bad_players" if error.field == "players" else "bad_option"
        raise errors.BadRequest(code, str(error), f"{field}.{error.field}") from error


def find_game(catalogue: Catalogue, key: str, edition: int = 0) -> AnyGame:
    try:
        return catalogue.game(key, edition)
    except UnknownGame as error:
        raise errors.NotFound("unknown_game", str(error), "game_id") from error
    except UnknownEdition as error:
        raise errors.NotPossibleNow("edition_not_supported", str(error), "edition") from error


def read_record(catalogue: Catalogue, text: str) -> Record:
    try:
        record = parse_record(catalogue, text)
        catalogue.game_for(record.rule_set).decode(record.position) if record.position else None
    except UnknownEdition as error:
        raise errors.NotPossibleNow("edition_not_supported", str(error), "record") from error
    except (InvalidRecord, UnknownGame, InvalidOption, InvalidPosition) as error:
        raise errors.BadRequest("bad_record", str(error).removeprefix("line 0: "), "record") from error
    return record


def read_move(game: AnyGame, message: table_pb2.Move, actor: Seat, field: str = "move") -> Move:
    """Read a move of ``actor``, who names no seat or that of a dummy; `CHANCE` has moves of its own."""
    shares: Shares = tuple((share.person, share.amount) for share in message.shares) if message.shares else ()
    amount = message.amount if message.HasField("amount") else None
    seat = message.seat if message.HasField("seat") else None
    seat = None if seat == actor else seat
    try:
        move = make_move(game, message.verb, message.cards, message.choice, amount, seat, shares)
    except UnknownCard as error:
        raise errors.BadRequest("unknown_card", str(error), f"{field}.cards") from error
    except MalformedMove as error:
        raise errors.BadRequest("malformed_move", str(error), f"{field}.{error.field}") from error
    by_chance = game.move_specs[move.verb].by_chance
    if by_chance != (actor == CHANCE):
        maker = "the table, so it names no seat" if by_chance else "a seat, which must be named"
        text = f"{move.verb} is made by {maker}"
        raise errors.BadRequest("malformed_move", text, f"{field.removesuffix('move')}seat")
    return move


def move_message(move: Move) -> table_pb2.Move:
    return table_pb2.Move(
        verb=move.verb,
        cards=move.cards,
        choice=move.choice,
        amount=move.amount,
        seat=move.seat,
        shares=_share_fields(move.shares) if move.shares else None,
    )


Fields: TypeAlias = Any  # the fields of a message by name: the message that has it takes these over, and would copy it


def _share_fields(shares: Shares) -> list[Fields]:
    return [{"person": person, "amount": amount} for person, amount in shares]


def event_fields(event: Event) -> Fields:
    return {
        "kind": event.kind,
        "seat": event.seat,
        "cards": event.cards,
        "hidden": event.hidden,
        "word": event.word,
        "amount": event.amount,
        "other": event.other,
        "shares": _share_fields(event.shares) if event.shares else None,
    }


def clause_message(clause: Clause, translator: Translator = ENGLISH) -> table_pb2.Clause:
    return table_pb2.Clause(key=clause.key, text=translator.clause(clause), source=translator.source(clause.source))


def item_error_message(error: errors.ChitarrellaError) -> table_pb2.ItemError:
    return table_pb2.ItemError(code=error.code, message=error.message, field=error.field)


def refusal_messages(
    game: AnyGame, refusals: Sequence[Refusal], translator: Translator = ENGLISH
) -> list[table_pb2.Refusal] | None:
    """Convert refusals. None stands for no refusals: a field left out is cheaper than an empty list."""
    if not refusals:
        return None
    return [
        table_pb2.Refusal(
            code=refusal.code,
            clause=clause_message(refusal.clause, translator),
            message=translator.reason(refusal, game.pack),
            allowed_cards=refusal.allowed_cards,
            offending_cards=refusal.offending_cards,
            word=refusal.word,
            amount=refusal.amount,
            penalty=refusal.reason.penalty,
            page=f"{RULES_PAGE}/{game.key}#{refusal.clause.key}",
        )
        for refusal in refusals
    ]


def timestamp_message(milliseconds: int | None) -> Timestamp | None:
    if milliseconds is None:
        return None
    return Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)


def _zone_fields(zone: ZoneView) -> Fields:
    return {"name": zone.name, "seat": zone.seat, "cards": zone.cards, "size": zone.size, "leader": zone.leader}


def _fact_fields(fact: Fact) -> Fields:
    if isinstance(fact.value, tuple):
        return {"name": fact.name, "seat": fact.seat, "shares": {"shares": _share_fields(fact.value)}}
    kind = "word" if isinstance(fact.value, str) else "money" if isinstance(fact.value, Money) else "number"
    return {"name": fact.name, "seat": fact.seat, kind: fact.value}


def view_fields(view: View) -> Fields:
    waiting, turn = waiting_message(view.turn)
    return {
        "phase": view.phase,
        "waiting": waiting,
        "turn": turn,
        "zones": map(_zone_fields, view.zones),
        "facts": map(_fact_fields, view.facts),
        "scores": view.scores,
        "outcome": None if view.winners is None else {"winners": sorted(view.winners)},
    }


def waiting_message(turn: Seat | None) -> tuple[table_pb2.Waiting, Seat | None]:
    """Convert the seat to move: None if the game waits for nobody, `CHANCE` if for a pack or a lot."""
    if turn is None:
        return table_pb2.WAITING_NOBODY, None
    if turn == CHANCE:
        return table_pb2.WAITING_CHANCE, None
    return table_pb2.WAITING_SEAT, turn


def rule_set_message(rule_set: RuleSet) -> table_pb2.RuleSet:
    return table_pb2.RuleSet(
        game_id=rule_set.game, players=rule_set.players, options=dict(rule_set.options), edition=rule_set.edition
    )


def chance_request_message(chance: ChanceRequest) -> rules_pb2.ChanceRequest:
    return rules_pb2.ChanceRequest(verb=chance.verb, cards=chance.cards, amounts=chance.amounts)


def summary_message(game: AnyGame, origin: Origin, translator: Translator) -> catalogue_pb2.GameSummary:
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


def picture_path(card: Card, pack: Pack) -> str:
    """Return the path of the picture of a card of a game's ``pack``, such as ``/cards/italian/Ab.svg``."""
    return f"/cards/{kind(pack).lower()}/{card}.svg"


def card_message(spec: CardSpec, game: AnyGame, translator: Translator) -> CardMessage:
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


def explained_move_messages(
    game: AnyGame, moves: Iterable[ExplainedMove], translator: Translator
) -> list[table_pb2.ExplainedMove]:
    return [
        table_pb2.ExplainedMove(move=move_message(one.move), **verdict_fields(game, one, translator)) for one in moves
    ]


def verdict_fields(game: AnyGame, explained: ExplainedMove, translator: Translator) -> dict[str, Any]:
    """Return the fields in which the contract explains a move: ``verdict``, ``refusals``, ``depends_on``."""
    found = explained.refusals
    refusals = refusal_messages(game, [refusal for refusal, _ in found], translator)
    for message, (_, is_certain) in zip(refusals or (), found, strict=True):
        message.undecided = not is_certain
    return {"verdict": explained.verdict, "refusals": refusals, "depends_on": explained.depends_on}


def legal_moves_of(game: AnyGame, p: Position, seat: Seat) -> list[Move]:
    """List the legal moves of a seat; for a dummy, those with its cards of the person who controls it."""
    person = game.controller(seat)
    return [move for move in legal_moves(game, p, person) if seat in (person, move.seat)]


def write_page_token(method: str, place: str) -> str:
    """Return the token of the page after ``place``; empty if ``place`` is empty, because the list ends there."""
    return urlsafe_b64encode(f"{method}:{place}".encode()).decode().rstrip("=") if place else ""


def read_page_token(method: str, token: str, is_place: Callable[[str], object]) -> str:
    """Return the place in a token of ``method``, empty for an empty token; ``is_place`` checks it."""
    if not token:
        return ""
    try:
        text = urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
    except ValueError:
        text = ""
    given_by, _, place = text.partition(":")
    if given_by != method or write_page_token(method, place) != token or not is_place(place):
        raise errors.BadRequest("bad_request", "This is no page_token of this call.", "page_token")
    return place


@contextmanager
def illegal_moves_explained(game: AnyGame, translator: Translator) -> Iterator[None]:
    """Turn an `IllegalMove` of a record that is replayed in the block into `errors.BadRequest` with its sentences."""
    try:
        yield
    except IllegalMove as illegal:
        where = "" if illegal.number is None else f"move {illegal.number}: "
        why = " ".join(translator.reason(refusal, game.pack) for refusal in illegal.refusals)
        raise errors.BadRequest("bad_record", f"{where}{why}", "record") from illegal
