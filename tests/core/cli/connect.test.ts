import { expect, onTestFinished, test } from 'vitest';

import { connect, connectTo } from '../../../src-core/cli/connect.ts';
import { createWorkbench } from '../../../src-core/workbench.ts';
import { dataDirWith, testTerminal } from './cliProcess.ts';

const terminal = testTerminal();

test('a workbench of our own for the moment stays on this machine, whatever the settings say', async () => {
  const dataDir = dataDirWith();
  const onError = (error: unknown): never => {
    throw error;
  };
  const before = await createWorkbench({ dataDir, devicePort: 0, shell: 'terminal', onError });
  await before.services.settings.set({ openToNetwork: true });
  expect(before.info().device.host).toBe('0.0.0.0');
  await before.close();

  const { client, close } = await connect({ dataDir, terminal });
  onTestFinished(close);
  expect((await client.settings.get()).openToNetwork).toBe(true);
  expect((await client.workbench.info()).device).toMatchObject({ host: '127.0.0.1', listening: true });
  await client.settings.set({ openToNetwork: false });
  await client.settings.set({ openToNetwork: true });
  expect((await client.workbench.info()).device.host).toBe('127.0.0.1');
});

test('a second command on the same directory waits for the first; a command that needs an engine of its own is refused', async () => {
  const dataDir = dataDirWith();
  const first = await connect({ dataDir, terminal });
  let waits = 0;
  const noted = Promise.withResolvers<string>();
  const second = connect({ dataDir, terminal: { ...terminal, note: (text) => (waits++, noted.resolve(text)) } });
  await expect(connectTo({ dataDir, terminal })).rejects.toThrow(
    `${dataDir} is in use by Toolwire, process ${process.pid}. End that process, or choose another directory`,
  );
  expect(await noted.promise).toMatch(/is in use by Toolwire, process \d+.* Waiting for it\.\n$/);
  await first.close();
  const { client, close } = await second;
  expect((await client.workbench.info()).dataDir).toBe(dataDir);
  await close();
  expect(waits).toBe(1);
});

test('Ctrl+C ends the wait for a directory that another command uses', async () => {
  const dataDir = dataDirWith();
  const first = await connect({ dataDir, terminal });
  onTestFinished(first.close);
  const ended = new AbortController();
  const second = connect({ dataDir, terminal: { ...terminal, ended: ended.signal } });
  ended.abort();
  await expect(second).rejects.toThrow(/aborted/);
});
