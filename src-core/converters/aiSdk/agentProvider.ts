import type * as AiSdk from 'ai';
import type { LanguageModel, ModelMessage, ToolSet } from 'ai';

import { AgentProvider } from '../agentProvider.ts';
import { defaultMaxTurns, turnLimitError } from '../turnLimit.ts';
import type { AiSdkTool } from './toolConverter.ts';

/** The framework, and which model the agent is. */
export interface AiSdkAgentOptions {
  /** `import * as ai from 'ai'`. */
  ai: Pick<typeof AiSdk, 'generateText' | 'isStepCount'>;
  model: LanguageModel;
  /** Requests to the model in one turn; 10 by default. */
  maxTurns?: number;
}

/** An agent of the Vercel AI SDK. A change of tools holds from the next turn on. */
export class AiSdkAgentProvider extends AgentProvider<AiSdkTool, ToolSet> {
  readonly #options: AiSdkAgentOptions;
  #history: ModelMessage[] = [];

  constructor(options: AiSdkAgentOptions) {
    super();
    this.#options = options;
  }

  override entriesOf(tools: ToolSet): (readonly [string, AiSdkTool])[] {
    return Object.entries(tools);
  }

  protected override forget(): void {
    this.#history = [];
  }

  protected override async runTurn(
    text: string,
    systemPrompt: string,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const { ai, model, maxTurns = defaultMaxTurns } = this.#options;
    const messages: ModelMessage[] = [...this.#history, { role: 'user', content: text }];
    const {
      finishReason,
      responseMessages,
      text: reply,
    } = await ai.generateText({
      model,
      instructions: systemPrompt,
      messages,
      tools: Object.fromEntries(this.tools),
      stopWhen: ai.isStepCount(maxTurns),
      ...(signal !== undefined && { abortSignal: signal }),
    });
    signal?.throwIfAborted();
    if (finishReason === 'tool-calls') throw turnLimitError(maxTurns);
    this.#history = [...messages, ...responseMessages];
    return reply;
  }
}
