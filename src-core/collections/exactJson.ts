import { isInteger, isSafeNumber, parse, stringify } from 'lossless-json';

/** A JSON value whose whole numbers beyond 2^53 are bigint, so that reading and writing changes none of them. */
export type ExactJson = null | boolean | number | bigint | string | ExactJson[] | { [key: string]: ExactJson };

/**
 * Reads JSON without rounding whole numbers. Of a key that comes twice with different values it throws, as a merge gone
 * wrong leaves.
 * @throws SyntaxError
 */
export function parseExact(text: string): ExactJson {
  const number = (digits: string): number | bigint =>
    isInteger(digits) && !isSafeNumber(digits) ? BigInt(digits) : Number(digits);
  return parse(text, null, number) as ExactJson;
}

/** JSON of a value, over several lines where `indent` says so. */
export function writeExact(value: ExactJson, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null';
}
