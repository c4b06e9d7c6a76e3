import { defineStore } from 'pinia';
import { computed, inject, ref, watch } from 'vue';

import type { WorkbenchInfo } from '../../src-core/contract/types.ts';
import { connectionKey, type Connection } from './connection.ts';
import { t } from '../i18n/index.ts';
import { createResource } from './resource.ts';

/** Returns the connection that was provided to the app. All stores use it. */
export function injectConnection(): Connection {
  const connection = inject(connectionKey);
  if (!connection) throw new Error('No connection was provided to the app');
  return connection;
}

/** The window's connection state, and what the engine reports about itself. */
export const useConnection = defineStore('connection', () => {
  const connection = injectConnection();
  const { data: info } = createResource<WorkbenchInfo | null>({
    connection,
    topics: ['info'],
    initial: null,
    fetch: () => connection.client.workbench.info(),
  });
  const connected = computed(() => connection.state.value.phase === 'connected');
  /** Epoch ms. */
  const lostAt = ref<number>();
  watch(
    connected,
    (now, before) => {
      if (now) lostAt.value = undefined;
      else if (before) lostAt.value = Date.now();
    },
    { immediate: true, flush: 'sync' },
  );
  return {
    state: connection.state,
    connected,
    /** Why nothing can be run now: the window is not connected. */
    offline: computed(() => (connected.value ? undefined : t('shell.engine.offline'))),
    /** Epoch ms since when the data may be out of date; undefined while connected or before that. */
    lostAt,
    info,
    retryNow: connection.retryNow,
  };
});
