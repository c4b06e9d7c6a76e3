/**
 * Turns through the gateway, which keeps its log, against the bare model server behind it (the same question by HTTP, its stream read and
 * parsed), and against our model class over the same server. All live in this process and are measured in short rounds in
 * turn; the best round of each counts, so that what else the machine does disturbs all alike.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';

import { createGateway } from '../../src-core/features/gateway/createGateway.ts';
import { openStore } from '../helpers/testStore.ts';
import { createGatewayLog, type GatewayLog } from '../../src-core/features/gateway/gatewayLog.ts';
import { openFrameLog } from '../../src-core/features/frames/frameLog.ts';
import { resolveSettings } from '../../src-core/features/gateway/resolveSettings.ts';
import { createOpenAiCompatibleModel } from '../../src-core/features/models/openAiCompatible/openAiCompatibleModel.ts';
import { createListener } from '../../src-core/server/createListener.ts';
import { createToolRegistryManager } from '../../src-core/registry/toolRegistryManager.ts';

/** One way to get an answer. */
type Ask = () => Promise<void>;

const rounds = 12;
const turnsPerRound = 200;
const warmUp = 400;
/** A turn through the gateway may take so many times what its model takes alone. */
const modelLimit = 2;
/**
 * And so many times what the bare server takes. Nearly all of that is the model step (the AI SDK reads and checks each chunk
 * of the stream: 3.7 × the bare request with one client, 5.8 × with 50), so a model class that grows slower fails here, where
 * the line above would let it pass.
 */
const bareLimit = 8;

const nothingYet = { latency: Infinity, rate: 0 };
const prompt = [
  { role: 'system', content: '你是一个名为"听语AI"的语音助手。' },
  { role: 'user', content: '今天天气怎么样？' },
] as const;

const chunk = (choices: object[]): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices })}\n\n`;
const answer = [
  ...Array.from('今天天气晴朗，温度约22度，适合外出活动。').map((content) =>
    chunk([{ index: 0, delta: { content }, finish_reason: null }]),
  ),
  chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  'data: [DONE]\n\n',
].join('');

async function startModelServer(): Promise<{ baseUrl: string; close: () => void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => server.close() && server.closeAllConnections() };
}

/** The same request that the gateway makes, its stream read to the end and parsed. */
function bareAsk(baseUrl: string): Ask {
  const body = JSON.stringify({ model: 'm', stream: true, temperature: 0.7, max_tokens: 2048, messages: prompt });
  const headers = { 'content-type': 'application/json' };
  return async () => {
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
    let text = '';
    for (const line of (await response.text()).split('\n')) {
      if (!line.startsWith('data: {')) continue;
      const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] };
      text += choices[0]?.delta.content ?? '';
    }
    if (text.length < 10) throw new Error('no answer');
  };
}

async function connect(url: string): Promise<{ ask: Ask; close: () => void }> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  let answered: (() => void) | undefined;
  socket.on('message', (data) => {
    const { type, status } = JSON.parse((data as Buffer).toString()) as { type: string; status?: string };
    if (type === 'error') throw new Error(String(data));
    if (status === 'idle') answered?.();
  });
  await once(socket, 'message');
  const ask: Ask = () =>
    new Promise((resolve) => {
      answered = resolve;
      socket.send('{"type":"text_input","text":"今天天气怎么样？"}');
    });
  return { ask, close: () => socket.terminate() };
}

/** Runs turns over all lanes, each one after the other; ms a turn as a lane sees it, and turns a second of all. */
async function measure(lanes: Ask[], turns: number): Promise<{ latency: number; rate: number }> {
  const perLane = Math.ceil(turns / lanes.length);
  const start = performance.now();
  await Promise.all(
    lanes.map(async (ask) => {
      for (let turn = 0; turn < perLane; turn += 1) await ask();
    }),
  );
  const ms = performance.now() - start;
  return { latency: ms / perLane, rate: (perLane * lanes.length * 1_000) / ms };
}

/** Keeps frames and turns as the workbench does: in a database. */
async function keepLog(): Promise<{ onFrame: GatewayLog['add']; onTurn: GatewayLog['addTurn']; close: () => void }> {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  const store = openStore({ path: join(dir, 'toolwire.db') });
  const onError = (error: unknown): never => {
    throw error;
  };
  const frames = await openFrameLog({ store: store.wire, limitMb: 64, onError });
  const log = await createGatewayLog({ wire: store.wire, frames, wall: Date.now });
  return {
    onFrame: log.add,
    onTurn: log.addTurn,
    async close() {
      frames.close();
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function compare(name: string, lanes: number): Promise<Record<string, string | number>> {
  const server = await startModelServer();
  const { values } = resolveSettings({ env: {}, settings: { baseUrl: server.baseUrl, model: 'm', mcpEnabled: false } });
  const listener = createListener({
    port: 0,
    onError: (error) => {
      throw error;
    },
  });
  const model = createOpenAiCompatibleModel({ baseUrl: server.baseUrl, model: 'm' });
  const toolRegistryManager = createToolRegistryManager();
  const { close: closeLog, ...kept } = await keepLog();
  const gateway = createGateway({ listener, toolRegistryManager, settings: () => values, model: () => model, ...kept });
  const { port } = await listener.listen();
  const clients = await Promise.all(Array.from({ length: lanes }, () => connect(`ws://127.0.0.1:${port}`)));
  const modelAsk: Ask = async () => {
    await model.generate({ messages: prompt, temperature: 0.7, maxTokens: 2048, totalMs: 120_000 });
  };
  const ways = {
    bare: Array.from({ length: lanes }, () => bareAsk(server.baseUrl)),
    model: Array.from({ length: lanes }, () => modelAsk),
    gateway: clients.map(({ ask }) => ask),
  };
  const best = { bare: nothingYet, model: nothingYet, gateway: nothingYet };
  try {
    for (const each of Object.values(ways)) await measure(each, warmUp);
    for (let round = 0; round < rounds; round += 1) {
      for (const way of ['bare', 'model', 'gateway'] as const) {
        const { latency, rate } = await measure(ways[way], turnsPerRound);
        best[way] = { latency: Math.min(best[way].latency, latency), rate: Math.max(best[way].rate, rate) };
      }
    }
  } finally {
    for (const client of clients) client.close();
    await gateway.close();
    await listener.close();
    closeLog();
    server.close();
  }
  return {
    case: name,
    'bare requests/s': Math.round(best.bare.rate),
    'model steps/s': Math.round(best.model.rate),
    'turns/s': Math.round(best.gateway.rate),
    'added to bare, ms': Number((best.gateway.latency - best.bare.latency).toFixed(2)),
    'bare ÷ turns': Number((best.bare.rate / best.gateway.rate).toFixed(2)),
    'model ÷ turns': Number((best.model.rate / best.gateway.rate).toFixed(2)),
    'bare limit': bareLimit,
    'model limit': modelLimit,
  };
}

/** Turns a second and what the gateway adds to the bare model server, alone and with 50 clients at once (issue 5). */
export async function run(): Promise<{ title: string; rows: Record<string, string | number>[]; pass: boolean }> {
  const rows = [await compare('one client', 1), await compare('50 clients at once', 50)];
  return {
    title: 'A turn through the LLM gateway, against the bare model server',
    rows,
    pass: rows.every((row) => Number(row['model ÷ turns']) <= modelLimit && Number(row['bare ÷ turns']) <= bareLimit),
  };
}
