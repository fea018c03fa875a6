"""The transcript of random deals: everything that a caller of the engine can observe, as lines of text.

The same engine writes the same transcript for a rule set and a seed, on every version of Python: choices are made with
`Random.random`, whose numbers Python guarantees. Every line begins with the sign of what it holds:

- ``>`` a move that was played, with its actor; ``!`` each of its events with its audience; ``#`` the position after it
- ``=`` the legal moves of a seat, in order; ``?`` the refusals of a move; ``:`` the result of a deal
- ``<`` a position in detail: the view of every seat, of the public and of the referee, and what else a game answers
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import TypeVar

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, default_move, legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, EVERYBODY, REFEREE, Event, Move, Refusal, Visibility
from chitarrella.core.notation import format_move, make_move
from chitarrella.core.visibility import view_for
from chitarrella.tricks.heuristic import OTHER
from chitarrella_testing.exchange_expectations import EXCHANGE_SHARE_MOVES
from chitarrella_testing.expectations import legal_share_moves, next_games
from tests.walks import BOUND, CATALOGUE, accepted, name, universe

T = TypeVar("T")

CACHED = 1 << 14  # texts of moves, events and refusals that are kept, because making them takes longer than playing
MATCH_DEALS = 25  # a match is left unfinished after so many deals on average
EVERY = 128  # a position is described in detail once in so many moves on average
OF_ALL_SEATS = 16  # the moves of all seats are listed, and one of them is played, once in so many moves
REFUSED = 12  # moves that may be illegal are tried once in so many moves, `TRIED` from each source
TRIED = 3
PENALIZED = 12  # where moves are accepted at a penalty, they are among those to choose from once in so many moves
UNIVERSE = 240  # about so many moves of a game are tried, whatever the position

# Since the digests were written, some refusals cite another clause. These are the clauses that they cited then, by game
# and reason, and for some verbs.
CITED = {
    (game, reason, verb): cited
    for game, reason, *found in (
        line.split()
        for line in """
