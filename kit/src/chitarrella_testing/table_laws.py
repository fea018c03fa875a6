"""Laws of positions: cards are conserved, deals end, points add up, and rules are the same for every seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container
from itertools import product
from random import Random

from chitarrella.bots import BOTS
from chitarrella.bots.information_state import InformationState
from chitarrella.bots.search import Effort
from chitarrella.catalogue.record import Record, format_record, parse_record
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.game import (
    NO_TRUMP_CARD,
    AnyGame,
    Position,
    TrickRules,
    legal_moves,
    play,
    replay,
    seat_to_move,
    turn_order,
    validate_move,
)
from chitarrella.core.model import CHANCE, REFEREE, Event, Money, Move, Seat
from chitarrella.core.notation import format_move, parse_move
from chitarrella.core.options import InvalidOption
from chitarrella.core.visibility import view_for
from chitarrella.questions import (
    PartialPosition,
    PartialQuestion,
    PartialTrick,
    list_moves,
    read_partial_question,
    validate_play,
)
from chitarrella_testing.secrecy_laws import Trace, hidden_places, redealt, traces
from chitarrella_testing.walks import BOUND, Walk

DRAWN, FIRST = "draw_dealer", "first_dealer"
"""The move that draws the first dealer by lot, and the option that names him."""


def conservation(walk: Walk, rng: Random) -> None:
    """In every position each card of the pack is in exactly one zone, and every viewer counts the same number."""
    game = walk.game
    for p in walk.positions:
        zones = list(game.zones(p))
        assert Counter(game.pack.cards) == Counter(card for zone in zones for card in zone.cards)
        viewer = rng.choice((None, REFEREE, *range(game.seats)))
        assert len(game.pack.cards) == sum(zone.size for zone in view_for(game, p, viewer).zones)


def progress(walk: Walk, rng: Random) -> None:
    """During a deal the seat to move has a legal move other than those out of turn, and the deal ends."""
    game = walk.game
    for p in walk.positions:
        turn = game.turn(p)
        assert (turn is None) == game.is_finished(p) == (game.outcome(p) is not None)
        if turn is not None and turn != CHANCE:
            moves = legal_moves(game, p, game.controller(turn))
            assert any(not game.move_specs[move.verb].out_of_turn for move in moves)
    long = since = 0
    for step in walk.steps:
        since = 0 if step.actor == CHANCE else since + 1
        long = max(long, since)
    assert long < BOUND
    assert game.turn(walk.positions[-1]) in (CHANCE, None)
    for step in walk.steps:
        if game.is_finished(step.before):  # only chance can move: it starts the next game
            assert game.move_specs[step.move.verb].out_of_turn
            assert step.actor == CHANCE
            assert game.is_finished(step.after)
            assert game.outcome(step.before) == game.outcome(step.after)


def columns(walk: Walk, rng: Random) -> None:
    """Points and scores have one number for each seat, and the winners are seats."""
    game = walk.game
    for p in walk.positions:
        assert game.seats == len(game.points(p)) == len(game.scores(p))
        assert set(game.outcome(p) or ()) <= set(range(game.seats))


def totals(walk: Walk, rng: Random) -> None:
    """At the end of a deal the points of all seats add up to the total that the rule book states."""
    for p in ends_of_deals(walk):
        for count, total in walk.expected.totals.get(walk.rule_set.game, {}).items():
            counted = [fact.value for fact in walk.game.facts(p) if fact.name == count]
            assert total == sum(value for value in counted if isinstance(value, int))


def ends_of_deals(walk: Walk) -> list[Position]:
    """The positions at the end of deals that were scored; a void deal is not."""
    game = walk.game
    over = [step for step in walk.steps if step.actor != CHANCE and game.turn(step.after) in (CHANCE, None)]
    return [step.after for step in over if not any(event.kind == "deal_voided" for event in step.events)]


def purity(walk: Walk, rng: Random) -> None:
    """Playing a move does not change the position, and the same move gives the same result again."""
    game = walk.game
    for step in walk.steps:
        before = game.encode(step.before), hash(step.before)
        after, events = play(game, step.before, step.actor, step.move)
        assert step.after == after
        assert step.events == events
        assert hash(step.after) == hash(after)
        assert before == (game.encode(step.before), hash(step.before))


def rotation(walk: Walk, rng: Random) -> None:
    """If all players, the first dealer too, move one seat on, the result moves with them."""
    drawn = next((move.amount for _, move in walk.moves if move.verb == DRAWN), None)
    if (pair := rotated(walk.catalogue, walk.rule_set, drawn)) is None:
        return
    first, second = pair
    moves = [(actor, move) for actor, move in walk.moves if move.verb != DRAWN]
    p, q = first.start(), second.start()
    for actor, move in moves:
        p, _ = play(first, p, actor, move)
        q, _ = play(second, q, _next(first, actor), _rotated_move(first, move))
        assert _turned(first.points(p)) == second.points(q)
    assert _turned(first.scores(p)) == second.scores(q)
    assert next_seat(first, first.turn(p)) == second.turn(q)
    winners = first.outcome(p)
    assert (None if winners is None else {_next(first, seat) for seat in winners}) == second.outcome(q)


def rotated(catalogue: Catalogue, rule_set: RuleSet, drawn: Seat | None) -> tuple[AnyGame, AnyGame] | None:
    """Two games that differ in the first dealer alone, ``drawn`` or agreed: one seat on in the second.

    None without that symmetry: if a seat is a dummy, or the first dealer is not known.
    """
    chosen = dict(rule_set.options)
    game = catalogue.game_for(rule_set)
    said = {option.name: chosen.get(option.name, option.default) for option in game.entry.options}.get(FIRST, "")
    if any(game.controller(seat) != seat for seat in range(game.seats)) or (drawn is None and not said.isdecimal()):
        return None
    dealer = int(said) if drawn is None else drawn
    pair = []
    for place in (dealer, (dealer + 1) % game.seats):
        options = tuple(sorted({**chosen, FIRST: str(place)}.items()))
        try:
            pair.append(catalogue.game_for(rule_set._replace(options=options)))
        except InvalidOption:
            return None
    return pair[0], pair[1]


def next_seat(game: AnyGame, seat: Seat | None) -> Seat | None:
    """The seat after ``seat``; None stays None."""
    return None if seat is None else _next(game, seat)


def _next(game: AnyGame, seat: Seat) -> Seat:
    return seat if seat < 0 else (seat + 1) % game.seats


def _rotated_move(game: AnyGame, move: Move) -> Move:
    shares = tuple((str((int(who) + 1) % game.seats) if who.isdecimal() else who, n) for who, n in move.shares)
    return move._replace(seat=next_seat(game, move.seat), shares=shares)


def _turned(row: tuple[int, ...]) -> tuple[int, ...]:
    return (row[-1], *row[:-1])


TABLE_LAWS = (conservation, progress, columns, totals, purity, rotation)  # cards, deals and scores of a table

QUICK = Effort(None, 3)  # three playouts and no clock, so that the choice is reproducible


def determinization(walk: Walk, rng: Random) -> None:
    """A determinization has the seat's view and legal moves, holds every card once, and can be played to the end."""
    game = walk.game
    for at in walk.sample(rng):
        p = walk.positions[at]
        some = rng.randrange(game.seats)
        for seat in {some, some if (actor := seat_to_move(game, p)) is None else actor}:
            q = InformationState(game, p, seat).sample(rng)
            assert view_for(game, p, seat) == view_for(game, q, seat)
            assert legal_moves(game, p, seat) == legal_moves(game, q, seat)
            assert Counter(game.pack.cards) == Counter(card for zone in game.zones(q) for card in zone.cards)
            assert q == game.decode(game.encode(q))
            plays_out(game, q, rng)


