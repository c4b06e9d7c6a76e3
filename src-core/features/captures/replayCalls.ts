import { randomUUID } from 'node:crypto';

import type { ReplayedCall, ReplayReport, ToolExecutionResult } from '../../contract/types.ts';
import { isSameAnswer, type ComparedAnswer } from './compareAnswers.ts';
import { answerText, brokenErrorMessage, type RecordedAnswer } from './recordedAnswer.ts';
import type { RecordedCall } from './recordedCalls.ts';
import type { ToolRegistry } from '../../registry/types.ts';
import type { Calls } from '../calls/service.ts';

/** Characters of an answer that a report holds; the comparison sees all of it. */
const maxTextLength = 10_000;

/** Recorded calls, the device or server they run on now, and how. */
export interface ReplayOptions {
  calls: readonly RecordedCall[];
  /** The target's registry; `undefined` once it has disconnected. */
  registry: () => ToolRegistry | undefined;
  execute: Calls['execute'];
  confirmed: boolean;
  /** Of the first call. */
  callId?: string | undefined;
  /** Stops the replay after the running call. */
  signal: AbortSignal;
}

/** Runs calls again, one after the other, and compares their results. Stops if the target disconnects. */
export async function replayCalls(options: ReplayOptions): Promise<ReplayReport> {
  const { calls, registry, signal } = options;
  let { callId = randomUUID() } = options;
  const replayed: ReplayedCall[] = [];
  for (const call of calls) {
    const target = registry();
    if (signal.aborted || target === undefined) return { calls: replayed, stopped: true };
    replayed.push(await replayCall(call, target, { ...options, callId }));
    callId = randomUUID();
  }
  return { calls: replayed };
}

async function replayCall(
  { seq, toolName, args, answer }: RecordedCall,
  target: ToolRegistry,
  { execute, confirmed, callId }: ReplayOptions & { callId: string },
): Promise<ReplayedCall> {
  const recorded = answer && toText(answer);
  const call = { seq, toolName, argsJson: JSON.stringify(args), ...(recorded && { recorded: shown(recorded) }) };
  if (!target.getMetadata().methods.some(({ name }) => name === toolName)) return { ...call, verdict: 'not-there' };
  const result = await execute({
    callId,
    toolName: target.id,
    command: toolName,
    argsJson: call.argsJson,
    origin: 'executor',
    confirmed,
  });
  if (result.error?.code === 'confirmation-required') return { ...call, verdict: 'asks-first' };
  const { durationMs } = result;
  const answered = ownAnswer(result);
  if (answered === undefined)
    return { ...call, verdict: 'error', now: shown({ text: result.result, isError: true, durationMs }) };
  const isSame = recorded !== undefined && isSameAnswer(recorded, answered);
  return { ...call, verdict: isSame ? 'same' : 'different', now: shown({ ...answered, durationMs }) };
}

function toText({ content, ...answer }: RecordedAnswer): Omit<RecordedAnswer, 'content'> & ComparedAnswer {
  return { ...answer, text: answerText(content) };
}

/** The target's own answer; `undefined` if the call failed for another reason. */
function ownAnswer(run: ToolExecutionResult): ComparedAnswer | undefined {
  const { status, result, content, structuredContent, error } = run;
  const isError = status === 'error';
  if (!isError || content !== undefined)
    return { text: content ? answerText(content) : result, structured: structuredContent, isError };
  const { deviceMessage, frame } = error?.details ?? {};
  if (error?.code === 'tool-error')
    return { text: typeof deviceMessage === 'string' ? deviceMessage : result, isError };
  const message = typeof frame === 'string' ? brokenErrorMessage(frame) : undefined;
  return message === undefined ? undefined : { text: message, isError };
}

/** Structured content is shown below the text, unless it says the same. */
function shown<T extends ComparedAnswer>({ structured, ...answer }: T): Omit<T, 'structured'> {
  const isSame = structured === undefined || isSameAnswer({ ...answer, text: structured }, answer);
  const text = isSame ? answer.text : [answer.text, structured].filter((part) => part !== '').join('\n');
  return { ...answer, text: text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength).toWellFormed()}…` };
}
