/**
 * Our connection to an MCP server, with its frames recorded in the store, against the bare client of the SDK: the same server in
 * another process, in turns. Each ratio is the median over the turns.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { systemClock } from '../../src-core/base/clock.ts';
import { createMcpFrames } from '../../src-core/features/frames/mcp/mcpFrames.ts';
import { createSecretMask, type SecretMask } from '../../src-core/features/servers/serverSecrets.ts';
import { connectServer } from '../../src-core/mcp/connectServer.ts';
import type { ServerEndpoint } from '../../src-core/mcp/types.ts';
import { createWorkbench, type Workbench } from '../../src-core/workbench.ts';
import { compareInRounds, compareInTurns, rounds, type Comparison } from './compareInTurns.ts';

type Row = Record<string, string | number>;
type Era = 'legacy' | 'modern';
interface Bed {
  list: () => Promise<unknown>;
  call: () => Promise<unknown>;
  close: () => Promise<void>;
}

const turns = 60;
/** Each starts two processes. */
const startTurns = 20;
const script = fileURLToPath(new URL('mcpServer.ts', import.meta.url));
const stdio: ServerEndpoint = { type: 'stdio', command: process.execPath, args: [script, 'stdio'], env: {} };
const signal = new AbortController().signal;
/** A kept server has one for all its connections. */
const masks = new Map<ServerEndpoint, SecretMask>();
const note =
  'Ours is the connection that a kept server uses, with each frame masked, numbered and written to the store. Both clients speak to one ' +
  'server of the SDK with 13 tools, in a process of its own. `connect` starts the process, or opens the connection over HTTP, and ends ' +
  `with the handshake; the era is known. ${turns} turns (connect, stdio: ${startTurns}), each beginning with the other side; medians, and of the ratios the median over the turns. ` +
  `The first hundreds of connections run code that is not optimized yet: connect, HTTP is the round with the median ratio of ${rounds}.`;

async function ours(
  workbench: Workbench,
  endpoint: ServerEndpoint,
  era: Era | 'auto',
  assumesLegacy = false,
): Promise<Bed> {
  const mask = masks.get(endpoint) ?? createSecretMask(endpoint);
  masks.set(endpoint, mask);
  const frames = createMcpFrames({
    frames: workbench.features.frames,
    source: 'mcp',
    connection: 'bench',
    mask,
    clock: systemClock,
  });
  const connection = await connectServer({
    endpoint,
    era,
    assumesLegacy,
    observer: { onFrame: frames.add, onNote: frames.note, onStderr: frames.stderr },
    clientInfo: { name: 'bench', version: '1' },
    handlers: {},
    signal,
  });
  const options = { signal, timeoutMs: 60_000, maxTotalMs: 60_000 };
  return {
    list: () => connection.listTools(signal),
    call: () => connection.callTool('echo', { message: 'hello' }, options),
    close: () => connection.close(),
  };
}

async function sdk(endpoint: ServerEndpoint, era: Era): Promise<Bed> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  const transport =
    endpoint.type === 'stdio'
      ? new StdioClientTransport({ command: endpoint.command, args: endpoint.args })
      : new StreamableHTTPClientTransport(new URL(endpoint.url));
  await client.connect(transport);
  return {
    list: () => client.listTools(undefined, { cacheMode: 'bypass' }),
    call: () => client.callTool({ name: 'echo', arguments: { message: 'hello' } }),
    close: () => client.close(),
  };
}

function row(what: string, { ours: mine, peer, ratio }: Comparison, atMost: number): Row {
  return {
    what,
    'ours, ms': mine.toFixed(2),
    'MCP SDK, ms': peer.toFixed(2),
    ratio: ratio.toFixed(2),
    'at most': atMost,
    holds: ratio <= atMost ? 'yes' : 'NO',
  };
}

async function requests(what: string, beds: { mine: Bed; peer: Bed }, limits: Record<'list' | 'call', number>) {
  const rows: Row[] = [];
  for (const act of ['list', 'call'] as const) {
    const times = act === 'list' ? 15 : 30;
    const compared = await compareInTurns({ turns, times, ours: beds.mine[act], peer: beds.peer[act] });
    rows.push(row(`${act === 'list' ? 'tools/list' : 'tools/call'}, ${what}`, compared, limits[act]));
  }
  await Promise.all([beds.mine.close(), beds.peer.close()]);
  return rows;
}

function connecting(workbench: Workbench, endpoint: ServerEndpoint): Promise<Comparison> {
  const through = (open: () => Promise<Bed>) => async (): Promise<() => Promise<void>> => (await open()).close;
  const sides = {
    ours: through(() => ours(workbench, endpoint, 'auto', true)),
    peer: through(() => sdk(endpoint, 'legacy')),
  };
  return endpoint.type === 'stdio'
    ? compareInTurns({ turns: startTurns, times: 1, ...sides })
    : compareInRounds(() => compareInTurns({ turns, times: 10, ...sides }));
}

async function serveHttp(): Promise<{ process: ChildProcess; endpoint: ServerEndpoint }> {
  const child = spawn(process.execPath, [script, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    process: child,
    endpoint: { type: 'http', url: `http://127.0.0.1:${String(port).trim()}/mcp`, headers: {} },
  };
}

/** Lists, calls and connections of a server, ours with its frames recorded. */
export async function run(): Promise<{ title: string; note: string; rows: Row[]; pass: boolean }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-bench-'));
  const onError = (error: unknown): never => {
    throw error;
  };
  const workbench = await createWorkbench({ dataDir, devicePort: 0, shell: 'terminal', onError });
  const http = await serveHttp();
  const rows: Row[] = [];
  const pair = async (endpoint: ServerEndpoint, era: Era) => ({
    mine: await ours(workbench, endpoint, era),
    peer: await sdk(endpoint, era),
  });
  try {
    for (const era of ['legacy', 'modern'] as const)
      rows.push(...(await requests(`stdio, ${era}`, await pair(stdio, era), { list: 1.3, call: 1.5 })));
    for (const era of ['legacy', 'modern'] as const)
      rows.push(...(await requests(`HTTP, ${era}`, await pair(http.endpoint, era), { list: 1.3, call: 1.15 })));
    rows.push(row('connect, stdio', await connecting(workbench, stdio), 1.1));
    rows.push(row('connect, HTTP', await connecting(workbench, http.endpoint), 1.1));
    const pass = rows.every(({ holds }) => holds === 'yes');
    return { title: 'A client of MCP servers against that of the SDK (2.4.0)', note, rows, pass };
  } finally {
    http.process.kill();
    await workbench.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
