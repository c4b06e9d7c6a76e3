import { expect, test } from 'vitest';
import { ToolError } from '../../../src-core/base/errors.ts';
import type { InvokeOptions } from '../../../src-core/registry/types.ts';
import { makeTool } from './testTool.ts';

function invokeOptions(signal = new AbortController().signal): InvokeOptions {
  return { signal, timeoutMs: 1_000, callId: 'c1' };
}

test('a handler gets the arguments and the options, and its value is the output', async () => {
  const options = invokeOptions();
  const seen: unknown[] = [];
  const tool = makeTool('lamp', [{ name: 'set', handler: (...given) => (seen.push(...given), { on: true }) }]);
  const args = { on: true };
  expect(await tool.invoke('set', args, options)).toEqual({ value: { on: true } });
  expect(seen).toEqual([args, options]);
});

test('a promise of a value is waited for, and its rejection passed on', async () => {
  const broken = new Error('burnt out');
  const tool = makeTool('lamp', [
    { name: 'get', handler: async () => 'on' },
    { name: 'set', handler: () => Promise.reject(broken) },
  ]);
  expect(await tool.invoke('get', {}, invokeOptions())).toEqual({ value: 'on' });
  await expect(tool.invoke('set', {}, invokeOptions())).rejects.toBe(broken);
});

test('the metadata shows everything but the handlers', () => {
  const tool = makeTool('lamp', [{ name: 'get', description: 'Reads.', danger: 'Blinds people.' }]);
  expect(tool.getMetadata().methods).toEqual([
    {
      name: 'get',
      description: 'Reads.',
      danger: 'Blinds people.',
      agentCallable: true,
      inputSchema: { type: 'object', properties: {} },
    },
  ]);
});

test('with an outputSchema, an object is the answer as data, too', async () => {
  const outputSchema = { type: 'object' };
  const answering = async (value: unknown): Promise<unknown> =>
    makeTool('lamp', [{ name: 'get', outputSchema, handler: () => value }]).invoke('get', {}, invokeOptions());
  expect(await answering({ on: true })).toEqual({ value: { on: true }, structuredContent: { on: true } });
  for (const value of ['on', null, [1]]) expect(await answering(value)).toEqual({ value });
});

test('unknown methods are refused, also those that every object has', async () => {
  const tool = makeTool('lamp', [{ name: 'get' }]);
  for (const name of ['off', 'toString', '__proto__']) {
    await expect(tool.invoke(name, {}, invokeOptions())).rejects.toMatchObject({ code: 'unknown-method' });
  }
});

test('two methods of one name are refused', () => {
  expect(() => makeTool('lamp', [{ name: 'get' }, { name: 'get' }])).toThrow(
    'The tool "lamp" has two methods named "get".',
  );
});

test('a call that was cancelled before it began does not run', async () => {
  let ran = false;
  const tool = makeTool('lamp', [{ name: 'get', handler: () => (ran = true) }]);
  const reason = new ToolError('cancelled', 'Too late.');
  await expect(tool.invoke('get', {}, invokeOptions(AbortSignal.abort(reason)))).rejects.toBe(reason);
  expect(ran).toBe(false);
});
