import { closeEntry } from './closeEntry.ts';
import { resultsOf } from './chatResults.ts';
import { createConfirmations } from './confirmations.ts';
import type { ChatStop } from '../../contract/chat.ts';
import type { ChatEnvironment } from './environment.ts';
import { createRepeatCounter } from './refuseRepeats.ts';
import { runStep } from './runStep.ts';
import type { ChatTurn } from './turn.ts';

/** A turn that was begun, and its end. */
export interface StartedTurn {
  turn: ChatTurn;
  /** Resolves when the turn has ended; `isKept` is false if its end could not be written. Never rejects. */
  ended: Promise<{ isKept: boolean }>;
}

/**
 * Runs one turn of a chat: asks the model, runs its calls, feeds their results back, and so on until it calls nothing,
 * or until a limit, a failure or the user ends it. Its first step is written when this returns. Whatever happens, each
 * call in the history ends with exactly one result.
 */
export function startTurn(env: ChatEnvironment, sessionId: string): StartedTurn {
  const { book, onError } = env;
  const controller = new AbortController();
  let because: ChatStop = 'cancelled';
  const turn: ChatTurn = {
    sessionId,
    signal: controller.signal,
    confirmations: createConfirmations(),
    results: resultsOf(env, sessionId),
    stop(reason) {
      if (controller.signal.aborted) return;
      because = reason;
      controller.abort();
    },
    stoppedBecause: () => because,
  };
  const repeats = createRepeatCounter();

  async function run(): Promise<{ isKept: boolean }> {
    try {
      for (let step = 1; (await runStep({ env, turn, step, repeats })) === undefined; step += 1);
    } catch (error) {
      // Not the model's fault, nor a tool's: the store, or we.
      onError(error, 'a chat');
    }
    return { isKept: endChat() };
  }
  function endChat(): boolean {
    const { entry } = turn;
    delete turn.entry;
    try {
      book.together(() => {
        if (entry !== undefined && entry.state !== 'ended') {
          closeEntry(entry, { why: 'Toolwire failed before this call had a result.', because: 'error' });
          book.save(sessionId, entry);
        }
        book.change(sessionId, { running: false });
      });
      return true;
    } catch (error) {
      onError(error, 'a chat');
      return false;
    }
  }

  book.change(sessionId, { running: true });
  return { turn, ended: run() };
}
