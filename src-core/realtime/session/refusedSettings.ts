import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ServerError } from './serverError.ts';

/** Keys from `session` down to a setting; a tool is `['tools', its name]`. */
export type SettingPath = readonly string[];

/** Settings without which the session is not what was asked for: their refusal is final. */
const essential = new Set(['type', 'instructions', 'tools', 'tool_choice', 'audio', 'audio.input', 'audio.output']);
/** Settings that may be refused by an error that names none. */
const optional: readonly SettingPath[] = [
  ['audio', 'input', 'transcription'],
  ['audio', 'input', 'turn_detection'],
  ['audio', 'output', 'speed'],
  ['input_audio_transcription'],
  ['turn_detection'],
  ['temperature'],
  ['speed'],
];
/** Keys and values that also occur in sentences about other settings. */
const generic = new Set(['type', 'model', 'audio', 'input', 'output', 'format', 'rate', 'text', 'auto', 'session']);

/**
 * What of a `session` the server refused: the setting that the error names, or all optional ones if it names none. `extra`:
 * keys that the user has added, optional too. Empty if the refusal is final.
 */
export function findRefused(
  session: JsonObject,
  { param, message }: Pick<ServerError, 'param' | 'message'>,
  extra: JsonObject = {},
): SettingPath[] {
  const named = namedPath(session, param) ?? namedPath(session, /session[.[][\w.[\]]+/.exec(message)?.[0] ?? '');
  if (named !== undefined) return essential.has(named.join('.')) ? [] : [named];
  const mentioned = leavesOf(session).find(({ path, value }) => mentions(message, path.at(-1) ?? '', value));
  if (mentioned !== undefined) return [wholeSetting(mentioned.path)];
  const added = Object.keys(extra).map((key) => [key]);
  return [...optional, ...added].filter((path) => (at(session, path) ?? null) !== null);
}

/** A `session` without these settings. */
export function without(session: JsonObject, paths: readonly SettingPath[]): JsonObject {
  return paths.reduce<JsonObject>((rest, path) => withoutOne(rest, path), session);
}

/** Whether a `session` has the setting. */
export function hasSetting(session: JsonObject, path: SettingPath): boolean {
  return at(session, path) !== undefined;
}

function withoutOne(session: JsonObject, [key = '', ...rest]: SettingPath): JsonObject {
  const value = session[key];
  if (rest.length === 0) return Object.fromEntries(Object.entries(session).filter(([name]) => name !== key));
  if (Array.isArray(value)) return { ...session, [key]: value.filter((item) => nameOf(item) !== rest[0]) };
  return isJsonObject(value) ? { ...session, [key]: withoutOne(value, rest) } : session;
}

/** The setting at `session.a.b[0].c`, as far as the session has it. */
function namedPath(session: JsonObject, text: string): SettingPath | undefined {
  const keys = text.split(/[.[\]]+/).filter((key) => key !== '' && key !== 'session');
  if (keys[0] === 'tools') {
    const tools = session['tools'];
    const name = Array.isArray(tools) ? nameOf(tools[Number(keys[1])]) : undefined;
    return name === undefined ? ['tools'] : ['tools', name];
  }
  const path: string[] = [];
  for (const key of keys) {
    if (at(session, [...path, key]) === undefined) break;
    path.push(key);
  }
  if (path.length === 0 || (path.length < keys.length && essential.has(path.join('.')))) return undefined;
  return wholeSetting(path);
}

/** A refused `type` or `model` takes the object with it that it belongs to. */
function wholeSetting(path: SettingPath): SettingPath {
  const last = path.at(-1);
  return path.length > 1 && (last === 'type' || last === 'model') ? path.slice(0, -1) : path;
}

function leavesOf(session: JsonObject, above: SettingPath = []): { path: SettingPath; value: JsonValue }[] {
  return Object.entries(session).flatMap(([key, value]) => {
    const path = [...above, key];
    if (above.length === 0 && (key === 'type' || key === 'instructions' || key.startsWith('tool'))) return [];
    if (value === undefined) return [];
    return isJsonObject(value) ? [{ path, value: null }, ...leavesOf(value, path)] : [{ path, value }];
  });
}

function mentions(message: string, key: string, value: JsonValue): boolean {
  const words: readonly string[] = message.toLowerCase().match(/\w+(?:[.-]+\w+)*/g) ?? [];
  const isSaid = (word: string): boolean => word.length > 3 && !generic.has(word) && words.includes(word.toLowerCase());
  return isSaid(key) || (typeof value === 'string' && isSaid(value));
}

function at(session: JsonObject, path: SettingPath): JsonValue | undefined {
  let value: JsonValue | undefined = session;
  for (const key of path) {
    if (Array.isArray(value)) value = value.find((item) => nameOf(item) === key);
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** A tool's name: flat, or nested in `function`. */
function nameOf(tool: JsonValue | undefined): string | undefined {
  if (!isJsonObject(tool)) return undefined;
  const { name, function: nested } = tool;
  if (typeof name === 'string') return name;
  return isJsonObject(nested) && typeof nested['name'] === 'string' ? nested['name'] : undefined;
}
