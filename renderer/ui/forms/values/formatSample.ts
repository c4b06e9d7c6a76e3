/** Examples by format (JSON Schema 2020-12, validation §7.3). */
const samples: ReadonlyMap<string, string> = new Map([
  ['date-time', '2026-01-31T08:30:00Z'],
  ['date', '2026-01-31'],
  ['time', '08:30:00Z'],
  ['duration', 'P3DT4H'],
  ['email', 'name@example.com'],
  ['idn-email', 'name@example.com'],
  ['hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uri', 'https://example.com/path'],
  ['url', 'https://example.com/path'],
  ['uri-reference', '../path'],
  ['uri-template', '/users/{id}'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
  ['json-pointer', '/list/0/name'],
  ['regex', '^[a-z]+$'],
  ['color', '#FFB454'],
  ['password', ''],
]);

/** Patterns by format, for formats with a well-known notation. */
const shapes: ReadonlyMap<string, string> = new Map([
  ['date-time', 'YYYY-MM-DDThh:mm:ss±hh:mm'],
  ['date', 'YYYY-MM-DD'],
  ['time', 'hh:mm:ss±hh:mm'],
]);

/** True for formats that fit on one line and never contain line breaks. */
export function isOneLine(format: string): boolean {
  return samples.has(format);
}

/** An example of a format; undefined for an unknown format. */
export function formatSample(format: string): string | undefined {
  return samples.get(format);
}

/** The pattern of a format, letter by letter; undefined if an example is clearer. */
export function formatShape(format: string): string | undefined {
  return shapes.get(format);
}
