/** A window returns after a restart of the workbench without a new link; nobody else does. */
import { createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';

import { serveBrowser, type BrowserServer } from '../../src-core/rpc/serveBrowser.ts';
import { createWorkbench, type Workbench } from '../../src-core/workbench.ts';
import { createManualClock, type ManualClock } from '../core/features/devices/support/manualClock.ts';

let dataDir: string;
let workbench: Workbench;
let server: BrowserServer;
let port: number;
let clock: ManualClock;
let windowKeysFile: string;
let onError: (error: unknown) => void;

const fail = (error: unknown): never => {
  throw error;
};

beforeEach(async () => {
  onError = fail;
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-return-'));
  windowKeysFile = join(dataDir, 'windows.json');
  mkdirSync(join(dataDir, 'renderer'));
  writeFileSync(join(dataDir, 'renderer', 'index.html'), '<!doctype html><title>the window</title>');
  workbench = await createWorkbench({ dataDir, checkOutputs: true, devicePort: 0, shell: 'browser', onError: fail });
  clock = createManualClock();
  await serve(0);
});
afterEach(async () => {
  await server.close();
  await workbench.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function serve(at: number): Promise<void> {
  const rendererDir = join(dataDir, 'renderer');
  const options = {
    contract: workbench.contract,
    rendererDir,
    linkFolder: dataDir,
    windowKeysFile,
    clock,
    onError: (error: unknown) => onError(error),
  };
  server = await serveBrowser({ ...options, port: at });
  port = Number(new URL(server.origin).port);
}
async function restart(at = port): Promise<void> {
  await server.close();
  await serve(at);
}

interface Answer {
  status: number;
  cookie: string | undefined;
  /** Of the page that a link leads to. */
  token: string;
  body: string;
}
function ask(path: string, { body, ...headers }: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const cookie = response.headers['set-cookie']?.[0]?.split(';')[0];
        const token = /#enter=(.*)/.exec(String(response.headers['refresh']))?.[1] ?? '';
        resolve({ status: response.statusCode ?? 0, cookie, token, body: text });
      });
    })
      .on('error', reject)
      .end(body);
  });
}
const origin = () => server.origin;
const openLink = () => ask(server.createLink().slice(origin().length));
const signIn = async () => (await openLink()).cookie!;

interface Window {
  id: string;
  secret: string;
  privateKey: KeyObject;
}
const newKey = (curve = 'P-256') => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
  return { privateKey, publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') };
};
async function addWindow(): Promise<Window> {
  const { publicKey, privateKey } = newKey();
  const { cookie = '', token } = await openLink();
  const answer = await ask('/window-key', { body: JSON.stringify({ publicKey, token }), cookie, origin: origin() });
  expect(answer.status).toBe(200);
  return { ...(JSON.parse(answer.body) as { id: string; secret: string }), privateKey };
}

const text = (who: string, at: number, nonce: string, boot: string) => `toolwire ${who}\n${at}\n${nonce}\n${boot}`;
async function prove({ id }: Pick<Window, 'id'>, nonce = randomBytes(32).toString('base64url')) {
  const answer = await ask('/window-proof', { body: JSON.stringify({ id, nonce }), origin: origin() });
  return {
    ...answer,
    nonce,
    ...(answer.status === 200 && (JSON.parse(answer.body) as { boot: string; proof: string })),
  };
}
const tokenOf = ({ id, privateKey }: Window, { nonce, boot = '' }: { nonce: string; boot?: string }, at = port) => {
  const signed = Buffer.from(text('window', at, nonce, boot));
  return `window.${id}.${sign('sha256', signed, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
};
function enter(
  token: string,
  headers: Record<string, string> = { origin: origin() },
): Promise<{ status: number; cookie?: string | undefined; protocol?: string }> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api`, ['toolwire', token], { headers });
    let cookie: string | undefined;
    socket.on('upgrade', (response) => (cookie = response.headers['set-cookie']?.[0]));
    socket.on('open', () => {
      resolve({ status: 101, cookie, protocol: socket.protocol });
      socket.terminate();
    });
    socket.on('unexpected-response', (_, response) => resolve({ status: response.statusCode ?? 0 }));
    socket.on('error', () => undefined);
  });
}

