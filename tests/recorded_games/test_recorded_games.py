"""Recorded games: a wrong record is refused, and what other people played comes out the same by these rules."""

from typing import NamedTuple

import pytest

from chitarrella.catalogue.record import MAX_LENGTH, InvalidRecord, Proof, Record, format_record, parse_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import ITALIAN
from chitarrella.core.game import AnyGame, Position, legal_moves, play
from chitarrella.core.model import CHANCE, Event
from chitarrella.core.notation import InvalidPosition, PositionCodec, make_move, parse_move
from chitarrella_testing.perft import Case, InvalidCase, lay_out, over_every_pack
from chitarrella_testing.perft_files import read_case
from tests.recorded_games.cases import CourseCase, DealCase, DrawnTrick, State, course, deals
from tests.walks import CATALOGUE

PLAYED = "game coech\nplayers 4\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (" " * (MAX_LENGTH + 1), 0, f"a record has at most {MAX_LENGTH} characters"),
        (f"{PLAYED}players 4\n", 3, "'players' is said twice"),
        (f"{PLAYED}option first_dealer 1\noption first_dealer 2\n", 4, "'option first_dealer' is said twice"),
        (f"{PLAYED}signature a\n0 play_card LEO\n", 4, "nothing comes after the signature"),
        (f"{PLAYED}who are you\n", 3, "'who' begins neither a heading nor a move"),
        (f"{PLAYED}0 play_card LEO\ngame cucu\n", 4, "'game' begins neither a heading nor a move"),
        (f"{PLAYED}4 play_card LEO\n", 3, "there is no seat 4"),
        (f"{PLAYED}0 sing\n", 3, "sing"),
        (f"{PLAYED}0 play_card LEO\nresigned 4\n", 4, "there is no seat 4"),
        (f"{PLAYED}0 play_card LEO\nresigned\n", 4, "there is no seat"),
        (f"{PLAYED}0 play_card LEO\nresigned 1 at once\n", 4, "there is no seat 1 at once"),
        (f"{PLAYED}0 play_card LEO\ndecided 0 {'x' * 201}\n", 4, "a reason has at most 200 characters"),
        (f"{PLAYED}0 play_card LEO\ndecided 0 a%0Ab\n", 4, "no control characters"),
        (f"{PLAYED}shuffle 1 a\n", 3, "the proof of a shuffle is its number"),
        (f"{PLAYED}shuffle 1 a b c\n", 3, "the proof of a shuffle is its number"),
        ("game coech\nplayers four\n", 0, "players 'four' is no number"),
        ("game coech\nedition 1000000\n", 0, "edition '1000000' is no number"),
        ("game coech\nsandbox yes\n", 0, "sandbox 'yes' is neither true nor false"),
    ],
)
def test_a_bad_record_is_named_by_its_line(text: str, line: int, message: str) -> None:
    """The line counts from 1; 0 is the whole of it."""
    with pytest.raises(InvalidRecord) as wrong:
        parse_record(CATALOGUE, text)
    assert line == wrong.value.line
    assert str(wrong.value).startswith(f"line {line}: ")
    assert message in str(wrong.value)


def test_a_record_of_just_the_greatest_length_is_read() -> None:
    """One character less than too many, most of them blanks; a signature may be the last line, with blanks behind."""
    text = f"{PLAYED}signature x y"
    record = parse_record(CATALOGUE, text + "\n" * (MAX_LENGTH - len(text)))
    assert Record(RuleSet("coech", 4)) == record


def test_the_end_of_a_match_reads_back() -> None:
    """Who gave up, and what was decided, stand behind the moves."""
    text = f"{PLAYED}0 play_card LEO\nresigned 1\ndecided 0 absent\n"
    assert ("resigned 1", "decided 0 absent") == parse_record(CATALOGUE, text).endings


