/** QR codes of the page are decoded by another program. */

import assert from "node:assert/strict";
import { test } from "node:test";
import jsqr from "jsqr";
import { qrMatrix, qrPicture } from "../qr.js";

const QUIET_ZONE = 4;
const PIXELS = 4;

/** The text that jsqr reads in a picture of modules with their quiet zone. */
function decode(modules: readonly (readonly boolean[])[]): string | undefined {
  const side = modules.length * PIXELS;
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  for (let pixel = 0; pixel < side * side; pixel++) {
    const [row, column] = [Math.floor(pixel / side / PIXELS), Math.floor((pixel % side) / PIXELS)];
    pixels.fill(modules[row]?.[column] ? 0 : 255, 4 * pixel, 4 * pixel + 3);
  }
  return jsqr.default(pixels, side, side, { inversionAttempts: "dontInvert" })?.data;
}

/** What `qrPicture` needs of an element. */
class FakeElement {
  readonly attributes: Record<string, string> = {};
  readonly children: FakeElement[] = [];

  constructor(
    readonly namespace: string,
    readonly tag: string,
  ) {}

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }

  append(...children: FakeElement[]): void {
    this.children.push(...children);
  }
}

const START = "https://spiele.example/play/#match=7&name=Jürgen Müßiggänger&key=";
const LINKS = ["a", ...[8, 200, 500].map((length) => START + "0f".repeat(length))];

test("a picture of a text of any length is white with black modules that are read, and has a label and no size", () => {
  LINKS.forEach(readBack);
  assert.throws(() => qrPicture("a".repeat(3000), "Invitation"), RangeError);
});

function readBack(link: string): void {
  const createElementNS = (namespace: string, tag: string) => new FakeElement(namespace, tag);
  Object.assign(globalThis, { document: { createElementNS } });
  const picture = qrPicture(link, "Invitation") as unknown as FakeElement;
  const side = qrMatrix(link).length;
  assert.deepEqual(picture.attributes, {
    viewBox: `0 0 ${side} ${side}`,
    role: "img",
    "aria-label": "Invitation",
    "shape-rendering": "crispEdges",
  });
  const [light, dark, ...others] = picture.children;
  const elements = [picture, ...picture.children].map(({ namespace, tag }) => `${namespace} ${tag}`);
  const names = ["svg", "path", "path"].map((tag) => `http://www.w3.org/2000/svg ${tag}`);
  assert.deepEqual([elements, others], [names, []]);
  assert.deepEqual(light?.attributes, { fill: "#fff", d: `M0 0h${side}v${side}h-${side}z` });
  assert.equal(dark?.attributes["fill"], "#000");
  const modules = Array.from({ length: side }, () => new Array<boolean>(side).fill(false));
  const path = dark.attributes["d"] ?? "";
  assert.match(path, /^(M\d+ \d+h(\d+)v1h-\2z)+$/);
  for (const [, column, row, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    modules[Number(row)]?.fill(true, Number(column), Number(column) + Number(length));
  }
  const margin = [...modules.slice(0, QUIET_ZONE), ...modules.slice(-QUIET_ZONE)].flat();
  assert.ok(!margin.includes(true));
  assert.equal(decode(modules), link);
}
