import { isExactNumber } from '../../../base/exactNumber.ts';
import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { localize, type Localized } from '../../../base/messages/localize.ts';
import type { Spelling, VariableSyntax, WritableFormat } from './types.ts';
import type { ServerConfig } from './types.ts';

/** The part of a server that one entry of a file describes. */
export interface ReadEntry {
  config: ServerConfig;
  disabled?: boolean;
  timeoutMs?: number;
  kinds?: Spelling['kinds'];
}

/** A form of entries: JSON objects, or the tables of Codex in the same shape. */
export interface EntryFormat {
  format: Exclude<WritableFormat, 'server-json'>;
  fileName: string;
  /** The member of the file that holds the servers by name. */
  key: string;
  variables: VariableSyntax;
  /** Fields that `read` looks at. All others are unknown. */
  fields: readonly string[];
  /** @throws {EntryFault} If the entry does not describe a server. */
  read(entry: JsonObject): ReadEntry;
  /** The entry in the usual spelling of the format. Texts are in the syntax of the format. */
  write(server: ReadEntry): JsonObject;
}

/** Why an entry does not describe a server. */
export class EntryFault extends Error {
  readonly said: Localized;
  readonly field: string;

  constructor(field: string, said: Localized) {
    super(said.text);
    this.name = 'EntryFault';
    this.field = field;
    this.said = said;
  }
}

/** The same limit is in the contract. */
const maxArguments = 1_000;

type RemoteType = 'http' | 'sse' | 'websocket';

const typeNames: Readonly<Record<string, ServerConfig['type']>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamablehttp: 'http',
  streamable_http: 'http',
  sse: 'sse',
  ws: 'websocket',
  websocket: 'websocket',
};
const typeFields = ['type', 'transportType', 'transport'];
const urlFields = ['url', 'serverUrl', 'httpUrl'];

