import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ScriptedDialect } from './dialects.ts';
import { EventError, readField } from './eventError.ts';

/** An item of the conversation, as it goes over the wire. */
export interface Item extends JsonObject {
  id: string;
  type: string;
}

/** Sends one event; the receiver adds its `event_id`. */
export type SendEvent = (type: string, fields: JsonObject) => void;

/** A new id: `item_…`, `resp_…`. */
export function newId(kind: string): string {
  return `${kind}_${randomUUID().replaceAll('-', '').slice(0, 21)}`;
}

const maxItems = 1_000;

/** The items of one session, in order. */
export class Conversation {
  readonly #announcement: ScriptedDialect['itemEvents'];
  readonly #send: SendEvent;
  readonly #items: Item[] = [];
  /** ms of voice that were sent, by item. */
  readonly #voiceMs = new Map<string, number>();

  constructor({ itemEvents }: ScriptedDialect, send: SendEvent) {
    this.#announcement = itemEvents;
    this.#send = send;
  }

  get lastId(): string | null {
    return this.#items.at(-1)?.id ?? null;
  }

  /**
   * Adds an item and announces it. It is placed after the item `after`: at the front if that is `root`, by default at
   * the end. An item that is not `complete` is announced again by `complete`. Returns the id of the item before it.
   * @throws {EventError} If the conversation is full, the id is taken, or no item has the id `after`.
   */
  add(item: Item, { after = null, complete = true }: { after?: JsonValue; complete?: boolean } = {}): string | null {
    if (this.#items.length >= maxItems) {
      throw new EventError({
        code: 'conversation_full',
        message: `The conversation has ${maxItems} items; no more fit.`,
      });
    }
    if (this.#items.some(({ id }) => id === item.id)) {
      throw new EventError({
        code: 'item_create_duplicate_item_id',
        message: `An item '${item.id}' is in the conversation already.`,
        param: 'item.id',
      });
    }
    const at = this.#indexBehind(after);
    this.#items.splice(at, 0, item);
    const previousId = this.#items[at - 1]?.id ?? null;
    const event = this.#announcement === 'created' ? 'created' : 'added';
    this.#send(`conversation.item.${event}`, { previous_item_id: previousId, item });
    if (complete) this.complete(item, previousId);
    return previousId;
  }

  /** Announces that an item is complete, if the dialect has an event for it. */
  complete(item: Item, previousId: string | null): void {
    if (this.#announcement === 'created') return;
    this.#send('conversation.item.done', { previous_item_id: previousId, item });
  }

  /** @throws {EventError} If there is none; `verb` is part of its code. */
  get(id: JsonValue | undefined, verb: 'delete' | 'retrieve' | 'truncate'): Item {
    const found = this.#items.find((item) => item.id === id);
    if (found !== undefined) return found;
    throw new EventError({
      code: `item_${verb}_invalid_item_id`,
      message: `Error: there is no item with id ${shorten(id)}.`,
      param: 'item_id',
    });
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
    const keptMs = readField(z.int().min(0), endMs, 'audio_end_ms');
    if (voiceMs === undefined) {
      throw new EventError({
        code: 'invalid_value',
        message: 'Only a message of the assistant that has audio can be truncated.',
        param: 'item_id',
      });
    }
    if (keptMs > voiceMs) {
      throw new EventError({
        code: 'invalid_value',
        message: `Audio content of ${Math.round(voiceMs)}ms is already shorter than ${keptMs}ms.`,
        param: 'audio_end_ms',
      });
    }
    this.#voiceMs.set(item.id, keptMs);
    const { content } = item;
    for (const part of Array.isArray(content) ? content : []) if (isJsonObject(part)) delete part['transcript'];
    return item;
  }

  hasCall(callId: string): boolean {
    return this.#items.some((item) => item.type === 'function_call' && item['call_id'] === callId);
  }

  #indexBehind(after: JsonValue): number {
    if (after === null) return this.#items.length;
    if (after === 'root') return 0;
    const index = this.#items.findIndex(({ id }) => id === after);
    if (index >= 0) return index + 1;
    throw new EventError({
      code: 'item_create_invalid_previous_item_id',
      message: `There is no item ${shorten(after)}.`,
      param: 'previous_item_id',
    });
  }
}

function shorten(id: JsonValue = null): string {
  return JSON.stringify(id).slice(0, 100);
}

const text = z.string().max(200_000);
const base = {
  id: z.string().min(1).max(64).optional(),
  status: z.enum(['completed', 'in_progress', 'incomplete']).default('completed'),
};
/** Audio in a message is not kept: the scripted server does not use it. */
const content = z.array(z.object({ type: z.string(), text: text.nullish(), transcript: text.nullish() })).max(100);
const itemSchema = z.discriminatedUnion('type', [
  z.object({ ...base, type: z.literal('message'), role: z.enum(['system', 'user', 'assistant']), content }),
  z.object({ ...base, type: z.literal('function_call'), name: text, call_id: text, arguments: text }),
  z.object({ ...base, type: z.literal('function_call_output'), call_id: text, output: text }),
]);

/**
 * Reads the item of a `conversation.item.create`.
 * @throws {EventError} If a field is missing or wrong.
 */
export function readItem(value: JsonValue | undefined): Item {
  const { id = newId('item'), ...item } = readField(itemSchema, value, 'item');
  return { id, object: 'realtime.item', ...item } as Item;
}
