import type { AIMessage, ToolCall, ToolMessage } from '@langchain/core/messages';
import type * as LangChainMessages from '@langchain/core/messages';

import { describeThrown } from '../../base/describeThrown.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import { unknownTool } from '../unknownTool.ts';
import type { LangChainTool } from './toolConverter.ts';

/** A reply, and what its calls are answered with. */
export interface AnsweredCalls {
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
export async function answerCalls({
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
