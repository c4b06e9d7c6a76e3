/** Sessions of the LLM gateway that move between nodes, with clients over WebSocket and a model over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Msg } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { settingDefinitions } from '../../../../src-core/features/gateway/settings.ts';
import type { SessionPlace } from '../../../../src-core/features/cluster/movedSession.ts';
import { SharedSessions } from '../../../../src-core/features/cluster/sharedSessions.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { startScriptedChatServer, type ChatServerBody } from '../../../fakes/scriptedChatServer.ts';
import { builtCli } from '../../../helpers/builtCli.ts';
import { freePort } from '../../../helpers/freePort.ts';
import { noNatsServer, natsServer, openNatsServer, type NatsServer } from '../../../helpers/natsServer.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { handClock } from '../calls/runs/handClock.ts';
import { connectClient, inShort, type TestClient } from '../gateway/support/testClient.ts';
import { ask } from '../gateway/support/wording.ts';
import { memberOf, openPeer, type Peer } from './peer.ts';

beforeEach(() => {
  for (const { variable } of Object.values(settingDefinitions)) if (variable) vi.stubEnv(variable, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

const said = ({ messages }: ChatServerBody): string[] => messages.slice(1).map(({ content }) => String(content));

interface NodeOptions {
  keepSessions?: boolean;
  /** What holds the answers of the model back. */
  waits?: Promise<void>;
  dataDir?: string;
  port?: number;
}

/** A node with a gateway whose model repeats the question. */
async function openNode(nats: NatsServer, name: string, options: NodeOptions = {}) {
  const { keepSessions = false, waits, dataDir = dataFolder(), port = 0 } = options;
  const server = await startScriptedChatServer({
    async turns({ messages }) {
      await waits;
      return { text: `re ${String(messages.at(-1)!.content)}` };
    },
  });
  onTestFinished(() => server.close());
  const node = await openWorkbench({
    cluster: { ...memberOf(nats, name), keepSessions },
    dataDir,
    shell: 'browser',
    onError: () => undefined,
  });
  const { id } = await node.services.models.save({
    kind: 'openai-compatible',
    label: 'Stand-in',
    preset: 'custom',
    baseUrl: server.baseUrl,
    model: 'stand-in',
    stream: true,
    totalMs: 60_000,
    chunkMs: 30_000,
  });
  await node.services.gateway.configure({ settings: { port, enableContext: true }, modelId: id });
  const { urls } = await node.services.gateway.setEnabled({ enabled: true });
  return { node, url: urls[0]!, server };
}

