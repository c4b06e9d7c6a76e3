/** Ten MCP servers that are called 200 times a second for a minute, while a window shows the wire of one of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { chromium } from 'playwright-core';

import { serveBrowser } from '../../src-core/rpc/serveBrowser.ts';
import { createWorkbench, type Workbench } from '../../src-core/workbench.ts';
import { chromiumFlags, findChromium } from '../e2e/chromium.ts';
import { median } from './compareInTurns.ts';
import { startServer } from './startServer.ts';
import { watchTasks } from './watchTasks.ts';

type Row = Record<string, string | number>;

const servers = 10;
const perSecond = 200;
const seconds = 60;
/** Caches and compiled code are there after so long. */
const warmUpSeconds = 15;
const maxGrowthMb = 20;
const maxFrameMs = 50;
const script = fileURLToPath(new URL('mcpServer.ts', import.meta.url));
const note =
  `${servers} servers of the SDK as processes, called in turn through the executor, with history and frames in the store. A lost answer is a call ` +
  'that fails, or whose answer is that of another call. Memory is the heap and the buffers of the engine after all garbage is gone, ' +
  `after ${warmUpSeconds} s of the same calls and at the end. A task of the page is judged by its processor time, since a busy machine stretches it.`;

function heldMb(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
}

interface Load {
  lost: number;
  times: number[];
}

async function call({ services }: Workbench, number: number, load: Load): Promise<void> {
  const begun = performance.now();
  const message = `message ${number}`;
  const { status, result } = await services.calls.execute({
    toolName: `mcp-bench${number % servers}_echo`,
    argsJson: JSON.stringify({ message }),
    callId: `bench-${number}`,
    origin: 'executor',
  });
  load.times.push(performance.now() - begun);
  if (status !== 'success' || result !== message) load.lost += 1;
}

/** Calls at the rate for so long. Resolves when all are answered. */
async function callFor(workbench: Workbench, wanted: number, first: number): Promise<Load> {
  const load: Load = { lost: 0, times: [] };
  const running: Promise<void>[] = [];
  const begun = performance.now();
  while (running.length < wanted * perSecond) {
    const due = Math.min(wanted * perSecond, Math.floor(((performance.now() - begun) * perSecond) / 1_000));
    while (running.length < due) running.push(call(workbench, first + running.length, load));
    await delay(4);
  }
  await Promise.all(running);
  return load;
}

/** The calls of a minute. */
export async function run(): Promise<{ title: string; note: string; rows: Row[]; pass: boolean }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  const onError = (error: unknown): never => {
    throw error;
  };
  const workbench = await createWorkbench({ dataDir, devicePort: 0, shell: 'browser', onError });
  const server = await serveBrowser({ contract: workbench.contract, port: 0, rendererDir: 'dist/renderer', onError });
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
  try {
    for (let at = 0; at < servers; at += 1) await startServer(workbench, `bench${at}`, [script, 'stdio']);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(server.createLink());
    await page.locator('.head .count').first().waitFor();
    await page
      .getByRole('link', { name: /^Servers/ })
      .or(page.getByRole('button', { name: /^Servers/ }))
      .first()
      .click();
    await page.getByRole('tab', { name: /^Wire/ }).click();
    await page.locator('.log-rows .virtual').waitFor();
    await callFor(workbench, warmUpSeconds, 0);
    const before = heldMb();
    const watch = await watchTasks(page);
    let load: Load = { lost: 0, times: [] };
    const tasks = await watch('calls', async () => {
      load = await callFor(workbench, seconds, warmUpSeconds * perSecond);
    });
    await delay(1_000);
    const growth = heldMb() - before;
    const longest = tasks['longest task, ms of processor'];
    const rows: Row[] = [
      { what: 'answers that were lost', measured: load.lost, 'at most': 0 },
      { what: 'growth of memory, MB', measured: growth.toFixed(1), 'at most': maxGrowthMb },
      { what: 'longest task of the page, ms of processor', measured: longest, 'at most': maxFrameMs },
      { what: 'longest task of the page, ms', measured: tasks['longest task, ms'], 'at most': '' },
      { what: 'a call, median ms', measured: median(load.times).toFixed(2), 'at most': '' },
    ];
    const pass = load.lost === 0 && growth <= maxGrowthMb && longest <= maxFrameMs;
    return { title: `${perSecond} calls a second over ${servers} MCP servers for ${seconds} s`, note, rows, pass };
  } finally {
    await browser.close();
    await server.close();
    await workbench.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
