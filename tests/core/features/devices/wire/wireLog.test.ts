import { expect, test } from 'vitest';
import type { WireFrame } from '../../../../../src-core/features/devices/types.ts';
import { WireLog } from '../../../../../src-core/features/devices/wire/wireLog.ts';
import { createManualClock } from '../support/manualClock.ts';

function openLog(
  limits: Partial<{ logFrames: number; logChars: number; logTextChars: number; allLogChars: number }> = {},
  total = { chars: 0 },
) {
  const heard: WireFrame[] = [];
  const listeners = new Set([(frame: WireFrame) => void heard.push(frame)]);
  let seq = 10;
  const clock = createManualClock();
  const log = new WireLog({
    deviceId: 'd',
    clock,
    listeners,
    nextSeq: () => (seq += 1),
    limits: { logFrames: 4, logChars: 10_000, logTextChars: 1_000, allLogChars: 100_000, ...limits },
    total,
  });
  const add = (text: string) =>
    log.add({
      direction: 'in',
      kind: 'text',
      bytes: text.length,
      text,
      note: { type: 'event', summary: text },
    });
  return { log, add, heard, clock };
}

const summaries = (frames: WireFrame[]) => frames.map(({ summary }) => summary);

test('frames carry their place, time and device, and only what they have', () => {
  const { log, add, heard, clock } = openLog();
  clock.advance(5);
  add('a');
  log.add({
    direction: 'out',
    kind: 'close',
    bytes: 0,
    note: {
      type: 'close',
      role: 'answer',
      method: 'm',
      summary: '1000',
      rpcId: 3,
      callId: 'c',
      durationMs: 1.5,
      failed: true,
    },
  });
  const frames = log.frames({ limit: 9 });
  expect(frames).toStrictEqual([
    {
      seq: 11,
      deviceId: 'd',
      at: clock.wall(),
      direction: 'in',
      kind: 'text',
      type: 'event',
      summary: 'a',
      bytes: 1,
      text: 'a',
    },
    {
      seq: 12,
      deviceId: 'd',
      at: clock.wall(),
      direction: 'out',
      kind: 'close',
      type: 'close',
      role: 'answer',
      method: 'm',
      summary: '1000',
      bytes: 0,
      rpcId: 3,
      callId: 'c',
      durationMs: 1.5,
      failed: true,
    },
  ]);
  expect(heard).toStrictEqual(frames);
});

test('the oldest go beyond the bound in frames, round and round', () => {
  const { log, add } = openLog();
  for (let index = 0; index < 11; index += 1) add(String(index));
  expect(summaries(log.frames({ limit: 9 }))).toEqual(['7', '8', '9', '10']);
});

test('the oldest go beyond the bound in characters, the newest stays', () => {
  const { log, add } = openLog({ logFrames: 100, logChars: 500 });
  for (const letter of 'abcdef') add(letter.repeat(50));
  expect(summaries(log.frames({ limit: 9 })).map(([letter]) => letter)).toEqual(['d', 'e', 'f']);
  add('x'.repeat(900));
  expect(log.frames({ limit: 9 })).toHaveLength(1);
});

test('a long text is cut and says so; its size stays the whole one', () => {
  const { log, add } = openLog({ logTextChars: 3 });
  add('字字字字');
  expect(log.frames({ limit: 1 })[0]).toMatchObject({ text: '字字字', cut: true, bytes: 4 });
});

test('a query takes the newest, or the next after a place', () => {
  const { log, add } = openLog({ logFrames: 10 });
  for (const letter of 'abcdef') add(letter);
  expect(summaries(log.frames({ limit: 2 }))).toEqual(['e', 'f']);
  expect(summaries(log.frames({ limit: 2, afterSeq: 12 }))).toEqual(['c', 'd']);
  expect(log.frames({ limit: 9, afterSeq: 16 })).toEqual([]);
});

test('bounds all logs together: the log that adds drops its oldest frames', () => {
  const total = { chars: 0 };
  const quiet = openLog({ allLogChars: 600 }, total);
  const busy = openLog({ allLogChars: 600 }, total);
  quiet.add('kept');
  for (const text of ['1', '2', '3', '4']) busy.add(text.repeat(150));
  expect(summaries(quiet.log.frames({ limit: 9 }))).toEqual(['kept']);
  expect(busy.log.frames({ limit: 9 })).toHaveLength(1);
  expect(total.chars).toBeLessThanOrEqual(600);
  quiet.log.clear();
  busy.log.clear();
  expect(total.chars).toBe(0);
});

test.each([
  ['Bearer tokens', 'Bearer abc ', 'Bearer ***'],
  ['members', '{"token":"abc"}', '"token":"***"'],
  ['members that never end', '"token":"\\\\', '"token":"***"'],
  ['escapes', '"token":"\\"', '"token":"***"'],
  ['query parameters', '?token=abc&', '?token=***'],
  ['nothing but quotes', '"', '"'],
  ['colons without a value', '"token" :', '"token" :'],
])('4 MiB of %s are cut first, then masked', (_what, unit, masked) => {
  const { log } = openLog({ logTextChars: 64 * 1_024, logChars: 1_000_000 });
  const text = unit.repeat((4 * 1_024 * 1_024) / unit.length);
  log.add({
    direction: 'in',
    kind: 'text',
    bytes: text.length,
    text,
    masked: true,
    note: { type: 'event', summary: '' },
  });
  const [frame] = log.frames({ limit: 1 });
  expect(frame?.cut).toBe(true);
  expect(frame?.text?.length).toBeLessThanOrEqual(2 * 64 * 1_024);
  expect(frame?.text).toContain(masked);
  expect(frame?.text).not.toContain('abc');
});

test('a secret that is cut off is masked, too', () => {
  const { log } = openLog({ logTextChars: 20 });
  const text = `{"a":1,"token":"${'abc'.repeat(100)}"}`;
  log.add({
    direction: 'in',
    kind: 'text',
    bytes: text.length,
    text,
    masked: true,
    note: { type: 'event', summary: '' },
  });
  expect(log.frames({ limit: 1 })[0]?.text).toBe('{"a":1,"token":"***"');
});
