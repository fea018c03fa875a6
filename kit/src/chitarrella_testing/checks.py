"""Every check of a game, one function each: for a test runner, and for the report of ``python -m chitarrella_testing``.

::

    @pytest.mark.parametrize("check", checks_of("my-game"), ids=str)
    def test_my_game(check: Check) -> None:
        check()
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from linecache import getlines
from random import Random
from re import findall
from time import monotonic
from traceback import extract_tb
from typing import Any, NamedTuple

from chitarrella.catalogue.record import Record, format_record, parse_record
from chitarrella.catalogue.registry import ALL, Catalogue, RuleSet, open_catalogue
from chitarrella.core.game import play, replay
from chitarrella.core.model import CHANCE
from chitarrella.i18n.translator import LANGUAGES, add_texts
from chitarrella_testing.consistency import check_choices, check_citations, check_names, check_ranking
from chitarrella_testing.expectations import NOTHING_MORE, Expectations, steady_chance, steady_choice
from chitarrella_testing.legality_laws import LEGALITY_LAWS
from chitarrella_testing.outside import check_positions
from chitarrella_testing.secrecy_laws import SECRECY_LAWS
from chitarrella_testing.table_laws import BOT_LAWS, MONEY_LAWS, NOTATION_LAWS, PARTIAL_LAWS, TABLE_LAWS
from chitarrella_testing.texts import compile_translations, game_texts, untranslated
from chitarrella_testing.walks import BOUND, RuleSets, Walk, name, walk


def first_sentence(docstring: str | None) -> str:
    """The first paragraph of a docstring in a line, without its full stop."""
    return " ".join(str(docstring).split("\n\n")[0].split()).rstrip(".")


LAW_GROUPS = (TABLE_LAWS, LEGALITY_LAWS, SECRECY_LAWS, MONEY_LAWS, NOTATION_LAWS, PARTIAL_LAWS, BOT_LAWS)
"""The groups of laws."""
LAWS = {law.__name__: law for laws in LAW_GROUPS for law in laws}  # every law by name; its docstring states it
LAW_TEXTS = {name: f"{name}: {first_sentence(law.__doc__)}" for name, law in LAWS.items()}
"""Each law in a line, its name first."""

WALK_CHECKS = ChainMap(LAWS, {"names": check_names, "positions": check_positions})
"""What is checked of the deals of a game: the laws, and what it says of itself."""

SINGLE_POSITION = frozenset(  # laws of single positions and moves: they can be checked on any part of a walk
    {"conservation", "columns", "purity", "legality", "possession", "shares", "notation"}
    | {"partner_secrecy", "visibility", "money", "tokens", "round_trip"}
)
NEEDS_BOT = frozenset(law.__name__ for law in BOT_LAWS)  # laws that run bots, which takes long


MINUTE = 60.0  # seconds of more deals
MOST_SEEDS = 1_000
LONG = 8  # the deals of each walk of these, if the match is so long
BOT_WALKS = 4  # one in so many of them is checked against the laws that run bots


def check_law(law: str, walk: Walk) -> None:
    """Check a law on ``walk``; raises `AssertionError` if it is broken, and says what that means."""
    run = WALK_CHECKS[law]
    try:
        run(walk, Random(f"{law} {walk.seed}"))
    except Exception as error:  # of the law, or of the game
        where = f"{name(walk.rule_set)}, seed {walk.seed}, {walk.deals} deals"
        raise AssertionError(f"{law}: {first_sentence(run.__doc__)}. {explained(error)} ({where})") from error


def explained(error: Exception) -> str:
    """What an assertion says; without a sentence the assertion itself, with the values of its names."""
    trace = error.__traceback__
    if not isinstance(error, AssertionError):
        return f"{type(error).__name__}: {error}"
    if trace is None or (error.args and isinstance(error.args[0], str)):
        return str(error)
    while trace.tb_next is not None:
        trace = trace.tb_next
    found, known = extract_tb(trace)[-1], trace.tb_frame.f_locals
    lines = getlines(found.filename)[(found.lineno or 1) - 1 : found.end_lineno]
    source = " ".join(" ".join(lines).split())
    values = [
        f"{word} is {shown(known, word)}"
        for word in dict.fromkeys(findall(r"\w+", source))
        if word in known.keys() - {"game"}
    ]
    return "; ".join([source, *(value for value in values if " object at 0x" not in value)])


def shown(known: Mapping[str, Any], word: str) -> str:
    """A value among those that a function knows: of a position its line of text."""
    value = known[word]
    game = known.get("game", getattr(known.get("walk"), "game", None))
    return str(game.encode(value)) if word in ("p", "q") and game is not None else repr(value)[:200]


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
    """Return the catalogue with every installed package; raises `AssertionError` where one is refused.

    Translations that were edited since are compiled.
    """
    catalogue = open_catalogue(ALL)
    assert not catalogue.refused, "; ".join(map(str, catalogue.refused))
    for folder in catalogue.locales:
        compile_translations(folder)
    add_texts(catalogue)
    return catalogue


def checks_of(
    key: str,
    *,
    deals: int = 2,
    seconds: float = MINUTE,
    seeds: int = MOST_SEEDS,
    expected: Expectations | None = None,
    languages: Sequence[str] = LANGUAGES[1:],
    catalogue: Catalogue | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> list[Check]:
    """Return every check of the game ``key``: laws over ``deals`` deals of each rule set, records, texts.

    The last is `check_more`. ``expected`` is what the laws cannot read off the game. In ``languages`` every text has a
    translation. ``catalogue`` is by default that of `installed`. ``say`` gets what has been played.
    """
    found = catalogue or installed()
    found.game(key)  # raises UnknownGame
    texts = [
        Check(key, f"texts_{language}", partial(check_texts, found, key, language))
        for language in LANGUAGES[1:]
        if language in languages
    ]
    known = expected or NOTHING_MORE
    more = Check(key, "more_deals", partial(check_more, RuleSets(found, key), known, seconds, seeds, say))
    texts += [
        Check(key, "citations", partial(check_citations, found, key)),
        Check(key, "choices", partial(check_choices, found, key)),
    ]
    return [*_checks(found, key, deals, known), *texts, *([more] if seconds and seeds else [])]


def _checks(catalogue: Catalogue, key: str, deals: int, expected: Expectations) -> Iterator[Check]:
    rule_sets = RuleSets(catalogue, key)
    for rule_set, effort in [
        *((each, 6) for each in rule_sets.defaults()),
        *((each, 3) for each in rule_sets.combined_variants()),
    ]:
        played = lru_cache(maxsize=1)(partial(walk, catalogue, rule_set, "0", deals, effort, expected))
        for law in WALK_CHECKS:
            yield Check(name(rule_set), law, partial(_check_law, law, played))
        yield Check(name(rule_set), "ranking", partial(check_ranking, catalogue.game_for(rule_set)))
        yield Check(name(rule_set), "playthrough", partial(check_playthrough, catalogue, rule_set))


def _check_law(law: str, played: Callable[[], Walk]) -> None:
    check_law(law, played())


def check_more(
    rule_sets: RuleSets, expected: Expectations, seconds: float, seeds: int, say: Callable[[str], None]
) -> None:
    """Every law holds in more deals, of each option alone and of pairs, for so many ``seconds`` or ``seeds``."""
    begun = shown_at = monotonic()
    pairs, broken, walked = rule_sets.pairs(), dict[str, str](), 0
    for seed in range(1, seeds + 1):
        rng = Random(seed)
        singles = [*rule_sets.defaults(), *rule_sets.variants()]
        for rule_set in (*singles, *rng.sample(pairs, min(len(pairs), len(singles)))):
            played = walk(rule_sets.catalogue, rule_set, str(seed), LONG, 6, expected)
            for law in WALK_CHECKS.keys() - (NEEDS_BOT if walked % BOT_WALKS else ()) - broken.keys():
                try:
                    check_law(law, played)
                except AssertionError as error:
                    broken[law] = str(error)
            walked += 1
            if (now := monotonic()) > shown_at + 10:
                shown_at = now
                say(f"{now - begun:.0f} s: {walked} walks, seed {seed}, {len(broken)} laws broken")
            if now > begun + seconds:
                break
        else:
            continue
        break
    say(f"{walked} walks more, up to seed {seed}")
    assert not broken, "\n".join(broken[law] for law in sorted(broken))


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
