import type { ToolConsumer } from '../base/toolTypes.ts';
import type { EndpointInfo } from './endpoint.ts';
import type { ServerRow, ServerState } from './servers.ts';

/*
 * The states of MCP servers and endpoints, and the consumers, in words: the terminal's, and the window's English catalogue. Imports
 * no code, so that the page can import it.
 */
/** The state of a server that is shown: `changed` if it is ready and some of its definitions are not accepted. */
export type ShownState = ServerState | 'changed';

export function shownState({ state, changedTools }: Pick<ServerRow, 'state' | 'changedTools'>): ShownState {
  return state === 'ready' && changedTools > 0 ? 'changed' : state;
}

export const serverWords = {
  ready: 'Ready',
  starting: 'Starting',
  asking: 'Needs approval',
  'sign-in': 'Needs sign-in',
  changed: 'Definitions changed',
  failing: 'Failing',
  stopped: 'Stopped',
} satisfies Record<ShownState, string>;

export const endpointWords = {
  connected: serverWords.ready,
  connecting: serverWords.starting,
  waiting: serverWords.failing,
  stopped: serverWords.failing,
  off: serverWords.stopped,
} satisfies Record<EndpointInfo['state'], string>;

export const consumerWords = {
  chat: 'Chat',
  realtime: 'Realtime',
  gateway: 'Gateway',
  device: 'Devices',
  host: 'Hosts',
} satisfies Record<ToolConsumer, string>;
