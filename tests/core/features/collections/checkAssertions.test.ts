import { describe, expect, test } from 'vitest';

import { checkAssertions } from '../../../../src-core/features/collections/checkAssertions.ts';
import type { Assertion } from '../../../../src-core/contract/collections.ts';
import { openResult } from '../../../../src-core/features/collections/resultReader.ts';
import { createTimeBudget } from '../../../../src-core/features/collections/timeBudget.ts';
import type { ToolExecutionResult } from '../../../../src-core/base/calls.ts';

const answer = {
  id: 7,
  name: 'Lamp ü',
  on: true,
  none: null,
  tags: ['red', 'blue'],
  rooms: [
    { id: 1, light: 10 },
    { id: 2, light: 30 },
  ],
};

function result(change: Partial<ToolExecutionResult> = {}): ToolExecutionResult {
  return {
    requestId: 'r',
    toolName: 't',
    status: 'success',
    result: JSON.stringify(answer),
    durationMs: 20,
    ...change,
  };
}

const failed = result({ status: 'error', result: 'too slow', error: { code: 'timeout', message: 'too slow' } });

async function verdicts(assertions: Assertion[], of = result(), durations: number[] = []) {
  const budget = createTimeBudget(1_000);
  const reader = openResult(of.result, budget, { each: 50, together: 100 });
  const found = await checkAssertions({ result: of, assertions, durations, budget, reader });
  reader.close();
  return found.map(({ outcome, reason }) => reason ?? outcome);
}

function path(where: string, op: string, value?: unknown): Assertion {
  return { check: 'path', path: where, op, value } as Assertion;
}

describe('status', () => {
  test('a call is expected to succeed unless something else is', async () => {
    expect(await verdicts([])).toEqual(['passed']);
    expect(await verdicts([], failed)).toEqual(['status']);
    expect(await verdicts([{ check: 'status', is: 'timeout' }], failed)).toEqual(['passed']);
    expect(await verdicts([{ check: 'status', is: 'error' }], failed)).toEqual(['passed']);
    expect(await verdicts([{ check: 'status', is: 'error' }])).toEqual(['status']);
    expect(await verdicts([{ check: 'status', is: 'disconnected' }], failed)).toEqual(['status']);
  });

  test('a soft failure, wanted or not', async () => {
    const soft = result({ softFailure: { member: 'success', value: 'false' } });
    expect((await verdicts([{ check: 'softFailure', is: false }], soft)).at(-1)).toBe('soft-failure');
    expect((await verdicts([{ check: 'softFailure', is: true }], soft)).at(-1)).toBe('passed');
    expect((await verdicts([{ check: 'softFailure', is: true }])).at(-1)).toBe('soft-failure');
  });
});

