import type { CollectionView } from '../../../src-core/contract/types.ts';

/** A folder in the user's home folder for a new collection, other than those that are open. */
export function freeFolder(open: readonly CollectionView[]): string {
  const taken = new Set(open.map(({ folder }) => folder.split(/[\\/]/).at(-1)));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'toolwire-calls' : `toolwire-calls-${number}`;
    if (!taken.has(name)) return `~/${name}`;
  }
}
