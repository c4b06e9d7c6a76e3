import type { ChatMessage } from '../models/chatModel.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { WireNames } from '../../registry/wireNames.ts';
import { argsAsAsked, callFeedback, replyNote } from './callFeedback.ts';
import { unusedArguments } from './unusedArguments.ts';
import type { ChatAssistantEntry, ChatCall } from './entries.ts';

/** A step as native messages: what the model wrote and called, then one message of each call's result. */
export function renderNative(entry: ChatAssistantEntry, names: WireNames): ChatMessage[] {
  const calls = entry.calls.filter(({ result }) => result !== undefined);
  if (calls.length === 0) return entry.text === '' ? [] : [{ role: 'assistant', content: entry.text }];
  const note = replyNote(entry, { showsAll: false });
  return [
    {
      role: 'assistant',
      content: entry.text,
      ...(entry.protocol === 'native' && entry.reasoning !== undefined && { reasoning: entry.reasoning }),
      toolCalls: calls.map((call) => ({
        id: call.requestId,
        name: wireName(call, names),
        argumentsText: unusedArguments(call) === undefined ? sendable(call.argumentsText ?? argsAsAsked(call)) : '{}',
      })),
    },
    ...calls.map((call, at): ChatMessage => {
      const told = callFeedback(call)?.result ?? '';
      const content = at === calls.length - 1 && note !== '' ? `${told}\n${note}` : told;
      return { role: 'tool', toolCallId: call.requestId, name: wireName(call, names), content };
    }),
  ];
}

function wireName({ qualifiedName, toolName, command }: ChatCall, names: WireNames): string {
  return names.toWire(qualifiedName ?? (command === undefined ? toolName : `${toolName}_${command}`));
}

/** Servers read the arguments of earlier calls as JSON and refuse the whole request if they are broken. */
function sendable(argumentsText: string): string {
  try {
    return isJsonObject(JSON.parse(argumentsText) as JsonValue) ? argumentsText : '{}';
  } catch {
    return '{}';
  }
}
