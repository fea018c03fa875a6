"""Cards as Chromium draws them, small, and by how much they differ from each other."""

import json
import re
import shutil
import subprocess
from base64 import b64encode
from html import unescape
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from chitarrella_cards.packs import DrawnPack
from chitarrella_cards.shapes import NAMESPACE, Drawing

SPARE_SECONDS = 80  # how much longer than its script the browser may take; the machine may be busy
HEIGHT = 40  # how high the cards are drawn, in pixels: about what a phone shows of a hand of ten
NOTICEABLE = 48
"""By how much of 255 a pixel has to differ in a colour to count: less is what smoothed edges make of the same line."""

SCRIPT = """
const drawn = async source => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const context = canvas.getContext("2d", {willReadFrequently: true});
  context.drawImage(image, 0, 0, WIDTH, HEIGHT);
  return context.getImageData(0, 0, WIDTH, HEIGHT).data;
};
const differing = (one, other) => {
  let count = 0;
  for (let at = 0; at < one.length; at += 4)
    if ([0, 1, 2, 3].some(part => Math.abs(one[at + part] - other[at + part]) > NOTICEABLE)) count++;
  return count / (one.length / 4);
};
const sheet = await Promise.all(SOURCES.map(drawn));
return sheet.map(one => sheet.map(other => differing(one, other)));
"""


def page_of(script: str, **constants: object) -> str:
    """A page that runs an asynchronous ``script``, which returns what the page then shows; it knows ``constants``."""
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    run = (
        f"(async () => {{ {script} }})().then(found => {{ document.body.textContent = JSON.stringify(found); }})"
        ".catch(error => { document.body.textContent = `failed: ${error}`; });"
    )
    return f"<!doctype html><meta charset=utf-8><body><script>{head}{run}</script></body>"


def shown(url: str, profile: Path, seconds: int) -> Any:
    """What the page of `page_of` at ``url`` shows after ``seconds`` of its own time at most, in a new ``profile``."""
    if not (chromium := shutil.which("chromium")):
        pytest.skip("chromium: there is no Chromium on the PATH; on Debian: apt-get install chromium")
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-proxy-server", "--hide-scrollbars",
               f"--user-data-dir={profile}", f"--virtual-time-budget={seconds * 1000}", "--dump-dom", url]  # fmt: skip
    timeout = seconds + SPARE_SECONDS
    result = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=True)
    body = re.search(r"<body>(.*)</body>", result.stdout, re.DOTALL)
    assert body, result.stdout[-500:]
    return json.loads(unescape(body[1]))


def without_label(drawing: Drawing) -> str:
    ElementTree.register_namespace("", NAMESPACE)
    root = ElementTree.fromstring(drawing.text)
    labels = [(parent, child) for parent in root.iter() for child in parent if child.get("class") == "label"]
    assert labels, f"{drawing.text[:200]} has no label"
    for parent, child in labels:
        parent.remove(child)
    return ElementTree.tostring(root, encoding="unicode")


def differences(pack: DrawnPack, folder: Path) -> dict[tuple[str, str], float]:
    """The share of pixels in which every two cards of a pack differ without labels, drawn in one run of Chromium."""
    codes = list(pack.pack.faces)
    pictures = [without_label(pack.card(code)).encode() for code in codes]
    sources = [f"data:image/svg+xml;base64,{b64encode(one).decode()}" for one in pictures]
    width = round(HEIGHT * pack.size[0] / pack.size[1])
    page = folder / "sheet.html"
    page.write_text(page_of(SCRIPT, WIDTH=width, HEIGHT=HEIGHT, NOTICEABLE=NOTICEABLE, SOURCES=sources))
    shares = shown(page.as_uri(), folder / "profile", 20)
    pairs = combinations(range(len(codes)), 2)
    return {(codes[one], codes[other]): shares[one][other] for one, other in pairs}
