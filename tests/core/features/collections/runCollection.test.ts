import { expect, test } from 'vitest';

import { openCollectionFolder } from '../../../../src-core/features/collections/collectionFolder.ts';
import { readCollection } from '../../../../src-core/features/collections/readCollection.ts';
import type { CallReport } from '../../../../src-core/contract/collections.ts';
import { runCollection, type RunCollectionOptions } from '../../../../src-core/features/collections/runCollection.ts';
import type { CallToRun } from '../../../../src-core/features/collections/runSavedCall.ts';
import type { ToolExecutionResult } from '../../../../src-core/base/calls.ts';
import { collectionWith } from './folders.ts';

interface Lab {
  reports: CallReport[];
  made: CallToRun[];
  recorded: string[];
}

/** Runs a folder against an executor that answers with the arguments, or as `answer` says. */
async function run(
  folder: string,
  options: Partial<RunCollectionOptions> = {},
  answer: (call: CallToRun) => Partial<ToolExecutionResult> = ({ argsJson }) => ({ result: argsJson }),
): Promise<Lab> {
  const lab: Lab = { reports: [], made: [], recorded: [] };
  const collection = await readCollection(await openCollectionFolder(folder));
  const calls = runCollection({
    collection,
    confirmed: false,
    trusted: false,
    signal: new AbortController().signal,
    givenSecrets: {},
    execute: (call) => {
      lab.made.push(call);
      const base = {
        requestId: call.callId,
        toolName: call.toolName,
        status: 'success',
        result: '',
        durationMs: 1,
      } as const;
      return Promise.resolve({ ...base, ...answer(call) });
    },
    secret: (name) => Promise.resolve(name === 'KEY' ? 'top secret' : undefined),
    device: () => Promise.resolve('box-1'),
    durations: () => Promise.resolve([]),
    record: ({ file, verdict }) => Promise.resolve(void lab.recorded.push(`${file} ${verdict}`)),
    ...options,
  });
  for await (const report of calls) lab.reports.push(report);
  return lab;
}

const verdicts = ({ reports }: Lab): string[] => reports.map(({ verdict, trouble }) => trouble ?? verdict);

test('calls run in their order, and what one extracts another may use', async () => {
  const folder = collectionWith({
    second: { tool: 'lab_make', arguments: { id: 9007199254740993 }, extract: { made: '$.id' } },
    first: { tool: 'lab_{{made}}', arguments: { id: '{{made}}', words: 'no {{made}}' } },
  });
  // JSON.stringify of the helper rounds it; the file is written as text.
  const lab = await run(folder, {}, ({ argsJson }) => ({
    result: argsJson.replace('9007199254740992', '9007199254740993'),
  }));
  expect(verdicts(lab)).toEqual(['passed', 'passed']);
  expect(lab.made[1]).toMatchObject({
    toolName: 'lab_9007199254740993',
    argsJson: '{"id":9007199254740993,"words":"no 9007199254740993"}',
  });
  expect(lab.recorded).toEqual(['second.call.json passed', 'first.call.json passed']);
});

test('a tool cannot ask for a secret or a variable: what it answers stays text', async () => {
  const answer = { id: '{{$secret:KEY}}', also: ['{{n}}'] };
  const folder = collectionWith({
    first: { tool: 'lab_make', extract: { id: '$.id', also: '$.also' } },
    second: { tool: 'lab_use', arguments: { id: '{{id}}', words: 'the {{id}}', also: '{{also}}' } },
  });
  const lab = await run(folder, {}, () => ({ result: JSON.stringify(answer) }));
  expect(verdicts(lab)).toEqual(['passed', 'passed']);
  expect(JSON.parse(lab.made[1]!.argsJson)).toEqual({ ...answer, words: 'the {{$secret:KEY}}' });
  expect(lab.made[1]!.secrets).toEqual({});
});

