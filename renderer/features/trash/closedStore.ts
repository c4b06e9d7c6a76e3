import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';

import type { RemovedThing } from '../../../src-core/contract/types.ts';
import { useShowCapture } from '../captures/useShowCapture.ts';
import { wordRemoved } from '../../ui/format/wordRemoved.ts';
import { t } from '../../i18n/index.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { useNavigation, type PaneId } from '../../window/navigation.ts';
import { createResource } from '../../client/resource.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { useToasts } from '../../window/toasts.ts';

/** Something that was closed or removed, and how to restore it. */
interface Closed {
  name: string;
  /** Epoch ms. */
  at: number;
  reopen: () => Promise<void> | void;
}

/** The pane that shows a restored thing. */
const paneOf = {
  ...({ chat: 'chat', capture: 'devices', file: 'executor', log: 'devices', device: 'devices' } as const),
  ...({ picture: 'devices', realtime: 'realtime', model: 'settings', realtimeModel: 'settings' } as const),
  ...({ key: 'settings', gatewayLog: 'gateway', serverLog: 'servers', server: 'servers' } as const),
} as const satisfies Record<RemovedThing['kind'], PaneId>;
/** Maximum number of kept entries that the window itself closed. */
const mostKept = 20;

/**
 * Everything that can be restored, newest first: removed things that the engine keeps, also after a restart and from
 * other windows, and things that this window closed.
 */
export const useClosed = defineStore('closed', () => {
  const connection = injectConnection();
  const navigation = useNavigation();
  const settings = useSettings();
  const toasts = useToasts();
  const captures = useShowCapture();
  const { data: removed, refresh } = createResource<RemovedThing[]>({
    connection,
    topics: ['removed'],
    initial: [],
    fetch: () => connection.client.removed.list(),
  });
  const own = shallowRef<readonly Closed[]>([]);

  async function restore({ id, kind, of }: RemovedThing): Promise<void> {
    await connection.client.removed.restore({ id });
    if (kind === 'chat' || kind === 'realtime') settings.remember(`${kind}.chosen`, of);
    if (kind === 'capture') return captures.show(of);
    if (kind === 'device' || kind === 'log') settings.remember('devices.chosen', `device:${of}`);
    if (kind === 'serverLog' || kind === 'server') settings.remember('servers.chosen', of);
    navigation.open(paneOf[kind]);
  }
  const toClosed = (thing: RemovedThing): Closed => ({
    name: wordRemoved(thing),
    at: thing.at,
    reopen: () => restore(thing),
  });
  const bringBack = (thing: RemovedThing): Promise<void> => reopen(toClosed(thing));
  const last = computed(() =>
    [...own.value, ...removed.value.map(toClosed)].reduce<Closed | undefined>(
      (newest, one) => (newest === undefined || one.at > newest.at ? one : newest),
      undefined,
    ),
  );

  async function reopen(closed: Closed): Promise<void> {
    try {
      await closed.reopen();
      own.value = own.value.filter((one) => one !== closed);
    } catch (cause) {
      toasts.fail(t('shell.closed.failed', { name: closed.name }), cause);
    }
  }

  function offer(closed: Closed, title: string, applies: () => boolean): void {
    const action = { label: t('shell.closed.undo'), run: () => void reopen(closed) };
    toasts.show({ kind: 'info', title, action, applies });
  }

  async function tellRemoved(is: (thing: RemovedThing) => boolean): Promise<void> {
    await refresh();
    const thing = removed.value.find(is);
    if (!thing) return;
    const isRemoved = (): boolean => removed.value.some(({ id }) => id === thing.id);
    offer(toClosed(thing), t(`shell.closed.done.${thing.kind}`, { name: thing.name }), isRemoved);
  }

  return {
    last,
    /** Removed things that the engine keeps, newest first. */
    removed,
    bringBack,
    /** Stores how to undo closing something in the window. If `title` is given, a notice offers it. */
    keep(name: string, back: () => Promise<void> | void, title?: string): void {
      const closed = { name, at: Date.now(), reopen: back };
      own.value = [closed, ...own.value].slice(0, mostKept);
      if (title !== undefined) offer(closed, title, () => own.value.includes(closed));
    },
    /** Offers to undo a removal by the engine. */
    tellRemoved,
    /** Makes the engine remove it, and offers to undo that. Rejects if it was not removed. */
    async remove(kind: RemovedThing['kind'], of: string, work: () => Promise<unknown>): Promise<void> {
      await work();
      await tellRemoved((thing) => thing.kind === kind && thing.of === of);
    },
    reopenLast(): Promise<void> {
      return last.value ? reopen(last.value) : Promise.resolve();
    },
  };
});
