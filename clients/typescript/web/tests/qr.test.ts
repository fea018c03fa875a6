/** QR codes of the page are decoded by another program. */

import assert from "node:assert/strict";
import { test } from "node:test";
import jsqr from "jsqr";
import { qrMatrix, qrPicture } from "../qr.js";

type Matrix = readonly (readonly boolean[])[];

const QUIET_ZONE = 4;
const PIXELS = 4;

/** The text that jsqr reads in a picture of modules with their quiet zone. */
function decode(modules: Matrix): string | undefined {
  const side = modules.length * PIXELS;
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  for (let pixel = 0; pixel < side * side; pixel++) {
    const [row, column] = [Math.floor(pixel / side / PIXELS), Math.floor((pixel % side) / PIXELS)];
    pixels.fill(modules[row]?.[column] ? 0 : 255, 4 * pixel, 4 * pixel + 3);
  }
  return jsqr.default(pixels, side, side, { inversionAttempts: "dontInvert" })?.data;
}

test("texts of every length and with umlauts are read", () => {
  const start = "https://spiele.example/play/#match=7&name=Jürgen Müßiggänger&key=";
  for (const text of ["a", ...[8, 50, 100, 200, 300, 500].map((length) => start + "0f".repeat(length))]) {
    const matrix = qrMatrix(text);
    assert.equal(decode(matrix), text);
    const margin = [...matrix.slice(0, QUIET_ZONE), ...matrix.slice(-QUIET_ZONE)].flat();
    assert.ok(!margin.includes(true));
  }
});

test("a text that is too long is refused", () => {
  assert.throws(() => qrMatrix("a".repeat(3000)), RangeError);
});

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

test("a picture is white with black modules, and has a label and no size", () => {
  const link = "https://spiele.example/play/#key=0123456789abcdef";
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
  assert.deepEqual(modules, qrMatrix(link));
  assert.equal(decode(modules), link);
});
