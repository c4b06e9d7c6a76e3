/** What a conversation's record says of the connection. */
import { expect, test } from 'vitest';

import { ChunkType, EventChunk } from '../../../../../src-core/realtime/chunks.ts';
import { ConversationRecord } from '../../../../../src-core/features/realtime/record/conversationRecord.ts';
import { HandClock } from '../../../realtime/beds.ts';

test('a loss and the return are in the transcript, with the time between', () => {
  const clock = new HandClock();
  const record = new ConversationRecord({ clock, addFrame: () => 1 });
  record.chunk(new EventChunk({ type: ChunkType.EVENT_REALTIME_SESSION_UPDATED }));
  record.chunk(new EventChunk({ type: ChunkType.EVENT_REALTIME_DISCONNECTED, detail: 'It broke. Connecting again.' }));
  clock.pass(640);
  record.chunk(new EventChunk({ type: ChunkType.EVENT_REALTIME_SESSION_UPDATED }));
  record.chunk(new EventChunk({ type: ChunkType.EVENT_REALTIME_SESSION_UPDATED }));
  expect(record.since(0).transcript.map(({ who, text }) => [who, text])).toEqual([
    ['note', 'It broke. Connecting again.'],
    ['note', 'Connected again after 0.6 s.'],
  ]);
});

test('only events that are unknown or cannot be read are points of the timeline', () => {
  let seq = 0;
  const record = new ConversationRecord({ clock: new HandClock(), addFrame: () => (seq += 1) });
  const event = { direction: 'in', at: 1_700_000_000_000, text: '{}', bytes: 2 } as const;
  record.wire({ ...event, type: 'session.created' });
  record.wire({ ...event, type: 'rate_limits.renewed', unknown: true });
  record.wire({ ...event, type: 'invalid' });
  expect(record.since(0).timeline.map(({ label, state }) => [label, state])).toEqual([
    ['rate_limits.renewed', 'failed'],
    ['invalid', 'failed'],
  ]);
});

test('says that the user speaks between the two ends of speech, or until the connection is lost', () => {
  const clock = new HandClock();
  const record = new ConversationRecord({ clock, addFrame: () => 1 });
  const tell = (type: EventChunk['type'], detail?: string): void =>
    record.chunk(new EventChunk({ type, responseId: 'r1', ...(detail !== undefined && { detail }) }));
  const speaking = () => record.facts().speaking;
  expect(speaking()).toEqual({ bot: false, user: false });
  tell(ChunkType.EVENT_VAD_START);
  expect(speaking()).toEqual({ bot: false, user: true });
  tell(ChunkType.EVENT_VAD_END);
  expect(speaking()).toEqual({ bot: false, user: false });
  tell(ChunkType.EVENT_VAD_START);
  tell(ChunkType.EVENT_REALTIME_DISCONNECTED, 'It broke.');
  expect(speaking()).toEqual({ bot: false, user: false });
});
