/**
 * Hostile input shown in the built window: the longest task of the page's thread, in a window of its own for each input.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

import { startProduct } from '../attacks/product.ts';
import { chromiumFlags, findChromium } from '../e2e/chromium.ts';
import { choicesModule, pageCases } from './attacks/pageCases.ts';
import { watchTasks } from './watchTasks.ts';

/** Milliseconds of processor time for which the page may do one thing. */
const limitMs = 50;

interface Outcome {
  title: string;
  note: string;
  rows: Record<string, string | number>[];
  pass: boolean;
}

/** One row per hostile input. */
export async function run(): Promise<Outcome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-bench-page-'));
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'hostile.js'), choicesModule);
  const product = await startProduct({ dataDir });
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumFlags] });
  const rows: Record<string, string | number>[] = [];
  try {
    for (const { what, prepare } of pageCases) {
      const { stdout } = await product.terminal('serve', '--json', '--no-open');
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
      await page.goto((JSON.parse(stdout) as { link: string }).link);
      await page.getByRole('navigation', { name: 'Panes' }).waitFor();
      const act = await prepare(product, page);
      const watch = await watchTasks(page);
      const row = await watch(what, act);
      const holds = row['longest task, ms of processor'] <= limitMs;
      rows.push({ ...row, 'limit, ms': limitMs, outcome: holds ? 'holds' : 'does not hold' });
      await page.close();
    }
  } finally {
    await browser.close();
    await product.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
  return {
    title: 'Hostile input: the longest task of the page',
    note:
      'Processor time of the longest task of the page’s thread in Chromium, by its own trace. The first two lines are the floor: ' +
      'nothing, and a benign reply of the same kind.',
    rows,
    pass: rows.every(({ outcome }) => outcome === 'holds'),
  };
}
