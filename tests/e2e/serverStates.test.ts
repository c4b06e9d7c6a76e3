/** Servers that cannot be used, in the window: what each says, in both languages and themes, with nothing cut and nothing inaccessible. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { findCutControls } from './cutControls.ts';
import { paneKey } from './paneKeys.ts';

/** Refuses each token. */
const refusing = createServer((_request, response) => {
  response.writeHead(401, { 'Content-Type': 'text/plain' }).end('no');
}).listen(0, '127.0.0.1');
const node = (script: string): object => ({ command: process.execPath, args: ['-e', script] });

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.stop();
  refusing.close();
});

/** What each says in English and in Chinese, and how its button **Edit the server** looks. */
const states = {
  silent: ['It wrote to stdout: "Listening". It wrote nothing to stderr.', '它没有向 stderr 写入内容。', 'secondary'],
  exits: ['(exit code 3). Its last lines on stderr may show the reason:', '（退出码 3）。原因可能在', 'secondary'],
  refused: [
    'The server refused the header Authorization (401).',
    '服务器拒绝了请求头 Authorization（401）。',
    'primary',
  ],
} as const;

test('servers are reviewed one after the other', async () => {
  const { page } = await app.openWindow({ locale: 'en-US' });
  const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/mcp`;
  const mcpServers = {
    silent: node('console.log("Listening"); setTimeout(() => process.exit(1), 300)'),
    exits: node('console.error("Error: no database"); process.exit(3)'),
    refused: { type: 'http', url, headers: { Authorization: 'Bearer old' } },
  };
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify({ mcpServers }));
  await page.getByRole('button', { name: 'Import 3 servers' }).click();
  await page.getByRole('button', { name: 'Review 3 servers one after the other' }).click();
  for (const name of ['silent', 'exits', 'refused']) {
    const sheet = page.getByRole('alertdialog', { name: new RegExp(`“${name}” for the first time\\?$`) });
    await sheet.getByRole('button', { name: /^(Start once|Connect)$/ }).click();
    await sheet.waitFor({ state: 'detached' });
  }
  await page.context().close();
});

for (const locale of ['en-US', 'zh-CN'] as const)
  test(`failing servers, ${locale}`, async () => {
    const { page, problems } = await app.openWindow({ locale });
    await page.keyboard.press(paneKey('servers'));
    for (const [name, [en, zh, button]] of Object.entries(states)) {
      await page.getByText(name, { exact: true }).first().click();
      const detail = page.getByRole('region', { name, exact: true });
      const finding = detail.getByRole('alert').filter({ hasText: locale === 'en-US' ? en : zh });
      await finding.waitFor();
      const edit = finding.getByRole('button', { name: /^(Edit the server|编辑服务器)$/ });
      expect(await edit.getAttribute('class')).toContain(button);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `tests/.out/server-${name}-${locale}-${colorScheme}.png` });
        expect(await findInaccessible(page)).toEqual([]);
      }
      expect(await findCutControls(page)).toEqual([]);
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });
