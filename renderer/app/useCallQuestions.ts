import { computed } from 'vue';

import { useRuns } from '../features/calls/runsStore.ts';
import { useGatewayState } from '../features/gateway/gatewayState.ts';
import { useHosts } from '../features/hosts/hostsStore.ts';
import { useRealtime } from '../features/realtime/realtimeStore.ts';
import { useApps } from '../features/servers/app/appsStore.ts';

/** The calls that wait for the user's decision, the oldest first, each with its caller and the store that takes the decision. */
export function useCallQuestions() {
  const gateway = useGatewayState();
  const hosts = useHosts();
  const realtime = useRealtime();
  const runs = useRuns();
  const apps = useApps();
  return computed(() =>
    [
      ...gateway.questions.map((question) => ({ question, from: 'gateway' as const, store: gateway })),
      ...hosts.questions.map((question) => ({ question, from: 'host' as const, store: hosts })),
      ...realtime.questions.map((question) => ({ question, from: 'realtime' as const, store: realtime })),
      ...apps.questions.map((question) => ({ question, from: 'app' as const, store: apps })),
      ...runs.questions.map((question) => ({ question, from: 'window' as const, store: runs })),
    ].sort((a, b) => a.question.askedAt - b.question.askedAt),
  );
}
