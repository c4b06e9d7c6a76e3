/** The saved calls through the contract: over every carrier, what is asked is checked before anything is touched. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { Client } from '../../src-core/rpc/client.ts';
import { createWorkbench } from '../../src-core/workbench.ts';
import { collectionWith } from '../core/features/collections/folders.ts';
import { carriers } from './carriers.ts';

describe.each(carriers)('saved calls over $name', (carrier) => {
  async function connect(): Promise<Client> {
    const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-contract-'));
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const workbench = await createWorkbench({ dataDir, checkOutputs: true, devicePort: 0, shell: 'terminal', onError });
    const started = await carrier.start(workbench, dataDir);
    const connection = await started.connect();
    onTestFinished(async () => {
      connection.cut();
      await started.stop();
      await workbench.close();
      rmSync(dataDir, { recursive: true, force: true });
      expect(errors).toEqual([]);
    });
    return connection.client;
  }

  test('one is opened, saved, run, checked and deleted', async () => {
    const { collections } = await connect();
    const folder = collectionWith({});
    await collections.open({ folder });
    const draft = { name: 'Time', tool: 'clock_get_time', argsJson: '{}', assertions: [] };
    const saved = await collections.saveCall({ folder, draft });
    expect(saved).toMatchObject({ saved: true, file: 'time.call.json' });
    const file = 'time.call.json';
    expect(await collections.call({ folder, file })).toMatchObject({ draft, version: saved.version });

    const reports = [];
    for await (const report of await collections.run({ runId: 'one', folder })) reports.push(report);
    expect(reports).toMatchObject([{ file, verdict: 'passed' }, { over: true }]);
    expect(await collections.runs({ folder, file, limit: 10 })).toHaveLength(1);
    await collections.record({ folder, file, run: { at: 1, verdict: 'failed' } });
    expect(await collections.runs({ folder, file, limit: 10 })).toHaveLength(2);

    await collections.removeCall({ folder, file });
    expect(await collections.list()).toMatchObject([{ folder, calls: [] }]);
    await collections.close({ folder });
    expect(await collections.list()).toEqual([]);
  });

  test('a run that cannot begin says why, as any other request', async () => {
    const { collections } = await connect();
    const folder = collectionWith({ time: { tool: 'clock_get_time' } });
    await collections.open({ folder });
    const run = await collections.run({ runId: 'one', folder, environment: 'none' });
    await expect(run.next()).rejects.toThrow(/environment.*none|none.*environment/i);
  });

  test('what is wrong comes back with its reason; what does not fit the contract reaches nothing', async () => {
    const { collections, calls } = await connect();
    const folder = collectionWith({ time: { tool: 'clock_get_time' } });
    await expect(collections.call({ folder, file: 'time.call.json' })).rejects.toThrow('is not open');
    await collections.open({ folder });
    await expect(collections.call({ folder, file: '../time.call.json' })).rejects.toThrow(
      'is not a file of a collection',
    );
    await expect(collections.call({ folder, file: '' })).rejects.toThrow();
    await expect(collections.runs({ folder, file: 'time.call.json', limit: 1_000 })).rejects.toThrow();
    await expect(collections.setSecret({ folder, name: 'not a name', value: 'x' })).rejects.toThrow();
    await expect(collections.reorder({ folder, order: Array(2_001).fill('x') as string[] })).rejects.toThrow();
    // As many as a collection may have.
    const order = Array.from({ length: 2_000 }, (_, at) => `${at}.call.json`);
    await collections.reorder({ folder, order });
    expect(await collections.list()).toMatchObject([{ problems: [], calls: [{ name: 'time' }] }]);
    await expect(calls.copyAs({ toolName: 'a_b', argsJson: '{', form: 'cli' })).rejects.toThrow('not valid JSON');
    const { text } = await calls.copyAs({ toolName: 'a_b', argsJson: '{ "v": 1 }', form: 'cli' });
    expect(text).toBe(`toolwire call a_b --args '{"v":1}'`);
  });
});
