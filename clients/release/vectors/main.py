"""`python main.py VECTORS`: count the deals of two games by the plain engine in the archive of vectors."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

GAMES = ("briscola", "briscolone")
"""The games that the plain engine plays."""

folder = Path(sys.argv[1])
spec = spec_from_file_location("plain", folder / "plain.py")
assert spec
assert spec.loader
plain = module_from_spec(spec)
sys.modules["plain"] = plain
spec.loader.exec_module(plain)

counted = 0
for game in GAMES:
    for section in plain.read((folder / "perft" / f"{game}.perft").read_text(encoding="utf-8")):
        if section.said["players"] == "2" and "deuce_exchange" not in section.said:
            for deal in section.deals:
                assert list(plain.counted(section.said, deal)) == deal.counts, (game, section.said, deal)
                counted += 1
assert counted
print(f"{counted} deals counted alike")
