"""`python main.py VECTORS`: count the deals of two games by the plain engine in the archive of vectors."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

folder = Path(sys.argv[1])
spec = spec_from_file_location("plain", folder / "plain.py")
assert spec
assert spec.loader
plain = module_from_spec(spec)
sys.modules["plain"] = plain
spec.loader.exec_module(plain)

counted = 0
for path in sorted((folder / "perft").glob("*.perft")):
    for section in plain.read(path.read_text(encoding="utf-8")):
        if plain.knows(path.stem, int(section.said["players"]), section.said):
            for case in section.cases:
                assert list(plain.counted(section.said, case)) == case.counts, (section.said, case)
                counted += 1
assert counted
print(f"{counted} cases counted alike")
