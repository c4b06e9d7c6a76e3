import { expect, test } from 'vitest';

import { AudioChunk } from '../../../../src-core/realtime/chunks.ts';
import { VoiceFeed } from '../../../../src-core/features/realtime/voiceFeed.ts';

/** 100 ms of sound. */
const piece = (responseId: string): AudioChunk =>
  new AudioChunk({ data: new Uint8Array(4_800), sampleRate: 24_000, source: 'bot', responseId });

test('a page that does not keep up loses the oldest sound and is told how much', async () => {
  const feed = new VoiceFeed({ maxBytes: 9_600 });
  const voice = feed.subscribe();
  const first = voice.next();
  for (const id of ['a', 'b', 'c', 'd', 'e']) feed.push(piece(id));
  expect((await first).value).toEqual({ kind: 'dropped', ms: 300 });
  expect((await voice.next()).value).toMatchObject({ kind: 'audio', responseId: 'd', sampleRate: 24_000 });
  feed.flush('d');
  expect((await voice.next()).value).toEqual({ kind: 'flush', responseId: 'd' });
  feed.push(piece('f'));
  feed.end();
  expect((await voice.next()).value).toMatchObject({ kind: 'audio', responseId: 'f' });
  expect(await voice.next()).toEqual({ done: true, value: undefined });
});

test('a page that leaves is waited for no more', async () => {
  const feed = new VoiceFeed();
  const stop = new AbortController();
  const voice = feed.subscribe(stop.signal);
  const next = voice.next();
  stop.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});
