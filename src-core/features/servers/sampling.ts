import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../../base/json.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ChatMessage, ChatToolCall } from '../../contract/chatMessages.ts';
import type { SamplingQuestion, SamplingReply } from '../../contract/servers.ts';
import type { CreateMessageRequestParams, SamplingResult } from '../../mcp/types.ts';
import { ChatModelError, type ChatModel } from '../models/chatModel.ts';

type Block = JsonObject & { type: JsonValue };

/** What the user is shown of a request. */
export function questionOf(params: CreateMessageRequestParams): SamplingQuestion {
  const { systemPrompt, messages, maxTokens, tools = [] } = params;
  return {
    ...(systemPrompt !== undefined && { system: systemPrompt }),
    messages: messages.map(({ role, content }) => ({ role, text: blocksOf(content).map(describe).join('\n') })),
    maxTokens,
    tools: tools.map(({ name, description }) => ({ name, ...(description !== undefined && { description }) })),
  };
}

/** Asks a model. @throws {RequestError} If it fails. */
export async function draftReply(
  model: ChatModel,
  params: CreateMessageRequestParams,
  signal: AbortSignal,
): Promise<Required<SamplingReply>> {
  const { temperature, maxTokens, tools } = params;
  try {
    const { text, toolCalls } = await model.generate({
      messages: messagesOf(params),
      ...(tools && {
        tools: tools.map(({ name, description = '', inputSchema }) => ({
          name,
          description,
          parameters: inputSchema as JsonSchema,
        })),
      }),
      ...(temperature !== undefined && { temperature }),
      maxTokens,
      signal,
    });
    return { model: model.name, text, calls: toolCalls.map(readCall) };
  } catch (cause) {
    if (!(cause instanceof ChatModelError)) throw cause;
    throw new RequestError(cause.message, { field: 'model', cause });
  }
}

/** The answer to the server. @throws {RequestError} If the reply is empty, or calls a tool that was not offered. */
export function resultOf(
  { tools }: CreateMessageRequestParams,
  { model = 'human', text, calls }: SamplingReply,
): SamplingResult {
  const offered = new Set(tools?.map(({ name }) => name));
  const unknown = calls.find(({ name }) => !offered.has(name));
  if (unknown) throw new RequestError(localize('servers.toolNotOffered', { name: unknown.name }), { field: 'reply' });
  if (text === '' && calls.length === 0) throw new RequestError(localize('servers.noReply'), { field: 'reply' });
  const blocks = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ name, input }, at) => ({ type: 'tool_use' as const, id: `call_${at + 1}`, name, input })),
  ];
  const stopReason = calls.length > 0 ? 'toolUse' : 'endTurn';
  // If no tools are offered, the content is one block.
  return { role: 'assistant', model, stopReason, content: tools ? blocks : blocks[0] } as SamplingResult;
}

function blocksOf(content: unknown): Block[] {
  const all = (Array.isArray(content) ? content : [content]) as JsonValue[];
  return all.filter((block): block is Block => isJsonObject(block));
}

function describe({ type, text, data, mimeType, name, input, content }: Block): string {
  if (type === 'text') return String(text);
  if (type === 'tool_use') return `${String(name)} ${JSON.stringify(input ?? {})}`;
  if (type === 'tool_result') return blocksOf(content).map(describe).join('\n');
  if (typeof data === 'string') return `[${String(mimeType)}, ${Buffer.byteLength(data, 'base64')} bytes]`;
  return `[${String(type)}]`;
}

function messagesOf({ systemPrompt, messages }: CreateMessageRequestParams): ChatMessage[] {
  const names = new Map<JsonValue | undefined, string>();
  const system = systemPrompt === undefined ? [] : [{ role: 'system' as const, content: systemPrompt }];
  return [...system, ...messages.flatMap(({ role, content }) => messageOf(role, blocksOf(content), names))];
}

/** `names` has the tools of earlier calls, by the id of the call. */
function messageOf(
  role: 'user' | 'assistant',
  blocks: readonly Block[],
  names: Map<JsonValue | undefined, string>,
): ChatMessage[] {
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  const others = blocks.filter((block) => !results.includes(block) && !calls.includes(block));
  const pictures = others.filter(({ type, data }) => type === 'image' && typeof data === 'string');
  const content = others
    .filter((block) => role === 'assistant' || !pictures.includes(block))
    .map(describe)
    .join('\n');
  for (const { id, name } of calls) names.set(id, String(name));
  if (role === 'assistant') {
    const toolCalls: ChatToolCall[] = calls.map(({ id, name, input }) => ({
      id: String(id),
      name: String(name),
      argumentsText: JSON.stringify(input ?? {}),
    }));
    return [{ role, content, ...(toolCalls.length > 0 && { toolCalls }) }];
  }
  const answers = results.map((result) => {
    const { toolUseId } = result;
    const name = names.get(toolUseId) ?? '';
    return { role: 'tool' as const, toolCallId: String(toolUseId), name, content: describe(result) };
  });
  if (others.length === 0) return answers;
  const shown = pictures.map(({ data, mimeType }) => ({
    mediaType: String(mimeType),
    data: Buffer.from(String(data), 'base64'),
  }));
  return [...answers, { role, content, ...(shown.length > 0 && { pictures: shown }) }];
}

function readCall({ name, argumentsText }: ChatToolCall): SamplingReply['calls'][number] {
  try {
    const input = JSON.parse(argumentsText) as JsonValue;
    if (isJsonObject(input)) return { name, input };
  } catch {
    // The user sees it, and can correct it.
  }
  return { name, input: { arguments: argumentsText } };
}
