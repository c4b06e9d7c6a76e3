import { expect, test } from 'vitest';
import { createTimeTool } from '../../../../src-core/registry/builtin/time.ts';

const options = { signal: new AbortController().signal, timeoutMs: 1_000, callId: 'c1' };

test('get_time and get_date return local time as text', async () => {
  const tool = createTimeTool({ now: () => new Date(2026, 0, 5, 8, 3, 9) });
  expect(await tool.invoke('get_time', {}, options)).toEqual({ value: '2026-01-05 08:03:09' });
  expect(await tool.invoke('get_date', {}, options)).toEqual({ value: '2026-01-05' });
});

test('the clock runs: each call asks for the time anew', async () => {
  const tool = createTimeTool();
  const before = new Date();
  const { value } = await tool.invoke('get_time', {}, options);
  const told = new Date(String(value).replace(' ', 'T'));
  expect(told.getTime()).toBeGreaterThanOrEqual(Math.floor(before.getTime() / 1_000) * 1_000);
  expect(told.getTime()).toBeLessThanOrEqual(Date.now());
});

test('both may be called by a model', () => {
  expect(
    createTimeTool()
      .getMetadata()
      .methods.map(({ name, agentCallable }) => [name, agentCallable]),
  ).toEqual([
    ['get_time', true],
    ['get_date', true],
  ]);
});
