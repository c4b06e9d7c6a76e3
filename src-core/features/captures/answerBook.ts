import type { JsonValue } from '../../base/json.ts';
import { canonicalJson } from './canonicalJson.ts';
import type { RecordedAnswer } from './recordedAnswer.ts';
import type { RecordedCall } from './recordedCalls.ts';

/** A recorded answer. `otherArgs`: it was recorded for these arguments, not for those of the call. */
export interface FoundAnswer {
  answer: RecordedAnswer;
  otherArgs?: string;
}

/** A device's recorded answers: the same calls in the same order get the same answers, then the last one again. */
export class AnswerBook {
  readonly #byCall = new Map<string, RecordedAnswer[]>();
  readonly #lastByTool = new Map<string, FoundAnswer>();

  constructor(calls: Iterable<RecordedCall>) {
    for (const { toolName, args, answer } of calls) {
      if (answer === undefined) continue;
      const key = keyOf(toolName, args);
      const answers = this.#byCall.get(key);
      if (answers === undefined) this.#byCall.set(key, [answer]);
      else answers.push(answer);
      this.#lastByTool.set(toolName, { answer, otherArgs: JSON.stringify(args).slice(0, 200) });
    }
  }

  /** @throws {Error} If the tool was never called in the recording. */
  answerTo(toolName: string, args: JsonValue): FoundAnswer {
    const answers = this.#byCall.get(keyOf(toolName, args));
    const answer = answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0];
    const found = answer === undefined ? this.#lastByTool.get(toolName) : { answer };
    if (found !== undefined) return found;
    throw new Error(`The recording has no answer of ${toolName}`);
  }
}

function keyOf(toolName: string, args: JsonValue): string {
  return `${toolName}\n${canonicalJson(args) ?? ''}`;
}
