import { boundedJson } from '../chat/boundedJson.ts';
import { boundStep, cutText } from '../chat/boundStep.ts';
import type { GatewayTurnStep, GatewayTurnTrace } from '../../contract/gatewayTurns.ts';

/** Characters of a trace as JSON: as a line of a capture it may take twice as many. */
const maxLength = 400_000;
/** Characters of one text of a trace that is too long. */
const maxText = 2_000;

/** A trace that is fit to be kept: of one that is too long, bodies and texts are cut, and say so. */
export function boundTrace(trace: GatewayTurnTrace): GatewayTurnTrace {
  if (boundedJson(trace, maxLength).isWhole) return trace;
  // Request, response and prompt of each step.
  const share = Math.floor(maxLength / (4 * Math.max(1, trace.steps.length)));
  const steps = trace.steps.map((step): GatewayTurnStep => {
    const { messages, tools, exchange } = boundStep(step, share);
    const { text, reasoning, finishReason } = step.reply ?? {};
    return {
      ...step,
      messages,
      tools,
      ...(exchange !== undefined && { exchange }),
      ...(step.reply !== undefined && {
        reply: {
          text: cut(text ?? ''),
          finishReason: finishReason ?? 'other',
          ...(reasoning !== undefined && { reasoning: cut(reasoning) }),
        },
      }),
      calls: step.calls.slice(0, 64).map((call) => ({
        ...call,
        argumentsText: cut(call.argumentsText),
        ...(call.argsJson !== undefined && { argsJson: cut(call.argsJson) }),
        ...(call.told !== undefined && { told: cut(call.told) }),
      })),
    };
  });
  const { answer } = trace;
  return { ...trace, text: cut(trace.text), ...(answer !== undefined && { answer: cut(answer) }), steps };
}

function cut(text: string): string {
  return cutText(text, maxText);
}
