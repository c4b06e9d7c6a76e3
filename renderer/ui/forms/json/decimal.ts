/** A number as JSON writes it, exactly: `digits` times ten to the power of `scale`. */
interface Decimal {
  digits: bigint;
  scale: number;
}

/** Numbers beyond this are compared as the nearest double: written out, they would fill the memory. */
const maxScale = 400;
const maxLength = 1_000;

const written = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Less than, equal to or greater than 0, as `a` is to `b`; both as JSON writes numbers. */
export function compareNumbers(a: string, b: string): number {
  const left = read(a);
  const right = read(b);
  if (left === undefined || right === undefined) return Math.sign(Number(a) - Number(b));
  const [x, y] = align(left, right);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** True for a number without a fraction, also one written `1.0` or `1e2`. */
export function isWhole(raw: string): boolean {
  const number = read(raw);
  if (number === undefined) return Number.isInteger(Number(raw));
  return number.scale >= 0 || number.digits % 10n ** BigInt(-number.scale) === 0n;
}

/** Whether `raw` is a whole number of steps. Returns true if this cannot be determined. */
export function isMultipleOf(raw: string, step: string): boolean {
  const number = read(raw);
  const unit = read(step);
  if (number === undefined || unit === undefined || unit.digits === 0n) return true;
  const [x, y] = align(number, unit);
  return x % y === 0n;
}

/** Returns `raw` plus `count` steps, exactly. Returns undefined if an operand cannot be written as a decimal. */
export function addSteps(raw: string, step: string, count: number): string | undefined {
  const number = read(raw);
  const unit = read(step);
  if (number === undefined || unit === undefined) return undefined;
  const [x, y, scale] = align(number, unit);
  return write({ digits: x + y * BigInt(count), scale });
}

function read(raw: string): Decimal | undefined {
  const parts = raw.length <= maxLength ? written.exec(raw) : null;
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const scale = Number(exponent) - fraction.length;
  if (Math.abs(scale) > maxScale) return undefined;
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, scale };
}

function align(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.min(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(a.scale - scale), b.digits * 10n ** BigInt(b.scale - scale), scale];
}

function write({ digits, scale }: Decimal): string {
  if (scale >= 0) return String(digits * 10n ** BigInt(scale));
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(1 - scale, '0');
  let end = text.length;
  while (end > text.length + scale && text[end - 1] === '0') end -= 1;
  const fraction = text.slice(scale, end);
  return `${sign}${text.slice(0, scale)}${fraction === '' ? '' : `.${fraction}`}`;
}
