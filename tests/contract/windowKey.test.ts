/** What a window does with servers that took the engine's port, or fail: nothing hangs, and no secret is lost. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { JSDOM } from 'jsdom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';

import { NotLetInError, type OpenLine } from '../../renderer/client/line.ts';
import { openWebSocketLine } from '../../renderer/client/openWebSocketLine.ts';
import { createWindowKey } from '../../renderer/client/windowKey.ts';

const token = 't'.repeat(43);
const next = 'n'.repeat(43);
const secret = Buffer.alloc(32, 's').toString('base64url');
const added = JSON.stringify({ id: 'i'.repeat(22), secret, token: next });

type Answer = (response: ServerResponse, body: Record<string, string>) => void;
const json =
  (text: string): Answer =>
  (response) =>
    void response.end(text);
const status =
  (code: number): Answer =>
  (response) =>
    void response.writeHead(code).end();
const silence: Answer = () => undefined;
const cut: Answer = (response) => void response.destroy();

let answers: Record<'HEAD' | '/window-key' | '/window-proof', Answer>;
let isLetIn: boolean;
let asked: string[];
let place: Pick<Location, 'protocol' | 'host' | 'hostname' | 'port'>;
let close: () => void;
const reported = vi.fn<(error: unknown) => void>();

beforeEach(async () => {
  answers = { HEAD: status(401), '/window-key': json(added), '/window-proof': status(404) };
  [isLetIn, asked] = [true, []];
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    const name = (request.method === 'HEAD' ? 'HEAD' : request.url) as keyof typeof answers;
    asked.push(name);
    void readText(request).then((body) =>
      answers[name](response, body === '' ? {} : (JSON.parse(body) as Record<string, string>)),
    );
  });
  server.on('upgrade', (request, socket, head) => {
    if (isLetIn) sockets.handleUpgrade(request, socket, head, () => undefined);
    else socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = `${(server.address() as AddressInfo).port}`;
  place = { protocol: 'http:', hostname: '127.0.0.1', host: `127.0.0.1:${port}`, port };
  close = () => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  };
  vi.stubGlobal('sessionStorage', new JSDOM('', { url: 'http://127.0.0.1/' }).window.sessionStorage);
  vi.stubGlobal('reportError', reported);
  sessionStorage.setItem('window.token', token);
});
afterEach(() => {
  close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  expect(reported.mock.calls).toEqual([]);
});

const never = (): AbortSignal => new AbortController().signal;
const kept = () => sessionStorage.getItem('window.token');

/** A key that the server knows. */
async function renewed() {
  const key = createWindowKey(place);
  await key.renew(never());
  expect(kept()).toBe(next);
  return key;
}
/** As the engine proves itself. */
const proof: Answer = (response, { nonce }) => {
  const signed = `toolwire server\n${place.port}\n${nonce}\nboot`;
  const hmac = createHmac('sha256', Buffer.from(secret, 'base64url')).update(signed).digest('base64url');
  response.end(JSON.stringify({ boot: 'boot', proof: hmac }));
};

test('a window signs only for a server that proves itself', async () => {
  const key = await renewed();
  answers['/window-proof'] = proof;
  expect(await key.prove(never())).toEqual(['toolwire', expect.stringMatching(/^window\.i{22}\.[\w-]{86}$/)]);
});

test.each([
  ['HTTP 404', status(404)],
  ['no JSON', json('<!doctype html>')],
  ['null', json('null')],
  ['nothing in it', json('{}')],
  ['another type', json('{"boot":1,"proof":2}')],
  ['no base64url', json('{"boot":"b","proof":"%%"}')],
  ['a wrong proof', json(JSON.stringify({ boot: 'b', proof: secret }))],
])('refuses a proof with %s', async (_, answer) => {
  const key = await renewed();
  answers['/window-proof'] = answer;
  expect(await key.prove(never())).toBeUndefined();
});