describe('paths', () => {
  test.each<[string, Assertion, string]>([
    ['equals', path('$.id', 'equals', 7), 'passed'],
    ['equals, another type', path('$.id', 'equals', '7'), 'differs'],
    ['equals, members in another order', path('$.rooms[0]', 'equals', { light: 10, id: 1 }), 'passed'],
    ['not equals', path('$.id', 'notEquals', 8), 'passed'],
    ['a part of a text', path('$.name', 'contains', 'amp'), 'passed'],
    ['an item of a list', path('$.tags', 'contains', 'blue'), 'passed'],
    ['members of an object', path('$.rooms[1]', 'contains', { id: 2 }), 'passed'],
    ['no such item', path('$.tags', 'contains', 'gre'), 'differs'],
    ['matches', path('$.name', 'matches', '^\\p{L}+ ü$'), 'passed'],
    ['matches not', path('$.name', 'matches', '^x'), 'differs'],
    ['exists', path('$.none', 'exists'), 'passed'],
    ['does not exist', path('$.nobody', 'exists'), 'nothing-found'],
    ['should not exist', path('$.nobody', 'exists', false), 'passed'],
    ['should not, and does', path('$.id', 'exists', false), 'something-found'],
    ['type', path('$.rooms', 'type', 'array'), 'passed'],
    ['a whole number is a number', path('$.id', 'type', 'number'), 'passed'],
    ['null', path('$.none', 'type', 'null'), 'passed'],
    ['every value found counts', path('$.rooms[*].light', 'atLeast', 10), 'passed'],
    ['one of them is too low', path('$.rooms[*].light', 'greaterThan', 10), 'differs'],
    ['a filter', path('$.rooms[?@.id == 2].light', 'equals', 30), 'passed'],
    ['nothing found is not right', path('$.rooms[?@.id == 9].light', 'atMost', 30), 'nothing-found'],
    ['a text is not a number', path('$.name', 'lessThan', 5), 'differs'],
    ['a bad path', path('$.[', 'exists'), 'cannot-check'],
    ['a bad pattern', path('$.name', 'matches', '('), 'cannot-check'],
    ['a bound that is none', path('$.id', 'atMost', 'x'), 'cannot-check'],
    ['inherited names are not there', path('$.constructor', 'exists'), 'nothing-found'],
  ])('%s', async (_what, assertion, outcome) => {
    expect((await verdicts([assertion])).at(-1)).toBe(outcome);
  });

  test('patterns that would take for ever are stopped, in a filter too', async () => {
    const slow = result({ result: JSON.stringify({ text: 'a'.repeat(40) + '!' }) });
    expect((await verdicts([path('$.text', 'matches', '^(a+)+$')], slow)).at(-1)).toBe('cannot-check');
    expect((await verdicts([path("$[?match(@, '(a+)+')]", 'exists')], slow)).at(-1)).toBe('cannot-check');
  });

  test('all checks together end, and others have their turn between two', async () => {
    const slow = result({ result: JSON.stringify({ text: 'a'.repeat(40) + '!' }) });
    const assertions = Array<Assertion>(100).fill(path('$.text', 'matches', '^(a+)+$'));
    let turns = 0;
    setImmediate(() => (turns += 1));
    const budget = createTimeBudget(1_000);
    const reader = openResult(slow.result, budget, { each: 20, together: 40 });
    const found = await checkAssertions({ result: slow, assertions, durations: [], budget, reader });
    reader.close();
    expect(turns).toBe(1);
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toMatchObject({ reason: 'cannot-check', found: expect.stringContaining('1000 ms together') });
  });

  test('a pattern over many values ends, too', async () => {
    const slow = result({ result: JSON.stringify(Array(1_000).fill(`${'a'.repeat(24)}!`)) });
    expect(await verdicts([path('$[*]', 'matches', '^(a+)+$|!$')], slow)).toEqual(['passed', 'cannot-check']);
  });

  test('a message shows whether a value is a number or a text', async () => {
    const text = result({ result: '{"id":"20"}' });
    const assertions = [path('$.id', 'equals', 20), path('$.id', 'contains', '9')];
    const [, equals, contains] = await checkAssertions({ result: text, assertions, durations: [] });
    expect(equals).toMatchObject({ found: '"20"', message: '$.id should equal 20; it is "20"' });
    expect(contains).toMatchObject({ message: '$.id should contain "9"; it is "20"' });
  });

  test('of a key that an answer has twice the last counts, as in a schema', async () => {
    const twice = result({ result: '{"id":1,"id":2}' });
    expect((await verdicts([path('$.id', 'equals', 2)], twice)).at(-1)).toBe('passed');
    const schema: Assertion = { check: 'schema', schema: { properties: { id: { const: 2 } }, type: 'object' } };
    expect((await verdicts([schema], twice)).at(-1)).toBe('passed');
  });

  test('an answer in words is a text; large whole numbers are compared exactly', async () => {
    expect((await verdicts([path('$', 'contains', 'lamp')], result({ result: 'the lamp is on' }))).at(-1)).toBe(
      'passed',
    );
    const large = result({ result: '{"id":9007199254740993}' });
    expect((await verdicts([path('$.id', 'equals', 9007199254740992n)], large)).at(-1)).toBe('differs');
    expect((await verdicts([path('$.id', 'equals', 9007199254740993n)], large)).at(-1)).toBe('passed');
  });
});

describe('schema', () => {
  const schema = (value: boolean | object): Assertion => ({ check: 'schema', schema: value }) as Assertion;

  test('fits or does not, and says where', async () => {
    expect((await verdicts([schema({ type: 'object', required: ['id'] })])).at(-1)).toBe('passed');
    expect((await verdicts([schema({ type: 'string' })], result({ result: 'words' }))).at(-1)).toBe('passed');
    expect((await verdicts([schema(false)])).at(-1)).toBe('does-not-fit');
    const [, check] = await checkAssertions({
      result: result(),
      durations: [],
      assertions: [schema({ properties: { rooms: { items: { properties: { light: { maximum: 20 } } } } } })],
    });
    const misfit = { place: '$.rooms[1].light', found: '30 is above the maximum, 20.' };
    expect(check).toMatchObject({ outcome: 'failed', reason: 'does-not-fit', ...misfit });
  });

  test('its own definitions are found', async () => {
    const own = { $defs: { room: { required: ['id'] } }, properties: { rooms: { items: { $ref: '#/$defs/room' } } } };
    expect((await verdicts([schema(own)])).at(-1)).toBe('passed');
  });

  test('one that cannot be used does not pass', async () => {
    expect((await verdicts([schema({ $ref: '#/nowhere' })])).at(-1)).toBe('cannot-check');
    const slow = schema({ properties: { text: { pattern: '^(a+)+$' } } });
    expect((await verdicts([slow], result({ result: JSON.stringify({ text: `${'a'.repeat(40)}!` }) }))).at(-1)).toBe(
      'cannot-check',
    );
  });
});

describe('duration', () => {
  test('by a limit in ms', async () => {
    expect((await verdicts([{ check: 'duration', atMostMs: 20 }])).at(-1)).toBe('passed');
    expect((await verdicts([{ check: 'duration', atMostMs: 19 }])).at(-1)).toBe('too-slow');
  });

  test('by the median of its own runs, once there are five', async () => {
    const twice: Assertion = { check: 'duration', atMostTimesMedian: 2 };
    expect((await verdicts([twice], result(), [9, 9, 9, 9])).at(-1)).toBe('no-history');
    expect((await verdicts([twice], result(), [1, 9, 9, 90, 900])).at(-1)).toBe('too-slow');
    expect((await verdicts([twice], result(), [1, 10, 10, 90, 900])).at(-1)).toBe('passed');
    expect((await verdicts([twice], result(), [1, 2, 9, 11, 90, 900])).at(-1)).toBe('passed');
  });
});
