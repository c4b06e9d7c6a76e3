import type { JsonObject } from '../../base/json.ts';
import type { RealtimeWireEvent } from '../../base/realtimeTypes.ts';
import { objectOf, textOf } from './eventFields.ts';
import { isKnownEvent } from './knownEvents.ts';
import { realtimeLimits } from '../limits.ts';

export interface DescribeWireEventOptions {
  direction: 'in' | 'out';
  /** Epoch ms. */
  at: number;
  type: string;
  /** The dialect's name of this type, if the server has another. */
  meaning?: string;
  /** As it went, the key taken out. */
  text: string;
  bytes?: number;
  /** The event, if it was one. */
  event?: JsonObject;
}

/** An event as whoever watches the wire sees it. */
export function describeWireEvent({
  direction,
  at,
  type,
  meaning = type,
  text,
  bytes,
  event,
}: DescribeWireEventOptions): RealtimeWireEvent {
  const item = objectOf(event, 'item');
  const responseId = short(textOf(event, 'response_id') ?? textOf(objectOf(event, 'response'), 'id'));
  const itemId = short(textOf(event, 'item_id') ?? textOf(item, 'id'));
  const callId = short(textOf(event, 'call_id') ?? textOf(item, 'call_id'));
  return {
    direction,
    at,
    type,
    text: noteText(meaning, text),
    bytes: bytes ?? 0,
    ...(direction === 'in' && event !== undefined && !isKnownEvent(meaning) && { unknown: true as const }),
    ...(responseId !== undefined && { responseId }),
    ...(itemId !== undefined && { itemId }),
    ...(callId !== undefined && { callId }),
  };
}

function short(id: string | undefined): string | undefined {
  return id?.slice(0, 200);
}

const notBase64 = /[^A-Za-z0-9+/=]/;

/**
 * An event as it is noted: sound and pictures in it cut to their length (`"audio":"<4800 bytes>"`), and the whole to 64 KiB. Works on the
 * text, so that it is shown as it went and no depth of nesting matters.
 */
export function noteText(type: string, text: string): string {
  const cut = ['audio', 'image', 'image_url'].reduce(withoutData, text);
  const short = /audio\.delta$/.test(type) ? withoutData(cut, 'delta') : cut;
  if (short.length <= realtimeLimits.notedCharacters) return short;
  const rest = short.length - realtimeLimits.notedCharacters;
  return `${short.slice(0, realtimeLimits.notedCharacters - 40)} … ${rest + 40} more characters`;
}

function withoutData(text: string, key: string): string {
  let cut = '';
  let from = 0;
  for (const { 0: begin, index } of text.matchAll(new RegExp(`"${key}"\\s*:\\s*"`, 'g'))) {
    const start = index + begin.length;
    const end = text.indexOf('"', start);
    if (end < 0) break;
    // Not one expression with alternatives for the whole: many MB of sound would be more than its stack holds.
    const data = text
      .slice(start, end)
      .replaceAll('\\/', '/')
      .replace(/^data:[^,]{1,100};base64,/, '');
    if (data === '' || notBase64.test(data)) continue;
    cut += `${text.slice(from, index)}"${key}":"${lengthOf(data)}"`;
    from = end + 1;
  }
  return cut + text.slice(from);
}

function lengthOf(data: string): string {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return `<${Math.floor((data.length * 3) / 4) - padding} bytes>`;
}
