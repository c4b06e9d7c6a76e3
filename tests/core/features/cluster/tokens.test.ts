/** The secrets of devices' tokens, which the nodes of a cluster get from a file or the environment. */
import { networkInterfaces, tmpdir } from 'node:os';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { jetStream, noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { askOta } from '../devices/support/askOta.ts';
import { connectScripted } from '../devices/support/scriptedDevice.ts';
import { memberOf } from './peer.ts';

const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const board = { 'Device-Id': '02:00:00:aa:bb:dd', 'Client-Id': 'c-1' };

const secretOf = (letter: string): string => letter.repeat(43);

/** A file of secrets, the present one first. */
function secretFile(text: string): { path: string; write: (next: string) => void } {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-tokens-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'secrets');
  writeFileSync(path, text, { mode: 0o600 });
  return { path, write: (next) => writeFileSync(path, next) };
}

interface NodeOptions {
  tokenFile?: string;
  dataDir?: string;
  errors?: string[];
}

async function openNode(url: string, name: string, options: NodeOptions = {}): Promise<Workbench> {
  const { tokenFile, dataDir = dataFolder(), errors = [] } = options;
  const node = await openWorkbench({
    cluster: { ...memberOf({ url }, name), ...(tokenFile !== undefined && { tokenFile }) },
    dataDir,
    onError: (error) => errors.push(String(error)),
  });
  await node.services.settings.set({ openToNetwork: true });
  await until(node, () => node.services.cluster.info().joined?.isConnected === true);
  return node;
}

const accessToken = (node: Workbench) => node.services.devices.connectionFacts().accessToken;
/** The other nodes whose tokens are refused here, or that refuse those of this node. */
const otherTokens = (node: Workbench) =>
  node.services.cluster.info().nodes.flatMap(({ name, otherTokens: differ }) => (differ ? [name] : []));
const hasSecret = (node: Workbench) => node.services.cluster.info().joined?.hasTokenSecret;

async function tokenOf(node: Workbench): Promise<string> {
  return (await askOta(`http://${ownAddress}:${node.info().device.port}/xiaozhi/ota/`, board)).token;
}

/** Whether a device of the network may knock with this token: it is told why not, or waits for approval. */
async function accepts(node: Workbench, token: string): Promise<boolean> {
  try {
    const headers = { ...board, Authorization: `Bearer ${token}` };
    const device = await connectScripted(`ws://${ownAddress}:${node.info().device.port}/xiaozhi/v1/`, { headers });
    device.socket.terminate();
    return true;
  } catch (error) {
    if (String(error).includes('401')) return false;
    throw error;
  }
}

