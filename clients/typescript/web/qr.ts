/** Draws texts as QR codes in the page: a link with a key in it is sent nowhere to be drawn. */

import { encode } from "uqr";
import { makeSvg } from "./dom.js";

/** The width of the light margin in modules, as ISO/IEC 18004 demands it. */
const QUIET_ZONE = 4;

/** A text as QR code with its quiet zone; true is a dark module. RangeError if it has too many bytes. */
export function qrMatrix(text: string): readonly (readonly boolean[])[] {
  return encode(text, { ecc: "M", border: QUIET_ZONE }).data;
}

/** A text as QR code with its quiet zone, of the size that the page gives it. `label` is what screen readers read. */
export function qrPicture(text: string, label: string): SVGSVGElement {
  const matrix = qrMatrix(text);
  const side = matrix.length;
  const box = { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" };
  return makeSvg(
    "svg",
    box,
    makeSvg("path", { fill: "#fff", d: `M0 0h${side}v${side}h-${side}z` }),
    makeSvg("path", { fill: "#000", d: matrix.map(rectangles).join("") }),
  );
}

/** The dark modules of a row as data of an SVG path: a rectangle for each run. */
function rectangles(modules: readonly boolean[], row: number): string {
  const runs = [...modules.map(Number).join("").matchAll(/1+/g)];
  return runs.map(({ index, 0: { length } }) => `M${index} ${row}h${length}v1h-${length}z`).join("");
}