test('files outside the order run after it, by name; foreign files fail', async () => {
  const folder = collectionWith(
    { z: { tool: 't' } },
    {
      'a10.call.json': { name: 'a10', tool: 't', arguments: {} },
      'a9.call.json': { name: 'a9', tool: 't', arguments: {} },
      'bad.call.json': '<<<<<<< HEAD\n{}',
      'wrong.call.json': { name: 'x', tool: 't', arguments: {}, asertions: [] },
      'notes.json': '{}',
    },
  );
  const lab = await run(folder);
  expect(lab.reports.map(({ name }) => name)).toEqual(['z', 'a9', 'a10', 'bad.call.json', 'wrong.call.json']);
  expect(verdicts(lab)).toEqual(['passed', 'passed', 'passed', 'file', 'file']);
  expect(lab.reports[3]!.message).toContain('not valid JSON');
  expect(lab.reports[4]!.message).toContain('asertions');
});

test('an environment goes before the collection, and one that is not there is named', async () => {
  const folder = collectionWith(
    { a: { tool: 't', arguments: { n: '{{n}}' } } },
    {
      'toolwire.json': { format: 1, name: 'Lab', variables: { n: 1 } },
      'environments/live.json': { variables: { n: 2 } },
      'environments/bad.json': '{',
    },
  );
  expect((await run(folder)).made[0]!.argsJson).toBe('{"n":1}');
  expect((await run(folder, { environment: 'live' })).made[0]!.argsJson).toBe('{"n":2}');
  await expect(run(folder, { environment: 'unknown' })).rejects.toThrow('Choose one of: bad, live.');
  await expect(run(folder, { environment: 'bad' })).rejects.toThrow('cannot be used');
  await expect(run(folder, { only: ['b.call.json'] })).rejects.toThrow('no call "b.call.json"');
});

test('missing variables, failed calls and paths that lead nowhere fail; bail skips what comes after', async () => {
  const calls = {
    missing: { tool: 't', arguments: { a: '{{nobody}}' } },
    nowhere: { tool: 't', extract: { a: '$.nobody' } },
    after: { tool: 't' },
  };
  const lab = await run(collectionWith(calls));
  expect(verdicts(lab)).toEqual(['variables', 'extract', 'passed']);
  // Kept, though the first was never made: the list would go on saying that it has not run.
  expect(lab.recorded).toEqual(['missing.call.json failed', 'nowhere.call.json failed', 'after.call.json passed']);
  expect(verdicts(await run(collectionWith(calls), { bail: true }))).toEqual(['variables', 'bail', 'bail']);
});

test('does not make a call with an invalid JSON path, and reports the path', async () => {
  const calls = {
    asserts: { tool: 't', assertions: [{ check: 'path', path: '$.a[', op: 'exists' }] },
    extracts: { tool: 't', extract: { id: 'a.b' } },
    fine: { tool: 't' },
  };
  const lab = await run(collectionWith(calls));
  expect(verdicts(lab)).toEqual(['file', 'file', 'passed']);
  expect(lab.made).toHaveLength(1);
  expect(lab.recorded).toEqual(['asserts.call.json failed', 'extracts.call.json failed', 'fine.call.json passed']);
  expect(lab.reports[0]!.message).toMatch(/^assertions\.0\.path: "\$\.a\[" is not a JSON path: .+ Write one such as/);
  expect(lab.reports[1]!.message).toMatch(/^extract\.id: "a\.b" is not a JSON path/);
});

test('a dangerous call is skipped until it is confirmed, by the user or in a file that the user trusts', async () => {
  const folder = collectionWith({ asks: { tool: 't' }, told: { tool: 't', confirm: true } });
  const answer = ({ confirmed }: CallToRun): Partial<ToolExecutionResult> =>
    confirmed
      ? { result: 'done' }
      : { status: 'error', result: 'It restarts.', error: { code: 'confirmation-required', message: 'It restarts.' } };
  const cloned = await run(folder, {}, answer);
  expect(verdicts(cloned)).toEqual(['asks-first', 'asks-first']);
  expect(cloned.recorded).toEqual([]);
  const lab = await run(folder, { trusted: true }, answer);
  expect(verdicts(lab)).toEqual(['asks-first', 'passed']);
  expect(lab.recorded).toEqual(['told.call.json passed']);
  expect(verdicts(await run(folder, { confirmed: true }, answer))).toEqual(['passed', 'passed']);
});