def plays_out(game: AnyGame, p: Position, rng: Random) -> None:
    """Play legal moves until the deal is over."""
    for _ in range(BOUND):
        if (actor := seat_to_move(game, p)) is None:
            return
        p, _ = play(game, p, actor, rng.choice(legal_moves(game, p, actor)))
    raise AssertionError("the deal does not end")


def bot_secrecy(walk: Walk, rng: Random) -> None:
    """With the hidden cards dealt otherwise, a bot with the same seed has the same determinization and move."""
    for trace in traces(walk, walk.sample(rng)):
        if (seat := seat_to_move(walk.game, trace.positions[-1])) is None:
            continue
        hidden = hidden_places(trace, seat)
        if len({trace.pack[place] for place in hidden}) > 1 and (other := redealt(trace, hidden, rng)):
            _compare(trace, other, seat, str(rng.random()))


def _compare(trace: Trace, other: Trace, seat: Seat, seed: str) -> None:
    """Compare the determinizations and the moves of every bot in two deals, with the same seed."""
    game = trace.game
    here, there = (InformationState(game, each.positions[-1], seat) for each in (trace, other))
    assert here.sample(Random(seed)) == there.sample(Random(seed))
    for make in dict.fromkeys(BOTS.values()):
        bot = make(game, QUICK)
        move = bot(here, Random(seed))
        assert move in here.moves
        assert move == bot(there, Random(seed))