test('an answer without an end is not read further', async () => {
  const key = await renewed();
  answers['/window-proof'] = (response) => void response.write(`"${'x'.repeat(64 * 1024)}`);
  expect(await key.prove(never())).toBeUndefined();
});

test('a proof that is not answered ends with its signal', async () => {
  const key = await renewed();
  answers['/window-proof'] = silence;
  const controller = new AbortController();
  const proving = key.prove(controller.signal);
  await vi.waitUntil(() => asked.includes('/window-proof'));
  controller.abort();
  await expect(proving).rejects.toThrow(`No answer from http://${place.host}/window-proof`);
});

test.each([
  ['cut off', cut],
  ['answered with HTTP 500', status(500)],
  ['answered with what is not a key', json('{"id":1}')],
])('a token is kept if the request for a key is %s, and gets a key later', async (_, answer) => {
  answers['/window-key'] = answer;
  const key = createWindowKey(place);
  await key.renew(never()).catch(() => undefined); // Whether it rejects is not of interest here.
  expect(kept()).toBe(token);
  answers['/window-key'] = json(added);
  await key.renew(never());
  expect(kept()).toBe(next);
});

test('a token that the engine refuses is not sent again', async () => {
  answers['/window-key'] = status(401);
  const key = createWindowKey(place);
  await key.renew(never());
  expect(kept()).toBeNull();
  await key.renew(never());
  expect(asked).toEqual(['/window-key']);
});

test('a late refusal of the old token leaves the new one', async () => {
  const held: ServerResponse[] = [];
  answers['/window-key'] = (response) => void held.push(response);
  const key = createWindowKey(place);
  const [first, second] = [key.renew(never()), key.renew(never())];
  await vi.waitUntil(() => held.length === 2);
  held[0]!.end(added);
  await vi.waitUntil(() => kept() === next);
  held[1]!.writeHead(401).end();
  await Promise.all([first, second]);
  expect(kept()).toBe(next);
});

/** Opens a line as a window that has a key, then loses it to a program that takes the port. */
async function lose(open: OpenLine): Promise<void> {
  (await open(never())).close();
  await vi.waitUntil(() => kept() === next);
  isLetIn = false;
  asked = [];
}
/** The time limits that are set from now on, which end only if the test aborts them. */
function holdLimits(): AbortController[] {
  const limits: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  return limits;
}

test.each([
  ['HEAD', 'its time limit', 'No answer from ws://127.0.0.1:'],
  ['HEAD', 'closing the window', 'No answer from ws://127.0.0.1:'],
  ['/window-proof', 'its time limit', 'No answer from http://127.0.0.1:'],
  ['/window-proof', 'closing the window', 'No answer from http://127.0.0.1:'],
] as const)('if a program on the port never answers %s, the attempt ends by %s', async (name, end, words) => {
  const open = openWebSocketLine(place);
  await lose(open);
  answers[name] = silence;
  const limits = holdLimits();
  const closing = new AbortController();
  const opening = open(closing.signal).catch((error: unknown) => error);
  await vi.waitUntil(() => asked.includes(name));
  expect(limits).toHaveLength(1);
  (end === 'its time limit' ? limits[0]! : closing).abort();
  const failure = await opening;
  expect(failure).not.toBeInstanceOf(NotLetInError);
  expect(String(failure)).toContain(words);
});

test('if a program on the port takes the connection and never answers, the attempt ends by its time limit', async () => {
  const mute = createServer();
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const { port } = mute.address() as AddressInfo;
  const limits = holdLimits();
  const upgraded = once(mute, 'upgrade');
  const opening = openWebSocketLine({ ...place, host: `127.0.0.1:${port}`, port: `${port}` })(never());
  const [, socket] = (await upgraded) as [unknown, Socket];
  expect(limits).toHaveLength(1);
  limits[0]!.abort();
  await expect(opening).rejects.toThrow(`No answer from ws://127.0.0.1:${port}/api`);
  socket.destroy();
  mute.close();
});
