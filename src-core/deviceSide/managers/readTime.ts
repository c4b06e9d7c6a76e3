const shape = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Epoch ms of an ISO 8601 day or time, local if it has no offset.
 * @throws {Error} Names the field.
 */
export function readTime(field: string, text: string): number {
  const whole = text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T');
  const time = shape.test(text) ? Date.parse(whole) : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`"${field}" must be a time as in "2026-08-06T15:00".`);
  return time;
}
