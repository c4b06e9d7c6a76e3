/** Opens MCP Apps of the fixture server in a window. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';

import { paneKey } from './paneKeys.ts';

/** The page of an App, and `_meta.ui` of its resource. */
export interface AppPage {
  html: string;
  ui?: object;
}

/**
 * A page that speaks the protocol by hand: `ask` sends a request, `tell` a notification, `start` begins. What it writes with `show` is the
 * text of the page. Notifications and requests of the host come to `heard`.
 */
export function pageOf(script: string): string {
  return `<!doctype html><html><body><pre id="out"></pre><script>
    let lastId = 0;
    const waiting = new Map();
    const heard = [];
    let onHeard = () => undefined;
    const show = (text) => void (document.getElementById('out').textContent += text + '\\n');
    const tell = (method, params) => parent.postMessage({ jsonrpc: '2.0', method, params }, '*');
    const ask = (method, params) => new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      parent.postMessage({ jsonrpc: '2.0', id, method, params }, '*');
    });
    addEventListener('message', ({ data, source }) => {
      if (source !== parent) return;
      if (data.method === undefined) {
        const { resolve, reject } = waiting.get(data.id) ?? {};
        if (data.error) reject(new Error(data.error.message));
        else resolve?.(data.result);
        return;
      }
      heard.push(data);
      onHeard(data);
      if (data.id !== undefined) parent.postMessage({ jsonrpc: '2.0', id: data.id, result: {} }, '*');
    });
    const start = async () => {
      const result = await ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'lab', version: '1' }, appCapabilities: {} });
      tell('ui/notifications/initialized');
      return result;
    };
    const attempt = async (name, work) => {
      try {
        show(name + ': ' + String(await work()));
      } catch (error) {
        show(name + ': refused, ' + (error.message || error.name));
      }
    };
    (async () => { ${script} })();
  </script></body></html>`;
}

export interface AppLab {
  /** Changes the pages of the server. */
  write(pages: Record<string, AppPage>): void;
  /** Adds the server in a window, and starts it. */
  add(page: Page): Promise<void>;
  remove(): void;
}

/** The fixture server, named `lab`. */
export function createLab(): AppLab {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-apps-'));
  const file = join(folder, 'pages.json');
  const fixture = join(process.cwd(), 'tests/fixtures/mcp/appServer.mjs');
  return {
    write: (pages) => writeFileSync(file, JSON.stringify(pages)),
    async add(page) {
      await page.keyboard.press(paneKey('servers'));
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      const config = { mcpServers: { lab: { command: process.execPath, args: [fixture, file] } } };
      await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify(config));
      await page.getByRole('button', { name: 'Import 1 server' }).click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^(Start once|Connect)$/ })
        .click();
      await page
        .getByRole('region', { name: 'lab', exact: true })
        .getByText('Ready', { exact: true })
        .first()
        .waitFor();
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Calls `show_name` in the Executor and chooses the view App. Returns the view. */
export async function openApp(page: Page, name: string, city?: string): Promise<Locator> {
  await page.keyboard.press(paneKey('servers'));
  const detail = page.getByRole('region', { name: 'lab', exact: true });
  await detail.getByRole('tab', { name: /^Tools/ }).click();
  await detail.getByRole('option', { name: new RegExp(`show_${name}\\b`) }).click();
  await detail.getByRole('button', { name: /Open in Executor/ }).click();
  if (city !== undefined) {
    await page.getByRole('radio', { name: 'JSON' }).click();
  }
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByRole('tab', { name: 'App' }).click();
  return result.getByRole('region', { name: 'App of lab' });
}

/** The page of an App in its view. */
export function frameOf(view: Locator): FrameLocator {
  return view.frameLocator('iframe').frameLocator('iframe');
}
