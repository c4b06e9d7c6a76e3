import { setTimeout as wait } from 'node:timers/promises';

import { isJsonObject, type JsonObject } from '../base/json.ts';
import { createDeadline, type Deadline } from './createDeadline.ts';
import { reasonOf } from './createRequests.ts';
import { McpError } from './errors.ts';
import { errorOf } from './explainRequestError.ts';
import { fulfilInputs } from './fulfilInputs.ts';
import type {
  CallOptions,
  CallToolOptions,
  ListedTool,
  ProtocolEra,
  ServerRequestHandlers,
  TaskState,
} from './types.ts';

/** Declared to modern servers, which may answer a call with a task then. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

const defaultPollMs = 1000;
/** Each answer is kept as a frame. */
const shortestPollMs = 250;
const longestPollMs = 30_000;
const cancelMs = 2000;
/** Requests for a task in a row that may fail: a proxy may cut one, or answer for a server that starts again. */
const maxFailed = 3;
const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

/** Whether a legacy server runs the tool as a task only. */
export function needsTask(tool: ListedTool | undefined): boolean {
  const execution = tool?.definition['execution'];
  return isJsonObject(execution) && execution['taskSupport'] === 'required';
}

/** The task that a call was answered with: in `task` of a legacy result, the result itself of a modern one. */
export function readStartedTask(result: JsonObject, era: ProtocolEra): TaskState | undefined {
  if (era === 'modern') return result['resultType'] === 'task' ? readTask(result) : undefined;
  return isJsonObject(result['task']) ? readTask(result['task']) : undefined;
}

function readTask(task: JsonObject): TaskState {
  const { taskId, status, statusMessage } = task;
  const known = statuses.find((name) => name === status);
  if (typeof taskId !== 'string' || !known)
    throw new McpError('invalid-answer', 'The task has no id or no known status.');
  const pollMs = Number(task['pollIntervalMs'] ?? task['pollInterval']);
  return {
    taskId,
    status: known,
    ...(typeof statusMessage === 'string' && { statusMessage }),
    pollMs: pollMs > 0 ? Math.min(Math.max(pollMs, shortestPollMs), longestPollMs) : defaultPollMs,
    task,
  };
}

export interface TaskConnection {
  era: ProtocolEra;
  handlers: ServerRequestHandlers;
  /** Aborts once the connection has ended. */
  ended: AbortSignal;
  ask(
    method: string,
    params: JsonObject,
    options: CallOptions,
    given?: { deadline: Deadline } | { callDeadline: Deadline },
  ): Promise<JsonObject>;
}

/** The tasks of a connection whose results are waited for. */
export class FollowedTasks {
  readonly #ends = new Map<Promise<JsonObject>, AbortSignal>();

  /** As `followTask`. */
  async follow(connection: TaskConnection, taskId: string, options: CallToolOptions): Promise<JsonObject> {
    const end = followTask(connection, taskId, options);
    this.#ends.set(end, options.signal);
    try {
      return await end;
    } finally {
      this.#ends.delete(end);
    }
  }

