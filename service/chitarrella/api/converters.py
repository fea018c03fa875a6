"""Convert between the types of the rules and the messages of the contract.

Functions ``read_*`` convert from a message, and raise `errors.BadRequest` with the path of the invalid field; functions
``*_message`` convert to a message, and ``*_fields`` to the `Fields` of one. Those of updates are in
`chitarrella.api.streams`.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from chitarrella import errors
from chitarrella import v1 as pb
from chitarrella.catalogue.record import InvalidRecord, Record, parse_record
from chitarrella.catalogue.registry import Catalogue, Origin, RuleSet, UnknownEdition, UnknownGame
from chitarrella.core import model
from chitarrella.core.cards import Card, Hand, Pack, UnknownCard
from chitarrella.core.game import AnyGame, IllegalMove, Position, legal_moves
from chitarrella.core.notation import InvalidPosition, MalformedMove, make_move, move_pattern
from chitarrella.core.options import InvalidOption, Option
from chitarrella.i18n.narration import EventKind, kind
from chitarrella.i18n.translator import ENGLISH, Translator, languages_of
from chitarrella.questions import ExplainedMove

RULES_PAGE: Final = "/docs/rules"
FAMILIES: Final = {"tricks": pb.FAMILY_TRICKS, "exchange": pb.FAMILY_EXCHANGE}
SCORE_DIRECTIONS: Final = (pb.SCORE_DIRECTION_HIGHER_WINS, pb.SCORE_DIRECTION_LOWER_WINS)
AUDIENCES: Final = {"nobody": pb.AUDIENCE_NOBODY, "owner": pb.AUDIENCE_OWNER, "everybody": pb.AUDIENCE_EVERYBODY}


def read_rule_set(message: pb.RuleSet) -> RuleSet:
    return RuleSet(message.game_id, message.players, read_map(message.options), message.edition)


def read_map(given: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the keys of a map, in order, with their values; the ``items`` of a message take several times as long."""
    return tuple(sorted([(key, given[key]) for key in given]))


def read_game(catalogue: Catalogue, message: pb.RuleSet, field: str = "rule_set") -> AnyGame:
    return _found(catalogue.game_for, read_rule_set(message), f"{field}.")


def find_game(catalogue: Catalogue, key: str, edition: int = 0) -> AnyGame:
    return _found(lambda asked: catalogue.game(asked.game, asked.edition), RuleSet(key, 0, (), edition))


def find_rule_set(catalogue: Catalogue, game: AnyGame, players: int, options: Sequence[str]) -> AnyGame:
    """Return a game as it is configured by ``options``, each NAME=VALUE."""
    chosen = {}
    for place, option in enumerate(options):
        name, sign, chosen[name] = option.partition("=")
        if not sign:
            text = f"{option!r} is no option with its value, such as NAME=VALUE."
            raise errors.BadRequest("bad_request", text, f"options[{place}]")
    rule_set = RuleSet(game.key, players or max(game.entry.players), tuple(sorted(chosen.items())), game.edition)
    return _found(catalogue.game_for, rule_set)


def _found(find: Callable[[RuleSet], AnyGame], rule_set: RuleSet, prefix: str = "") -> AnyGame:
    try:
        return find(rule_set)
    except UnknownGame as error:
        raise errors.NotFound("unknown_game", str(error), f"{prefix}game_id") from error
    except UnknownEdition as error:
        raise errors.NotPossibleNow("edition_not_supported", str(error), f"{prefix}edition") from error
    except InvalidOption as error:
        code = "bad_players" if error.field == "players" else "bad_option"
        raise errors.BadRequest(code, str(error), f"{prefix}{error.field}") from error


