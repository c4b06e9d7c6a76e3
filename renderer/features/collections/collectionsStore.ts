import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { Assertion, CollectionView, LatestRuns, SavedCallRow } from '../../../src-core/contract/types.ts';
import { keepText } from '../../ui/composables/keepText.ts';
import { sortByName } from '../../i18n/sortByName.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { useTools } from '../discovery/toolsStore.ts';

/** The tool of the call is that of whichever device is connected. */
export const isForDevice = ({ tool = '' }: SavedCallRow): boolean => /\{\{\s*\$device\s*\}\}/.test(tool);

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

  const { device, devicesFor } = useDeviceChoice();
  /** The environment that runs of a collection use; undefined if none is chosen or if it no longer exists. */
  function environmentOf({ folder, environments }: CollectionView): string | undefined {
    const all = chosen();
    const name = Object.hasOwn(all, folder) ? all[folder] : undefined;
    return environments.some((each) => each.name === name) ? name : undefined;
  }

  /** The environment and the device that variables of a collection are filled from. */
  function chosenFor(folder: string | undefined): { environment?: string | undefined; device?: string | undefined } {
    const collection = list.data.value.find((each) => each.folder === folder);
    return { environment: collection && environmentOf(collection), device: device.value };
  }

  return {
    list: withRuns,
    devicesFor,
    device,
    loaded: list.loaded,
    refresh: list.refresh,
    environmentOf,
    chosenFor,
    /** A saved call with its variables filled in, from the chosen environment and device, or from `device`. */
    fill: ({ folder, file, device: of }: { folder: string; file: string; device?: string | undefined }) => {
      const { environment, device: chosen } = chosenFor(folder);
      return connection.client.collections.filled({ folder, file, environment, device: of ?? chosen });
    },
    /** Checks assertions on a call of the history, with the variables of the collection in `folder`. */
    check: (input: {
      callId: string;
      assertions: Assertion[];
      folder?: string | undefined;
      file?: string | undefined;
    }) => connection.client.collections.check({ ...input, ...chosenFor(input.folder) }),
    choose({ folder }: CollectionView, environment: string): void {
      settings.remember(environmentsKey, { ...chosen(), [folder]: environment });
    },
  };
});

/** The device that `{{$device}}` of saved calls means. */
function useDeviceChoice() {
  const tools = useTools();
  const devices = computed(() => sortByName(tools.list.filter(({ source }) => source.kind === 'device')));
  /** Registry id, or ''; until the window is closed, because another day other devices are connected. */
  const chosenDevice = keepText('collections.device').text;
  return {
    /** Registry id of the device that the user has chosen, while it is connected. */
    device: computed({
      get: () => devices.value.find(({ id }) => id === chosenDevice.value)?.id,
      set: (id) => (chosenDevice.value = id ?? ''),
    }),
    /** The devices that `{{$device}}` of these calls may mean, if it is the user's choice; else empty. */
    devicesFor(calls: readonly SavedCallRow[]): { id: string; name: string }[] {
      const isChosenAway = chosenDevice.value !== '' && devices.value.every(({ id }) => id !== chosenDevice.value);
      const asks = devices.value.length > (isChosenAway ? 0 : 1) && calls.some(isForDevice);
      return asks ? devices.value.map(({ id, name }) => ({ id, name })) : [];
    },
  };
}
