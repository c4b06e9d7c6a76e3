import { randomBytes, randomUUID } from 'node:crypto';

import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  type InputRequiredResult,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { Clock } from '../../base/clock.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { newCallIdFor } from '../frames/mcp/mcpFrames.ts';
import { RoundTripCall } from './hostCall.ts';
import { createHostTasks, declaredCapabilities, missingFor, supportsTasks, type HostTasks } from './hostTasks.ts';

/** s for which a call waits for the host to return with the answers that it requested. */
const patienceS = 600;
/** ms after which a call becomes a task if its host accepts tasks. The host then needs another request for the answer. */
const slowMs = 5_000;
/** Calls that wait for their hosts. */
const maxWaiting = 256;

/** The calls of one host that speaks 2026-07-28 which need more than one request. */
export interface RoundTrips {
  /** The calls that continue without an open request. */
  readonly tasks: HostTasks;
  /** Begins a call, or continues the one that the request's sealed state identifies. */
  serve<T extends Result>(options: {
    /** The tool and its arguments, which may not differ between the rounds either. */
    what: readonly unknown[];
    context: ServerContext;
    /** Whether the answer may be a task. */
    isTool: boolean;
    run: (call: RoundTripCall<T>) => Promise<T>;
  }): Promise<T | InputRequiredResult>;
  /**
   * The id of the call that a message of a host makes or continues, for its frames and the history; undefined if it calls no tool.
   */
  callIdOf(message: JsonValue | undefined): string | undefined;
  /** Whether a call waits for its host, or continues as a task. */
  isBusy(): boolean;
  /** Throws if a request's state was not sealed here, or too long ago. */
  verify: (state: string, context: ServerContext) => Promise<{ id: string }>;
  /** Ends the calls that wait for the host, and its tasks. */
  close(): void;
}

/** A call that waits for its host to return with `state`. */
interface Waiting {
  call: RoundTripCall<never>;
  /** Ends the wait. */
  stop: () => void;
  /** Ends the call, too. */
  drop: (reason: string) => void;
  /** The sealed state. Undefined until it is sealed. */
  state: string | undefined;
}

export function createRoundTrips({ clock }: { clock: Pick<Clock, 'after' | 'wall'> }): RoundTrips {
  const tasks = createHostTasks({ clock });
  const codec = createRequestStateCodec<{ id: string }>({ key: randomBytes(32), ttlSeconds: patienceS });
  // The identity of a call determines its result.
  const waiting = new Map<string, Waiting>();

  function take(id: string, identity: string): RoundTripCall<never> {
    const found = waiting.get(id);
    if (found === undefined || found.call.identity !== identity)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
        reason: 'invalid_request_state',
      });
    found.stop();
    return found.call;
  }

  async function wait(call: RoundTripCall<never>): Promise<string> {
    const id = randomUUID();
    const late = 'The host did not come back with what the tool asked for.';
    const stopTimer = clock.after(patienceS * 1_000, () => entry.drop(late));
    const stop = (): void => {
      stopTimer();
      waiting.delete(id);
    };
    const drop = (reason: string): void => {
      stop();
      call.cancel(new Error(reason));
    };
    const entry: Waiting = { call, stop, drop, state: undefined };
    waiting.set(id, entry);
    for (const oldest of waiting.values()) if (waiting.size > maxWaiting) oldest.drop('Too many calls wait for hosts.');
    return (entry.state = await codec.mint({ id }));
  }

  return {
    tasks,
    async serve({ what, context, isTool, run }) {
      const identity = JSON.stringify(what);
      const { inputResponses, requestState } = context.mcpReq;
      const state = requestState<{ id: string }>();
      const call = state === undefined ? new RoundTripCall(identity, run) : take(state.id, identity);
      const declared = declaredCapabilities(context);
      const takesTasks = isTool && supportsTasks(declared);
      const stop = takesTasks ? clock.after(slowMs, () => call.becomeTask()) : undefined;
      try {
        const answer = await call.round(context, {
          answers: state === undefined ? undefined : (inputResponses ?? {}),
          missingFor: (question) => missingFor(question, declared),
          mayBeTask: () => takesTasks && tasks.hasRoom(),
          state: () => wait(call as RoundTripCall<never>),
        });
        // A task is a result of `tools/call` that the caller's type does not name.
        return answer === 'slow' ? (tasks.add(call as RoundTripCall<never>) as never) : answer;
      } finally {
        stop?.();
      }
    },
    callIdOf: (message) => callOf(waiting, message)?.callId ?? newCallIdFor(message),
    isBusy: () => waiting.size > 0 || tasks.isBusy(),
    verify: (state, context) => codec.verify(state, context),
    close() {
      tasks.close();
      for (const { drop } of waiting.values()) drop('The connection of the host was ended.');
    },
  };
}

/** The call that a message continues. */
function callOf(
  waiting: ReadonlyMap<string, Waiting>,
  message: JsonValue | undefined,
): RoundTripCall<never> | undefined {
  const params = isJsonObject(message) ? message['params'] : undefined;
  const state = isJsonObject(params) ? params['requestState'] : undefined;
  if (state === undefined) return undefined;
  return [...waiting.values()].find((entry) => entry.state === state)?.call;
}
