"""The playthroughs are what the rules play today, and no game changes without a new edition."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from chitarrella.catalogue.record import Record, parse_record
from chitarrella.catalogue.registry import RuleSet
from tests.playthroughs.cover import cover, shown_by, wanted
from tests.playthroughs.fixed_play import (
    COMMAND,
    FOLDER,
    MANIFEST,
    RELEASED,
    entry,
    file_of,
    heading,
    kept,
    manifest,
    playthrough,
    read_file,
    rule_sets,
    written,
)
from tests.playthroughs.random_deals import OPTION, SIGN, changed_by_option, features, replayed, says
from tests.playthroughs.write import retire
from tests.walks import CATALOGUE, defaults, name

SHOWN = [title for title in kept() if SIGN in title]
FIXED = [title for title in kept() if SIGN not in title]


def record_of(title: str) -> Record:
    """A playthrough, read."""
    return parse_record(CATALOGUE, kept()[title])


@pytest.mark.parametrize("rule_set", rule_sets(), ids=name)
def test_a_rule_set_plays_as_it_is_written(rule_set: RuleSet) -> None:
    """A match played by the fixed rule is word for word the playthrough of that name."""
    title, played = name(rule_set), playthrough(rule_set)
    if played is None:
        assert title not in kept(), f"the option changes nothing, so {title} is not needed: run {COMMAND}"
        return
    assert title in kept(), f"{title} is missing: run {COMMAND}, and read it against the rule book"
    assert kept()[title] == played, (
        f"{rule_set.game} does not play as it did. If that is not meant, repair it. If it is, raise the edition of "
        f"the game and run {COMMAND}."
    )


@pytest.mark.unmeasured
@pytest.mark.parametrize("title", kept())
def test_a_playthrough_reads_back(title: str) -> None:
    """A playthrough is a record: read and written again it says the same, events, scores and winners and all."""
    text, record = kept()[title], record_of(title)
    assert text == written(text.partition("\n")[0], CATALOGUE.game_for(record.rule_set), record), (
        f"{record.rule_set.game} does not play as it did: see what {COMMAND} says of editions"
    )


@pytest.mark.unmeasured
@pytest.mark.parametrize("title", SHOWN)
def test_a_deal_shows_what_it_is_named_for(title: str) -> None:
    """What a deal is named for is in it; where that is the option, the same moves come to something else without it."""
    record = record_of(title)
    game = CATALOGUE.game_for(record.rule_set)
    steps = replayed(game, game.decode(record.position) if record.position else game.start(), record.moves)
    shown = set(features(game, steps))
    if record.rule_set.options and changed_by_option(record.rule_set, steps):
        shown.add(OPTION)
    assert title.startswith(f"{name(record.rule_set._replace(edition=0))}{SIGN}")
    assert says(title) in shown


def test_there_are_enough() -> None:
    """More than six hundred, of every game, and of every number of players a whole match or nine deals."""
    assert len(kept()) >= 600
    assert {name(rule_set) for rule_set in defaults()} <= set(FIXED)
    assert not any(record_of(name(rule_set)).position for rule_set in defaults())


def test_no_playthrough_was_changed_without_a_new_edition() -> None:
    """Each is the one that the manifest knows, of the edition that the manifest says; none is unknown."""
    found = {title: entry(title, text) for title, text in kept().items()}
    assert manifest() == found, f"a playthrough was changed by hand: raise the edition of its game and run {COMMAND}"
    for title, text in kept().items():
        record = record_of(title)
        assert int(heading(text, "edition")) == record.rule_set.edition
        assert record.rule_set.edition == CATALOGUE.game(record.rule_set.game).edition


def test_released_playthroughs_change_only_with_the_edition() -> None:
    """Each released playthrough of a present edition is as it was: who changes the rules raises the edition."""
    released, present = manifest(RELEASED), manifest()
    assert len(released) >= 600
    editions = {game.key: game.edition for game in CATALOGUE}
    games = {title: next(key for key in by_length(editions) if title.startswith(key)) for title in released}
    bound = {title: line for title, line in released.items() if int(line.split()[1]) == editions[games[title]]}
    assert bound == {title: present.get(title, "gone") for title in bound}


def by_length(keys: Iterable[str]) -> list[str]:
    """Keys of games, the longest first: one may begin with another."""
    return sorted(keys, key=len, reverse=True)


def test_every_file_is_of_a_game() -> None:
    """There is a file for each game and for no other; it holds the playthroughs of that game, and nothing else."""
    files = {path.name for path in FOLDER.glob("*.txt") if path != MANIFEST}
    assert {f"{game.key}.txt" for game in CATALOGUE} == files
    for game in CATALOGUE:
        path = FOLDER / f"{game.key}.txt"
        texts = read_file(path)
        assert path.read_text(encoding="utf-8") == file_of(game.key, texts)
        assert {game.key} == {heading(text, "game") for text in texts.values()}


def test_every_edition_plays_as_it_did() -> None:
    """Playthroughs of former editions are kept, and the catalogue plays each by the rules of its own edition."""
    editions: dict[str, set[int]] = {}
    for path in sorted(FOLDER.rglob("*.txt")):
        if path == MANIFEST:
            continue
        for text in read_file(path).values():
            key, number = heading(text, "game"), int(heading(text, "edition"))
            editions.setdefault(key, set()).add(number)
            assert (path.parent == FOLDER) == (number == CATALOGUE.game(key).edition), path
            if path.parent != FOLDER:
                record = parse_record(CATALOGUE, text)
                assert text == written(text.partition("\n")[0], CATALOGUE.game_for(record.rule_set), record)
    assert editions == {game.key: {edition.number for edition in game.editions} for game in CATALOGUE}


def test_what_a_new_edition_leaves(tmp_path: Path) -> None:
    """Playthroughs of a former edition go into a file in the folder of that edition, word for word."""
    (first, one), (second, other) = list(kept().items())[:2]
    game = heading(one, "game")
    assert {retire(tmp_path, game, 1, {first: one}), retire(tmp_path, game, 1, {second: other})} == {
        tmp_path / "edition-1" / f"{game}.txt"
    }
    assert {first: one, second: other} == read_file(tmp_path / "edition-1" / f"{game}.txt")


def test_the_deals_are_chosen_for_what_they_show() -> None:
    """Each deal chosen shows something that the others do not show often enough; what shows nothing new is left out."""
    texts = {title: text for title, text in kept().items() if heading(text, "game") == "madrasso"}
    fixed = [text for title, text in texts.items() if SIGN not in title]
    offered = {title: text for title, text in texts.items() if SIGN in title}
    chosen = cover(fixed, offered)
    assert chosen == offered
    assert cover([*fixed, *offered.values(), *offered.values()], offered) == {}
    things = set().union(*map(shown_by, chosen.values()))
    assert {("claim_777",), ("claim_777", "4")} & things
    assert [2, 1] == [wanted(thing) for thing in (("claim_777",), ("claim_777", "4"))]
