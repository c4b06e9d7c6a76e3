import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { readJsonc, type ReadText } from '../../../base/jsoncText.ts';
import { localize, type Localized } from '../../../base/messages/localize.ts';
import { readToml } from '../../../base/tomlText.ts';
import { isUnencrypted } from '../../../mcp/urlSchemes.ts';
import { codexFormat } from './codexEntries.ts';
import { EntryFault, jsonFormats, type EntryFormat } from './entries.ts';
import { nameFor, readLink, readWords, splitCommandLine } from './pastedText.ts';
import { isRegistryDocument, readRegistry } from './serverJson.ts';
import { spellingOf, unknownFields } from './spelling.ts';
import type { ConfigFormat, ConfigProblem, ConfiguredServer } from './types.ts';
import { readVariables } from './variables.ts';

/** Characters of a text. */
export const maxConfigLength = 1_000_000;
const maxServers = 500;
/** Fields of hosts that decide how a server starts and that Toolwire does not follow. */
const notFollowed = ['envFile', 'headersHelper', 'sandboxEnabled'];

/** The content of a text. Nothing that it names is run, read or fetched. */
export interface ReadServerConfigs {
  format: ConfigFormat;
  servers: ConfiguredServer[];
  problems: ConfigProblem[];
}

/**
 * Reads the MCP servers of a configuration file, a `server.json`, an installation link, a command line or a URL. The file's name helps
 * to tell the formats apart. Never throws: what cannot be read is a problem that names its line and the remedy.
 */
