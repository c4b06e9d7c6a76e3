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
export interface CallHistory {
  begin(record: CallRecord): Promise<void>;
  append(record: CallRecord & { result: ToolExecutionResult }, inputSchema?: JsonSchema): Promise<void>;
  list(filter: { limit: number; qualifiedName?: string | undefined }): Promise<CallRecord[]>;
}

export interface FollowOptions {
  /** Secrets to hide in what is kept and shown of the calls: the values, by name. */
  secrets?: Readonly<Record<string, string>> | undefined;
  rules?: CallRules | undefined;
  /** The name of the MCP host that calls. */
  host?: string | undefined;
  /** The call as an earlier run of Toolwire began it, if its task is followed now. */
  resumed?: BegunCall | undefined;
}

/** Every running call, and the history of the finished ones. */
export interface CallTracker {
  /** Hooks for the executor that follow the calls of one origin. */
  follow(
    origin: CallOrigin,
    options?: FollowOptions,
  ): Pick<ExecutionOptions, 'onCallStart' | 'onWentOut' | 'onProgress' | 'onReport' | 'onCallEnd'>;
  /** Shows a task that waits for its source, until it is followed, cancelled (`onCancel`) or, with undefined, no longer waits. */
  wait(call: BegunCall, onCancel: (() => void) | undefined): void;
  running(): CallRecord[];
  /** A series begins: calls that belong together. Call the returned function when it ends. */
  beginSeries(): () => void;
  /** The number of series that run. */
  series(): number;
  /** Ends one running call of any origin, with this reason. False if no running call has that id. */
  cancel(callId: string, reason: ToolError): boolean;
  history(filter: { limit: number; qualifiedName?: string | undefined }): Promise<CallRecord[]>;
  /** Writes no more beginnings of calls. */
  close(): void;
}

/** ms that a call runs before its beginning is written: most end earlier, and a write costs more than they do. */
const beginAfterMs = 100;

const unknownSource: ToolSource = { kind: 'builtin', id: '', label: '' };

/** Creates a tracker. A call that only waits for the user's decision is not in the history yet. */
export function createCallTracker(options: {
  toolRegistryManager: ToolRegistryManager;
  history: CallHistory;
  clock: Clock;
  /** Called with what has changed: the running calls, or the history of the ended ones. */
  announce: (topic: 'calls' | 'history') => void;
  onError: ErrorReporter;
  /** Aborted once Toolwire closes: tasks are left to their sources then. */
  closing?: AbortSignal;
}): CallTracker {
  const { clock, history, closing } = options;
  const running = new Map<string, { record: CallRecord; ending: AbortController; stopTimer: () => void }>();
  const series = new Set<symbol>();

  function begin(record: CallRecord): void {
    history
      .begin(withoutProgress(record))
      .catch((error: unknown) => options.onError(error, `the history of the call "${record.callId}"`));
  }

  const recordOf = (call: ToolCallRecord, origin: CallOrigin, follow: FollowOptions): CallRecord =>
    follow.resumed ? { ...follow.resumed } : newRecord(call, origin, follow, options.toolRegistryManager);

  return {
    follow: (origin, follow = {}) => ({
      onCallStart(call, ending) {
        const record = recordOf(call, origin, follow);
        const stopTimer = clock.after(beginAfterMs, () => begin(record));
        running.set(call.callId, { record, ending, stopTimer });
        options.announce('calls');
      },
      onWentOut({ callId }) {
        const call = running.get(callId);
        if (call === undefined) return;
        call.record.wentOutAt = Date.now();
        options.announce('calls');
      },
      onProgress({ callId, ...progress }) {
        const call = running.get(callId);
        if (call === undefined) return;
        call.record.progress = hideSecrets(progress, follow.secrets ?? {});
        options.announce('calls');
      },
      onReport(report, callId) {
        const call = running.get(callId);
        if (call === undefined) return;
        if (takeReport(call.record, hideSecrets(report, follow.secrets ?? {}))) {
          call.stopTimer();
          begin(call.record);
        }
        options.announce('calls');
      },
      async onCallEnd({ result: given, ...call }) {
        // The record of its start has the source of a device that has since disconnected.
        const known = running.get(call.callId);
        const record = known?.record ?? recordOf(call, origin, follow);
        known?.stopTimer();
        running.delete(call.callId);
        const result = follow.resumed ? { ...given, durationMs: Date.now() - record.startedAt } : given;
        // Its beginning stays in the history, and the next run goes on with it.
        const isLeft = closing?.aborted === true && isKept(record);
        if (!isLeft && result.error?.code !== 'confirmation-required') {
          const ended = endedRecord(withoutProgress(record), hideSecrets(result, follow.secrets ?? {}));
          await history.append(ended, call.inputSchema);
          options.announce('history');
        }
        options.announce('calls');
      },
    }),
    wait(call, onCancel) {
      if (onCancel === undefined) running.delete(call.callId);
      else {
        const ending = new AbortController();
        ending.signal.addEventListener('abort', onCancel);
        const record = { ...call, waitsForSource: true as const };
        running.set(call.callId, { record, ending, stopTimer: () => undefined });
      }
      options.announce('calls');
    },
    running: () => [...running.values()].map(({ record }) => ({ ...record })),
    beginSeries() {
      const id = Symbol('series');
      series.add(id);
      options.announce('calls');
      return () => {
        if (series.delete(id)) options.announce('calls');
      };
    },
    series: () => series.size,
    cancel(callId, reason) {
      const call = running.get(callId);
      call?.ending.abort(reason);
      return call !== undefined;
    },
    history: (filter) => history.list(filter),
    close: () => running.forEach(({ stopTimer }) => stopTimer()),
  };
}

function newRecord(
  call: ToolCallRecord,
  origin: CallOrigin,
  { secrets = {}, rules, host }: FollowOptions,
  manager: ToolRegistryManager,
): CallRecord {
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
