import type { JsonValue } from '../../../src-core/contract/types.ts';

/** Settings key of the user's own examples. */
export const savedExamplesKey = 'parser.examples';

export interface SavedExample {
  name: string;
  text: string;
}

/** Maximum total UTF-16 code units of their JSON. The settings accept 64 kB per key. */
const maxTotal = 56_000;

/** Reads the saved examples. The saved value is not trusted to have any particular shape. */
export function readSavedExamples(saved: JsonValue | undefined): SavedExample[] {
  if (!Array.isArray(saved)) return [];
  return saved.flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [];
    const { name, text } = entry;
    return typeof name === 'string' && typeof text === 'string' ? [{ name, text }] : [];
  });
}

/** Adds an example, replacing one of the same name. Returns undefined if there is no room for it. */
export function addSavedExample(list: readonly SavedExample[], example: SavedExample): SavedExample[] | undefined {
  const next = [...list.filter(({ name }) => name !== example.name), example];
  return new TextEncoder().encode(JSON.stringify(next)).length > maxTotal ? undefined : next;
}

/** Derives a name from a text: its first tool or its first words, with a number if another text has that name. */
export function exampleNameOf(text: string, list: readonly SavedExample[]): string {
  const tool = /(?:tool_name:「始」|"name"\s*:\s*")\s*([^「」"\n]{1,60})/.exec(text)?.[1]?.trim();
  const base = tool ?? text.trim().split(/\s+/).slice(0, 5).join(' ').slice(0, 40);
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base} ${String(number)}`;
    if (!list.some((one) => one.name === name && one.text !== text)) return name;
  }
}
