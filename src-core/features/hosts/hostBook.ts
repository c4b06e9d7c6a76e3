import type { HostCall, HostRow } from '../../contract/hosts.ts';
import { statusOf } from '../../contract/stateWords.ts';
import type { ExecutionOptions, PendingCall } from '../../engine/executionOptions.ts';
import type { ToolErrorInfo } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { maskMember } from '../../base/maskSecrets.ts';
import type { Clock } from '../../base/clock.ts';
import { nothingChosen } from './chosenTools.ts';
import type { CallingHost, SeenClient } from './hostServer.ts';
import type { HostTokens, TokenHost } from './hostTokens.ts';

/** Calls of a host that are listed. */
const maxCalls = 100;
/** Hosts that started `toolwire mcp` in this run; each names itself. */
const maxStdioHosts = 64;
const maxClientText = 100;
const maxMessage = 300;

type CallHooks = Pick<ExecutionOptions, 'onCallStart' | 'onCallEnd' | 'onWentOut' | 'onProgress'>;

interface HostActivity {
  calls: Map<string, HostCall>;
  /** The end of the day of `today` in the local calendar. */
  midnight: number;
  today: number;
}

/** What hosts do: who they are, and their calls in this run. */
export interface HostBook {
  rows(connections: (hostId: string) => number): Omit<HostRow, 'tools'>[];
  /** What a request states about its client. */
  seen(caller: CallingHost, client: SeenClient): void;
  calls(hostId: string): HostCall[];
  /** A call waits for the user's approval. */
  asks(caller: CallingHost, name: string, pending: PendingCall): void;
  /** The executor's hooks for one call, with this one's added. */
  follow(caller: CallingHost, name: string, hooks: CallHooks): CallHooks;
}

export function createHostBook(options: {
  tokens: HostTokens;
  clock: Pick<Clock, 'wall'>;
  onChange: () => void;
}): HostBook {
  const { tokens, clock, onChange } = options;
  const activities = new Map<string, HostActivity>();
  /** The hosts without a token. */
  const stdio = new Map<string, Omit<HostRow, 'tools'>>();

  function activityOf(id: string): HostActivity {
    const now = clock.wall();
    const known = activities.get(id) ?? { calls: new Map(), midnight: 0, today: 0 };
    if (now >= known.midnight) Object.assign(known, { midnight: new Date(now).setHours(24, 0, 0, 0), today: 0 });
    activities.set(id, known);
    return known;
  }

  function learn(id: string, facts: Partial<HostRow>): void {
    const row = stdio.get(id);
    if (row !== undefined) stdio.set(id, { ...row, ...facts });
    else tokens.learn(id, facts);
    onChange();
  }

  return {
    rows: (connections) =>
      [...tokens.list().map(factsOf), ...tokens.unreadable().map(unreadableRow), ...stdio.values()].map((facts) => ({
        ...facts,
        ...countsOf(activityOf(facts.id)),
        connections: connections(facts.id),
      })),
    seen(caller, { era, name = '', version = '', revision }) {
      const client = { name: name.slice(0, maxClientText), version: version.slice(0, maxClientText) };
      const isKnown = tokens.list().some(({ id }) => id === caller.id);
      if (!isKnown && !stdio.has(caller.id)) {
        const { id, name, offered = { scope: 'all', finds: false } } = caller;
        stdio.set(id, { id, kind: 'stdio', name, ...offered, callsToday: 0, connections: 0 });
        for (const id of stdio.keys()) if (stdio.size > maxStdioHosts) stdio.delete(id);
      }
      const facts = { era, lastSeenAt: clock.wall(), ...(name !== '' && { client }) };
      learn(caller.id, revision === undefined ? facts : { ...facts, revision });
    },
    calls: (id) => [...activityOf(id).calls.values()].reverse(),
    asks(caller, name, { callId, toolId = '', methodName = '' }) {
      const qualifiedName = `${toolId}_${methodName}`;
      put(activityOf(caller.id), { callId, name, qualifiedName, at: clock.wall(), status: 'asking' });
      onChange();
    },
    follow(caller, name, hooks) {
      return {
        ...hooks,
        onCallStart(call, ending) {
          hooks.onCallStart?.(call, ending);
          const { callId, toolName: qualifiedName, startedAt: at } = call;
          put(activityOf(caller.id), { callId, name, qualifiedName, at, status: 'running' });
        },
        async onCallEnd(call) {
          const { callId, toolName: qualifiedName, startedAt: at, result } = call;
          const { durationMs, error } = result;
          const activity = activityOf(caller.id);
          const ended = { callId, name, qualifiedName, at, status: statusOf(result), durationMs };
          put(activity, error ? { ...ended, error: shortened(error) } : ended);
          activity.today += 1;
          learn(caller.id, { lastCallAt: clock.wall() });
          await hooks.onCallEnd?.(call);
        },
      };
    },
  };
}

/** The error as a row shows it: without stderr and long texts of others in its details. */
function shortened({ code, message, details = {} }: ToolErrorInfo): HostCall['error'] & {} {
  const { stderr: _stderr, ...others } = details;
  const facts = Object.entries(others).filter(([, fact]) => JSON.stringify(fact).length <= maxMessage);
  return {
    code,
    message: message.slice(0, maxMessage).toWellFormed(),
    ...(facts.length > 0 && {
      details: JSON.parse(JSON.stringify(Object.fromEntries(facts), maskMember)) as JsonObject,
    }),
  };
}

/** What is kept of the host of a token, without the hash. */
function factsOf({ hash: _hash, client, era, revision, lastSeenAt, lastCallAt, ...host }: TokenHost) {
  return {
    ...host,
    kind: 'token' as const,
    ...(client && { client }),
    ...(era && { era }),
    ...(revision !== undefined && { revision }),
    ...(lastSeenAt !== undefined && { lastSeenAt }),
    ...(lastCallAt !== undefined && { lastCallAt }),
  };
}

function unreadableRow(host: Pick<TokenHost, 'id' | 'name'>) {
  const scope = { kind: 'chosen' as const, chosen: nothingChosen };
  return { ...host, kind: 'token' as const, unreadable: true as const, scope, finds: false };
}

function countsOf({
  calls,
  today,
}: HostActivity): Pick<HostRow, 'callsToday' | 'lastCall' | 'lastCallAt' | 'lastCallMs'> {
  const last = [...calls.values()].at(-1);
  return {
    ...(last && { lastCall: last.name, lastCallAt: last.at }),
    // A call that never ran has none.
    ...(last?.durationMs !== undefined && last.durationMs > 0 && { lastCallMs: last.durationMs }),
    callsToday: today,
  };
}

/** Adds a call, or what is new of it. */
function put({ calls }: HostActivity, call: HostCall): void {
  calls.set(call.callId, call);
  const [oldest = ''] = calls.keys();
  if (calls.size > maxCalls) calls.delete(oldest);
}
