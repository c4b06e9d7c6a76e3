/** The data directory of the built product under attack: several owners, full disks, damaged rows. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import type { ServedAddresses } from '../../src-core/cli/addresses.ts';
import { runTerminal } from '../e2e/runTerminal.ts';
import { startProduct, type Product } from './product.ts';

const cli = resolve('dist/cli.js');

function dataFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-storage-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}

interface Server {
  child: ChildProcess;
  /** The addresses it prints once it serves, or once it found the workbench that serves already. */
  addresses: Promise<ServedAddresses>;
}

function startServer(dataDir: string): Server {
  const flags = ['serve', '--json', '--port', '0', '--device-port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, [cli, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CI: '1' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const addresses = once(createInterface(child.stdout), 'line').then(
    ([line]) => JSON.parse(String(line)) as ServedAddresses,
  );
  return { child, addresses };
}

test('of processes that start at once on one directory exactly one owns it; a killed owner frees it at once', async () => {
  const dataDir = dataFolder();
  const servers = Array.from({ length: 3 }, () => startServer(dataDir));
  const addresses = await Promise.all(servers.map((server) => server.addresses));
  const owners = servers.filter(({ child }, at) => child.pid === addresses[at]?.pid);
  expect(owners).toHaveLength(1);
  const [owner] = owners;
  expect(new Set(addresses.map(({ pid, url }) => `${pid} ${url}`)).size).toBe(1);

  const killed = once(owner!.child, 'exit');
  owner!.child.kill('SIGKILL');
  await killed;
  const next = startServer(dataDir);
  expect((await next.addresses).pid).toBe(next.child.pid);
});

/** A file system of 1 MB; undefined if this user may not mount one. */
function tinyDisk(): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-tiny-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    rmSync(dir, { recursive: true });
    return undefined;
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', dir]);
    rmSync(dir, { recursive: true });
  });
  return dir;
}

const call = (product: Product, callId: string) =>
  product.client.calls.execute({ callId, toolName: 'clock_get_time', argsJson: '{}', origin: 'executor' });

test('a full disk is reported once, refuses settings with the reason, and leaves calls working', async ({ skip }) => {
  const disk = tinyDisk();
  if (disk === undefined) return skip('this user may not mount a file system');
  const dataDir = join(disk, 'data');
  mkdirSync(dataDir);
  const product = await startProduct({ dataDir });
  try {
    const { client } = product;
    expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(2_000_000))).toThrow(/ENOSPC/);
    await expect(client.settings.set({ theme: 'dark' })).rejects.toThrow(
      `The disk that holds ${dataDir} is full. Free some space and try again.`,
    );
    expect((await client.settings.get()).theme).toBe('system');
    for (let i = 0; i < 20; i += 1) expect((await call(product, `call-${i}`)).status).toBe('success');
    expect((await client.workbench.info()).storage).toMatchObject({ dir: dataDir, fault: 'full' });
    const told = product
      .stderr()
      .split('\n')
      .filter((line) => line.includes('is full'));
    expect(told).toHaveLength(1);

    rmSync(join(disk, 'filler'));
    await expect.poll(async () => (await client.workbench.info()).storage).toEqual({ dir: dataDir, unreadable: {} });
    expect((await client.settings.set({ theme: 'dark' })).theme).toBe('dark');
  } finally {
    await product.stop();
  }
});

test('a damaged row hides only itself and is counted, whatever it belongs to', async () => {
  const dataDir = dataFolder();
  const before = await startProduct({ dataDir });
  for (const callId of ['a', 'b', 'c']) await call(before, callId);
  const { id: damagedChat } = await before.client.chat.create({ title: 'damaged' });
  const { id: soundChat } = await before.client.chat.create({ title: 'sound' });
  await before.client.settings.set({ theme: 'dark', locale: 'zh' });
  const address = { preset: 'custom', baseUrl: 'http://127.0.0.1:9/v1', model: 'm', stream: true } as const;
  for (const label of ['damaged model', 'sound model'])
    await before.client.models.save({ kind: 'openai-compatible', label, ...address, totalMs: 60_000, chunkMs: 60_000 });
  await before.stop();
  const database = new DatabaseSync(join(dataDir, 'toolwire.db'));
  database.exec(`UPDATE history_calls SET record = substr(record, 1, 20) WHERE call_id = 'b'`);
  database.prepare(`UPDATE chats SET record = '{"title' WHERE id = ?`).run(damagedChat);
  database.exec(`UPDATE settings SET value = '"da' WHERE key = 'theme'`);
  database.exec(`UPDATE settings SET value = json_remove(value, '$.models[0].baseUrl') WHERE key = 'models'`);
  const device = JSON.stringify({ deviceId: 'sound', clientId: 'sound' });
  const capture = database.prepare('INSERT INTO captures (name, created_at, exported_at, device) VALUES (?, 1, 1, ?)');
  capture.run('damaged', '{"deviceId');
  capture.run('sound', device);
  database.exec(`INSERT INTO removed (id, place) VALUES ('damaged', '{"kind')`);
  database.exec(`INSERT INTO wire_devices (device_id, facts, frames) VALUES ('damaged', '{"name', 1)`);
  database.close();

  const product = await startProduct({ dataDir });
  try {
    const { client } = product;
    expect((await client.calls.history({ limit: 10 })).map(({ callId }) => callId)).toEqual(['c', 'a']);
    expect((await client.chat.list()).map(({ id }) => id)).toEqual([soundChat]);
    expect(await client.settings.get()).toMatchObject({ theme: 'system', locale: 'zh' });
    expect((await client.captures.list()).map(({ name }) => name)).toEqual(['sound']);
    expect((await client.models.list()).models.map(({ label }) => label)).toEqual(['Scripted model', 'sound model']);
    expect(product.stderr()).toContain('The stored model 0 is not valid and is left out');
    expect(await client.removed.list()).toEqual([]);
    expect((await client.devices.list()).map(({ id }) => id)).toEqual([]);
    expect((await client.workbench.info()).storage.unreadable).toEqual({
      history: 1,
      chats: 1,
      settings: 1,
      captures: 1,
      removed: 1,
      devices: 1,
    });
  } finally {
    await product.stop();
  }
});

test('on a read-only disk the window is served, and calls work', async ({ skip }) => {
  const disk = tinyDisk();
  if (disk === undefined) return skip('this user may not mount a file system');
  const dataDir = join(disk, 'data');
  mkdirSync(dataDir);
  const before = await startProduct({ dataDir });
  await before.client.settings.set({ theme: 'dark' });
  await before.stop();
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  const { child, addresses } = startServer(dataDir);
  const { link } = await addresses;
  expect((await fetch(link)).status).toBe(200);
  const { stdout } = await runTerminal(dataDir, ['call', 'clock_get_time']);
  expect(stdout).toMatch(/\d/);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
