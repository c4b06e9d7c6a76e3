/**
 * A tool of the registry over our `/mcp`, with token, confirmation rules, history and frames, against the same tool of the SDK's bare
 * handler. Both servers run in this process, the client of the SDK in a thread of its own.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { createWorkbench, type Workbench } from '../../src-core/workbench.ts';
import { compareInRounds, compareInTurns, median, rounds, type Comparison } from './compareInTurns.ts';
import { serveBench } from './mcpServer.ts';

type Row = Record<string, string | number>;
type Era = 'legacy' | 'modern';
type Place = Record<'ours' | 'peer', { url: string; tool: string; token: string }>;

const turns = 60;
const callsPerTurn = 30;
const manyTools = 1_000;
const maxRatio = 1.3;
const maxFirstByteMs = 50;
const revision = '2026-07-28';
const note =
  'Ours finds the token, checks the arguments, applies the rules for dangerous calls, writes the call to the history and each frame to the ' +
  `log; the bare handler does none of it. ${rounds} rounds with new clients, each of ${turns} turns of ${callsPerTurn} calls, which begin with the other ` +
  'side; the ratio of a round is the median over its turns, and the row is the round with the median ratio. The first byte is that of the answer ' +
  'to a list of all tools: the first request after they were registered, and the median of 20.';

async function open(era: Era, { url, token }: { url: string; token: string }): Promise<Client> {
  const mode = era === 'legacy' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** In the thread: compares, and reports. */
async function compare({ era, place }: { era: Era; place: Place }): Promise<void> {
  const clients = { ours: await open(era, place.ours), peer: await open(era, place.peer) };
  const call = (side: 'ours' | 'peer') => async (): Promise<void> => {
    const { isError } = await clients[side].callTool({ name: place[side].tool, arguments: { message: 'hello' } });
    if (isError === true) throw new Error(`The call of ${side} failed.`);
  };
  const found = await compareInTurns({ turns, times: callsPerTurn, ours: call('ours'), peer: call('peer') });
  await Promise.all([clients.ours.close(), clients.peer.close()]);
  parentPort?.postMessage(found);
}

if (!isMainThread) await compare(workerData as Parameters<typeof compare>[0]);

function register({ toolRegistryManager }: Workbench, id: string, names: readonly string[]): void {
  const inputSchema = {
    type: 'object',
    properties: { message: { type: 'string', description: 'The message to return' } },
    required: ['message'],
  };
  toolRegistryManager.register({
    id,
    name: id,
    source: { kind: 'module', id, label: id },
    getMetadata: () => ({
      methods: names.map((name) => ({
        name,
        description: `The tool ${name} returns its message.`,
        agentCallable: true,
        inputSchema,
      })),
    }),
    invoke: (_name, { message }) => Promise.resolve({ value: message ?? null }),
  });
}

async function row(era: Era, place: Place): Promise<Row> {
  const { ours, peer, ratio } = await compareInRounds(async () => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { era, place } });
    const [found] = (await once(worker, 'message')) as [Comparison];
    await worker.terminate();
    return found;
  });
  return {
    what: `tools/call, ${era}`,
    'ours, ms': ours.toFixed(2),
    'the SDK’s handler, ms': peer.toFixed(2),
    ratio: ratio.toFixed(2),
    'at most': maxRatio,
    holds: ratio <= maxRatio ? 'yes' : 'NO',
  };
}

/** ms from the request to the first byte of the answer. */
async function firstByte({ url, token }: { url: string; token: string }): Promise<number> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const begun = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': revision,
      'Mcp-Method': 'tools/list',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }),
  });
  const reader = response.body?.getReader();
  await reader?.read();
  const took = performance.now() - begun;
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    length += value?.length ?? 0;
  }
  if (!response.ok) throw new Error(`The list failed: ${response.status}`);
  return took;
}

async function listMany(workbench: Workbench, place: { url: string; token: string }): Promise<Row[]> {
  await firstByte(place);
  register(
    workbench,
    'many',
    Array.from({ length: manyTools }, (_, at) => `tool_${at}`),
  );
  const cold = await firstByte(place);
  const warm: number[] = [];
  for (let count = 0; count < 20; count += 1) warm.push(await firstByte(place));
  const line = (what: string, ms: number): Row => ({
    what,
    'ours, ms': ms.toFixed(1),
    'at most': `${maxFirstByteMs} ms`,
    holds: ms <= maxFirstByteMs ? 'yes' : 'NO',
  });
  return [
    line(`first byte of a list of ${manyTools} tools, just registered`, cold),
    line(`first byte of a list of ${manyTools} tools`, median(warm)),
  ];
}

/** Calls of both eras, and a long list. */
export async function run(): Promise<{ title: string; note: string; rows: Row[]; pass: boolean }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  const onError = (error: unknown): never => {
    throw error;
  };
  const workbench = await createWorkbench({ dataDir, devicePort: 0, shell: 'terminal', onError });
  const { server, port } = await serveBench();
  try {
    register(workbench, 'bench', ['echo', ...Array.from({ length: 12 }, (_, at) => `tool_${at}`)]);
    const { token } = workbench.services.hosts.create({ name: 'bench', scope: 'all' });
    const { url } = workbench.services.hosts.state();
    const place: Place = {
      ours: { url, tool: 'bench_echo', token },
      peer: { url: `http://127.0.0.1:${port}/mcp`, tool: 'echo', token },
    };
    const rows = [
      await row('legacy', place),
      await row('modern', place),
      ...(await listMany(workbench, { url, token })),
    ];
    const pass = rows.every(({ holds }) => holds === 'yes');
    return { title: 'Tools served to MCP hosts against the SDK’s handler (2.4.0)', note, rows, pass };
  } finally {
    server.close();
    server.closeAllConnections();
    await workbench.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
