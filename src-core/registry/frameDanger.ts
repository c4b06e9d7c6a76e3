import { callDanger } from './callDanger.ts';
import { decodeEscapes } from '../base/decodeEscapes.ts';
import { containsWords, dangerReasons } from './dangerReasons.ts';
import { dangerInText, dangerOf } from './dangerousTools.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

/** The receiver's registry, and the user's patterns of tools that ask first. */
export interface FrameDangerOptions {
  /** The id of the receiver's registry; absent before its tools are listed. */
  registryId?: string | undefined;
  dangerousTools: readonly string[];
}

/** Characters of a tool's name, as devices list them. */
const maxNameLength = 256;

/** Messages that only inform: a receiver shows, speaks or records their text. */
const informing = new Set([
  ...['hello', 'listen', 'abort', 'ping', 'pong', 'goodbye', 'tts', 'stt', 'llm', 'alert'],
  ...['status', 'llm_response', 'tool_call', 'tools_registered', 'error'],
]);

/**
 * Why a frame that the user wrote must be confirmed before it is sent, in a sentence; `undefined` if it need not be. A
 * frame that every receiver reads alike is judged by the tool that it calls. Any other frame is dangerous if a dangerous
 * word occurs anywhere in it: a receiver may skip what `JSON.parse` rejects, or take the first of two members. Takes
 * linear time; a frame of any size is judged.
 */
export function frameDanger(text: string, options: FrameDangerOptions): string | undefined {
  const message = readStrictly(text);
  if (typeof message === 'string') return textDanger(text, message, options);
  const type = member(message, 'type');
  if (typeof type === 'string' && informing.has(type)) return undefined;
  const command = type === 'system' ? member(message, 'command') : undefined;
  if (typeof command === 'string' && command.toLowerCase() === 'reboot') return dangerReasons.reboots;
  const toolName = calledTool(type, message);
  return toolName === undefined
    ? textDanger(text, 'unknownMessage', options)
    : nameDanger(toolName, dangerOf(toolName), options);
}

/** As `frameDanger`, for bytes that are not text: audio, or a frame with a wrong header. */
export function bytesDanger(data: Buffer, options: FrameDangerOptions): string | undefined {
  for (const text of decodings(data)) {
    const danger = textDanger(text, 'bytes', options);
    if (danger !== undefined) return danger;
  }
  return undefined;
}

/** Bytes as UTF-8 and, if there are zero bytes as between the letters of UTF-16, as UTF-16 in either order of bytes. */
function* decodings(data: Buffer): Generator<string> {
  yield data.toString('utf8');
  if (!data.includes(0)) return;
  for (const offset of [0, 1]) {
    const units = Buffer.from(data.subarray(offset, data.length - ((data.length - offset) % 2)));
    yield units.toString('utf16le');
    yield units.swap16().toString('utf16le');
  }
}

/** The tool that a message calls: of a device (`mcp`), or of a client of the gateway (`tool_callback`). */
function calledTool(type: JsonValue | undefined, message: JsonObject): string | undefined {
  if (type === 'tool_callback') return textOf(member(message, 'tool_name'));
  if (type !== 'mcp') return undefined;
  const payload = member(message, 'payload');
  const request = typeof payload === 'string' ? readStrictly(payload) : payload;
  if (!isJsonObject(request) || member(request, 'method') !== 'tools/call') return undefined;
  const params = member(request, 'params');
  return isJsonObject(params) ? textOf(member(params, 'name')) : undefined;
}

function nameDanger(toolName: string, danger: string | undefined, options: FrameDangerOptions): string | undefined {
  const { registryId = '', dangerousTools } = options;
  const method = danger === undefined ? {} : { danger };
  return callDanger({ method, qualifiedName: `${registryId}_${toolName}` }, dangerousTools);
}

/** Why it is not certain how the receiver reads a frame. */
type UnclearCause = 'notJson' | 'repeatedMember' | 'nul' | 'unknownMessage' | 'bytes';

/** Judges a frame by all of its text, with escapes decoded, and also without what may separate the parts of a word. */
function textDanger(text: string, cause: UnclearCause, options: FrameDangerOptions): string | undefined {
  const decoded = decodeEscapes(text);
  if (decoded === undefined) return dangerReasons.manyEscapes;
  const joined = joinParts(decoded);
  for (const each of new Set([decoded, joined, joinParts(decoded.replace(comments, '')), joinParts(text)])) {
    const words = dangerInText(each);
    if (words !== undefined) return `${dangerReasons[cause]} ${containsWords(words)}`;
    const listed = listedName(each, options);
    if (listed !== undefined) return `${dangerReasons[cause]} ${listed}`;
  }
  return undefined;
}

function listedName(text: string, options: FrameDangerOptions): string | undefined {
  if (options.dangerousTools.length === 0) return undefined;
  for (const name of new Set(text.match(/[^\s\u0000-\u001f"'`{}[\],:\\]+/g))) {
    const listed = name.length > maxNameLength ? undefined : nameDanger(name, undefined, options);
    if (listed !== undefined) return listed;
  }
  return undefined;
}

/** Comments; one that is not closed ends with the text, so that each character is read once. */
const comments = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g;

/** Text without backslashes and escaped slashes, control characters and quotes, and without a plus sign between two quotes. */
function joinParts(text: string): string {
  return text
    .replace(/(?<=["'`])\s{0,9}\+\s{0,9}(?=["'`])/g, '')
    .replace(/\\\/?|[\u0000-\u001f\u007f-\u009f"'`]+/g, '');
}

/**
 * Parses a JSON object that every receiver reads alike; for all other text, returns why they may not. Boards (cJSON) match
 * members regardless of case and take the first, JavaScript and Python take the last, and for a board a string ends at a
 * NUL.
 */
function readStrictly(text: string): JsonObject | UnclearCause {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (/\\u0000/i.test(text)) return 'nul';
    if (countMembers(value) !== countColons(text)) return 'repeatedMember';
    return isJsonObject(value) ? value : 'unknownMessage';
  } catch {
    return 'notJson'; // Or nested too deep.
  }
}

/** Members of a value, at every level. Of those that are equal or differ in case alone, only one counts. */
function countMembers(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : new Set(Object.keys(value).map(folded)).size;
  return Object.values(value).reduce<number>((sum, each) => sum + countMembers(each), own);
}

/** Colons of valid JSON that are not in a string: as many as it has members. */
function countColons(json: string): number {
  let count = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === '"') inString = !inString;
    else if (char === '\\') at += 1;
    else if (char === ':' && !inString) count += 1;
  }
  return count;
}

/** Looks a member up as a board does. The message has no two members that differ in case alone. */
function member(object: JsonObject, name: string): JsonValue | undefined {
  const key = Object.keys(object).find((each) => folded(each) === name);
  return key === undefined ? undefined : object[key];
}

function folded(key: string): string {
  return key.toLowerCase();
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
