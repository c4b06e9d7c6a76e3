import { formatResultsForContext } from '../../engine/engine.ts';
import type { ChatAssistantEntry, ChatCall } from '../../contract/chat.ts';
import type { ChatMessage } from '../../contract/chatMessages.ts';
import type { ToolCallingProtocol } from '../../protocols/base.ts';
import { formatToolCall } from '../../protocols/json/formatToolCall.ts';
import { formatToolRequest } from '../../protocols/vcp/formatToolRequest.ts';
import { ToolError } from '../../base/errors.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import { argsAsAsked, callFeedback, replyNote } from './callFeedback.ts';

/**
 * A step as the messages of a text protocol: what the model wrote, without its reasoning, then the results as a message of
 * the user's. A step of another protocol is rewritten in this one, so that the model sees one way to call only.
 */
export function renderText(
  entry: ChatAssistantEntry,
  { protocol, asText }: { protocol: 'vcp' | 'json'; asText: ToolCallingProtocol },
): ChatMessage[] {
  const content =
    entry.protocol === protocol
      ? (entry.withoutReasoning ?? entry.raw ?? entry.text).trim()
      : [entry.text, ...entry.calls.map((call) => writeCall(call, protocol))]
          .filter((part) => part !== '')
          .join('\n\n');
  const told = feedbackText(entry, asText, { showsAll: entry.protocol === protocol });
  return [
    ...(content === '' ? [] : [{ role: 'assistant' as const, content }]),
    ...(told === '' ? [] : [{ role: 'user' as const, content: told }]),
  ];
}

/**
 * What the model is told of the calls of its reply, in a text protocol; empty if none has a result. `showsAll`: the model sees
 * its reply as it wrote it.
 */
export function feedbackText(
  entry: Pick<ChatAssistantEntry, 'calls' | 'skippedCalls' | 'finishReason'>,
  asText: ToolCallingProtocol,
  { showsAll }: { showsAll: boolean },
): string {
  const results = entry.calls.map(callFeedback).filter((result) => result !== undefined);
  const parts = [formatResultsForContext(results, asText), replyNote(entry, { showsAll })];
  return parts.filter((part) => part !== '').join('\n\n');
}

function writeCall(call: ChatCall, protocol: 'vcp' | 'json'): string {
  const { toolName, command, requestId } = call;
  const args = parseArgsJson(argsAsAsked(call));
  const asJson = (): string =>
    formatToolCall({ toolName: command === undefined ? toolName : `${toolName}_${command}`, args, requestId });
  if (protocol === 'json') return asJson();
  try {
    return formatToolRequest({ toolName, command, requestId, args });
  } catch (error) {
    // VCP has keys that it cannot carry, or a call without a name: the model reads JSON as well.
    if (error instanceof ToolError) return asJson();
    throw error;
  }
}
