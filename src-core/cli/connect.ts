import { MessageChannel } from 'node:worker_threads';

import { createPortClient, type Client } from '../api/client.ts';
import { portWire } from '../api/portWire.ts';
import { connectToRunning } from '../api/runningWorkbench.ts';
import { createWorkbench } from '../workbench.ts';
import { noteError } from './noteError.ts';
import type { Terminal } from './terminal.ts';

/** A way to a workbench, whoever started it. */
export interface WorkbenchConnection {
  client: Client;
  /** Leaves it; ends it where it was started for the moment. */
  close(): Promise<void>;
}

/** The workbench that runs on this data directory, or one of our own for the moment. */
export async function connect(options: { dataDir: string; terminal: Terminal }): Promise<WorkbenchConnection> {
  const running = await connectToRunning(options.dataDir);
  if (running) {
    // It may have begun just now.
    await running.client.tools.whenLoaded();
    return {
      client: running.client,
      close() {
        running.close();
        return Promise.resolve();
      },
    };
  }
  return connectTo(options);
}

/** A workbench of our own, for the moment, whether or not another runs on this data directory. */
export async function connectTo({
  dataDir,
  terminal,
}: {
  dataDir: string;
  terminal: Terminal;
}): Promise<WorkbenchConnection> {
  // Any free port, and on this machine only: devices have nothing to look for in a workbench that is gone in a moment.
  const workbench = await createWorkbench({
    dataDir,
    devicePort: 0,
    network: false,
    shell: 'terminal',
    onError: noteError(terminal),
  });
  const { port1, port2 } = new MessageChannel();
  workbench.contract.serve(portWire(port1));
  return {
    client: createPortClient(port2),
    async close() {
      port2.close();
      await workbench.close();
    },
  };
}
