/** Sound in the wire log: in the order of what happened, with its times and timestamps. */
import { expect, test } from 'vitest';

import { frameAudio } from '../../../../src-core/features/devices/audio/frameAudio.ts';
import { createManualClock } from './support/manualClock.ts';
import { openHub } from './support/openHub.ts';
import { connectScripted } from './support/scriptedDevice.ts';

const id = '02:00:00:aa:bb:cc';
const opus = Buffer.from([1, 2, 3]);

async function openBoard(version: 1 | 2 | 3 = 1) {
  const clock = createManualClock();
  const { hub, wsUrl, registry, device } = await openHub({ clock });
  const board = await connectScripted(wsUrl);
  board.hello({ version });
  await registry();
  const startedAt = clock.wall();
  let spoken = 0;
  /** Sends one frame, and waits until the hub has it. */
  const speak = async (timestampMs = 0): Promise<void> => {
    board.socket.send(frameAudio(opus, version, timestampMs));
    spoken += 1;
    const before = hub.device(id)!.counters.binaryIn;
    expect(before).toBeLessThan(spoken);
    await new Promise<void>((resolve) => {
      const look = (): void => (hub.device(id)!.counters.binaryIn >= spoken ? resolve() : void setImmediate(look));
      look();
    });
  };
  /** The lines of the log since the board was ready: what, ms since then, how long. */
  const lines = () =>
    hub
      .frames({ limit: 100 })
      .filter(({ at, type }) => at >= startedAt && !['mcp', 'hello', 'open'].includes(type))
      .map(({ direction, summary, at, durationMs }) => [`${direction} ${summary}`, at - startedAt, durationMs]);
  const voice = hub.takeVoice(id, { onListen: () => {}, onAbort: () => {}, onAudio: () => {}, onEnd: () => {} });
  return { hub, clock, board, speak, lines, voice, device };
}

test('sound is logged before the message that is sent after it, with the time of its first frame', async () => {
  const { clock, speak, lines, voice } = await openBoard();
  for (let frame = 0; frame < 3; frame += 1) {
    await speak();
    clock.advance(60);
  }
  voice.send({ type: 'tts', state: 'start' });
  clock.advance(10);
  voice.sendAudio(opus, 0);
  clock.advance(60);
  voice.sendAudio(opus, 60);
  await speak();
  clock.advance(60);
  voice.send({ type: 'tts', state: 'stop' });
  expect(lines()).toEqual([
    ['in 3 audio frames', 0, 120],
    ['out tts start', 180, undefined],
    ['out 2 audio frames', 190, 60],
    ['in 1 audio frame', 250, undefined],
    ['out tts stop', 310, undefined],
  ]);
});

test('sound that stops is logged 300 ms later, though nothing follows', async () => {
  const { clock, speak, lines } = await openBoard();
  await speak();
  clock.advance(250);
  await speak();
  clock.advance(299);
  expect(lines()).toEqual([]);
  clock.advance(1);
  expect(lines()).toEqual([['in 2 audio frames', 0, 250]]);
});

test('sound in both directions: each run begins after the one that is logged before it has', async () => {
  const { clock, speak, lines, voice } = await openBoard();
  await speak();
  clock.advance(100);
  for (let frame = 0; frame < 100; frame += 1) voice.sendAudio(opus, frame * 60);
  clock.advance(100);
  await speak();
  clock.advance(300);
  expect(lines()).toEqual([
    ['in 1 audio frame', 0, undefined],
    ['out 100 audio frames', 100, 0],
    ['in 1 audio frame', 200, undefined],
  ]);
});

test.each([
  [[0, 60, 120], '3 audio frames, timestamps 0 to 120 ms'],
  [[60, 120, 480, 540], '4 audio frames, timestamps 60 to 540 ms, largest step 360 ms after 120 ms'],
  [[240, 300, 0], '3 audio frames, timestamps 240 to 0 ms, largest step -300 ms after 300 ms'],
  [[0, 0, 0], '3 audio frames, timestamp 0 ms'],
  [[60], '1 audio frame, timestamp 60 ms'],
])('version 2: the timestamps %j are logged', async (timestamps, summary) => {
  const { clock, speak, lines } = await openBoard(2);
  for (const timestampMs of timestamps) await speak(timestampMs);
  clock.advance(300);
  expect(lines().map(([what]) => what)).toEqual([`in ${summary}`]);
});

test('a run that goes on when the connection ends is logged before its end', async () => {
  const { board, speak, lines, device } = await openBoard();
  await speak();
  board.socket.terminate();
  await device(({ state }) => state === 'closed');
  expect(lines().map(([what]) => what)).toEqual(['in 1 audio frame', 'in 1006 without a close frame']);
});
