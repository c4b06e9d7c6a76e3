import { MessageChannel } from 'node:worker_threads';

import { createPortClient, type Client } from '../rpc/client.ts';
import { portWire } from '../rpc/portWire.ts';
import { joinOrOpen } from '../rpc/runningWorkbench.ts';
import type { Workbench } from '../workbench.ts';
import type { GivenFlags } from './command.ts';
import { dataDirOf } from './dataDirFlag.ts';
import { noteError } from './noteError.ts';
import type { Terminal } from './terminal.ts';

/** A connection to a workbench. */
export interface WorkbenchConnection {
  client: Client;
  /** Whether it ran before this command, and goes on after it. */
  joined: boolean;
  /** Disconnects. Ends the workbench if it was started for this command. */
  close(): Promise<void>;
}

/** Connects, runs a command with the connection, and disconnects. */
export async function withWorkbench(
  { flags, terminal }: { flags: GivenFlags; terminal: Terminal },
  use: (connection: Omit<WorkbenchConnection, 'close'>) => Promise<number>,
): Promise<number> {
  const { close, ...connection } = await connect({ dataDir: dataDirOf(flags), terminal });
  try {
    return await use(connection);
  } finally {
    await close();
  }
}

/**
 * Connects to the workbench that serves this data directory, or starts one for this command.
 * @throws DataDirInUseError if a process that serves no clients keeps the directory for 30 s.
 */
export async function connect(options: { dataDir: string; terminal: Terminal }): Promise<WorkbenchConnection> {
  const { dataDir, terminal } = options;
  const { running, opened } = await joinOrOpen({
    dataDir,
    open: () => connectTo(options),
    signal: terminal.ended,
    onWait: ({ message }) => terminal.note(`toolwire: ${message} Waiting for it.\n`),
  });
  if (!running) return opened;
  // Modules may still be loading.
  await running.client.tools.whenLoaded();
  return {
    client: running.client,
    joined: true,
    close() {
      running.close();
      return Promise.resolve();
    },
  };
}

/**
 * Starts a workbench for this command, in this process.
 * @throws DataDirInUseError if another process owns the data directory.
 */
export async function connectTo({
  dataDir,
  terminal,
}: {
  dataDir: string;
  terminal: Terminal;
}): Promise<WorkbenchConnection> {
  // Most commands join a workbench that runs, and need none of its code.
  const { createWorkbench } = await import('../workbench.ts');
  // On any free port of this machine only: the workbench ends too soon for devices to connect.
  const workbench = await createWorkbench({
    dataDir,
    devicePort: 0,
    deviceHost: '127.0.0.1',
    shell: 'terminal',
    onError: noteError(terminal),
  });
  const { client, close } = clientOf(workbench);
  return {
    client,
    joined: false,
    async close() {
      close();
      await workbench.close();
    },
  };
}

/** A client of a workbench of this process. */
export function clientOf(workbench: Workbench): { client: Client; close(): void } {
  const { port1, port2 } = new MessageChannel();
  workbench.contract.serve(portWire(port1));
  return { client: createPortClient(port2), close: () => port2.close() };
}
