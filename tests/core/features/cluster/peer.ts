/** A node of a cluster that a test plays itself, over the published client of NATS. */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { expect, onTestFinished } from 'vitest';

import type { ClusterOptions } from '../../../../src-core/features/cluster/service.ts';
import { wireVersion } from '../../../../src-core/features/cluster/messages.ts';
import type { NatsServer } from '../../../helpers/natsServer.ts';

/** How a workbench joins the cluster of a test. */
export const memberOf = ({ url }: Pick<NatsServer, 'url'>, nodeName: string): ClusterOptions => ({
  url,
  name: 'lab',
  nodeName,
  nkeyFile: '',
  caFile: '',
});

export interface Peer {
  readonly node: string;
  readonly connection: NatsConnection;
  /** Everything that arrives below `tw.lab` from now on. */
  readonly received: { subject: string; data: Record<string, unknown> }[];
  stopReceiving(): void;
  /** Resolves once a node has sent a beat: it receives those of this peer then. */
  meet(name: string): Promise<void>;
  /** Publishes below `tw.lab`, and collects the answers. */
  send(subject: string, data: object): { answers: Record<string, unknown>[] };
  /** Sends a beat with these facts now and every second, so that the peer stays a member on a busy machine. */
  beat(facts?: object): void;
  /** Sends no more beats, and says so. */
  leave(): void;
  /** A call message for a device of `owner`, as this peer would send it. */
  call(facts: object): Record<string, unknown>;
}

export async function openPeer(nats: NatsServer, node = 'aaaaaaaaaaaaaaaa'): Promise<Peer> {
  const connection = await connect({ servers: nats.url });
  onTestFinished(() => connection.close());
  const received: Peer['received'] = [];
  const prefix = 'tw.lab.';
  const subscription = connection.subscribe('tw.lab.>', {
    callback: (_, message) => {
      const data = parse(message.string());
      if (data !== undefined) received.push({ subject: message.subject.slice(prefix.length), data });
    },
  });
  await connection.flush();
  let sent = 0;
  let numbered = 0;
  let beats: NodeJS.Timeout | undefined;
  onTestFinished(() => clearInterval(beats));
  const sendBeat = (facts: object): void =>
    connection.publish(
      `${prefix}beat`,
      JSON.stringify({
        v: wireVersion,
        node,
        name: 'peer',
        version: '0.0.0',
        at: performance.now(),
        seq: 0,
        devices: 0,
        calls: 0,
        draining: false,
        ...facts,
      }),
    );
  return {
    node,
    connection,
    received,
    stopReceiving: () => subscription.unsubscribe(),
    meet: (name) =>
      expect.poll(() => received.some(({ subject, data }) => subject === 'beat' && data['name'] === name)).toBe(true),
    send(subject, data) {
      const answers: Record<string, unknown>[] = [];
      const reply = `${prefix}n.${node}.r.${(sent += 1)}`;
      connection.subscribe(reply, {
        callback: (_, message) => {
          answers.push(message.data.length === 0 ? { isUndelivered: true } : message.json());
        },
      });
      connection.publish(prefix + subject, JSON.stringify(data), { reply });
      return { answers };
    },
    beat(facts = {}) {
      clearInterval(beats);
      sendBeat(facts);
      beats = setInterval(sendBeat, 1_000, facts);
    },
    leave() {
      clearInterval(beats);
      connection.publish(`${prefix}bye`, JSON.stringify({ v: wireVersion, node }));
    },
    call: (facts) => ({
      v: wireVersion,
      callId: `call-${(numbered += 1)}`,
      node,
      n: numbered,
      at: performance.now(),
      hash: '',
      args: '{}',
      timeoutMs: 30_000,
      ...facts,
    }),
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
