import { expect, test } from 'vitest';

import { refusedByUser } from '../../../src-core/engine/confirmCall.ts';
import type { ManualCall } from '../../../src-core/features/calls/applyRules.ts';
import type { CallRules, JsonObject, SeriesFigures } from '../../../src-core/contract/types.ts';
import { makeTool } from '../registry/testTool.ts';
import { openWorkbench } from './openWorkbench.ts';

/** A workbench with the tool `lamp`, and what its methods were called with. */
async function bench() {
  const { services, features, toolRegistryManager } = await openWorkbench();
  const given: JsonObject[] = [];
  const handler = (args: JsonObject): number => given.push(args);
  const inputSchema = {
    type: 'object',
    properties: { level: { type: 'integer', maximum: 100 }, note: { type: 'string' } },
    required: ['level'],
  };
  toolRegistryManager.register(
    makeTool('lamp', [
      { name: 'set', inputSchema, handler },
      { name: 'burn', inputSchema, handler, danger: 'Burns the lamp out.' },
      { name: 'own', inputSchema, handler, agentCallable: false },
    ]),
  );
  let calls = 0;
  const inputOf = (rules: CallRules, args: object, more: Partial<ManualCall>): ManualCall => ({
    callId: `c${(calls += 1)}`,
    toolName: 'lamp_set',
    argsJson: JSON.stringify(args),
    origin: 'executor',
    rules,
    ...more,
  });
  return {
    services,
    features,
    given,
    run: (rules: CallRules, args: object, more: Partial<ManualCall> = {}) =>
      services.calls.execute(inputOf(rules, args, more)),
    newest: async () => (await services.calls.history({ limit: 1 }))[0],
  };
}

async function last(figures: AsyncIterable<SeriesFigures>): Promise<SeriesFigures | undefined> {
  let seen: SeriesFigures | undefined;
  for await (const each of figures) seen = each;
  return seen;
}

test("a call by a model's rules: arguments become text and are converted, and the history has what was sent", async () => {
  const { run, given, newest } = await bench();
  expect(await run('model', { level: '50', note: 7 })).toMatchObject({ status: 'success' });
  expect(given).toEqual([{ level: 50, note: '7' }]);
  expect(await newest()).toMatchObject({ origin: 'executor', rules: 'model', argsJson: '{"level":50,"note":"7"}' });
  const refused = await run('model', { level: 'bright' });
  expect(refused).toMatchObject({ error: { code: 'invalid-arguments' } });
  expect(given).toHaveLength(1);
});

test('numbers that JavaScript would round keep every digit on their way through text', async () => {
  const { run, newest } = await bench();
  await run('model', {}, { argsJson: '{"level": -9007199254740993123}' });
  expect((await newest())?.argsJson).toBe('{"level":-9007199254740993123}');
});

test("a call by a model's rules obeys agentCallable, the tool's switch and the switch of tool calling", async () => {
  const { run, given, services, newest } = await bench();
  expect(await run('model', { level: 1 }, { toolName: 'lamp_own' })).toMatchObject({
    error: { code: 'not-agent-callable' },
  });
  expect(await newest()).toMatchObject({ rules: 'model', result: { error: { code: 'not-agent-callable' } } });

  const { toolCallConfig } = services.settings.get();
  await services.settings.set({ toolCallConfig: { ...toolCallConfig, toolToggles: { lamp: false } } });
  expect(await run('model', { level: 1 })).toMatchObject({ error: { code: 'tool-disabled' } });
  expect(await newest()).toMatchObject({ result: { error: { code: 'tool-disabled' } } });

  await services.settings.set({ toolCallConfig: { ...toolCallConfig, toolToggles: {}, enabled: false } });
  const off = await run('model', { level: 1 });
  expect(off.error).toMatchObject({ code: 'tool-disabled', details: { calling: 'off' } });
  expect(off.result).toBe('Tool calling is off, so no tool can be called.');
  expect(given).toEqual([]);
});

test('in manual mode a call that may run asks first, and a call that is refused anyway does not', async () => {
  const { run, given, services } = await bench();
  const { toolCallConfig } = services.settings.get();
  await services.settings.set({ toolCallConfig: { ...toolCallConfig, mode: 'manual' } });
  expect(await run('model', { level: 1 })).toMatchObject({ error: { code: 'confirmation-required' } });
  expect(await run('model', { level: 1 }, { confirmed: true })).toMatchObject({ status: 'success' });
  expect(await run('model', { level: 1 }, { toolName: 'lamp_own' })).toMatchObject({
    error: { code: 'not-agent-callable' },
  });
  expect(given).toHaveLength(1);
});

