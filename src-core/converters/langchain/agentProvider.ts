import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type * as LangChainMessages from '@langchain/core/messages';

import { AgentProvider } from '../agentProvider.ts';
import { defaultMaxTurns, turnLimitError } from '../turnLimit.ts';
import { answerCalls } from './answerCalls.ts';
import type { LangChainTool } from './toolConverter.ts';

/** The framework, and which model the agent is. */
export interface LangChainAgentOptions {
  /** `import * as messages from '@langchain/core/messages'`. */
  langchain: Pick<typeof LangChainMessages, 'AIMessage' | 'HumanMessage' | 'SystemMessage' | 'ToolMessage'>;
  /** A chat model that takes tools: `new ChatOpenAI({ configuration: { baseURL } })`. */
  model: BaseChatModel;
  /** Requests to the model in one turn; 10 unless told. */
  maxTurns?: number;
}

/** An agent on a LangChain.js chat model. A change of tools holds from the model's next request on. */
export class LangChainAgentProvider extends AgentProvider<LangChainTool, LangChainTool[]> {
  readonly #options: LangChainAgentOptions;
  #history: BaseMessage[] = [];

  /** @throws {Error} If the model does not support tools. */
  constructor(options: LangChainAgentOptions) {
    super();
    if (options.model.bindTools === undefined) throw new Error('This chat model takes no tools: it has no bindTools.');
    this.#options = options;
  }

  override entriesOf(tools: LangChainTool[]): (readonly [string, LangChainTool])[] {
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
    const { langchain, maxTurns = defaultMaxTurns } = this.#options;
    const messages = [...this.#history, new langchain.HumanMessage(text)];
    const system = new langchain.SystemMessage(systemPrompt);
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const reply = await this.#ask([system, ...messages], signal);
      const { message, answers } = await answerCalls({ reply, tools: this.tools, langchain, signal });
      messages.push(message, ...answers);
      if (answers.length > 0) continue;
      this.#history = messages;
      return message.text;
    }
    throw turnLimitError(maxTurns);
  }

  async #ask(messages: BaseMessage[], signal: AbortSignal | undefined): Promise<AIMessage> {
    const { model } = this.#options;
    const tools = [...this.tools.values()];
    const asked = tools.length === 0 ? model : (model.bindTools?.(tools) ?? model);
    return asked.invoke(messages, signal === undefined ? {} : { signal });
  }
}
