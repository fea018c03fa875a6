"""Every check of a game, one function each: for a test runner, and for the report of ``python -m chitarrella_testing``.

::

    @pytest.mark.parametrize("check", checks_of("my-game"), ids=str)
    def test_my_game(check: Check) -> None:
        check()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from random import Random
from typing import NamedTuple

from chitarrella.catalogue.record import Record, format_record, parse_record
from chitarrella.catalogue.registry import ALL, Catalogue, RuleSet, open_catalogue
from chitarrella.core.game import play, replay
from chitarrella.core.model import CHANCE
from chitarrella.i18n.translator import LANGUAGES, add_texts
from chitarrella_testing.expectations import NOTHING_MORE, Expectations, steady_chance, steady_choice
from chitarrella_testing.legality_laws import LEGALITY_LAWS
from chitarrella_testing.secrecy_laws import SECRECY_LAWS
from chitarrella_testing.table_laws import BOT_LAWS, MONEY_LAWS, NOTATION_LAWS, PARTIAL_LAWS, TABLE_LAWS
from chitarrella_testing.texts import game_texts, untranslated
from chitarrella_testing.walks import BOUND, RuleSets, Walk, name, walk


def first_sentence(docstring: str | None) -> str:
    """The first paragraph of a docstring in a line, without its full stop."""
    return " ".join(str(docstring).split("\n\n")[0].split()).rstrip(".")


LAW_GROUPS = (TABLE_LAWS, LEGALITY_LAWS, SECRECY_LAWS, MONEY_LAWS, NOTATION_LAWS, PARTIAL_LAWS, BOT_LAWS)
"""The groups of laws."""
LAWS = {law.__name__: law for laws in LAW_GROUPS for law in laws}  # every law by name; its docstring states it
LAW_TEXTS = {name: f"{name}: {first_sentence(law.__doc__)}" for name, law in LAWS.items()}
"""Each law in a line, its name first."""

SINGLE_POSITION = frozenset(  # laws of single positions and moves: they can be checked on any part of a walk
    {"conservation", "columns", "purity", "legality", "shares", "notation"}
    | {"partner_secrecy", "visibility", "money", "tokens", "round_trip"}
)
NEEDS_BOT = frozenset(law.__name__ for law in BOT_LAWS)  # laws that run bots, which takes long


def check_law(law: str, walk: Walk) -> None:
    """Check a law on ``walk``; raises `AssertionError` if it is broken."""
    LAWS[law](walk, Random(f"{law} {walk.seed}"))


class Check(NamedTuple):
    """A check: what it is held against, its name, and the function, which raises `AssertionError`."""

    subject: str
    name: str
    run: Callable[[], None]

    def __call__(self) -> None:
        self.run()

    def __str__(self) -> str:
        return f"{self.subject}-{self.name}"


@lru_cache(maxsize=1)
def installed() -> Catalogue:
    """Return the catalogue with every installed package; raises `AssertionError` where one is refused."""
    catalogue = open_catalogue(ALL)
    assert not catalogue.refused, "; ".join(map(str, catalogue.refused))
    add_texts(catalogue)
    return catalogue


def checks_of(
    key: str,
    *,
    deals: int = 2,
    expected: Expectations | None = None,
    languages: Sequence[str] = LANGUAGES[1:],
    catalogue: Catalogue | None = None,
) -> list[Check]:
    """Return every check of the game ``key``: laws over ``deals`` deals of each rule set, records, texts.

    ``expected`` is what the laws cannot read off the game. In ``languages`` every text has a translation. ``catalogue``
    is by default that of `installed`.
    """
    found = catalogue or installed()
    found.game(key)  # raises UnknownGame
    texts = [
        Check(key, f"texts_{language}", partial(check_texts, found, key, language))
        for language in LANGUAGES[1:]
        if language in languages
    ]
    return [*_checks(found, key, deals, expected or NOTHING_MORE), *texts]


def _checks(catalogue: Catalogue, key: str, deals: int, expected: Expectations) -> Iterator[Check]:
    rule_sets = RuleSets(catalogue, key)
    for rule_set, effort in [
        *((each, 6) for each in rule_sets.defaults()),
        *((each, 3) for each in rule_sets.combined_variants()),
    ]:
        played = lru_cache(maxsize=1)(partial(walk, catalogue, rule_set, "0", deals, effort, expected))
        for law in LAWS:
            yield Check(name(rule_set), law, partial(_check_law, law, played))
        yield Check(name(rule_set), "playthrough", partial(check_playthrough, catalogue, rule_set))


def _check_law(law: str, played: Callable[[], Walk]) -> None:
    check_law(law, played())


def playthrough(catalogue: Catalogue, rule_set: RuleSet, deals: int = 2) -> str:
    """Play some deals by a fixed rule, without dice, and write the record: equal rules write equal text."""
    game = catalogue.game_for(rule_set)
    p, moves, dealt, decided = game.start(), [], 0, 0
    while (turn := game.turn(p)) is not None:
        if turn == CHANCE and decided:
            dealt, decided = dealt + 1, 0
            if dealt == deals:
                break
        actor, move = (CHANCE, steady_chance(game, p, dealt)) if turn == CHANCE else steady_choice(game, p, decided)
        p, _ = play(game, p, actor, move)
        moves.append((actor, move))
        decided += turn != CHANCE
        assert decided < BOUND, f"{name(rule_set)}: the deal does not end"
    return format_record(catalogue, Record(catalogue.normalize(rule_set), "", tuple(moves)))


def check_playthrough(catalogue: Catalogue, rule_set: RuleSet) -> None:
    """A playthrough is the same each time, and its record leads to a position of the game."""
    text = playthrough(catalogue, rule_set)
    assert text == playthrough(catalogue, rule_set)
    record = parse_record(catalogue, text)
    game = catalogue.game_for(record.rule_set)
    last = replay(game, record.moves)
    assert last == game.decode(game.encode(last))


def check_texts(catalogue: Catalogue, key: str, language: str) -> None:
    """Every text of a game has a translation."""
    missing = untranslated(language, game_texts(catalogue, key), catalogue.locales)
    assert not missing, f"{len(missing)} texts are not translated, such as {', '.join(list(missing)[:5])}"
