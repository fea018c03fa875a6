"""Build step: compile the translations, ``locale/*.po``, to ``locale/*.mo``, and generate the code of the contract.

Hatch calls it for a wheel and for an editable install. ``python hatch_build.py`` compiles by hand, and
``python proto/generate.py`` generates. A wheel also gets the guides of ``docs``, which the service shows as pages; an
editable install reads them in the repository.
"""

from __future__ import annotations

import runpy
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE: Final = Path("service", "chitarrella", "i18n", "locale")
GUIDES: Final = Path("chitarrella", "transports", "rest", "website", "guides")
"""The folder of the wheel for the guides."""


class BuildFiles(BuildHookInterface[Any]):
    """The hook named ``custom`` in pyproject.toml."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make what git does not keep before the files of the wheel are collected, and add the guides to them."""
        compile_translations(Path(self.root) / LOCALE)
        runpy.run_path(str(Path(self.root) / "proto" / "generate.py"))["write"]()
        if version == "editable":
            return
        guides = sorted(Path(self.root, "docs").glob("*.md"))
        build_data["force_include"].update({str(path): str(GUIDES / path.name) for path in guides})


def compile_translations(locale: Path) -> None:
    """Write a ``.mo`` beside each ``.po`` of the folder ``locale``; fuzzy and empty translations are left out.

    One that is as it should be is not touched: a service, or another build, may read it now.
    """
    for source in sorted(locale.glob("*.po")):
        with source.open("rb") as file:
            catalogue = read_po(file, abort_invalid=True)
        catalogue.creation_date = datetime.fromtimestamp(0, UTC)  # not the time of the build: equal input, equal bytes
        made, target = BytesIO(), source.with_suffix(".mo")
        write_mo(made, catalogue)
        if not target.exists() or target.read_bytes() != made.getvalue():
            target.write_bytes(made.getvalue())


if __name__ == "__main__":
    compile_translations(Path(__file__).parent / LOCALE)
