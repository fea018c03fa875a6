"""Stateless questions about the rules: what a caller names is read, and answered, without the messages of the contract.

They are about a whole position; a partial one, which is what a front end knows of it; or a single trick without a
position: what a hand may play to it, who takes it, what cards are worth. What is named wrongly raises
`errors.BadRequest` with the field at fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from chitarrella import errors
from chitarrella.core.cards import Card, Hand
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


def read_seat(game: AnyGame, seat: Seat, field: str = "seat") -> Seat:
    """Return ``seat`` if a player controls it; raises `errors.BadRequest` for an unknown seat and for a dummy."""
    if not 0 <= seat < game.seats or game.controller(seat) != seat:
        raise errors.BadRequest("no_such_seat", f"nobody sits at seat {seat} of this table", field)
    return seat


HANDS, TRICK = ("hands",), ("trick",)  # what every answer depends on where the hand, or the trick, is unknown


class PartialTrick(NamedTuple):
    """A trick, as far as it is known; None stands for unknown."""

    cards: Hand = ()
    leader: Seat | None = None
    declared_suit: str | None = None


class PartialPosition(NamedTuple):
    """What a caller knows of a position; None stands for unknown.

    ``hands`` are seats with their cards; ``dealt_in`` are the seats that take part in the deal. A ``trump_card`` of
    `NO_TRUMP_CARD` says that there is none.
    """

    hands: Sequence[tuple[Seat, Hand]] = ()
    trick: PartialTrick | None = None
    trump: str | None = None
    trump_card: Card | NoTrumpCard | None = None
    stock_size: int | None = None
    dealt_in: Sequence[Seat] | None = None


class Verdict(IntEnum):
    """Whether a move is accepted, in the numbers of the contract."""

    ACCEPTED = 1
    REFUSED = 2
    UNDECIDED = 3


Refusals: TypeAlias = tuple[Refusal, ...]


class ExplainedMove(NamedTuple):
    """A move with the clauses that it breaks, once for each answer that the unknown parts of the position allow.

    ``depends_on`` names those parts. There is no answer where the hand or the trick is unknown.
    """

    move: Move
    answers: tuple[Refusals, ...]
    depends_on: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        accepted = {is_accepted(refusals) for refusals in self.answers}
        if len(accepted) != 1:
            return Verdict.UNDECIDED
        return Verdict.ACCEPTED if accepted.pop() else Verdict.REFUSED

    @property
    def refusals(self) -> Sequence[tuple[Refusal, bool]]:
        """Every clause that it may break, once, and whether that is certain. A detail is left out if it is not."""
        if len(self.answers) == 1:
            return [(refusal, True) for refusal in self.answers[0]]
        by_reason: dict[str, list[Refusal]] = {}
        for refusal in (refusal for refusals in self.answers for refusal in refusals):
            by_reason.setdefault(refusal.code, []).append(refusal)
        return [(_common(same), len(same) == len(self.answers)) for same in by_reason.values()]


def _common(same: Sequence[Refusal]) -> Refusal:
    """Return what refusals for one reason have in common."""
    first = same[0]
    unknown = Refusal(first.reason, first.clause)
    return Refusal(
        *(here[0] if len(set(here)) == 1 else left_out for left_out, *here in zip(unknown, *same, strict=True))
    )


class PartialQuestion(NamedTuple):
    """A partial position and the seat that is asked about; a ``state`` of None is unknown.

    ``turns`` are the seats that may be on turn; if there are several, that ``depends_on`` a part. ``movers`` are those
    whose plays are listed: of the seats that ``seat`` plays those that may be on turn, else its own.
    """

    game: AnyGame
    tricks: TrickRules
    seat: Seat
    hands: Mapping[Seat, Hand]
    state: TrickState | None
    turns: Sequence[Seat]
    depends_on: tuple[str, ...]

    @property
    def movers(self) -> Sequence[Seat]:
        return [one for one in self.turns if self.game.controller(one) == self.seat] or [self.seat]


Counts: TypeAlias = Sequence[tuple[str, int]]
"""What cards count, by the name of the count."""


class ResolvedTrick(NamedTuple):
    """The card that takes a trick, with its index; both None where that depends on what is not known."""

    winning_index: int | None
    winning_card: Card | None
    counts: Counts
    depends_on: Sequence[str]


def trick_rules_of(game: AnyGame, field: str = "rule_set") -> TrickRules:
    if game.trick_rules is None:
        raise errors.BadRequest("no_tricks", f"{game.key} is not played in tricks", f"{field}.game_id")
    return game.trick_rules


def read_partial_question(game: AnyGame, known: PartialPosition, seat: Seat | None) -> PartialQuestion:
    """Read a partial position; without ``seat`` it is asked about the only hand, or about the seat on turn."""
    tricks = trick_rules_of(game, "partial_position.rule_set")
    hands = _read_hands(game, known.hands)
    trick = known.trick or PartialTrick()
    leader, cards, person = trick.leader, trick.cards, None if seat is None else read_seat(game, seat)
    if leader is not None:
        leader = _read_any_seat(game, leader, "partial_position.trick.leader")
        turns = _turns(game, tricks, leader, _plays_made(tricks, cards), known.dealt_in)
    elif person is not None:  # the seat of the question is to play, or a dummy that it plays
        turns = [one for one in range(game.seats) if game.controller(one) == person]
    else:
        turns = [*hands]
    if person is None:
        asked = [*hands] if len(hands) == 1 else turns
        if len(asked) != 1:
            text = "Name the seat, one hand only, or the leader of the trick and who is dealt in."
            raise errors.BadRequest("bad_request", text, "seat")
        person = game.controller(asked[0])
    check_trick(game, cards, "partial_position.trick.cards", still_to_play=1)
    check_pack(game, (*cards, *(card for hand in hands.values() for card in hand)), "partial_position.hands")
    state = None if known.trick is None else _read_state(game, tricks, known, known.trick, cards)
    depends_on = () if len(turns) == 1 else ("trick.leader",) if leader is None else ("dealt_in",)
    question = PartialQuestion(game, tricks, person, hands, state, turns, depends_on)
    _check_sizes(question, known, cards, _cards_played(question, leader, cards))
    return question


def plays_of(question: PartialQuestion) -> list[ExplainedMove]:
    if (state := question.state) is None:
        return []
    return [
        _explained(question, mover, hand, state, move, on_turn)
        for mover in question.movers
        if (hand := question.hands.get(mover)) is not None
        for move, on_turn in question.tricks.plays(hand, state, mover).items()
    ]


def validate_play(question: PartialQuestion, move: Move) -> ExplainedMove:
    state, game = question.state, question.game
    mover = question.seat if move.seat is None else move.seat
    if game.controller(mover) != question.seat:
        return ExplainedMove(move, ((_not_your_turn(question, move),),), question.depends_on)
    if state is None or (hand := question.hands.get(mover)) is None:
        return ExplainedMove(move, (), missing_parts(question, [mover]))
    if move.verb not in question.tricks.verbs(state.cards):
        text = f"only {' and '.join(question.tricks.verbs(state.cards))} can be validated in this partial position"
        raise errors.BadRequest("malformed_move", text, "move.verb")
    on_turn = question.tricks.validation(hand, state, mover, move)
    return _explained(question, mover, hand, state, move, on_turn)


def resolve_trick(
    game: AnyGame, cards: Hand, trump: str | None = None, trump_card: Card | NoTrumpCard | None = None
) -> ResolvedTrick:
    """Determine the winning card; trumps that are None are not known. Raises `errors.BadRequest`."""
    tricks = trick_rules_of(game)
    check_trick(game, cards, "cards")
    check_pack(game, cards, "cards")
    suit = None if trump is None else read_trump(game, tricks, trump)
    counts, count_depends_on = _count(tricks, cards, suit)
    check_trump_card(game, tricks, trump_card)
    taking = tricks.winning_index(TrickState(cards, suit, trump_card, "", 0))
    depends_on = tuple(dict.fromkeys((*taking.depends_on, *count_depends_on)))
    if taking.depends_on:
        return ResolvedTrick(None, None, counts, depends_on)
    (index,) = taking.values
    return ResolvedTrick(index, cards[index], counts, depends_on)


def score_cards(game: AnyGame, cards: Hand, trump: str | None = None) -> tuple[Counts, Sequence[str]]:
    """Return what cards count, and the unknown parts that this depends on; then there are no counts."""
    tricks = trick_rules_of(game)
    check_pack(game, cards, "cards")
    return _count(tricks, cards, None if trump is None else read_trump(game, tricks, trump))


def _count(tricks: TrickRules, cards: Hand, trump: str | None) -> tuple[Counts, Sequence[str]]:
    trumps = ["", *(tricks.suits if tricks.has_trumps else ())] if trump is None else [trump]
    counts = {tricks.count(cards, suit) for suit in trumps}
    return (counts.pop(), ()) if len(counts) == 1 else ((), ("trump",))


def _read_hands(game: AnyGame, known: Sequence[tuple[Seat, Hand]]) -> Mapping[Seat, Hand]:
    hands: dict[Seat, Hand] = {}
    for place, (number, cards) in enumerate(known):
        field = f"partial_position.hands[{place}]"
        seat = _read_any_seat(game, number, f"{field}.seat")
        if seat in hands:
            raise errors.BadRequest("bad_position", f"seat {seat} has a hand already", f"{field}.seat")
        hands[seat] = cards
    return hands


def _read_any_seat(game: AnyGame, seat: Seat, field: str) -> Seat:
    if not 0 <= seat < game.seats:
        raise errors.BadRequest("no_such_seat", f"{game.key} has no seat {seat} with this rule set", field)
    return seat


def _read_state(
    game: AnyGame, tricks: TrickRules, known: PartialPosition, trick: PartialTrick, cards: Hand
) -> TrickState:
    check_trump_card(game, tricks, known.trump_card, "partial_position.trump_card")
    return TrickState(
        cards,
        None if known.trump is None else read_trump(game, tricks, known.trump, "partial_position.trump"),
        known.trump_card,
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


def check_trump_card(
    game: AnyGame, tricks: TrickRules, card: Card | NoTrumpCard | None, field: str = "trump_card"
) -> None:
    """Raise `BadRequest` if a trump card is named in a game that has none."""
    if card not in (None, NO_TRUMP_CARD) and not tricks.has_trump_card:
        raise errors.BadRequest("bad_position", f"{game.key} has no single trump card, so none can be named", field)


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
        raise errors.BadRequest("bad_position", f"{len(cards)} cards in a trick of {game.seats} players", field)


def check_hand(tricks: TrickRules, size: int, field: str) -> None:
    """Raise `BadRequest` for a hand larger than any in this game; ``size`` includes the cards it has played."""
    if size > tricks.largest_hand:
        text = f"a hand has at most {tricks.largest_hand} cards, those that it has played to this trick included"
        raise errors.BadRequest("bad_position", text, field)


def check_lead(tricks: TrickRules, cards: Hand, field: str) -> None:
    if (at_once := _cards_at_once(tricks, cards)) > tricks.largest_hand:
        text = f"{at_once} cards were led, and a hand has at most {tricks.largest_hand}"
        raise errors.BadRequest("bad_position", text, field)


def _check_sizes(question: PartialQuestion, known: PartialPosition, cards: Hand, played: Mapping[Seat, int]) -> None:
    tricks = question.tricks
    check_lead(tricks, cards, "partial_position.trick.cards")
    at_once = _cards_at_once(tricks, cards)
    for place, (holder, hand) in enumerate(known.hands):
        field, held, laid = f"partial_position.hands[{place}].cards", len(hand), played.get(holder, 0)
        check_hand(tricks, held + laid, field)
        if [holder] == question.movers and not laid and 0 < held < at_once:
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


def _may_sit_out(game: AnyGame, tricks: TrickRules) -> bool:
    """Return whether seats may sit a deal out; of two none does."""
    return game.seats > 2 and not tricks.everybody_plays


def _turns(
    game: AnyGame, tricks: TrickRules, leader: Seat, plays: int, dealt_in: Sequence[Seat] | None
) -> Sequence[Seat]:
    """Return the seats that may be on turn after a number of plays; of more than two, some may sit the deal out."""
    order = [(leader + step) % game.seats for step in range(game.seats)]
    if dealt_in is not None:
        taking_part = {_read_any_seat(game, seat, "partial_position.dealt_in") for seat in dealt_in}
        if leader not in taking_part or (tricks.everybody_plays and len(taking_part) < game.seats):
            text = "the leader takes part in the deal, and in most games every seat does"
            raise errors.BadRequest("bad_position", text, "partial_position.dealt_in")
        order = [seat for seat in order if seat in taking_part]
    if plays and dealt_in is None and _may_sit_out(game, tricks):
        return order[plays:]
    return [order[plays % len(order)]]


def _cards_played(question: PartialQuestion, leader: Seat | None, cards: Hand) -> Mapping[Seat, int]:
    """Return how many cards each seat has played to the trick, of those that are known to have played."""
    game, tricks = question.game, question.tricks
    plays = _plays_made(tricks, cards)
    if (leader is None and len(question.turns) > 1) or _may_sit_out(game, tricks):
        plays = min(plays, 0 if leader is None else 1)
    first = question.turns[0] - plays if leader is None else leader
    return {(first + place) % game.seats: _cards_at_once(tricks, cards) for place in range(plays)}


def _explained(
    question: PartialQuestion, mover: Seat, hand: Hand, state: TrickState, move: Move, on_turn: Validation
) -> ExplainedMove:
    """Explain a play; the unknown parts are named by their paths in the contract's `PartialPosition`."""
    answers: tuple[Refusals, ...] = ()
    depends_on = set[str]()
    if mover in question.turns:
        answers = on_turn.values
        depends_on.update(on_turn.depends_on)
    if [mover] != question.turns:
        conditions = question.tricks.conditions(hand, state, mover, move)
        answers += tuple((_not_your_turn(question, move), *broken) for broken in conditions.values)
        depends_on.update(conditions.depends_on, question.depends_on)
    names = (f"trick.{name}" if name == "declared_suit" else name for name in sorted(depends_on))
    return ExplainedMove(move, answers, tuple(names))


