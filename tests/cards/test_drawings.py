"""The drawings are SVG that every page can show: well-formed, named, safe, small, and each card unlike the others."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import chitarrella_cards as svg
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.cards import UnknownCard
from chitarrella.i18n.narration import card_name
from chitarrella_cards import shapes
from chitarrella_cards.packs import DrawnPack
from chitarrella_cards.shapes import NAMESPACE, Drawing
from tests.cards.rasterized import differences

PACKS = list(svg.PACKS.values())
ELEMENTS = {"svg", "title", "defs", "symbol", "g", "use", "path", "circle", "ellipse", "rect"}
"""What a drawing may consist of: no script, no style, no text that needs a font, nothing from elsewhere."""
ATTRIBUTES = {
    *("viewBox", "role", "id", "class", "href", "transform", "d", "x", "y", "cx", "cy", "r", "rx", "ry"),
    *("width", "height", "fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap"),
}
LEAST_DIFFERENCE = {"french": 0.015, "italian": 0.05, "spanish": 0.05, "cucco": 0.05}
"""The least share of pixels in which two cards of a pack have to differ; equal drawings differ in none.

A French card of 40 pixels of height has 1,160 pixels, and two of its number cards differ by the signs that one has
more. The smallest, a diamond, covers 20 pixels or 1.7 %: it passes with a whole one, and fails with a lost corner.
Where cards differ by more than plain signs, a twentieth is asked for, some 40 pixels: crossed batons that hid the
seventh behind the others differed in 1.5 %, and no player would have seen it.
"""


def tag(element: ElementTree.Element) -> str:
    """The name of an element without its namespace, which has to be that of SVG."""
    namespace, name = element.tag[1:].split("}")
    assert NAMESPACE == namespace
    return name


def drawings() -> Iterator[tuple[str, Drawing]]:
    """Every drawing of every pack, each with a name for messages."""
    for pack in PACKS:
        yield from ((f"{pack.id} {code}", pack.card(code)) for code in pack.pack.faces)
        yield f"{pack.id} back", pack.back()
        yield f"{pack.id} sprite", pack.sprite()


def test_drawings_have_a_name() -> None:
    """Each document says to assistive technology that it is a picture, and of what."""
    for name, drawing in drawings():
        root = ElementTree.fromstring(drawing.text)
        assert ("svg", "img", "title") == (tag(root), root.get("role"), tag(root[0])), name
        assert root[0].text, name
    assert "<title>ace of batons</title>" in str(svg.card("Ab"))
    assert "<title>XIV, the hunter</title>" in str(svg.card("XIV"))
    assert "<title>Fante &lt;di&gt; coppe</title>" in str(svg.card("Fc", title="Fante <di> coppe"))


def test_drawings_hold_nothing_that_a_strict_policy_forbids() -> None:
    """No document has another element or attribute than those of plain shapes, and no address beside its own parts."""
    for name, drawing in drawings():
        root = ElementTree.fromstring(drawing.text)
        ids = {element.get("id") for element in root.iter()}
        for element in root.iter():
            assert tag(element) in ELEMENTS, name
            assert element.attrib.keys() <= ATTRIBUTES, name
            assert (href := element.get("href")) is None or (href[0] == "#" and href[1:] in ids), f"{name}: {href}"
        assert not re.search(r"url\(|javascript:|&#|\d\.\d\d", re.sub(r"scale\([^)]*\)", "", drawing.text)), name


def test_drawings_use_the_palette() -> None:
    """Every colour is one of the palette."""
    colours = {"none", *(value for value in vars(shapes).values() if isinstance(value, str) and value.startswith("#"))}
    for name, drawing in drawings():
        assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', drawing.text)) <= colours, name


def test_ids_are_those_of_one_pack() -> None:
    """What drawings copy has a pack in its id and is the same in all, so they can stand together in a page."""
    parts: dict[str, str] = {}
    for pack in PACKS:
        for card in pack.pack.faces.values():
            for name, part in pack.parts(card).items():
                assert name.partition("-")[0] in svg.PACKS
                assert part == parts.setdefault(name, part)


def test_drawings_are_small() -> None:
    """A number card or picture takes some 4 kB, a figure at most 8, and the sprite of a pack at most 60, compressed."""
    for pack in PACKS:
        for card in pack.pack.faces.values():
            assert len(pack.card(card).text) <= (8000 if card.rank in "FCRJQK" else 4300), f"{pack.id} {card}"
        assert len(gzip.compress(pack.sprite().text.encode())) <= 60_000


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.id)
def test_sprite_has_every_card(pack: DrawnPack) -> None:
    """The sprite has a symbol for each face and the back, with the name and the drawing of the single document."""
    root = ElementTree.fromstring(pack.sprite().text)
    symbols = {element.get("id"): element for element in root.iter(f"{{{NAMESPACE}}}symbol")}
    assert [*pack.pack.faces, "back"] == list(symbols)
    for code, card in pack.pack.faces.items():
        alone = ElementTree.fromstring(pack.card(code).text)
        symbol = symbols[code]
        assert (card_name(card, pack.pack), alone.get("viewBox")) == (symbol[0].text, symbol.get("viewBox"))
        drawn = [ElementTree.tostring(part) for part in alone if tag(part) not in ("title", "defs")]
        assert drawn == [ElementTree.tostring(part) for part in symbol[1:]]


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.id)
def test_cards_are_distinct_without_their_label(pack: DrawnPack, tmp_path: Path) -> None:
    """At 40 pixels of height every two faces of a pack differ, also without index, numeral and name."""
    found = differences(pack, tmp_path)
    faces = len(pack.pack.faces)
    assert faces * (faces - 1) // 2 == len(found)
    assert {} == {pair: share for pair, share in found.items() if share < LEAST_DIFFERENCE[pack.id]}


def test_code_in_two_packs() -> None:
    """A code is taken from the first pack that has it, unless the pack is named; what no pack has is an error."""
    assert str(svg.card("As")) == str(svg.card("As", pack="italian")) != str(svg.card("As", pack="french"))
    assert str(svg.card("Ks")) == str(svg.card("Ks", pack="french"))
    with pytest.raises(UnknownCard, match="'Zz' is no card of the Italian, French or Cucco pack"):
        svg.card("Zz")
    with pytest.raises(UnknownCard):
        svg.card("Ks", pack="italian")
    with pytest.raises(KeyError):
        svg.card("Ks", pack="tarot")


def test_notebooks_show_a_drawing() -> None:
    """A drawing shows itself in a notebook as the document that it is."""
    assert str(svg.back("cucco")) == svg.back("cucco")._repr_svg_() == svg.back("cucco").text


def test_every_game_has_pictures() -> None:
    """Each card of each game is drawn."""
    for game in Catalogue():
        for card in game.pack.faces:
            assert str(svg.card(card, svg.id_of(game.pack)))
