"""The files that browsers load from the service: scripts, their styles, and a record of every game as an example."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from chitarrella.transports.rest.pages import ASK_PATH, DUEL_PATH, PLAY_PATH, RECORDS_PATH, SCRIPT, STYLE

CLIENT_PATH: Final = "/client.js"
"""The path of the script with which a page of anybody shows a table."""
RECORD_PATH: Final = "/record.js"
"""The path of the script with which a page of anybody shows a record."""
SHARED_PATH: Final = "/shared.js"
"""The path of the script that the others import, with its digest as the query."""
STATIC: Final = Path(__file__).parent / "static"
"""The folder of the built scripts, of their styles and of the examples."""
RECORDS: Final = STATIC / "records"
"""The folder of the examples."""
TEXT: Final = "text/plain; charset=utf-8"
"""The content type of a record."""


class File(NamedTuple):
    """A file of `STATIC`, and its content type."""

    name: str
    kind: str


FILES: Final = {
    CLIENT_PATH: File("client.js", SCRIPT),
    RECORD_PATH: File("record.js", SCRIPT),
    f"{PLAY_PATH}page.js": File("play.js", SCRIPT),
    f"{PLAY_PATH}page.css": File("play.css", STYLE),
    f"{ASK_PATH}page.js": File("ask.js", SCRIPT),
    f"{ASK_PATH}page.css": File("ask.css", STYLE),
    f"{RECORDS_PATH}page.js": File("records.js", SCRIPT),
    f"{RECORDS_PATH}page.css": File("records.css", STYLE),
    f"{DUEL_PATH}page.js": File("duel.js", SCRIPT),
    f"{DUEL_PATH}page.css": File("duel.css", STYLE),
    **{f"{RECORDS_PATH}{path.name}": File(f"records/{path.name}", TEXT) for path in RECORDS.glob("*.txt")},
}
"""The files that are served, by path; among them a record of every game as an example."""
