"""Stateless questions about the rules: what a caller names is read, and answered, without the messages of the contract.

They are about a whole position; a partial one, which is what a front end knows of it; or a single trick without a
position: what a hand may play to it, who takes it, what cards are worth. What is named wrongly raises
`errors.BadRequest` with the field at fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from chitarrella import errors
from chitarrella.core.cards import Card, Hand, Pack, UnknownCard
from chitarrella.core.game import (
    NO_TRUMP_CARD,
    AnyGame,
    NoTrumpCard,
    Position,
    TrickRules,
    TrickState,
    Validation,
    apply_checked,
    check_move,
    is_accepted,
    legal_moves,
    validate_move,
)
from chitarrella.core.model import CHANCE, NOT_YOUR_TURN, Event, Move, Refusal, Seat
from chitarrella.core.notation import InvalidPosition


def read_position(game: AnyGame, line: str, field: str = "position.text") -> Position:
    try:
        return game.decode(line)
    except InvalidPosition as error:
        raise errors.BadRequest("bad_position", str(error), field) from error


def read_cards(game: AnyGame, texts: Iterable[str], field: str) -> Hand:
    return read_pack(game.pack, texts, field)


def read_pack(pack: Pack, texts: Iterable[str], field: str) -> Hand:
    try:
        return pack.hand(texts)
    except UnknownCard as error:
        raise errors.BadRequest("unknown_card", str(error), field) from error


def read_seat(game: AnyGame, seat: Seat, field: str = "seat") -> Seat:
    """Return ``seat`` if a player controls it; raises `errors.BadRequest` for an unknown seat and for a dummy."""
    if not 0 <= seat < game.seats or game.controller(seat) != seat:
        raise errors.BadRequest("no_such_seat", f"nobody sits at seat {seat} of this table", field)
    return seat


HANDS, TRICK = ("hands",), ("trick",)  # what every answer depends on where the hand, or the trick, is unknown


class PartialTrick(NamedTuple):
    """A trick, as far as it is known; None stands for unknown."""

    cards: Sequence[str] = ()
    leader: Seat | None = None
    declared_suit: str | None = None


class PartialPosition(NamedTuple):
    """What a caller knows of a position; None stands for unknown. ``hands`` are seats with their cards."""

    hands: Sequence[tuple[Seat, Sequence[str]]] = ()
    trick: PartialTrick | None = None
    trump: str | None = None
    trump_card: str | None = None
    stock_size: int | None = None


class ExplainedPlay(NamedTuple):
    """A play with every clause that it may break, and the unknown parts that this depends on."""

    move: Move
    refusals: tuple[Refusal, ...]
    depends_on: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        """Whether it is accepted whatever the unknown parts are."""
        return is_accepted(self.refusals) and not self.depends_on


class PartialQuestion(NamedTuple):
    """A partial position and the seat that is asked about; a ``hand`` or ``state`` of None is unknown."""

    game: AnyGame
    tricks: TrickRules
    seat: Seat
    hand: Hand | None
    state: TrickState | None
    turn: Seat | None


Scores: TypeAlias = Sequence[tuple[str, int]]


class ResolvedTrick(NamedTuple):
    """The card that takes a trick, with its index; None and empty where that depends on what is not known."""

    winning_index: int | None
    winning_card: str
    scores: Scores
    depends_on: Sequence[str]


def trick_rules_of(game: AnyGame, field: str = "rule_set") -> TrickRules:
    if game.trick_rules is None:
        raise errors.BadRequest("no_tricks", f"{game.key} is not played in tricks", f"{field}.game_id")
    return game.trick_rules


def read_partial_question(game: AnyGame, known: PartialPosition, seat: Seat | None) -> PartialQuestion:
    """Read a partial position; without ``seat`` it is asked about the seat on turn, or about the only hand."""
    tricks = trick_rules_of(game, "partial_position.rule_set")
    hands = _read_hands(game, known.hands)
    leader = turn = None
    trick = known.trick or PartialTrick()
    cards = read_cards(game, trick.cards, "partial_position.trick.cards")
    if trick.leader is not None:
        leader = _read_any_seat(game, trick.leader, "partial_position.trick.leader")
        turn = _turn(game, tricks, leader, cards)
    seat = _seat_in_question(game, hands, turn, seat)
    check_trick(game, cards, "partial_position.trick.cards", still_to_play=1)
    check_pack(game, (*cards, *(card for hand in hands.values() for card in hand)), "partial_position.hands")
    _check_sizes(tricks, known, cards, _cards_played(game, tricks, seat, leader, cards), seat)
    state = None if known.trick is None else _read_state(game, tricks, known, known.trick, cards)
    return PartialQuestion(game, tricks, seat, hands.get(seat), state, turn)


def plays_of(question: PartialQuestion) -> list[ExplainedPlay]:
    if (hand := question.hand) is None or (state := question.state) is None:
        return []
    plays = question.tricks.plays(hand, state, question.seat)
    return [_explained(move, _at_turn(question, hand, state, move, validation)) for move, validation in plays.items()]


def validate_play(question: PartialQuestion, move: Move) -> ExplainedPlay:
    state = question.state
    if state is None or question.hand is None:
        return ExplainedPlay(move, (), missing_parts(question))
    if move.verb not in question.tricks.verbs(state.cards):
        text = f"only {' and '.join(question.tricks.verbs(state.cards))} can be validated in this partial position"
        raise errors.BadRequest("malformed_move", text, "move.verb")
    on_turn = question.tricks.validation(question.hand, state, question.seat, move)
    return _explained(move, _at_turn(question, question.hand, state, move, on_turn))


def playable_cards(
    game: AnyGame,
    hand: Iterable[str],
    trick: Iterable[str],
    *,
    trump: str = "",
    trump_card: str = "",
    declared_suit: str = "",
    stock_left: bool = False,
) -> list[ExplainedPlay]:
    tricks = trick_rules_of(game)
    held, played = read_cards(game, hand, "hand"), read_cards(game, trick, "trick")
    check_trick(game, played, "trick", still_to_play=1)
    check_pack(game, held + played, "hand")
    check_lead(tricks, played, "trick")
    check_hand(tricks, len(held), "hand")
    state = TrickState(
        played,
        read_trump(game, tricks, trump),
        read_trump_card(game, tricks, trump_card),
        read_declared_suit(game, tricks, declared_suit),
        len(game.pack.cards) if stock_left else 0,
    )
    return plays_of(PartialQuestion(game, tricks, 0, held, state, None))


def resolve_trick(
    game: AnyGame, texts: Iterable[str], trump: str | None = None, trump_card: str | None = None
) -> ResolvedTrick:
    """Determine the winning card; trumps that are None are not known. Raises `errors.BadRequest`."""
    tricks = trick_rules_of(game)
    cards = read_cards(game, texts, "cards")
    check_trick(game, cards, "cards")
    check_pack(game, cards, "cards")
    suit = None if trump is None else read_trump(game, tricks, trump)
    index, depends_on = tricks.winning_index(TrickState(cards, suit, read_trump_card(game, tricks, trump_card), "", 0))
    scores = () if suit is None and "trump" in depends_on else tricks.count(cards, suit or "")
    return ResolvedTrick(index, "" if index is None else cards[index], scores, depends_on)


def score_cards(game: AnyGame, texts: Iterable[str], trump: str = "") -> Scores:
    tricks = trick_rules_of(game)
    cards = read_cards(game, texts, "cards")
    check_pack(game, cards, "cards")
    return tricks.count(cards, read_trump(game, tricks, trump))


def _read_hands(game: AnyGame, known: Sequence[tuple[Seat, Sequence[str]]]) -> Mapping[Seat, Hand]:
    hands: dict[Seat, Hand] = {}
    for place, (number, cards) in enumerate(known):
        field = f"partial_position.hands[{place}]"
        seat = _read_any_seat(game, number, f"{field}.seat")
        if seat in hands:
            raise errors.BadRequest("bad_position", f"seat {seat} has a hand already", f"{field}.seat")
        hands[seat] = read_cards(game, cards, f"{field}.cards")
    return hands


def _read_any_seat(game: AnyGame, seat: Seat, field: str) -> Seat:
    if not 0 <= seat < game.seats:
        raise errors.BadRequest("no_such_seat", f"{game.key} has no seat {seat} with this rule set", field)
    return seat


def _seat_in_question(game: AnyGame, hands: Mapping[Seat, Hand], turn: Seat | None, seat: Seat | None) -> Seat:
    if seat is not None:
        return read_seat(game, seat)
    if turn is not None:
        return turn
    if len(hands) != 1:
        raise errors.BadRequest("bad_request", "Name the seat, the leader of the trick, or one hand only.", "seat")
    return next(iter(hands))


def _read_state(
    game: AnyGame, tricks: TrickRules, known: PartialPosition, trick: PartialTrick, cards: Hand
) -> TrickState:
    return TrickState(
        cards,
        None if known.trump is None else read_trump(game, tricks, known.trump, "partial_position.trump"),
        read_trump_card(game, tricks, known.trump_card, "partial_position.trump_card"),
        read_declared_suit(game, tricks, trick.declared_suit, "partial_position.trick.declared_suit"),
        known.stock_size,
    )


def read_trump(game: AnyGame, tricks: TrickRules, trump: str, field: str = "trump") -> str:
    """Return the trump suit, empty for none; raises `errors.BadRequest` if the game has no such trumps."""
    if trump and trump not in tricks.suits:
        raise errors.BadRequest("unknown_suit", f"{trump!r} is no suit of {game.key}", field)
    if trump and not tricks.has_trumps:
        raise errors.BadRequest("unknown_suit", f"{game.key} has no trump suit with these options: leave it out", field)
    return trump


def read_trump_card(
    game: AnyGame, tricks: TrickRules, card: str | None, field: str = "trump_card"
) -> Card | NoTrumpCard | None:
    """Return the trump card, `NO_TRUMP_CARD` for an empty text, None if unknown; raises `errors.BadRequest`."""
    if not card:
        return None if card is None else NO_TRUMP_CARD
    if not tricks.has_trump_card:
        raise errors.BadRequest("bad_position", f"{game.key} has no single trump card, so none can be named", field)
    (found,) = read_cards(game, [card], field)
    return found


def read_declared_suit(game: AnyGame, tricks: TrickRules, suit: str | None, field: str = "declared_suit") -> str | None:
    if suit and not (tricks.has_trump_card and suit in tricks.suits):
        raise errors.BadRequest("unknown_suit", f"{suit!r} cannot be declared in {game.key}", field)
    return suit


def check_pack(game: AnyGame, cards: Hand, field: str) -> None:
    """Raise `BadRequest` if a card is named more often than the pack in play has it."""
    if surplus := game.pack.surplus(cards):
        raise errors.BadRequest("bad_position", f"{game.key} has no further {' '.join(surplus)}", field)


def check_trick(game: AnyGame, cards: Hand, field: str, still_to_play: int = 0) -> None:
    """Raise `BadRequest` if a trick has more cards than seats; in some games a seat plays several cards at once."""
    if "play_card" in game.move_specs and len(cards) + still_to_play > game.seats:
        raise errors.BadRequest("bad_position", f"{len(cards)} cards in a trick of {game.seats} seats", field)


def check_hand(tricks: TrickRules, size: int, field: str) -> None:
    """Raise `BadRequest` for a hand larger than any in this game; ``size`` includes the cards it has played."""
    if size > tricks.largest_hand:
        text = f"a hand has at most {tricks.largest_hand} cards, those that it has played to this trick included"
        raise errors.BadRequest("bad_position", text, field)


def check_lead(tricks: TrickRules, cards: Hand, field: str) -> None:
    if (at_once := _cards_at_once(tricks, cards)) > tricks.largest_hand:
        text = f"{at_once} cards were led, and a hand has at most {tricks.largest_hand}"
        raise errors.BadRequest("bad_position", text, field)


def _check_sizes(
    tricks: TrickRules, known: PartialPosition, cards: Hand, played: Mapping[Seat, int], seat: Seat
) -> None:
    check_lead(tricks, cards, "partial_position.trick.cards")
    at_once = _cards_at_once(tricks, cards)
    for place, (holder, hand) in enumerate(known.hands):
        field, held, laid = f"partial_position.hands[{place}].cards", len(hand), played.get(holder, 0)
        check_hand(tricks, held + laid, field)
        if holder == seat and not laid and 0 < held < at_once:
            raise errors.BadRequest("bad_position", f"{at_once} cards were led, and who follows has as many", field)
    if known.stock_size and known.stock_size > tricks.largest_stock:
        text = f"at most {tricks.largest_stock} cards are left when all hands are dealt"
        raise errors.BadRequest("bad_position", text, "partial_position.stock_size")


# ---------------------------------------------------------------------- whose turn it is


def _plays_made(tricks: TrickRules, cards: Hand) -> int:
    """Return how many seats have played to a trick; where several cards are played at once, only the leader has."""
    return len(cards) if "play_card" in tricks.verbs(cards) else min(len(cards), 1)


def _cards_at_once(tricks: TrickRules, cards: Hand) -> int:
    """Return how many cards each seat plays to a trick; 0 before the lead."""
    return len(cards) // _plays_made(tricks, cards) if cards else 0


def _is_order_known(game: AnyGame, tricks: TrickRules) -> bool:
    """Return whether the seats play one after the other; of more than two, some may sit a deal out."""
    return tricks.everybody_plays or game.seats == 2


def _turn(game: AnyGame, tricks: TrickRules, leader: Seat, cards: Hand) -> Seat | None:
    """Return the seat that plays next, None where it depends on the seats that sit the deal out."""
    if not cards:
        return leader
    return (leader + _plays_made(tricks, cards)) % game.seats if _is_order_known(game, tricks) else None


def _cards_played(
    game: AnyGame, tricks: TrickRules, seat: Seat, leader: Seat | None, cards: Hand
) -> Mapping[Seat, int]:
    """Return how many cards each seat has played to the trick, of those that are known to have played."""
    plays = _plays_made(tricks, cards)
    if not _is_order_known(game, tricks):
        plays = min(plays, 0 if leader is None else 1)
    first = seat - plays if leader is None else leader  # the seat of the question is to play
    return {(first + place) % game.seats: _cards_at_once(tricks, cards) for place in range(plays)}


def _at_turn(
    question: PartialQuestion, hand: Hand, state: TrickState, move: Move, validation: Validation
) -> Validation:
    if question.turn in (None, question.seat):
        return validation
    refusal = question.game.refuse(NOT_YOUR_TURN, verb=move.verb, amount=question.turn)
    return Validation((refusal, *question.tricks.conditions(hand, state, question.seat, move).value))


def missing_parts(question: PartialQuestion) -> tuple[str, ...]:
    return (*(HANDS if question.hand is None else ()), *(TRICK if question.state is None else ()))


def _explained(move: Move, validation: Validation) -> ExplainedPlay:
    """The unknown parts are named by their paths in the contract's `PartialPosition`."""
    depends_on = (f"trick.{name}" if name == "declared_suit" else name for name in validation.depends_on)
    return ExplainedPlay(move, validation.value, tuple(depends_on))


