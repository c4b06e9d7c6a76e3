import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

import type { JsonObject } from '../../../src-core/base/json.ts';
import type { BegunCall } from '../../../src-core/store/historyTypes.ts';
import type { HistoryFound, HistoryQuery } from '../../../src-core/contract/callRecords.ts';
import type { HistoryRow } from '../../../src-core/store/types.ts';
import { openStore, type Tables } from './tables.ts';

export function databasePath(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-history-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'toolwire.db');
}

export function open(path = databasePath()): Tables {
  const store = openStore({ path });
  onTestFinished(() => store.close());
  return store;
}

interface Facts {
  callId?: string;
  name?: string;
  args?: object;
  result?: string;
  at?: number;
  failed?: boolean;
  details?: JsonObject;
  mismatched?: boolean;
  soft?: boolean;
  kind?: HistoryRow['source']['kind'];
}

let made = 0;

export function row(facts: Facts = {}): HistoryRow {
  const { callId = `call ${(made += 1)}`, name = 'lamp_set', result = 'ok' } = facts;
  return {
    callId,
    toolId: 'lamp',
    methodName: 'set',
    qualifiedName: name,
    source: { kind: facts.kind ?? 'device', id: 'd1', label: 'Lamp' },
    origin: 'executor',
    argsJson: JSON.stringify(facts.args ?? { on: true }),
    startedAt: facts.at ?? 1_700_000_000_000,
    timeoutMs: 30_000,
    result: {
      requestId: callId,
      toolName: name,
      result,
      durationMs: 3,
      ...(facts.failed === true
        ? { status: 'error', error: { code: 'timeout', message: result, details: facts.details } }
        : { status: 'success' }),
      ...(facts.mismatched === true && { outputIssues: [{ path: '/a', parameter: 'a', message: 'It is required.' }] }),
      ...(facts.soft === true && { softFailure: { value: 'false' } }),
    },
  };
}

export function begunCall(facts: Facts): BegunCall {
  const call: Partial<HistoryRow> & BegunCall = row(facts);
  delete call.result;
  return call;
}

export function find({ history }: Tables, query: HistoryQuery): HistoryFound[] {
  return [...history.search(query)].flat();
}

export function ids(store: Tables, query: HistoryQuery): string[] {
  return find(store, query).map(({ callId }) => callId);
}

/** A store that refuses calls of the name `undone`. */
export function openFailing(): ReturnType<typeof openStore> {
  const undo = `CREATE TEMP TRIGGER undo BEFORE INSERT ON main.history_calls WHEN new.qualified_name = 'undone'
    BEGIN SELECT RAISE(ABORT, 'undone'); END`;
  const store = openStore({ path: databasePath(), onOpen: (database) => database.exec(undo) });
  onTestFinished(() => store.close());
  return store;
}
