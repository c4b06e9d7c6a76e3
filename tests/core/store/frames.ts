import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

import type { Frame } from '../../../src-core/contract/frames.ts';
import type { StoredDevice } from '../../../src-core/store/frameTypes.ts';
import { openStore, type Tables } from './tables.ts';

/** A path in a folder that goes with the test. */
export function databasePath(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-frames-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'toolwire.db');
}

/** A store that is closed with the test. */
export function openTestStore(path = databasePath()): Tables {
  const store = openStore({ path });
  onTestFinished(() => store.close());
  return store;
}

export function frame(seq: number, change: Partial<Frame> = {}): Frame {
  const text = `frame ${seq}`;
  return {
    source: 'device',
    connection: 'lamp',
    seq,
    at: 1_700_000_000_000 + seq,
    direction: 'in',
    kind: 'text',
    type: 'mcp',
    summary: 'tools/call self.set',
    bytes: text.length,
    text,
    ...change,
  };
}

export function device(id: string, change: Partial<StoredDevice> = {}): StoredDevice {
  return { id, deviceId: id, name: `The ${id}`, virtual: false, connectedAt: 1, lastSeenAt: 2, ...change };
}

export const noLimit = Number.MAX_SAFE_INTEGER;
