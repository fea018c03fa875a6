"""The pictures of the cards over HTTP."""

from __future__ import annotations

import pytest

from chitarrella import svg
from chitarrella.v1 import catalogue_pb2
from tests.transports.all_transports import Transport
from tests.transports.rest_client import Rest, failed

PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture
def curl(rest: str) -> Rest:
    """A caller without a key."""
    return Rest(rest)


@pytest.mark.parametrize(
    ("path", "drawing"),
    [
        ("/cards/italian/Ab.svg", svg.card("Ab")),
        ("/cards/french/As.svg", svg.card("As", pack="french")),
        ("/cards/cucco/MAT.svg", svg.card("MAT")),
        ("/cards/french/back.svg", svg.back("french")),
        ("/cards/cucco.svg", svg.sprite("cucco")),
    ],
)
def test_pictures_are_served_and_kept(curl: Rest, path: str, drawing: svg.Drawing) -> None:
    """A card, a back and a pack are SVG documents with a strong entity tag, which callers may keep for a day."""
    answer = curl.get(path, headers=PLAIN)
    assert (200, "image/svg+xml", str(drawing)) == (*(answer.status_code, answer.headers["Content-Type"], answer.text),)
    assert "public, max-age=86400" == answer.headers["Cache-Control"]
    tag = answer.headers["ETag"]
    assert tag.startswith('"')
    again = curl.get(path, headers={**PLAIN, "If-None-Match": tag})
    assert (304, b"", tag) == (again.status_code, again.content, again.headers["ETag"])


def test_pictures_are_compressed(curl: Rest) -> None:
    """A pack is sent compressed to a caller that accepts it, at a fifth of its length or less."""
    answer = curl.get("/cards/italian.svg", headers={"Accept-Encoding": "gzip"})
    assert "gzip" == answer.headers["Content-Encoding"]
    assert int(answer.headers["Content-Length"]) < len(answer.content) / 5


@pytest.mark.parametrize(
    "path",
    [
        *("/cards/tarot/Ab.svg", "/cards/tarot/back.svg", "/cards/tarot.svg", "/cards/italian/Zz.svg"),
        *("/cards/french/Ab.svg", "/cards/italian/ab.svg", "/cards/italian/.svg", "/cards/italian/Ab", "/cards/"),
    ],
)
def test_unknown_picture_is_a_problem(curl: Rest, path: str) -> None:
    """A pack or card that is not drawn is answered like every path at which nothing is."""
    failed(curl.get(path), 404, "no_such_route")


def test_catalogue_leads_to_the_pictures(transport: Transport, curl: Rest) -> None:
    """The picture of every card of a game is where the catalogue says."""
    for key in ("brisca", "elfern", "cucu"):
        game = transport("GetGame", catalogue_pb2.GetGameRequest(game_id=key))
        for card in game.cards:
            assert f"/{card.code}.svg" in card.picture_url
            assert 200 == curl.get(card.picture_url).status_code
