import type { CallOrigin, CallRecord, CallRules } from '../../contract/types.ts';
import type { ExecutionOptions, ToolCallRecord } from '../../engine/executionOptions.ts';
import type { ToolExecutionResult } from '../../base/calls.ts';
import { hideSecrets } from '../collections/hideSecrets.ts';
import type { Clock } from '../../base/clock.ts';
import type { ToolError } from '../../base/errors.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import type { JsonSchema } from '../../base/json.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ToolSource } from '../../base/toolTypes.ts';
import type { BegunCall } from '../../store/historyTypes.ts';
import { endedRecord, isKept, takeReport } from './mcp/taskCalls.ts';

/** Where finished calls are kept. */
interface CallHistory {
  begin(record: CallRecord): Promise<void>;
  append(record: CallRecord & { result: ToolExecutionResult }, inputSchema?: JsonSchema): Promise<void>;
}

export interface FollowOptions {
  /** Secrets to hide in what is kept and shown of the calls: the values, by name. */
  secrets?: Readonly<Record<string, string>> | undefined;
  rules?: CallRules | undefined;
  /** The name of the MCP host, or of the node, that calls. */
  host?: string | undefined;
  /** The call as an earlier run of Toolwire began it, if its task is followed now. */
  resumed?: BegunCall | undefined;
}

type CallHooks = Pick<ExecutionOptions, 'onCallStart' | 'onWentOut' | 'onProgress' | 'onReport' | 'onCallEnd'>;

interface CallTrackerOptions {
  toolRegistryManager: ToolRegistryManager;
  history: CallHistory;
  clock: Clock;
  /** Called with what has changed: the running calls, or the history of the ended ones. */
  announce: (topic: 'calls' | 'history') => void;
  onError: ErrorReporter;
  /** Aborted once Toolwire closes: tasks are left to their sources then. */
  closing?: AbortSignal;
}

interface RunningCall {
  record: CallRecord;
  ending: AbortController;
  stopTimer: () => void;
}

/** ms that a call runs before its beginning is written: most end earlier, and a write costs more than they do. */
const beginAfterMs = 100;

const unknownSource: ToolSource = { kind: 'builtin', id: '', label: '' };

/** Every running call, and the history of the finished ones. A call that only waits for the user's decision is not in the history yet. */
export class CallTracker {
  readonly #options: CallTrackerOptions;
  readonly #running = new Map<string, RunningCall>();
  readonly #series = new Set<symbol>();

  constructor(options: CallTrackerOptions) {
    this.#options = options;
  }

  /** Hooks for the executor that follow the calls of one origin. */
  follow(origin: CallOrigin, follow: FollowOptions = {}): CallHooks {
    const { toolRegistryManager, clock, history, closing, announce } = this.#options;
    const { secrets = {}, resumed } = follow;
    return {
      onCallStart: (call, ending) => {
        const record = newRecord(call, origin, follow, toolRegistryManager);
        const stopTimer = clock.after(beginAfterMs, () => this.#begin(record));
        this.#running.set(call.callId, { record, ending, stopTimer });
        announce('calls');
      },
      onWentOut: ({ callId }) =>
        this.#change(callId, ({ record }) => {
          record.wentOutAt = Date.now();
        }),
      onProgress: ({ callId, ...progress }) =>
        this.#change(callId, ({ record }) => {
          record.progress = hideSecrets(progress, secrets);
        }),
      onReport: (report, callId) =>
        this.#change(callId, ({ record, stopTimer }) => {
          if (!takeReport(record, hideSecrets(report, secrets))) return;
          stopTimer();
          this.#begin(record);
        }),
      onCallEnd: async ({ result: given, ...call }) => {
        // The record of its start has the source of a device that has since disconnected.
        const known = this.#running.get(call.callId);
        const record = known?.record ?? newRecord(call, origin, follow, toolRegistryManager);
        known?.stopTimer();
        this.#running.delete(call.callId);
        const result = resumed ? { ...given, durationMs: Date.now() - record.startedAt } : given;
        // Its beginning stays in the history, and the next run goes on with it.
        const isLeft = closing?.aborted === true && isKept(record);
        if (!isLeft && result.error?.code !== 'confirmation-required') {
          const ended = endedRecord(withoutProgress(record), hideSecrets(result, secrets));
          await history.append(ended, call.inputSchema);
          announce('history');
        }
        announce('calls');
      },
    };
  }

  /** Shows a task that waits for its source, until it is followed, cancelled (`onCancel`) or, with undefined, no longer waits. */
  wait(call: BegunCall, onCancel: (() => void) | undefined): void {
    if (onCancel === undefined) this.#running.delete(call.callId);
    else {
      const ending = new AbortController();
      ending.signal.addEventListener('abort', onCancel);
      const record = { ...call, waitsForSource: true as const };
      this.#running.set(call.callId, { record, ending, stopTimer: () => undefined });
    }
    this.#options.announce('calls');
  }

  running(): CallRecord[] {
    return [...this.#running.values()].map(({ record }) => ({ ...record }));
  }

  isRunning(callId: string): boolean {
    return this.#running.has(callId);
  }

  /** A series begins: calls that belong together. Call the returned function when it ends. */
  beginSeries(): () => void {
    const id = Symbol('series');
    this.#series.add(id);
    this.#options.announce('calls');
    return () => {
      if (this.#series.delete(id)) this.#options.announce('calls');
    };
  }

  /** The number of series that run. */
  series(): number {
    return this.#series.size;
  }

  /** Ends one running call of any origin, with this reason. False if no running call has that id. */
  cancel(callId: string, reason: ToolError): boolean {
    const call = this.#running.get(callId);
    call?.ending.abort(reason);
    return call !== undefined;
  }

  /** Writes no more beginnings of calls. */
  close(): void {
    this.#running.forEach(({ stopTimer }) => stopTimer());
  }

  #begin(record: CallRecord): void {
    const { history, onError } = this.#options;
    history
      .begin(withoutProgress(record))
      .catch((error: unknown) => onError(error, `the history of the call "${record.callId}"`));
  }

  /** Does nothing if the call does not run any more. */
  #change(callId: string, change: (call: RunningCall) => void): void {
    const call = this.#running.get(callId);
    if (call === undefined) return;
    change(call);
    this.#options.announce('calls');
  }
}

function newRecord(
  call: ToolCallRecord,
  origin: CallOrigin,
  { secrets = {}, rules, host, resumed }: FollowOptions,
  manager: ToolRegistryManager,
): CallRecord {
  if (resumed !== undefined) return { ...resumed };
  const toolId = call.toolId ?? '';
  return {
    callId: call.callId,
    toolId,
    methodName: call.methodName ?? '',
    qualifiedName: call.toolName,
    source: manager.getTool(toolId)?.source ?? unknownSource,
    origin,
    ...(host !== undefined && { host }),
    ...(rules !== undefined && { rules }),
    argsJson: JSON.stringify(hideSecrets(call.args, secrets)),
    startedAt: call.startedAt,
    timeoutMs: call.timeoutMs,
  };
}

function withoutProgress(record: CallRecord): CallRecord {
  const kept = { ...record };
  delete kept.progress;
  delete kept.waitsForUser;
  delete kept.waitedUntil;
  delete kept.waitsForSource;
  return kept;
}
