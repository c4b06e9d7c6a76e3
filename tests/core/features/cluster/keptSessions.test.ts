/** The last turns of gateway sessions, which nodes store over NATS KV. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { GatewaySession, GatewaySessions } from '../../../../src-core/features/cluster/movedSession.ts';
import { SharedSessions } from '../../../../src-core/features/cluster/sharedSessions.ts';
import { jetStream, noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { handClock } from '../calls/runs/handClock.ts';
import { inShort } from '../gateway/support/testClient.ts';
import {
  chat,
  clearGatewayVariables,
  coded,
  keptOf,
  keyOf,
  openClient,
  openNode,
  said,
  sees,
  sessionsOf,
  startNode,
} from './gatewayNodes.ts';
import { openPeer } from './peer.ts';

beforeEach(clearGatewayVariables);
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Sessions of a node without others, in a store whose replica may be behind. */
function openSessions() {
  const clock = handClock();
  const node = 'a'.repeat(16);
  const ids = ['0', '1'].map((digit) => `${node}.${digit.repeat(36)}`) as [string, string];
  const session = { startedAt: 1, moves: 0, messages: [], texts: [] };
  const stored = new Map<string, unknown>(ids.map((id) => [coded(id), { ...session, id }]));
  const state = { isAway: false, lastAt: 0 };
  const check = (): void => {
    if (state.isAway) throw new Error('JetStream does not answer.');
  };
  const store = {
    open: async () => check(),
    get: async (key: string) => ({ value: stored.get(key), seq: 1, at: 0 }),
    state: async () => ({ at: state.lastAt }),
    put: async (key: string, value: object) => {
      check();
      stored.set(key, value);
    },
  };
  const sessions = new SharedSessions({
    bus: { subscribe: () => () => undefined },
    node,
    clock,
    members: { list: () => [] },
    store,
    sessionStore: () => undefined,
    onError: () => undefined,
  } as unknown as ConstructorParameters<typeof SharedSessions>[0]);
  const takeOver = async (id: string): Promise<boolean> => {
    const create = vi.fn();
    const sessionStore = { timeoutMs: () => 60_000, get: () => undefined, create, remember: () => undefined };
    create.mockReturnValue({});
    await sessions.takeOver(id, sessionStore as unknown as GatewaySessions);
    return create.mock.calls.length > 0;
  };
  return { sessions, clock, ids, state, takeOver, valueOf: (id: string) => stored.get(coded(id)) };
}

test('an ended session is stored as ended once the store answers, and does not come back meanwhile', async () => {
  const { sessions, clock, ids, state, takeOver, valueOf } = openSessions();
  state.isAway = true;
  for (const id of ids) sessions.end({ id, moves: 0 } as GatewaySession);
  await expect.poll(() => clock.pending()).toBe(1);
  state.isAway = false;
  expect(await takeOver(ids[0])).toBe(false);
  clock.move(5_000);
  for (const id of ids) await expect.poll(() => valueOf(id)).toMatchObject({ ended: true });
  state.isAway = true;
  sessions.end({ id: ids[0], moves: 1 } as GatewaySession);
  await expect.poll(() => clock.pending()).toBe(1);
  sessions.close();
  expect(clock.pending()).toBe(0);
});

test('a stored turn expires by the time at which the broker stored that it was taken', async () => {
  const { ids, state, takeOver } = openSessions();
  state.lastAt = 59_999;
  expect(await takeOver(ids[0])).toBe(true);
  state.lastAt = 60_000;
  expect(await takeOver(ids[1])).toBe(false);
});

describe.skipIf(natsServer === undefined)(`kept sessions (${natsServer ?? noNatsServer})`, () => {
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
      // Until the broker has noticed, the node may have the session.
      await sees(other.node, 1);
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

  test('go on from a stored turn once, before they expire, and only if no silent node may have them', async () => {
    const nats = await openNatsServer({ config: jetStream() });
    const one = await openNode(nats, 'one', { keepSessions: true });
    const client = await openClient(one.url);
    await chat(client, 'x');
    await expect.poll(() => keptOf(nats, client.sessionId)).toMatchObject({ id: client.sessionId });
    const peer = await openPeer(nats);
    await peer.meet('one');
    const session = { startedAt: 1, moves: 0, messages: [], texts: [] };
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
    // It is found when a node returns, and when this node was stopped.
    const silent = await start();
    peer.beat();
    await expect.poll(() => sessionsOf(one.node)).not.toContain(silent.id);
    const stopped = await start();
    const wall = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => wall() + 5_000);
    await expect.poll(() => sessionsOf(one.node)).not.toContain(stopped.id);
    for (const { id, newer } of [answering, ending, silent, stopped]) expect(await keptOf(nats, id)).toEqual(newer);
  });
});
