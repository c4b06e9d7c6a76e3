import { randomUUID } from 'node:crypto';

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ClientCapabilities,
  type Implementation,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { Clock } from '../../base/clock.ts';
import type { HostRequest, RoundTripCall } from './hostCall.ts';

/** The extension with which a host declares that a call may be answered with a task. */
const tasksExtension = 'io.modelcontextprotocol/tasks';
/** What a host lacks that did not declare it. */
export const tasksCapability: ClientCapabilities = { extensions: { [tasksExtension]: {} } };

/** ms from its start for which a task can be requested. */
const keptMs = 3_600_000;
/** Limit of tasks at one address. A new task replaces the oldest one that has ended. If none has ended, its request stays open. */
const maxTasks = 64;
const pollMs = 1_000;
const maxStatusText = 500;

interface KeptTask {
  call: RoundTripCall<never>;
  createdAt: number;
  updatedAt: number;
  /** The status that was reported last. */
  reported: string;
  /** The outcome, once the call has ended. */
  end?: { status: 'completed'; result: Result } | { status: 'failed'; error: object } | { status: 'cancelled' };
  stop: () => void;
}

/** The calls that go on after the requests of their hosts were answered with a task. */
export interface HostTasks {
  /** Whether another one can be kept. */
  hasRoom(): boolean;
  /** Whether one has not ended. */
  isBusy(): boolean;
  /** Keeps a call. Returns the answer of its request. */
  add(call: RoundTripCall<never>): Result;
  /** `tasks/get`. Throws if there is no such task. */
  get(taskId: string): Result;
  /** `tasks/update`: answers the questions of the tool. Other keys are ignored. */
  update(taskId: string, answers: Record<string, unknown>): void;
  /** `tasks/cancel`. Does nothing if the call has ended. */
  cancel(taskId: string): void;
  /** Cancels the tasks and forgets them. */
  close(): void;
}

export function createHostTasks({ clock }: { clock: Pick<Clock, 'after' | 'wall'> }): HostTasks {
  const tasks = new Map<string, KeptTask>();

  function find(taskId: string): KeptTask {
    const task = tasks.get(taskId);
    if (task !== undefined) return task;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task "${taskId.slice(0, 100)}".`);
  }

  function end(task: KeptTask, how: NonNullable<KeptTask['end']>): void {
    task.end ??= how;
  }

  function cancel(task: KeptTask, reason: string): void {
    if (task.end !== undefined) return;
    end(task, { status: 'cancelled' });
    task.call.cancel(new Error(reason));
  }

  function forget(taskId: string, task: KeptTask, reason: string): void {
    task.stop();
    cancel(task, reason);
    tasks.delete(taskId);
  }

  function describe(taskId: string, task: KeptTask): Result & { status: string } {
    const { call } = task;
    const status = task.end?.status ?? (call.isAsking ? 'input_required' : 'working');
    if (status !== task.reported) Object.assign(task, { reported: status, updatedAt: clock.wall() });
    return {
      taskId,
      status,
      ...(call.progress !== '' && { statusMessage: call.progress.slice(0, maxStatusText) }),
      createdAt: new Date(task.createdAt).toISOString(),
      lastUpdatedAt: new Date(task.updatedAt).toISOString(),
      ttlMs: keptMs,
      pollIntervalMs: pollMs,
    };
  }

  return {
    hasRoom: () => tasks.size < maxTasks || oldestEnded(tasks) !== undefined,
    isBusy: () => [...tasks.values()].some(({ end }) => end === undefined),
    add(call) {
      const ended = tasks.size < maxTasks ? undefined : oldestEnded(tasks);
      if (ended !== undefined) forget(...ended, 'Newer tasks took its place.');
      const taskId = randomUUID();
      const now = clock.wall();
      const task: KeptTask = {
        call,
        createdAt: now,
        updatedAt: now,
        reported: 'working',
        stop: clock.after(keptMs, () => forget(taskId, task, 'The task took too long.')),
      };
      tasks.set(taskId, task);
      call.outcome.then(
        (result) => end(task, { status: 'completed', result }),
        (error: unknown) => end(task, { status: 'failed', error: errorOf(error) }),
      );
      return { ...describe(taskId, task), resultType: 'task', status: 'working' };
    },
    get(taskId) {
      const task = find(taskId);
      const state = describe(taskId, task);
      if (state.status === 'input_required') return { ...state, inputRequests: task.call.questions() };
      return { ...state, ...task.end };
    },
    update: (taskId, answers) => find(taskId).call.answer(answers),
    cancel: (taskId) => cancel(find(taskId), 'The host cancelled the task.'),
    close() {
      for (const [id, task] of tasks) forget(id, task, 'The connection of the host was ended.');
    },
  };
}

function oldestEnded(tasks: ReadonlyMap<string, KeptTask>): [string, KeptTask] | undefined {
  return [...tasks].find(([, { end }]) => end !== undefined);
}

/** What a request declares of its client, since 2026-07-28. */
export function declaredCapabilities(context: ServerContext): ClientCapabilities | undefined {
  return envelopeOf(context)?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
}

/**
 * The capability that a question needs and the host has not declared; undefined if it may be asked. `elicitation` without a mode stands
 * for forms.
 */
export function missingFor(
  { method, params }: HostRequest,
  { elicitation, sampling, roots }: ClientCapabilities = {},
): string | undefined {
  if (method === 'roots/list') return roots ? undefined : 'roots';
  if (method === 'sampling/createMessage') {
    if (!sampling) return 'sampling';
    return sampling.tools || (params['tools'] ?? params['toolChoice']) === undefined ? undefined : 'sampling.tools';
  }
  if (params['mode'] === 'url') return elicitation?.url ? undefined : 'elicitation.url';
  return elicitation && (elicitation.form || !elicitation.url) ? undefined : 'elicitation.form';
}

/** The client that a request names, since 2026-07-28. */
export function declaredClient(context: ServerContext | undefined): Implementation | undefined {
  return envelopeOf(context)?.[CLIENT_INFO_META_KEY] as Implementation | undefined;
}

function envelopeOf(context: ServerContext | undefined): Record<string, unknown> | undefined {
  return context?.mcpReq.envelope;
}

export function supportsTasks(declared: ClientCapabilities | undefined): boolean {
  return declared?.extensions?.[tasksExtension] !== undefined;
}

/** @throws {MissingRequiredClientCapabilityError} If the host of a request about a task did not declare the extension. */
export function requireTasks(context: ServerContext): void {
  if (!supportsTasks(declaredCapabilities(context)))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: tasksCapability });
}

/** The error that the host would have received as the answer of its call. */
function errorOf(error: unknown): object {
  if (!(error instanceof ProtocolError)) return { code: ProtocolErrorCode.InternalError, message: 'Internal error' };
  const { code, message, data } = error;
  return { code, message, ...(data !== undefined && { data }) };
}
