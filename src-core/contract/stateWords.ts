import type { ToolConsumer } from '../base/toolTypes.ts';
import type { ToolExecutionResult } from '../base/calls.ts';
import type { CallOrigin, HistoryFound, HistoryStatus } from './callRecords.ts';
import type { EndpointInfo } from './endpoint.ts';
import type { ServerRow, ServerState } from './servers.ts';

/*
 * The states of MCP servers and endpoints, the consumers, and the callers and outcomes of calls, in words: the terminal's, and the
 * window's English catalogue. Imports no code, so that the page can import it.
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

/** Who made a call. The window does not name the Executor. */
export const callerWords = {
  parser: 'from the Parser',
  cli: 'from the terminal',
  model: 'from Chat',
  gateway: 'from the Gateway',
  realtime: 'from Realtime',
  host: 'from a host',
  app: 'from an App',
  node: 'from another node',
} satisfies Record<Exclude<CallOrigin, 'executor'>, string>;

export const verdictWords = {
  ok: 'OK',
  'soft-failure': 'Reported failure',
  mismatch: 'Output mismatch',
  error: 'Error',
  refused: 'Refused',
  'not-called': 'Not called',
  cancelled: 'Cancelled',
  'timed-out': 'Timed out',
  disconnected: 'Disconnected',
  interrupted: 'Interrupted',
};

/** How a call ended, as it is shown. */
export type Verdict = keyof typeof verdictWords;

/** Codes of calls that ended before their tool was reached, though the user did not refuse them. */
const uncalled: ReadonlySet<string> = new Set([
  'invalid-name',
  'unknown-tool',
  'unknown-method',
  'ambiguous-name',
  'not-agent-callable',
  'tool-withheld',
  'tool-changed',
  'unusable-method',
  'tool-disabled',
  'repeated-call',
  'invalid-arguments',
]);

/** How a call that failed ended, by the code of its error. */
export function verdictOfCode(code = 'tool-error'): Verdict {
  if (code === 'cancelled') return 'cancelled';
  if (code === 'timeout') return 'timed-out';
  if (code === 'disconnected' || code === 'interrupted') return code;
  if (code === 'not-authorized' || code === 'confirmation-required') return 'refused';
  return uncalled.has(code) ? 'not-called' : 'error';
}

/** The status under which a call is found. */
export function statusOf({
  status,
  softFailure,
  outputIssues = [],
}: Pick<ToolExecutionResult, 'status' | 'softFailure' | 'outputIssues'>): HistoryStatus {
  if (softFailure !== undefined) return 'soft-failure';
  return outputIssues.length > 0 ? 'mismatch' : status;
}

export function verdictOfFound({ status, errorCode }: Pick<HistoryFound, 'status' | 'errorCode'>): Verdict {
  if (status === 'error') return verdictOfCode(errorCode);
  return status === 'success' ? 'ok' : status;
}
