"""Cards as Chromium draws them, small, and by how much they differ from each other."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from base64 import b64encode
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from chitarrella.svg.drawing import Drawing
from chitarrella.svg.packs import DrawnPack
from chitarrella.svg.shapes import NAMESPACE

HEIGHT = 40
"""How high the cards are drawn, in pixels: about what a phone shows of a hand of ten."""
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
(async () => {
  const sheet = await Promise.all(SOURCES.map(drawn));
  document.body.textContent = JSON.stringify(sheet.map(one => sheet.map(other => differing(one, other))));
})().catch(error => { document.body.textContent = `failed: ${error}`; });
"""


def without_label(drawing: Drawing) -> str:
    """The drawing without index, numeral and name."""
    ElementTree.register_namespace("", NAMESPACE)
    root = ElementTree.fromstring(drawing.text)
    labels = [(parent, child) for parent in root.iter() for child in parent if child.get("class") == "label"]
    assert labels, f"{drawing.text[:200]} has no label"
    for parent, child in labels:
        parent.remove(child)
    return ElementTree.tostring(root, encoding="unicode")


def differences(pack: DrawnPack, folder: Path) -> dict[tuple[str, str], float]:
    """The share of pixels in which every two cards of a pack differ without labels, drawn in one run of Chromium."""
    if not (chromium := shutil.which("chromium")):
        pytest.skip("chromium: there is no Chromium on the PATH; on Debian: apt-get install chromium")
    codes = list(pack.pack.faces)
    sources = [
        f"data:image/svg+xml;base64,{b64encode(without_label(pack.card(code)).encode()).decode()}" for code in codes
    ]
    width = round(HEIGHT * pack.size[0] / pack.size[1])
    head = f"const WIDTH = {width}, HEIGHT = {HEIGHT}, NOTICEABLE = {NOTICEABLE}, SOURCES = {json.dumps(sources)};"
    page = folder / "sheet.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><body><script>{head}{SCRIPT}</script></body>")
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
               "--virtual-time-budget=20000", "--dump-dom", page.as_uri()]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    body = re.search(r"<body>(.*)</body>", result.stdout, re.DOTALL)
    assert body, result.stdout[-500:]
    shares = json.loads(unescape(body[1]))
    return {
        (one, other): shares[place][place + 1 + behind]
        for place, one in enumerate(codes)
        for behind, other in enumerate(codes[place + 1 :])
    }