test('an unchecked call sends arguments that break the schema, and the history says that they were not checked', async () => {
  const { run, given, newest } = await bench();
  expect(await run('unchecked', { level: 400, note: 7 })).toMatchObject({ status: 'success' });
  expect(given).toEqual([{ level: 400, note: 7 }]);
  expect(await newest()).toMatchObject({ rules: 'unchecked', argsJson: '{"level":400,"note":7}' });
});

test('an unchecked call asks first if its tool does, and still needs arguments that can be sent', async () => {
  const { run, given, services } = await bench();
  const burn = { toolName: 'lamp_burn' };
  expect(await run('unchecked', { level: 400 }, burn)).toMatchObject({ error: { code: 'confirmation-required' } });
  expect(await run('unchecked', { level: 400 }, { ...burn, confirmed: true })).toMatchObject({ status: 'success' });
  expect(given).toEqual([{ level: 400 }]);
  expect(await run('unchecked', {}, { argsJson: '{"\\ud800": 1}' })).toMatchObject({
    error: { code: 'invalid-arguments', issues: [{ parameter: '\ud800' }] },
  });
  expect(await run('unchecked', {}, { argsJson: '[1]' })).toMatchObject({ error: { code: 'invalid-arguments' } });
  expect(given).toHaveLength(1);
  expect(await services.calls.history({ limit: 9 })).toHaveLength(2);
});

test('every call of a series obeys the rules, and a series that models may not call ends with its first call', async () => {
  const { services, features, given } = await bench();
  const series = { count: 5, parallel: 1, origin: 'executor' as const, argsJson: '{"level": 400}' };
  const sent = { ...series, seriesId: 'sent', toolName: 'lamp_set', rules: 'unchecked' as const };
  expect(await last(features.calls.runSeries(sent))).toMatchObject({ ended: 5, succeeded: 5 });
  expect(given).toHaveLength(5);
  expect(await services.calls.get({ callId: 'sent.3' })).toMatchObject({ rules: 'unchecked' });
  const own = { ...series, seriesId: 'own', toolName: 'lamp_own', rules: 'model' as const };
  expect(await last(features.calls.runSeries(own))).toMatchObject({
    ended: 1,
    stopped: { code: 'not-agent-callable' },
  });
});

test('refusals are in the history with their reason: unknown tool, schema, and a question answered with no', async () => {
  const { services, given } = await bench();
  const call = { toolName: 'lamp_set', argsJson: '{}', origin: 'executor' as const };
  await services.calls.execute({ ...call, callId: 'schema' });
  await services.calls.execute({ ...call, callId: 'unknown', toolName: 'lamp_sett' });
  const burn = { ...call, toolName: 'lamp_burn', argsJson: '{"level": 1}' };
  expect(await services.calls.execute({ ...burn, callId: 'no', refused: true })).toMatchObject({
    error: { code: 'not-authorized', message: 'The user refused this call.' },
  });
  expect(given).toEqual([]);
  expect((await services.calls.get({ callId: 'schema' })).result?.error).toMatchObject({ code: 'invalid-arguments' });
  expect(await services.calls.get({ callId: 'unknown' })).toMatchObject({
    qualifiedName: 'lamp_sett',
    result: { error: { code: 'unknown-method', candidates: expect.arrayContaining(['lamp_set']) as string[] } },
  });
  expect(await services.calls.get({ callId: 'no' })).toMatchObject({
    qualifiedName: 'lamp_burn',
    argsJson: '{"level":1}',
  });
});

test('a call that the user refused does not run, also if its tool does not ask', async () => {
  const { run, given, newest } = await bench();
  for (const rules of ['model', 'unchecked'] as const) {
    expect(await run(rules, { level: 1 }, { refusal: refusedByUser('not now') })).toMatchObject({
      error: { code: 'not-authorized', message: 'The user refused this call: not now' },
    });
    expect(await newest()).toMatchObject({ rules, result: { error: { code: 'not-authorized' } } });
  }
  expect(given).toEqual([]);
});
