"""Write the playthroughs: what is kept, or the full set.

Kept are the playthroughs by the fixed rule, and of the deals that show something those that are needed to show all of
it. The latter are chosen anew for a game that has none of its edition. A playthrough that was released is left alone
while the edition of its game is the same: matches that are kept under that edition would change under the feet of their
players. What was played by an edition before goes into the folder of that edition.
"""

from __future__ import annotations

from collections.abc import Iterable
from multiprocessing import Pool
from pathlib import Path

from chitarrella.catalogue.registry import RuleSet
from tests.playthroughs.cover import cover
from tests.playthroughs.fixed_play import (
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
)
from tests.playthroughs.random_deals import SIGN, chosen
from tests.walks import CATALOGUE, name


def write(*, afresh: bool) -> list[str]:
    """Write what may be written; gives what was not, and why.

    ``afresh`` chooses anew all deals that were not released.
    """
    old, lines = kept(), manifest(RELEASED)
    new, entries, refused = wanted(old, afresh=afresh), dict[str, str](), list[str]()
    for title, text in new.items():
        line = entry(title, text)
        before = lines.get(title, line)
        if before != line and before.split()[1] == line.split()[1]:
            refused.append(f"{title} has changed; raise the edition of the game from {before.split()[1]}")
            new[title], line = old[title], before
        entries[title] = line
    for title, text in old.items():
        game, edition = heading(text, "game"), int(heading(text, "edition"))
        if edition < CATALOGUE.game(game).edition:
            retire(FOLDER, game, edition, {title: text})
    save(FOLDER, new)
    MANIFEST.write_text("".join(f"{entries[title]}\n" for title in sorted(entries)), encoding="utf-8")
    return refused


def write_full(folder: Path) -> list[Path]:
    """Write all playthroughs: by the fixed rule, and all deals that were chosen for a rule set."""
    with Pool() as pool:
        return save(folder, together(pool.imap(whole, rule_sets())))


def save(folder: Path, texts: dict[str, str]) -> list[Path]:
    """Write a file for every game."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for game in CATALOGUE:
        paths.append(folder / f"{game.key}.txt")
        of_it = {title: text for title, text in texts.items() if heading(text, "game") == game.key}
        paths[-1].write_text(file_of(game.key, of_it), encoding="utf-8")
    return sorted(paths)


def wanted(old: dict[str, str], *, afresh: bool) -> dict[str, str]:
    """What is to be kept: all by the fixed rule; and of deals that show something those there are, or new ones."""
    stay = manifest(RELEASED) if afresh else old
    shown = {title: text for title, text in old.items() if SIGN in title and is_current(text) and title in stay}
    there = {heading(text, "game") for text in shown.values()}
    with Pool() as pool:
        found = together(pool.imap(fixed, rule_sets()))
        new = together(pool.imap(chosen, [rule_set for rule_set in rule_sets() if rule_set.game not in there]))
    for game in CATALOGUE:
        offered = {title: text for title, text in new.items() if heading(text, "game") == game.key}
        found |= cover([text for text in found.values() if heading(text, "game") == game.key], offered)
    return found | shown


def together(parts: Iterable[dict[str, str]]) -> dict[str, str]:
    """Put the playthroughs of several rule sets into one."""
    return {title: text for part in parts for title, text in part.items()}


def is_current(text: str) -> bool:
    """Whether a playthrough is of the present edition of its game."""
    return int(heading(text, "edition")) == CATALOGUE.game(heading(text, "game")).edition


def retire(folder: Path, game: str, edition: int, texts: dict[str, str]) -> Path:
    """Put playthroughs into the file of the edition that they were played by; gives that file."""
    path = folder / f"edition-{edition}" / f"{game}.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text(file_of(game, read_file(path) | texts), encoding="utf-8")
    return path


def fixed(rule_set: RuleSet) -> dict[str, str]:
    """The match of a rule set by the fixed rule, if it has one."""
    written = playthrough(rule_set)
    return {} if written is None else {name(rule_set): written}


def whole(rule_set: RuleSet) -> dict[str, str]:
    """All playthroughs of a rule set."""
    return fixed(rule_set) | chosen(rule_set)
