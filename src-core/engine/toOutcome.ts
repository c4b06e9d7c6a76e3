import { checkOutputFully } from '../schema/checkFully.ts';
import { softFailureOf } from '../registry/softFailure.ts';
import type { ToolOutput } from '../registry/types.ts';
import type { CallInHand } from './callInHand.ts';
import type { CheckedCall } from './checkCall.ts';
import { serializeResult } from './serializeResult.ts';
import { toToolFailure, type CallOutcome } from './toFailure.ts';

const defaultMaxResultBytes = 5_000_000;

/** The outcome for what a tool returned. Rejects with `serializeResult`'s errors if it cannot be passed on. */
export async function toOutcome(
  output: ToolOutput,
  { options }: CallInHand,
  { target }: CheckedCall,
): Promise<CallOutcome> {
  const { maxResultBytes = defaultMaxResultBytes } = options;
  const { text, isError, ...parts } = serializeResult({ output, maxResultBytes });
  if (isError) return toToolFailure(text, parts);
  const { outputSchema } = target.method;
  const softFailure = softFailureOf({
    text,
    methodName: target.method.name,
    fromDevice: target.registry.source.kind === 'device',
  });
  const outcome: CallOutcome = { status: 'success', result: text, ...parts };
  if (outputSchema !== undefined) {
    const { issues, unchecked } = await checkOutputFully(parts.structuredContent, outputSchema, options);
    if (unchecked === undefined) outcome.outputIssues = issues;
    else outcome.outputUnchecked = unchecked;
  }
  if (softFailure !== undefined) outcome.softFailure = softFailure;
  return outcome;
}
