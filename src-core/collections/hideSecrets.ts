import type { JsonValue } from '../tools/json.ts';
import { mapTexts } from './mapTexts.ts';

/** Shorter ones stand in many texts by chance: they are hidden only where they are the whole text. */
const minPartLength = 4;

/**
 * A JSON value in which every secret is replaced by what stands for it: `{{$secret:NAME}}`. `secrets` is by name. A value in
 * which they are hidden already stays as it is.
 */
export function hideSecrets<T>(value: T, secrets: Readonly<Record<string, string>>): T {
  const names = Object.entries(secrets).filter(([, secret]) => secret !== '');
  if (names.length === 0) return value;
  // The longest first: one may be a part of another.
  names.sort(([, a], [, b]) => b.length - a.length);
  const whole = new Map(names.map(([name, secret]) => [secret, markOf(name)]));
  const parts = new Map<string, string>();
  for (const [name, secret] of names) {
    // A secret may be a part of what stands for one.
    parts.set(markOf(name), markOf(name));
    if (secret.length < minPartLength) continue;
    // In a text that is JSON itself it stands as JSON writes it.
    for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) parts.set(form, markOf(name));
  }
  const anyPart = new RegExp([...parts.keys()].map(literally).join('|'), 'g');
  return mapTexts(
    value as JsonValue,
    (text) => whole.get(text) ?? text.replace(anyPart, (part) => parts.get(part) ?? part),
  ) as T;
}

function markOf(name: string): string {
  return `{{$secret:${name}}}`;
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
