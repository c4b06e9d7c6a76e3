/** Response times of MCP servers and hosts, each compared with its limit and, if it has one, its floor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { chromium } from 'playwright-core';

import { serveBrowser } from '../../src-core/rpc/serveBrowser.ts';
import { createWorkbench, type Workbench } from '../../src-core/workbench.ts';
import { chromiumFlags, findChromium } from '../e2e/chromium.ts';
import { builtCli } from '../helpers/builtCli.ts';
import { startServer, untilServer } from './startServer.ts';
import { scroll, watchTasks } from './watchTasks.ts';

type Row = Record<string, string | number>;

const rounds = 5;
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const bench = pathOf('mcpServer.ts');
const raw = pathOf('../fixtures/mcp/rawServer.mjs');
const definitions = pathOf('../fixtures/mcp/definitions.mjs');
const note =
  `Each time is the longest of ${rounds} rounds, unless there is one only. The floor is the bare client of the SDK, which starts the same server and lists ` +
  'its tools, or the time limit of the probe. A task of the page is judged by its processor time, since a busy machine stretches it.';

function row(what: string, ms: number, atMost: number, floor?: number): Row {
  return {
    what,
    'measured, ms': ms.toFixed(0),
    'floor, ms': floor?.toFixed(0) ?? '',
    'at most': atMost,
    holds: ms <= atMost ? 'yes' : 'NO',
  };
}

async function msOf(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** The longest of several rounds. */
async function longest(round: (number: number) => Promise<number>): Promise<number> {
  let most = 0;
  for (let number = 0; number < rounds; number += 1) most = Math.max(most, await round(number));
  return most;
}

async function probe(workbench: Workbench): Promise<Row> {
  const ms = await longest((number) => msOf(() => startServer(workbench, `silent${number}`, [raw, 'silent'])));
  return row('a server that never answers the probe is ready', ms, 3_500, 3_000);
}

/** The process of a server is killed: how long until that shows, and until its tools are back. */
async function restart(workbench: Workbench): Promise<Row[]> {
  const { servers } = workbench.services;
  const id = await startServer(workbench, 'killed', [bench, 'stdio']);
  const bare = await longest(async () => {
    const client = new Client({ name: 'bench', version: '1' });
    const ms = await msOf(async () => {
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [bench, 'stdio'] }));
      await client.listTools();
    });
    await client.close();
    return ms;
  });
  let shown = 0;
  const back = await longest(async () => {
    // Begins anew, since each further loss within a minute waits longer.
    await servers.start({ id });
    await untilServer(workbench, id, ({ state }) => state === 'ready');
    const { pid = 0 } = await servers.detail({ id });
    return msOf(async () => {
      shown = Math.max(
        shown,
        await msOf(async () => {
          process.kill(pid, 'SIGKILL');
          await untilServer(workbench, id, ({ state }) => state !== 'ready');
        }),
      );
      await untilServer(workbench, id, ({ state }) => state === 'ready');
    });
  });
  return [
    row('a killed server is shown as restarting', shown, 1_000),
    row('the tools of a killed server are back', back, 3_000, bare),
  ];
}

/** 1,000 tools and one more of the same name, one of them with a description of 64 KiB: from the list to the window, and scrolled. */
async function manyTools(workbench: Workbench, dataDir: string): Promise<Row[]> {
  const file = join(dataDir, 'tools.json');
  const tools = Array.from({ length: 1_000 }, (_, at) => ({
    name: `tool_${at}`,
    description: at === 500 ? 'long '.repeat(13_108) : `Number ${at}.`,
    inputSchema: { type: 'object' },
  }));
  writeFileSync(file, JSON.stringify([...tools, tools[7]]));
  const { servers, frames } = workbench.services;
  const id = await startServer(workbench, 'many', [definitions, file]);
  const listed = await longest(async () => {
    await servers.stop({ id });
    await servers.start({ id });
    const { since } = await untilServer(workbench, id, ({ state }) => state === 'ready');
    const { rows } = await frames.page({ source: 'mcp', connection: id, limit: 1_000 });
    return since - (rows.findLast(({ role, method }) => role === 'answer' && method === 'tools/list')?.at ?? 0);
  });
  return [
    row('from the answer to a list of 1,000 tools to the tools in Discovery', listed, 100),
    row('the longest task of the page while 1,000 tools are scrolled, of processor', await scrollTools(workbench), 50),
  ];
}

async function scrollTools(workbench: Workbench): Promise<number> {
  const onError = (error: unknown): never => {
    throw error;
  };
  const server = await serveBrowser({ contract: workbench.contract, port: 0, rendererDir: 'dist/renderer', onError });
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(server.createLink());
    await page.getByRole('navigation').getByRole('button', { name: 'Servers' }).click();
    await page.getByRole('region', { name: 'MCP servers' }).getByText('many', { exact: true }).click();
    await page.getByRole('tab', { name: 'Tools 1000' }).click();
    await page.getByRole('option', { name: /tool_0/ }).waitFor();
    const watch = await watchTasks(page);
    const tasks = await watch('scroll', () => scroll(page, '[role=tabpanel] .virtual'));
    return tasks['longest task, ms of processor'];
  } finally {
    await browser.close();
    await server.close();
  }
}

/** From the end of the host's input to the end of `toolwire mcp`, while a call never ends. */
async function endOfInput(isJoined: boolean): Promise<Row> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(
    join(dataDir, 'modules', 'slow.js'),
    "export default { methods: { never: { description: 'Never ends.', agentCallable: true, handler: () => new Promise(() => {}) } } };",
  );
  const start = async (args: string[]) => {
    const child = spawn(process.execPath, [builtCli, ...args, '--data-dir', dataDir], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const line = once(createInterface(child.stdout), 'line');
    return { child, line };
  };
  const served = isJoined
    ? await start(['serve', '--port', '0', '--device-port', '0', '--no-open', '--json'])
    : undefined;
  await served?.line;
  const send = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const clientInfo = { name: 'bench', version: '1' };
  const ms = await longest(async () => {
    const { child, line } = await start(['mcp']);
    child.stdin.write(send(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }));
    await line;
    return msOf(async () => {
      child.stdin.end(send(2, 'tools/call', { name: 'slow_never', arguments: {} }));
      await once(child, 'exit');
    });
  });
  if (served) {
    served.child.kill();
    await once(served.child, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
  return row(
    `\`toolwire mcp\` with ${isJoined ? 'a workbench that runs' : 'its own workbench'} ends after its input`,
    ms,
    2_000,
  );
}

/** Every time with its bound. */
export async function run(): Promise<{ title: string; note: string; rows: Row[]; pass: boolean }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  const onError = (error: unknown): never => {
    throw error;
  };
  const workbench = await createWorkbench({ dataDir, devicePort: 0, shell: 'browser', onError });
  try {
    const rows = [
      await probe(workbench),
      ...(await restart(workbench)),
      ...(await manyTools(workbench, dataDir)),
      await endOfInput(false),
      await endOfInput(true),
    ];
    return { title: 'Times of MCP servers and hosts', note, rows, pass: rows.every(({ holds }) => holds === 'yes') };
  } finally {
    await workbench.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
