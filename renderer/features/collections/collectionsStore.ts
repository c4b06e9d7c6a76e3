import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { CollectionView, LatestRuns } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';
import { useSettings } from '../../window/settingsStore.ts';

/** Settings key for the chosen environment of each folder. */
const environmentsKey = 'collections.environments';

/** The open collections of saved calls. */
export const useCollections = defineStore('collections', () => {
  const connection = injectConnection();
  const settings = useSettings();
  const list = createResource<CollectionView[]>({
    connection,
    topics: ['collections'],
    initial: [],
    fetch: () => connection.client.collections.list(),
  });

  /** Separate from the collections, which are read from their files: a run changes only this. */
  const runs = createResource<LatestRuns>({
    connection,
    topics: ['savedRuns'],
    initial: {},
    fetch: () => connection.client.collections.latestRuns(),
  });
  const withRuns = computed(() =>
    list.data.value.map((collection) => {
      const latest = runs.data.value[collection.folder] ?? {};
      const calls = collection.calls.map((call) => {
        const last = latest[call.file] ?? call.last;
        return last === undefined ? call : { ...call, last };
      });
      return { ...collection, calls };
    }),
  );

  function chosen(): Record<string, string> {
    const saved = settings.ui[environmentsKey];
    if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) return {};
    return Object.fromEntries(
      Object.entries(saved).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  }

  return {
    list: withRuns,
    loaded: list.loaded,
    refresh: list.refresh,
    /** The environment that runs of a collection use; undefined if none is chosen or if it no longer exists. */
    environmentOf({ folder, environments }: CollectionView): string | undefined {
      const all = chosen();
      const name = Object.hasOwn(all, folder) ? all[folder] : undefined;
      return environments.some((each) => each.name === name) ? name : undefined;
    },
    choose({ folder }: CollectionView, environment: string): void {
      settings.remember(environmentsKey, { ...chosen(), [folder]: environment });
    },
  };
});
