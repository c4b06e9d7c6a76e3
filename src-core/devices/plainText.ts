/** Control characters, line separators and marks that turn the reading direction. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g;

/** A device's word as one short printable line. `undefined` where it is no string or nothing is left of it. */
export function plainText(value: unknown, maxLength = 64): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value
    .slice(0, maxLength * 4)
    .replace(unprintable, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
  return text === '' ? undefined : text;
}
