import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { connectTo, type WorkbenchConnection } from './connect.ts';
import type { Terminal } from './terminal.ts';

/**
 * A workbench of our own, in this process, with a virtual device that is ready. Without a data directory it has one for
 * the moment: no history of earlier runs, no modules, no settings of the person's.
 */
export async function connectWithDevice(options: {
  profile: string;
  terminal: Terminal;
  dataDir?: string;
}): Promise<WorkbenchConnection> {
  const { profile, terminal, dataDir } = options;
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'toolwire-test-')));
  const leave = async (): Promise<void> => {
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const connection = await connectTo({ dataDir: folder, terminal });
    const close = async (): Promise<void> => {
      await connection.close();
      await leave();
    };
    try {
      await addReadyDevice(connection, profile, terminal.ended);
      return { ...connection, close };
    } catch (error) {
      await connection.close();
      throw error;
    }
  } catch (error) {
    await leave();
    throw error;
  }
}

async function addReadyDevice({ client }: WorkbenchConnection, profile: string, ended: AbortSignal): Promise<void> {
  const { deviceId } = await client.devices.addVirtual({ profile });
  for await (const { topics } of await client.workbench.events(undefined, { signal: ended })) {
    if (!topics.includes('devices')) continue;
    const device = (await client.devices.list()).find((each) => each.deviceId === deviceId);
    if (device?.state === 'ready') return;
    if (device === undefined) throw new Error(`The virtual device "${profile}" left before its tools were there.`);
  }
  throw new Error('Cancelled before the virtual device was ready.');
}
