import { exactNumber, isExactNumber } from '../../../base/exactNumber.ts';
import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { EntryFormat, ReadEntry } from './entries.ts';
import type { ConfiguredServer, Spelling } from './types.ts';

/** The fields of an entry that its format does not know, as they are. */
export function unknownFields(entry: JsonObject, { fields }: EntryFormat): JsonObject {
  const extra = createJsonObject();
  for (const [name, value] of Object.entries(entry)) if (!fields.includes(name)) extra[name] = value;
  return extra;
}

/** How an entry differs from what its format would write. Undefined if it does not. */
export function spellingOf(entry: JsonObject, read: ReadEntry, form: EntryFormat): Spelling | undefined {
  const written = withKinds(form.write(read), read.kinds);
  const known = Object.entries(entry).filter(([name]) => form.fields.includes(name));
  const other = known.filter(([name, value]) => !sameJson(written[name], value) && !hasSecrets(name, value));
  const absent = Object.keys(written).filter((name) => !Object.hasOwn(entry, name));
  if (other.length === 0 && absent.length === 0 && read.kinds === undefined) return undefined;
  return {
    ...(other.length > 0 && { fields: Object.assign(createJsonObject(), Object.fromEntries(other)) }),
    ...(absent.length > 0 && { absent }),
    ...(read.kinds !== undefined && { kinds: read.kinds }),
  };
}

/** The values of variables and headers are kept elsewhere. */
function hasSecrets(name: string, value: JsonValue): boolean {
  return ['env', 'headers', 'http_headers'].includes(name) && isJsonObject(value) && Object.keys(value).length > 0;
}

/** The entry of a server with its unknown fields, in its original spelling if that is still equivalent. */
export function spell(
  server: ReadEntry & Pick<ConfiguredServer, 'format' | 'extra' | 'spelling'>,
  form: EntryFormat,
): JsonObject {
  const spelling = (server.format === form.format ? server.spelling : undefined) ?? {};
  const written = withKinds(form.write(server), spelling.kinds);
  const entry = Object.assign(createJsonObject(), written);
  const { config, disabled, timeoutMs } = server;
  const meant = textOf({
    config,
    ...(disabled !== undefined && { disabled }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const canonical = reread(entry, form);
  const keepIfSame = (change: (entry: JsonObject) => void): void => {
    const changed = Object.assign(createJsonObject(), entry);
    change(changed);
    const read = reread(changed, form);
    if (read !== meant && read !== canonical) return;
    for (const name of Object.keys(entry)) Reflect.deleteProperty(entry, name);
    Object.assign(entry, changed);
  };
  // Both are compared together, because `transportType` replaces an absent `type`.
  keepIfSame((changed) => {
    Object.assign(changed, spelling.fields);
    for (const name of spelling.absent ?? []) Reflect.deleteProperty(changed, name);
  });
  for (const [name, value] of Object.entries(server.extra))
    if (!Object.hasOwn(entry, name)) keepIfSame((changed) => void (changed[name] = value));
  return entry;
}

function reread(entry: JsonObject, form: EntryFormat): string | undefined {
  try {
    const { kinds: _kinds, ...read } = form.read(entry);
    return textOf(read);
  } catch {
    return undefined;
  }
}

function textOf(read: ReadEntry): string {
  return JSON.stringify(sorted(read as unknown as JsonObject));
}

/** Writes texts of `env` and headers as the numbers and truth values that they were. */
function withKinds(entry: JsonObject, kinds: Spelling['kinds'] = {}): JsonObject {
  const result = { ...entry };
  for (const [field, members] of Object.entries(kinds)) {
    const texts = Object.assign(createJsonObject(), result[field] as JsonObject | undefined);
    for (const [name, kind] of Object.entries(members)) {
      const text = texts[name];
      if (kind === 'null' && text === undefined) texts[name] = null;
      else if (kind === 'boolean' && (text === 'true' || text === 'false')) texts[name] = text === 'true';
      else if (kind === 'number' && typeof text === 'string') texts[name] = toNumber(text);
    }
    if (Object.keys(texts).length > 0) result[field] = texts;
  }
  return result;
}

function toNumber(text: string): JsonValue {
  try {
    return String(Number(text)) === text ? Number(text) : exactNumber(text);
  } catch {
    return text;
  }
}

/** Whether two values are the same JSON, whatever the order of members. */
export function sameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value) || isExactNumber(value)) return value;
  const result = createJsonObject();
  for (const name of Object.keys(value).sort()) result[name] = sorted(value[name] ?? null);
  return result;
}
