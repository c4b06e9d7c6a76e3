/** Pictures that reach a node which does not have their device. */
import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';

import { RelayedPictures } from '../../../../src-core/features/cluster/relayedPictures.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, call, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { connectScripted, standardAnswer } from '../devices/support/scriptedDevice.ts';
import { memberOf, openPeer } from './peer.ts';

const camera = '02:00:00:aa:bb:cc';

/** A picture of 5 MB. */
const jpeg = (): Buffer => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(5_000_000)]);

async function openPair() {
  const nats = await openNatsServer();
  const owner = await openWorkbench({ cluster: memberOf(nats, 'owner') });
  const other = await openWorkbench({ cluster: memberOf(nats, 'other') });
  for (const node of [owner, other]) await until(node, () => node.services.cluster.info().nodes.length === 2);
  return { nats, owner, other };
}

/** The same address at another node, as a load balancer may choose it. */
function at({ info }: Workbench, url: string): string {
  const moved = new URL(url);
  moved.port = String(info().device.port);
  return moved.href;
}

async function post(url: string, picture: Buffer, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.set('question', 'What is it?');
  form.set('file', new Blob([new Uint8Array(picture)]), 'camera.jpg');
  const response = await fetch(url, { method: 'POST', headers, body: form });
  return { status: response.status, said: (await response.json()) as { success: boolean; message?: string } };
}

/** A board at a node that is told where to post pictures. It posts its screen to the address that `via` returns. */
async function connectCamera(node: Workbench, via: (url: string) => string = (url) => url) {
  const snapshot = { name: 'self.screen.snapshot', description: 'Posts its screen.' };
  const inputSchema = { type: 'object', properties: { url: { type: 'string' } } };
  const board = await connectScripted(node.info().device.webSocketUrl, {
    answer(request) {
      const { id, method, params } = request;
      if (method === 'tools/list') return { jsonrpc: '2.0', id, result: { tools: [{ ...snapshot, inputSchema }] } };
      if (method !== 'tools/call') return standardAnswer(request);
      void post(via(String(params?.arguments?.['url'])), jpeg()).then(({ status }) => {
        const content = [{ type: 'text', text: String(status) }];
        board.send({ session_id: '', type: 'mcp', payload: { jsonrpc: '2.0', id, result: { content } } });
      });
      return undefined;
    },
  });
  onTestFinished(() => board.socket.close());
  board.hello();
  const { params = {} } = await board.request('initialize');
  const { vision } = params['capabilities'] as { vision: { url: string; token: string } };
  await until(node, () => node.services.devices.list().some(({ id, state }) => id === camera && state === 'ready'));
  return { url: vision.url, headers: { 'Device-Id': camera, Authorization: `Bearer ${vision.token}` } };
}

const find = ({ services }: Workbench, name: string) => services.devices.list().find((device) => device.name === name);

test.each([
  ['than the broker accepts', 131_072, 200_000],
  ['than a node accepts', 1_048_576, 262_145],
])('is refused with the reason if the answer to it is longer %s', async (_, maxBytes, length) => {
  const sent: object[] = [];
  let receive: (message: object) => void = () => undefined;
  const pictures = new RelayedPictures({
    bus: {
      maxBytes,
      subscribe: (subject: string, onMessage: typeof receive) => {
        if (subject === 'n.owner.picture') receive = onMessage;
      },
      publish: (__: string, data: object) => {
        if (JSON.stringify(data).length > maxBytes) return 'large';
        sent.push(data);
        return 'sent';
      },
    },
    node: 'owner',
    receiver: () => () => Promise.resolve({ status: 200, success: true, text: 'a'.repeat(length) }),
    onError: (error: unknown) => expect.fail(String(error)),
  } as unknown as ConstructorParameters<typeof RelayedPictures>[0]);
  onTestFinished(() => pictures.close());
  const facts = { kind: 'explain', secret: 's', contentType: 'image/jpeg' };
  receive({ reply: 'r', data: { ...facts, v: 1, node: 'a'.repeat(16), id: 'p' } });
  const text =
    'The answer to the picture is too long to be passed on to the node that received it. Shorten the answer.';
  await expect.poll(() => sent).toEqual([{ status: 502, success: false, text }]);
});

describe.skipIf(natsServer === undefined)(`a picture at the wrong node (${natsServer ?? noNatsServer})`, () => {
  test('is passed on as it is, with its question, while other devices are called', async () => {
    const { owner, other } = await openPair();
    const { url, headers } = await connectCamera(owner);
    await addDevice(other, { name: 'Lamp' });
    await until(owner, () => find(owner, 'Lamp')?.registryId !== undefined);
    const picture = jpeg();
    const posting = post(at(other, url), picture, headers);
    expect(await call(owner, find(owner, 'Lamp')!, 'self.get_device_status')).toMatchObject({ status: 'success' });
    expect(await posting).toMatchObject({ status: 200, said: { success: true } });
    const [request] = owner.services.vision.list();
    expect(request).toMatchObject({ deviceId: camera, question: 'What is it?', bytes: picture.length });
    const { base64 } = owner.services.vision.picture({ id: request!.id });
    expect(Buffer.from(base64, 'base64').equals(picture)).toBe(true);
    expect(other.services.vision.list()).toEqual([]);
  });

  test('may also be one of a screen, whose address is good once', async () => {
    const { owner, other } = await openPair();
    let posted = '';
    await connectCamera(owner, (url) => (posted = at(other, url)));
    const { id } = await owner.services.vision.snapshot({ deviceId: camera });
    expect(owner.services.vision.list()).toMatchObject([{ id, kind: 'snapshot', deviceId: camera }]);
    expect((await post(posted, jpeg())).status).toBe(404);
  });

  test('is refused by the node of the device before its body is sent there', async () => {
    const { nats, owner, other } = await openPair();
    const { url, headers } = await connectCamera(owner);
    const peer = await openPeer(nats);
    const bodies = () => peer.received.filter(({ subject }) => subject.endsWith('.body')).length;
    const wrong = { ...headers, Authorization: 'Bearer wrong' };
    expect((await post(at(other, url), jpeg(), wrong)).status).toBe(401);
    expect((await post(at(other, url), jpeg(), { ...headers, 'Device-Id': '02:00:00:00:00:01' })).status).toBe(401);
    expect((await post(at(other, url.replace(/[0-9a-f]{16}/, 'f'.repeat(16))), jpeg(), headers)).status).toBe(401);
    await peer.connection.flush();
    expect(peer.received.filter(({ subject }) => subject.endsWith('.picture'))).toHaveLength(2);
    expect(bodies()).toBe(0);
    const text = await post(at(other, url), Buffer.from('text'), headers);
    expect(text).toMatchObject({ status: 200, said: { message: 'The file is no JPEG, PNG, GIF or WebP picture.' } });
    const large = await post(at(other, url), Buffer.concat([jpeg(), jpeg()]), headers);
    expect(large).toMatchObject({ status: 200, said: { success: false } });
    expect(owner.services.vision.list()).toEqual([]);
    await expect.poll(bodies).toBe(2);
    expect(await post(at(other, url), jpeg(), headers)).toMatchObject({ status: 200, said: { success: true } });
  });

  test('is refused if the node of the device has left', async () => {
    const { owner, other } = await openPair();
    const { url, headers } = await connectCamera(owner);
    await owner.close();
    await until(other, () => other.services.cluster.info().nodes.some(({ state }) => state === 'lost'));
    expect((await post(at(other, url), jpeg(), headers)).status).toBe(401);
  });
});
