/** The codewords of a QR code: bytes, padding and error correction (ISO/IEC 18004:2015, 7.4 to 7.6). */

import { errorCorrection } from "./reed_solomon.js";

/** A size of symbols, with error correction level M. */
export interface Version {
  readonly number: number;
  /** Of the whole symbol. */
  readonly codewords: number;
  /** Error correction codewords of each block. */
  readonly correction: number;
  readonly blocks: number;
  /** The rows, and the columns, of the centres of alignment patterns. */
  readonly centres: readonly number[];
}

type Row = readonly [codewords: number, correction: number, blocks: number, ...centres: number[]];

/** Versions 1 to 20: Table 1 for codewords, Table 9 (level M) for blocks, Table E.1 for alignment patterns. */
const ROWS: readonly Row[] = [
  [26, 10, 1],
  [44, 16, 1, 6, 18],
  [70, 26, 1, 6, 22],
  [100, 18, 2, 6, 26],
  [134, 24, 2, 6, 30],
  [172, 16, 4, 6, 34],
  [196, 18, 4, 6, 22, 38],
  [242, 22, 4, 6, 24, 42],
  [292, 22, 5, 6, 26, 46],
  [346, 26, 5, 6, 28, 50],
  [404, 30, 5, 6, 30, 54],
  [466, 22, 8, 6, 32, 58],
  [532, 22, 9, 6, 34, 62],
  [581, 24, 9, 6, 26, 46, 66],
  [655, 24, 10, 6, 26, 48, 70],
  [733, 28, 10, 6, 26, 50, 74],
  [815, 28, 11, 6, 30, 54, 78],
  [901, 26, 13, 6, 30, 56, 82],
  [991, 26, 14, 6, 30, 58, 86],
  [1085, 26, 16, 6, 34, 62, 90],
];

const VERSIONS: readonly Version[] = ROWS.map(([codewords, correction, blocks, ...centres], index) => {
  return { number: index + 1, codewords, correction, blocks, centres };
});

/** Table 2: the mode indicator of bytes, of four bits. */
const BYTE_MODE = 0b0100;

/** Table 2: the terminator, of four bits. */
const TERMINATOR = 0b0000;

/** Table 3: the highest version whose count of bytes has 8 bits; in those above it has 16. */
const LAST_SHORT_COUNT = 9;

/** Clause 7.4.10: the codewords that fill up the data, in turn. */
const PADDING = [0b1110_1100, 0b0001_0001] as const;

/** The smallest version for so many bytes. RangeError if there is none. */
export function versionFor(bytes: number): Version {
  const version = VERSIONS.find((one) => bytes <= capacity(one));
  if (!version) {
    throw new RangeError(`${bytes} bytes are too many for a QR code of version ${VERSIONS.length}`);
  }
  return version;
}

/** All bits of a symbol, in the order of their modules. */
export function bitsOf(bytes: Uint8Array, version: Version): readonly boolean[] {
  const codewords = interleave(dataCodewords(bytes, version), version);
  return codewords.flatMap((codeword) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => ((codeword >> bit) & 1) === 1));
}

function dataLength({ codewords, correction, blocks }: Version): number {
  return codewords - correction * blocks;
}

function countLength({ number }: Version): number {
  return number > LAST_SHORT_COUNT ? 2 : 1;
}

/** The bytes that a version has room for; mode and terminator together are one. */
function capacity(version: Version): number {
  return dataLength(version) - countLength(version) - 1;
}

/** Clause 7.4: mode, count, bytes and terminator, in groups of four bits; then padding. */
function dataCodewords(bytes: Uint8Array, version: Version): readonly number[] {
  const count = [bytes.length >> 8, bytes.length & 0xff].slice(-countLength(version));
  const halves = [...count, ...bytes].flatMap((byte) => [byte >> 4, byte & 0xf]);
  const groups = [BYTE_MODE, ...halves, TERMINATOR];
  const used = groups.length / 2;
  return Array.from({ length: dataLength(version) }, (_, index) => {
    const [high = 0, low = 0] = groups.slice(2 * index, 2 * index + 2);
    return index < used ? (high << 4) | low : (PADDING[(index - used) % 2] ?? 0);
  });
}

/** Clause 7.6: first the data of all blocks in turn, then their error correction; the last blocks may have one more. */
function interleave(data: readonly number[], { correction, blocks }: Version): readonly number[] {
  const shorter = Math.floor(data.length / blocks);
  const firstLonger = blocks - (data.length % blocks);
  const parts = Array.from({ length: blocks }, (_, block) => {
    const start = block * shorter + Math.max(0, block - firstLonger);
    return data.slice(start, start + shorter + (block >= firstLonger ? 1 : 0));
  });
  return [...inTurn(parts), ...inTurn(parts.map((part) => errorCorrection(part, correction)))];
}

/** The first of each part, then the second of each, and so on. */
function inTurn(parts: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(...parts.map((part) => part.length));
  return Array.from({ length: longest }, (_, index) => parts.flatMap((part) => part.slice(index, index + 1))).flat();
}
