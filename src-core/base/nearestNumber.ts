import { parseExactly } from './exactNumber.ts';
import type { JsonNumber, JsonValue } from './json.ts';

/** The next whole number above (1) or below (-1) a limit that is not accepted itself. */
export function nextWhole(limit: JsonValue | undefined, step: 1 | -1): JsonNumber {
  const whole = wholeOf(limit);
  if (whole !== undefined) return numberOf(whole + BigInt(step));
  const near = Number(JSON.stringify(limit));
  return step === 1 ? Math.floor(near) + 1 : Math.ceil(near) - 1;
}

/** A multiple of `step` near a number; undefined if `value` is not a number, or has no such multiple. */
export function nearestMultiple(value: JsonValue, step: JsonValue | undefined): JsonNumber | undefined {
  const [whole, unit] = [wholeOf(value), wholeOf(step)];
  if (whole !== undefined && unit !== undefined && !Number.isSafeInteger(value))
    return numberOf(whole - (whole % unit));
  if (typeof value !== 'number' || typeof step !== 'number') return undefined;
  // Through text, so that 3 × 0.1 is 0.3.
  return Number((Math.round(value / step) * step).toPrecision(15));
}

/** Undefined for what is not written in digits alone, or in very many. */
function wholeOf(value: JsonValue | undefined): bigint | undefined {
  const text = JSON.stringify(value) ?? '';
  return /^-?\d{1,400}$/.test(text) ? BigInt(text) : undefined;
}

function numberOf(whole: bigint): JsonNumber {
  return parseExactly(String(whole)) as JsonNumber;
}