def read_record(catalogue: Catalogue, text: str) -> Record:
    try:
        record = parse_record(catalogue, text)
        catalogue.game_for(record.rule_set).decode(record.position) if record.position else None
    except UnknownEdition as error:
        raise errors.NotPossibleNow("edition_not_supported", str(error), "record") from error
    except (InvalidRecord, UnknownGame, InvalidOption, InvalidPosition) as error:
        raise errors.BadRequest("bad_record", str(error).removeprefix("line 0: "), "record") from error
    return record


def read_cards(pack: Pack, texts: Iterable[str], field: str) -> Hand:
    try:
        return pack.hand(texts)
    except UnknownCard as error:
        raise errors.BadRequest("unknown_card", str(error), field) from error


def read_move(game: AnyGame, message: pb.Move, actor: model.Seat, field: str = "move") -> model.Move:
    """Read a move of ``actor``, who names no seat or that of a dummy; `CHANCE` has moves of its own."""
    shares: model.Shares = tuple((share.person, share.amount) for share in message.shares) if message.shares else ()
    amount = message.amount if message.HasField("amount") else None
    seat = message.dummy_seat if message.HasField("dummy_seat") else None
    seat = None if seat == actor else seat
    try:
        move = make_move(game, message.verb, message.cards, message.choice, amount, seat, shares)
    except UnknownCard as error:
        raise errors.BadRequest("unknown_card", str(error), f"{field}.cards") from error
    except MalformedMove as error:
        name = "dummy_seat" if error.field == "seat" else error.field
        raise errors.BadRequest("malformed_move", str(error), f"{field}.{name}") from error
    by_chance = game.move_specs[move.verb].by_chance
    if by_chance != (actor == model.CHANCE):
        maker = "the table, so it names no seat" if by_chance else "a seat, which must be named"
        text = f"{move.verb} is made by {maker}"
        raise errors.BadRequest("malformed_move", text, f"{field.removesuffix('move')}seat")
    return move


Fields: TypeAlias = Any  # the fields of a message by name: the message that has it takes these over, and would copy it


def move_fields(move: model.Move) -> Fields:
    return {
        "verb": move.verb,
        "cards": move.cards,
        "choice": move.choice,
        "amount": move.amount,
        "dummy_seat": move.seat,
        "shares": _share_fields(move.shares) if move.shares else None,
    }


def _share_fields(shares: model.Shares) -> list[Fields]:
    return [{"person": person, "amount": amount} for person, amount in shares]


def event_fields(event: model.Event) -> Fields:
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


def clause_message(clause: model.Clause, translator: Translator = ENGLISH) -> pb.Clause:
    return pb.Clause(key=clause.key, text=translator.clause(clause), source=translator.source(clause.source))


def refusal_messages(
    game: AnyGame, refusals: Sequence[model.Refusal], translator: Translator = ENGLISH
) -> list[pb.Refusal] | None:
    """Convert refusals. None stands for no refusals: a field left out is cheaper than an empty list."""
    if not refusals:
        return None
    return [
        pb.Refusal(
            code=refusal.code,
            clause=clause_message(refusal.clause, translator),
            message=translator.reason(refusal, game.pack),
            allowed_cards=refusal.allowed_cards,
            offending_cards=refusal.offending_cards,
            word=refusal.word,
            amount=refusal.amount,
            penalty=refusal.reason.penalty,
            page_path=f"{RULES_PAGE}/{game.key}#{refusal.clause.key}",
        )
        for refusal in refusals
    ]


