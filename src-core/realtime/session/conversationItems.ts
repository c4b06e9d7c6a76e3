import type { JsonObject } from '../../base/json.ts';
import type { RealtimeDialect } from '../dialects/realtimeDialect.ts';
import type { RememberedText } from './conversationMemory.ts';
import type { OpenCall } from './toolRounds.ts';

/** Words of either side as a part of the conversation. */
export function messageItem({ role, text }: RememberedText, dialect: RealtimeDialect): JsonObject {
  const type = role === 'user' ? 'input_text' : dialect.assistantTextType;
  return { type: 'message', role, content: [{ type, text }] };
}

/** A picture of the user's as a part of the conversation. */
export function imageItem(base64: string, mimeType: string): JsonObject {
  const image = { type: 'input_image', image_url: `data:${mimeType};base64,${base64}` };
  return { type: 'message', role: 'user', content: [image] };
}

/** A call of the model, told to a session that does not know it. */
export function callItem({ callId, name, argumentsText }: OpenCall): JsonObject {
  return { type: 'function_call', call_id: callId, name, arguments: argumentsText };
}

/** What a tool answered. */
export function outputItem(callId: string, output: string): JsonObject {
  return { type: 'function_call_output', call_id: callId, output };
}
