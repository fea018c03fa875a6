/** Reed-Solomon codes over the field of 256 elements, as QR codes have them (ISO/IEC 18004:2015, 7.5.2). */

/** x^8 + x^4 + x^3 + x^2 + 1, by which clause 7.5.2 defines the field; bit n is the coefficient of x^n. */
const FIELD_POLYNOMIAL = 0b1_0001_1101;

/** Every element but 0 is a power of 2; there are 255 of them. */
const ORDER = 255;

/** `POWERS[n]` is 2 to the power of n. */
const POWERS: readonly number[] = powersOfTwo();
const EXPONENTS: ReadonlyMap<number, number> = new Map(POWERS.map((power, exponent) => [power, exponent]));

function powersOfTwo(): number[] {
  const powers = [1];
  while (powers.length < ORDER) {
    const doubled = 2 * (powers.at(-1) ?? 0);
    powers.push(doubled > ORDER ? doubled ^ FIELD_POLYNOMIAL : doubled);
  }
  return powers;
}

function power(exponent: number): number {
  return POWERS[exponent % ORDER] ?? 0;
}

function product(one: number, other: number): number {
  const [first, second] = [EXPONENTS.get(one), EXPONENTS.get(other)];
  return first === undefined || second === undefined ? 0 : power(first + second);
}

/** The product of x - 2^n for all n below the degree (Annex A); the coefficient of the highest power comes first. */
function generatorPolynomial(degree: number): readonly number[] {
  let polynomial: readonly number[] = [1];
  for (let exponent = 0; exponent < degree; exponent++) {
    const lower = [0, ...polynomial].map((coefficient) => product(coefficient, power(exponent)));
    polynomial = lower.map((coefficient, index) => coefficient ^ (polynomial[index] ?? 0));
  }
  return polynomial;
}

/** The error correction codewords of a block: the remainder of the data divided by the generator polynomial. */
export function errorCorrection(data: readonly number[], count: number): readonly number[] {
  const [, ...divisor] = generatorPolynomial(count);
  let remainder: readonly number[] = divisor.map(() => 0);
  for (const codeword of data) {
    const [highest = 0, ...rest] = remainder;
    remainder = divisor.map((coefficient, index) => (rest[index] ?? 0) ^ product(coefficient, codeword ^ highest));
  }
  return remainder;
}
