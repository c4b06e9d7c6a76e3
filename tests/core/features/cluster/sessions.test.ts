/** Sessions of the LLM gateway that move between nodes, with clients over WebSocket and a model over HTTP. */
import type { Msg } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import type { GatewaySessions } from '../../../../src-core/features/cluster/movedSession.ts';
import { SharedSessions } from '../../../../src-core/features/cluster/sharedSessions.ts';
import { jetStream, noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { handClock } from '../calls/runs/handClock.ts';
import { inShort } from '../gateway/support/testClient.ts';
import { ask } from '../gateway/support/wording.ts';
import {
  chat,
  clearGatewayVariables,
  keptOf,
  openClient,
  openNode,
  questionOf,
  said,
  sees,
  sessionsOf,
} from './gatewayNodes.ts';
import { openPeer } from './peer.ts';

beforeEach(clearGatewayVariables);
afterEach(() => void vi.unstubAllEnvs());

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
  const taking = sessions.takeOver(`${node}.${'0'.repeat(36)}`, {} as GatewaySessions);
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
    const session = { id, startedAt: 1, moves: 0, messages: [], texts: [] };
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
    answer = { session };
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

  test('go on with their newest messages over a broker that takes messages of 32 kB', async () => {
    const nats = await openNatsServer({ config: 'max_payload: 32768' });
    const [one, other] = [await openNode(nats, 'one'), await openNode(nats, 'other')];
    await sees(one.node, 2);
    await sees(other.node, 2);
    const client = await openClient(one.url);
    const { sessionId } = client;
    const texts = Array.from({ length: 10 }, (_, at) => `${at}${' and so on'.repeat(200)}`);
    await chat(client, ...texts);
    client.socket.terminate();
    const again = await openClient(other.url);
    again.send({ type: 'text_input', text: 'last', session_id: sessionId });
    await again.upTo('idle');
    expect(said(other.server.chats[0]!.body)).toEqual([texts[8], `re ${texts[8]}`, texts[9], `re ${texts[9]}`, 'last']);
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
    asked[0]!.respond(JSON.stringify({ session: { id, startedAt: 1, moves: 0, messages: [], texts: [] } }));
    await expect.poll(() => sessionsOf(one.node)).toContain(id);
  });
});
