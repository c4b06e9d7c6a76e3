import type { JsonValue } from '../../base/json.ts';
import { anySpelling, literally } from './anySpelling.ts';
import { mapTexts } from './mapTexts.ts';

/** Shorter ones occur in many texts by chance: they are hidden only if they are the whole text. */
const minPartLength = 4;

/**
 * A JSON value in which every secret is replaced by its placeholder, `{{$secret:NAME}}`. `secrets` is by name. A value
 * in which they are hidden already is unchanged.
 */
export function hideSecrets<T>(value: T, secrets: Readonly<Record<string, string>>): T {
  const names = Object.entries(secrets).filter(([, secret]) => secret !== '');
  if (names.length === 0) return value;
  // The longest first: one may be a part of another.
  names.sort(([, a], [, b]) => b.length - a.length);
  const whole = new Map(names.map(([name, secret]) => [secret, markOf(name)]));
  // Placeholders come first: a secret may be a part of one.
  const found = names.map(([name]) => ({ source: literally(markOf(name)), mark: markOf(name) }));
  for (const [name, secret] of names) {
    if (secret.length >= minPartLength) found.push({ source: anySpelling(secret), mark: markOf(name) });
  }
  const anyPart = new RegExp(found.map(({ source }) => `(${source})`).join('|'), 'g');
  const inText = (text: string): string =>
    whole.get(text) ??
    text.replace(anyPart, (part, ...groups: unknown[]) => found[groups.findIndex(isText)]?.mark ?? part);
  return mapTexts(value as JsonValue, inText) as T;
}

function isText(group: unknown): boolean {
  return typeof group === 'string';
}

function markOf(name: string): string {
  return `{{$secret:${name}}}`;
}
