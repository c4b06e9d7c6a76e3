import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import * as z from 'zod';

import { storageErrorOf } from '../store/storageError.ts';
import { readTextFile } from '../base/readTextFile.ts';
import { createWebSocketClient, type Client } from './client.ts';

const servedSchema = z.object({ pid: z.int(), origin: z.url(), bearerToken: z.string().min(1) });
/** A workbench that a terminal command starts for itself serves no clients: it announces its process id only. */
const recordSchema = servedSchema.partial({ origin: true, bearerToken: true });

/** Bytes of the file; a record has some hundred. */
const maxRecordBytes = 64 * 1024;

/** How a program of the same user reaches the workbench that runs on a data directory. */
export type RunningRecord = z.infer<typeof servedSchema>;

/** An open connection to the workbench that runs on a data directory. */
export interface RunningClient {
  client: Client;
  record: RunningRecord;
  close(): void;
}

/** ms for a workbench on this machine to take the connection. */
const connectMs = 3_000;

/** Another process owns the data directory. The message names the process, and its address if it serves a window. */
export class DataDirInUseError extends Error {
  readonly dataDir: string;
  /** Process id; undefined if it is not known. */
  readonly pid: number | undefined;

  constructor(dataDir: string) {
    const { pid, origin } = readRecord(dataDir) ?? {};
    const holder = pid === undefined ? 'another Toolwire process' : `Toolwire, process ${pid}`;
    const [where, window] =
      origin === undefined ? ['', ''] : [` at ${origin}`, 'open its window with "toolwire serve", '];
    super(
      `${dataDir} is in use by ${holder}${where}. ` +
        `End that process, ${window}or choose another directory (--data-dir, TOOLWIRE_DATA_DIR).`,
    );
    this.name = 'DataDirInUseError';
    this.dataDir = dataDir;
    this.pid = pid;
  }
}

/** Attempts to join or to open a workbench, and the ms between them: 30 s, in which a large database is brought up to date. */
const maxAttempts = 300;
const attemptMs = 100;
/** Attempts without a note. Two processes that start together need a few. */
const quietAttempts = 15;

/**
 * Connects to the workbench that serves a data directory, or calls `open` to start one. If another process owns the
 * directory without serving it (it is still starting, or runs one command), waits until it serves or ends.
 * @param options.open Rejects with a `DataDirInUseError` if another process owns the directory.
 * @param options.onWait Called once, with the error that names the other process, if the wait takes longer than 1.5 s.
 * @throws DataDirInUseError after 30 s; the reason of `signal` if that aborts; whatever else `open` throws.
 */
export async function joinOrOpen<T>(options: {
  dataDir: string;
  open: () => Promise<T>;
  signal?: AbortSignal | undefined;
  onWait?: (error: DataDirInUseError) => void;
}): Promise<{ running: RunningClient; opened?: never } | { running?: never; opened: T }> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await connectToRunning(options.dataDir);
    if (running) return { running };
    try {
      return { opened: await options.open() };
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || attempt === maxAttempts) throw error;
      if (attempt === quietAttempts) options.onWait?.(error);
    }
    await setTimeout(attemptMs, undefined, { signal: options.signal });
  }
}

/**
 * Writes `<dataDir>/workbench.json`, readable by this user only. Only the owner of the data directory may call it: first
 * with its process id alone, then with the address at which it serves. If the disk refuses, other programs do not find
 * the workbench.
 */
export function announceRunning(dataDir: string, record: Pick<RunningRecord, 'pid'> & Partial<RunningRecord>): void {
  const path = pathIn(dataDir);
  unlessDiskRefuses(path, () => {
    rmSync(path, { force: true });
    writeFileSync(path, JSON.stringify(record), { mode: 0o600 });
  });
}

/** Removes `<dataDir>/workbench.json`. Only the owner of the data directory may call it. */
export function withdrawRunning(dataDir: string): void {
  const path = pathIn(dataDir);
  unlessDiskRefuses(path, () => rmSync(path, { force: true }));
}

function unlessDiskRefuses(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (storageErrorOf(error, path) === undefined) throw error;
  }
}

/** A client of the workbench that serves this data directory; undefined if none answers. */
export async function connectToRunning(dataDir: string): Promise<RunningClient | undefined> {
  const found = servedSchema.safeParse(readRecord(dataDir));
  if (!found.success) return undefined;
  const record = found.data;
  const socket = new WebSocket(`${record.origin.replace(/^http/, 'ws')}/api`, {
    headers: { authorization: `Bearer ${record.bearerToken}` },
    handshakeTimeout: connectMs,
    perMessageDeflate: false,
    allowSynchronousEvents: false,
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

function readRecord(dataDir: string): z.infer<typeof recordSchema> | undefined {
  let text: string;
  try {
    text = readTextFile(pathIn(dataDir), maxRecordBytes);
  } catch {
    return undefined; // The file does not exist, or is none of ours: no workbench runs here.
  }
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined; // The file is incomplete or another version's.
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'workbench.json');
}
