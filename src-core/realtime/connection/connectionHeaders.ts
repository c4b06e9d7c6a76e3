import type { RealtimeDialect } from '../dialects/realtimeDialect.ts';

/**
 * The headers of a connection: the dialect's and the key's, with what the server differs in. Without a key, a header that
 * contains `{key}` is left out.
 */
export function connectionHeaders(
  { headers, changedHeaders = {} }: Pick<RealtimeDialect, 'headers' | 'changedHeaders'>,
  key: string | undefined,
): Record<string, string> {
  const all = new Map(Object.entries(headers));
  if (key !== undefined) all.set('Authorization', `Bearer ${key}`);
  for (const [name, value] of Object.entries(changedHeaders)) {
    for (const present of all.keys()) if (present.toLowerCase() === name.toLowerCase()) all.delete(present);
    if (value === null || (key === undefined && value.includes('{key}'))) continue;
    // Of a text, replaceAll would take `$&` and the like for patterns.
    all.set(
      name,
      value.replaceAll('{key}', () => key ?? ''),
    );
  }
  return Object.fromEntries(all);
}