@pytest.mark.parametrize(
    "reason", ["x\u2028resigned 1", "a | b", "100 % b", "%20", "ends\u00a0", "è  so ", " 0,1", "\u3000", "🂡"]
)
def test_a_reason_reads_back_whole(reason: str) -> None:
    """No character of a reason ends its line or is lost, whoever has won, and a line may end as on Windows."""
    move = parse_record(CATALOGUE, f"{PLAYED}0 play_card LEO").moves
    for winners in ("decided 0,2", "decided "):
        endings = ("forfeited 1", f"{winners} {reason}")
        text = format_record(CATALOGUE, Record(RuleSet("coech", 4), "", move, endings=endings), comments=False)
        for one in (text, text.replace("\n", "\r\n")):
            assert endings == parse_record(CATALOGUE, one).endings


def test_proofs_read_back() -> None:
    """The proofs of shuffles stand behind the moves, the seeds of seats in any signs."""
    proofs = (Proof(1, "ab", "cd", ((0, "è: 50 %"), (3, ""))), Proof(2, "ef", "01"))
    record = Record(CATALOGUE.normalize(RuleSet("coech", 4)), proofs=proofs)
    text = format_record(CATALOGUE, record)
    assert text.endswith("\n\nshuffle 1 ab cd 0:%C3%A8%3A%2050%20%25 3:\nshuffle 2 ef 01\n")
    assert record == parse_record(CATALOGUE, text)


class Kept(NamedTuple):
    """A position of four fields, two of them records in records."""

    open: bool = False
    pair: tuple[int, bool] = (0, False)
    rows: tuple[tuple[int, ...], ...] = ()
    number: int = 0


class Odd(NamedTuple):
    """Nobody can write this down."""

    weight: float = 0.0


def test_a_position_says_which_field_is_wrong() -> None:
    """A truth is yes or no, a record has all its parts, a field stands once and is known, and there is an end to it."""
    codec: PositionCodec[Kept] = PositionCodec(Kept, ITALIAN)
    whole = Kept(True, (3, True), ((1, 2), (3,)), 7)
    assert whole == codec.decode(codec.encode(whole))
    assert Kept() == codec.decode("")
    for text, field, message in (
        ("open=maybe", "open", "'maybe' is neither yes nor no"),
        ("pair=3", "pair", "'3' should have 2 parts, joined by "),
        ("number=1 number=2", "number", "is given twice"),
        ("colour=red", "colour", "there is no such field in a position of this game"),
        (" " * 1_000_000, "", "a position has at most "),
    ):
        with pytest.raises(InvalidPosition) as wrong:
            codec.decode(text)
        assert field == wrong.value.field
        assert message in str(wrong.value)


def test_a_kind_of_value_that_has_no_notation_is_found_at_once() -> None:
    """A family whose position cannot be written down is not begun with."""
    with pytest.raises(TypeError, match="has no notation in a position"):
        PositionCodec(Odd, ITALIAN)


def test_a_perft_case_that_cannot_be_counted_says_why() -> None:
    """Several cases in place of one, a heading that there is not, a face of which one copy is missing."""
    head = "game coech\nplayers 4\nedition 1\n"
    laid = "pack stride 7\ndepth 1\n"
    case = head + laid
    assert Case(RuleSet("coech", 4), strides=(7,), depth=1)[1:] == read_case(case)[1:]
    for text, message in (
        (f"{head}\ncase a\n{laid}\ncase b\n{laid}", "several cases"),
        (f"{case}colour red\n", "there is no heading 'colour'"),
        ("players 4\ndepth 1\n", "a heading is missing or wrong"),
    ):
        with pytest.raises(InvalidCase, match=message):
            read_case(text)
    with pytest.raises(InvalidCase, match="among the first 5 cards there is one copy of a face without the other"):
        lay_out(CATALOGUE, Case(RuleSet("cucu", 2), strides=(3,), first=5))
    with pytest.raises(InvalidCase, match="a short pack is for a single deal"):
        lay_out(CATALOGUE, Case(RuleSet("cucu", 2), strides=(3, 7), first=5))


