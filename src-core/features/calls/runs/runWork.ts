import type {
  CallRunInput,
  RepeatInput,
  RunQuestion,
  SeriesFigures,
  ToolExecutionResult,
} from '../../../contract/types.ts';
import type { Clock } from '../../../base/clock.ts';
import type { CallsService } from '../../../workbench/services.ts';
import type { RunConfirmations } from './runConfirmations.ts';

export type CallEvent = ToolExecutionResult | RunQuestion;
export type SeriesEvent = SeriesFigures | RunQuestion;

/**
 * What calls and series do as runs: if the tool asks first, they ask. An approval applies to the
 * method that asked. A refusal is kept as one refused call.
 */
export function createRunWork({
  calls,
  confirmations,
  clock,
}: {
  calls: Pick<CallsService, 'execute' | 'repeat'>;
  confirmations: RunConfirmations;
  clock: Pick<Clock, 'wall'>;
}) {
  return {
    async *call(input: CallRunInput, signal: AbortSignal): AsyncGenerator<CallEvent, void, void> {
      const result = await calls.execute(input, signal);
      if (result.error?.code !== 'confirmation-required') return yield result;
      const { question, approved, decision } = confirmations.ask({ id: input.callId, call: input, signal });
      yield question;
      const { allowed, argsJson = input.argsJson, reason } = await decision;
      yield { allowed, at: clock.wall() };
      yield allowed
        ? await calls.execute({ ...input, argsJson, approved }, signal)
        : await calls.execute({ ...input, refused: { reason } }, signal);
    },
    async *series(input: RepeatInput, signal: AbortSignal): AsyncGenerator<SeriesEvent, void, void> {
      let asks = false;
      for await (const figures of calls.repeat(input, signal)) {
        asks = figures.stopped?.code === 'confirmation-required';
        if (!asks) yield figures;
      }
      if (!asks) return;
      const { question, approved, decision } = confirmations.ask({ id: input.seriesId, call: input, signal });
      yield question;
      const { allowed, argsJson = input.argsJson, reason } = await decision;
      if (!allowed) await calls.execute({ ...input, callId: input.seriesId, refused: { reason } }, signal);
      yield { allowed, at: clock.wall() };
      if (allowed) yield* calls.repeat({ ...input, argsJson, approved }, signal);
    },
  };
}
