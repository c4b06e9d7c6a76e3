import { isExactNumber } from '../tools/exactNumber.ts';
import type { JsonValue } from '../tools/json.ts';

/** Shorter ones stand in many texts by chance: they are hidden only where they are the whole text. */
const minPartLength = 4;

/** A JSON value in which every secret is replaced by what stands for it: `{{$secret:NAME}}`. `secrets` is by name. */
export function hideSecrets<T>(value: T, secrets: Readonly<Record<string, string>>): T {
  const names = Object.entries(secrets).filter(([, secret]) => secret !== '');
  if (names.length === 0) return value;
  // The longest first: one may be a part of another.
  names.sort(([, a], [, b]) => b.length - a.length);
  return hide(value as JsonValue, (text) => {
    let hidden = text;
    for (const [name, secret] of names) {
      const shown = `{{$secret:${name}}}`;
      if (hidden === secret) return shown;
      if (secret.length < minPartLength) continue;
      // In a text that is JSON itself it stands as JSON writes it.
      for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) hidden = hidden.replaceAll(form, () => shown);
    }
    return hidden;
  }) as T;
}

function hide(value: JsonValue, inText: (text: string) => string): JsonValue {
  if (typeof value === 'string') return inText(value);
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value;
  if (Array.isArray(value)) return value.map((each) => hide(each, inText));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hide(each, inText)]));
}
