/** Two windows of two Toolwires: a cluster is joined in Settings, and a board of one is called from the other. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Page } from 'playwright-core';

import { noNatsServer, natsServer, openNatsServer } from '../helpers/natsServer.ts';
import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { paneKey } from './paneKeys.ts';

async function join(page: Page, { url, node }: { url: string; node: string }): Promise<void> {
  await page.keyboard.press('Control+,');
  const section = page.getByRole('region', { name: 'Cluster', exact: true });
  await section.getByRole('textbox', { name: 'Broker' }).fill(url);
  await section.getByRole('textbox', { name: 'Name of this node' }).fill(node);
  await section.getByRole('button', { name: 'Join' }).click();
  await section.getByText('This node', { exact: true }).waitFor();
}

async function start(): Promise<App> {
  const app = await startApp();
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= app.stop());
  onTestFinished(stop);
  return { ...app, stop };
}

describe.skipIf(natsServer === undefined)(`a cluster in the window (${natsServer ?? noNatsServer})`, () => {
  test('is joined in Settings; a board of another node is listed, called, and lost with its node', async () => {
    const nats = await openNatsServer();
    const [one, other] = [await start(), await start()];
    const here = await one.openWindow();
    const there = await other.openWindow({ locale: 'zh-CN', colorScheme: 'dark' });
    const { page } = here;
    await join(page, { url: nats.url, node: 'bench' });
    expect(await other.terminal('nodes')).toMatchObject({ code: 1 });
    await there.page.keyboard.press('Control+,');
    const section = there.page.getByRole('region', { name: '集群', exact: true });
    await section.getByRole('textbox', { name: '消息服务器' }).fill(nats.url);
    await section.getByRole('textbox', { name: '本节点名称' }).fill('lab');
    await section.getByRole('button', { name: '加入' }).click();
    await section.getByText('bench').waitFor();
    await page.getByRole('region', { name: 'Cluster', exact: true }).getByText('lab').waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    const nodes = await other.terminal('nodes');
    expect(nodes.stdout).toMatch(/^Cluster "main": connected\n\nNODE .*\nlab +this node.*\nbench +live/);
    expect(nodes.stderr).toContain('This node has no token secret of the cluster');
    await section.getByText('本节点没有集群的令牌密钥').waitFor();

    await there.page.keyboard.press(paneKey('devices'));
    await there.page.getByRole('button', { name: '添加虚拟设备' }).first().click();
    await page.keyboard.press(paneKey('devices'));
    const row = page.getByRole('row', { name: /At lab/ });
    await row.click();
    await page.getByText('This device is connected to the node “lab”.').waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await page.getByRole('button', { name: 'View tools' }).click();
    await page
      .getByRole('option', { name: /self\.get_device_status/ })
      .filter({ hasText: 'At lab' })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Open in Executor' }).first().click();
    await page.getByText(' · At lab · ').first().waitFor();
    await page.getByRole('button', { name: /^Run/ }).first().click();
    await page.getByText('audio_speaker').first().waitFor();

    await page.keyboard.press(paneKey('executor'));
    await page.getByRole('button', { name: 'All calls' }).click();
    const calls = page.getByRole('dialog', { name: 'All calls' });
    await calls.getByText('2 of 2 nodes answered').waitFor();
    await calls
      .getByRole('option', { name: /get_device_status/ })
      .getByText(/At lab/)
      .waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await other.stop();
    await page.getByRole('button', { name: 'All calls' }).click();
    await calls.getByText('1 of 2 nodes answered (not lab)').waitFor();
    await page.keyboard.press('Escape');
    const history = await one.terminal('history');
    expect(history.code).toBe(1);
    expect(history.stdout).toMatch(/ OK  .+  at lab .*get_device_status/);
    expect(history.stderr).toContain('1 of 2 nodes answered; not lab.');
    await page.keyboard.press(paneKey('devices'));
    await page.getByText('Node not reachable').waitFor();
    expect(here.problems).toEqual([]);
  });

  test('refuses an address that is none, and a file without a key', async () => {
    const { openWindow } = await start();
    const { page, problems } = await openWindow();
    await page.keyboard.press('Control+,');
    const section = page.getByRole('region', { name: 'Cluster', exact: true });
    await section.getByRole('textbox', { name: 'Broker' }).fill('nats://user:secret@host');
    await section.getByText('Enter nats://HOST or tls://HOST, without a path.').waitFor();
    await section.getByRole('textbox', { name: 'Broker' }).fill('nats://127.0.0.1:1');
    await section.getByRole('textbox', { name: 'Nkey file' }).fill('/nowhere/node.nk');
    await section.getByRole('button', { name: 'Join' }).click();
    await section.getByText('"/nowhere/node.nk" (Nkey file) cannot be read').first().waitFor();
    // What was tried is saved by now.
    await section.getByRole('button', { name: 'Leave' }).waitFor();
    await section.getByRole('textbox', { name: 'Nkey file' }).fill('');
    await section.getByRole('button', { name: 'Apply' }).first().click();
    await section.getByText('This node is not connected to the cluster.').last().waitFor();
    await section.getByRole('button', { name: 'Leave' }).click();
    await section.getByRole('button', { name: 'Join' }).waitFor();
    expect(problems).toEqual([]);
  });
});
