import { expect, test } from 'vitest';

import type { Assertion, JsonObject, ToolProgress } from '../../../src-core/contract/types.ts';
import { makeTool } from '../registry/testTool.ts';
import { collectionWith } from '../features/collections/folders.ts';
import { openWorkbench } from './openWorkbench.ts';

const secret = 'hush-ü-42';
const mark = '{{$secret:PW}}';

/** A collection with one saved call that names a secret, and the tool it is for, which says back what it was given. */
async function bench() {
  const { services, features, toolRegistryManager } = await openWorkbench();
  const given: JsonObject[] = [];
  const progress: (ToolProgress | undefined)[] = [];
  toolRegistryManager.register(
    makeTool('net', [
      {
        name: 'login',
        inputSchema: { type: 'object', properties: { password: { type: 'string' } } },
        handler: (args, { onProgress }) => {
          given.push(args);
          onProgress?.({ progress: 1, message: `logging in with ${String(args['password'])}` });
          progress.push(services.calls.running()[0]?.progress);
          return `welcome ${String(args['password'])}`;
        },
      },
    ]),
  );
  const folder = collectionWith({ login: { tool: 'net_login', arguments: { password: mark } } });
  await services.collections.open({ folder });
  const { argsJson } = await services.collections.filled({ folder, file: 'login.call.json' });
  const input = { toolName: 'net_login', argsJson, origin: 'executor' as const };
  return { services, features, toolRegistryManager, folder, given, progress, input };
}

test('a saved call that is run from the form has its secrets, and nothing shown or kept of it does', async () => {
  const { services, features, folder, given, input } = await bench();
  await services.collections.setSecret({ folder, name: 'PW', value: secret });
  const result = await services.calls.execute({ ...input, callId: 'form', collection: folder });
  expect(given).toEqual([{ password: secret }]);
  expect(result).toMatchObject({ status: 'success', result: `welcome ${mark}` });
  expect(JSON.stringify(await services.calls.get({ callId: 'form' }))).not.toContain(secret);
  expect(JSON.parse((await services.calls.get({ callId: 'form' })).argsJson)).toEqual({ password: mark });

  for await (const figures of features.calls.runSeries({
    ...input,
    seriesId: 'many',
    count: 3,
    parallel: 1,
    collection: folder,
  }))
    if (figures.done) expect(figures).toMatchObject({ succeeded: 3 });
  expect(given).toHaveLength(4);
  expect(given.at(-1)).toEqual({ password: secret });
});

test('never sends the name of a secret instead of its value: the call fails with the remedy', async () => {
  const { services, features, folder, given, input } = await bench();
  const refusal = {
    status: 'error',
    error: { code: 'invalid-arguments', details: { secret: 'PW' } },
    result:
      'The secret "PW" has no value here. Run the call from its collection, where it is set, or write the value itself.',
  };
  // As it is in the history, which does not say of which collection; then of its own, where it is not set.
  await services.collections.setSecret({ folder, name: 'PW', value: secret });
  expect(await services.calls.execute({ ...input, callId: 'again' })).toMatchObject(refusal);
  await services.collections.setSecret({ folder, name: 'PW' });
  expect(await services.calls.execute({ ...input, callId: 'unset', collection: folder })).toMatchObject(refusal);
  for await (const figures of features.calls.runSeries({ ...input, seriesId: 'many', count: 5, parallel: 1 }))
    if (figures.done) expect(figures).toMatchObject({ ended: 1, stopped: { code: 'invalid-arguments' } });
  await services.collections.close({ folder });
  await expect(services.calls.execute({ ...input, callId: 'closed', collection: folder })).rejects.toThrow('not open');
  expect(given).toEqual([]);
});

test('one that is meant as it is written is sent without its backslash', async () => {
  const { services, given, input } = await bench();
  const argsJson = JSON.stringify({ password: `\\${mark}` });
  expect(await services.calls.execute({ ...input, callId: 'as is', argsJson })).toMatchObject({ status: 'success' });
  expect(given).toEqual([{ password: mark }]);
});

test('what a call tells under way shows no secret', async () => {
  const { services, features, folder, progress } = await bench();
  await services.collections.setSecret({ folder, name: 'PW', value: secret });
  for await (const report of features.collections.runCalls({ folder })) expect(report.verdict).toBe('passed');
  expect(progress).toEqual([{ progress: 1, message: `logging in with ${mark}` }]);
});

test('assertions on a call of the history compare with the values of secrets and variables, and their verdicts show no secret', async () => {
  const { services, folder, input } = await bench();
  await services.collections.setSecret({ folder, name: 'PW', value: secret });
  await services.collections.saveVariables({ folder, variablesJson: '{"word":"welcome"}' });
  await services.calls.execute({ ...input, callId: 'form', collection: folder });
  const assertions: Assertion[] = [
    { check: 'path', path: '$', op: 'equals', value: `{{word}} ${mark}` },
    { check: 'path', path: '$', op: 'matches', value: `^welcome ${mark}$` },
    { check: 'path', path: '$', op: 'equals', value: mark },
    { check: 'path', path: '$', op: 'equals', value: `\\${mark}` },
    { check: 'path', path: '$', op: 'contains', value: '{{$secret:OTHER}}' },
  ];
  const verdicts = await services.collections.check({ callId: 'form', assertions, folder });
  expect(verdicts.slice(1).map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'failed', 'failed', 'failed']);
  expect(verdicts[3]).toMatchObject({ assertion: assertions[2], reason: 'differs', found: `"welcome ${mark}"` });
  expect(JSON.stringify(verdicts)).not.toContain(secret);
});

test('secrets in a result that is JSON are compared there', async () => {
  const { services, toolRegistryManager, folder } = await bench();
  await services.collections.setSecret({ folder, name: 'PW', value: 'a "quoted" one' });
  const handler = ({ password }: JsonObject) => ({ user: { password } });
  const inputSchema = { type: 'object', properties: { password: { type: 'string' } } } as const;
  toolRegistryManager.register(makeTool('echo', [{ name: 'back', inputSchema, handler }]));
  const argsJson = JSON.stringify({ password: mark });
  const call = { callId: 'json', toolName: 'echo_back', argsJson, origin: 'executor' } as const;
  await services.calls.execute({ ...call, collection: folder });
  const assertions: Assertion[] = [{ check: 'path', path: '$.user.password', op: 'equals', value: mark }];
  const verdicts = await services.collections.check({ callId: 'json', assertions, folder });
  expect(verdicts[1]).toMatchObject({ outcome: 'passed', assertion: assertions[0] });
});
