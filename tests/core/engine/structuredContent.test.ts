import { describe, expect, test } from 'vitest';

import { serializeResult } from '../../../src-core/engine/serializeResult.ts';
import { checkOutput } from '../../../src-core/schema/checkOutput.ts';
import type { JsonSchema } from '../../../src-core/base/json.ts';
import { exactToBigInt, parseExactly } from '../../../src-core/base/exactNumber.ts';
import { outputTool, request, setUp } from './execution.ts';

const celsius: JsonSchema = {
  type: 'object',
  properties: { celsius: { type: 'number' } },
  required: ['celsius'],
};

async function execute(output: object, outputSchema?: JsonSchema) {
  const tool = outputTool('t', () => output);
  const given = tool.getMetadata();
  const methods = given.methods.map((method) => ({ ...method, ...(outputSchema && { outputSchema }) }));
  const { execute: run } = setUp([], { ...tool, getMetadata: () => ({ methods }) });
  return run(request('t_get'));
}

test('the result has the data as JSON text, with numbers as they were written', async () => {
  const structuredContent = parseExactly('{"id":9007199254740993,"price":1.50}');
  const result = await execute({ value: 'x', structuredContent });
  expect(result).toMatchObject({ status: 'success', result: 'x' });
  expect(result.structuredContent).toBe('{"id":9007199254740993,"price":1.50}');
  expect(result).not.toHaveProperty('outputIssues');
  const big = await execute({ value: '', structuredContent: exactToBigInt(structuredContent) });
  expect(big.structuredContent).toBe('{"id":9007199254740993,"price":1.5}');
});

test('a failure keeps its data, too, and is held to no schema', async () => {
  const result = await execute({ value: 'no', structuredContent: { code: 7 }, isError: true }, celsius);
  expect(result).toMatchObject({ status: 'error', result: 'no', structuredContent: '{"code":7}' });
  expect(result).not.toHaveProperty('outputIssues');
});

test('data that is not valid JSON or too large is a failure with its own code', async () => {
  expect(await execute({ value: '', structuredContent: new Map() })).toMatchObject({ structuredContent: '{}' });
  const ring: { o?: unknown } = {};
  ring.o = ring;
  expect((await execute({ value: '', structuredContent: ring })).error?.code).toBe('bad-result');
  const output = { value: '', structuredContent: { a: 'x'.repeat(100) } };
  expect(() => serializeResult({ output, maxResultBytes: 100 })).toThrow('at most 100 bytes');
});

describe('held to the outputSchema', () => {
  test('what fits has no issues', async () => {
    const result = await execute({ value: '', structuredContent: { celsius: 21 } }, celsius);
    expect(result.outputIssues).toEqual([]);
  });

  test('what does not fit names each place, and the call is a success all the same', async () => {
    const result = await execute({ value: '', structuredContent: { celsius: 'warm' } }, celsius);
    expect(result.status).toBe('success');
    expect(result.outputIssues).toMatchObject([{ path: '/celsius' }]);
  });

  test('an answer without data does not fit', async () => {
    expect((await execute({ value: '21' }, celsius)).outputIssues?.[0]?.message).toContain('no structuredContent');
  });

  test.each([
    ['a list', '[1]', 'has to be an object'],
    ['what is nested without end', `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, 'could not be checked'],
  ])('%s is said to be so', (_what, json, message) => {
    expect(checkOutput(json, {}).issues[0]?.message).toContain(message);
  });

  test('numbers that no double has are checked as the nearest', () => {
    expect(checkOutput('{"celsius":9007199254740993}', celsius)).toEqual({ issues: [] });
  });

  test('a schema that cannot be used finds nothing wrong', () => {
    expect(checkOutput('{"celsius":1}', { type: 'object', properties: { celsius: { $ref: '#/nowhere' } } })).toEqual({
      issues: [],
    });
  });

  test('a check that takes too long is reported as not done', async () => {
    const structuredContent = { celsius: `${'a'.repeat(60)}!` };
    const schema = { type: 'object', properties: { celsius: { pattern: '^(a+)+$' } } };
    const result = await execute({ value: '', structuredContent }, schema);
    expect(result.status).toBe('success');
    expect(result).not.toHaveProperty('outputIssues');
    expect(result.outputUnchecked).toMatch(/^The data was not checked against the outputSchema: it takes more than/);
  });
});
