import { createHash } from 'node:crypto';
import * as z from 'zod';

import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { pinnedFields, type DefinitionChange } from '../../contract/serverTools.ts';
import { readToolUi } from '../../mcp/apps/appMeta.ts';
import type { ListedTool } from '../../mcp/types.ts';
import type { KeyValueStore } from '../../store/types.ts';
import { hiddenIn } from './definitionWarnings.ts';

const settingsKey = 'servers.pins';
/** Tools of one server whose texts are kept; of further ones only the hashes are. */
const maxWithTexts = 2_000;
/** Tools that a server no longer lists and that are remembered, because one that returns may have changed; the oldest ones go. */
const maxVanished = 2_000;
/** Characters of a field that are kept for the comparison; of a longer one only the hash is kept. */
const maxKept = 20_000;

const fieldTexts = z.partialRecord(z.enum(pinnedFields), z.string());
/** `long`: the hashes of the fields that are too long to be stored. */
const storedPins = z.record(z.string(), z.object({ hash: z.string(), fields: fieldTexts, long: fieldTexts }));
type Pin = z.infer<typeof storedPins>[string];

/** The tool definitions that the user has accepted, by server. */
export interface Pins {
  /**
   * What differs from the accepted definitions. If the server has been listed for the first time, accepts those without hidden
   * characters.
   */
  check(serverId: string, tools: readonly ListedTool[]): DefinitionChange[];
  /** Accepts the definitions of those tools that have the hash that the user was shown. */
  accept(serverId: string, tools: readonly ListedTool[], seen: readonly { tool: string; hash: string }[]): void;
  /** The names of the tools of a server whose definitions have been accepted. */
  namesOf(serverId: string): readonly string[];
  forget(serverId: string): void;
}

export function createPins(options: {
  store: Pick<KeyValueStore, 'get' | 'set'>;
  onError: (error: unknown, where: string) => void;
}): Pins {
  const { store, onError } = options;
  const read = new Map<string, Map<string, Pin> | undefined>();

  function stored(): JsonObject {
    const all = store.get(settingsKey);
    return isJsonObject(all) ? all : {};
  }

  function pinsOf(serverId: string): Map<string, Pin> | undefined {
    if (read.has(serverId)) return read.get(serverId);
    const kept = stored()[serverId];
    const parsed = storedPins.safeParse(kept);
    // Nothing of a server whose pins cannot be read counts as accepted.
    if (kept !== undefined && !parsed.success) onError(parsed.error, 'the accepted definitions of an MCP server');
    const pins = kept === undefined ? undefined : new Map(Object.entries(parsed.data ?? {}));
    read.set(serverId, pins);
    return pins;
  }

  /** Stores the pins of a server, or removes them if there are none. Others may have saved pins of other servers since. */
  function save(serverId: string, pins?: Map<string, Pin>): void {
    read.set(serverId, pins);
    const { [serverId]: _before, ...others } = stored();
    store.set(settingsKey, { ...others, ...(pins && { [serverId]: Object.fromEntries(pins) }) });
  }

  return {
    check(serverId, tools) {
      const known = pinsOf(serverId);
      const pins = known ?? firstPins(tools);
      if (known === undefined || dropVanished(pins, tools)) save(serverId, pins);
      return tools.flatMap((tool) => {
        const before = pins.get(tool.name);
        const after = pinOf(tool);
        return before?.hash === after.hash ? [] : [changeOf(tool.name, before, after)];
      });
    },
    accept(serverId, tools, seen) {
      const pins = pinsOf(serverId);
      if (pins === undefined) return;
      const hashes = new Map(seen.map(({ tool, hash }) => [tool, hash]));
      for (const tool of tools) {
        const pin = pinOf(tool);
        if (hashes.get(tool.name) !== pin.hash) continue;
        // The end of the map has the newest.
        pins.delete(tool.name);
        pins.set(tool.name, storedOf(pin, pins.size));
      }
      save(serverId, pins);
    },
    namesOf: (serverId) => [...(pinsOf(serverId)?.keys() ?? [])],
    forget(serverId) {
      if (pinsOf(serverId)) save(serverId);
    },
  };
}

function firstPins(tools: readonly ListedTool[]): Map<string, Pin> {
  const accepted = tools.filter((tool) => hiddenIn(tool).size === 0);
  return new Map(accepted.map((tool, at) => [tool.name, storedOf(pinOf(tool), at)]));
}

/** True if some were dropped. */
function dropVanished(pins: Map<string, Pin>, tools: readonly ListedTool[]): boolean {
  const listed = new Set(tools.map(({ name }) => name));
  const vanished = [...pins.keys()].filter((name) => !listed.has(name));
  const dropped = vanished.slice(0, Math.max(0, vanished.length - maxVanished));
  for (const name of dropped) pins.delete(name);
  return dropped.length > 0;
}

/** What is kept of a pin, by the number of those before it. */
function storedOf({ hash, fields, long }: Pin, before: number): Pin {
  if (before < maxWithTexts) return { hash, fields, long };
  const hashes = Object.entries(fields).map(([field, text]) => [field, digest(text)]);
  return { hash, fields: {}, long: { ...long, ...Object.fromEntries(hashes) } };
}

function pinOf({ definition }: ListedTool): Pin {
  const texts = pinnedFields.flatMap((field) => {
    const value = field === 'ui' ? uiOf(definition) : definition[field];
    return value === undefined ? [] : [[field, typeof value === 'string' ? value : canonicalText(value)] as const];
  });
  const isLong = (text: string): boolean => text.length > maxKept;
  return {
    hash: digest(JSON.stringify(texts)),
    fields: Object.fromEntries(texts.filter(([, text]) => !isLong(text))),
    long: Object.fromEntries(texts.filter(([, text]) => isLong(text)).map(([field, text]) => [field, digest(text)])),
  };
}

/** Undefined if the tool has no App, and models and Apps may use it. */
function uiOf(definition: JsonObject): JsonObject | undefined {
  const { resourceUri, forModels, forApps } = readToolUi(definition);
  if (resourceUri === undefined && forModels && forApps) return undefined;
  const visibility = [...(forModels ? ['model'] : []), ...(forApps ? ['app'] : [])];
  return { ...(resourceUri !== undefined && { resourceUri }), visibility };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function changeOf(tool: string, before: Pin | undefined, after: Pin): DefinitionChange {
  const fields = pinnedFields.flatMap((field): DefinitionChange['fields'] => {
    const [old, now] = [before?.fields[field], after.fields[field]];
    const [oldLong, nowLong] = [before?.long[field], after.long[field]];
    const isSame =
      oldLong !== undefined && now !== undefined ? oldLong === digest(now) : old === now && oldLong === nowLong;
    if (isSame) return [];
    if (oldLong !== undefined || nowLong !== undefined) return [{ field, tooLong: true }];
    return [{ field, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) }];
  });
  return { tool, hash: after.hash, kind: before === undefined ? 'added' : 'changed', fields };
}

/** Indented JSON in which the order of members is the alphabetical one. */
function canonicalText(value: JsonValue): string {
  return JSON.stringify(sorted(value), null, 2);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const copy = createJsonObject();
  for (const [key, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) copy[key] = sorted(member);
  return copy;
}
