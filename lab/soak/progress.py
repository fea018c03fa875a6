"""The progress of the soak test: progress.txt, a line for the rule sets of a game that come as far."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path

from chitarrella.catalogue.registry import RuleSet
from chitarrella_testing.checks import LAWS
from tests.walks import CATALOGUE, name

FILE = Path(__file__).with_name("progress.txt")
DEFAULT = "-"  # the word for a rule set without an option
HEAD = """\
# What `make soak` has held against the laws so far: edition of the rules, number of laws, deals, and the rule sets:
# the game, some numbers of players, and what was played with each of them: the default (-), or values of one option.
# Deals of another edition count for nothing. Deals under fewer laws than there are now are played anew.
"""


class SoakProgress(Counter[str]):
    """Checked deals by rule set; the key is its name, its edition and the number of laws."""

    @classmethod
    def read(cls, path: Path = FILE) -> SoakProgress:
        """Read the file; lines of older editions or fewer laws stay, under keys that are not used any more."""
        progress = cls()
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            if line and not line.startswith("#"):
                edition, laws, deals, key, *words = line.split()
                tables: list[str] = []
                for word in words:
                    if word[0].isdecimal():
                        tables = [f"{key}-{players}" for players in word.split(",")]
                        continue
                    option, _, values = word.partition("=")
                    tails = [f"-{option}={value}" if values else "" for value in values.split(",")]
                    titles = [f"{table}{tail} {edition} {laws}" for table in tables for tail in tails]
                    progress.update(dict.fromkeys(titles, int(deals)))
        return progress

    def deals(self, rule_set: RuleSet) -> int:
        return self[_key(rule_set)]

    def most(self, rule_set: RuleSet) -> tuple[int, int]:
        """The most deals of a rule set that held under any number of laws, and that number: (deals, laws)."""
        edition = _key(rule_set).rpartition(" ")[0]
        keys = [key.rpartition(" ") for key in self]
        return max(((self[f"{at} {laws}"], int(laws)) for at, _, laws in keys if at == edition), default=(0, 0))

    def add(self, rule_set: RuleSet, first: int, deals: int) -> None:
        """Count ``deals`` deals from ``first`` on, each once, and only if none before them is missing."""
        if first <= (held := self.deals(rule_set)):
            self[_key(rule_set)] = max(held, first + deals)

    def write(self, path: Path = FILE) -> None:
        rows = defaultdict[tuple[str, str], defaultdict[str, list[int]]](lambda: defaultdict(list))
        for title, deals in sorted(self.items()):
            at, edition, laws = title.split()
            key, players, tail = re.split(r"-(\d+)-?", at, maxsplit=1)
            rows[key, f"{edition} {laws} {deals} {key}"][tail or DEFAULT].append(int(players))
        lines = []
        for (_, head), played in rows.items():
            tables = defaultdict[tuple[int, ...], defaultdict[str, list[str]]](lambda: defaultdict(list))
            for word, seated in played.items():
                option, _, value = word.partition("=")
                tables[tuple(sorted(seated))][option].append(value)
            words = [head]
            for players, options in sorted(tables.items()):
                words.append(",".join(map(str, players)))
                words += (f"{option}={','.join(values)}".removesuffix("=") for option, values in options.items())
            lines.append(f"{' '.join(words)}\n")
        path.write_text(HEAD + "".join(lines), encoding="utf-8")


def _key(rule_set: RuleSet) -> str:
    return f"{name(rule_set)} {CATALOGUE.game_for(rule_set).edition} {len(LAWS)}"
