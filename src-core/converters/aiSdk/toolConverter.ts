import type * as AiSdk from 'ai';
import type { JSONSchema7, ToolSet } from 'ai';

import type { ToolExecutionResult } from '../../base/calls.ts';
import { answerParts } from '../answerParts.ts';
import type { ConvertibleTool } from '../convertibleTool.ts';
import type { ConverterExecution } from '../runConverted.ts';
import { ToolConverterBase } from '../toolConverter.ts';

/** A converted tool, as a tool set holds it. */
export type AiSdkTool = ToolSet[string];

/** What the SDK makes of a tool's output for the model. */
type ModelOutput = Awaited<ReturnType<NonNullable<AiSdkTool['toModelOutput']>>>;

/**
 * Converts tools for the Vercel AI SDK. A tool set is keyed by the names that the model gets; for a single tool ask
 * `names.toWire`. A call's output is the whole `ToolExecutionResult`, also of one that failed.
 */
export class AiSdkToolConverter extends ToolConverterBase<AiSdkTool, ToolSet> {
  readonly #ai: Pick<typeof AiSdk, 'dynamicTool' | 'jsonSchema'>;

  /** `ai` is the framework itself, `import * as ai from 'ai'`; the rest says how calls are executed. */
  constructor({ ai, ...execution }: { ai: Pick<typeof AiSdk, 'dynamicTool' | 'jsonSchema'> } & ConverterExecution) {
    super(execution);
    this.#ai = ai;
  }

  protected override wrap({ description, parameters, run }: ConvertibleTool): AiSdkTool {
    const { dynamicTool, jsonSchema } = this.#ai;
    return dynamicTool({
      description,
      inputSchema: jsonSchema(parameters as JSONSchema7),
      execute: async (input, { abortSignal, toolCallId }) => {
        const result = await run(input, { signal: abortSignal, callId: toolCallId });
        abortSignal?.throwIfAborted();
        return result;
      },
      toModelOutput: ({ output }) => toModelOutput(output as ToolExecutionResult),
    });
  }

  protected override gather(tools: readonly (readonly [string, AiSdkTool])[]): ToolSet {
    return Object.fromEntries(tools);
  }
}

function toModelOutput(result: ToolExecutionResult): ModelOutput {
  const parts = answerParts(result);
  if (typeof parts === 'string') return { type: result.status === 'error' ? 'error-text' : 'text', value: parts };
  return {
    type: 'content',
    value: parts.map((part) =>
      part.type === 'text' ? part : { type: 'file', data: { type: 'data', data: part.data }, mediaType: part.mimeType },
    ),
  };
}
