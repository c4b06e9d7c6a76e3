import { computed } from 'vue';

import type {
  CallQuestion,
  ChatCall,
  ChatView,
  DeviceInfo,
  ServerRequest,
  ServerRow,
  VisionRequest,
} from '../../../src-core/contract/types.ts';
import { useRuns } from '../../features/calls/runsStore.ts';
import { useChats } from '../../features/chat/chatsStore.ts';
import { useCluster } from '../../features/cluster/clusterStore.ts';
import { useDevices } from '../../features/devices/devicesStore.ts';
import { useGatewayState } from '../../features/gateway/gatewayState.ts';
import { useHosts } from '../../features/hosts/hostsStore.ts';
import { useParser } from '../../features/parser/parserStore.ts';
import { useRealtime } from '../../features/realtime/realtimeStore.ts';
import { useApps } from '../../features/servers/app/appsStore.ts';
import { useServers } from '../../features/servers/serversStore.ts';
import { usePictures } from '../../features/vision/picturesStore.ts';

/** Takes the user's decision on a call. */
export interface QuestionStore {
  questions: readonly CallQuestion[];
  decide: (decision: {
    callId: string;
    allowed: boolean;
    reason?: string | undefined;
    argsJson?: string | undefined;
  }) => Promise<void>;
  attend: (callId: string) => Promise<unknown>;
}
export type Caller = 'app' | 'gateway' | 'host' | 'node' | 'realtime' | 'window';

/** Something that does not go on before the user answers. `since`: epoch ms. */
export type WaitingItem = { key: string; since: number } & (
  | { kind: 'call'; question: CallQuestion; from: Caller; store: QuestionStore }
  | { kind: 'request'; request: ServerRequest }
  | { kind: 'device'; device: DeviceInfo }
  | { kind: 'picture'; picture: VisionRequest }
  | { kind: 'server'; server: ServerRow }
  | { kind: 'chat'; chat: ChatView }
  | { kind: 'parser'; calls: readonly ChatCall[] }
);

/** Everything that waits for the user: first the calls, which time out, then the rest; the oldest first. */
export function useWaitingItems() {
  const callers: Record<Caller, QuestionStore> = {
    app: useApps(),
    gateway: useGatewayState(),
    host: useHosts(),
    node: useCluster(),
    realtime: useRealtime(),
    window: useRuns(),
  };
  const servers = useServers();
  const devices = useDevices();
  const pictures = usePictures();
  const chats = useChats();
  const parser = useParser();

  const calls = computed(() =>
    (Object.keys(callers) as Caller[]).flatMap((from): WaitingItem[] =>
      callers[from].questions.map((question) => ({
        kind: 'call',
        key: `call:${question.callId}`,
        since: question.askedAt,
        question,
        from,
        store: callers[from],
      })),
    ),
  );
  /** A sign-in whose page waits is listed as the request. */
  const hasPage = (id: string): boolean =>
    servers.requests.some(({ serverId, kind }) => serverId === id && kind === 'sign-in');
  const others = computed((): WaitingItem[] => [
    ...servers.requests.map((request) => {
      return { kind: 'request' as const, key: `request:${request.requestId}`, since: request.askedAt, request };
    }),
    ...servers.list
      .filter(({ id, state }) => state === 'asking' || (state === 'sign-in' && !hasPage(id)))
      .map((server) => ({ kind: 'server' as const, key: `server:${server.id}`, since: server.since, server })),
    ...devices.waiting.map((device) => {
      return { kind: 'device' as const, key: `device:${device.id}`, since: device.connectedAt, device };
    }),
    ...pictures.list
      .filter(({ state }) => state === 'waiting')
      .map((picture) => ({ kind: 'picture' as const, key: `picture:${picture.id}`, since: picture.at, picture })),
    ...chats.list
      .filter(({ waiting }) => waiting > 0)
      .map((chat) => ({ kind: 'chat' as const, key: `chat:${chat.id}`, since: chat.updatedAt, chat })),
    ...(parser.run.phase === 'running' && parser.waiting.length > 0
      ? [{ kind: 'parser' as const, key: 'parser', since: parser.run.startedAt, calls: parser.waiting }]
      : []),
  ]);
  return computed(() => [calls, others].flatMap(({ value }) => value.toSorted((a, b) => a.since - b.since)));
}
