/** `node tests/e2e/pictures.ts`: takes the README's pictures of the real window. Needs `npm run build` first. */
import { mkdirSync } from 'node:fs';

import { startApp } from './app.ts';

const folder = 'docs/pictures';
mkdirSync(folder, { recursive: true });
const app = await startApp();
try {
  const { page } = await app.openWindow({ colorScheme: 'dark', deviceScaleFactor: 1 });
  await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
  const tool = page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: /esp32/ });
  await tool.click();
  const method = 'self.audio_speaker.set_volume';
  await page.getByRole('listbox', { name: 'Methods' }).getByRole('option', { name: method }).click();
  await page.screenshot({ path: `${folder}/discovery.png` });

  await page.getByRole('button', { name: /Open in Executor/ }).click();
  await page.getByRole('spinbutton', { name: /volume/ }).fill('50');
  for (let turn = 0; turn < 5; turn++) {
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByRole('region', { name: 'Last 10' }).getByRole('listitem').nth(turn).waitFor();
  }
  await page.keyboard.press('Control+j');
  await page.getByRole('listbox', { name: 'Wire exchange' }).getByRole('option').last().click();
  await page.screenshot({ path: `${folder}/executor.png` });

  await page.keyboard.press('Control+3');
  await page.getByRole('button', { name: 'Four common mistakes' }).click();
  await page.getByRole('region', { name: 'Remarks' }).getByRole('listitem').first().waitFor();
  await page.locator('.monaco-editor .view-line').first().waitFor();
  await page.screenshot({ path: `${folder}/parser.png` });
} finally {
  await app.stop();
}
