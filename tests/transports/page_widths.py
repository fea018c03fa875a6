"""How wide Chromium lays pages out in a window of a phone: all pages in one run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from flask import Flask
from werkzeug.serving import make_server

from tests.chromium import page_of, shown

PHONE = 360
"""The width of the window, in pixels: that of a small phone."""
LEAST_TARGET = 24
"""The least height and width of a link that stands by itself, in pixels (WCAG 2.2, 2.5.8)."""

SCRIPT = """
const measured = url => new Promise((done, fail) => {
  const frame = document.createElement("iframe");
  [frame.width, frame.height] = [PHONE, 800];
  frame.onerror = fail;
  frame.onload = () => {
    const page = frame.contentDocument;
    const small = [...page.querySelectorAll("nav a, footer a, summary, .ways a, .game-list a")].filter(link => {
      const box = link.getBoundingClientRect();
      return box.width && Math.min(box.width, box.height) < LEAST_TARGET;
    });
    done({
      url,
      width: page.documentElement.scrollWidth,
      styled: getComputedStyle(page.body).marginTop === "0px",
      small: small.map(link => link.textContent.trim()),
    });
    frame.remove();
  };
  frame.src = url;
  document.body.append(frame);
});
const found = [];
for (const url of URLS) found.push(await measured(url));
return found;
"""


class Layout(NamedTuple):
    """How a page is laid out: its width, whether it has the style, and the texts of links that are too small."""

    url: str
    width: int
    styled: bool
    small: list[str]


def layouts(app: Flask, paths: Sequence[str], folder: Path) -> list[Layout]:
    """Lay out every page of ``app`` in a window as wide as a phone.

    A page of the test shows them one after the other in a frame. It is served by ``app`` too, because a browser lets a
    page look only into frames of its own origin.
    """
    page = page_of(SCRIPT, PHONE=PHONE, LEAST_TARGET=LEAST_TARGET, URLS=paths)
    app.add_url_rule("/layouts", "layouts", lambda: page)
    with served(app) as url:
        return [Layout(**found) for found in shown(f"{url}/layouts", folder, 120)]


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """Serve an application as long as the block lasts; gives its URL."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