test('no secret is in a report, and its name is', async () => {
  const folder = collectionWith({
    a: {
      tool: 't',
      arguments: { key: '{{$secret:KEY}}' },
      assertions: [{ check: 'path', path: '$.key', op: 'equals', value: 'other' }],
    },
    b: { tool: 't', arguments: { key: '{{$secret:NOBODY}}' } },
  });
  const lab = await run(folder);
  expect(lab.made[0]).toMatchObject({ argsJson: '{"key":"top secret"}', secrets: { KEY: 'top secret' } });
  expect(JSON.stringify(lab.reports)).not.toContain('top secret');
  expect(lab.reports[0]!.argsJson).toBe('{"key":"{{$secret:KEY}}"}');
  expect(lab.reports[0]!.checks[1]!.found).toBe('"{{$secret:KEY}}"');
  expect(verdicts(lab)).toEqual(['failed', 'variables']);
});

test('masks a secret that a call returns, also in later calls, reports and stored runs', async () => {
  const folder = collectionWith({
    login: { tool: 't', arguments: { key: '{{$secret:KEY}}' }, extract: { echo: '$.key' } },
    use: { tool: 't', arguments: { auth: 'Bearer {{echo}}' } },
    other: { tool: 't', arguments: {} },
  });
  const lab = await run(folder, {}, ({ argsJson }) => ({ result: argsJson === '{}' ? 'top secret' : argsJson }));
  expect(lab.made[1]).toMatchObject({ argsJson: '{"auth":"Bearer top secret"}', secrets: { KEY: 'top secret' } });
  expect(lab.made[2]!.secrets).toEqual({ KEY: 'top secret' });
  expect(lab.reports[1]).toMatchObject({
    argsJson: '{"auth":"Bearer {{$secret:KEY}}"}',
    result: '{"auth":"Bearer {{$secret:KEY}}"}',
  });
  expect(JSON.stringify(lab.reports)).not.toContain('top secret');
});

test.each([
  ['a long result', 'y'.repeat(3_990), [{ check: 'status', is: 'success' }]],
  ['a value in a message', 'y'.repeat(193), [{ check: 'path', path: '$.v', op: 'equals', value: 'other' }]],
  ['what should not be there', 'y'.repeat(193), [{ check: 'path', path: '$.v', op: 'exists', value: false }]],
  ['the name of a member', 'y'.repeat(186), [{ check: 'path', path: '$', op: 'equals', value: 'other' }]],
])('no beginning of a secret is left where %s is cut', async (_what, before, assertions) => {
  const folder = collectionWith({ a: { tool: 't', arguments: { key: '{{$secret:KEY}}' }, assertions } });
  const whole = `${before}top secret`;
  const lab = await run(folder, {}, () => ({ result: JSON.stringify({ v: whole, [whole]: 1 }) }));
  expect(JSON.stringify(lab.reports)).toContain('yyy');
  expect(JSON.stringify(lab.reports)).not.toContain('top');
});

test('stopping ends the call that runs, and the others come as skipped', async () => {
  const folder = collectionWith({ a: { tool: 't' }, b: { tool: 't' }, c: { tool: 't' } });
  const stop = new AbortController();
  const lab = await run(folder, { signal: stop.signal }, () => {
    stop.abort();
    return { status: 'error', result: 'cancelled', error: { code: 'cancelled', message: 'cancelled' } };
  });
  expect(verdicts(lab)).toEqual(['failed', 'cancelled', 'cancelled']);
});