function jsonFormat(options: {
  format: EntryFormat['format'];
  fileName: string;
  key?: string;
  variables: VariableSyntax;
  /** How `type` is written; undefined if it is omitted. */
  types: Partial<Record<ServerConfig['type'], string>>;
  /** What an entry is that has a URL, but no type. */
  untyped?: RemoteType;
  /** Milliseconds of one unit of `timeout`. */
  timeoutUnit?: number;
}): EntryFormat {
  const { types, untyped = 'http', timeoutUnit } = options;
  return {
    format: options.format,
    fileName: options.fileName,
    key: options.key ?? 'mcpServers',
    variables: options.variables,
    fields: [
      ...typeFields,
      ...urlFields,
      ...['command', 'args', 'env', 'cwd', 'headers', 'disabled'],
      ...(timeoutUnit === undefined ? [] : ['timeout']),
    ],
    read(entry) {
      const timeoutMs = timeoutUnit === undefined ? undefined : readTimeout(entry['timeout'], timeoutUnit);
      const disabled = readOptional(entry, 'disabled', 'boolean');
      return {
        ...readTransport(entry, readType(entry, untyped)),
        ...(disabled !== undefined && { disabled: disabled === true }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      };
    },
    write({ config, disabled, timeoutMs }) {
      const type = types[config.type];
      return {
        ...(type !== undefined && { type }),
        ...writeTransport(config),
        ...(disabled !== undefined && { disabled }),
        ...(timeoutUnit !== undefined && timeoutMs !== undefined && { timeout: timeoutMs / timeoutUnit }),
      };
    },
  };
}

/** The forms of JSON files. Claude Desktop's file accepts only programs; its other types are written for Toolwire. */
export const jsonFormats: readonly EntryFormat[] = [
  jsonFormat({
    format: 'claude-desktop',
    fileName: 'claude_desktop_config.json',
    variables: 'none',
    types: { http: 'http', sse: 'sse', websocket: 'ws' },
  }),
  jsonFormat({
    format: 'claude-code',
    fileName: '.mcp.json',
    variables: 'shell',
    types: { http: 'http', sse: 'sse', websocket: 'ws' },
    timeoutUnit: 1,
  }),
  jsonFormat({
    format: 'cursor',
    fileName: 'mcp.json',
    variables: 'editor',
    types: { sse: 'sse', websocket: 'ws' },
  }),
  jsonFormat({
    format: 'cline',
    fileName: 'cline_mcp_settings.json',
    variables: 'editor',
    types: { http: 'streamableHttp', sse: 'sse', websocket: 'ws' },
    untyped: 'sse',
    timeoutUnit: 1000,
  }),
  jsonFormat({
    format: 'vscode',
    fileName: 'mcp.json',
    key: 'servers',
    variables: 'editor',
    types: { stdio: 'stdio', http: 'http', sse: 'sse', websocket: 'ws' },
  }),
  jsonFormat({
    format: 'mcp-pipe',
    fileName: 'mcp_config.json',
    variables: 'none',
    types: { stdio: 'stdio', http: 'http', sse: 'sse', websocket: 'ws' },
  }),
];

function readType(entry: JsonObject, untyped: RemoteType): ServerConfig['type'] {
  for (const field of typeFields) {
    const name = readOptional(entry, field, 'string');
    if (typeof name !== 'string') continue;
    const type = typeNames[name.toLowerCase()];
    if (type === undefined) throw new EntryFault(field, localize('configFiles.unknownType', { type: name }));
    return type;
  }
  if (Object.hasOwn(entry, 'command')) return 'stdio';
  const url = urlFields.map((field) => entry[field]).find((each) => typeof each === 'string');
  if (url === undefined) throw new EntryFault('', localize('configFiles.neitherCommandNorUrl'));
  return /^wss?:/i.test(url) ? 'websocket' : untyped;
}

/** The program or URL of an entry. @throws {EntryFault} If a field has a wrong value. */
export function readTransport(
  entry: JsonObject,
  type: ServerConfig['type'],
): { config: ServerConfig; kinds?: Spelling['kinds'] } {
  if (type === 'stdio') {
    const command = requireText(entry, 'command');
    const env = readTexts(entry, 'env');
    const cwd = readOptional(entry, 'cwd', 'string');
    return {
      config: {
        type,
        ...splitCommand(command, entry),
        env: env.texts,
        ...(cwd !== undefined && { cwd: String(cwd) }),
      },
      ...(env.kinds !== undefined && { kinds: { env: env.kinds } }),
    };
  }
  const field = urlFields.find((each) => typeof entry[each] === 'string') ?? 'url';
  const url = requireText(entry, field);
  if (!/^(?:https?|wss?):\/\//i.test(url) && !/\$\{|^<\w+>/.test(url))
    throw new EntryFault(field, localize('configFiles.badUrl', { field }));
  const headers = readTexts(entry, 'headers');
  return {
    config: { type, url, headers: headers.texts },
    ...(headers.kinds !== undefined && { kinds: { headers: headers.kinds } }),
  };
}

/** The fields of a program or URL. Empty ones are omitted. */
export function writeTransport(config: ServerConfig): JsonObject {
  if (config.type !== 'stdio') return { url: config.url, ...writeTexts('headers', config.headers) };
  return {
    command: config.command,
    // A command with spaces and without arguments would be read as a command line.
    ...((config.args.length > 0 || /\s/.test(config.command)) && { args: config.args }),
    ...writeTexts('env', config.env),
    ...(config.cwd !== undefined && { cwd: config.cwd }),
  };
}

export function writeTexts(field: string, texts: Readonly<Record<string, string>>): JsonObject {
  return Object.keys(texts).length === 0 ? {} : { [field]: Object.assign(createJsonObject(), texts) };
}

/** Cursor and others also take a whole command line as the command, if there are no arguments. */
function splitCommand(command: string, entry: JsonObject): { command: string; args: string[] } {
  const args = readOptional(entry, 'args', 'strings');
  if (args === undefined && /^[^\s"'/\\$]+\s+\S/.test(command) && !/["'`$|&;<>\\]/.test(command)) {
    const [program = '', ...words] = command.trim().split(/\s+/);
    return { command: program, args: checkArguments(words) };
  }
  return { command, args: checkArguments((args ?? []) as JsonValue[]).map((arg, at) => textOf(arg, `args[${at}]`)) };
}

/** @throws {EntryFault} If a program has more arguments than a server that the user adds may have. */
export function checkArguments<T>(args: T[]): T[] {
  if (args.length > maxArguments)
    throw new EntryFault('args', localize('configFiles.tooManyArguments', { most: maxArguments }));
  return args;
}

/** Texts by name. Numbers and truth values become texts; null removes a variable, so it is no value. */
export function readTexts(
  entry: JsonObject,
  field: string,
): { texts: Record<string, string>; kinds?: Record<string, 'number' | 'boolean' | 'null'> } {
  const texts = createJsonObject() as Record<string, string>;
  const kinds: [string, 'number' | 'boolean' | 'null'][] = [];
  const given = readOptional(entry, field, 'object') ?? {};
  for (const [name, value] of Object.entries(given as JsonObject)) {
    if (value !== null) texts[name] = textOf(value, `${field}.${name}`);
    if (typeof value !== 'string')
      kinds.push([name, value === null ? 'null' : typeof value === 'boolean' ? 'boolean' : 'number']);
  }
  if (kinds.length === 0) return { texts };
  return { texts, kinds: Object.assign(createJsonObject(), Object.fromEntries(kinds)) };
}

function textOf(value: JsonValue, field: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || isExactNumber(value)) return JSON.stringify(value);
  throw wrongType(field, 'string');
}

function requireText(entry: JsonObject, field: string): string {
  const value = Object.hasOwn(entry, field) ? entry[field] : undefined;
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (value === undefined) throw new EntryFault(field, localize('configFiles.missing', { field }));
  throw wrongType(field, 'string');
}

const fitsType = {
  string: (value: JsonValue) => typeof value === 'string',
  boolean: (value: JsonValue) => typeof value === 'boolean',
  array: Array.isArray,
  strings: Array.isArray,
  object: isJsonObject,
};

function wrongType(field: string, type: keyof typeof fitsType): EntryFault {
  return new EntryFault(
    field,
    localize('configFiles.wrongType', { field, type: localize(`configFiles.type.${type}`) }),
  );
}

/** Undefined if the field is missing or null. @throws {EntryFault} If its value has another type. Items are not checked. */
export function readOptional(entry: JsonObject, field: string, type: keyof typeof fitsType): JsonValue | undefined {
  const value = Object.hasOwn(entry, field) ? entry[field] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!fitsType[type](value)) throw wrongType(field, type);
  return value;
}

/** Milliseconds. Undefined for what cannot be written back as it is, so that it stays an unknown field. */
export function readTimeout(value: JsonValue | undefined, unit: number): number | undefined {
  const units = typeof value === 'number' ? value : isExactNumber(value) ? Number(JSON.stringify(value)) : NaN;
  const milliseconds = units * unit;
  return milliseconds > 0 && Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}
