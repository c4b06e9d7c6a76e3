import { expect, onTestFinished, test, vi } from 'vitest';

import { openHub } from './support/openHub.ts';
import { connectScripted, standardAnswer } from './support/scriptedDevice.ts';

const maxParsed = 10_000;
const text = 'x'.repeat(maxParsed);
const call = { signal: new AbortController().signal, timeoutMs: 5_000, callId: 'c' };

test('a message of more than maxParsed bytes fails its call unparsed, and the connection stays', async () => {
  const { hub, wsUrl, device, registry } = await openHub({ limits: { maxParsed } });
  let isLarge = true;
  const board = await connectScripted(wsUrl, {
    answer: (request) =>
      request.method === 'tools/call' && isLarge
        ? { jsonrpc: '2.0', id: request.id, result: { content: [{ type: 'text', text }] } }
        : standardAnswer(request),
  });
  board.hello();
  const source = await registry();
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());

  await expect(source.invoke('self.get_device_status', {}, call)).rejects.toMatchObject({
    code: 'protocol-error',
    message: expect.stringMatching(
      /answered tools\/call #\d+ with 10\d{3} bytes, more than the 10000 that are read/,
    ) as string,
  });
  const isAnswer = ([parsed]: [string, ...unknown[]]): boolean => parsed.length >= maxParsed;
  expect(parse.mock.calls.filter(isAnswer)).toEqual([]);

  isLarge = false;
  await source.invoke('self.get_device_status', {}, call);
  const { id, state, counters } = await device(() => true);
  expect(state).toBe('ready');
  expect(counters.invalidIn).toBe(1);
  const frames = hub.frames({ deviceId: id, limit: 100 }).filter(({ type }) => type === 'invalid');
  expect(frames.map(({ summary }) => summary)).toEqual([
    expect.stringMatching(/^answer #\d+, not read: 10\d{3} bytes, more than the 10000 that are read$/),
  ]);
});

test.each([
  ['text', (body: string) => body],
  [
    'binary',
    (body: string) => {
      const header = Buffer.alloc(16);
      header.writeUInt16BE(2, 0);
      header.writeUInt16BE(1, 2);
      header.writeUInt32BE(Buffer.byteLength(body), 12);
      return Buffer.concat([header, Buffer.from(body)]);
    },
  ],
])('a %s frame of more than maxParsed bytes that answers nothing is only logged', async (kind, frame) => {
  const { hub, wsUrl, device, registry } = await openHub({ limits: { maxParsed } });
  const board = await connectScripted(wsUrl);
  board.hello({ version: 2 });
  await registry();
  board.socket.send(frame(`{"type":"alert","message":"${text}"}`));
  const { id, state } = await device(({ counters }) => counters.invalidIn === 1);
  expect(state).toBe('ready');
  expect(hub.frames({ deviceId: id, limit: 100 }).at(-1)).toMatchObject({
    type: 'invalid',
    kind,
    summary: expect.stringMatching(/^not read: 10\d{3} bytes, more than the 10000 that are read$/) as string,
  });
});
