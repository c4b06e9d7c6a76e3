import { randomUUID } from 'node:crypto';

import { RequestError } from '../../base/requestError.ts';
import { TooMuchWorkError } from '../../base/workBudget.ts';
import { parseReport } from './parseReport.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { parser } from '../../contract/parser.ts';
import type { ParserRunEvent } from '../../contract/types.ts';
import { createConfirmations, type Confirmations } from '../chat/confirmations.ts';
import { decideCall, noLongerWaits, type DecideCallOptions } from '../chat/decideCall.ts';
import type { ChatCall } from '../../contract/chat.ts';
import { modelCallConfig } from '../chat/effectiveConfig.ts';
import type { PlannedCalls } from '../chat/plannedCalls.ts';
import { planTextCalls } from '../chat/planTextCalls.ts';
import { feedbackText } from '../chat/renderText.ts';
import { runCalls } from '../chat/runCalls.ts';
import { createEarlierResults } from '../../engine/earlierResults.ts';
import { expandSerialCalls } from '../../engine/expandSerialCalls.ts';
import { protocolOf } from '../../protocols/readReply.ts';
import type { ReplyReading } from '../../base/replyTypes.ts';
import { toParsedRequest } from '../../protocols/toParsedRequest.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';

/** Opens the Parser: what a text holds, and the run of its calls as an agent would run them. */
export function openParser(options: ParserRunsOptions) {
  const { toolRegistryManager, settings } = options;
  const runs = createParserRuns(options);

  const service = {
    async parse({ text, dialect = settings().dialect }, signal?) {
      try {
        return await parseReport({ text, dialect, toolRegistryManager, signal });
      } catch (error) {
        throw readingError(error);
      }
    },
    decide: (input) => runs.decide(input),
  } satisfies Implementation<Omit<typeof parser, 'run' | 'follow'>>;
  return {
    service,
    decide: runs.decide,
    /**
     * Runs all calls of a text, or only the one with the index `call` among the report's. Calls that ask wait for
     * `decide`. Rejects with a `RequestError` if tool calling is off.
     */
    async *runText(
      { text, call }: { text: string; call?: number | undefined },
      signal?: AbortSignal,
    ): AsyncGenerator<ParserRunEvent> {
      const { dialect, toolCallConfig } = settings();
      if (!toolCallConfig.enabled) {
        throw new RequestError('Tool calling is off, so no call runs. Turn it on in Settings → Tool calling.', {
          field: 'toolCallConfig.enabled',
        });
      }
      // The calls that the report shows, and no others.
      const report = await parseReport({ text, dialect, toolRegistryManager, signal }).catch((error: unknown) => {
        throw readingError(error);
      });
      yield* runs.run(report, call, signal);
    },
  };
}

function readingError(error: unknown): unknown {
  if (!(error instanceof TooMuchWorkError)) return error;
  return new RequestError(`Reading was stopped: ${error.message}. Give a shorter text, or try again later.`, {
    field: 'text',
    cause: error,
  });
}

/** One run: calls that wait for a decision are found in it. */
interface ParserRun {
  calls: ChatCall[];
  confirmations: Confirmations;
  approved: Set<string>;
  save: () => void;
}

/** What runs of the Parser need. */
type ParserRunsOptions = Pick<FeatureContext, 'toolRegistryManager' | 'settings' | 'onError'> & {
  calls: Pick<Calls, 'policy' | 'follow'>;
};

/** Runs calls of a text as those of a chat's reply run: with the same limits, questions and feedback. */
function createParserRuns({ toolRegistryManager, calls: { policy, follow }, settings, onError }: ParserRunsOptions) {
  const runs = new Set<ParserRun>();

  function runPlanned(calls: PlannedCalls, run: ParserRun, signal: AbortSignal): Promise<void> {
    const current = policy();
    return runCalls({
      toolRegistryManager,
      onError,
      calls,
      config: modelCallConfig(current.config),
      policy: current,
      signal,
      confirmations: run.confirmations,
      suspicionOf: createEarlierResults().suspicionOf,
      isMethodApproved: (name) => run.approved.has(name),
      followed: follow('parser'),
      save: run.save,
    });
  }

  return {
    /**
     * Runs all calls of a reading, or the one with that index among them, and yields each call whenever it changes. The
     * last event is the text that goes back to the model. Ending the iteration cancels what has not ended.
     */
    async *run(reading: ReplyReading, call: number | undefined, signal?: AbortSignal): AsyncGenerator<ParserRunEvent> {
      const planned = await planTextCalls({
        requests: requestsOf(reading, call),
        skippedCalls: call === undefined ? (reading.omitted?.calls ?? 0) : 0,
        toolRegistryManager,
        dangerousTools: settings().dangerousTools,
        suspicionOf: createEarlierResults().suspicionOf,
        // The user asks for them, and a reading is bounded.
        limit: Infinity,
        newId: randomUUID,
      });
      const calls = planned.planned.map((each) => each.call);
      const ending = new AbortController();
      const changes = watchCalls(calls);
      const { save } = changes;
      const run: ParserRun = { calls, confirmations: createConfirmations(), approved: new Set(), save };
      runs.add(run);
      try {
        const either = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
        const running = runPlanned(planned, run, either).finally(changes.end);
        for await (const index of changes.indexes()) {
          const changed = calls[index];
          if (changed !== undefined) yield { kind: 'call', index: call ?? index, call: { ...changed } };
        }
        await running;
        const skippedCalls = planned.skipped;
        const feedback = feedbackText(
          { calls, ...(skippedCalls > 0 && { skippedCalls }) },
          protocolOf(reading.dialect),
          { showsAll: true },
        );
        yield { kind: 'end', feedback };
      } finally {
        runs.delete(run);
        ending.abort();
      }
    },
    decide({ callId, decision }: Pick<DecideCallOptions, 'callId' | 'decision'>): void {
      const run = [...runs].find(({ calls }) => calls.some(({ id }) => id === callId));
      if (run === undefined) throw noLongerWaits();
      const { calls, confirmations, approved } = run;
      const save = (method?: string): void => {
        if (method !== undefined) approved.add(method);
        run.save();
      };
      decideCall({ toolRegistryManager, calls, confirmations, callId, decision, save });
    },
  };
}

/** The requests of a reading, or a single request of the call with that index. */
function requestsOf({ requests }: ReplyReading, call: number | undefined) {
  const all = requests.map((request) => ({ ...toParsedRequest(request), range: request.range }));
  if (call === undefined) return all;
  const one = all.flatMap((request) => expandSerialCalls(request).map((each) => ({ ...each, range: request.range })))[
    call
  ];
  if (one !== undefined) return [one];
  throw new RequestError(`The text has no call with the index ${call}.`, { field: 'call' });
}

/** Yields the indexes of calls as they change, until `end`. */
function watchCalls(calls: readonly ChatCall[]) {
  const seen = calls.map(() => '');
  const changed = new Set<number>();
  let isOver = false;
  let wake = Promise.withResolvers<undefined>();
  function save(): void {
    for (const [index, { state, danger, argsJson, result }] of calls.entries()) {
      const key = JSON.stringify([state, danger, argsJson, result !== undefined]);
      if (seen[index] === key) continue;
      seen[index] = key;
      changed.add(index);
    }
    wake.resolve(undefined);
  }
  return {
    save,
    end: () => {
      isOver = true;
      save();
    },
    async *indexes(): AsyncGenerator<number> {
      for (;;) {
        for (const index of changed) {
          changed.delete(index);
          yield index;
        }
        if (isOver && changed.size === 0) return;
        await wake.promise;
        wake = Promise.withResolvers();
      }
    },
  };
}