  /** Resolves once the server has confirmed each cancelled call, or has not answered for 2 s. */
  async cancelled(): Promise<void> {
    const ends = [...this.#ends].filter(([, { aborted }]) => aborted).map(([end]) => end);
    if (ends.length > 0) await Promise.race([Promise.allSettled(ends), wait(cancelMs, undefined, { ref: false })]);
  }
}

/**
 * Asks for a task until it has ended, answers its questions, and returns the result of its call. Aborting the signal,
 * the total limit, and an error before the task has ended cancel it at the server, unless `leavesTask` returns that it continues. @throws {McpError} `rpc` if the task failed,
 * `cancelled` if it was cancelled, `unknown-task` if the server does not know it.
 */
async function followTask(connection: TaskConnection, taskId: string, options: CallToolOptions): Promise<JsonObject> {
  const deadline = createDeadline({ ...options, timeoutMs: options.maxTotalMs ?? options.timeoutMs });
  const signal = AbortSignal.any([options.signal, deadline.expired]);
  const ask = (method: string, params: JsonObject): Promise<JsonObject> =>
    // The deadline of the call determines when the user is asked.
    connection.ask(
      method,
      { taskId, ...params },
      { ...options, signal, onWait: undefined },
      { callDeadline: deadline },
    );
  let pollMs = shortestPollMs;
  /** The task goes on while its server is not reached. */
  const repeated = async (send: () => Promise<JsonObject>): Promise<JsonObject> => {
    for (let failed = 0; ; failed += 1)
      try {
        return await send();
      } catch (error) {
        if (failed === maxFailed || !isPassing(error)) throw error;
        const either = AbortSignal.any([signal, connection.ended]);
        await wait(pollMs, undefined, { signal: either }).catch(() => Promise.reject(error));
      }
  };
  const takeResult = async ({ statusMessage: _, ...task }: TaskState): Promise<JsonObject> => {
    // The server may ask the user meanwhile.
    const result = await repeated(() => connection.ask('tasks/result', { taskId }, options, { deadline }));
    options.onTask?.({ ...task, status: result['isError'] === true ? 'failed' : 'completed' });
    return result;
  };
  const answered = new Set<string>();
  let hasEnded = false;
  try {
    for (let isFirst = true; ; isFirst = false) {
      const answer = await repeated(() => ask('tasks/get', {})).catch((error: unknown) => {
        throw isFirst ? unknownTask(error) : error;
      });
      const state = readTask(answer);
      pollMs = state.pollMs;
      hasEnded = state.status !== 'working' && state.status !== 'input_required';
      options.onTask?.(state);
      if (state.status === 'cancelled') throw new McpError('cancelled', 'The task was cancelled.');
      // A legacy server asks its questions while the result is waited for.
      if (connection.era === 'legacy' && state.status !== 'working') return await takeResult(state);
      if (state.status === 'completed' && isJsonObject(answer['result'])) return answer['result'];
      if (state.status === 'completed') throw new McpError('invalid-answer', 'The task has no result.');
      if (state.status === 'failed') throw errorOf(answer['error']);
      if (state.status === 'input_required') {
        deadline.pause();
        const inputs = await answerNew(answer, answered, connection.handlers, { ...options, signal });
        deadline.resume();
        if (inputs) await ask('tasks/update', inputs);
      }
      await wait(pollMs, undefined, { signal });
    }
  } catch (error) {
    const isUnknown = error instanceof McpError && error.code === 'unknown-task';
    const isLeft = options.signal.aborted && options.leavesTask?.() === true;
    const mayRun = signal.aborted ? !isLeft : !hasEnded && !isUnknown;
    const cancelling = { timeoutMs: 5000, signal: new AbortController().signal };
    // The call has ended, whether the server can still cancel the task or not.
    if (mayRun) await connection.ask('tasks/cancel', { taskId }, cancelling).catch(() => undefined);
    throw signal.aborted ? reasonOf(signal) : error;
  } finally {
    deadline.clear();
  }
}

/** Whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof McpError)) return false;
  return error.code === 'connection-lost' || (error.code === 'http' && (error.details.status ?? 0) >= 500);
}

/** The answer for a task that a server does not know. */
const invalidParams = -32602;

function unknownTask(error: unknown): unknown {
  if (!(error instanceof McpError) || error.details.rpcCode !== invalidParams) return error;
  return new McpError('unknown-task', error.message, { ...error.details, cause: error });
}

/** A question stays in the task until its answer has arrived; each is asked once. */
async function answerNew(
  { inputRequests }: JsonObject,
  answered: Set<string>,
  handlers: ServerRequestHandlers,
  options: Pick<CallOptions, 'signal' | 'onRound'>,
): Promise<JsonObject | undefined> {
  if (!isJsonObject(inputRequests)) return undefined;
  const fresh = Object.entries(inputRequests).filter(([key]) => !answered.has(key));
  if (fresh.length === 0) return undefined;
  const inputs = await fulfilInputs({ inputRequests: Object.fromEntries(fresh) }, handlers, options);
  for (const [key] of fresh) answered.add(key);
  return inputs;
}
