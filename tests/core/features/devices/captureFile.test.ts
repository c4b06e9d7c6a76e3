import { expect, test } from 'vitest';

import { captureFrameLine, readCaptureFrame } from '../../../../src-core/features/captures/captureFrame.ts';
import type { CaptureFrame } from '../../../../src-core/features/captures/captureFrame.ts';
import { captureHeaderLine, readCaptureHeader } from '../../../../src-core/features/captures/captureHeader.ts';

const frame: CaptureFrame = {
  seq: 7,
  at: 1_700_000_000_000,
  direction: 'in',
  kind: 'text',
  type: 'mcp',
  role: 'answer',
  method: 'tools/call',
  summary: 'tools/call',
  rpcId: 3,
  callId: 'c',
  bytes: 9,
  durationMs: 1.25,
  failed: true,
  cut: true,
  text: '{"ü"}',
};

/** The line does not name it. */
const owner = { source: 'device', connection: 'lamp' } as const;

const line = (change: object): string => JSON.stringify({ ...frame, ...change });

test('a frame is one line, and the line is that frame', () => {
  const written = captureFrameLine({ ...owner, ...frame });
  expect(written).not.toContain('\n');
  expect(readCaptureFrame(written, 2)).toStrictEqual(frame);
  const bare: CaptureFrame = {
    seq: 0,
    at: 0,
    direction: 'out',
    kind: 'binary',
    type: 'audio',
    summary: '',
    bytes: 960,
  };
  expect(readCaptureFrame(captureFrameLine({ ...owner, ...bare }), 2)).toStrictEqual(bare);
  const broken = { ...frame, text: '{"a": "line\nbreak"\u2028\u0000\ud800' };
  expect(captureFrameLine({ ...owner, ...broken })).not.toMatch(/\n/);
  expect(readCaptureFrame(captureFrameLine({ ...owner, ...broken }), 2)).toStrictEqual(broken);
});

test('omits unknown fields, also those of the prototype', () => {
  const text =
    '{"constructor":{},"__proto__":{"seq":1},"later":[1],' + captureFrameLine({ ...owner, ...frame }).slice(1);
  expect(readCaptureFrame(text, 2)).toStrictEqual(frame);
});

test.each<[string, RegExp]>([
  ['', /Line 12 .*not valid JSON/],
  ['{"seq":1', /Line 12 .*not valid JSON/],
  ['[]', /not a JSON object/],
  ['null', /not a JSON object/],
  ['{}', /"seq" must be an integer/],
  ['{"__proto__":{"seq":1}}', /"seq" must be/],
  [line({ seq: -1 }), /"seq" must be/],
  [line({ seq: 2 ** 53 }), /"seq" must be/],
  [line({ at: 1.5 }), /"at" must be a time/],
  [line({ at: 'now' }), /"at" must be a time/],
  [line({ direction: 'up' }), /"direction" must be "in" or "out"/],
  [line({ direction: undefined }), /"direction" must be/],
  [line({ kind: 'odd' }), /"kind" must be one of open, text/],
  [line({ type: 'constructor' }), /"type" must be one of hello, mcp/],
  [line({ role: null }), /"role" must be one of request, answer/],
  [line({ method: 5 }), /"method" must be a string/],
  [line({ summary: 'x'.repeat(1_025) }), /"summary" must be a string of at most/],
  [line({ rpcId: '3' }), /"rpcId" must be a number/],
  [line({ callId: 'x'.repeat(129) }), /"callId" must be/],
  [line({ bytes: -5 }), /"bytes" must be/],
  [line({ durationMs: -1 }), /"durationMs" must be/],
  ['{"durationMs":1e999,' + line({ durationMs: undefined }).slice(1), /"durationMs" must be/],
  [line({ failed: 1 }), /"failed" must be a boolean/],
  [line({ cut: 'yes' }), /"cut" must be a boolean/],
  [line({ text: 'x'.repeat(600_000) }), /"text" must be a string of at most/],
  [line({ text: 'x'.repeat(1_000_000) }), /longer than 1000000 characters/],
  ['['.repeat(200_000), /not valid JSON/],
])('a line that is wrong says which and why: %.60s', (text, message) => {
  expect(() => readCaptureFrame(text, 12)).toThrow(message);
});

test('the header says whose and when', () => {
  const header = { device: { name: '书房', deviceId: '02:0', board: 'esp32', firmware: '2.4.2' }, exportedAt: 5 };
  expect(captureHeaderLine(header)).toBe(
    '{"toolwire":"capture","version":1,"device":{"name":"书房","deviceId":"02:0","board":"esp32","firmware":"2.4.2"},"exportedAt":5}',
  );
  expect(readCaptureHeader(captureHeaderLine(header))).toStrictEqual(header);
  const bare = { device: { name: 'a', deviceId: 'b' }, exportedAt: 0 };
  expect(readCaptureHeader(captureHeaderLine(bare))).toStrictEqual(bare);
});

const head = (change: object): string =>
  JSON.stringify({ toolwire: 'capture', version: 1, device: { name: 'a', deviceId: 'b' }, exportedAt: 5, ...change });

test.each<[string, RegExp]>([
  ['', /Line 1 .*not valid JSON; a capture is JSON lines/],
  ['{"seq":1}', /not the header of a capture/],
  ['"capture"', /not the header of a capture/],
  [head({ version: 0 }), /"version" must be/],
  [head({ version: '1' }), /"version" must be/],
  [head({ version: 4 }), /version 4, from a newer Toolwire; this one reads version 3\. Update/],
  [head({ origin: 'chat' }), /"origin" must be "gateway", "realtime", "mcp" or absent/],
  [head({ device: [] }), /"device" must be an object/],
  [head({ device: { name: 'a' } }), /"device\.deviceId" must be/],
  [head({ device: { name: '', deviceId: 'b' } }), /"device\.name" must be a string of 1 to 200/],
  [head({ device: { name: 'a', deviceId: 'b', board: 5 } }), /"device\.board" must be/],
  [head({ exportedAt: '2026' }), /"exportedAt" must be/],
])('a header that is wrong says why: %.60s', (text, message) => {
  expect(() => readCaptureHeader(text)).toThrow(message);
});
