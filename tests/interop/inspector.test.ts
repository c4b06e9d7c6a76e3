/** The command line of MCP Inspector 2.12 as a host. `npm test` installs it, and names its folder in TOOLWIRE_INSPECTOR. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

import { builtCli } from '../helpers/builtCli.ts';
import { startCli } from '../core/cli/cliProcess.ts';
import { connectToRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { dataFolder } from '../core/workbench/openWorkbench.ts';

const folder = process.env['TOOLWIRE_INSPECTOR'];
const program = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const reason = folder === undefined ? ' (not installed: TOOLWIRE_INSPECTOR names no folder)' : '';

/** Runs Inspector with a home directory of its own, and returns the JSON that it prints. */
async function inspect(target: readonly string[], ...args: string[]): Promise<unknown> {
  const home = mkdtempSync(join(tmpdir(), 'toolwire-inspector-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder ?? '', program), '--cli', ...target, ...args],
    { env: { ...process.env, HOME: home } },
  );
  return JSON.parse(stdout);
}

async function expectListAndCall(target: readonly string[], args: readonly string[] = []): Promise<void> {
  const list = (await inspect(target, ...args, '--method', 'tools/list')) as { tools: { name: string }[] };
  expect(list.tools.map(({ name }) => name)).toContain('clock_get_time');
  const call = ['--method', 'tools/call', '--tool-name', 'clock_get_time'];
  expect(await inspect(target, ...args, ...call)).toMatchObject({
    content: [{ type: 'text', text: expect.stringMatching(/^\d{4}-/) as string }],
  });
}

describe.skipIf(folder === undefined)(`the command line of Inspector${reason}`, () => {
  it('lists and calls over toolwire mcp', () =>
    expectListAndCall([process.execPath, builtCli, 'mcp', '--data-dir', dataFolder()]));

  it('lists and calls over HTTP', async () => {
    const dataDir = dataFolder();
    const flags = ['--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dataDir];
    const served = JSON.parse(await startCli(['serve', ...flags]).firstLine()) as { mcp: string };
    const running = await connectToRunning(dataDir);
    if (running === undefined) throw new Error('The workbench does not run.');
    onTestFinished(() => running.close());
    const { token } = await running.client.hosts.create({ name: 'Inspector', scope: 'all' });
    await expectListAndCall([served.mcp], ['--header', `Authorization: Bearer ${token}`]);
    const { hosts } = await running.client.hosts.state();
    expect(hosts[0]).toMatchObject({ name: 'Inspector', callsToday: 1 });
  });
});