export function readServerConfigs(given: string, fileName?: string): ReadServerConfigs {
  const text = given.replace(/^\uFEFF/, '');
  const refused = (message: Localized): ReadServerConfigs =>
    failed(formatOfName(fileName) ?? 'claude-desktop', message);
  if (text.length > maxConfigLength)
    return refused(localize('configFiles.tooLong', { most: maxConfigLength.toLocaleString('en') }));
  const trimmed = text.trim();
  if (trimmed === '') return refused(localize('configFiles.empty'));
  if (/\.toml$/i.test(fileName ?? '') || text.split('\n').some((line) => /^\[\s*mcp_servers\b/.test(line.trimStart())))
    return readMap(readToml(text), codexFormat);
  const link = /\s/.test(trimmed) ? undefined : readLink(trimmed);
  if (link !== undefined) return readLinked(link);
  // A member without its braces; a command line may begin with a quote, too.
  if (/^"[^"]*"\s*:/.test(trimmed)) return readJsonFile(`{${text}}`, fileName);
  if (/^(?:[{[]|\/[/*])/.test(trimmed)) return readJsonFile(text, fileName);
  return readLine(trimmed);
}

function failed(format: ConfigFormat, message: Localized, line?: number): ReadServerConfigs {
  return { format, servers: [], problems: [{ level: 'error', message, ...(line !== undefined && { line }) }] };
}

function readJsonFile(text: string, fileName: string | undefined): ReadServerConfigs {
  const read = readJsonc(text);
  const { value } = read;
  if (value === undefined) return { ...readMap(read, formOf(fileName, createJsonObject(), text)) };
  if (!isJsonObject(value)) return failed('claude-desktop', localize('configFiles.noServers'), 1);
  if (isRegistryDocument(value)) return readDocuments(value, read);
  // User settings of VS Code hold the file as a member.
  const inner = isJsonObject(value['mcp']) && isJsonObject(value['mcp']['servers']) ? value['mcp'] : value;
  return readMap({ ...read, value: inner }, formOf(fileName, inner, text));
}

/** The format by the name of the file, or else by what only one host writes. */
function formOf(fileName: string | undefined, value: JsonObject, text: string): EntryFormat {
  const format = formatOfName(fileName) ?? formatOfText(value, text);
  return jsonFormats.find((each) => each.format === format) ?? codexFormat;
}

function formatOfName(fileName = ''): ConfigFormat | undefined {
  const path = fileName.replaceAll('\\', '/').toLowerCase();
  const name = path.replace(/^.*\//, '');
  if (path.endsWith('.vscode/mcp.json')) return 'vscode';
  if (path.endsWith('.cursor/mcp.json')) return 'cursor';
  if (name === '.mcp.json' || name === '.claude.json') return 'claude-code';
  if (name.startsWith('claude_desktop')) return 'claude-desktop';
  if (name.startsWith('cline_')) return 'cline';
  if (name === 'mcp_config.json') return 'mcp-pipe';
  return name.endsWith('.toml') ? 'codex' : undefined;
}

function formatOfText(value: JsonObject, text: string): ConfigFormat {
  if (isJsonObject(value['servers']) || Array.isArray(value['inputs'])) return 'vscode';
  if (/"(?:autoApprove|alwaysAllow)"|"streamableHttp"/.test(text)) return 'cline';
  if (/"transportType"/.test(text)) return 'mcp-pipe';
  if (/\$\{(?:env:|workspaceFolder|userHome)|"envFile"/.test(text)) return 'cursor';
  return /\$\{[A-Za-z_]\w*(?::-[^}]*)?\}|"headersHelper"|"type"\s*:\s*"(?:http|sse|ws|stdio)"/.test(text)
    ? 'claude-code'
    : 'claude-desktop';
}

function readMap(read: ReadText, form: EntryFormat): ReadServerConfigs {
  const faults = read.faults.map(({ line, message }) => ({ level: 'error' as const, line, message }));
  const result: ReadServerConfigs = { format: form.format, servers: [], problems: faults };
  if (!isJsonObject(read.value)) return result;
  const found = entriesOf(read.value, form.key);
  if (found === undefined || found.entries.length === 0)
    return failed(form.format, localize('configFiles.noServers'), 1);
  if (found.entries.length > maxServers)
    return failed(form.format, localize('configFiles.tooManyServers', { most: maxServers }), 1);
  for (const [name, entry] of found.entries)
    addEntry(result, { name, entry, form, line: read.lineOf([...found.path, name]), inputs: read.value['inputs'] });
  return result;
}

/** The entries under the format's key or another host's, or the value itself as a map or a single entry. */
function entriesOf(value: JsonObject, key: string): { entries: [string, JsonValue][]; path: string[] } | undefined {
  for (const name of [key, 'mcpServers', 'servers', 'mcp_servers']) {
    const map = value[name];
    if (isJsonObject(map)) return { entries: Object.entries(map), path: [name] };
  }
  const isEntry = (each: JsonValue | undefined): boolean =>
    isJsonObject(each) && ['command', 'url', 'serverUrl', 'httpUrl'].some((field) => typeof each[field] === 'string');
  if (isEntry(value)) {
    const { name = nameFor(lineOf(value)), ...entry } = value;
    return { entries: [[String(name), entry]], path: [] };
  }
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([, each]) => isEntry(each)) ? { entries, path: [] } : undefined;
}

function lineOf(entry: JsonObject): Parameters<typeof nameFor>[0] {
  const { command, args, url } = entry;
  return {
    ...(typeof command === 'string' && { command: command.split(/\s/)[0] ?? '' }),
    args: Array.isArray(args) ? args.map(String) : typeof command === 'string' ? command.split(/\s+/).slice(1) : [],
    ...(typeof url === 'string' && { url }),
  };
}

function addEntry(
  { servers, problems }: ReadServerConfigs,
  given: { name: string; entry: JsonValue; form: EntryFormat; line?: number; inputs?: JsonValue | undefined },
): void {
  const { name, entry, form, line, inputs } = given;
  const place = { server: name, ...(line !== undefined && { line }) };
  const problem = (level: ConfigProblem['level'], message: Localized): void =>
    void problems.push({ level, message, ...place });
  if (name.trim() === '') return problem('error', localize('configFiles.noName'));
  if (!isJsonObject(entry)) return problem('error', localize('configFiles.notEntry', { name }));
  try {
    const { kinds, ...read } = form.read(entry);
    const spelling = spellingOf(entry, { ...read, ...(kinds !== undefined && { kinds }) }, form);
    const server: ConfiguredServer = {
      name,
      format: form.format,
      ...read,
      variables: form.variables,
      extra: unknownFields(entry, form),
      ...(spelling !== undefined && { spelling }),
    };
    const used = usedInputs(server, inputs);
    servers.push({ ...server, ...(used.length > 0 && { inputs: used }) });
    for (const field of notFollowed)
      if (Object.hasOwn(entry, field)) problem('warning', localize('configFiles.notFollowed', { name, field }));
    if (isReadable(server)) problem('warning', localize('configFiles.unencrypted', { name }));
  } catch (error) {
    if (!(error instanceof EntryFault)) throw error;
    problem('error', localize('configFiles.badEntry', { name, fault: error.said }));
  }
}

/** Whether others on the network can read what is sent to the server. */
function isReadable({ config }: ConfiguredServer): boolean {
  return config.type !== 'stdio' && isUnencrypted(config.url);
}

/** The definitions of the inputs that the server's texts refer to. */
function usedInputs({ config, variables, extra }: ConfiguredServer, inputs: JsonValue | undefined): JsonObject[] {
  if (!Array.isArray(inputs)) return [];
  const texts = [JSON.stringify(config), JSON.stringify(extra)].join('\n');
  const ids = readVariables(texts, variables).flatMap((part) => (part.kind === 'input' ? [part.id] : []));
  return inputs.filter(isJsonObject).filter(({ id }) => typeof id === 'string' && ids.includes(id));
}

function readDocuments(value: JsonObject, read: ReadText): ReadServerConfigs {
  const result: ReadServerConfigs = { format: 'server-json', servers: [], problems: [] };
  for (const entry of readRegistry(value)) {
    if ('server' in entry) {
      const { server } = entry;
      const message = localize('configFiles.unencrypted', { name: server.name });
      result.servers.push(server);
      if (isReadable(server)) result.problems.push({ level: 'warning', message, server: server.name });
    } else {
      const message = localize('configFiles.badEntry', { name: entry.name, fault: entry.fault.said });
      result.problems.push({ level: 'error', message, server: entry.name, line: read.lineOf(entry.path) });
    }
  }
  return result;
}

function readLinked(link: Exclude<ReturnType<typeof readLink>, undefined>): ReadServerConfigs {
  if ('fault' in link) return failed('link', link.fault);
  const form = jsonFormats.find(({ format }) => format === link.format);
  const { value } = readJsonc(link.json);
  if (form === undefined || !isJsonObject(value)) return failed('link', localize('configFiles.badLink'));
  const { name, inputs, ...entry } = value;
  const found = link.name === undefined && typeof name === 'string' ? [name, entry] : undefined;
  const single = link.name === undefined ? undefined : entriesOf(value, form.key)?.path[0];
  const map = single === undefined ? undefined : value[single];
  const result: ReadServerConfigs = { format: 'link', servers: [], problems: [] };
  if (isJsonObject(map)) {
    for (const [each, its] of Object.entries(map)) addEntry(result, { name: each, entry: its, form, inputs });
    return result;
  }
  const own = found?.[0] ?? link.name ?? nameFor(lineOf(value));
  addEntry(result, { name: String(own), entry, form, inputs });
  return result;
}

function readLine(text: string): ReadServerConfigs {
  const split = /^\S+$/.test(text) ? { words: [text] } : splitCommandLine(text);
  if ('fault' in split) return failed('commandLine', split.fault);
  const { name, command, url, type, args, env, headers } = readWords(split.words);
  const result: ReadServerConfigs = { format: 'commandLine', servers: [], problems: [] };
  const entry: JsonObject =
    url === undefined
      ? { ...(command !== undefined && { command }), args, env }
      : { type: type ?? remoteType(url), url, headers };
  if (url !== undefined && args.length > 0) return failed('commandLine', localize('configFiles.urlWithArguments'));
  const form = jsonFormats[0] ?? codexFormat;
  addEntry(result, {
    name: name ?? nameFor({ ...(command !== undefined && { command }), args, ...(url !== undefined && { url }) }),
    entry,
    form,
  });
  return { ...result, servers: result.servers.map(({ spelling: _spelling, ...server }) => server) };
}

function remoteType(url: string): string {
  if (/^wss?:/i.test(url)) return 'ws';
  return /\/sse\/?$/.test(URL.parse(url)?.pathname ?? '') ? 'sse' : 'http';
}
