import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { CallQuestion, RealtimeProfileList, RealtimeSessionInfo } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';

/** Realtime models that are set up, and the conversations with them. */
export const useRealtime = defineStore('realtime', () => {
  const connection = injectConnection();
  const api = connection.client.realtime;
  const on = { connection, topics: ['realtime'] as const };
  const profiles = createResource<RealtimeProfileList>({
    ...on,
    initial: { profiles: [], presets: [], keyStorage: 'file', forDevices: { all: null, devices: {} } },
    fetch: () => api.profiles(),
  });
  const questions = createResource<CallQuestion[]>({ ...on, initial: [], fetch: () => api.questions() });
  const sessions = createResource<RealtimeSessionInfo[]>({ ...on, initial: [], fetch: () => api.sessions() });

  return {
    profiles: computed(() => profiles.data.value.profiles),
    presets: computed(() => profiles.data.value.presets),
    keyStorage: computed(() => profiles.data.value.keyStorage),
    forDevices: computed(() => profiles.data.value.forDevices),
    defaultProfile: computed(() => profiles.data.value.profiles.find(({ isDefault }) => isDefault)),
    profileById: computed(() => new Map(profiles.data.value.profiles.map((profile) => [profile.id, profile]))),
    /** The newest first. */
    sessions: sessions.data,
    sessionById: computed(() => new Map(sessions.data.value.map((session) => [session.id, session]))),
    openCount: computed(() => sessions.data.value.filter(({ state }) => state !== 'closed').length),
    loaded: computed(() => profiles.loaded.value && sessions.loaded.value),
    error: computed(() => profiles.error.value ?? sessions.error.value),
    /** Calls that wait for the user's word, the oldest first. */
    questions: questions.data,
    /** Somebody edits its arguments here, so that it waits longer. */
    attend: (callId: string): Promise<unknown> => api.attend({ callId }),
    async decide(word: Parameters<typeof api.decide>[0]): Promise<void> {
      try {
        await api.decide(word);
      } finally {
        await questions.refresh();
      }
    },
    refreshProfiles: profiles.refresh,
    refreshSessions: sessions.refresh,
  };
});