def avoided_loss(walk: Walk, rng: Random) -> None:
    """No bot makes a move that loses the match at once, as far as its seat can know, where another does not."""
    game = walk.game
    last = [len(walk.steps) - 1] if walk.steps and game.is_finished(walk.positions[-1]) else []
    for at in [*walk.sample(rng), *last]:
        if (seat := seat_to_move(game, walk.positions[at])) is None:
            continue
        state = InformationState(game, walk.positions[at], seat)
        losing = {move for move in state.moves if state.loses(move)}
        if losing and len(losing) < len(state.moves):
            for make in dict.fromkeys(BOTS.values()):
                assert make(game, QUICK)(state, rng) not in losing


BOT_LAWS = (determinization, bot_secrecy, avoided_loss)  # what bots see and choose

MOST_MONEY = 2**53 - 1  # the largest integer that every client represents exactly


def money(walk: Walk, rng: Random) -> None:
    """The pool and the net winnings of all persons sum to zero in every position, and change as the events say.

    The pool is paid out at the end, and not before.
    """
    game = walk.game
    at_first = pool_of(game, game.start())
    for p in walk.positions:
        if (pool := pool_of(game, p)) is None:
            return
        book = book_of(game, p)
        assert pool + sum(book.values()) == 0
        assert 0 <= pool <= MOST_MONEY
        assert all(type(amount) is int for amount in book.values())
        assert pool == 0 if game.is_finished(p) else pool >= (at_first or 0)
    for step in walk.steps:
        before, after = book_of(game, step.before), book_of(game, step.after)
        moved = {person: amount - before.get(person, 0) for person, amount in after.items()}
        assert before.keys() <= after.keys()
        assert {person: amount for person, amount in moved.items() if amount} == events_of(step.events)


def tokens(walk: Walk, rng: Random) -> None:
    """Tokens change as the events say; new ones come from re-entry only, and no seat becomes a virgin."""
    game = walk.game
    if not any(fact.name == "tokens" for fact in game.facts(walk.positions[0])):
        return
    for step in walk.steps:
        held = list(game.scores(step.before))
        for event in step.events:
            if event.kind in ("token_lost", "token_gained") and event.seat is not None:
                held[event.seat] += 1 if event.kind == "token_gained" else -1
            elif event.kind == "reentered" and event.seat is not None:
                assert held[event.seat] == 0
                held[event.seat] = game.start().match_state.tokens[0]
            elif event.kind == "card_revealed" and event.seat is not None:
                assert held[event.seat] > 0, "a dead card is not turned up"
            elif event.kind == "all_reentered":
                assert not any(held)
                held = [game.start().match_state.tokens[0]] * game.seats
        assert held == list(game.scores(step.after))
        assert min(held) >= 0
        assert virgins(game, step.after) <= virgins(game, step.before)
        if game.is_finished(step.after):
            assert sum(number > 0 for number in held) == 1


