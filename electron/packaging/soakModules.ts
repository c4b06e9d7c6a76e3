/**
 * `node electron/packaging/soakModules.ts COUNT COMMAND [ARGUMENT…]`: starts a program that serves a workbench and changes a
 * module COUNT times, calling it after each reload. Each reload starts and ends a worker thread, which has crashed Electron
 * before (electron/electron#47986). Exit code 0 if every reload could be called.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import { withStartedApp, type StartedApp } from './startedApp.ts';

/** ms for one reload on a slow build machine. */
const reloadMs = 30_000;
const pollMs = 50;

const [count, ...command] = process.argv.slice(2);
const reloads = Number(count);
if (!Number.isInteger(reloads) || reloads < 1) throw new Error('Name a number of reloads, then the program to start.');

await withStartedApp(command, async ({ client, dataDir }) => {
  const dir = join(dataDir, 'modules');
  mkdirSync(dir, { recursive: true });
  for (let version = 1; version <= reloads; version += 1) {
    writeFileSync(join(dir, '.soak.new'), moduleOf(version));
    renameSync(join(dir, '.soak.new'), join(dir, 'soak.js'));
    await called(client, `soak_v${version}`);
  }
  return `${reloads} reloads, each called`;
});

/** The method is named after the version, so that a call succeeds only after the reload. */
function moduleOf(version: number): string {
  const method = `{ description: 'd', agentCallable: true, inputSchema: { type: 'object' }, handler: () => ${version} }`;
  return `export default { name: 'Soak', description: 'd', methods: { v${version}: ${method} } };\n`;
}

async function called(client: StartedApp['client'], toolName: string): Promise<void> {
  for (const giveUpAt = Date.now() + reloadMs; Date.now() < giveUpAt; await after(pollMs)) {
    const call = { callId: crypto.randomUUID(), toolName, argsJson: '{}', origin: 'cli' as const, confirmed: true };
    const { status } = await client.calls.execute(call);
    if (status === 'success') return;
  }
  throw new Error(`${toolName} cannot be called after ${reloadMs / 1000} s`);
}
