import type { JsonObject } from '../../base/json.ts';
import type { RealtimeWireEvent } from '../realtimeWireEvent.ts';
import { objectOf, textOf } from './eventFields.ts';
import { isKnownEvent } from './knownEvents.ts';
import { noteText } from './noteText.ts';

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
