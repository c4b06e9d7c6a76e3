import { ToolError } from '../../../base/errors.ts';
import type { HistoryStore } from '../../../store/historyTypes.ts';
import type { CallTracker } from '../callTracker.ts';
import { endInterrupted, type TaskCall } from './taskCalls.ts';

/** Tasks that an earlier run of Toolwire left to their sources. They wait until their source has connected. */
export interface KeptTasks {
  /** The source has connected: follows its tasks to their ends. */
  resume(sourceId: string): void;
  /** The source is gone for good: its tasks end as interrupted. */
  drop(sourceId: string): Promise<void>;
}

export function createKeptTasks(options: {
  calls: readonly TaskCall[];
  history: Pick<HistoryStore, 'append'>;
  tracker: Pick<CallTracker, 'wait'>;
  follow: (call: TaskCall) => Promise<unknown>;
  onError: (error: unknown, where: string) => void;
}): KeptTasks {
  const { history, tracker, follow, onError } = options;
  const waiting = new Map(options.calls.map((call) => [call.callId, call]));
  const report = (error: unknown): void => onError(error, 'a task of an earlier run');

  const take = (sourceId: string): TaskCall[] => {
    const found = [...waiting.values()].filter(({ source }) => source.id === sourceId);
    for (const { callId } of found) waiting.delete(callId);
    return found;
  };
  for (const call of waiting.values()) {
    tracker.wait(call, () => {
      if (!waiting.delete(call.callId)) return;
      endInterrupted(history, call, cancelled()).then(ended, report);
      function ended(): void {
        tracker.wait(call, undefined);
      }
    });
  }
  return {
    resume(sourceId) {
      for (const call of take(sourceId)) follow(call).catch(report);
    },
    async drop(sourceId) {
      for (const call of take(sourceId)) {
        await endInterrupted(history, call, removed());
        tracker.wait(call, undefined);
      }
    },
  };
}

function cancelled(): ToolError {
  return new ToolError(
    'cancelled',
    'The call was cancelled while its server was not connected. The server may still work on the task.',
  );
}

function removed(): ToolError {
  return new ToolError('interrupted', 'The server was removed. Whether the task was finished is not known.');
}
