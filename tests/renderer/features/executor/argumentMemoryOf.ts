import { keepArguments, recallArguments } from '../../../../renderer/features/executor/argumentMemory.ts';
import type { JsonValue } from '../../../../src-core/contract/types.ts';

/** The memory after these were kept, one after another. */
export function argumentMemoryOf(kept: readonly (readonly [name: string, text: string])[], initial?: JsonValue) {
  let saved = initial;
  for (const [name, text] of kept) saved = keepArguments(saved, name, text);
  return { recall: (name: string) => recallArguments(saved, name), size: () => JSON.stringify(saved ?? null).length };
}
