/** Who may join: the broker's configuration as docs/cluster.md has it. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { createUser } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { ClusterOptions } from '../../../../src-core/features/cluster/service.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { freePort } from '../../../helpers/freePort.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { memberOf } from './peer.ts';
import { dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';

/** A certificate that the authority beside it has signed. */
function makeCertificates(names = 'DNS:localhost'): { ca: string; cert: string; key: string } {
  const folder = dataFolder();
  const path = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { stdio: 'ignore' });
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...ec, '-subj', '/CN=ca', '-keyout', path('ca.key'), '-out', path('ca.pem'));
  openssl(
    ...['req', '-x509', ...ec, '-subj', '/CN=broker', '-addext', `subjectAltName=${names}`],
    ...['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-keyout', path('server.key'), '-out', path('server.pem')],
  );
  return { ca: path('ca.pem'), cert: path('server.pem'), key: path('server.key') };
}

type Certificates = ReturnType<typeof makeCertificates>;

/** The documented configurations of a broker, and of the routes of one of several, with these certificates. */
function documentedWith({ ca, cert, key }: Certificates): [broker: string, routes: string] {
  const page = readFileSync(new URL('../../../../docs/cluster.md', import.meta.url), 'utf8');
  const [broker = '', routes = ''] = Array.from(page.matchAll(/```conf\n([\s\S]*?)```/g), ([, config = '']) =>
    config
      .replace('/etc/nats/server.pem', cert)
      .replace('/etc/nats/server-key.pem', key)
      .replace('/etc/nats/ca.pem', ca),
  );
  return [broker, routes];
}

/** The documented configuration, with this key and these certificates, on loopback. */
function documented(publicKey: string, files: Certificates): string {
  const [config] = documentedWith(files);
  return config
    .replace(/^listen:.*$/m, '')
    .replace('/var/lib/nats', dataFolder())
    .replace('UPUBLICKEY', publicKey);
}

function seedFile(user: ReturnType<typeof createUser>): string {
  const file = join(dataFolder(), 'node.nk');
  writeFileSync(file, `${new TextDecoder().decode(user.getSeed())}\n`, { mode: 0o600 });
  return file;
}

/** `names`: those of its certificate. `config`: what its configuration has beside the documented one. */
async function openSecured({ names = 'DNS:localhost', files = makeCertificates(names), config = '' } = {}) {
  const user = createUser();
  const nats = await openNatsServer({ config: documented(user.getPublicKey(), files) + config });
  const address = `localhost:${nats.port}`;
  const errors: string[] = [];
  const joinAs = (options: Partial<ClusterOptions>): Promise<Workbench> =>
    openWorkbench({
      cluster: {
        ...memberOf({ url: `tls://${address}` }, ''),
        name: 'main',
        nkeyFile: seedFile(user),
        caFile: files.ca,
        ...options,
      },
      onError: (error) => errors.push((error as Error).message),
    });
  return { joinAs, errors, address, port: nats.port };
}

/** What a broker sends first. */
async function greetingOf(port: number): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return data.toString();
}

const joined = (workbench: Workbench) => workbench.services.cluster.info().joined;
const problemOf = async (workbench: Workbench): Promise<string> => {
  await until(workbench, () => joined(workbench)?.problem !== undefined);
  return joined(workbench)!.problem!;
};

