import { expect, test } from 'vitest';

import { formatResultsForContext, processToolCallCycle } from '../../../src-core/engine/engine.ts';
import { createVcpProtocol } from '../../../src-core/protocols/vcp/vcpProtocol.ts';
import { defaultToolCallConfig } from '../../../src-core/base/calls.ts';
import { TooMuchWorkError } from '../../../src-core/base/workBudget.ts';
import { makeTool } from '../registry/testTool.ts';
import { openWorkbench } from './openWorkbench.ts';
import { collectRun } from './runText.ts';

const block = (fields: string): string => `<<<[TOOL_REQUEST]>>>\n${fields}\n<<<[END_TOOL_REQUEST]>>>\n`;
const words = 'plain words. '.repeat(2_000);

async function openWithLamp() {
  const workbench = await openWorkbench();
  const inputSchema = { type: 'object', properties: { level: { type: 'integer', maximum: 100 } } } as const;
  const handler = (args: object): string => JSON.stringify(args);
  workbench.toolRegistryManager.register(makeTool('lamp', [{ name: 'set', inputSchema, handler }]));
  return workbench;
}

test('the calls of a large text are resolved, converted and run as those of a small one', async () => {
  const { services, features, toolRegistryManager } = await openWithLamp();
  const calls = ['1', '500', '3'].map((level) =>
    block(`request_id:「始」r${level}「末」,tool_name:「始」lamp_set「末」,level:「始」${level}「末」`),
  );
  const [small, large] = [calls.join(''), calls.join(words)];
  const [inSmall, inLarge] = [
    await services.parser.parse({ text: small }),
    await services.parser.parse({ text: large }),
  ];
  expect(inLarge.calls).toEqual(inSmall.calls);
  expect(inLarge.calls.map(({ argsJson }) => argsJson)).toEqual(['{"level":1}', '{"level":500}', '{"level":3}']);

  const protocol = createVcpProtocol();
  const direct = await processToolCallCycle(large, { protocol, toolRegistryManager, config: defaultToolCallConfig });
  const cycle = await collectRun(features.parser.runText({ text: large }));
  const durationMs = expect.any(Number) as number;
  const timeless = direct.executionResults.map((result) => ({ ...result, durationMs }));
  const withOwnIds = cycle.calls.map(({ requestId, result }) => ({ ...result, requestId }));
  expect(withOwnIds).toEqual(timeless);
  expect(cycle.feedback).toBe(formatResultsForContext(direct.executionResults, protocol));
  expect(cycle.executionResults.map(({ status }) => status)).toEqual(['success', 'error', 'success']);
});

test('of very many calls the first are shown and run, and the rest are counted', async () => {
  const { services, features } = await openWithLamp();
  const text = block('tool_name:「始」lamp_set「末」').repeat(700);
  const report = await services.parser.parse({ text });
  expect(report.calls).toHaveLength(500);
  expect(report.omitted?.calls).toBe(200);
  const cycle = await collectRun(features.parser.runText({ text }));
  expect(cycle.executionResults).toHaveLength(500);
  expect(cycle.feedback).toContain('(200 more calls of this reply were too many and were not run.)');
  const one = await collectRun(features.parser.runText({ text, call: 499 }));
  expect(one.calls[499]?.result?.status).toBe('success');
});

test('a method of very many parameters makes no report without end, and the calls that it leaves out do not run', async () => {
  const { services, features, toolRegistryManager } = await openWithLamp();
  const properties = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, at) => [`p${at}`, { type: 'string', default: 'x'.repeat(100) }]),
  );
  toolRegistryManager.register(makeTool('wide', [{ name: 'set', inputSchema: { type: 'object', properties } }]));
  const text = block('tool_name:「始」wide_set「末」').repeat(30);
  const report = await services.parser.parse({ text });
  expect(report.calls.length).toBeGreaterThan(0);
  expect(JSON.stringify(report).length).toBeLessThan(5_000_000);
  expect(report.calls.length + (report.omitted?.calls ?? 0)).toBe(30);
  expect(report.requests).toHaveLength(report.calls.length);
  const cycle = await collectRun(features.parser.runText({ text }));
  expect(cycle.calls).toHaveLength(report.calls.length);
  expect(cycle.feedback).toContain(`(${report.omitted?.calls} more calls of this reply were too many`);
});

test('a cancelled request ends its process', async () => {
  const { services, features } = await openWithLamp();
  const stop = new AbortController();
  const parsing = services.parser.parse({ text: '{'.repeat(8_000_000) }, stop.signal);
  const running = collectRun(features.parser.runText({ text: '{'.repeat(8_000_000) }, stop.signal));
  setTimeout(() => stop.abort(), 100);
  await expect(parsing).rejects.toMatchObject({ name: 'AbortError' });
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
});

test('a text that takes too much time or memory is refused with the reason and the remedy', async () => {
  const { services, features } = await openWithLamp();
  const signal = AbortSignal.abort(new TooMuchWorkError('it takes more than 512 MB of memory'));
  const refusal = {
    name: 'RequestError',
    field: 'text',
    message: 'Reading was stopped: it takes more than 512 MB of memory. Give a shorter text, or try again later.',
  };
  await expect(services.parser.parse({ text: words }, signal)).rejects.toMatchObject(refusal);
  await expect(collectRun(features.parser.runText({ text: words }, signal))).rejects.toMatchObject(refusal);
});
