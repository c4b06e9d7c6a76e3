import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { defaultScript } from '../../../../src-core/features/models/defaultScript.ts';
import { checkModelScript, readModelScript } from '../../../../src-core/features/models/readModelScript.ts';
import type { JsonValue } from '../../../../src-core/base/json.ts';
import { RequestError } from '../../../../src-core/base/requestError.ts';

describe('reading a script', () => {
  test('takes every field there is', () => {
    const script: JsonValue = {
      turns: [
        {
          when: { role: 'user', contains: 'a', matches: '(\\d+)', system: 'b', tool: 'c' },
          text: '',
          reasoning: 'r',
          toolCalls: [{ name: 'a', arguments: { 'self/x~y%z': 1 } }, { name: 'b', arguments: '{' }, { name: 'c' }],
          finishReason: 'length',
          usage: { inputTokens: 1 },
          delayMs: 10,
        },
        { error: { code: 'timeout', message: 'm' } },
      ],
      atEnd: 'repeat',
    };
    expect(readModelScript(script)).toEqual(script);
  });

  test('the example of docs/models.md is one', () => {
    const docs = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8');
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(docs) ?? [];
    expect(checkModelScript(JSON.parse(example) as JsonValue)).toEqual([]);
  });

  test('the default script is one', () => {
    expect(checkModelScript(JSON.parse(JSON.stringify(defaultScript)) as JsonValue)).toEqual([]);
  });

  test.each<[string, JsonValue, string, RegExp]>([
    ['no object', [], '', /an object with an array "turns"/],
    ['no turns', {}, 'turns', /required/],
    ['an empty list', { turns: [] }, 'turns', /minimum is 1/],
    ['a call without a name', { turns: [{}, {}, { toolCalls: [{}] }] }, 'turns[2].toolCalls[0].name', /required/],
    ['a call with a number for a name', { turns: [{ toolCalls: [{ name: 5 }] }] }, 'turns[0].toolCalls[0].name', /5/],
    [
      'arguments in a list',
      { turns: [{ toolCalls: [{ name: 'a', arguments: [] }] }] },
      'turns[0].toolCalls[0].arguments',
      /not an object or a string/,
    ],
    ['a misspelt field', { turns: [{ tex: 'a' }] }, 'turns[0].tex', /"tex"/],
    ['an unknown role', { turns: [{ when: { role: 'system' } }] }, 'turns[0].when.role', /one of/],
    [
      'a broken pattern',
      { turns: [{ text: 'a' }, { when: { matches: '(' } }] },
      'turns[1].when.matches',
      /regular expression/i,
    ],
    [
      'an error that is none of a model’s',
      { turns: [{ error: { code: 'script', message: 'm' } }] },
      'turns[0].error.code',
      /one of/,
    ],
    ['a key with a percent sign', { turns: [{ '%E0%A4%A': 1 }] }, 'turns[0].%E0%A4%A', /%E0/],
    ['a delay below zero', { turns: [{ delayMs: -1 }] }, 'turns[0].delayMs', /below the minimum/],
  ])('%s: names the field', (_, script, path, message) => {
    const issues = checkModelScript(script);
    expect(issues).toContainEqual({ path, message: expect.stringMatching(message) });
    try {
      readModelScript(script);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(RequestError);
      expect(error).toMatchObject({ field: issues[0]!.path, message: expect.stringContaining(issues[0]!.message) });
    }
  });

  test('several issues are told at once', () => {
    const issues = checkModelScript({ turns: [{ text: 1 }, { delayMs: 'x' }], atEnd: 'stop' });
    expect(issues.map(({ path }) => path).sort()).toEqual(['atEnd', 'turns[0].text', 'turns[1].delayMs']);
  });
});