test('a window returns after each restart, and gets a new cookie', async () => {
  const old = await signIn();
  const window = await addWindow();
  await restart();
  expect((await ask('/', { cookie: old })).status).toBe(401);
  const proof = await prove(window);
  expect(proof.proof).toBe(
    createHmac('sha256', Buffer.from(window.secret, 'base64url'))
      .update(text('server', port, proof.nonce, proof.boot!))
      .digest('base64url'),
  );
  const token = tokenOf(window, proof);
  const entered = await enter(token);
  expect(entered).toMatchObject({ status: 101, protocol: 'toolwire' });
  expect(entered.cookie).toMatch(/^toolwire_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  expect((await ask('/', { cookie: entered.cookie!.split(';')[0]! })).status).toBe(200);
  expect((await enter(token)).status).toBe(401);
  await restart();
  expect((await enter(tokenOf(window, await prove(window)))).status).toBe(101);
});

test('the file contains no secret that signs in, and only the user can read it', async () => {
  const window = await addWindow();
  if (process.platform !== 'win32') expect(statSync(windowKeysFile).mode & 0o777).toBe(0o600);
  const [kept] = JSON.parse(readFileSync(windowKeysFile, 'utf8')) as Record<string, unknown>[];
  expect(Object.keys(kept!).sort()).toEqual(['expiresAt', 'id', 'publicKey', 'secret']);
  // With all of the file, but without the window's private key.
  const { privateKey } = newKey();
  expect((await enter(tokenOf({ ...window, privateKey }, await prove(window)))).status).toBe(401);
});

test('a signature is good for one process, one port and ten seconds', async () => {
  const window = await addWindow();
  const before = await prove(window);
  await restart();
  expect((await enter(tokenOf(window, before))).status).toBe(401);
  // A program on another port passes the question on to the workbench.
  const passedOn = await prove(window);
  expect((await enter(tokenOf(window, passedOn, port + 1))).status).toBe(401);
  const late = await prove(window);
  clock.advance(10_001);
  expect((await enter(tokenOf(window, late))).status).toBe(401);
  const onTime = await prove(window);
  clock.advance(9_999);
  expect((await enter(tokenOf(window, onTime))).status).toBe(101);
});

test('a workbench on another port does not prove that it is the one', async () => {
  const window = await addWindow();
  const first = port;
  await restart(0);
  const { nonce, boot = '', proof } = await prove(window);
  const expected = createHmac('sha256', Buffer.from(window.secret, 'base64url')).update(
    text('server', first, nonce, boot),
  );
  expect(port === first || proof !== expected.digest('base64url')).toBe(true);
});

test('only a page of 127.0.0.1 that is in gets a key', async () => {
  const { cookie = '', token: given } = await openLink();
  const body = JSON.stringify({ publicKey: newKey().publicKey, token: given });
  const status = async (headers: Record<string, string>) => (await ask('/window-key', { body, ...headers })).status;
  expect(await status({ origin: origin() })).toBe(401);
  expect(await status({ cookie })).toBe(403);
  expect(await status({ cookie, origin: 'http://evil.example' })).toBe(403);
  expect(await status({ cookie, host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(403);
  expect(await status({ cookie, origin: origin(), host: 'evil.example' })).toBe(421);
  // A cookie alone, as a server on another port gets it, is not enough; a token is good once.
  const other = JSON.stringify({ publicKey: newKey().publicKey, token: 'x'.repeat(43) });
  expect((await ask('/window-key', { body: other, cookie, origin: origin() })).status).toBe(401);
  expect(existsSync(windowKeysFile)).toBe(false);
  expect(await status({ cookie, origin: origin() })).toBe(200);
  expect(await status({ cookie, origin: origin() })).toBe(401);
  const window = await addWindow();
  expect((await ask('/window-proof', { body: JSON.stringify({ id: window.id, nonce: 'x'.repeat(43) }) })).status).toBe(
    403,
  );
  const token = tokenOf(window, await prove(window));
  expect((await enter(token, { origin: `http://localhost:${port}`, host: `localhost:${port}` })).status).toBe(401);
  expect((await enter(token, {})).status).toBe(401);
});

test.each(['{', '{}', { publicKey: 'AAAA' }, { publicKey: newKey('P-384').publicKey }])(
  'a wrong key is refused: %j',
  async (input) => {
    const { cookie = '', token } = await openLink();
    const body = typeof input === 'string' ? input : JSON.stringify({ ...input, token });
    expect((await ask('/window-key', { body, cookie, origin: origin() })).status).toBe(400);
    expect(existsSync(windowKeysFile)).toBe(false);
  },
);

test.each(['', 'window.x', `window.${'a'.repeat(22)}.${'b'.repeat(86)}`, 'window...'])(
  'refuses a made-up token (%s)',
  async (token) => {
    await addWindow();
    expect((await enter(token === '' ? 'other' : token)).status).toBe(401);
  },
);

test('a key is forgotten after 72 hours, and if there are 64 newer ones', async () => {
  const first = await addWindow();
  clock.advance(72 * 3_600_000 - 1);
  await restart();
  expect((await prove(first)).status).toBe(200);
  clock.advance(1);
  expect((await prove(first)).status).toBe(404);
  const second = await addWindow();
  for (let at = 0; at < 64; at += 1) await addWindow();
  expect((await prove(second)).status).toBe(404);
});

test('signing out ends pages, forgets cookies, links and keys, and leaves programs alone', async () => {
  const window = await addWindow();
  const cookie = await signIn();
  const link = server.createLink().slice(origin().length);
  const page = new WebSocket(`ws://127.0.0.1:${port}/api`, { headers: { cookie, origin: origin() } });
  const authorization = `Bearer ${server.bearerToken}`;
  const program = new WebSocket(`ws://127.0.0.1:${port}/api`, { headers: { authorization } });
  await Promise.all([page, program].map((socket) => new Promise((resolve) => socket.once('open', resolve))));
  const closed = new Promise((resolve) => page.once('close', resolve));
  expect((await ask('/sign-out', { body: '', cookie, origin: origin() })).status).toBe(401);
  expect((await ask('/sign-out', { body: '', authorization })).status).toBe(200);
  await closed;
  expect(program.readyState).toBe(WebSocket.OPEN);
  program.terminate();
  expect([(await ask('/', { cookie })).status, (await ask(link)).status]).toEqual([401, 401]);
  expect((await prove(window)).status).toBe(404);
  expect(existsSync(windowKeysFile)).toBe(false);
});

test('ignores a damaged file', async () => {
  const window = await addWindow();
  writeFileSync(windowKeysFile, '[{"id":');
  await restart();
  expect((await prove(window)).status).toBe(404);
  expect((await prove(await addWindow())).status).toBe(200);
});

test.each(['AAAA', newKey('P-384').publicKey])('ignores a key that is not of P-256: %s', async (publicKey) => {
  const good = await addWindow();
  const bad = { ...(await addWindow()), id: 'a'.repeat(22) };
  const kept = JSON.parse(readFileSync(windowKeysFile, 'utf8')) as object[];
  writeFileSync(windowKeysFile, JSON.stringify([kept[0], { ...kept[1], id: bad.id, publicKey }]));
  await restart();
  expect((await prove(bad)).status).toBe(404);
  expect((await enter(tokenOf(bad, { nonce: 'x'.repeat(43) }))).status).toBe(401);
  expect((await enter(tokenOf(good, await prove(good)))).status).toBe(101);
});

test.runIf(process.platform !== 'win32')('the file is replaced, so that a failed save leaves the old one', async () => {
  const first = await addWindow();
  chmodSync(windowKeysFile, 0o644);
  // What a crash left: its permissions must not become those of the file.
  const next = `${windowKeysFile}.${process.pid}.new`;
  writeFileSync(next, 'half of it', { mode: 0o644 });
  await addWindow();
  expect(statSync(windowKeysFile).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir).filter((name) => name.includes('.new'))).toEqual([]);
  const before = readFileSync(windowKeysFile, 'utf8');
  // A folder in the place of the temporary file: nothing can be written.
  mkdirSync(next);
  const errors: unknown[] = [];
  onError = (error) => errors.push(error);
  await addWindow();
  expect(errors).toEqual([expect.objectContaining({ code: 'EISDIR', path: next })]);
  expect(readFileSync(windowKeysFile, 'utf8')).toBe(before);
  await restart();
  expect((await prove(first)).status).toBe(200);
});