/** The same in a process of its own. */
async function startNode(nats: NatsServer, name: string, { keepSessions }: { keepSessions: boolean }) {
  const dataDir = dataFolder();
  const { node, url } = await openNode(nats, name, { dataDir, port: await freePort() });
  await node.close();
  const flags = ['--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dataDir];
  const cluster = ['--cluster', nats.url, '--cluster-name', 'lab', '--node-name', name];
  const child = spawn(
    process.execPath,
    [builtCli, 'serve', ...flags, ...cluster, ...(keepSessions ? ['--keep-sessions'] : [])],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  await once(createInterface({ input: child.stdout }), 'line');
  return { url, kill };
}

const sees = (node: Workbench, count: number) =>
  expect.poll(() => node.services.cluster.info().nodes.filter(({ state }) => state !== 'lost')).toHaveLength(count);
const sessionsOf = (node: Workbench) => node.services.gateway.sessions().map(({ id }) => id);

async function chat(client: TestClient, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    client.send(ask(text));
    await client.upTo('idle');
  }
}

async function openClient(url: string): Promise<TestClient> {
  const client = await connectClient(url);
  await client.connected();
  return client;
}

function jetStream(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-jetstream-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `jetstream { store_dir: "${folder}" }`;
}

test('a node that leaves its cluster does not wait for a session any longer', async () => {
  const clock = handClock();
  const node = 'a'.repeat(16);
  const sessions = new SharedSessions({
    bus: { subscribe: () => () => undefined },
    inbox: { ask: () => () => undefined },
    node,
    clock,
    members: { list: () => [{ node, state: 'live', beat: { v: 1 } }] },
    onError: () => undefined,
  } as unknown as ConstructorParameters<typeof SharedSessions>[0]);
  const taking = sessions.takeOver(`${node}.${'0'.repeat(36)}`, {} as SessionPlace);
  sessions.close();
  await taking;
  expect(clock.pending()).toBe(0);
});

describe.skipIf(natsServer === undefined)(`sessions in a cluster (${natsServer ?? noNatsServer})`, () => {
  test('go on at another node with the last ten messages; the first has them no longer', async () => {
    const nats = await openNatsServer();
    const [one, other] = [await openNode(nats, 'one'), await openNode(nats, 'other')];
    await sees(one.node, 2);
    await sees(other.node, 2);
    const client = await openClient(one.url);
    const { sessionId } = client;
    expect(Buffer.byteLength(sessionId)).toBeLessThanOrEqual(63);
    await chat(client, 'a', 'b', 'c', 'd', 'e', 'f');
    client.socket.terminate();
    const again = await openClient(other.url);
    // The messages behind the one that moves the session keep their order.
    again.send({ type: 'text_input', text: 'g', session_id: sessionId });
    again.send(ask('h'));
    again.send({ type: 'ping' });
    const got = [...(await again.upTo('idle')), ...(await again.upTo('idle'))];
    expect(got.filter(({ type }) => type === 'llm_response').map(({ content }) => content)).toEqual(['re g', 're h']);
    expect(said(other.server.chats[0]!.body)).toEqual([
      're b',
      'c',
      're c',
      'd',
      're d',
      'e',
      're e',
      'f',
      're f',
      'g',
    ]);
    expect(other.node.services.gateway.sessionMessages({ id: sessionId })).toHaveLength(10);
    expect(sessionsOf(one.node)).not.toContain(sessionId);
    // start_session moves it back to the first node.
    const third = await openClient(one.url);
    third.send({ type: 'start_session', session_id: sessionId });
    expect(await third.next()).toMatchObject({ status: 'connected', data: { session_id: sessionId } });
    expect(sessionsOf(other.node)).not.toContain(sessionId);
  });

  test('take language, role and what calls are compared with along', async () => {
    const nats = await openNatsServer({ config: jetStream() });
    const [one, other] = [await openNode(nats, 'one'), await openNode(nats, 'other', { keepSessions: true })];
    await sees(other.node, 2);
    const peer = await openPeer(nats);
    await peer.meet('one');
    const client = await openClient(one.url);
    await chat(client, 'a');
    const { id } = one.node.services.cluster.info().nodes[0]!;
    peer.beat();
    await sees(one.node, 3);
    const taken = peer.send(`n.${id}.session`, questionOf(peer, client.sessionId));
    await expect.poll(() => taken.answers.length).toBe(1);
    const { session } = taken.answers[0] as { session: object };
    expect(session).toMatchObject({ id: client.sessionId, texts: [{ source: '', text: 'a' }] });
    const answer = {
      session: { ...session, language: 'en-US', role: 'unknown', texts: [{ source: 'x_y', text: 'told' }] },
    };
    peer.connection.subscribe(`tw.lab.n.${peer.node}.session`, {
      callback: (_, message) => void message.respond(JSON.stringify(answer)),
    });
    await peer.connection.flush();
    peer.beat();
    await sees(other.node, 3);
    const again = await openClient(other.url);
    again.send({ type: 'start_session', session_id: client.sessionId });
    expect(await again.next()).toMatchObject({ status: 'connected' });
    const { texts, language } = answer.session;
    await expect.poll(() => keptOf(nats, client.sessionId)).toMatchObject({ texts, language });
    await chat(again, 'b');
    expect(said(other.server.chats[0]!.body)).toEqual(['a', 're a', 'b']);
    expect(other.node.services.gateway.sessions().find(({ id: each }) => each === client.sessionId)).toMatchObject({
      language: 'en-US',
    });
  });

  test('a running turn of a session that moves ends with SESSION_ERROR at the node that it leaves', async () => {
    const nats = await openNatsServer();
    let answer = (): void => undefined;
    const waits = new Promise<void>((resolve) => (answer = resolve));
    onTestFinished(() => answer());
    const [one, other] = [await openNode(nats, 'one', { waits }), await openNode(nats, 'other')];
    await sees(other.node, 2);
    const client = await openClient(one.url);
    client.send(ask('a'));
    await client.upTo('processing');
    const again = await openClient(other.url);
    again.send({ type: 'text_input', text: 'b', session_id: client.sessionId });
    await again.upTo('idle');
    expect(inShort(await client.upTo('idle'))).toEqual(['error:SESSION_ERROR', 'status:idle']);
  });

  test('with their node lost are a SESSION_ERROR, or the last finished turn if they are kept', async () => {
    for (const keepSessions of [false, true]) {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await startNode(nats, 'one', { keepSessions });
      const other = await openNode(nats, 'other', { keepSessions });
      await sees(other.node, 2);
      const client = await openClient(one.url);
      await chat(client, 'a', 'b');
      const ended = await openClient(one.url);
      await chat(ended, 'x');
      ended.send({ type: 'end_session' });
      await ended.upTo('idle');
      if (keepSessions)
        await expect.poll(() => keptOf(nats, client.sessionId)).toMatchObject({ messages: { length: 4 } });
      if (keepSessions) await expect.poll(() => keptOf(nats, ended.sessionId)).toMatchObject({ ended: true });
      await one.kill();
      const again = await openClient(other.url);
      again.send({ type: 'text_input', text: 'c', session_id: client.sessionId });
      const frames = inShort(await again.upTo(keepSessions ? 'idle' : 'error'));
      if (!keepSessions) expect(frames).toEqual(['error:SESSION_ERROR']);
      else expect(said(other.server.chats[0]!.body)).toEqual(['a', 're a', 'b', 're b', 'c']);
      // One that was ended does not come back.
      again.send({ type: 'start_session', session_id: ended.sessionId });
      expect(inShort(await again.upTo('error'))).toEqual(['error:SESSION_ERROR']);
    }
  });

  test('are not taken from an answer that is none, of another session, or too large', async () => {
    const nats = await openNatsServer();
    const one = await openNode(nats, 'one');
    const peer = await openPeer(nats);
    await peer.meet('one');
    let answer: object | string = {};
    peer.connection.subscribe(`tw.lab.n.${peer.node}.session`, {
      callback: (_, message) => void message.respond(typeof answer === 'string' ? answer : JSON.stringify(answer)),
    });
    await peer.connection.flush();
    peer.beat();
    await sees(one.node, 2);
    const id = `${peer.node}.${'0'.repeat(36)}`;
    const session = { id, startedAt: 1, moves: 0, lastActiveAt: 1, messages: [], texts: [] };
    const message = { role: 'user', content: 'x' };
    const client = await openClient(one.url);
    for (const bad of [
      'no JSON',
      { session: 7 },
      { session: { ...session, id: `${peer.node}.${'1'.repeat(36)}` } },
      { session: { ...session, messages: Array.from({ length: 11 }, () => message) } },
      { session: { ...session, messages: [{ role: 'system', content: 'x' }] } },
      { session: { ...session, texts: Array.from({ length: 2_001 }, () => ({ source: '', text: '' })) } },
      { session: { ...session, startedAt: -1 } },
    ]) {
      answer = bad;
      peer.beat();
      client.send({ type: 'start_session', session_id: id });
      expect(inShort(await client.upTo('error'))).toEqual(['error:SESSION_ERROR']);
    }
    // The clock of the other node may show any time.
    answer = { session: { ...session, lastActiveAt: 1 } };
    client.send({ type: 'start_session', session_id: id });
    expect(await client.next()).toMatchObject({ status: 'connected', data: { session_id: id } });
  });

  test('stay at their node, which does not answer, if it is asked too late or by a node that it does not know', async () => {
    const nats = await openNatsServer();
    const one = await openNode(nats, 'one');
    const peer = await openPeer(nats);
    await peer.meet('one');
    const { sessionId } = await openClient(one.url);
    const { id } = one.node.services.cluster.info().nodes[0]!;
    const unknown = peer.send(`n.${id}.session`, questionOf(peer, sessionId));
    peer.beat();
    await sees(one.node, 2);
    const late = peer.send(`n.${id}.session`, { ...questionOf(peer, sessionId), at: performance.now() - 60_000 });
    const other = `${peer.node}.${'0'.repeat(36)}`;
    const none = peer.send(`n.${id}.session`, questionOf(peer, other));
    await expect.poll(() => none.answers).toEqual([{}]);
    expect([...unknown.answers, ...late.answers]).toEqual([]);
    expect(sessionsOf(one.node)).toContain(sessionId);
    const timely = peer.send(`n.${id}.session`, questionOf(peer, sessionId));
    await expect.poll(() => timely.answers).toMatchObject([{ session: { id: sessionId } }]);
    expect(sessionsOf(one.node)).not.toContain(sessionId);
  });

  test('stay at their node, which does not answer, if the broker does not take them', async () => {
    const nats = await openNatsServer({ config: 'max_payload: 4096' });
    const one = await openNode(nats, 'one');
    const peer = await openPeer(nats);
    await peer.meet('one');
    peer.beat();
    await sees(one.node, 2);
    const client = await openClient(one.url);
    await chat(client, 'x'.repeat(4_096));
    const { id } = one.node.services.cluster.info().nodes[0]!;
    const asked = peer.send(`n.${id}.session`, questionOf(peer, client.sessionId));
    const none = peer.send(`n.${id}.session`, questionOf(peer, `${peer.node}.${'0'.repeat(36)}`));
    await expect.poll(() => none.answers).toEqual([{}]);
    expect(asked.answers).toEqual([]);
    expect(sessionsOf(one.node)).toContain(client.sessionId);
  });

  test('go on from a stored turn once, before they expire, and only if no silent node may have them', async () => {
    const nats = await openNatsServer({ config: jetStream() });
    const one = await openNode(nats, 'one', { keepSessions: true });
    const client = await openClient(one.url);
    await chat(client, 'x');
    await expect.poll(() => keptOf(nats, client.sessionId)).toMatchObject({ id: client.sessionId });
    const peer = await openPeer(nats);
    await peer.meet('one');
    const session = { startedAt: 1, moves: 0, lastActiveAt: 1, messages: [], texts: [] };
    const [id, expired] = ['0', '1'].map((digit) => `${'b'.repeat(16)}.${digit.repeat(36)}`);
    const store = (each: string): Promise<unknown> =>
      peer.connection.request(keyOf(each), JSON.stringify({ ...session, id: each }));
    await store(id!);
    await store(expired!);
    let answers = false;
    peer.connection.subscribe(`tw.lab.n.${peer.node}.session`, {
      callback: (_, message) => void (answers && message.respond('{}')),
    });
    await peer.connection.flush();
    peer.beat();
    await sees(one.node, 2);
    const start = (each: string) => client.send({ type: 'start_session', session_id: each });
    start(id!);
    expect(inShort(await client.upTo('error'))).toEqual(['error:SESSION_ERROR']);
    answers = true;
    start(id!);
    expect(await client.next()).toMatchObject({ status: 'connected', data: { session_id: id } });
    await expect.poll(() => keptOf(nats, id!)).toMatchObject({ id });
    await delay(20);
    await one.node.services.gateway.configure({ settings: { sessionTimeout: 0.01 } });
    start(expired!);
    expect(inShort(await client.upTo('error'))).toEqual(['error:SESSION_ERROR']);
    expect(await keptOf(nats, expired!)).toMatchObject({ taken: true });
  });

  test('that another node has taken from the store end at the first, which stores nothing more of them', async () => {
    const nats = await openNatsServer({ config: jetStream() });
    const one = await openNode(nats, 'one', { keepSessions: true });
    const peer = await openPeer(nats);
    await peer.meet('one');
    const start = async () => {
      const client = await openClient(one.url);
      await chat(client, 'a');
      const { sessionId: id } = client;
      await expect.poll(() => keptOf(nats, id)).toMatchObject({ id });
      const newer = { taken: true, moves: 1, node: peer.node };
      await peer.connection.request(keyOf(id), JSON.stringify(newer));
      return { client, id, newer };
    };
    const answering = await start();
    await chat(answering.client, 'b');
    await expect.poll(() => sessionsOf(one.node)).not.toContain(answering.id);
    const ending = await start();
    ending.client.send({ type: 'end_session' });
    await ending.client.upTo('idle');
    // It is found when a node returns.
    const silent = await start();
    peer.beat();
    await expect.poll(() => sessionsOf(one.node)).not.toContain(silent.id);
    for (const { id, newer } of [answering, ending, silent]) expect(await keptOf(nats, id)).toEqual(newer);
  });

  test('of other ids ask no node, and questions that are none get no answer', async () => {
    const nats = await openNatsServer();
    const one = await openNode(nats, 'one');
    const peer = await openPeer(nats);
    await peer.meet('one');
    peer.beat();
    await sees(one.node, 2);
    const client = await openClient(one.url);
    for (const id of ['x', 'a.b', `${'g'.repeat(16)}.${'0'.repeat(36)}`]) {
      client.send({ type: 'start_session', session_id: id });
      expect(inShort(await client.upTo('error'))).toEqual(['error:SESSION_ERROR']);
    }
    expect(peer.received.some(({ subject }) => subject.endsWith('.session'))).toBe(false);
    const { id } = one.node.services.cluster.info().nodes[0]!;
    const good = questionOf(peer, client.sessionId);
    const { node, at, ...withoutNode } = good;
    const bad = [
      { ...good, v: 9 },
      { ...good, id: 'x' },
      withoutNode,
      { ...withoutNode, node },
      { ...withoutNode, at },
    ].map((asked) => peer.send(`n.${id}.session`, asked));
    const none = peer.send(`n.${id}.session`, questionOf(peer, `${peer.node}.${'0'.repeat(36)}`));
    await expect.poll(() => none.answers).toEqual([{}]);
    expect(bad.flatMap(({ answers }) => answers)).toEqual([]);
    expect(sessionsOf(one.node)).toContain(client.sessionId);
  });

  test('arrive also if their client has left meanwhile', async () => {
    const nats = await openNatsServer();
    const one = await openNode(nats, 'one');
    const peer = await openPeer(nats);
    await peer.meet('one');
    const asked: Msg[] = [];
    peer.connection.subscribe(`tw.lab.n.${peer.node}.session`, { callback: (_, message) => void asked.push(message) });
    await peer.connection.flush();
    peer.beat();
    await sees(one.node, 2);
    const id = `${peer.node}.${'0'.repeat(36)}`;
    const leaving = await openClient(one.url);
    leaving.send({ type: 'start_session', session_id: id });
    await expect.poll(() => asked.length).toBe(1);
    leaving.socket.terminate();
    const left = () => one.node.services.gateway.sessions().find((each) => each.id === leaving.sessionId);
    await expect.poll(() => left()?.connections).toEqual([]);
    asked[0]!.respond(
      JSON.stringify({ session: { id, startedAt: 1, moves: 0, lastActiveAt: 1, messages: [], texts: [] } }),
    );
    await expect.poll(() => sessionsOf(one.node)).toContain(id);
  });
});

const questionOf = ({ node }: Peer, id: string) => ({ v: 1, id, node, at: performance.now() });

const keyOf = (id: string): string => `$KV.tw_lab_sessions.${Buffer.from(id).toString('base64url')}`;

/** By a direct get: Debian's nats-server 2.9.10 ends with a panic if MSG.GET arrives while the stream is being created. */
async function keptOf({ url }: NatsServer, id: string): Promise<unknown> {
  const connection = await connect({ servers: url });
  try {
    const answer = await connection.request(`$JS.API.DIRECT.GET.KV_tw_lab_sessions.${keyOf(id)}`);
    return answer.data.length === 0 ? undefined : answer.json();
  } finally {
    await connection.close();
  }
}
