import type { CollectionView, SavedCallRow } from '../../../src-core/contract/types.ts';
import { hasWords } from '../../ui/search/matchWords.ts';

/** The saved calls of a collection whose name, tool or file, or whose collection's name, has every word; in their order. */
export function callsThatAnswer({ name, calls }: CollectionView, words: readonly string[]): SavedCallRow[] {
  return calls.filter((call) => hasWords(`${call.name} ${call.tool ?? ''} ${call.file} ${name}`, words));
}
