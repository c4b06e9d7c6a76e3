import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { onTestFinished } from 'vitest';

import { connectServer } from '../../../src-core/mcp/connectServer.ts';
import type {
  CallToolOptions,
  ConnectOptions,
  McpConnection,
  ServerEndpoint,
  WireFrame,
} from '../../../src-core/mcp/types.ts';

/** What a connection reported. */
export interface Recording {
  frames: WireFrame[];
  notes: string[];
  stderr: string[];
}

/** A connection that is closed after the test, with its recording. */
export async function connect(
  endpoint: ServerEndpoint,
  options: Partial<ConnectOptions> = {},
): Promise<McpConnection & { recording: Recording }> {
  const recording: Recording = { frames: [], notes: [], stderr: [] };
  const connection = await connectServer({
    endpoint,
    observer: {
      onFrame: (frame) => recording.frames.push(frame),
      onNote: (kind, text) => recording.notes.push(`${kind}: ${text}`),
      onStderr: (line) => recording.stderr.push(line),
    },
    era: 'auto',
    clientInfo: { name: 'toolwire', version: '0' },
    signal: new AbortController().signal,
    handlers: {},
    ...options,
  });
  onTestFinished(() => connection.close());
  return Object.assign(connection, { recording });
}

export function callOptions(options: Partial<CallToolOptions> = {}): CallToolOptions {
  return { signal: never, timeoutMs: 20_000, maxTotalMs: 60_000, ...options };
}

/** A signal that is not aborted. */
export const never = new AbortController().signal;

/** Live processes of a group, without zombies. */
export function membersOf(group: number): string[] {
  const rows = execFileSync('ps', ['-eo', 'pgid=,stat=,pid='], { encoding: 'utf8' }).trim().split('\n');
  return rows.filter((row) => new RegExp(`^\\s*${group}\\s+[^Z]`).test(row));
}

/** A program of node_modules, started by this Node. */
export function program(path: string, ...args: string[]): ServerEndpoint & { type: 'stdio' } {
  const file = fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url));
  return { type: 'stdio', command: process.execPath, args: [file, ...args], env: {} };
}

/** The raw server, with a fault. */
export function rawServer(...args: string[]): ServerEndpoint & { type: 'stdio' } {
  const file = fileURLToPath(new URL('../../fixtures/mcp/rawServer.mjs', import.meta.url));
  return { type: 'stdio', command: process.execPath, args: [file, ...args], env: {} };
}

export const everything = '@modelcontextprotocol/server-everything/dist/index.js';
