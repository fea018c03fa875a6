/** Masks of QR codes, and the score that chooses among them (ISO/IEC 18004:2015, 7.8). */

/** The rows of a symbol; true is a dark module. */
export type Matrix = readonly (readonly boolean[])[];

/** Whether the module at a row and a column is inverted. */
type Mask = (row: number, column: number) => boolean;

/** Table 10; the index is the number of the mask in the format information. */
export const MASKS: readonly Mask[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** Table 11: the weights N1 to N4. */
const RUN = 3;
const BLOCK = 3;
const FINDER = 40;
const BALANCE = 10;

/** Table 11: five modules of one colour in a line are the shortest run that counts. */
const SHORTEST_RUN = 5;

/** Table 11: the steps in which the share of dark modules departs from a half, in per cent. */
const BALANCE_STEP = 5;

/** Table 11: dark and light as 1:1:3:1:1, with four light modules before or behind; the quiet zone is light too. */
const FINDER_LIKE = /1011101(?=0000)|00001011101/g;
const QUIET = "0000";

/** The penalty of a masked symbol (7.8.3.1); the symbol with the lowest one is drawn. */
export function penalty(matrix: Matrix): number {
  const columns = matrix.map((_, column) => matrix.map((row) => row[column] ?? false));
  const lines = [...matrix, ...columns].map((line) => line.map(Number).join(""));
  return sum(lines.map(linePenalty)) + BLOCK * blocks(matrix) + BALANCE * imbalance(matrix);
}

/** The penalty of runs, and of what a reader may take for a finder pattern, in a row or a column. */
function linePenalty(line: string): number {
  const runs = (line.match(/0+|1+/g) ?? []).map((run) => run.length - SHORTEST_RUN).filter((excess) => excess >= 0);
  const alike = `${QUIET}${line}${QUIET}`.match(FINDER_LIKE) ?? [];
  return sum(runs.map((excess) => RUN + excess)) + FINDER * alike.length;
}

/** The number of squares of 2 by 2 modules that have one colour; they may overlap. */
function blocks(matrix: Matrix): number {
  const pairs = matrix.slice(1).map((row, index) => {
    const above = matrix[index] ?? [];
    return row.filter((dark, column) => {
      const others = [row[column + 1], above[column], above[column + 1]];
      return others.every((other) => other === dark);
    });
  });
  return sum(pairs.map((found) => found.length));
}

/** How many whole steps the share of dark modules is from 50 per cent. */
function imbalance(matrix: Matrix): number {
  const modules = matrix.flat();
  const percent = (100 * modules.filter(Boolean).length) / modules.length;
  return Math.floor(Math.abs(percent - 50) / BALANCE_STEP);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
