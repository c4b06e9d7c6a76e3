import type * as OpenAIAgents from '@openai/agents';
import type { FunctionTool, ToolOutputFileContent, ToolOutputImage, ToolOutputText } from '@openai/agents';

import type { ToolExecutionResult } from '../../base/calls.ts';
import { answerParts } from '../answerParts.ts';
import type { ConvertibleTool } from '../convertibleTool.ts';
import type { ConverterExecution } from '../runConverted.ts';
import { ToolConverterBase } from '../toolConverter.ts';

/** The form of an answer: text, or parts if it holds pictures or sound. */
export type OpenAIToolOutput = string | (ToolOutputText | ToolOutputImage | ToolOutputFileContent)[];

/** How the SDK types a schema that is not strict. */
interface LooseSchema {
  type: 'object';
  properties: Record<string, never>;
  required: string[];
  additionalProperties: true;
}

/** A converted tool, as `new Agent({ tools })` takes it. */
export type OpenAIAgentTool = FunctionTool<unknown, LooseSchema, OpenAIToolOutput>;

/** Converts tools for `@openai/agents`. Tools are not strict: their schemas pass as they are. */
export class OpenAIAgentToolConverter extends ToolConverterBase<OpenAIAgentTool, OpenAIAgentTool[]> {
  readonly #agents: Pick<typeof OpenAIAgents, 'tool'>;

  /** `agents` is the framework itself, `import * as agents from '@openai/agents'`; the rest says how calls are executed. */
  constructor({ agents, ...execution }: { agents: Pick<typeof OpenAIAgents, 'tool'> } & ConverterExecution) {
    super(execution);
    this.#agents = agents;
  }

  protected override wrap({ wireName, description, parameters, run }: ConvertibleTool): OpenAIAgentTool {
    // The framework's type wants what it never reads of a schema that is not strict.
    const schema = { properties: {}, required: [], ...parameters } as unknown as LooseSchema;
    const tool = this.#agents.tool<LooseSchema, unknown, OpenAIToolOutput>({
      name: wireName,
      description,
      strict: false,
      parameters: schema,
      execute: async (input, _context, details) => {
        const signal = details?.signal;
        const result = await run(input, { signal, callId: details?.toolCall?.callId });
        signal?.throwIfAborted();
        return toOutput(result);
      },
    });
    return {
      ...tool,
      // The SDK makes a hyphen an underscore, so that two names would be one.
      name: wireName,
      // The SDK refuses an empty text and rounds numbers: it gets the text as a JSON string, which `run` reads.
      invoke: (context, input, details) => tool.invoke(context, JSON.stringify(input), details),
    };
  }

  protected override gather(tools: readonly (readonly [string, OpenAIAgentTool])[]): OpenAIAgentTool[] {
    return tools.map(([, tool]) => tool);
  }
}

function toOutput(result: ToolExecutionResult): OpenAIToolOutput {
  const parts = answerParts(result);
  if (typeof parts === 'string') return parts;
  return parts.map((part, at) => {
    if (part.type === 'text') return part;
    const { data, mimeType } = part;
    if (part.type === 'image') return { type: 'image', image: `data:${mimeType};base64,${data}` };
    const filename = `sound-${at + 1}.${mimeType.slice('audio/'.length)}`;
    return { type: 'file', file: { data, mediaType: mimeType, filename } };
  });
}
