import type { JsonValue } from '../../../src-core/contract/types.ts';

/** Where the arguments last used are kept among the window's settings. */
export const memoryKey = 'executor.arguments';

const maxMethods = 60;
const maxText = 8_000;
const maxTotal = 48_000;

/** The arguments text last used for a method, or undefined. What was saved is not trusted to have any shape. */
export function recallArguments(saved: JsonValue | undefined, qualifiedName: string): string | undefined {
  const entry = entriesOf(saved).find(([name]) => name === qualifiedName);
  return entry?.[1];
}

/** `saved` with this text for this method, the newest last; the oldest go where there are too many. */
export function keepArguments(saved: JsonValue | undefined, qualifiedName: string, text: string): JsonValue {
  const others = entriesOf(saved).filter(([name]) => name !== qualifiedName);
  const entries = text.length > maxText ? others : [...others, [qualifiedName, text] as [string, string]];
  let total = 0;
  const kept = entries
    .slice(-maxMethods)
    .toReversed()
    .filter(([name, one]) => (total += JSON.stringify(one).length + name.length) <= maxTotal)
    .toReversed();
  return kept.map(([name, one]) => [name, one]);
}

function entriesOf(saved: JsonValue | undefined): [string, string][] {
  if (!Array.isArray(saved)) return [];
  return saved.flatMap((entry) => {
    if (!Array.isArray(entry)) return [];
    const [name, text] = entry;
    return typeof name === 'string' && typeof text === 'string' ? [[name, text] as [string, string]] : [];
  });
}
