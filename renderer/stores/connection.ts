import { defineStore } from 'pinia';
import { computed, inject } from 'vue';

import type { WorkbenchInfo } from '../../src-core/api/types.ts';
import { connectionKey, type Connection } from '../connection/connection.ts';
import { createResource } from './resource.ts';

/** The connection the app was given. Every store stands on it. */
export function injectConnection(): Connection {
  const connection = inject(connectionKey);
  if (!connection) throw new Error('No connection was provided to the app');
  return connection;
}

/** Where the window stands with the engine, and what the engine says of itself. */
export const useConnection = defineStore('connection', () => {
  const connection = injectConnection();
  const { data: info } = createResource<WorkbenchInfo | null>({
    connection,
    topics: ['info'],
    initial: null,
    fetch: () => connection.client.workbench.info(),
  });
  return {
    state: connection.state,
    connected: computed(() => connection.state.value.phase === 'connected'),
    info,
    retryNow: connection.retryNow,
  };
});