def pool_of(game: AnyGame, p: Position) -> int | None:
    """The amount in the pool, None in a game without money."""
    return next((fact.value for fact in game.facts(p) if fact.name == "pool" and isinstance(fact.value, Money)), None)


def book_of(game: AnyGame, p: Position) -> dict[str, int]:
    """The net winnings by person."""
    return {
        person: amount
        for fact in game.facts(p)
        if fact.name == "net" and isinstance(fact.value, tuple)
        for person, amount in fact.value
    }


def virgins(game: AnyGame, p: Position) -> set[int | None]:
    """The seats that have never lost a token."""
    return {fact.seat for fact in game.facts(p) if fact.name == "virgin"}


def events_of(events: tuple[Event, ...]) -> dict[str, int]:
    """Sum the payments of events by person; zeros are dropped."""
    book: dict[str, int] = {}
    for event in events:
        if event.kind == "paid":
            assert event.amount is not None
            payments = [(str(event.seat), -event.amount), (str(event.other), event.amount)]
        elif event.kind in ("fee_paid", "pool_won"):
            assert event.amount is not None
            payments = [(str(event.seat), event.amount if event.kind == "pool_won" else -event.amount)]
        elif event.kind in ("reentered", "prize_paid"):
            sign = 1 if event.kind == "prize_paid" else -1
            payments = [(person, sign * amount) for person, amount in event.shares]
        else:
            continue
        for person, amount in payments:
            book[person] = book.get(person, 0) + amount
    return {person: amount for person, amount in book.items() if amount}


MONEY_LAWS = (money, tokens)  # what is paid and owned


def notation(walk: Walk, rng: Random) -> None:
    """Every candidate move is written as one line that parses to the same move."""
    game = walk.game
    for step in walk.steps:
        assert step.move == parse_move(game, format_move(step.move))
        for actor in range(game.seats):
            for move in game.candidates(step.before, actor):
                assert move == parse_move(game, format_move(move))


def round_trip(walk: Walk, rng: Random) -> None:
    """Every position is one line of text that decodes to the same position."""
    for p in walk.positions:
        line = walk.game.encode(p)
        assert [line] == line.splitlines()
        assert p == walk.game.decode(line)


def replaying(walk: Walk, rng: Random) -> None:
    """Replaying the moves of a match, from the start or from any position, leads to the same position."""
    last = walk.positions[-1]
    assert last == replay(walk.game, walk.moves)
    for at in walk.sample(rng):
        assert last == replay(walk.game, walk.moves[at:], walk.positions[at])


def recording(walk: Walk, rng: Random) -> None:
    """A record, with or without comments, parses to what was written, and its replay ends in the same position."""
    catalogue = walk.catalogue
    rule_set = catalogue.normalize(walk.rule_set)
    whole = Record(rule_set, "", walk.moves)
    at = rng.randrange(len(walk.moves) + 1)
    rest = Record(rule_set, walk.game.encode(walk.positions[at]), walk.moves[at:])
    for record, comments in walk.some(tuple(product((whole, rest), (True, False))), rng):
        text = format_record(catalogue, record, comments=comments)
        again = parse_record(catalogue, text)
        assert record == again
        start = walk.game.decode(again.position) if again.position else None
        assert walk.positions[-1] == replay(catalogue.game_for(again.rule_set), again.moves, start)


NOTATION_LAWS = (notation, round_trip, replaying, recording)  # what is written is read again

PARTS = ("hands", "leader", "declared_suit", "trump", "trump_card", "stock_size", "dealt_in")
"""The parts of a position that a question can leave out."""
WAITS = "faced_card_waits"  # the reason against a card that lies apart from its hand
MOST_PLAYS = 12  # how many plays of a hand are compared: several cards at once can be played in hundreds of ways


