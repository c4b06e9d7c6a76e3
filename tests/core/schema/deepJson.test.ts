import { expect, test } from 'vitest';
import { parseExact } from '../../../src-core/base/exactJson.ts';
import { readDeviceMessage } from '../../../src-core/features/devices/wire/deviceMessage.ts';
import { checkModelScript } from '../../../src-core/features/models/readModelScript.ts';
import { checkRealtimeScript } from '../../../src-core/realtime/scripted/readRealtimeScript.ts';
import { checkOutput } from '../../../src-core/schema/checkOutput.ts';
import type { JsonValue } from '../../../src-core/base/json.ts';
import { parseArgsJson } from '../../../src-core/schema/parseArgsJson.ts';
import { readArguments } from '../../../src-core/schema/readArguments.ts';

const lists = `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`;

test('a hundred thousand levels in a result or in arguments are named', () => {
  expect(checkOutput(`{"a":${lists}}`, {}).issues).toMatchObject([{ message: expect.stringContaining('200 levels') }]);
  const { issues } = readArguments({ args: parseArgsJson(`{"a":${lists}}`), inputSchema: {}, source: 'json' });
  expect(issues).toMatchObject([{ parameter: 'a', message: expect.stringContaining('200 levels') }]);
});

test('in a collection they are refused', () => {
  expect(() => parseExact(lists)).toThrow(new SyntaxError('The JSON is nested too deeply.'));
});

test('a device that sends them is read, and its frame has no type', () => {
  expect(readDeviceMessage(`{"a":${lists}}`)).toMatchObject({ ok: false });
});

test('refuses a script that is nested too deeply', () => {
  const script = { turns: JSON.parse(lists) as JsonValue };
  for (const issues of [checkModelScript(script), checkRealtimeScript(script)])
    expect(issues).toEqual([{ path: '', message: expect.stringContaining('The script could not be checked') }]);
});
