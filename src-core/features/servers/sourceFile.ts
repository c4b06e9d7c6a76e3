import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';

import { readTextFile } from '../../base/readTextFile.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ServerFileChange } from '../../contract/serverConsent.ts';
import { factsOf } from './consent.ts';
import { eraOf } from './eraField.ts';
import { sameJson } from './configFiles/spelling.ts';
import { maxConfigLength, readServerConfigs } from './configFiles/readServerConfigs.ts';
import type { ConfiguredServer } from './configFiles/types.ts';

/** The entry of a file that a server was imported from, as it was read last. It may have secrets. */
export interface SourceEntry {
  path: string;
  server: ConfiguredServer;
}

/** An entry that differs from the one that was read last. */
export interface ChangedEntry {
  server: ConfiguredServer;
  change: ServerFileChange;
}

/**
 * Reads the entry of a file again. Undefined if it would start the server in the same way, or if the file or the entry is gone:
 * then there is nothing to take over. Runs nothing.
 */
export function readChange({ path, server: before }: SourceEntry): ChangedEntry | undefined {
  const after = readEntry(path, before.name);
  if (after === undefined || sameJson(startOf(before), startOf(after))) return undefined;
  const [old, now] = [shownOf(before), shownOf(after)];
  const fields = ([...new Set([...Object.keys(old), ...Object.keys(now)])] as (keyof typeof now)[])
    .filter((field) => (old[field] ?? '') !== (now[field] ?? ''))
    .map((field) => ({ field, before: old[field] ?? '', after: now[field] ?? '' }));
  const [oldValues, values] = [valuesOf(before), valuesOf(after)];
  const changed = Object.keys(values).filter((name) => name in oldValues && values[name] !== oldValues[name]);
  const hash = hashOf(startOf(after));
  return { server: after, change: { path, hash, fields, values: changed } };
}

/** Files that are remembered. */
const maxChecked = 200;

/**
 * Returns whether `readChange` finds a change, for a page that asks often: the file is read again only if its size, time or number has
 * changed. A start reads it in any case.
 */
export function createChangeCheck(): (entry: SourceEntry) => boolean {
  const checked = new Map<string, { state: string; isChanged: boolean }>();
  return (entry) => {
    const { path, server } = entry;
    const key = JSON.stringify([path, server.name]);
    const state = hashOf([stateOf(path), startOf(server)]);
    const known = checked.get(key);
    if (known?.state === state) return known.isChanged;
    const isChanged = readChange(entry) !== undefined;
    checked.set(key, { state, isChanged });
    const [oldest] = checked.keys();
    if (checked.size > maxChecked && oldest !== undefined) checked.delete(oldest);
    return isChanged;
  };
}

function stateOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    // `readEntry` treats this case in the same way.
    return '';
  }
}

function readEntry(path: string, name: string): ConfiguredServer | undefined {
  let text: string;
  try {
    text = readTextFile(path, 4 * maxConfigLength);
  } catch {
    // The file was moved or deleted, or is unreadable: the kept configuration is the only one.
    return undefined;
  }
  return readServerConfigs(text, path).servers.find((server) => server.name === name);
}

/** What decides how it starts. */
function startOf({ config, variables, inputs = [], extra }: ConfiguredServer): JsonObject {
  return { config, variables, inputs, era: eraIn(extra) };
}

function shownOf({ config, extra }: ConfiguredServer): ReturnType<typeof factsOf> {
  return { ...factsOf(config), era: eraIn(extra) };
}

function eraIn(extra: JsonObject): string {
  return eraOf(extra) ?? 'auto';
}

function hashOf(value: JsonValue): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function valuesOf({ config }: ConfiguredServer): Record<string, string> {
  return config.type === 'stdio' ? config.env : config.headers;
}
