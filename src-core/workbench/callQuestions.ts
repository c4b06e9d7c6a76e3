import type { CallQuestion } from '../api/types/questions.ts';
import type { Confirmation, ExecutionOptions } from '../engine/executionOptions.ts';
import type { Clock } from '../tools/clock.ts';
import { RequestError } from '../tools/requestError.ts';

/** Calls of a model, a gateway's or a realtime one, that ask a person before they run. */
export interface CallQuestions {
  ask: NonNullable<ExecutionOptions['onBeforeExecute']>;
  /** The oldest first. */
  list(): CallQuestion[];
  /** Throws a `RequestError` where no such call asks any more. */
  decide(input: { callId: string; allowed: boolean; reason?: string | undefined }): void;
}

/** ms that a question waits: a client or a conversation waits behind it. */
const patienceMs = 60_000;

/** Makes the desk where they wait. A question ends with its call, and counts as refused where nobody answers in time. */
export function createCallQuestions({ clock, onChange }: { clock: Clock; onChange: () => void }): CallQuestions {
  const open = new Map<string, { question: CallQuestion; answer: (word: Confirmation) => void }>();

  return {
    ask: (request, { callId, toolId = request.toolName, methodName = '', args, danger, signal }) =>
      new Promise((resolve) => {
        const askedAt = clock.wall();
        const end = (word: Confirmation): void => {
          stop();
          signal.removeEventListener('abort', onAbort);
          open.delete(callId);
          onChange();
          resolve(word);
        };
        const onAbort = (): void => end(false);
        const stop = clock.after(patienceMs, () =>
          end({ allowed: false, reason: `Nobody answered within ${patienceMs / 1_000} s.` }),
        );
        signal.addEventListener('abort', onAbort, { once: true });
        const facts = {
          callId,
          toolId,
          methodName,
          argsJson: JSON.stringify(args),
          askedAt,
          expiresAt: askedAt + patienceMs,
        };
        open.set(callId, { question: { ...facts, ...(danger !== undefined && { danger }) }, answer: end });
        onChange();
      }),
    list: () => [...open.values()].map(({ question }) => question),
    decide({ callId, allowed, reason }) {
      const waiting = open.get(callId);
      if (waiting === undefined) throw new RequestError('This call does not wait any more.', { field: 'callId' });
      waiting.answer({ allowed, ...(reason !== undefined && { reason }) });
    },
  };
}