describe.skipIf(natsServer === undefined)(`a broker with nkeys and TLS (${natsServer ?? noNatsServer})`, () => {
  test('lets nodes in that have a key and trust its certificate', async () => {
    const { joinAs, errors, address } = await openSecured();
    const one = await joinAs({ nodeName: 'one' });
    // This broker asks for TLS, whatever the address.
    const other = await joinAs({ nodeName: 'other', url: `nats://${address}` });
    await until(one, () => one.services.cluster.info().nodes.length === 2);
    await until(other, () => other.services.cluster.info().nodes.length === 2);
    one.features.devices.approvals.set('02:00:00:aa:bb:cc', 'c-1');
    await expect.poll(() => other.features.devices.approvals.get('02:00:00:aa:bb:cc')).toBe('c-1');
    await expect.poll(() => one.features.cluster.isUnshared('02:00:00:aa:bb:cc')).toBe(false);
    expect(errors).toEqual([]);
  });

  test('keeps out a node with another key, and logs why', async () => {
    const { joinAs, errors } = await openSecured();
    const stranger = await joinAs({ nkeyFile: seedFile(createUser()) });
    expect(await problemOf(stranger)).toContain('The broker refuses the nkey of this node.');
    expect(joined(stranger)?.isConnected).toBe(false);
    expect(errors[0]).toContain('The broker refuses the nkey of this node.');
  });

  test.each([
    ['another key', 'The broker refuses the nkey of this node.'],
    ['no key', 'The broker requires credentials.'],
  ])('names the reason to a node with %s, although it names other brokers, too', async (key, reason) => {
    const [first, second] = [await freePort(), await freePort()];
    const routes = (own: number, other: number) =>
      `server_name: b${own}\ncluster { name: c, listen: "127.0.0.1:${own}", routes: ["nats://127.0.0.1:${other}"] }`;
    const { joinAs, port } = await openSecured({ names: 'IP:127.0.0.1', config: routes(first, second) });
    await openSecured({ names: 'IP:127.0.0.1', config: routes(second, first) });
    await expect.poll(() => greetingOf(port)).toContain('connect_urls');
    const nkeyFile = key === 'no key' ? '' : seedFile(createUser());
    const stranger = await joinAs({ url: `tls://127.0.0.1:${port}`, nkeyFile });
    expect(await problemOf(stranger)).toContain(reason);
  });

  test('forms a cluster with another over the documented routes, and their nodes list one another', async () => {
    const files = makeCertificates('IP:127.0.0.1');
    const [first, second] = [await freePort(), await freePort()];
    const routes = (own: number, other: number): string =>
      documentedWith(files)[1]
        .replace('broker1', `broker${own}`)
        .replace('0.0.0.0:6222', `127.0.0.1:${own}`)
        .replace(/^ *routes:.*$/m, `routes: ["nats://127.0.0.1:${other}"]`);
    const brokers = [
      await openSecured({ files, config: routes(first, second) }),
      await openSecured({ files, config: routes(second, first) }),
    ];
    const [ca, cert, key] = [files.ca, files.cert, files.key].map((file) => readFileSync(file));
    const route = connectTls({ host: '127.0.0.1', port: first, ca, cert, key });
    await once(route, 'secureConnect');
    route.destroy();
    const nodes = await Promise.all(
      brokers.map(({ joinAs, port }, at) => joinAs({ nodeName: `node ${at}`, url: `tls://127.0.0.1:${port}` })),
    );
    for (const node of nodes) await until(node, () => node.services.cluster.info().nodes.length === 2);
  });

  test('is joined at an address that its certificate has, and not at one that it lacks', async () => {
    const { joinAs, port } = await openSecured({ names: 'IP:127.0.0.1' });
    const url = `tls://127.0.0.1:${port}`;
    const one = await joinAs({ url });
    await until(one, () => joined(one)?.isConnected === true);
    const named = await openSecured();
    const other = await named.joinAs({ url: `tls://127.0.0.1:${named.port}` });
    expect(await problemOf(other)).toContain('IP: 127.0.0.1 is not in the cert');
  });

  test('is not joined by a node that does not trust its certificate', async () => {
    const { joinAs, errors } = await openSecured();
    const wary = await joinAs({ caFile: makeCertificates().ca });
    expect(await problemOf(wary)).toMatch(/certificate|signature/i);
    expect(errors[0]).toMatch(/certificate|signature/i);
  });

  test('is not joined without TLS by a node that names an authority', async () => {
    const { url } = await openNatsServer();
    const caFile = makeCertificates().ca;
    const node = await openWorkbench({ cluster: { ...memberOf({ url }, ''), caFile }, onError: () => undefined });
    expect(await problemOf(node)).toContain("server does not support 'tls'");
  });

  test('lets a node see nothing of another cluster, and all refusals are one line of the log', async () => {
    const { joinAs, errors } = await openSecured();
    const inside = await joinAs({ nodeName: 'inside' });
    const outside = await joinAs({ nodeName: 'outside', name: 'other' });
    expect(await problemOf(outside)).toMatch(
      /^The broker denies this node permissions: \w+ "[^"]+" and \d+ more\. Add them to its user \(docs\/cluster\.md\)\.$/,
    );
    await expect.poll(() => errors).toHaveLength(1);
    await until(inside, () => joined(inside)?.isConnected === true);
    expect(inside.services.cluster.info().nodes).toHaveLength(1);
    expect(outside.services.cluster.info().nodes).toHaveLength(1);
    expect(errors).toHaveLength(1);
  });

  test('lets a user without rights neither publish a call in the same cluster nor read a beat of it', async () => {
    const users =
      '{ user: node, password: a }, { user: guest, password: b, permissions: { publish: "guest", subscribe: "guest" } }';
    const nats = await openNatsServer({ config: `authorization { users: [${users}] }` });
    const url = nats.url.replace('//', '//node:a@');
    const node = await openWorkbench({ cluster: memberOf({ url }, 'node') });
    const beats: string[] = [];
    const member = await connect({ servers: nats.url, user: 'node', pass: 'a' });
    const guest = await connect({ servers: nats.url, user: 'guest', pass: 'b' });
    for (const connection of [member, guest]) onTestFinished(() => connection.close());
    const calls: string[] = [];
    member.subscribe('tw.lab.>', {
      callback: (_, { subject }) => void (subject === 'tw.lab.beat' ? beats : calls).push(subject),
    });
    const refused: string[] = [];
    guest.subscribe('tw.lab.beat', { callback: (error) => void refused.push(error?.message ?? 'a beat') });
    guest.publish('tw.lab.n.aaaaaaaaaaaaaaaa.call', '{}');
    await guest.flush();
    const seen = beats.length;
    await expect.poll(() => beats.length).toBeGreaterThan(seen);
    expect(refused).toEqual([expect.stringMatching(/permissions violation for subscription to "tw.lab.beat"/i)]);
    expect(calls).toEqual([]);
    expect(joined(node)?.isConnected).toBe(true);
  });

  test('is joined again by a node that it has refused several times', async () => {
    const monitor = await freePort();
    const user = (name: string) => ({
      config: `authorization { user: "${name}", password: "secret" }\nhttp: "127.0.0.1:${monitor}"`,
    });
    const refused = async (): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${monitor}/connz?state=closed`);
      const { connections } = (await answer.json()) as { connections: { reason: string }[] };
      return connections.filter(({ reason }) => reason === 'Authentication Failure').length;
    };
    const nats = await openNatsServer(user('node'));
    const url = nats.url.replace('//', '//node:secret@');
    const node = await openWorkbench({ cluster: memberOf({ url }, 'node'), onError: () => undefined });
    await until(node, () => joined(node)?.isConnected === true);
    await nats.kill();
    await nats.start(user('other'));
    await expect.poll(refused).toBeGreaterThan(2);
    expect(joined(node)?.problem).toContain('The broker requires credentials.');
    await nats.kill();
    await nats.start(user('node'));
    await until(node, () => joined(node)?.isConnected === true);
  });
});
