import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

import { serveBrowser } from '../../src-core/rpc/serveBrowser.ts';
import { createWorkbench } from '../../src-core/workbench.ts';
import { chromiumFlags, findChromium } from '../e2e/chromium.ts';
import { watchTasks } from './watchTasks.ts';

/** ms of a task of the page's thread that a person would feel (issue 7). */
const bound = 100;

const big = `export default { methods: { list: { description: '10 MB.', agentCallable: true, handler() {
  const rows = [];
  for (let id = 0, length = 0; length < 10_000_000; id++) {
    const row = { id, name: 'row ' + id, on: id % 3 === 0, level: id / 7, note: 'needle-' + (id % 9973) + ' 说明', tags: ['a', 'b'] };
    length += JSON.stringify(row).length + 1;
    rows.push(row);
  }
  return rows;
} } } };`;

/** A result of 10 MB of JSON in the window: the longest task of the page's thread while it is opened, searched and scrolled. */
export async function run(): Promise<{ title: string; rows: Record<string, string | number>[]; pass: boolean }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'big.js'), big);
  const onError = (error: unknown): never => {
    throw error;
  };
  const workbench = await createWorkbench({ dataDir, devicePort: 0, shell: 'browser', onError });
  const server = await serveBrowser({ contract: workbench.contract, port: 0, rendererDir: 'dist/renderer', onError });
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
    await page.goto(server.createLink());
    await page.getByRole('navigation', { name: 'Panes' }).waitFor();
    await page.evaluate(() => (location.hash = '#/executor/big_list'));
    await page.getByRole('heading', { level: 1, name: 'list' }).waitFor();
    const watch = await watchTasks(page);
    const scrolled = (host: string) => async (): Promise<void> => {
      for (let step = 1; step <= 20; step++) {
        await page
          .locator(host)
          .evaluate((element, share) => (element.scrollTop = element.scrollHeight * share), step / 20);
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
    };
    const tab = (name: string) => page.getByRole('tab', { name }).click();
    const rows = [
      await watch('run, fetch and open 10 MB as a tree', async () => {
        await page.keyboard.press('Control+Enter');
        await page.locator('.json-tree .json-row').first().waitFor({ timeout: 60_000 });
      }),
      await watch('scroll the tree', scrolled('.json-tree')),
      await watch('search the tree', async () => {
        await page.getByRole('searchbox', { name: 'Search the result' }).fill('needle-9972');
        await page.getByText(/^1 of [1-9]/).waitFor({ timeout: 60_000 });
        for (let step = 0; step < 5; step++) await page.keyboard.press('Enter');
      }),
      await watch('fold its root and unfold it', async () => {
        await page.locator('.json-tree').press('Home');
        await page.locator('.json-tree').press('ArrowLeft');
        await page.locator('.json-tree').press('ArrowRight');
      }),
      await watch('show it as a table', async () => {
        await tab('Table');
        await page.getByRole('columnheader', { name: 'level' }).waitFor();
      }),
      await watch('scroll the table', scrolled('[role="rowgroup"]')),
      await watch('show it raw', async () => {
        await tab('Raw');
        await page.locator('.code-line').first().waitFor();
      }),
      await watch('scroll it raw', scrolled('.code-block')),
    ];
    return {
      title: `A result of 10 MB in the window (no task over ${bound} ms of processor)`,
      rows,
      pass: rows.every((row) => row['longest task, ms of processor'] <= bound),
    };
  } finally {
    await browser.close();
    await server.close();
    await workbench.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