def partial_positions(walk: Walk, rng: Random) -> None:
    """Whatever parts of a position a question leaves out, its answer is that of the whole one, or names such a part."""
    game = walk.game
    for p in walk.positions if game.trick_rules else ():
        turn = game.turn(p)
        if turn is None or turn == CHANCE or not is_play(game, p):
            continue
        left_out = set(rng.sample(PARTS, rng.randrange(len(PARTS) + 1)))
        # without the leader, whoever is asked about is to play
        seat = game.controller(turn if "leader" in left_out else rng.choice([turn, rng.randrange(game.seats)]))
        question = read_partial_question(game, known_of(game, p, seat, left_out, rng), seat)
        apart = waiting(game, p)
        moves, legal = (
            [move for move in found if move.verb in rules_of(game).verbs(p.trick) and apart.isdisjoint(move.cards)]
            for found in (game.potential_moves(p, seat), game.legal_moves(p, seat))
        )
        for move in rng.sample(moves, min(MOST_PLAYS, len(moves))):
            check_answer(game, p, question, move, left_out)
        if set(question.movers) <= question.hands.keys():
            listed, undecided = list_moves(question)
            assert set(listed) <= set(legal) <= {*listed, *(one.move for one in undecided)}


def rules_of(game: AnyGame) -> TrickRules:
    """The rules of a trick, of a game that is played in tricks."""
    assert game.trick_rules is not None
    return game.trick_rules


def waiting(game: AnyGame, p: Position) -> set[Card]:
    """What the seat on turn holds and lies apart until it may be played: a partial position has it in no hand."""
    if not any(reason.code == WAITS for reason in game.reasons) or (turn := seat_to_move(game, p)) is None:
        return set()
    plays = [move for move in game.potential_moves(p, turn) if move.verb in rules_of(game).verbs(p.trick)]
    refused = {move: [refusal.code for refusal in validate_move(game, p, turn, move)] for move in plays}
    return {card for move, codes in refused.items() if WAITS in codes for card in move.cards}


def is_play(game: AnyGame, p: Position) -> bool:
    """Whether cards are played to a trick in this phase."""
    return any(game.is_in_phase(p, verb) for verb in rules_of(game).verbs(p.trick))


def known_of(game: AnyGame, p: Position, seat: Seat, left_out: Container[str], rng: Random) -> PartialPosition:
    """What ``seat`` knows of a position without some of its parts; perhaps it knows hands of others."""
    own, apart = "hands" not in left_out, waiting(game, p)
    hands = [one for one in range(game.seats) if (own if game.controller(one) == seat else rng.random() < 0.5)]
    trick = PartialTrick(
        p.trick,
        None if "leader" in left_out else p.leader,
        None if "declared_suit" in left_out else p.own.declared if rules_of(game).has_trump_card else "",
    )
    turn_up = p.turn_up if rules_of(game).has_trump_card else None
    return PartialPosition(
        [(one, tuple(card for card in p.hands[one] if card not in apart)) for one in hands],
        trick,
        None if "trump" in left_out else p.trump,
        None if "trump_card" in left_out else turn_up or NO_TRUMP_CARD,
        None if "stock_size" in left_out else len(p.stock),
        None if "dealt_in" in left_out else turn_order(view_for(game, p, REFEREE), game.seats, p.leader),
    )


def check_answer(game: AnyGame, p: Position, question: PartialQuestion, move: Move, left_out: Collection[str]) -> None:
    """A decided answer is that of the whole position; an undecided one holds it among others, and names parts."""
    whole = validate_move(game, p, question.seat, move)
    found = validate_play(question, move)
    unknown = {"tricks", *left_out}  # earlier tricks are not part of a partial position
    assert unknown.issuperset(part.removeprefix("trick.") for part in found.depends_on), (found, left_out)
    if not found.answers:
        assert found.depends_on == ("hands",)
    elif question.depends_on:  # then it is not known for whom the table waits
        assert [one.code for one in whole] in [[one.code for one in answer] for answer in found.answers]
    else:
        assert whole in found.answers
        assert bool(found.depends_on) == (len(found.answers) > 1)


PARTIAL_LAWS = (partial_positions,)  # answers about a partial position
