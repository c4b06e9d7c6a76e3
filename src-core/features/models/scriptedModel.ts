import { systemClock } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { createWorkBudget, TooMuchWorkError } from '../../base/workBudget.ts';
import { ChatModelError } from './chatModel.ts';
import type { ChatModel, ChatPart, ChatReply, ChatRequest } from './chatModel.ts';
import { fillTurn } from './fillTurn.ts';
import type { ModelScript } from './modelScript.ts';
import { pickTurn } from './pickTurn.ts';
import type { PickedTurn } from './pickTurn.ts';
import { startStepLimits } from './stepLimits.ts';

export interface ScriptedModelOptions {
  /** As `readModelScript` gives it. */
  script: ModelScript;
  /** For people. */
  name?: string;
  clock?: Clock;
}

/** The chat model that needs no network: it says what its script says, and the same to the same request. */
export function createScriptedModel(options: ScriptedModelOptions): ChatModel {
  const { script, name = 'Scripted model', clock = systemClock } = options;
  return {
    name,
    async generate(request) {
      const limits = startStepLimits({ totalMs: request.totalMs, signal: request.signal, clock });
      try {
        const picked = pick(script, request);
        await delay(picked.turn.delayMs ?? 0, limits.signal, clock);
        const failure = limits.failure();
        if (failure !== undefined) throw failure;
        if (picked.turn.error !== undefined) throw scriptedError(picked);
        const reply = fillTurn(picked, request);
        for (const part of partsOf(reply)) request.onPart?.(part);
        return reply;
      } finally {
        limits.end();
      }
    },
  };
}

function pick(script: ModelScript, request: ChatRequest): PickedTurn {
  if (!script.turns.some(({ when }) => when?.matches !== undefined)) return pickTurn(script, request);
  try {
    return createWorkBudget().run(() => pickTurn(script, request));
  } catch (error) {
    if (!(error instanceof TooMuchWorkError)) throw error;
    throw new ChatModelError('script', 'A pattern of the script ("matches") took too long. Make it simpler.', {
      cause: error,
    });
  }
}

/** Resolves after so many ms, or at once when the step ends. */
async function delay(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  if (ms === 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const stop = clock.after(ms, resolve);
    signal.addEventListener('abort', () => {
      stop();
      resolve();
    });
  });
}

function scriptedError({ turn, index }: PickedTurn): ChatModelError {
  const { code = 'answer', message = '' } = turn.error ?? {};
  return new ChatModelError(code, message, { details: { turn: `turns[${index}]` } });
}

/** A reply as it would stream: word by word. */
function* partsOf({ text, reasoning = '', toolCalls }: ChatReply): Generator<ChatPart> {
  for (const piece of words(reasoning)) yield { type: 'reasoning', text: piece };
  for (const piece of words(text)) yield { type: 'text', text: piece };
  for (const call of toolCalls) yield { type: 'tool-call', call };
}

function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
