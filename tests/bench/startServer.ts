import { setTimeout as delay } from 'node:timers/promises';

import type { ServerRow } from '../../src-core/contract/types.ts';
import type { Workbench } from '../../src-core/workbench.ts';

/** Adds an MCP server that Node runs, approves it, and waits until it is ready. Returns its id. */
export async function startServer(workbench: Workbench, name: string, args: string[]): Promise<string> {
  const { servers } = workbench.services;
  const { id } = await servers.add({ name, type: 'stdio', command: process.execPath, args, env: [] });
  const { fingerprint } = await servers.consent({ id });
  await servers.approve({ id, fingerprint, always: true });
  await untilServer(workbench, id, ({ state }) => state === 'ready');
  return id;
}

/** Waits until the row of a server holds. Returns it. */
export async function untilServer(
  { services }: Workbench,
  id: string,
  holds: (row: ServerRow) => boolean,
): Promise<ServerRow> {
  for (;;) {
    const row = (await services.servers.list(undefined)).find((each) => each.id === id);
    if (row && holds(row)) return row;
    await delay(2);
  }
}
