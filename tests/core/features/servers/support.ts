import { join } from 'node:path';
import { vi } from 'vitest';

import type { ServerRow } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';

type ServerConfig = Parameters<Workbench['services']['servers']['add']>[0];

/** The program of @modelcontextprotocol/server-everything. */
export const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** A server that Node runs. */
export function nodeServer(name: string, args: string[], env: { name: string; value: string }[] = []): ServerConfig {
  return { name, type: 'stdio', command: process.execPath, args, env };
}

/** Approves the configuration of a server, which starts it. */
export async function approve(workbench: Workbench, id: string, always = true): Promise<void> {
  const { servers } = workbench.services;
  const { fingerprint } = await servers.consent({ id });
  await servers.approve({ id, fingerprint, always });
}

/** Adds a server, and starts it. Returns its id. */
export async function addServer(workbench: Workbench, config: ServerConfig): Promise<string> {
  const { id } = await workbench.services.servers.add(config);
  await approve(workbench, id);
  return id;
}

/** The only server. */
export async function onlyServer(workbench: Workbench): Promise<ServerRow> {
  const [row] = await workbench.services.servers.list(undefined);
  if (row === undefined) throw new Error('There is no server.');
  return row;
}

/** Resolves when the only server is in one of these states. Rejects if it fails and is not expected to. */
export function untilState(workbench: Workbench, ...states: ServerRow['state'][]): Promise<ServerRow> {
  return vi.waitUntil(
    async () => {
      const row = await onlyServer(workbench);
      const isThere = states.includes(row.state);
      if (!isThere && row.state === 'failing' && row.retryAt === undefined) throw new Error(row.failure?.text);
      return isThere && row;
    },
    { timeout: 30_000, interval: 10 },
  );
}