def test_sums_over_every_pack_stop_at_the_depth() -> None:
    """Of a deal of Cucù for two a count of one decision has two levels, and no leaf in the first."""
    game = CATALOGUE.game_for(RuleSet("cucu", 2))
    _, _, whole, _ = over_every_pack(game, game.start(), 1)
    assert [True, True] == [level.nodes > 0 for level in whole.levels]
    assert 0 == whole.levels[0].leaves


@pytest.mark.parametrize("case", deals(), ids=lambda case: case.id)
def test_a_recorded_deal_comes_out_as_it_did(case: DealCase) -> None:
    """Hands, trumps, tricks, draws, points and outcome of a recorded deal are those of these rules."""
    game = CATALOGUE.game_for(case.rule_set)
    p, _ = play(game, game.start(), CHANCE, make_move(game, "start_deal", case.pack))
    assert case.hands == tuple(frozenset(cards(game, p, "hand", seat)) for seat in (0, 1))
    assert case.stock == (*cards(game, p, "stock"), *cards(game, p, "turn_up"))
    assert case.trump == next((fact.value for fact in game.facts(p) if fact.name == "trump"), "")
    for trick in case.tricks:
        p = check_trick(game, p, trick)
    assert case.points == game.points(p)
    assert case.outcome in (None, case.points)
    assert case.winners == game.outcome(p)


def check_trick(game: AnyGame, p: Position, trick: DrawnTrick) -> Position:
    """Play a recorded trick: every card of the hand is legal, and the trick goes where it went."""
    before, expected = game.points(p), list[Event]()
    for place, card in enumerate(trick.cards):
        seat = (trick.lead + place) % 2
        assert seat == game.turn(p)
        assert set(cards(game, p, "hand", seat)) == {move.cards[0] for move in legal_moves(game, p, seat)}
        p, events = play(game, p, seat, parse_move(game, f"play_card {card}"))
        expected += events
    taken = [(event.seat, event.cards) for event in expected if event.kind == "trick_taken"]
    drawn = tuple((event.seat, event.cards[0]) for event in expected if event.kind == "card_drawn")
    assert [(trick.winner, trick.cards)] == taken
    assert trick.points == game.points(p)[trick.winner] - before[trick.winner]
    assert trick.draws == drawn
    return p


@pytest.mark.parametrize("case", course(), ids=lambda case: case.id)
def test_the_moves_of_the_course_lead_where_it_says(case: CourseCase) -> None:
    """From a state of the course its moves lead to its state, or to its winner with his points."""
    game = CATALOGUE.game_for(case.rule_set)
    p = game.decode(case.position)
    for seat, text in case.moves:
        p, _ = play(game, p, seat, parse_move(game, text))
    if case.state is not None:
        assert case.state == state(game, p)
    elif case.winner is None:
        assert game.points(p) == (60, 60)
        assert game.scores(p) == (0, 0)
    else:
        assert frozenset({case.winner}) == game.outcome(p)
        assert case.points == game.points(p)[case.winner]


def state(game: AnyGame, p: Position) -> State:
    """Write a position down as the course did."""
    turn = game.turn(p)
    assert turn is not None
    return State(
        turn,
        next(str(fact.value) for fact in game.facts(p) if fact.name == "trump"),
        (*cards(game, p, "stock"), *cards(game, p, "turn_up")),
        cards(game, p, "trick"),
        tuple(frozenset(cards(game, p, "hand", seat)) for seat in (0, 1)),
        tuple(cards(game, p, "taken", seat) for seat in (0, 1)),
    )


def cards(game: AnyGame, p: Position, zone: str, seat: int | None = None) -> tuple[str, ...]:
    return tuple(str(card) for z in game.zones(p) if (z.name, z.seat) == (zone, seat) for card in z.cards)


def test_all_records_are_played() -> None:
    """There are ten deals of Briscola, two of Briscolone, and a hundred cases of the course."""
    games = [case.rule_set.game for case in deals()]
    assert (10, 2) == (games.count("briscola"), games.count("briscolone"))
    assert len(course()) == 100
