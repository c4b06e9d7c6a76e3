import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';

import { defineToolRegistry } from '../../src-core/registry/defineTool.ts';
import { serveBrowser } from '../../src-core/rpc/serveBrowser.ts';
import { createWorkbench } from '../../src-core/workbench.ts';
import { chromiumFlags, findChromium } from '../e2e/chromium.ts';
import { watchTasks, type Row } from './watchTasks.ts';

const tools = 1_000;
const methodsEach = 32;
/** ms of processor of a task of the page's thread. */
const bound = 50;

/** Every method has the first, some the second, one the fourth; the others are mistyped, the last has nothing like it. */
const queries = ['method', 'get time', 'tiem', 'tool 7 get_tiem', 'kitchn brihtness', 'zzqxzz'];

/** Opens the search, to type in it. */
const searches: Record<string, (page: Page) => Promise<void>> = {
  'the palette': (page) => page.keyboard.press('Control+k'),
  Discovery: async (page) => {
    await page.getByRole('navigation').getByRole('button', { name: 'Discovery' }).click();
    await page.getByRole('searchbox').first().click();
  },
  'the tool picker of the Executor': async (page) => {
    await page.getByRole('navigation').getByRole('button', { name: 'Executor' }).click();
    await page.keyboard.press('Control+o');
    await page.getByRole('combobox', { name: 'Choose a tool' }).waitFor();
  },
  'the settings': async (page) => {
    await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('searchbox').first().click();
  },
};

/** Types queries in every search over 32,000 methods, and reports the longest task of the page's thread. */
export async function run(): Promise<{
  title: string;
  note: string;
  rows: Row[];
  pass: boolean;
}> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  const onError = (error: unknown): never => {
    throw error;
  };
  const workbench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'browser',
    onError,
  });
  for (let index = 0; index < tools; index++) workbench.toolRegistryManager.register(tool(index));
  const server = await serveBrowser({
    contract: workbench.contract,
    port: 0,
    rendererDir: 'dist/renderer',
    onError,
  });
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: chromiumFlags,
  });
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    });
    await page.goto(server.createLink());
    await page
      .getByRole('option', { name: /Kitchen 0\b/ })
      .first()
      .waitFor();
    await page.waitForTimeout(8_000);
    const watch = await watchTasks(page);
    const rows = [await watch('nothing, for a second (the floor)', () => page.waitForTimeout(1_000))];
    for (const [name, openSearch] of Object.entries(searches)) {
      await openSearch(page);
      for (const query of queries) {
        await page.keyboard.press('Control+a');
        await page.keyboard.press('Delete');
        await page.waitForTimeout(500);
        const type = async (): Promise<void> => {
          await page.keyboard.type(query, { delay: 150 });
          await page.waitForTimeout(500);
        };
        rows.push(await watch(`${name}: \`${query}\``, type));
      }
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
    }
    return {
      title: `Typing in a search of ${tools * methodsEach} methods (no task over ${bound} ms)`,
      note: `${tools} tools of ${methodsEach} methods. Mistyped queries are corrected at every key that finds nothing.`,
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

const verbs = ['get', 'set', 'list', 'create', 'delete', 'read', 'write', 'toggle'];
const nouns = ['time', 'volume', 'brightness', 'refund', 'status', 'camera', 'speaker', 'lamp', 'order', 'file'];

function tool(index: number): ReturnType<typeof defineToolRegistry> {
  return defineToolRegistry({
    id: `tool-${index}`,
    name: index % 10 === 0 ? `Kitchen ${index}` : `Tool ${index}`,
    source: { kind: 'module', id: `tool-${index}`, label: `tool-${index}.ts` },
    methods: Array.from({ length: methodsEach }, (_, at) => ({
      name: `${verbs[(at + index) % verbs.length]}_${nouns[(at * 3 + index) % nouns.length]}_${at}`,
      description: `This method of tool ${index} does one of the many things that tools do, with a text and a number.`,
      agentCallable: true,
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' }, count: { type: 'integer' } },
      },
      handler: () => 'done',
    })),
  });
}
