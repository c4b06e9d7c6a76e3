import type { ContentBlock, ToolMessage } from '@langchain/core/messages';
import type * as LangChainMessages from '@langchain/core/messages';
import type { DynamicStructuredTool } from '@langchain/core/tools';
import type * as LangChainTools from '@langchain/core/tools';

import type { JsonObject, JsonSchema } from '../../base/json.ts';
import type { ToolExecutionResult } from '../../base/calls.ts';
import { answerParts } from '../answerParts.ts';
import type { ConvertibleTool } from '../convertibleTool.ts';
import type { ConverterExecution } from '../runConverted.ts';
import { ToolConverterBase } from '../toolConverter.ts';

/** An answer as a LangChain message carries it. */
type MessageContent = string | ContentBlock.Standard[];

/** A converted tool: called by a model it returns a `ToolMessage`, called by hand the content alone. */
export type LangChainTool = DynamicStructuredTool<JsonSchema, JsonObject, JsonObject, ToolMessage | MessageContent>;

/** The parts of LangChain that make a tool. */
export type LangChainToolParts = Pick<typeof LangChainTools, 'DynamicStructuredTool'> &
  Pick<typeof LangChainMessages, 'ToolMessage'>;

/**
 * Converts tools for LangChain.js. A failed call is a message of status `error`; the whole `ToolExecutionResult` is the
 * message's artifact.
 */
export class LangChainToolConverter extends ToolConverterBase<LangChainTool, LangChainTool[]> {
  readonly #langchain: LangChainToolParts;

  /** `langchain` has `DynamicStructuredTool` of `@langchain/core/tools` and `ToolMessage` of `@langchain/core/messages`. */
  constructor({ langchain, ...execution }: { langchain: LangChainToolParts } & ConverterExecution) {
    super(execution);
    this.#langchain = langchain;
  }

  protected override wrap({ wireName, description, parameters, run }: ConvertibleTool): LangChainTool {
    const { DynamicStructuredTool, ToolMessage } = this.#langchain;
    return new DynamicStructuredTool({
      name: wireName,
      description,
      schema: parameters,
      // LangChain checks the arguments before we see them; so it says at least what is wrong.
      verboseParsingErrors: true,
      func: async (
        input: unknown,
        _manager?: unknown,
        config?: { signal?: AbortSignal; toolCall?: { id?: string } },
      ) => {
        const toolCallId = config?.toolCall?.id;
        const result = await run(input, { signal: config?.signal, callId: toolCallId });
        config?.signal?.throwIfAborted();
        const content = toContent(result);
        if (toolCallId === undefined) return content;
        const { status } = result;
        return new ToolMessage({ content, status, artifact: result, tool_call_id: toolCallId, name: wireName });
      },
    });
  }

  protected override gather(tools: readonly (readonly [string, LangChainTool])[]): LangChainTool[] {
    return tools.map(([, tool]) => tool);
  }
}

function toContent(result: ToolExecutionResult): MessageContent {
  const parts = answerParts(result);
  return typeof parts === 'string' ? parts : parts.map((part) => ({ ...part }));
}
