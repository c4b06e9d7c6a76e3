/** The secret of devices' tokens, shared over NATS KV. */
import { networkInterfaces, tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer, type NatsServer } from '../../../helpers/natsServer.ts';
import { dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { askOta } from '../devices/support/askOta.ts';
import { connectScripted } from '../devices/support/scriptedDevice.ts';
import { memberOf } from './peer.ts';

const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const board = { 'Device-Id': '02:00:00:aa:bb:dd', 'Client-Id': 'c-1' };

function jetStream(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-jetstream-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `jetstream { store_dir: "${folder}" }`;
}

async function openNode(
  url: string,
  name: string,
  { dataDir = dataFolder(), cluster = 'lab', errors = [] as string[] } = {},
): Promise<Workbench> {
  const node = await openWorkbench({
    cluster: { ...memberOf({ url }, name), name: cluster },
    dataDir,
    onError: (error) => errors.push(String(error)),
  });
  await node.services.settings.set({ openToNetwork: true });
  await until(node, () => node.services.cluster.info().joined?.isConnected === true);
  return node;
}

const accessToken = (node: Workbench) => node.services.devices.connectionFacts().accessToken;
const share = (...nodes: Workbench[]) =>
  expect.poll(() => new Set(nodes.map(accessToken)).size, { timeout: 12_000 }).toBe(1);

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

async function bucketOf({ url }: Pick<NatsServer, 'url'>) {
  const connection = await connect({ servers: url });
  onTestFinished(() => connection.close());
  return {
    put: (value: unknown) => {
      connection.publish('$KV.tw_lab_secrets.deviceTokens', JSON.stringify(value));
      return connection.flush();
    },
    async last() {
      const request = JSON.stringify({ last_by_subj: '$KV.tw_lab_secrets.deviceTokens' });
      const answer = await connection.request('$JS.API.STREAM.MSG.GET.KV_tw_lab_secrets', request);
      const { message } = answer.json<{ message?: { data: string } }>();
      if (message === undefined) return undefined;
      return JSON.parse(Buffer.from(message.data, 'base64').toString()) as { secret: string; ms: number };
    },
  };
}

describe.skipIf(natsServer === undefined || ownAddress === undefined)(
  `tokens in a cluster (${natsServer ?? noNatsServer})`,
  () => {
    test('of one node are accepted by another, also those of before it joined; the secret is in no log', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const errors: string[] = [];
      const dataDir = dataFolder();
      const alone = await openWorkbench({ dataDir });
      const earlier = await alone.services.settings.set({ openToNetwork: true }).then(() => tokenOf(alone));
      await alone.close();
      const one = await openNode(nats.url, 'one', { errors });
      await expect.poll(async () => (await bucketOf(nats)).last()).toBeDefined();
      const other = await openNode(nats.url, 'other', { dataDir, errors });
      await share(one, other);
      expect(await tokenOf(other)).toBe(await tokenOf(one));
      expect(await accepts(other, await tokenOf(one))).toBe(true);
      expect(await accepts(other, earlier)).toBe(true);
      expect(await accepts(one, earlier)).toBe(false);
      const { secret } = (await (await bucketOf(nats)).last())!;
      const frames = [one, other].map((node) =>
        node.services.devices
          .list()
          .map(({ id }) => node.services.frames.page({ source: 'device', connection: id, limit: 100 })),
      );
      expect(
        JSON.stringify([
          await Promise.all(frames.flat()),
          one.services.cluster.info(),
          one.services.settings.get(),
          errors,
        ]),
      ).not.toContain(secret);
      expect(errors).toEqual([]);
    });

    test('of before a rotation work for the set time at every node, then not; a node that was away learns of it', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const dataDir = dataFolder();
      const one = await openNode(nats.url, 'one');
      const other = await openNode(nats.url, 'other');
      const away = await openNode(nats.url, 'away', { dataDir });
      await share(one, other, away);
      const old = await tokenOf(one);
      await away.close();
      const before = accessToken(one);
      await one.services.cluster.rotateTokens({ keepHours: 2 });
      await share(one, other);
      expect(accessToken(one)).not.toBe(before);
      const back = await openNode(nats.url, 'away', { dataDir });
      await share(one, back);
      const nodes = [one, other, back];
      for (const node of nodes) expect(await accepts(node, old)).toBe(true);
      const now = Date.now();
      vi.useFakeTimers({ toFake: ['Date'], now: now + 2 * 3_600_000 + 1_000 });
      onTestFinished(() => void vi.useRealTimers());
      for (const node of nodes) expect(await accepts(node, old)).toBe(false);
      for (const node of nodes) expect(await accepts(node, await tokenOf(one))).toBe(true);
    });

    test('end at once if none are kept, also at a node with them; and the rotation outlives a restart', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const dataDir = dataFolder();
      const one = await openNode(nats.url, 'one');
      const other = await openNode(nats.url, 'other', { dataDir });
      await share(one, other);
      const old = await tokenOf(one);
      await one.services.cluster.rotateTokens({ keepHours: 0 });
      await share(one, other);
      expect([await accepts(one, old), await accepts(other, old)]).toEqual([false, false]);
      await other.close();
      const again = await openWorkbench({ dataDir });
      expect(accessToken(again)).toBe(accessToken(one));
    });

    test('are kept as they are by a node whose bucket has something else, which says so; a rotation replaces it', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const errors: string[] = [];
      const one = await openNode(nats.url, 'one', { errors });
      const bucket = await bucketOf(nats);
      await expect.poll(() => bucket.last()).toBeDefined();
      const good = (await bucket.last())!;
      const mine = accessToken(one);
      for (const bad of [
        { ...good, secret: 'short', ms: good.ms + 1 },
        { ...good, ms: good.ms + 400 * 86_400_000 },
        { ...good, ms: good.ms + 1, earlier: Array.from({ length: 5 }, () => ({ secret: good.secret, until: 1 })) },
        'text',
        7,
      ])
        await bucket.put(bad);
      await expect.poll(() => errors.length).toBe(1);
      expect(errors[0]).toMatch(/cannot be read/);
      expect(errors[0]).not.toContain(good.secret);
      expect(accessToken(one)).toBe(mine);
      await one.services.cluster.rotateTokens({ keepHours: 1 });
      expect(accessToken(one)).not.toBe(mine);
      expect((await bucket.last())?.secret).not.toBe(good.secret);
    });

    test('of an older secret do not come back with a bucket that was lost', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await openNode(nats.url, 'one');
      const bucket = await bucketOf(nats);
      await expect.poll(() => bucket.last()).toBeDefined();
      const old = (await bucket.last())!;
      await one.services.cluster.rotateTokens({ keepHours: 0 });
      const mine = accessToken(one);
      const { secret } = (await bucket.last())!;
      await bucket.put(old);
      await expect.poll(async () => (await bucket.last())?.secret).toBe(secret);
      expect(accessToken(one)).toBe(mine);
    });

    test('are not rotated without the store, and a node that closes meanwhile ends', async () => {
      const nats = await openNatsServer();
      const one = await openNode(nats.url, 'one');
      const mine = accessToken(one);
      await expect(one.services.cluster.rotateTokens({ keepHours: 1 })).rejects.toThrow(/not replaced/);
      expect(accessToken(one)).toBe(mine);
      nats.signal('SIGSTOP');
      const rotating = one.services.cluster.rotateTokens({ keepHours: 1 });
      const ended = expect(rotating).rejects.toThrow(/not replaced/);
      await one.close();
      nats.signal('SIGCONT');
      await ended;
    });

    test('are not sent to a broker on another machine without TLS', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const url = `nats://broker.invalid:${nats.port}, ${nats.url}`;
      const errors: string[] = [];
      const one = await openNode(url, 'one', { errors });
      await expect.poll(() => errors.filter((error) => error.includes('without TLS'))).toHaveLength(1);
      await expect(one.services.cluster.rotateTokens({ keepHours: 1 })).rejects.toThrow(/TLS/);
      expect(await (await bucketOf(nats)).last()).toBeUndefined();
    });

    test('of another cluster are not used in the next one', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const dataDir = dataFolder();
      const other = await openNode(nats.url, 'one', { dataDir, cluster: 'other' });
      await expect.poll(() => other.services.cluster.info().joined?.name).toBe('other');
      await other.services.cluster.rotateTokens({ keepHours: 1 });
      const first = accessToken(other);
      const old = await tokenOf(other);
      await other.close();
      const one = await openNode(nats.url, 'one', { dataDir });
      await expect.poll(() => accessToken(one)).not.toBe(first);
      expect(await accepts(one, old)).toBe(true);
    });
  },
);

test('the secret of a node without a cluster is replaced, too', async () => {
  const one = await openWorkbench();
  const mine = accessToken(one);
  await one.services.cluster.rotateTokens({ keepHours: 1 });
  expect(accessToken(one)).not.toBe(mine);
});