describe.skipIf(natsServer === undefined || ownAddress === undefined)(
  `tokens in a cluster (${natsServer ?? noNatsServer})`,
  () => {
    test('of one node are accepted by another with the same secret, which is neither sent nor logged', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const wire = await connect({ servers: nats.url });
      onTestFinished(() => wire.close());
      const sent: string[] = [];
      wire.subscribe('>', { callback: (_, message) => void sent.push(message.string()) });
      await wire.flush();
      const errors: string[] = [];
      const { path: tokenFile } = secretFile(`# of the lab\n${secretOf('a')}\n`);
      const one = await openNode(nats.url, 'one', { tokenFile, errors });
      vi.stubEnv('TOOLWIRE_TOKEN_SECRET', secretOf('a'));
      onTestFinished(() => void vi.unstubAllEnvs());
      const other = await openNode(nats.url, 'other', { errors });
      expect([hasSecret(one), hasSecret(other)]).toEqual([true, true]);
      expect(accessToken(other)).toBe(accessToken(one));
      expect(await tokenOf(other)).toBe(await tokenOf(one));
      expect(await accepts(other, await tokenOf(one))).toBe(true);
      await expect.poll(() => other.services.cluster.info().nodes).toHaveLength(2);
      expect(otherTokens(other)).toEqual([]);
      const frames = [one, other].flatMap((node) =>
        node.services.devices
          .list()
          .map(({ id }) => node.services.frames.page({ source: 'device', connection: id, limit: 100 })),
      );
      const settings = [one, other].map((node) => node.services.settings.get());
      expect(JSON.stringify([sent, await Promise.all(frames), settings, errors])).not.toContain(secretOf('a'));
      expect(errors).toEqual([]);
    });

    test('of a node without the secret are valid only there, and it says so', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const { path: tokenFile } = secretFile(secretOf('a'));
      const one = await openNode(nats.url, 'one', { tokenFile });
      const other = await openNode(nats.url, 'other');
      expect([hasSecret(one), hasSecret(other)]).toEqual([true, false]);
      const [ofOne, ofOther] = [await tokenOf(one), await tokenOf(other)];
      expect([await accepts(one, ofOther), await accepts(other, ofOne)]).toEqual([false, false]);
      expect(await accepts(other, ofOther)).toBe(true);
      await expect.poll(() => [otherTokens(one), otherTokens(other)]).toEqual([['other'], ['one']]);
    });

    test('of nodes with other secrets are reported at both, until each accepts those of the other', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const [file, second] = [secretFile(secretOf('a')), secretFile(secretOf('b'))];
      const one = await openNode(nats.url, 'one', { tokenFile: file.path });
      const other = await openNode(nats.url, 'other', { tokenFile: second.path });
      await expect.poll(() => [otherTokens(one), otherTokens(other)]).toEqual([['other'], ['one']]);
      // One side is not enough.
      file.write(`${secretOf('a')}\n${secretOf('b')}`);
      await expect.poll(() => accepts(one, accessToken(other) ?? '')).toBe(true);
      expect([otherTokens(one), otherTokens(other)]).toEqual([['other'], ['one']]);
      second.write(`${secretOf('b')}\n${secretOf('a')}`);
      await expect.poll(() => [otherTokens(one), otherTokens(other)]).toEqual([[], []]);
    });

    test('of a replaced secret work for the set time at every node, then not; nodes read the file while they run', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const file = secretFile(secretOf('a'));
      const nodes = [
        await openNode(nats.url, 'one', { tokenFile: file.path }),
        await openNode(nats.url, 'other', { tokenFile: file.path }),
      ];
      const old = await tokenOf(nodes[0]!);
      const before = accessToken(nodes[0]!);
      const until = Date.now() + 2 * 3_600_000;
      file.write(`${secretOf('b')}\n${secretOf('a')} ${new Date(until).toISOString()}\n`);
      for (const node of nodes) await expect.poll(() => accessToken(node)).not.toBe(before);
      nodes.push(await openNode(nats.url, 'third', { tokenFile: file.path }));
      for (const node of nodes) expect(await accepts(node, old)).toBe(true);
      vi.useFakeTimers({ toFake: ['Date'], now: until });
      onTestFinished(() => void vi.useRealTimers());
      for (const node of nodes) expect(await accepts(node, old)).toBe(false);
      for (const node of nodes) expect(await accepts(node, await tokenOf(nodes[0]!))).toBe(true);
    });

    test('of the node itself work for a day after it has got the secret, also after a restart', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const dataDir = dataFolder();
      const { path: tokenFile } = secretFile(secretOf('a'));
      const alone = await openWorkbench({ dataDir });
      const own = accessToken(alone);
      await alone.services.settings.set({ openToNetwork: true });
      const earlier = await tokenOf(alone);
      await alone.close();
      const now = Date.now();
      const first = await openNode(nats.url, 'one', { dataDir, tokenFile });
      expect(await accepts(first, earlier)).toBe(true);
      await first.close();
      vi.useFakeTimers({ toFake: ['Date'], now: now + 86_400_000 + 60_000 });
      onTestFinished(() => void vi.useRealTimers());
      const again = await openNode(nats.url, 'one', { dataDir, tokenFile });
      expect(await accepts(again, earlier)).toBe(false);
      await again.services.settings.set({ cluster: { ...memberOf(nats, 'one'), url: '' } });
      await again.close();
      const left = await openWorkbench({ dataDir });
      expect(accessToken(left)).toBe(own);
    });

    test('keep their secret if the file becomes unreadable, which is reported without it', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const file = secretFile(secretOf('a'));
      const errors: string[] = [];
      const one = await openNode(nats.url, 'one', { tokenFile: file.path, errors });
      const before = accessToken(one);
      file.write(`${secretOf('b')}\n${secretOf('c')} tomorrow`);
      await expect.poll(() => errors).toHaveLength(1);
      expect(errors[0]).toContain('Entry 2 of');
      expect(errors[0]).not.toMatch(/bbb|ccc/);
      expect(accessToken(one)).toBe(before);
      file.write(secretOf('b'));
      await expect.poll(() => errors).toHaveLength(2);
      expect(errors[1]).toBe(`"${file.path}" has been corrected. Its secrets are in use.`);
      expect(accessToken(one)).not.toBe(before);
    });

    test.skipIf(process.platform === 'win32')('are reported if every user of the machine can read them', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const file = secretFile(secretOf('a'));
      chmodSync(file.path, 0o644);
      const errors: string[] = [];
      await openNode(nats.url, 'one', { tokenFile: file.path, errors });
      expect(errors).toEqual([
        `Every user of this machine can read "${file.path}" (--cluster-token-file). Protect it: chmod o-r`,
      ]);
    });
  },
);

test.each([
  ['', /must contain 1 to 5/],
  ['# none\n', /must contain 1 to 5/],
  ['short', /Entry 1 of .*"openssl rand -base64 32" makes one\.$/],
  [`${secretOf('x')} 2026-12-01T12:00:00Z`, /first secret .* must not have a time/],
  [`${secretOf('x')}, ${secretOf('x')} 2026-12-01`, /Entry 2 of/],
  [Array.from({ length: 6 }, () => secretOf('x')).join('\n'), /must contain 1 to 5/],
  ['x'.repeat(65_537), /cannot be read/],
])('a cluster is not joined with a file that has no usable secrets: %#', async (text, reason) => {
  const node = await openWorkbench();
  const { path: tokenFile } = secretFile(text);
  const joining = node.services.settings.set({
    cluster: { ...memberOf({ url: 'nats://127.0.0.1:1' }, ''), tokenFile },
  });
  const error: unknown = await joining.then(
    () => undefined,
    (reason_: unknown) => reason_,
  );
  expect(String(error)).toMatch(reason);
  expect(String(error)).toContain(`"${tokenFile}" (--cluster-token-file)`);
  expect(String(error)).not.toContain('xxx');
  expect(node.services.cluster.info()).toMatchObject({ joined: { isConnected: false, hasTokenSecret: false } });
});
