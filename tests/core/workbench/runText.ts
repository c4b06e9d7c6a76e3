import type { ChatCall, ParserRunEvent, RunOver, ToolExecutionResult } from '../../../src-core/contract/types.ts';

/** What a run of the Parser came to. */
export interface TextRun {
  calls: ChatCall[];
  executionResults: ToolExecutionResult[];
  feedback: string;
}

/** Takes in a run of the Parser until its end. `onCall` is told of each change. */
export async function collectRun(
  events: AsyncIterable<ParserRunEvent | RunOver> | Promise<AsyncIterable<ParserRunEvent | RunOver>>,
  onCall?: (call: ChatCall) => void | Promise<void>,
): Promise<TextRun> {
  const calls: ChatCall[] = [];
  for await (const event of await events) {
    if ('over' in event) break;
    if (event.kind === 'end') {
      const executionResults = calls.flatMap(({ result }) => (result === undefined ? [] : [result]));
      return { calls, executionResults, feedback: event.feedback };
    }
    calls[event.index] = event.call;
    await onCall?.(event.call);
  }
  throw new Error('the run ended without its feedback');
}
