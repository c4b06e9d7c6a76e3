/** A number as JSON writes it, exactly: 0.DIGITS times ten to the power of `point`. Neither end of `digits` is a 0. */
export interface Decimal {
  negative: boolean;
  /** Empty for 0. */
  digits: string;
  point: number;
}

const written = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Beyond so many digits, written out, no division is tried. */
const maxDigits = 2_000;

/** Reads a number as JSON writes it, in steps that grow with its length alone. Throws a RangeError for any other text. */
export function readDecimal(text: string): Decimal {
  const parts = written.exec(text);
  if (parts === null) throw new RangeError(`${text.slice(0, 40)} is not a valid JSON number.`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const all = whole + fraction;
  const start = all.search(/[1-9]/);
  if (start === -1) return { negative: false, digits: '', point: 0 };
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  return { negative: sign === '-', digits: all.slice(start, end), point: whole.length - start + Number(exponent) };
}

/** Less than, equal to or greater than 0, as `a` is to `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [left, right] = [signOf(a), signOf(b)];
  if (left !== right || left === 0) return left - right;
  return left * (a.point - b.point || (a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0));
}

/** True for a number without a fraction, also one written `1.0` or `1e2`. */
export function isWhole({ digits, point }: Decimal): boolean {
  return digits.length <= point || digits === '';
}

/** Whether a number is a multiple of a step. True if they are too far apart to be divided. */
export function isMultiple(number: Decimal, step: Decimal): boolean {
  if (number.digits === '') return true;
  const [scale, stepScale] = [number.point - number.digits.length, step.point - step.digits.length];
  const least = Math.min(scale, stepScale);
  const [zeros, stepZeros] = [scale - least, stepScale - least];
  if (number.digits.length + zeros > maxDigits || step.digits.length + stepZeros > maxDigits) return true;
  return BigInt(number.digits + '0'.repeat(zeros)) % BigInt(step.digits + '0'.repeat(stepZeros)) === 0n;
}

function signOf({ negative, digits }: Decimal): number {
  return digits === '' ? 0 : negative ? -1 : 1;
}
