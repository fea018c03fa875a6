"""Vectors of single positions: refused moves, invalid positions, and views, as text that any engine can read.

All are chosen out of random play of a rule set, which its name decides: of each kind that was met the shortest.
A block of lines begins with its rule set; `write_blocks` and `read_blocks` do all kinds alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, actors, seat_to_move, validate_move, view_for
from chitarrella.core.model import CHANCE, REFEREE, Fact, Move, MoveSpec, Reason, Refusal, Seat, Viewer, ZoneView
from chitarrella.core.notation import (
    CHANCE_NAME,
    InvalidPosition,
    MalformedMove,
    format_actor,
    format_move,
    format_share,
    make_move,
    parse_move,
)
from chitarrella.i18n.narration import SENTENCES
from chitarrella_testing.exchange_expectations import EXCHANGE_SHARE_MOVES
from chitarrella_testing.expectations import illegal_share_moves
from chitarrella_testing.legality_laws import invalid_packs
from tests.games.support.scenes import ROWS, staged
from tests.properties.corrupt import EDITS, Edit, corrupt
from tests.walks import CATALOGUE, defaults, name, universe, variants, walk

ALLOWED = "allowed"
REFUSAL_POSITIONS = 16
"""Positions of a random match in which moves are tried."""
CORRUPTED = 500
"""Corrupted lines of a rule set."""
NO_FIELD = "there is no such field in a position of this game"
PUBLIC, OMNISCIENT = "public", "referee"
BACKS = "backs"

Kind: TypeAlias = tuple[str, ...]


# ---------------------------------------------------------------------- blocks


def write_blocks(blocks: Iterable[tuple[RuleSet, Iterable[str]]]) -> str:
    """Write blocks of lines, each below its rule set."""
    texts = []
    for rule_set, lines in blocks:
        options = [f"option {option} {value}" for option, value in rule_set.options]
        texts.append("\n".join([f"players {rule_set.players}", *options, *lines]) + "\n")
    return "\n".join(texts)


def read_blocks(key: str, text: str) -> Iterator[tuple[RuleSet, list[tuple[str, str]]]]:
    """Read the blocks of a game: for each its rule set, and the other lines as their first word and the rest."""
    for block in filter(None, (block.strip() for block in text.split("\n\n"))):
        rows = [(head, rest) for head, _, rest in (line.partition(" ") for line in block.splitlines())]
        players = next(int(rest) for head, rest in rows if head == "players")
        options = tuple((name, value) for name, _, value in (r.partition(" ") for head, r in rows if head == "option"))
        yield RuleSet(key, players, options), [row for row in rows if row[0] not in ("players", "option")]


# ---------------------------------------------------------------------- refusals


class Asked(NamedTuple):
    """Who says what in a position, and the answer, a line for each clause against it."""

    rule_set: RuleSet
    position: str
    actor: Seat
    move: str
    answer: tuple[str, ...]


def answer(game: AnyGame, p: Position, actor: Seat, move: Move) -> tuple[str, ...]:
    """Validate a move and write the answer down."""
    return tuple(map(_broken, validate_move(game, p, actor, move))) or (ALLOWED,)


def _broken(refusal: Refusal) -> str:
    """Write a broken clause with its particulars; what only has a price is no refusal."""
    parts = ["costs" if refusal.reason.penalty else "refused", refusal.code, refusal.clause.key]
    parts += [f"word={quote(refusal.word, safe='')}"] if refusal.word else []
    parts += [] if refusal.amount is None else [f"amount={refusal.amount}"]
    parts += [f"allowed_cards={','.join(refusal.allowed_cards)}"] if refusal.allowed_cards else []
    parts += [f"offending_cards={','.join(refusal.offending_cards)}"] if refusal.offending_cards else []
    return " ".join(parts)


def asked_again(asked: Asked) -> Asked:
    """Validate the move once more."""
    game = CATALOGUE.game_for(asked.rule_set)
    p = game.decode(asked.position)
    return asked._replace(answer=answer(game, p, asked.actor, parse_move(game, asked.move)))


def cited(line: str) -> tuple[str, str]:
    """The code and the clause of a line of an answer."""
    _, code, clause, *_ = line.split(" ")
    return code, clause


def all_cited(asked: Asked) -> set[tuple[str, str]]:
    """Every code with its clause in an answer."""
    return {cited(line) for line in asked.answer if line != ALLOWED}


def citable(game: AnyGame) -> set[tuple[str, str]]:
    """Every code with every clause that a seated game may cite for it, also for the sake of a single kind of move."""
    found = set()
    for reason in game.reasons:
        keys = [reason.code, *(f"{verb} {reason.code}" for verb in game.move_specs)]
        found |= {(reason.code, game.reason_clauses[key].key) for key in keys if key in game.reason_clauses}
    return found


def write_refusals(found: Iterable[Asked]) -> str:
    """Write what is asked, position by position."""

    def lines(position: str, several: Iterable[Asked]) -> Iterator[str]:
        yield f"position {position}"
        for one in several:
            yield f"ask {format_actor(one.actor)} {one.move}"
            yield from one.answer

    scenes = groupby(sorted(found), key=lambda one: (one.rule_set, one.position))
    return write_blocks((rule_set, list(lines(position, several))) for (rule_set, position), several in scenes)


def read_refusals(key: str, text: str) -> Iterator[Asked]:
    """Read what `write_refusals` has written."""
    for rule_set, ((_, position), *rows) in read_blocks(key, text):
        found: list[Asked] = []
        for head, rest in rows:
            if head == "ask":
                who, _, what = rest.partition(" ")
                found.append(Asked(rule_set, position, CHANCE if who == CHANCE_NAME else int(who), what, ()))
            else:
                found[-1] = found[-1]._replace(answer=(*found[-1].answer, f"{head} {rest}".rstrip()))
        yield from found


def refusals_of(rule_set: RuleSet) -> list[Asked]:
    """Try moves in random play, and keep for each phase, verb and set of clauses the shortest case.

    Where an option changes the answer, both answers are kept.
    """
    match = walk(rule_set, "refusals", deals=2)
    rng = Random(f"refusals {name(rule_set)}")
    positions = rng.sample(match.positions, min(REFUSAL_POSITIONS, len(match.positions)))
    shortest: dict[Kind, Asked] = {}
    for p in (*positions, match.positions[-1]):
        for kind, asked in _looked_at(match.game, rule_set, p, rng):
            known = shortest.setdefault(kind, asked)
            if _size(asked) < _size(known):
                shortest[kind] = asked
    return sorted(set(shortest.values()))


def _size(asked: Asked) -> tuple[int, int, str]:
    return len(asked.position), len(asked.move), asked.position


def _looked_at(game: AnyGame, rule_set: RuleSet, p: Position, rng: Random) -> Iterator[tuple[Kind, Asked]]:
    """The answers to candidate moves, legal or not, in a position."""
    line = game.encode(p)
    for actor, move in _candidate_moves(game, p, rng):
        try:
            if parse_move(game, format_move(move)) != move:
                continue
        except MalformedMove:
            continue
        asked = Asked(rule_set, line, actor, format_move(move), answer(game, p, actor, move))
        if asked.answer != (ALLOWED,):
            yield (game.phase(p), move.verb, *("/".join(cited(one)) for one in asked.answer)), asked
        if rule_set.options:
            yield from _compared(asked, (game.phase(p), move.verb))


def _compared(asked: Asked, about: Kind) -> Iterator[tuple[Kind, Asked]]:
    """Both answers, if the answer is another one without the option."""
    usual = asked._replace(rule_set=asked.rule_set._replace(options=()))
    try:
        otherwise = asked_again(usual)
    except (InvalidPosition, MalformedMove):
        return
    if otherwise.answer != asked.answer:
        codes = (line if line == ALLOWED else cited(line)[0] for line in (*asked.answer, *otherwise.answer))
        kind = (*asked.rule_set.options[0], *about, *codes)
        yield kind, asked
        yield (*kind, "without"), otherwise


def _candidate_moves(game: AnyGame, p: Position, rng: Random) -> Iterator[tuple[Seat, Move]]:
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


def staged_refusals() -> list[Asked]:
    """The scenes of ``tests/games/data/refusals.txt``, in which every reason code is provoked."""
    found = []
    for row in ROWS:
        match = staged(row)
        actor = CHANCE if row.by == CHANCE_NAME else int(row.by)
        move = parse_move(match.game, row.move.replace("PACK", " ".join(match.game.pack.cards)))
        players, *options = row.agreed.split()
        agreed = tuple(sorted((name, value) for name, _, value in (option.partition("=") for option in options)))
        rule_set = RuleSet(row.game, int(players), agreed)
        said = answer(match.game, match.p, actor, move)
        found.append(Asked(rule_set, match.game.encode(match.p), actor, format_move(move), said))
    return found


# ---------------------------------------------------------------------- invalid positions


class InvalidLine(NamedTuple):
    """A line that is no position of a rule set; ``field`` is empty if the line as a whole is wrong."""

    rule_set: RuleSet
    line: str
    field: str
    message: str

    @property
    def kind(self) -> tuple[str, str]:
        """The field, and what is wrong without quotations and numbers."""
        field = "" if self.message == NO_FIELD else self.field
        return field, re.sub(r"'[^']*'|[0-9]+", "", self.message)


def fault(rule_set: RuleSet, line: str) -> InvalidLine | None:
    """Read a line; gives what is wrong with it, None if nothing is."""
    try:
        CATALOGUE.game_for(rule_set).decode(line)
    except InvalidPosition as wrong:
        return InvalidLine(rule_set, line, wrong.field, wrong.message)
    return None


def write_invalid(found: Iterable[InvalidLine]) -> str:
    """Write invalid positions, rule set by rule set."""
    several = groupby(sorted(found), key=lambda one: one.rule_set)
    return write_blocks(
        (rule_set, [line for one in some for line in (f"invalid {one.line}", f"wrong {one.field}: {one.message}")])
        for rule_set, some in several
    )


def read_invalid(key: str, text: str) -> Iterator[InvalidLine]:
    """Read what `write_invalid` has written."""
    for rule_set, rows in read_blocks(key, text):
        for (_, line), (_, wrong) in zip(rows[::2], rows[1::2], strict=True):
            field, _, message = wrong.partition(": ")
            yield InvalidLine(rule_set, line, field, message)


def invalid_of(rule_set: RuleSet) -> list[InvalidLine]:
    """Corrupt positions of random play, and keep the shortest line of each kind of fault."""
    match = walk(rule_set, "invalid", deals=2)
    good = list(dict.fromkeys(map(match.game.encode, match.positions)))
    rng = Random(f"invalid {name(rule_set)}")
    lines = [corrupt(rng.choice(good), _some_edits(rng), rng.choice(good)) for _ in range(CORRUPTED)]
    return shortest_of_kind(wrong for line in lines if _is_plain(line) and (wrong := fault(rule_set, line)))


def shortest_of_kind(found: Iterable[InvalidLine]) -> list[InvalidLine]:
    """Keep the shortest line of each kind of fault."""
    by_length = sorted(found, key=lambda one: (len(one.line), one), reverse=True)
    return sorted({one.kind: one for one in by_length}.values())


def _some_edits(rng: Random) -> list[Edit]:
    """One or two edits."""
    return [(rng.choice(sorted(EDITS)), rng.randrange(2**16), rng.randrange(2**16)) for _ in range(rng.randint(1, 2))]


def _is_plain(line: str) -> bool:
    """Whether a line can be written into a file and read back unchanged."""
    return line.isascii() and line.isprintable() and line == " ".join(line.split())


# ---------------------------------------------------------------------- views


class Seen(NamedTuple):
    """A position of a rule set, its viewer, and what the viewer sees, a line for each thing."""

    rule_set: RuleSet
    position: str
    viewer: str
    lines: tuple[str, ...]


def write_viewer(viewer: Viewer) -> str:
    """Name a viewer."""
    return PUBLIC if viewer is None else OMNISCIENT if viewer == REFEREE else str(viewer)


def looked(game: AnyGame, p: Position, viewer: Viewer) -> tuple[str, ...]:
    """Write down a view."""
    view = view_for(game, p, viewer)
    turn = "nobody" if view.turn is None else format_actor(view.turn)
    ends = [] if view.winners is None else [" ".join(["sees winners", *map(str, sorted(view.winners))])]
    return (
        f"sees phase {view.phase} turn {turn}",
        *map(_zone, view.zones),
        *map(_fact, view.facts),
        " ".join(["sees", "scores", *map(str, view.scores)]),
        *ends,
    )


def _zone(zone: ZoneView) -> str:
    """Write the name, whose it is, how many cards, who led it, and the cards, or that only their backs are seen."""
    led = [] if zone.leader is None else [f"led by {zone.leader}"]
    cards = zone.cards or [BACKS] * bool(zone.size)
    return " ".join(["sees zone", zone.name, _of(zone.seat), str(zone.size), *led, *cards])


def _fact(fact: Fact) -> str:
    """Write the name, of whom it is said, and the value."""
    if isinstance(fact.value, tuple):
        value = " ".join(map(format_share, fact.value)) or "-"
    else:
        value = quote(str(fact.value), safe="") or "."
    return f"sees fact {fact.name} {_of(fact.seat)} {value}"


def _of(seat: Seat | None) -> str:
    return "-" if seat is None else str(seat)


def write_views(found: Iterable[Seen]) -> str:
    """Write views, position by position."""
    positions = groupby(found, key=lambda one: (one.rule_set, one.position))
    return write_blocks(
        (rule_set, [f"position {line}", *(row for one in several for row in (f"viewer {one.viewer}", *one.lines))])
        for (rule_set, line), several in positions
    )


def views_of(rule_set: RuleSet) -> list[Seen]:
    """Look at positions of random play; keep of each kind of zone and fact, seen or not, the shortest view."""
    match = walk(rule_set, "views", deals=2)
    kept: dict[Kind, Seen] = {}
    by_length = sorted(
        {match.game.encode(p): p for p in match.positions}.items(), key=lambda one: (len(one[0]), one[0])
    )
    for line, p in by_length:
        for viewer in _viewers_at(match.game, p):
            seen = Seen(rule_set, line, write_viewer(viewer), looked(match.game, p, viewer))
            for kind in _kinds(seen):
                kept.setdefault(kind, seen)
    return sorted(set(kept.values()), key=lambda seen: (seen.position, _order(seen.viewer)))


def _viewers_at(game: AnyGame, p: Position) -> list[Viewer]:
    """The public, the referee, the seat that is waited for and the one after it."""
    seat = seat_to_move(game, p) or 0
    return [None, REFEREE, seat, (seat + 1) % game.seats]


def _kinds(seen: Seen) -> Iterator[Kind]:
    """Name what a view shows, each thing by its name: seen or only counted, whose it is, and which viewer sees it."""
    who = seen.viewer if seen.viewer in (PUBLIC, OMNISCIENT) else "seat"
    for line in seen.lines:
        _, what, name, *rest = line.split(" ")
        whose = "own" if rest[:1] == [seen.viewer] else "nobody's" if rest[:1] == ["-"] else "another's"
        if what == "zone":
            yield who, what, name, whose, str(rest[1] == "0"), str(rest[-1] == BACKS)
        elif what == "fact":
            yield who, what, name, whose
        else:
            yield who, what, name if what == "phase" else ""


def _order(viewer: str) -> int:
    """The public first, then the seats, the referee last."""
    return -1 if viewer == PUBLIC else 1_000 if viewer == OMNISCIENT else int(viewer)


FOLDER = Path(__file__).parent
COMMAND = "make vectors"


def rules() -> str:
    """Put all games and events into one text."""
    return (
        "\n".join(
            [
                f"# The games\n\nWritten by `{COMMAND}`; `README.md` says how to read it.",
                *(line for game in CATALOGUE for line in of_game(game)),
                *events(),
            ]
        )
        + "\n"
    )


def events() -> Iterator[str]:
    """The kinds of events."""
    yield "\n## Events\n\nA sentence for each kind, or for a kind with a certain word.\n"
    yield from (f"- `{kind}` {sentence}" for kind, sentence in SENTENCES.items())


def of_game(game: AnyGame) -> Iterator[str]:
    """What can be agreed, said and cited in a game."""
    seated = [CATALOGUE.game_for(rule_set) for rule_set in rule_sets(game)]
    yield f"\n## {game.title} (`{game.key}`, edition {game.edition})\n"
    yield f"Players: {', '.join(map(str, sorted(game.seatings)))}. Pack of {len(game.pack.cards)}, in canonical order: "
    yield f"{' '.join(game.pack.cards)}\n"
    yield f"Played in: {game.place}. Sources: {', '.join(game.sources)}."
    yield from (f"- edition {edition.number}: {edition.changes}" for edition in game.editions)
    yield ""
    for option in game.options:
        values = [*option.choices]
        if option.minimum is not None:
            values.append(f"{option.minimum} to {'any number' if option.maximum is None else option.maximum}")
        yield f"- option `{option.name}`: {', '.join(values)}; if nothing is said `{option.default}`"
        yield f"  - {option.description} ({option.source})"
    yield ""
    forms = {form.verb: form for one in seated for form in one.move_specs.values()}
    for form in forms.values():
        yield f"- move `{shape(form)}` in {', '.join(sorted(form.phases))}{manner(form)}: {form.description}"
    yield ""
    reasons: dict[str, Reason] = {reason.code: reason for one in seated for reason in one.reasons}
    yield from (f"- reason `{code}`{' (a price)' * reason.penalty} {reason.text}" for code, reason in reasons.items())
    yield ""
    clauses = {clause.key: clause for one in seated for clause in one.clauses}
    yield from (f"- clause `{key}` {clause.text} ({clause.source})" for key, clause in clauses.items())


def rule_sets(game: AnyGame) -> list[RuleSet]:
    """The rule sets of a game."""
    return [rule_set for rule_set in (*defaults(), *variants()) if rule_set.game == game.key]


def shape(form: MoveSpec) -> str:
    """The parts of a move in notation, in order."""
    least, most = form.cards
    several = f"CARD x {least}" if least == most else f"CARD x {least} to {most}"
    words = "|".join(filter(None, form.choices))
    parts = [form.verb]
    parts += ["CARD" if most == 1 else several] * bool(most)
    parts += [f"[{words}]" if "" in form.choices else words] * bool(form.choices)
    parts += [] if form.amounts is None else ["NUMBER"]
    parts += ["[PERSON:NUMBER ...]"] * form.shares + ["[@SEAT]"] * form.seat
    return " ".join(parts)


def manner(form: MoveSpec) -> str:
    """Who makes a move, if that is not the seat on turn alone."""
    said = {
        "by the table": form.by_chance,
        "out of turn too": form.out_of_turn,
        "when a seat's time is over": form.timeout_default,
    }
    manners = [words for words, so in said.items() if so]
    return f" ({', '.join(manners)})" if manners else ""
