import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import * as z from 'zod';

import { createWebSocketClient } from './client.ts';
import type { Client } from './client.ts';

const recordSchema = z.object({ pid: z.int(), origin: z.url(), bearerToken: z.string().min(1) });

/** How a program of the same user reaches the workbench that runs on a data directory. */
export type RunningRecord = z.infer<typeof recordSchema>;

/** An open connection to the workbench that runs on a data directory. */
export interface RunningClient {
  client: Client;
  record: RunningRecord;
  close(): void;
}

/** ms for a workbench on this machine to take the connection. */
const connectMs = 3_000;

/** Writes `<dataDir>/workbench.json`, readable by this user only. Returns a function that takes it away again. */
export function announceRunning(dataDir: string, record: RunningRecord): () => void {
  const path = pathIn(dataDir);
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(record), { mode: 0o600 });
  return () => {
    if (readRecord(dataDir)?.bearerToken === record.bearerToken) rmSync(path, { force: true });
  };
}

/** A client of the workbench that runs on this data directory; `undefined` where none answers. */
export async function connectToRunning(dataDir: string): Promise<RunningClient | undefined> {
  const record = readRecord(dataDir);
  if (!record) return undefined;
  const socket = new WebSocket(`${record.origin.replace(/^http/, 'ws')}/api`, {
    headers: { authorization: `Bearer ${record.bearerToken}` },
    handshakeTimeout: connectMs,
    perMessageDeflate: false,
  });
  const open = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    // The file of a workbench that was killed: its port is closed, or somebody else's.
    socket.once('error', () => resolve(false));
  });
  if (!open) return undefined;
  socket.on('error', () => socket.terminate());
  return {
    // `ws` has the browser's interface but for a few event types the client does not use.
    client: createWebSocketClient(socket as unknown as Parameters<typeof createWebSocketClient>[0]),
    record,
    close: () => socket.close(),
  };
}

function readRecord(dataDir: string): RunningRecord | undefined {
  let text: string;
  try {
    text = readFileSync(pathIn(dataDir), 'utf8');
  } catch {
    return undefined; // no such file: nothing runs here
  }
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined; // half-written or from another version: as good as none
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'workbench.json');
}
