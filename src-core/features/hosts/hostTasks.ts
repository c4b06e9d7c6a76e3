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
import type { RoundTripCall } from './hostCall.ts';

/** The extension by which a host says that a call may be answered with a task. */
const tasksExtension = 'io.modelcontextprotocol/tasks';
/** What a host lacks that did not declare it. */
export const tasksCapability: ClientCapabilities = { extensions: { [tasksExtension]: {} } };

/** ms for which a task can be asked for, from its start. */
const keptMs = 3_600_000;
/** Tasks of one address: a new one takes the place of the oldest that has ended, and without one its request stays open. */
const maxTasks = 64;
const pollMs = 1_000;
const maxStatusText = 500;

interface KeptTask {
  hostId: string;
  call: RoundTripCall<never>;
  createdAt: number;
  updatedAt: number;
  /** The status that was reported last. */
  reported: string;
  /** Set when the call has ended. */
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
  add(hostId: string, call: RoundTripCall<never>): Result;
  /** `tasks/get`. Throws if the host has no such task. */
  get(hostId: string, taskId: string): Result;
  /** `tasks/update`: answers what the tool asked for. Other keys are ignored. */
  update(hostId: string, taskId: string, answers: Record<string, unknown>): void;
  /** `tasks/cancel`. Does nothing if the call has ended. */
  cancel(hostId: string, taskId: string): void;
  /** Cancels the tasks of a host and forgets them. */
  endHost(hostId: string): void;
  close(): void;
}

export function createHostTasks({ clock }: { clock: Pick<Clock, 'after' | 'wall'> }): HostTasks {
  const tasks = new Map<string, KeptTask>();

  /** A task of another host is as unknown as one that never was. */
  function find(hostId: string, taskId: string): KeptTask {
    const task = tasks.get(taskId);
    if (task?.hostId === hostId) return task;
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
    add(hostId, call) {
      const ended = tasks.size < maxTasks ? undefined : oldestEnded(tasks);
      if (ended !== undefined) forget(...ended, 'Newer tasks took its place.');
      const taskId = randomUUID();
      const now = clock.wall();
      const task: KeptTask = {
        hostId,
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
    get(hostId, taskId) {
      const task = find(hostId, taskId);
      const state = describe(taskId, task);
      if (state.status === 'input_required') return { ...state, inputRequests: task.call.questions() };
      return { ...state, ...task.end };
    },
    update: (hostId, taskId, answers) => find(hostId, taskId).call.answer(answers),
    cancel: (hostId, taskId) => cancel(find(hostId, taskId), 'The host cancelled the task.'),
    endHost(hostId) {
      for (const [id, task] of tasks) if (task.hostId === hostId) forget(id, task, 'The host was revoked.');
    },
    close() {
      for (const [id, task] of tasks) forget(id, task, 'Toolwire is closing.');
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

/** As the host would have got it as the answer of its call. */
function errorOf(error: unknown): object {
  if (!(error instanceof ProtocolError)) return { code: ProtocolErrorCode.InternalError, message: 'Internal error' };
  const { code, message, data } = error;
  return { code, message, ...(data !== undefined && { data }) };
}
