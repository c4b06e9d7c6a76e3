import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage, ToolCall, ToolMessage } from '@langchain/core/messages';
import type * as LangChainMessages from '@langchain/core/messages';

import { AgentProvider } from '../agentProvider.ts';
import { defaultMaxTurns, turnLimitError } from '../turnLimit.ts';
import type { LangChainTool } from './toolConverter.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import { unknownTool } from '../unknownTool.ts';

/** The framework, and which model the agent is. */
export interface LangChainAgentOptions {
  /** `import * as messages from '@langchain/core/messages'`. */
  langchain: Pick<typeof LangChainMessages, 'AIMessage' | 'HumanMessage' | 'SystemMessage' | 'ToolMessage'>;
  /** A chat model that takes tools: `new ChatOpenAI({ configuration: { baseURL } })`. */
  model: BaseChatModel;
  /** Requests to the model in one turn; 10 by default. */
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

/** A reply, and what its calls are answered with. */
interface AnsweredCalls {
  /** The reply as the conversation keeps it. */
  message: AIMessage;
  /** One for each call, in order. */
  answers: ToolMessage[];
}

/** A call whose arguments could be read. */
type ReadCall = Pick<ToolCall, 'name' | 'args'> & { id?: string | undefined };

/**
 * Runs the calls of a reply, all at once. A call that cannot be run (no such tool, arguments that are not valid JSON or
 * do not match) is answered with the error. Rejects only if the turn was cancelled.
 */
async function answerCalls({
  reply,
  tools,
  langchain,
  signal,
}: {
  reply: AIMessage;
  tools: ReadonlyMap<string, LangChainTool>;
  langchain: Pick<typeof LangChainMessages, 'AIMessage' | 'ToolMessage'>;
  signal: AbortSignal | undefined;
}): Promise<AnsweredCalls> {
  const { tool_calls: calls = [], invalid_tool_calls: broken = [] } = reply;
  const answers = await Promise.all([
    ...calls.map((call) => answer(call.id, call.name, () => run(call))),
    ...broken.map(({ id, name = '', args = '' }) =>
      answer(id, name, async () => {
        // An empty text is not valid JSON to LangChain; to us it is a call without arguments.
        return run({ id, name, args: parseArgsJson(args) });
      }),
    ),
  ]);
  signal?.throwIfAborted();
  if (broken.length === 0) return { message: reply, answers };
  // LangChain keeps broken calls apart, and sends them back without a place for their answers.
  const readable = broken.map(({ id = '', name = '' }) => ({ id, name, args: {}, type: 'tool_call' as const }));
  const message = new langchain.AIMessage({ content: reply.content, tool_calls: [...calls, ...readable] });
  return { message, answers };

  async function run({ id = '', name, args }: ReadCall): Promise<ToolMessage> {
    const tool = tools.get(name);
    if (tool === undefined) return failure(id, name, unknownTool(name, [...tools.keys()]));
    return tool.invoke({ id, name, args, type: 'tool_call' }, signal === undefined ? {} : { signal });
  }

  async function answer(id: string | undefined, name: string, work: () => Promise<ToolMessage>): Promise<ToolMessage> {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      return failure(id, name, `Error: ${describeThrown(error)}`);
    }
  }

  function failure(id: string | undefined, name: string, content: string): ToolMessage {
    return new langchain.ToolMessage({ content, name, status: 'error', tool_call_id: id ?? '' });
  }
}