def _not_your_turn(question: PartialQuestion, move: Move) -> Refusal:
    turn = question.turns[0] if len(question.turns) == 1 else None
    return question.game.refuse(NOT_YOUR_TURN, verb=move.verb, amount=turn)


def missing_parts(question: PartialQuestion, movers: Sequence[Seat]) -> tuple[str, ...]:
    is_known = all(mover in question.hands for mover in movers)
    return (*(() if is_known else HANDS), *(TRICK if question.state is None else ()))


# ---------------------------------------------------------------------- whole positions


class PositionQuestion(NamedTuple):
    """A position and the seat that is asked about; the seat is None where the game waits for none."""

    game: AnyGame
    position: Position
    seat: Seat | None


MoveQuestion: TypeAlias = PositionQuestion | PartialQuestion


def list_moves(asked: MoveQuestion) -> tuple[list[Move], list[ExplainedMove]]:
    """List the legal moves of the seat in question, and those whose legality depends on unknown parts."""
    if isinstance(asked, PartialQuestion):
        plays = plays_of(asked)
        undecided = [play for play in plays if () in play.answers and len(play.answers) > 1]
        return [play.move for play in plays if play.answers == ((),)], undecided
    game, p, seat = asked
    return [] if seat is None else [*legal_moves(game, p, seat)], []


def explain_hand(asked: MoveQuestion) -> list[ExplainedMove]:
    """Validate every potential move of the seat in question; those of a dummy are moves of who controls it."""
    if isinstance(asked, PartialQuestion):
        return plays_of(asked)
    game, p, seat = asked
    if seat is None:
        return []
    person = game.controller(seat)
    moves = [move for move in dict.fromkeys(game.potential_moves(p, person)) if seat in (person, move.seat)]
    return [ExplainedMove(move, (validate_move(game, p, person, move),)) for move in moves]


def unknown_parts(asked: MoveQuestion) -> tuple[str, ...]:
    return missing_parts(asked, asked.movers) if isinstance(asked, PartialQuestion) else ()


def validate(asked: MoveQuestion, move: Move) -> ExplainedMove:
    if isinstance(asked, PartialQuestion):
        return validate_play(asked, move)
    refusals = validate_move(asked.game, asked.position, CHANCE if asked.seat is None else asked.seat, move)
    return ExplainedMove(move, (refusals,))


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
