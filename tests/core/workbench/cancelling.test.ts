import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { createWorkbench } from '../../../src-core/workbench.ts';
import type { Workbench } from '../../../src-core/workbench.ts';
import { collectRun } from './runText.ts';

const waitingModule = `export default { methods: {
  wait: { description: 'Never ends.', agentCallable: true, handler: () => new Promise(() => {}) },
  add: { description: 'Ends.', agentCallable: true, handler: () => 2 },
} };`;

async function start(): Promise<Workbench> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-cancelling-'));
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'sample.js'), waitingModule);
  const workbench = await createWorkbench({ dataDir, devicePort: 0, shell: 'terminal', onError: () => undefined });
  onTestFinished(async () => {
    await workbench.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return workbench;
}

/** The ids of the calls that run, as soon as one does. */
async function runningIds({ services }: Workbench): Promise<string[]> {
  for await (const event of services.workbench.events()) {
    if (event.topics.includes('calls') && services.calls.running().length > 0) break;
  }
  return services.calls.running().map(({ callId }) => callId);
}

const block = (toolName: string): string =>
  `<<<[TOOL_REQUEST]>>>\ntool_name:「始」${toolName}「末」\n<<<[END_TOOL_REQUEST]>>>`;

test('a call of the Parser is cancelled by its id, alone: the rest of the text runs on', async () => {
  const bench = await start();
  const running = runningIds(bench);
  const cycle = collectRun(bench.features.parser.runText({ text: `${block('sample_wait')}\n${block('sample_add')}` }));
  const [callId] = await running;
  expect(bench.services.calls.cancel({ callId: callId! })).toEqual({ cancelled: true });
  const { executionResults } = await cycle;
  expect(executionResults).toMatchObject([
    {
      status: 'error',
      error: {
        code: 'cancelled',
        message: 'The call was cancelled by the user. It had already started and may have taken effect.',
      },
    },
    { status: 'success', result: '2' },
  ]);
  expect(bench.services.calls.running()).toEqual([]);
  expect(bench.services.calls.cancel({ callId: callId! })).toEqual({ cancelled: false });
});

test('a call of the Executor is cancelled by its id', async () => {
  const bench = await start();
  const running = runningIds(bench);
  const call = bench.services.calls.execute({
    callId: 'c1',
    toolName: 'sample_wait',
    argsJson: '{}',
    origin: 'executor',
  });
  expect(await running).toEqual(['c1']);
  expect(bench.services.calls.cancel({ callId: 'c1' })).toEqual({ cancelled: true });
  expect(await call).toMatchObject({ status: 'error', error: { code: 'cancelled' } });
  expect(bench.services.calls.cancel({ callId: 'c1' })).toEqual({ cancelled: false });
});

test('loading a module again that never finishes is cancelled', async () => {
  const { services, info } = await start();
  writeFileSync(join(info().modulesDir, 'sample.js'), 'setInterval(() => {}, 1_000); await new Promise(() => {});');
  const stop = new AbortController();
  const reloading = services.tools.reload({ toolId: 'sample' }, stop.signal);
  stop.abort();
  await expect(reloading).rejects.toMatchObject({
    code: 'cancelled',
    message: 'Loading "sample" again was cancelled.',
  });
});
