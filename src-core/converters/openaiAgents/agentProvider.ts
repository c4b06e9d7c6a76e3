import type * as OpenAIAgents from '@openai/agents';
import type { AgentInputItem, Model, ModelProvider, ModelSettings } from '@openai/agents';

import { AgentProvider } from '../agentProvider.ts';
import { defaultMaxTurns } from '../turnLimit.ts';
import { unknownTool } from '../unknownTool.ts';
import type { OpenAIAgentTool } from './toolConverter.ts';

/** The framework, and which model the agent is. */
export interface OpenAIAgentOptions {
  /** `import * as agents from '@openai/agents'`. */
  agents: Pick<typeof OpenAIAgents, 'Agent' | 'Runner'>;
  model: string | Model;
  /** Resolves model names. For your own server: `new OpenAIProvider({ openAIClient, useResponses: false })`. */
  modelProvider?: ModelProvider;
  modelSettings?: ModelSettings;
  /** What its traces call the agent. */
  name?: string;
  /** Requests to the model in one turn; 10 by default. */
  maxTurns?: number;
  /** Sends traces to OpenAI; off by default, since they hold what the tools answer. */
  tracing?: boolean;
}

/** An agent of `@openai/agents`. A change of tools holds from the next turn on. */
export class OpenAIAgentProvider extends AgentProvider<OpenAIAgentTool, OpenAIAgentTool[]> {
  readonly #options: OpenAIAgentOptions;
  #history: AgentInputItem[] = [];

  constructor(options: OpenAIAgentOptions) {
    super();
    this.#options = options;
  }

  override entriesOf(tools: OpenAIAgentTool[]): (readonly [string, OpenAIAgentTool])[] {
    return tools.map((tool) => [tool.name, tool] as const);
  }

  protected override forget(): void {
    this.#history = [];
  }

  protected override async runTurn(
    text: string,
    systemPrompt: string,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const { agents, model, modelProvider, modelSettings, name = 'toolwire', tracing = false } = this.#options;
    const { maxTurns = defaultMaxTurns } = this.#options;
    const agent = new agents.Agent({
      name,
      instructions: systemPrompt,
      model,
      tools: [...this.tools.values()],
      ...(modelSettings !== undefined && { modelSettings }),
    });
    const runner = new agents.Runner({
      tracingDisabled: !tracing,
      toolNotFoundBehavior: 'return_error_to_model',
      toolErrorFormatter: (error) =>
        error.kind === 'tool_not_found' ? unknownTool(error.toolName, this.toolNames) : undefined,
      ...(modelProvider !== undefined && { modelProvider }),
    });
    const result = await runner.run(agent, [...this.#history, { role: 'user', content: text }], {
      maxTurns,
      ...(signal !== undefined && { signal }),
    });
    // A run that is cancelled can end as if it had come to its end.
    signal?.throwIfAborted();
    this.#history = result.history;
    return result.finalOutput ?? '';
  }
}