def time_fields(milliseconds: int | None) -> Fields | None:
    """Return the fields of a point in time, and of a duration, which has the same; None for None."""
    if milliseconds is None:
        return None
    return {"seconds": milliseconds // 1000, "nanos": milliseconds % 1000 * 1_000_000}


def _zone_fields(zone: model.ZoneView) -> Fields:
    return {"name": zone.name, "seat": zone.seat, "cards": zone.cards, "size": zone.size, "leader": zone.leader}


def _fact_fields(fact: model.Fact) -> Fields:
    if isinstance(fact.value, tuple):
        return {"name": fact.name, "seat": fact.seat, "shares": {"shares": _share_fields(fact.value)}}
    kind = "word" if isinstance(fact.value, str) else "money" if isinstance(fact.value, model.Money) else "number"
    return {"name": fact.name, "seat": fact.seat, kind: fact.value}


def view_fields(view: model.View) -> Fields:
    waiting, turn = waiting_message(view.turn)
    return {
        "phase": view.phase,
        "waiting": waiting,
        "turn": turn,
        "turns": [seat for seat in view.turns if seat >= 0],
        "zones": map(_zone_fields, view.zones),
        "facts": map(_fact_fields, view.facts),
        "scores": view.scores,
        "outcome": None if view.winners is None else {"winners": sorted(view.winners), "ending": pb.ENDING_PLAYED},
    }


def waiting_message(turn: model.Seat | None) -> tuple[pb.Waiting, model.Seat | None]:
    """Convert the seat to move: None if the game waits for nobody, `CHANCE` if for a pack or a lot."""
    if turn is None:
        return pb.WAITING_NOBODY, None
    if turn == model.CHANCE:
        return pb.WAITING_CHANCE, None
    return pb.WAITING_SEAT, turn


def rule_set_fields(rule_set: RuleSet) -> Fields:
    options = dict(rule_set.options)
    return {"game_id": rule_set.game, "players": rule_set.players, "options": options, "edition": rule_set.edition}


def chance_request_message(chance: model.ChanceRequest) -> pb.ChanceRequest:
    return pb.ChanceRequest(verb=chance.verb, cards=chance.cards, amounts=chance.amounts)


def summary_message(game: AnyGame, origin: Origin, translator: Translator) -> pb.GameSummary:
    return pb.GameSummary(
        game_id=game.key,
        title=translator.title(game),
        place=translator.place(game),
        players=sorted(game.entry.players),
        default_players=game.entry.players[0],
        pack=translator.pack(game.pack.name),
        sources=map(translator.source, game.entry.sources),
        edition=game.edition,
        distribution=origin.distribution,
        version=origin.version,
        family=FAMILIES.get(game.family, pb.FAMILY_OTHER),
        description=translator.description(game),
        languages=languages_of(game),
        score_direction=SCORE_DIRECTIONS[game.lower_score_wins],
    )


def option_message(game: AnyGame, option: Option[Any], translator: Translator) -> pb.Option:
    return pb.Option(
        name=option.name,
        description=translator.option(game, option),
        source=translator.source(option.source),
        default=option.default,
        choices=option.choices,
        minimum=option.minimum,
        maximum=option.maximum,
        type=_option_type(option),
        label=translator.option_label(option),
        players=option.players or sorted(game.entry.players),
        sets_length=option.sets_length,
    )


def _option_type(option: Option[Any]) -> pb.OptionType:
    """Return the type of an option; one with words and numbers is a number, because its numbers are not listed."""
    if option.minimum is not None:
        return pb.OPTION_TYPE_INTEGER
    is_bool = set(option.choices) == {"true", "false"}
    return pb.OPTION_TYPE_BOOL if is_bool else pb.OPTION_TYPE_CHOICE


def move_spec_message(game: AnyGame, spec: model.MoveSpec, translator: Translator) -> pb.MoveSpec:
    return pb.MoveSpec(
        verb=spec.verb,
        description=translator.move_spec(game, spec),
        phases=sorted(spec.phases),
        min_cards=spec.cards[0],
        max_cards=spec.cards[1],
        choices=spec.choices,
        takes_amount=spec.amounts is not None,
        takes_dummy_seat=spec.seat,
        takes_shares=spec.shares,
        out_of_turn=spec.out_of_turn,
        by_chance=spec.by_chance,
        timeout_default=spec.timeout_default,
        notation=move_pattern(spec),
    )


def picture_path(card: Card, pack: Pack) -> str:
    """Return the path of the picture of a card of a game's ``pack``, such as ``/cards/italian/Ab.svg``."""
    return f"/cards/{kind(pack).lower()}/{card}.svg"


def card_message(spec: model.CardSpec, game: AnyGame, translator: Translator) -> pb.Card:
    return pb.Card(
        code=spec.card,
        name=translator.card(spec.card, game.pack),
        suit=spec.suit,
        rank=spec.card.rank,
        order=spec.order,
        points=spec.points,
        copies=spec.copies,
        picture_path=picture_path(spec.card, game.pack),
    )


def partnership_messages(tables: Mapping[int, AnyGame]) -> list[pb.Partnership]:
    return [
        pb.Partnership(players=players, sides=[pb.Side(seats=seats) for seats in _seats_by_side(table.sides)])
        for players, table in tables.items()
        if len(set(table.sides)) < len(table.sides)
    ]


def _seats_by_side(sides: Sequence[int]) -> list[list[int]]:
    return [[seat for seat, other in enumerate(sides) if other == side] for side in dict.fromkeys(sides)]


def game_message(
    game: AnyGame,
    origin: Origin,
    tables: Mapping[int, AnyGame],
    options: Iterable[Option[Any]],
    specs: Iterable[model.MoveSpec],
    events: Iterable[tuple[str, EventKind]],
    reasons: Sequence[model.Reason],
    is_supported: Callable[[int], bool],
    translator: Translator,
) -> pb.GetGameResponse:
    """Convert a game with its rule book.

    ``game`` is configured and comes from ``origin``; ``tables`` are its configurations by number of players, in order.
    ``reasons`` for refusals are those of all rule sets. ``is_supported`` says whether an edition can still be played.
    """
    return pb.GetGameResponse(
        summary=summary_message(game, origin, translator),
        pack=game.pack.cards,
        options=[option_message(game, option, translator) for option in options],
        moves=[move_spec_message(game, spec, translator) for spec in specs],
        reasons=[
            pb.ReasonCode(
                code=reason.code,
                text=translator.reason_template(reason),
                clause_key=game.entry.reason_clauses[reason.code].key,
            )
            for reason in reasons
        ],
        clauses=[clause_message(clause, translator) for clause in game.clauses],
        editions=[
            pb.Edition(number=edition.number, changes=edition.changes, supported=is_supported(edition.number))
            for edition in game.entry.editions
        ],
        cards=[card_message(spec, game, translator) for spec in game.card_specs],
        suits=[
            pb.Suit(code=code, name=translator.suit(code, game.pack))
            for code in dict.fromkeys(spec.suit for spec in game.card_specs if spec.suit)
        ],
        partnerships=partnership_messages(tables),
        zones=[
            pb.ZoneSpec(name=spec.name, description=translator.zone(spec), seen_by=AUDIENCES[spec.seen_by])
            for spec in game.zone_specs
        ],
        events=[
            pb.EventSpec(kind=kind, description=row.description, fields=row.fields.split()) for kind, row in events
        ],
    )


def explained_move_messages(
    game: AnyGame, moves: Iterable[ExplainedMove], translator: Translator
) -> list[pb.ExplainedMove]:
    return [pb.ExplainedMove(move=move_fields(one.move), **verdict_fields(game, one, translator)) for one in moves]


def verdict_fields(game: AnyGame, explained: ExplainedMove, translator: Translator) -> dict[str, Any]:
    """Return the fields in which the contract explains a move: ``verdict``, ``refusals``, ``depends_on``."""
    found = explained.refusals
    refusals = refusal_messages(game, [refusal for refusal, _ in found], translator)
    for message, (_, is_certain) in zip(refusals or (), found, strict=True):
        message.undecided = not is_certain
    return {"verdict": explained.verdict, "refusals": refusals, "depends_on": explained.depends_on}


def legal_moves_of(game: AnyGame, p: Position, seat: model.Seat) -> list[model.Move]:
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
