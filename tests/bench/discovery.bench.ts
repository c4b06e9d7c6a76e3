import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

import { serveBrowser } from '../../src-core/rpc/serveBrowser.ts';
import { defineToolRegistry } from '../../src-core/registry/defineTool.ts';
import { createWorkbench } from '../../src-core/workbench.ts';
import { chromiumFlags, findChromium } from '../e2e/chromium.ts';

/** Scrolls Discovery from end to end with 3 and with 1,000 tools, and reports the longest task of the page's thread. */
export async function run(): Promise<{ title: string; rows: Record<string, string | number>[]; pass: boolean }> {
  const rows = [await scroll(3), await scroll(1_000)];
  return { title: 'Scrolling Discovery (0: no task over 50 ms)', rows, pass: true };
}

async function scroll(tools: number): Promise<Record<string, string | number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  const onError = (error: unknown): never => {
    throw error;
  };
  const workbench = await createWorkbench({ dataDir, devicePort: 0, shell: 'browser', onError });
  for (let index = 0; index < tools; index++) workbench.toolRegistryManager.register(tool(index));
  const { contract } = workbench;
  const server = await serveBrowser({ contract, port: 0, rendererDir: 'dist/renderer', onError });
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(server.createLink());
    await page
      .getByRole('option', { name: /Tool 1\b/ })
      .first()
      .waitFor();
    await page.waitForTimeout(2_000);
    await page.evaluate(() => {
      const record = window as unknown as { longest: number };
      record.longest = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) record.longest = Math.max(record.longest, entry.duration);
      }).observe({ entryTypes: ['longtask'] });
    });
    await page.getByRole('listbox', { name: 'Tools' }).hover();
    let steps = 0;
    for (let last = ''; steps < 400; steps++) {
      await page.mouse.wheel(0, 600);
      await page.waitForTimeout(30);
      const now = (await page.getByRole('listbox', { name: 'Tools' }).textContent()) ?? '';
      if (now === last && steps > 5) break;
      last = now;
    }
    const longest = await page.evaluate(() => (window as unknown as { longest: number }).longest);
    return { tools, 'wheel steps': steps, 'longest task while scrolling, ms': Math.round(longest) };
  } finally {
    await browser.close();
    await server.close();
    await workbench.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function tool(index: number): ReturnType<typeof defineToolRegistry> {
  return defineToolRegistry({
    id: `tool-${index}`,
    name: `Tool ${index}`,
    source: { kind: 'module', id: `tool-${index}`, label: `tool-${index}.ts` },
    methods: Array.from({ length: 8 }, (_, method) => ({
      name: `method_${method}`,
      description: 'Does one of the many things that tools do, with a text and a number.',
      agentCallable: true,
      inputSchema: { type: 'object', properties: { text: { type: 'string' }, count: { type: 'integer' } } },
      handler: () => 'done',
    })),
  });
}
