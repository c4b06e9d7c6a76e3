import { defineStore } from 'pinia';
import { computed, reactive, watch } from 'vue';

import { injectConnection } from '../../client/connectionStore.ts';
import { keepText } from '../../ui/composables/keepText.ts';
import { createResource } from '../../client/resource.ts';
import { groupOf } from './serverState.ts';
import { followFilePaths } from './transfer/filePath.ts';
import type {
  CallRecord,
  DefinitionChange,
  SamplingReply,
  ServerRequest,
  ServerRow,
} from '../../../src-core/contract/types.ts';

/** Whether the server asks in this call. A sign-in is for all calls of the server, unless one call needs further scopes. */
export function asksIn({ kind, serverId, callIds, scope }: ServerRequest, { callId, source }: CallRecord): boolean {
  return kind === 'sign-in' && scope === undefined ? serverId === source.id : callIds.includes(callId);
}

/** What the user has typed as the answer to a request. */
interface Draft {
  text: string;
  calls: string;
  /** What a model wrote. */
  drafted?: SamplingReply;
}

/** The MCP servers, and what they ask of the user. */
export const useServers = defineStore('servers', () => {
  const connection = injectConnection();
  const api = connection.client.servers;
  const on = { connection, topics: ['servers'] as const };
  const servers = createResource<ServerRow[]>({ ...on, initial: [], fetch: () => api.list() });
  const requests = createResource<ServerRequest[]>({ ...on, initial: [], fetch: () => api.requests() });

  followFilePaths();

  const kept = keepText('servers.drafts').text;
  const drafts = reactive(new Map(Object.entries(JSON.parse(kept.value || '{}') as Record<string, Draft>)));
  watch(drafts, (now) => (kept.value = now.size === 0 ? '' : JSON.stringify(Object.fromEntries(now))), { deep: true });
  /** The draft of an answer, kept while the request waits: a form may be closed or shown at two places, and the window reloaded. */
  function draftOf(requestId: string, text = ''): Draft {
    const draft = drafts.get(requestId) ?? reactive<Draft>({ text, calls: '[]' });
    drafts.set(requestId, draft);
    return draft;
  }
  watch(requests.data, (now) => {
    const waiting = new Set(now.map(({ requestId }) => requestId));
    for (const id of drafts.keys()) if (!waiting.has(id)) drafts.delete(id);
  });

  /** Changed definitions that the user has seen and keeps withheld, until they change again. */
  const withheld = reactive(new Set<string>());
  const keyOf = (id: string, { tool, hash }: DefinitionChange): string => JSON.stringify([id, tool, hash]);

  /** Does something to a server, and resolves once the window shows the result. */
  async function after<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      await Promise.all([servers.refresh(), requests.refresh()]);
    }
  }

  return {
    list: servers.data,
    loaded: servers.loaded,
    error: servers.error,
    requests: requests.data,
    draftOf,
    keepsWithheld: (id: string, change: DefinitionChange): boolean => withheld.has(keyOf(id, change)),
    keepWithheld: (id: string, change: DefinitionChange): void => void withheld.add(keyOf(id, change)),
    byId: computed(() => new Map(servers.data.value.map((server) => [server.id, server]))),
    readyCount: computed(() => servers.data.value.filter(({ state }) => state === 'ready').length),
    attentionCount: computed(() => servers.data.value.filter((server) => groupOf(server) === 'attention').length),
    refresh: servers.refresh,
    start: (id: string) => after(api.start({ id })),
    stop: (id: string) => after(api.stop({ id })),
    signOut: (id: string) => after(api.signOut({ id })),
    reload: (id: string) => after(api.reload({ id })),
    remove: (id: string) => after(api.remove({ id })),
    approve: (approval: Parameters<typeof api.approve>[0]) => after(api.approve(approval)),
    decline: (id: string) => after(api.decline({ id })),
    setConsumers: (choice: Parameters<typeof api.setConsumers>[0]) => after(api.setConsumers(choice)),
    acceptDefinitions: (choice: Parameters<typeof api.acceptDefinitions>[0]) => after(api.acceptDefinitions(choice)),
    setRoots: (choice: Parameters<typeof api.setRoots>[0]) => after(api.setRoots(choice)),
    setSampling: (choice: Parameters<typeof api.setSampling>[0]) => after(api.setSampling(choice)),
    setLogLevel: (choice: Parameters<typeof api.setLogLevel>[0]) => after(api.setLogLevel(choice)),
    add: (config: Parameters<typeof api.add>[0]) => after(api.add(config)),
    change: (change: Parameters<typeof api.change>[0]) => after(api.change(change)),
    setValues: (given: Parameters<typeof api.setValues>[0]) => after(api.setValues(given)),
    settleFile: (choice: Parameters<typeof api.settleFile>[0]) => after(api.settleFile(choice)),
    answer: (answer: Parameters<typeof api.answer>[0]) => after(api.answer(answer)),
    import: (wanted: Parameters<typeof api.import>[0]) => after(api.import(wanted)),
  };
});
