/** QR codes are decoded by another program, and are the symbols that the standard and other encoders give. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import jsqr from "jsqr";
import { maskedSymbols, qrMatrix, qrPicture } from "../qr.js";
import { type Matrix, penalty } from "../qr_mask.js";
import { errorCorrection } from "../reed_solomon.js";

/** ISO/IEC 18004:2015, Table 7: the most bytes of the versions 1 to 20 with error correction level M. */
const CAPACITIES = [
  14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
] as const;

/** The beginnings of SHA-256 of the fullest symbols of each version, drawn by segno 1.6.6: see `digest` and `ascii`. */
const SEGNO: readonly string[] = [
  "8f6faa7b34ef327e",
  "16a94bead35597d5",
  "869a8fa10ed83b10",
  "ef37edc4d9a61fbc",
  "1aef9b212e404635",
  "fb84e72e73ab45ee",
  "98002ae7d2b2112e",
  "45c0ed4243581b75",
  "f1fb0e24dcc1ca94",
  "b0c779f44072ed2b",
  "60e5877e1452dea8",
  "c604ea1cb5cd2017",
  "0e8ac88ca9a4d9e4",
  "9405e2bc5b155dea",
  "a23ceb8fa397a4f0",
  "438c99910a3e4164",
  "5100fa8c79b696f5",
  "0dc3a0eee3b2a2db",
  "b8add0675ecffae8",
  "7b30305fe30df658",
];

/** The same of the text "a", whose symbol is padded; drawn by qrcodegen 1.8.0 with mask 5. */
const PADDED = "e8ab680854e4019c";

const QUIET_ZONE = 4;
const PIXELS = 4;

/** A text of so many characters of ASCII. */
function ascii(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * index) % 94))).join("");
}

function digest(matrix: Matrix): string {
  const rows = matrix.map((row) => row.map(Number).join(""));
  return createHash("sha256").update(rows.join("\n")).digest("hex").slice(0, 16);
}

/** The text and the version that jsqr reads in a picture of modules with their quiet zone. */
function decode(modules: Matrix): { text: string | undefined; version: number | undefined } {
  const side = modules.length * PIXELS;
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  for (let pixel = 0; pixel < side * side; pixel++) {
    const [row, column] = [Math.floor(pixel / side / PIXELS), Math.floor((pixel % side) / PIXELS)];
    pixels.fill(modules[row]?.[column] ? 0 : 255, 4 * pixel, 4 * pixel + 3);
  }
  const found = jsqr.default(pixels, side, side, { inversionAttempts: "dontInvert" });
  return { text: found?.data, version: found?.version };
}

function withQuietZone(matrix: Matrix): Matrix {
  const side = matrix.length + 2 * QUIET_ZONE;
  return Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (_, column) => matrix[row - QUIET_ZONE]?.[column - QUIET_ZONE] ?? false),
  );
}

function read(text: string): { text: string | undefined; version: number | undefined } {
  return decode(withQuietZone(qrMatrix(text)));
}

/** Seeded numbers below a limit, from the generator "minimal standard" of Park and Miller. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

test("the fullest symbol of every version is read, and one more byte takes the next version", () => {
  for (const [index, bytes] of CAPACITIES.entries()) {
    assert.deepEqual(read(ascii(bytes)), { text: ascii(bytes), version: index + 1 });
    if (index + 1 < CAPACITIES.length) {
      assert.deepEqual(read(ascii(bytes + 1)), { text: ascii(bytes + 1), version: index + 2 });
    }
  }
});

test("a text with more bytes than version 20 has is refused, whatever its characters", () => {
  assert.throws(() => qrMatrix(ascii(667)), RangeError);
  assert.throws(() => qrMatrix("ü".repeat(334)), RangeError);
  assert.equal(qrMatrix("ü".repeat(333)).length, 97);
});

test("one byte is read", () => {
  assert.deepEqual(read("a"), { text: "a", version: 1 });
});

test("a link of 300 bytes with umlauts is read", () => {
  const start = "https://spiele.example/play/#match=7&name=Jürgen Müßiggänger&key=";
  const link = start + "0f".repeat(150).slice(0, 300 - Buffer.byteLength(start));
  assert.equal(Buffer.byteLength(link), 300);
  assert.deepEqual(read(link), { text: link, version: 13 });
});

test("random texts are read", () => {
  const below = numbers(18_004);
  const alphabet = [..."abcXYZ0189 -_.~:/?#[]@!$&'()*+,;=%äöüßéñ€漢字🂡🃏\n"];
  for (let count = 0; count < 50; count++) {
    const characters = Array.from({ length: 1 + below(320) }, () => alphabet[below(alphabet.length)] ?? "");
    const text = characters.join("");
    assert.equal(read(text).text, text);
  }
});

test("symbols are those of other encoders, module by module", () => {
  assert.deepEqual(
    CAPACITIES.map((bytes) => digest(qrMatrix(ascii(bytes)))),
    SEGNO,
  );
  assert.equal(digest(qrMatrix("a")), PADDED);
});

test("error correction is that of the example in Annex I", () => {
  const data = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11];
  const expected = [0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55];
  assert.deepEqual(errorCorrection(data, 10), expected);
});

test("the mask with the lowest penalty is taken, and is in both copies of the format information", () => {
  // The symbol of Figure 1; penalties by S. Cadot, "Suggested improvements for standard ISO/IEC 18004:2024" (2025).
  const penalties = [1219, 1195, 1189, 1182, 1142, 1107, 1116, 1198];
  assert.deepEqual(maskedSymbols("QR Code Symbol").symbols.map(penalty), penalties);
  const matrix = qrMatrix("QR Code Symbol");
  const across = (matrix[8] ?? []).map(Number).join("");
  const down = matrix.map((row) => Number(row[8])).join("");
  const expected = "100000011001110"; // Annex C: level M, mask 5
  assert.equal(across.slice(0, 6) + across.slice(7, 8) + across.slice(-8), expected);
  const upwards = [...down].reverse().join("");
  assert.equal(upwards.slice(0, 7) + upwards.slice(12, 14) + upwards.slice(15), expected);
  assert.equal(upwards.slice(7, 8), "1"); // dark in every symbol
});

test("both copies of the version information are those of Annex D", () => {
  const matrix = qrMatrix(ascii(122));
  const end = matrix.length - 1;
  const indexes = Array.from({ length: 18 }, (_, index) => [5 - Math.floor(index / 3), end - 8 - (index % 3)] as const);
  const expected = "000111110010010100"; // version 7
  assert.equal(indexes.map(([row, column]) => Number(matrix[row]?.[column])).join(""), expected);
  assert.equal(indexes.map(([column, row]) => Number(matrix[row]?.[column])).join(""), expected);
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
  const side = qrMatrix(link).length + 2 * QUIET_ZONE;
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
  assert.deepEqual(modules, withQuietZone(qrMatrix(link)));
  assert.equal(decode(modules).text, link);
});
