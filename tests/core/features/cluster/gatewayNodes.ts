/** Nodes with a gateway each, whose sessions move. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, vi } from 'vitest';

import { settingDefinitions } from '../../../../src-core/features/gateway/settings.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { startScriptedChatServer, type ChatServerBody } from '../../../fakes/scriptedChatServer.ts';
import { builtCli } from '../../../helpers/builtCli.ts';
import { freePort } from '../../../helpers/freePort.ts';
import type { NatsServer } from '../../../helpers/natsServer.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { connectClient, type TestClient } from '../gateway/support/testClient.ts';
import { ask } from '../gateway/support/wording.ts';
import { memberOf, type Peer } from './peer.ts';

/** Without the settings of a gateway that the environment of the tests may have. */
export function clearGatewayVariables(): void {
  for (const { variable } of Object.values(settingDefinitions)) if (variable) vi.stubEnv(variable, undefined);
}

export const said = ({ messages }: ChatServerBody): string[] => messages.slice(1).map(({ content }) => String(content));

interface NodeOptions {
  keepSessions?: boolean;
  /** What holds the answers of the model back. */
  waits?: Promise<void>;
  dataDir?: string;
  port?: number;
}

/** A node with a gateway whose model repeats the question. */
export async function openNode(nats: NatsServer, name: string, options: NodeOptions = {}) {
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
export async function startNode(nats: NatsServer, name: string, { keepSessions }: { keepSessions: boolean }) {
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

export const sees = (node: Workbench, count: number) =>
  expect.poll(() => node.services.cluster.info().nodes.filter(({ state }) => state !== 'lost')).toHaveLength(count);
export const sessionsOf = (node: Workbench) => node.services.gateway.sessions().map(({ id }) => id);

export async function chat(client: TestClient, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    client.send(ask(text));
    await client.upTo('idle');
  }
}

export async function openClient(url: string): Promise<TestClient> {
  const client = await connectClient(url);
  await client.connected();
  return client;
}

export const questionOf = ({ node }: Peer, id: string) => ({ v: 1, id, node, at: performance.now() });

export const coded = (id: string): string => Buffer.from(id).toString('base64url');
export const keyOf = (id: string): string => `$KV.tw_lab_sessions.${coded(id)}`;

/** By a direct get: Debian's nats-server 2.9.10 ends with a panic if MSG.GET arrives while the stream is being created. */
export async function keptOf({ url }: NatsServer, id: string): Promise<unknown> {
  const connection = await connect({ servers: url });
  try {
    const answer = await connection.request(`$JS.API.DIRECT.GET.KV_tw_lab_sessions.${keyOf(id)}`);
    return answer.data.length === 0 ? undefined : answer.json();
  } finally {
    await connection.close();
  }
}