# ---------------------------------------------------------------------- whole positions


class PositionQuestion(NamedTuple):
    """A position and the seat that is asked about; the seat is None where the game waits for none."""

    game: AnyGame
    position: Position
    seat: Seat | None


MoveQuestion: TypeAlias = PositionQuestion | PartialQuestion
Refusals: TypeAlias = tuple[Refusal, ...]


def list_moves(asked: MoveQuestion) -> tuple[list[Move], list[ExplainedPlay]]:
    """List the legal moves of the seat in question, and those whose legality depends on unknown parts."""
    if isinstance(asked, PartialQuestion):
        plays = plays_of(asked)
        return [play.move for play in plays if not play.refusals], [play for play in plays if play.depends_on]
    game, p, seat = asked
    return [] if seat is None else [*legal_moves(game, p, seat)], []


def explain_hand(asked: MoveQuestion) -> list[ExplainedPlay]:
    """Validate every potential move of the seat in question; those of a dummy are moves of who controls it."""
    if isinstance(asked, PartialQuestion):
        return plays_of(asked)
    game, p, seat = asked
    if seat is None:
        return []
    person = game.controller(seat)
    moves = [move for move in dict.fromkeys(game.potential_moves(p, person)) if seat in (person, move.seat)]
    return [ExplainedPlay(move, validate_move(game, p, person, move), ()) for move in moves]


def unknown_parts(asked: MoveQuestion) -> tuple[str, ...]:
    return missing_parts(asked) if isinstance(asked, PartialQuestion) else ()


def validate(asked: MoveQuestion, move: Move) -> ExplainedPlay:
    if isinstance(asked, PartialQuestion):
        return validate_play(asked, move)
    refusals = validate_move(asked.game, asked.position, CHANCE if asked.seat is None else asked.seat, move)
    return ExplainedPlay(move, refusals, ())


def play_until_refused(
    game: AnyGame, p: Position, moves: Iterable[tuple[Seat, Move]]
) -> tuple[Position, int, Refusals, list[tuple[int, Refusals]], list[Event]]:
    """Return the last position, the number of moves played, why the next is refused, penalties by index, and events."""
    events: list[Event] = []
    penalties: list[tuple[int, Refusals]] = []
    applied = 0
    for actor, move in moves:
        checked = check_move(game, p, actor, move)
        if not checked.is_accepted:
            return p, applied, checked.refusals, penalties, events
        if checked.refusals:
            penalties.append((applied, checked.refusals))
        p, new = apply_checked(game, p, checked)
        events.extend(new)
        applied += 1
    return p, applied, (), penalties, events
