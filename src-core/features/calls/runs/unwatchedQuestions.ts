import type { CallQuestion } from '../../../contract/types.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ToolError } from '../../../base/errors.ts';
import { unanswered } from '../../../engine/confirmCall.ts';
import type { UntimedQuestion } from './runConfirmations.ts';

/** ms that a call asks while no window shows its run. */
const patienceMs = 600_000;

/** The questions of runs that no window shows: any window may answer them. */
export interface UnwatchedQuestions {
  /** Looks again at what asks. */
  update(): void;
  /** The oldest first. */
  list(): CallQuestion[];
  /** The call with that id waits for its whole time again. */
  attend(callId: string): void;
  close(): void;
}

/** Keeps the time of each question. `questions` lists what asks now, `refuse` is called for questions without an answer in time. */
export function createUnwatchedQuestions(options: {
  clock: Clock;
  questions: () => UntimedQuestion[];
  refuse: (callId: string, error: ToolError) => void;
  onChange: () => void;
}): UnwatchedQuestions {
  const { clock, refuse, onChange } = options;
  const open = new Map<string, { question: CallQuestion; stop: () => void }>();

  function expire(callId: string): void {
    refuse(callId, unanswered(patienceMs / 1_000));
  }

  function begin(question: UntimedQuestion, askedAt?: number): void {
    const now = clock.wall();
    open.set(question.callId, {
      question: { ...question, askedAt: askedAt ?? now, expiresAt: now + patienceMs },
      stop: clock.after(patienceMs, () => expire(question.callId)),
    });
  }

  return {
    update() {
      const now = new Map(options.questions().map((question) => [question.callId, question]));
      let changed = false;
      for (const [callId, { stop }] of open) {
        if (now.has(callId)) continue;
        stop();
        open.delete(callId);
        changed = true;
      }
      for (const [callId, question] of now) {
        if (open.has(callId)) continue;
        begin(question);
        changed = true;
      }
      if (changed) onChange();
    },
    list: () => [...open.values()].map(({ question }) => question),
    attend(callId) {
      const found = open.get(callId);
      if (found === undefined) return;
      found.stop();
      begin(found.question, found.question.askedAt);
      onChange();
    },
    close() {
      for (const { stop } of open.values()) stop();
      open.clear();
    },
  };
}
