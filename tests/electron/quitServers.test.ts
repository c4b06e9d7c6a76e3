/** What quitting the app leaves of its MCP servers: real processes under the fake of Electron. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';

import { openWorkbench } from '../../electron/openWorkbench.ts';
import { connectToRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { everything } from '../core/features/servers/support.ts';
import { start } from './startedShell.ts';
import { testFolder, writeFiles } from './testFiles.ts';

/** A process and its descendants that live, by their parents' ids. */
function treeOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , stat]) => stat?.startsWith('Z') === false)
    .map(([id, parent]) => ({ id: Number(id), parent: Number(parent) }));
  const found = rows.filter(({ id }) => id === pid).map(({ id }) => id);
  // Descendants are added while the list is read.
  for (const each of found) found.push(...rows.filter(({ parent }) => parent === each).map(({ id }) => id));
  return found;
}

test.skipIf(process.platform === 'win32')(
  'no process of an MCP server outlives the app, nor does one whose parent is a launcher such as npx',
  async () => {
    const dataDir = testFolder();
    const rendererDir = join(dataDir, 'renderer');
    writeFiles(rendererDir, { 'index.html': '<!doctype html>' });
    const { electron, errors } = await start({
      dataDir,
      createWorkbench: (waiting) =>
        openWorkbench({ ...waiting, dataDir, rendererDir, onError: (error) => expect.unreachable(String(error)) }),
    });
    const running = await connectToRunning(dataDir);
    if (running === undefined) throw new Error('There is no workbench.');
    const { servers } = running.client;
    const launched = ['-c', '"$0" "$@"; exit $?', process.execPath, everything, 'stdio'];
    for (const [name, command, args] of [
      ['direct', process.execPath, [everything, 'stdio']],
      ['launched', 'sh', launched],
    ] as const) {
      const { id } = await servers.add({ name, type: 'stdio', command, args: [...args], env: [] });
      const { fingerprint } = await servers.consent({ id });
      await servers.approve({ id, fingerprint, always: false });
    }
    const rows = await vi.waitUntil(
      async () => {
        const listed = await servers.list();
        return listed.every(({ state }) => state === 'ready') && listed;
      },
      { timeout: 30_000 },
    );
    const pids = await Promise.all(rows.map(async ({ id }) => (await servers.detail({ id })).pid ?? 0));
    const trees = pids.map(treeOf);
    expect(trees.map(({ length }) => length).toSorted()).toEqual([1, 2]);
    electron.app.quit();
    expect(await electron.app.exited()).toBe(0);
    expect(trees.flat().filter((pid) => treeOf(pid).length > 0)).toEqual([]);
    expect(errors).toEqual([]);
    running.close();
  },
);
