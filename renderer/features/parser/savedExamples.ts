import type { JsonValue } from '../../../src-core/contract/types.ts';

/** Where the person's own examples are kept among the window's settings. */
export const savedExamplesKey = 'parser.examples';

export interface SavedExample {
  name: string;
  text: string;
}

/** UTF-16 code units of JSON that all of them together may have; the settings take 64 kB a key. */
const maxTotal = 56_000;

/** The saved examples; what was saved is not trusted to have any shape. */
export function readSavedExamples(saved: JsonValue | undefined): SavedExample[] {
  if (!Array.isArray(saved)) return [];
  return saved.flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [];
    const { name, text } = entry;
    return typeof name === 'string' && typeof text === 'string' ? [{ name, text }] : [];
  });
}

/** With this one added, in place of one of the same name; undefined where there is no room for it. */
export function addSavedExample(list: readonly SavedExample[], example: SavedExample): SavedExample[] | undefined {
  const next = [...list.filter(({ name }) => name !== example.name), example];
  return new TextEncoder().encode(JSON.stringify(next)).length > maxTotal ? undefined : next;
}

/** A name out of a text: its first tool, or its first words; with a number where another text has it already. */
export function exampleNameOf(text: string, list: readonly SavedExample[]): string {
  const tool = /(?:tool_name:「始」|"name"\s*:\s*")\s*([^「」"\n]{1,60})/.exec(text)?.[1]?.trim();
  const base = tool ?? text.trim().split(/\s+/).slice(0, 5).join(' ').slice(0, 40);
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base} ${String(number)}`;
    if (!list.some((one) => one.name === name && one.text !== text)) return name;
  }
}