bisca-brazil not_in_hand BB-5.2
bisca-brazil not_your_turn BB-5.3 cut_stock:BB-5.1
bisca-guyana not_in_hand BG-5.3
bisca-guyana not_your_turn BG-5.4 cut_stock:BG-5.2
bohemian-schneider not_your_turn SN-5.3
brisca not_in_hand BS-5.2 exchange_turn_up:BS-5.4 signal:BS-5.6
brisca not_your_turn BS-5.3
briscola not_your_turn BR-5.3
briscola-chiamata not_in_hand BC-5.9
briscola-chiamata not_your_turn BC-5.11
briscolone not_your_turn BN-5.3
brusquembille not_your_turn BQ-5.3 exchange_turn_up:BQ-5.4
coteccio not_in_hand CC-10
coteccio not_your_turn CC-13
cuccu-a-trionfo not_in_hand CT-22 discard:CT-20
cuccu-a-trionfo not_your_turn CT-22 cut:CT-9 discard:CT-20 rob_leave:CT-11 rob_look:CT-11 rob_pass:CT-11 rob_take:CT-11
cucu wrong_shares CU-104
elfern not_in_hand EL-5.2
elfern not_your_turn EL-5.3
harjan not_in_hand HA-5.2 follow_cards:HA-5.3
harjan not_your_turn HA-5.6
hundredogen not_your_turn HU-5.3
lu-stu wrong_shares LS-104
madrasso not_in_hand MA-5.3 exchange_turn_up:MA-5.2
madrasso not_your_turn MA-5.10
zifuli bad_dealer ZI-1
zifuli not_in_hand ZI-20 call_card:ZI-9
zifuli not_your_turn ZI-22
""".splitlines()
        if line
    )
    for verb, _, cited in (one.rpartition(":") for one in found)
}

# Since then some kinds of events have other names. These are the names that they had, of all games or of some.
EXCHANGE = ("cucu", "lu-stu")
KINDS = {
    (games, now): before
    for games, pairs in (
        ((), "sudden_death_won:sudden_death capotto_made:capotto deal_voided:deal_void"),
        (("coteccio",), "eliminated:died"),
        (
            EXCHANGE,
            "dealt:deal swapped:swap card_shown:show horse_jumped:jump swap_undone:undo swap_reversed:reverse "
            "card_replaced:draw inn_announced:announce guaranteed:guarantee offered:offer paid:pay promised:promise "
            "card_revealed:showdown token_gained:gain token_lost:lose last_token_lost:dead reentered:reenter "
            "all_reentered:free_reentry dealer_set:next_dealer proposed:proposal agreed:agreement prize_paid:prize "
            "next_game_seated:next_game",
        ),
    )
    for now, before in (pair.split(":") for pair in pairs.split())
}


class Transcript:
    """Plays deals of a rule set at random and yields the lines of their transcript."""

    def __init__(self, rule_set: RuleSet, seed: str) -> None:
        self._game: AnyGame = CATALOGUE.game_for(rule_set)
        self._name = name(rule_set)
        self._rng = Random(f"{self._name} {seed}")
        self._random = self._rng.random
        self._universe = list(universe(self._game, self._rng, most=40))[:UNIVERSE]
        self._has_penalties = any(reason.penalty for reason in self._game.reasons)
        self._shares = {verb for verb, spec in self._game.move_specs.items() if spec.shares}

    def _one_in(self, number: int) -> bool:
        return self._random() * number < 1

    def _choose(self, things: Sequence[T]) -> T:
        return things[int(self._random() * len(things))]

    def lines(self, deals: int) -> Iterator[str]:
        """Yield the lines of the next ``deals`` deals: matches one after the other, not all of them to their end."""
        game, p, dealt, since = self._game, self._game.start(), 0, 0
        yield f"# {game.encode(p)}"
        while True:
            turn = game.turn(p)
            starts = turn == CHANCE and game.chance_request(p).verb == "start_deal"
            if turn is None or (starts and since):
                yield self._result(p)
                yield from self._next_game(p)
                if dealt == deals:
                    return
                if turn is None or self._one_in(MATCH_DEALS):
                    p, since = game.start(), 0
                    yield f"# {game.encode(p)}"
                    continue
            if starts:
                dealt, since = dealt + 1, 0
            if turn == CHANCE:
                actor, move = CHANCE, self._chance(p)
            else:
                yield from self._listed(p)
                actor, move = self._chosen
            if self._one_in(REFUSED):
                yield from self._refusals(p)
            p, events = play(game, p, actor, move)
            since += 1
            assert since < BOUND, f"{self._name}: the deal does not end"
            yield f"> {actor} {move_text(move)}"
            # The digests were written before what the last trick counts was an event.
            yield from (event_text(event, game.key) for event in events if event.word != "last_trick")
            yield f"# {game.encode(p)}"
            if self._one_in(EVERY):
                yield from details(game, p)

    def _chance(self, p: Position) -> Move:
        """Choose the move of chance: the cards in random order, or one of the lots."""
        request = self._game.chance_request(p)
        if not request.cards:
            return make_move(self._game, request.verb, amount=self._choose(request.amounts))
        return Move(request.verb, tuple(sorted(request.cards, key=lambda card: self._random())))

    def _listed(self, p: Position) -> Iterator[str]:
        """Yield the legal moves of the seat on turn, or of all seats, and choose one of them."""
        game = self._game
        turn = game.turn(p)
        assert turn is not None
        actor = game.controller(turn)
        everybody = self._one_in(OF_ALL_SEATS)
        choices = []
        for seat in range(game.seats) if everybody else (actor,):
            moves = legal_moves(game, p, seat)
            yield f"= {seat} {'|'.join(map(move_text, moves))}"
            choices += [(seat, move) for move in moves]
        if self._has_penalties and self._one_in(PENALIZED):
            choices = [(actor, move) for move in accepted(game, p, actor)]
        actor, move = self._choose(choices)
        if move.verb in self._shares:  # the list has the plainest shares only
            move = self._choose(legal_share_moves(EXCHANGE_SHARE_MOVES, game, p, actor, move.verb, self._rng))
        self._chosen = actor, move

    def _refusals(self, p: Position) -> Iterator[str]:
        """Yield the refusals of some moves that the game knows, and of some that the cards of a seat allow."""
        game = self._game
        for _ in range(TRIED):
            actor = int(self._random() * (game.seats + 1)) - 1  # `CHANCE` is the seat -1
            moves = [self._choose(self._universe)]
            if actor != CHANCE and (potential := list(game.potential_moves(p, actor))):
                moves.append(self._choose(potential))
            for move in moves:
                broken = validate_move(game, p, actor, move)
                refusals = "|".join(refusal_text(one, game.key, move.verb) for one in broken)
                yield f"? {actor} {move_text(move)}: {refusals}"

    def _next_game(self, p: Position) -> Iterator[str]:
        """Yield what follows if chance starts the next game, where it may."""
        if (moves := next_games(EXCHANGE_SHARE_MOVES, self._game, p, self._rng)) and self._one_in(2):
            move = self._choose(moves)
            after, events = play(self._game, p, CHANCE, move)
            yield f"> {CHANCE} {move_text(move)}"
            yield from (event_text(event, self._game.key) for event in events)
            yield f"# {self._game.encode(after)}"

    def _result(self, p: Position) -> str:
        game = self._game
        return f": {game.scores(p)} {game.points(p)} {seats_text(game.outcome(p))}"


# ---------------------------------------------------------------------- texts


@lru_cache(CACHED)
def move_text(move: Move) -> str:
    return format_move(move)


def seats_text(seats: Visibility | None) -> str:
    """Return a set of seats in order; ``all`` for `EVERYBODY` and for None."""
    return "all" if seats is None or seats is EVERYBODY else f"{{{' '.join(map(str, sorted(seats)))}}}"


@lru_cache(CACHED)
def event_text(event: Event, game: str) -> str:
    kind, seat, cards, word, amount, other, shares, known_to, seen_by, hidden = event
    kind = next((old for (games, now), old in KINDS.items() if now == kind and (not games or game in games)), kind)
    audience = f"{seats_text(known_to)} {seats_text(seen_by)}"
    return f"! {kind} {seat} [{' '.join(cards)}] {word} {amount} {other} {shares} {audience} {hidden}"


@lru_cache(CACHED)
def refusal_text(refusal: Refusal, game: str, verb: str) -> str:
    """Return a refusal with its reason, its clause and its particulars."""
    reason, clause, allowed, offending, word, amount = refusal
    cards = f"[{' '.join(allowed)}] [{' '.join(offending)}]"
    cited = CITED.get((game, reason.code, verb)) or CITED.get((game, reason.code, ""), clause.key)
    return f"{reason.code} {reason.penalty} {cited} {cards} {word} {amount}"


def details(game: AnyGame, p: Position) -> Iterator[str]:
    """Yield the views of a position, and all that a game answers about it beside them."""
    for viewer in (*range(game.seats), None, REFEREE):
        view = view_for(game, p, viewer)
        yield f"< {viewer} {view.phase} {view.turn} {view.scores} {seats_text(view.winners)}"
        for zone in view.zones:
            yield f"<  zone {zone.name} {zone.seat} [{' '.join(zone.cards)}] {zone.size} {zone.leader}"
        for fact in view.facts:
            kind = type(fact.value).__name__
            yield f"<  fact {fact.name} {kind} {fact.value} {fact.seat} {seats_text(fact.seen_by)}"
        for known in game.inferences(p, viewer):
            where = f"{known.zones} {known.seat} {known.many} {known.place}"
            yield f"<  inference {where} [{' '.join(sorted(known.cards))}]"
    yield f"< zones {' '.join(f'{zone.name} {seats_text(zone.seen_by)}' for zone in game.zones(p))}"
    yield f"< phases {' '.join(verb for verb in game.move_specs if game.is_in_phase(p, verb))}"
    yield f"< points {game.points(p)} {game.is_finished(p)} {game.decode(game.encode(p)) == p}"
    yield from _moves_in_detail(game, p)


def _moves_in_detail(game: AnyGame, p: Position) -> Iterator[str]:
    """Yield the candidates of every seat, and the default move and the heuristic values of the seat on turn."""
    for seat in range(game.seats):
        yield f"< candidates {seat} {joined(game.candidates(p, seat))}"
        yield f"< potential {seat} {joined(game.potential_moves(p, seat))}"
    turn = game.turn(p)
    if turn is None or turn == CHANCE:
        return
    moves = legal_moves(game, p, game.controller(turn))
    yield f"< default {move_text(default_move(game, p, game.controller(turn)))}"
    # What a heuristic does not know had the value of a move that brings nothing.
    yield f"< values {[value or (OTHER,) for value in game.move_values(p, turn, moves)]}"


def joined(moves: Iterable[Move]) -> str:
    return "|".join(map(move_text, moves))
