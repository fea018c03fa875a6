/**
 * Draws texts as QR codes in the page: a link with a key in it is sent nowhere to be drawn.
 *
 * The symbols are those of ISO/IEC 18004:2015 in versions 1 to 20, with bytes and error correction level M. The bytes
 * are UTF-8 without a designator, which readers in phones recognize.
 */

import { bitsOf, versionFor } from "./qr_codewords.js";
import { MASKS, type Matrix, penalty } from "./qr_mask.js";
import { drawMaskNumber, drawVersionNumber, functionPatterns, placeBits } from "./qr_patterns.js";

/** Clause 6.3.8: the width of the light margin, in modules. */
const QUIET_ZONE = 4;

const SVG = "http://www.w3.org/2000/svg";

/** A text as QR code, without the quiet zone; true is a dark module. RangeError if it has more than 666 bytes. */
export function qrMatrix(text: string): Matrix {
  const { version, symbols } = maskedSymbols(text);
  const penalties = symbols.map(penalty);
  const mask = penalties.indexOf(Math.min(...penalties));
  const rows = symbols[mask] ?? [];
  drawMaskNumber(rows, mask);
  drawVersionNumber(rows, version);
  return rows;
}

/** A text under each mask, before format and version information are drawn: so masks are compared (clause 7.8.1). */
export function maskedSymbols(text: string): { readonly version: number; readonly symbols: boolean[][][] } {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  const drawing = functionPatterns(version);
  const unmasked = placeBits(drawing, bitsOf(bytes, version));
  const symbols = MASKS.map((isInverted) =>
    unmasked.map((modules, row) =>
      modules.map((dark, column) => dark !== (drawing[row]?.[column] === undefined && isInverted(row, column))),
    ),
  );
  return { version: version.number, symbols };
}

/** A text as QR code with its quiet zone, of the size that the page gives it. `label` is what screen readers read. */
export function qrPicture(text: string, label: string): SVGSVGElement {
  const matrix = qrMatrix(text);
  const side = matrix.length + 2 * QUIET_ZONE;
  const picture = makeSvg("svg", {
    viewBox: `0 0 ${side} ${side}`,
    role: "img",
    "aria-label": label,
    "shape-rendering": "crispEdges",
  });
  picture.append(
    makeSvg("path", { fill: "#fff", d: `M0 0h${side}v${side}h-${side}z` }),
    makeSvg("path", { fill: "#000", d: matrix.map(rectangles).join("") }),
  );
  return picture;
}

/** The dark modules of a row as data of an SVG path: a rectangle for each run. */
function rectangles(modules: readonly boolean[], row: number): string {
  const runs = [...modules.map(Number).join("").matchAll(/1+/g)];
  return runs
    .map(({ index, 0: { length } }) => `M${QUIET_ZONE + index} ${QUIET_ZONE + row}h${length}v1h-${length}z`)
    .join("");
}

function makeSvg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  return element;
}
