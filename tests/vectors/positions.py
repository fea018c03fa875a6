"""Vectors of single positions: refused moves, invalid positions, and views, as text that any engine can read.

All are chosen out of random play of a rule set, which its name decides: of each kind that was met the shortest.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core import notation
from chitarrella.core.game import AnyGame, Position, actors, seat_to_move, validate_move
from chitarrella.core.model import CHANCE, REFEREE, Fact, Move, MoveSpec, Reason, Refusal, Seat, Viewer, ZoneView
from chitarrella.core.visibility import view_for
from chitarrella.i18n.narration import SENTENCES
from chitarrella_testing.exchange_expectations import EXCHANGE_SHARE_MOVES
from chitarrella_testing.expectations import illegal_share_moves
from chitarrella_testing.legality_laws import invalid_packs
from chitarrella_testing.outside import EDITS, Edit, corrupt
from tests.games.support.scenes import ROWS, staged
from tests.walks import CATALOGUE, defaults, name, universe, variants, walk

FOLDER = Path(__file__).parent
ALLOWED = "allowed"
REFUSAL_POSITIONS = 16  # positions of a random match in which moves are tried
CORRUPTED = 500  # corrupted lines of a rule set
NO_FIELD = "there is no such field in a position of this game"
PUBLIC, OMNISCIENT = "public", "referee"
BACKS = "backs"

Kind: TypeAlias = tuple[str, ...]


class Vector(NamedTuple):
    """What is asked of a rule set, and what it answers.

    ``lines`` are ``ask WHO MOVE`` and what is against the move, ``viewer WHO`` and what is seen, or ``invalid LINE``
    and what is wrong with it, which stands in no position. ``order`` sorts what is asked in a position.
    """

    rule_set: RuleSet
    position: str
    order: int
    lines: tuple[str, ...]


def write_vectors(found: Iterable[Vector]) -> str:
    """Write blocks of lines, each below its rule set and position."""
    texts = []
    for (rule_set, position), several in groupby(sorted(found), key=lambda one: one[:2]):
        rows = [f"players {rule_set.players}", *(f"option {option} {value}" for option, value in rule_set.options)]
        rows += [f"position {position}"] * bool(position)
        texts.append("\n".join([*rows, *(line for one in several for line in one.lines)]) + "\n")
    return "\n".join(texts)


def read_vectors(key: str, text: str) -> Iterator[Vector]:
    """Read what `write_vectors` has written of refusals of a game."""
    for block in filter(None, map(str.strip, text.split("\n\n"))):
        said: dict[str, list[str]] = {"players": [], "option": [], "position": []}
        found: list[list[str]] = []
        for line in block.splitlines():
            head, _, rest = line.partition(" ")
            if head in said:
                said[head].append(rest)
            elif head == "ask":
                found.append([line])
            else:
                found[-1].append(line)
        options = tuple((option, value) for option, _, value in (row.partition(" ") for row in said["option"]))
        rule_set = RuleSet(key, int(said["players"][0]), options)
        for lines in found:
            yield Vector(rule_set, "".join(said["position"]), actor_of(lines[0].split(" ")[1]), tuple(lines))


def actor_of(word: str) -> Seat:
    return CHANCE if word == notation.CHANCE_NAME else int(word)


def again(one: Vector) -> Vector:
    """Ask about a move once more."""
    game = CATALOGUE.game_for(one.rule_set)
    p, move = game.decode(one.position), notation.parse_move(game, one.lines[0].split(" ", 2)[2])
    return asked(game, one.rule_set, one.position, p, one.order, move)


def shortest(found: Iterable[tuple[Kind, Vector]], size: Callable[[Vector], Any]) -> list[Vector]:
    """Keep the shortest vector of each kind, of equals the first."""
    kept: dict[Kind, Vector] = {}
    for kind, one in found:
        if kind not in kept or size(one) < size(kept[kind]):
            kept[kind] = one
    return sorted(set(kept.values()))


# ---------------------------------------------------------------------- refusals


def asked(game: AnyGame, rule_set: RuleSet, position: str, p: Position, actor: Seat, move: Move) -> Vector:
    """Validate a move and write the answer down."""
    answer = tuple(map(_broken, validate_move(game, p, actor, move))) or (ALLOWED,)
    question = f"ask {notation.format_actor(actor)} {notation.format_move(move)}"
    return Vector(rule_set, position, actor, (question, *answer))


def _broken(refusal: Refusal) -> str:
    """Write a broken clause with its particulars; what only has a price is no refusal."""
    parts = ["costs" if refusal.reason.penalty else "refused", refusal.code, refusal.clause.key]
    parts += [f"word={quote(refusal.word, safe='')}"] if refusal.word else []
    parts += [] if refusal.amount is None else [f"amount={refusal.amount}"]
    parts += [f"allowed_cards={','.join(refusal.allowed_cards)}"] if refusal.allowed_cards else []
    parts += [f"offending_cards={','.join(refusal.offending_cards)}"] if refusal.offending_cards else []
    return " ".join(parts)


def cited(line: str) -> tuple[str, ...]:
    """The code and the clause of a line of an answer."""
    return tuple(line.split(" ")[1:3])


def all_cited(one: Vector) -> set[tuple[str, ...]]:
    """Every code with its clause in an answer."""
    return {cited(line) for line in one.lines[1:] if line != ALLOWED}


def citable(game: AnyGame) -> set[tuple[str, ...]]:
    """Every code with every clause that a seated game may cite for it, also for the sake of a single kind of move."""
    found = set[tuple[str, ...]]()
    for reason in game.reasons:
        keys = [reason.code, *(f"{verb} {reason.code}" for verb in game.move_specs)]
        found |= {(reason.code, game.entry.reason_clauses[key].key) for key in keys if key in game.entry.reason_clauses}
    return found


def refusals_of(rule_set: RuleSet) -> list[Vector]:
    """Try moves in random play, and keep for each phase, verb and set of clauses the shortest case.

    Where an option changes the answer, both answers are kept.
    """
    match = walk(rule_set, "refusals", deals=2)
    rng = Random(f"refusals {name(rule_set)}")
    positions = rng.sample(match.positions, min(REFUSAL_POSITIONS, len(match.positions)))
    met = (one for p in (*positions, match.positions[-1]) for one in _looked_at(match.game, rule_set, p, rng))
    return shortest(met, lambda one: (len(one.position), len(one.lines[0].split(" ", 2)[2]), one.position))


def _looked_at(game: AnyGame, rule_set: RuleSet, p: Position, rng: Random) -> Iterator[tuple[Kind, Vector]]:
    """The answers to candidate moves, legal or not, in a position; both, if an option changes the answer."""
    line = game.encode(p)
    for actor, move in _candidate_moves(game, p, rng):
        try:
            if notation.parse_move(game, notation.format_move(move)) != move:
                continue
        except notation.MalformedMove:
            continue
        one = asked(game, rule_set, line, p, actor, move)
        about = (game.phase(p), move.verb)
        if one.lines[1:] != (ALLOWED,):
            yield (*about, *("/".join(cited(line)) for line in one.lines[1:])), one
        if rule_set.options:
            try:
                otherwise = again(one._replace(rule_set=rule_set._replace(options=())))
            except (notation.InvalidPosition, notation.MalformedMove):
                continue
            if otherwise.lines != one.lines:
                answers = (*one.lines[1:], *otherwise.lines[1:])
                codes = (line if line == ALLOWED else cited(line)[0] for line in answers)
                kind = (*rule_set.options[0], *about, *codes)
                yield from ((kind, one), ((*kind, "without"), otherwise))


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
        made = [notation.make_move(game, spec.verb, pack, amount=amount) for pack in packs for amount in amounts]
        yield from product((CHANCE, 0), made)
        if spec.shares and game.phase(p) in spec.phases:
            wrong = illegal_share_moves(EXCHANGE_SHARE_MOVES, game, p, CHANCE, spec.verb, rng)
            yield from ((CHANCE, move) for move in wrong)


def staged_refusals() -> Iterator[Vector]:
    """The refusals of ``tests/games/data``, in which every reason code is provoked."""
    for row in ROWS:
        match = staged(row)
        move = notation.parse_move(match.game, row.move.replace("PACK", " ".join(match.game.pack.cards)))
        players, *options = row.agreed.split()
        agreed = tuple(sorted((name, value) for name, _, value in (option.partition("=") for option in options)))
        rule_set, line = RuleSet(row.game, int(players), agreed), match.game.encode(match.p)
        yield asked(match.game, rule_set, line, match.p, actor_of(row.by), move)


# ---------------------------------------------------------------------- invalid positions


def fault(rule_set: RuleSet, line: str) -> Vector | None:
    """Read a line; gives the field at fault, empty for the whole line, and what is wrong, None if nothing is."""
    try:
        CATALOGUE.game_for(rule_set).decode(line)
    except notation.InvalidPosition as wrong:
        return Vector(rule_set, "", 0, (f"invalid {line}", f"wrong {wrong.field}: {wrong.message}"))
    return None


def kind_of_fault(one: Vector) -> tuple[str, str]:
    """The field, and what is wrong without quotations and numbers."""
    field, _, message = one.lines[1].removeprefix("wrong ").partition(": ")
    return "" if message == NO_FIELD else field, re.sub(r"'[^']*'|[0-9]+", "", message)


def invalid_of(rule_set: RuleSet) -> list[Vector]:
    """Corrupt positions of random play, and keep the shortest line of each kind of fault."""
    match = walk(rule_set, "invalid", deals=2)
    good = list(dict.fromkeys(map(match.game.encode, match.positions)))
    rng = Random(f"invalid {name(rule_set)}")
    lines = [corrupt(rng.choice(good), _some_edits(rng), rng.choice(good)) for _ in range(CORRUPTED)]
    plain = (line for line in lines if line.isascii() and line.isprintable() and line == " ".join(line.split()))
    found = (wrong for line in plain if (wrong := fault(rule_set, line)))
    return shortest(((kind_of_fault(one), one) for one in found), lambda one: (len(one.lines[0]), one))


def _some_edits(rng: Random) -> list[Edit]:
    return [(rng.choice(sorted(EDITS)), rng.randrange(2**16), rng.randrange(2**16)) for _ in range(rng.randint(1, 2))]


# ---------------------------------------------------------------------- views


def looked(game: AnyGame, p: Position, viewer: Viewer) -> tuple[str, ...]:
    view = view_for(game, p, viewer)
    turn = "nobody" if view.turn is None else notation.format_actor(view.turn)
    ends = [] if view.winners is None else [" ".join(["sees winners", *map(str, sorted(view.winners))])]
    return (
        f"viewer {PUBLIC if viewer is None else OMNISCIENT if viewer == REFEREE else viewer}",
        f"sees phase {view.phase} turn {turn}", *map(_zone, view.zones), *map(_fact, view.facts),
        " ".join(["sees", "scores", *map(str, view.scores)]), *ends,
    )  # fmt: skip


def _zone(zone: ZoneView) -> str:
    """Write the name, whose it is, how many cards, who led it, and the cards, or that only their backs are seen."""
    led = [] if zone.leader is None else [f"led by {zone.leader}"]
    cards = zone.cards or [BACKS] * bool(zone.size)
    return " ".join(["sees zone", zone.name, _of(zone.seat), str(zone.size), *led, *cards])


def _fact(fact: Fact) -> str:
    """Write the name, of whom it is said, and the value."""
    if isinstance(fact.value, tuple):
        value = " ".join(map(notation.format_share, fact.value)) or "-"
    else:
        value = quote(str(fact.value), safe="") or "."
    return f"sees fact {fact.name} {_of(fact.seat)} {value}"


def _of(seat: Seat | None) -> str:
    return "-" if seat is None else str(seat)


def views_of(rule_set: RuleSet) -> list[Vector]:
    """Look at positions of random play; keep of each kind of zone and fact, seen or not, the shortest view.

    The public looks first, then the seat that is waited for and the one after it, last the referee.
    """
    match = walk(rule_set, "views", deals=2)
    met: list[tuple[Kind, Vector]] = []
    for line, p in {match.game.encode(p): p for p in match.positions}.items():
        seat = seat_to_move(match.game, p) or 0
        viewers = {None: -1, REFEREE: 1_000, seat: seat, (seat + 1) % match.game.seats: (seat + 1) % match.game.seats}
        for viewer, order in viewers.items():
            seen = Vector(rule_set, line, order, looked(match.game, p, viewer))
            met += [(kind, seen) for kind in _kinds(seen)]
    return shortest(met, lambda seen: (len(seen.position), seen.position))


def _kinds(seen: Vector) -> Iterator[Kind]:
    """Name what a view shows, each thing by its name: seen or only counted, whose it is, and which viewer sees it."""
    viewer = seen.lines[0].split(" ")[1]
    who = viewer if viewer in (PUBLIC, OMNISCIENT) else "seat"
    for line in seen.lines[1:]:
        _, what, name, *rest = line.split(" ")
        whose = "own" if rest[:1] == [viewer] else "nobody's" if rest[:1] == ["-"] else "another's"
        if what == "zone":
            yield who, what, name, whose, str(rest[1] == "0"), str(rest[-1] == BACKS)
        elif what == "fact":
            yield who, what, name, whose
        else:
            yield who, what, name if what == "phase" else ""


# ---------------------------------------------------------------------- rules.md


def rules() -> str:
    head = "# The games\n\nWritten by `make vectors`; `README.md` says how to read it."
    return "\n".join([head, *(line for game in CATALOGUE for line in of_game(game)), *events()]) + "\n"


def events() -> Iterator[str]:
    yield "\n## Events\n\nA sentence for each kind, or for a kind with a certain word.\n"
    yield from (f"- `{kind}` {sentence}" for kind, sentence in SENTENCES.items())


def of_game(game: AnyGame) -> Iterator[str]:
    """What can be agreed, said and cited in a game."""
    seated = [CATALOGUE.game_for(one) for one in (*defaults(), *variants()) if one.game == game.key]
    yield f"\n## {game.entry.title} (`{game.key}`, edition {game.edition})\n"
    players = ", ".join(map(str, sorted(game.entry.players)))
    yield f"Players: {players}. Pack of {len(game.pack.cards)}, in canonical order: "
    yield f"{' '.join(game.pack.cards)}\n"
    yield f"Played in: {game.entry.place}. Sources: {', '.join(game.entry.sources)}."
    yield from (f"- edition {edition.number}: {edition.changes}" for edition in game.entry.editions)
    yield ""
    for option in game.entry.options:
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


def shape(form: MoveSpec) -> str:
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
