/** The modules of a QR code and their places (ISO/IEC 18004:2015, 6.3, 7.7, 7.9 and 7.10). */

import type { Version } from "./qr_codewords.js";

/** The row and the column of a module. */
type Place = readonly [row: number, column: number];

/** The rows of a symbol while it is drawn: true is dark; undefined is a module of a codeword, before it is placed. */
type Drawing = (boolean | undefined)[][];

/** Clause 6.3.5: the row and the column of the timing patterns. */
const TIMING = 6;

/** Clause 7.9.1: the row and the column of the format information. */
const FORMAT = 8;

/** Table 12: the indicator of error correction level M. */
const LEVEL_M = 0b00;

/** Annex C: the divisor for the check bits of the format information, and the mask over all of it. */
const FORMAT_DIVISOR = 0b101_0011_0111;
const FORMAT_MASK = 0b101_0100_0001_0010;

/** Clause 7.10: the lowest version with version information. */
const FIRST_NUMBERED = 7;

/** Annex D: the divisor for the check bits of the version information. */
const VERSION_DIVISOR = 0b1_1111_0010_0101;

/** Clauses 6.3.3 and 6.3.4: the sides of the squares of a finder pattern, with its separator. */
const FINDER = [9, 7, 5, 3];

/** Clause 6.3.6: the sides of the squares of an alignment pattern. */
const ALIGNMENT = [5, 3, 1];

/** All that depends on the version alone. Format and version information are light while masks are compared (7.8.1). */
export function functionPatterns({ number, centres }: Version): Drawing {
  const size = 4 * number + 17;
  const drawing: Drawing = Array.from({ length: size }, () => new Array(size).fill(undefined));
  for (let index = 0; index < size; index++) {
    draw(drawing, [TIMING, index], index % 2 === 0);
    draw(drawing, [index, TIMING], index % 2 === 0);
  }
  const [near, far] = [3, size - 4];
  for (const centre of [
    [near, near],
    [near, far],
    [far, near],
  ] as const) {
    drawSquares(drawing, centre, FINDER);
  }
  for (const centre of alignmentCentres(centres)) {
    drawSquares(drawing, centre, ALIGNMENT);
  }
  drawFormat(drawing, 0);
  drawVersion(drawing, number, 0);
  draw(drawing, alwaysDark(drawing), false);
  return drawing;
}

/** A drawing with the bits of codewords in their order; the up to seven modules behind them are 0 (Table 1). */
export function placeBits(drawing: Drawing, bits: readonly boolean[]): boolean[][] {
  const rows = drawing.map((modules) => modules.map((dark) => dark ?? false));
  for (const [index, place] of codewordPlaces(drawing).entries()) {
    draw(rows, place, bits[index] ?? false);
  }
  return rows;
}

/** Draws level and mask, and the one module that is dark in every symbol (clause 7.9.1). */
export function drawMaskNumber(rows: boolean[][], mask: number): void {
  drawFormat(rows, withCheckBits((LEVEL_M << 3) | mask, FORMAT_DIVISOR) ^ FORMAT_MASK);
  draw(rows, alwaysDark(rows), true);
}

/** Draws the number of the version, from 7 on (clause 7.10). */
export function drawVersionNumber(rows: boolean[][], number: number): void {
  drawVersion(rows, number, withCheckBits(number, VERSION_DIVISOR));
}

/** The modules of codewords: two columns at a time, upwards, then downwards (clause 7.7.3). */
function codewordPlaces(drawing: Drawing): readonly Place[] {
  const ascending = [...drawing.keys()];
  const descending = [...ascending].reverse();
  const columns = descending.filter((column) => column !== TIMING);
  const places = columns.flatMap((right, index): readonly Place[] => {
    const left = columns[index + 1];
    if (index % 2 === 1 || left === undefined) {
      return [];
    }
    const rows = index % 4 === 0 ? descending : ascending;
    return rows.flatMap((row): readonly Place[] => [
      [row, right],
      [row, left],
    ]);
  });
  return places.filter(([row, column]) => drawing[row]?.[column] === undefined);
}

/** The place beside the end of the format information. */
function alwaysDark(drawing: Drawing): Place {
  return [drawing.length - FORMAT, FORMAT];
}

/** Table E.1: every row with every column, but for the corners of the finder patterns. */
function alignmentCentres(centres: readonly number[]): readonly Place[] {
  const last = centres.at(-1);
  const corners = [`${TIMING},${TIMING}`, `${TIMING},${last}`, `${last},${TIMING}`];
  const all = centres.flatMap((row) => centres.map((column): Place => [row, column]));
  return all.filter((place) => !corners.includes(place.join()));
}

/** Figure 25: bit 0 is the lowest. Each bit is beside the upper left finder pattern, and beside one of the others. */
function drawFormat(drawing: Drawing, bits: number): void {
  const end = drawing.length - 1;
  const beside = [0, 1, 2, 3, 4, 5, 7, 8]; // without the timing pattern
  for (let bit = 0; bit < 15; bit++) {
    const dark = isSet(bits, bit);
    const rest = 14 - bit;
    draw(drawing, bit < 8 ? [beside[bit] ?? 0, FORMAT] : [FORMAT, beside[rest] ?? 0], dark);
    draw(drawing, bit < 8 ? [FORMAT, end - bit] : [end - rest, FORMAT], dark);
  }
}

/** Figures 27 and 28: three modules wide, above the lower left finder pattern and left of the upper right one. */
function drawVersion(drawing: Drawing, number: number, bits: number): void {
  if (number < FIRST_NUMBERED) {
    return;
  }
  for (let bit = 0; bit < 18; bit++) {
    const [along, across] = [Math.floor(bit / 3), drawing.length - 11 + (bit % 3)];
    draw(drawing, [across, along], isSet(bits, bit));
    draw(drawing, [along, across], isSet(bits, bit));
  }
}

/** A value and behind it the remainder of its division, as polynomials over two elements (Annexes C and D). */
function withCheckBits(value: number, divisor: number): number {
  const shifted = value << (bitLength(divisor) - 1);
  let remainder = shifted;
  while (bitLength(remainder) >= bitLength(divisor)) {
    remainder ^= divisor << (bitLength(remainder) - bitLength(divisor));
  }
  return shifted | remainder;
}

function bitLength(value: number): number {
  return 32 - Math.clz32(value);
}

function isSet(bits: number, bit: number): boolean {
  return ((bits >> bit) & 1) === 1;
}

/** Draws squares about a centre, the widest first. The innermost is dark, and each around it has the other colour. */
function drawSquares(drawing: Drawing, [row, column]: Place, sides: readonly number[]): void {
  for (const [index, side] of sides.entries()) {
    const [top, left] = [row - (side - 1) / 2, column - (side - 1) / 2];
    for (let module = 0; module < side * side; module++) {
      draw(drawing, [top + Math.floor(module / side), left + (module % side)], (sides.length - index) % 2 === 1);
    }
  }
}

/** Colours a module, if it is inside the symbol; separators are not everywhere. */
function draw(drawing: Drawing, [row, column]: Place, dark: boolean): void {
  const modules = drawing[row];
  if (modules && column in modules) {
    modules[column] = dark;
  }
}
