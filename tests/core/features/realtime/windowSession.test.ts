/** Conversations of a window with a real scripted server: sound in, words, calls and voice out, and what is kept of it. */
import { expect, onTestFinished, test } from 'vitest';

import type { RealtimeVoicePiece } from '../../../../src-core/contract/types.ts';
import { ended, openRealtime, say, updatesOnce } from './support.ts';

test('speech of 16 kHz is heard by a model of 24 kHz, which calls a tool through the executor and speaks of it', async () => {
  const workbench = await openRealtime({
    turns: [{ heard: 'What time is it?', say: 'One moment.', calls: [{ name: 'get_time' }], then: 'It is {{output}}' }],
  });
  const { realtime, calls } = workbench.services;
  const { sessionId } = await realtime.open({});
  const pieces: RealtimeVoicePiece[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const listening = (async () => {
    for await (const piece of await realtime.voice({ id: sessionId }, stop.signal)) pieces.push(piece);
  })();
  await say(workbench, sessionId);
  const { transcript, timeline, session } = await updatesOnce(workbench, sessionId, ended(2));

  expect(transcript.map(({ who, text }) => [who, text.slice(0, 16)])).toEqual([
    ['user', 'What time is it?'],
    ['bot', 'One moment.'],
    ['bot', expect.stringMatching(/^It is /)],
  ]);
  expect(transcript.every(({ partial }) => !partial)).toBe(true);
  const tool = timeline.find(({ lane }) => lane === 'tool')!;
  expect(tool).toMatchObject({ state: 'ok', label: 'clock_get_time', call: { isError: false, argumentsJson: '{}' } });
  const [kept] = await calls.history({ limit: 1 });
  expect(kept).toMatchObject({ callId: tool.call!.executionId, origin: 'realtime', qualifiedName: 'clock_get_time' });
  expect(session).toMatchObject({ state: 'connected', counts: { responses: 2, calls: 1 }, latency: { count: 1 } });
  expect(timeline.some(({ lane, label }) => lane === 'user-speech' && label === 'What time is it?')).toBe(true);

  await realtime.close({ id: sessionId });
  await listening;
  const heard = pieces.filter((piece) => piece.kind === 'audio');
  expect(heard.length).toBeGreaterThan(1);
  expect(new Set(heard.map(({ sampleRate }) => sampleRate))).toEqual(new Set([24_000]));
});
