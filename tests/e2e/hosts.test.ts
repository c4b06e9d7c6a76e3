/** The Hosts pane with a host and an endpoint, and its dialogs: WCAG 2.2 AA by axe, both themes, both languages. */
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startEndpointBroker, type EndpointBroker } from '../fakes/endpointBroker.ts';
import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { paneKey } from './paneKeys.ts';

const out = 'tests/.out';
const looks = (['en-US', 'zh-CN'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ locale, colorScheme })),
);

let app: App;
let broker: EndpointBroker;
beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  app = await startApp();
  broker = await startEndpointBroker();
});
afterAll(async () => {
  await app.stop();
  await broker.close();
});

test('an endpoint is added with its address, which is not shown again', async () => {
  const { page, problems } = await app.openWindow();
  await page.keyboard.press(paneKey('hosts'));
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(broker.toolUrl('agent'));
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Kitchen agent');
  await dialog.getByRole('radio', { name: 'All' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const endpoint = page.getByRole('rowgroup', { name: 'Kitchen agent' });
  await endpoint.getByText('Ready', { exact: true }).waitFor();
  const caller = await broker.call('agent');
  await caller.request(1, 'tools/call', { name: 'clock_get_time' });
  await endpoint.getByRole('button', { name: /^Kitchen agent/ }).click();
  await page.getByRole('listitem').getByText('clock_get_time').waitFor();
  expect(await page.content()).not.toContain('token=');
  expect((await app.terminal('endpoint', 'list')).stdout).toContain('Ready');
  expect(problems).toEqual([]);
  await page.context().close();
});

for (const look of looks) {
  const name = `${look.locale}-${look.colorScheme}`;
  test(`the pane and the dialog of an endpoint, ${name}`, async () => {
    const { page, problems } = await app.openWindow(look);
    await page.keyboard.press(paneKey('hosts'));
    await page.getByRole('rowgroup', { name: 'Kitchen agent' }).waitFor();
    await page
      .getByRole('main')
      .getByRole('button', { name: /^(Connect a host|连接宿主)$/ })
      .first()
      .click();
    await page.getByRole('radiogroup').first().waitFor();
    const check = async (where: string): Promise<void> => {
      await page.screenshot({ path: `${out}/hosts-${name}-${where}.png` });
      expect(await findInaccessible(page)).toEqual([]);
    };
    await check('pane');
    await page.getByRole('button', { name: /^(More: |更多：)Kitchen agent/ }).click();
    await page.getByRole('menuitem', { name: /^(Edit|编辑)$/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /^(Chosen|所选)$/ })
      .click();
    await page.getByRole('dialog').getByRole('group').getByRole('checkbox').first().waitFor();
    await check('dialog');
    expect(problems).toEqual([]);
    await page.context().close();
  });
}
