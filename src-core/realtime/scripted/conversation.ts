import { isJsonObject } from '../../base/json.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { EventError } from './eventError.ts';
import { required, wrongType } from './fields.ts';

/** An item of the conversation, as it goes over the wire. */
export interface Item extends JsonObject {
  id: string;
  type: string;
}

const maxItems = 1_000;
const maxText = 200_000;
const roles = ['system', 'user', 'assistant'];
const statuses = ['completed', 'in_progress', 'incomplete'];

/** The items of one session, in order. */
export class Conversation {
  readonly #items: Item[] = [];
  /** ms of voice that were sent, by item. */
  readonly #voiceMs = new Map<string, number>();

  get lastId(): string | null {
    return this.#items.at(-1)?.id ?? null;
  }

  /**
   * Adds an item after `after`: at the front if that is `root`, by default at the end. Returns the id of the item
   * before it.
   * @throws {EventError} If the conversation is full, the id is taken, or no item has the id `after`.
   */
  add(item: Item, after?: JsonValue): string | null {
    if (this.#items.length >= maxItems) {
      throw new EventError({
        code: 'conversation_full',
        message: `The conversation has ${maxItems} items; no more fit.`,
      });
    }
    if (this.#find(item.id) !== undefined) {
      throw invalidItem(
        'item_create_duplicate_item_id',
        `An item '${item.id}' is in the conversation already.`,
        'item.id',
      );
    }
    const at = this.#placeBehind(after);
    this.#items.splice(at, 0, item);
    return this.#items[at - 1]?.id ?? null;
  }

  /** @throws {EventError} If there is none; `verb` is part of its code. */
  get(id: JsonValue | undefined, verb: 'delete' | 'retrieve' | 'truncate'): Item {
    const item = typeof id === 'string' ? this.#find(id) : undefined;
    if (item !== undefined) return item;
    const shown = JSON.stringify(id ?? null).slice(0, 100);
    throw invalidItem(`item_${verb}_invalid_item_id`, `Error: there is no item with id ${shown}.`, 'item_id');
  }

  delete(id: JsonValue | undefined): string {
    const item = this.get(id, 'delete');
    this.#items.splice(this.#items.indexOf(item), 1);
    this.#voiceMs.delete(item.id);
    return item.id;
  }

  noteVoice(id: string, ms: number): void {
    this.#voiceMs.set(id, ms);
  }

  /**
   * Removes what the assistant said after `endMs`.
   * @throws {EventError} If the item has no voice, or a shorter one.
   */
  truncate(id: JsonValue | undefined, endMs: JsonValue | undefined): Item {
    const item = this.get(id, 'truncate');
    const voiceMs = this.#voiceMs.get(item.id);
    if (typeof endMs !== 'number' || !Number.isInteger(endMs) || endMs < 0)
      throw wrongType('audio_end_ms', 'an integer');
    if (voiceMs === undefined) {
      throw invalidItem('invalid_value', 'Only a message of the assistant that has audio can be truncated.', 'item_id');
    }
    if (endMs > voiceMs) {
      const message = `Audio content of ${Math.round(voiceMs)}ms is already shorter than ${endMs}ms.`;
      throw invalidItem('invalid_value', message, 'audio_end_ms');
    }
    this.#voiceMs.set(item.id, endMs);
    const { content } = item;
    for (const part of Array.isArray(content) ? content : []) if (isJsonObject(part)) delete part['transcript'];
    return item;
  }

  hasCall(callId: string): boolean {
    return this.#items.some((item) => item.type === 'function_call' && item['call_id'] === callId);
  }

  #find(id: string): Item | undefined {
    return this.#items.find((item) => item.id === id);
  }

  #placeBehind(after: JsonValue | undefined): number {
    if (after === undefined || after === null) return this.#items.length;
    if (after === 'root') return 0;
    const index = this.#items.findIndex(({ id }) => id === after);
    if (index >= 0) return index + 1;
    const shown = JSON.stringify(after).slice(0, 100);
    throw invalidItem('item_create_invalid_previous_item_id', `There is no item ${shown}.`, 'previous_item_id');
  }
}

/**
 * Reads the item of a `conversation.item.create`.
 * @throws EventError naming the field
 */
export function readItem(value: JsonValue | undefined, newId: () => string): Item {
  if (!isJsonObject(value)) throw wrongType('item', 'an object');
  const type = required(value, 'type', 'item');
  const { id = newId(), status = 'completed' } = value;
  if (typeof id !== 'string' || id === '' || id.length > 64)
    throw wrongType('item.id', 'a string of 1 to 64 characters');
  if (!statuses.includes(String(status))) throw invalidItem('invalid_value', `Invalid status.`, 'item.status');
  const base = { id, object: 'realtime.item', status };
  if (type === 'message') return { ...base, type, ...readMessage(value) };
  if (type === 'function_call') {
    return {
      ...base,
      type,
      name: textOf(value, 'name'),
      call_id: textOf(value, 'call_id'),
      arguments: textOf(value, 'arguments'),
    };
  }
  if (type === 'function_call_output') {
    return { ...base, type, call_id: textOf(value, 'call_id'), output: textOf(value, 'output') };
  }
  throw invalidItem(
    'invalid_value',
    `Invalid value: ${JSON.stringify(type).slice(0, 100)}. Supported values are: 'message', 'function_call', and 'function_call_output'.`,
    'item.type',
  );
}

function readMessage(value: JsonObject): JsonObject {
  const role = textOf(value, 'role');
  if (!roles.includes(role)) throw invalidItem('invalid_value', `Invalid role '${role.slice(0, 50)}'.`, 'item.role');
  const content = required(value, 'content', 'item');
  if (!Array.isArray(content) || content.length > 100) throw wrongType('item.content', 'an array of at most 100 parts');
  return {
    role,
    content: content.map((part, index) => {
      const at = `item.content[${index}]`;
      if (!isJsonObject(part)) throw wrongType(at, 'an object');
      if (typeof part['type'] !== 'string') required(part, 'type', at);
      const { text, transcript } = part;
      for (const [name, field] of Object.entries({ text, transcript })) {
        if (field === undefined || field === null) continue;
        if (typeof field !== 'string' || field.length > maxText) throw wrongType(`${at}.${name}`, 'a string');
      }
      // Sound in an item is not kept: the scripted server does not use it.
      return {
        type: part['type'] ?? '',
        ...(text === undefined ? {} : { text }),
        ...(transcript === undefined ? {} : { transcript }),
      };
    }),
  };
}

function textOf(value: JsonObject, name: string): string {
  const field = required(value, name, 'item');
  if (typeof field === 'string' && field.length <= maxText) return field;
  throw wrongType(`item.${name}`, `a string of at most ${maxText} characters`);
}

function invalidItem(code: string, message: string, param: string): EventError {
  return new EventError({ code, message, param });
}
