"""Choose the refusal cases anew and write them: ``python -m tests.refusals.write``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from random import Random
from typing import NamedTuple, TypeAlias

from chitarrella.catalogue import Agreement
from chitarrella.game import AnyGame, Position, actors, judge
from chitarrella.notation import TABLE, MalformedMove, make_move, read_move, write_move
from chitarrella.sheet import BadPosition
from chitarrella.words import CHANCE, Move, Seat
from tests.games.test_refusals import ROWS, staged
from tests.kit import CATALOGUE, universe, walk
from tests.laws.legality import spoilt_packs
from tests.refusals.script import ALLOWED, FOLDER, Asked, Scene, answer, cited, written
from tests.sharing import forbidden
from tests.vectors.searching import everywhere

WALKS, POSITIONS = 3, 24
"""Random matches of a rule set, and the positions of each that are looked at."""
KEPT = 2
"""Cases kept of one kind."""

Kind: TypeAlias = tuple[str, ...]


class Found(NamedTuple):
    """A case, with its kind: players, phase, verb, the clauses against it; or an option that changes the answer."""

    kind: Kind
    agreement: Agreement
    position: str
    asked: Asked

    @property
    def size(self) -> tuple[int, int, str]:
        """The shorter the better."""
        return len(self.position), len(self.asked.move), self.position


def main() -> int:
    """Write the file of every game."""
    total = 0
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    found = [*everywhere(cases_of), *staged_cases()]
    for game in CATALOGUE:
        kept = chosen([case for case in found if case.agreement.game == game.key])
        (FOLDER / f"{game.key}.txt").write_text(written(game.key, scenes(kept)), encoding="utf-8")
        total += len(kept)
    print(f"{total} refusal cases")
    return 0


def chosen(found: list[Found]) -> list[Found]:
    """Keep the shortest cases of each kind."""
    of: dict[Kind, list[Found]] = {}
    for case in dict.fromkeys(found):
        of.setdefault(case.kind, []).append(case)
    kept = [case for cases in of.values() for case in sorted(cases, key=lambda case: case.size)[:KEPT]]
    return sorted(kept, key=lambda case: (case.agreement, case.position, case.asked))


def scenes(found: list[Found]) -> Iterator[Scene]:
    """Put together what is asked in one position."""
    for (agreement, position), cases in groupby(found, key=lambda case: (case.agreement, case.position)):
        yield Scene(agreement, position, tuple(dict.fromkeys(case.asked for case in cases)))


def cases_of(agreement: Agreement) -> list[Found]:
    """Look for cases of a rule set, and keep the shortest ones."""
    found: list[Found] = []
    for number in range(WALKS):
        match = walk(agreement, f"refusals {number}", deals=2)
        rng = Random(f"{agreement} {number}")
        positions = match.positions
        for p in (*rng.sample(positions, min(POSITIONS, len(positions))), positions[-1]):
            found += looked_at(match.game, agreement, p, rng)
        found = chosen(found)
    return found


def looked_at(game: AnyGame, agreement: Agreement, p: Position, rng: Random) -> Iterator[Found]:
    """Say all sorts of things in a position."""
    line = game.write(p)
    for actor, move in said(game, p, rng):
        try:
            if read_move(game, write_move(move)) != move:
                continue
        except MalformedMove:
            continue
        asked = Asked(actor, write_move(move), answer(game, p, actor, move))
        if judge(game, p, actor, move):
            kind = (str(game.seats), game.phase(p), move.verb, *("/".join(cited(one)) for one in asked.answer))
            yield Found(kind, agreement, line, asked)
        if agreement.options:
            yield from compared(agreement, line, asked, (game.phase(p), move.verb))


def compared(agreement: Agreement, position: str, asked: Asked, about: Kind) -> Iterator[Found]:
    """Where the answer is another one without the option, give both."""
    usual = agreement._replace(options=())
    game = CATALOGUE.seat(usual)
    try:
        p = game.read(position)
        otherwise = answer(game, p, asked.actor, read_move(game, asked.move))
    except (BadPosition, MalformedMove):
        return
    if otherwise != asked.answer:
        codes = (line if line == ALLOWED else cited(line)[0] for line in (*asked.answer, *otherwise))
        kind = (*agreement.options[0], *about, *codes)
        yield Found(kind, agreement, position, asked)
        yield Found((*kind, "without"), usual, position, asked._replace(answer=otherwise))


def said(game: AnyGame, p: Position, rng: Random) -> Iterator[tuple[Seat, Move]]:
    """What might be said: by a person at the table what can be done and what cannot; packs that nobody may deal."""
    seats = [seat for seat in range(game.seats) if seat in actors(game, p)] or [0]
    others = rng.sample(range(game.seats), min(2, game.seats))
    for actor in dict.fromkeys((*seats[:2], *others)):
        moves = [*game.reach(p, actor), *universe(game, rng, 12)]
        shared = {move.verb for move in game.candidates(p, actor) if game.forms[move.verb].shares}
        moves += [move for verb in sorted(shared) for move in forbidden(game, p, actor, verb, rng)]
        yield from ((actor, move) for move in moves)
    for form in game.forms.values():
        if not form.by_chance:
            continue
        packs = spoilt_packs(game, rng) if form.cards[1] else [()]
        amounts = [None] if form.amounts is None else [form.amounts.start, form.amounts.stop - 1]
        yield from (
            (who, make_move(game, form.verb, pack, amount=amount))
            for who in (CHANCE, 0)
            for pack in packs
            for amount in amounts
        )
        if form.shares and game.phase(p) in form.phases:
            yield from ((CHANCE, move) for move in forbidden(game, p, CHANCE, form.verb, rng))


def staged_cases() -> list[Found]:
    """The scenes in which every reason code is provoked."""
    found = []
    for row in ROWS:
        match = staged(row)
        actor = CHANCE if row.by == TABLE else int(row.by)
        move = read_move(match.game, row.move.replace("PACK", " ".join(match.game.pack.cards)))
        players, *options = row.agreed.split()
        agreed = tuple(sorted((name, value) for name, _, value in (option.partition("=") for option in options)))
        asked = Asked(actor, write_move(move), answer(match.game, match.p, actor, move))
        kind = ("staged", match.game.phase(match.p), move.verb, *("/".join(cited(one)) for one in asked.answer))
        found.append(Found(kind, Agreement(row.game, int(players), agreed), match.game.write(match.p), asked))
    return found


if __name__ == "__main__":
    sys.exit(main())
