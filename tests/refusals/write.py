"""Choose the refusal cases anew and write them: ``python -m tests.refusals.write``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from random import Random
from typing import NamedTuple, TypeAlias

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, actors, validate_move
from chitarrella.core.model import CHANCE, Move, Seat
from chitarrella.core.notation import CHANCE_NAME, InvalidPosition, MalformedMove, format_move, make_move, parse_move
from chitarrella.testing.exchange_expectations import EXCHANGE_SHARE_MOVES
from chitarrella.testing.laws.legality import invalid_packs
from chitarrella.testing.share_moves import illegal_share_moves
from tests.games.test_refusals import ROWS, staged
from tests.refusals.cases import ALLOWED, FOLDER, Asked, Scene, answer, cited, written
from tests.vectors.searching import chosen_games, everywhere
from tests.walks import CATALOGUE, universe, walk

WALKS, POSITIONS = 3, 24
"""Random matches of a rule set, and the positions of each that are looked at."""
KEPT = 2
"""Cases kept of one kind."""

Kind: TypeAlias = tuple[str, ...]


class Found(NamedTuple):
    """A case, with its kind: players, phase, verb, the clauses against it; or an option that changes the answer."""

    kind: Kind
    rule_set: RuleSet
    position: str
    asked: Asked

    @property
    def size(self) -> tuple[int, int, str]:
        """The shorter the better."""
        return len(self.position), len(self.asked.move), self.position


def main() -> int:
    """Write the files of the games that the command line names, or of all."""
    keys = chosen_games(__doc__)
    total = 0
    found = [*everywhere(cases_of, keys), *staged_cases()]
    for key in keys:
        kept = chosen([case for case in found if case.rule_set.game == key])
        (FOLDER / f"{key}.txt").write_text(written(key, scenes(kept)), encoding="utf-8")
        total += len(kept)
    print(f"{total} refusal cases")
    return 0


def chosen(found: list[Found]) -> list[Found]:
    """Keep the shortest cases of each kind."""
    of: dict[Kind, list[Found]] = {}
    for case in dict.fromkeys(found):
        of.setdefault(case.kind, []).append(case)
    kept = [case for cases in of.values() for case in sorted(cases, key=lambda case: case.size)[:KEPT]]
    return sorted(kept, key=lambda case: (case.rule_set, case.position, case.asked))


def scenes(found: list[Found]) -> Iterator[Scene]:
    """Put together what is asked in one position."""
    for (rule_set, position), cases in groupby(found, key=lambda case: (case.rule_set, case.position)):
        yield Scene(rule_set, position, tuple(dict.fromkeys(case.asked for case in cases)))


def cases_of(rule_set: RuleSet) -> list[Found]:
    """Look for cases of a rule set, and keep the shortest ones."""
    found: list[Found] = []
    for number in range(WALKS):
        match = walk(rule_set, f"refusals {number}", deals=2)
        rng = Random(f"{rule_set} {number}")
        positions = match.positions
        for p in (*rng.sample(positions, min(POSITIONS, len(positions))), positions[-1]):
            found += looked_at(match.game, rule_set, p, rng)
        found = chosen(found)
    return found


def looked_at(game: AnyGame, rule_set: RuleSet, p: Position, rng: Random) -> Iterator[Found]:
    """The refusals of candidate moves, legal or not, in a position."""
    line = game.encode(p)
    for actor, move in candidate_moves(game, p, rng):
        try:
            if parse_move(game, format_move(move)) != move:
                continue
        except MalformedMove:
            continue
        asked = Asked(actor, format_move(move), answer(game, p, actor, move))
        if validate_move(game, p, actor, move):
            kind = (str(game.seats), game.phase(p), move.verb, *("/".join(cited(one)) for one in asked.answer))
            yield Found(kind, rule_set, line, asked)
        if rule_set.options:
            yield from compared(rule_set, line, asked, (game.phase(p), move.verb))


def compared(rule_set: RuleSet, position: str, asked: Asked, about: Kind) -> Iterator[Found]:
    """Where the answer is another one without the option, give both."""
    usual = rule_set._replace(options=())
    game = CATALOGUE.game_for(usual)
    try:
        p = game.decode(position)
        otherwise = answer(game, p, asked.actor, parse_move(game, asked.move))
    except (InvalidPosition, MalformedMove):
        return
    if otherwise != asked.answer:
        codes = (line if line == ALLOWED else cited(line)[0] for line in (*asked.answer, *otherwise))
        kind = (*rule_set.options[0], *about, *codes)
        yield Found(kind, rule_set, position, asked)
        yield Found((*kind, "without"), usual, position, asked._replace(answer=otherwise))


def candidate_moves(game: AnyGame, p: Position, rng: Random) -> Iterator[tuple[Seat, Move]]:
    """What might be said: by a person at the table what can be done and what cannot; packs that nobody may deal."""
    seats = [seat for seat in range(game.seats) if seat in actors(game, p)] or [0]
    others = rng.sample(range(game.seats), min(2, game.seats))
    for actor in dict.fromkeys((*seats[:2], *others)):
        moves = [*game.potential_moves(p, actor), *universe(game, rng, 12)]
        shared = {move.verb for move in game.candidates(p, actor) if game.move_specs[move.verb].shares}
        for verb in sorted(shared):
            moves += illegal_share_moves(EXCHANGE_SHARE_MOVES, game, p, actor, verb, rng)
        yield from ((actor, move) for move in moves)
    for spec in game.move_specs.values():
        if not spec.by_chance:
            continue
        packs = invalid_packs(game, rng) if spec.cards[1] else [()]
        amounts = [None] if spec.amounts is None else [spec.amounts.start, spec.amounts.stop - 1]
        yield from (
            (who, make_move(game, spec.verb, pack, amount=amount))
            for who in (CHANCE, 0)
            for pack in packs
            for amount in amounts
        )
        if spec.shares and game.phase(p) in spec.phases:
            wrong = illegal_share_moves(EXCHANGE_SHARE_MOVES, game, p, CHANCE, spec.verb, rng)
            yield from ((CHANCE, move) for move in wrong)


def staged_cases() -> list[Found]:
    """The scenes in which every reason code is provoked."""
    found = []
    for row in ROWS:
        match = staged(row)
        actor = CHANCE if row.by == CHANCE_NAME else int(row.by)
        move = parse_move(match.game, row.move.replace("PACK", " ".join(match.game.pack.cards)))
        players, *options = row.agreed.split()
        agreed = tuple(sorted((name, value) for name, _, value in (option.partition("=") for option in options)))
        asked = Asked(actor, format_move(move), answer(match.game, match.p, actor, move))
        kind = ("staged", match.game.phase(match.p), move.verb, *("/".join(cited(one)) for one in asked.answer))
        found.append(Found(kind, RuleSet(row.game, int(players), agreed), match.game.encode(match.p), asked))
    return found


if __name__ == "__main__":
    sys.exit(main())
