import type { JsonObject } from '../../base/json.ts';
import type { Conversation, Item } from './conversation.ts';
import type { ScriptedDialect } from './dialect.ts';

/** Sends one event; its `event_id` is put in. */
export type SendEvent = (type: string, fields: JsonObject) => void;

/**
 * Adds an item to the conversation and reports it in the dialect's events; `whole` if it is complete. Returns the id of
 * the item before it.
 */
export function addItem(options: {
  item: Item;
  after?: JsonObject[string] | undefined;
  whole: boolean;
  conversation: Conversation;
  dialect: ScriptedDialect;
  send: SendEvent;
}): string | null {
  const { item, after, whole, conversation, dialect, send } = options;
  const previous = conversation.add(item, after);
  const fields = { previous_item_id: previous, item };
  if (dialect.itemEvents === 'created') {
    send('conversation.item.created', fields);
  } else {
    send('conversation.item.added', fields);
    if (whole) send('conversation.item.done', fields);
  }
  return previous;
}

/** Usage as in `response.done`. Tokens are estimates: 4 characters of text, 100 ms heard, 50 ms said. */
export function usageOf(counts: {
  heardMs: number;
  readChars: number;
  saidMs: number;
  wroteChars: number;
}): JsonObject {
  const input = { text_tokens: Math.ceil(counts.readChars / 4), audio_tokens: Math.ceil(counts.heardMs / 100) };
  const output = { text_tokens: Math.ceil(counts.wroteChars / 4), audio_tokens: Math.ceil(counts.saidMs / 50) };
  const inputTokens = input.text_tokens + input.audio_tokens;
  const outputTokens = output.text_tokens + output.audio_tokens;
  return {
    total_tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    input_token_details: { cached_tokens: 0, ...input },
    output_token_details: output,
  };
}
