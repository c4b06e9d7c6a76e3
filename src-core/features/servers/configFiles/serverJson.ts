import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { localize } from '../../../base/messages/localize.ts';
import { checkArguments, EntryFault, readTransport } from './entries.ts';
import { sameJson } from './spelling.ts';
import type { ConfiguredServer, ServerConfig } from './types.ts';

/** The member of `extra` that keeps what a `server.json` said. */
export const registryField = 'server.json';
const metaField = 'dev.toolwire/names';
const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** One way to get a server: a package or a remote of a document. */
interface Option {
  kind: 'packages' | 'remotes';
  option: JsonObject;
}

/** Whether a value is a `server.json`, or a list of them as the registry returns it. */
export function isRegistryDocument(value: JsonObject): boolean {
  return documentsOf(value).length > 0;
}

/** The documents of a value, each with its path. */
function documentsOf(value: JsonObject): { document: JsonObject; path: string[] }[] {
  if (Array.isArray(value['packages']) || Array.isArray(value['remotes'])) return [{ document: value, path: [] }];
  if (isJsonObject(value['server'])) return documentsOf(value['server']).map((each) => within(each, 'server'));
  if (!Array.isArray(value['servers'])) return [];
  return value['servers'].flatMap((each, at) =>
    isJsonObject(each) ? documentsOf(each).map((found) => within(found, 'servers', String(at))) : [],
  );
}

function within<T extends { path: string[] }>(found: T, ...names: string[]): T {
  return { ...found, path: [...names, ...found.path] };
}

/** A server, or why an option is none, with its path in the text. */
export type RegistryEntry = { path: string[]; name: string } & ({ server: ConfiguredServer } | { fault: EntryFault });

/** One server for each package and remote. */
export function readRegistry(value: JsonObject): RegistryEntry[] {
  return documentsOf(value).flatMap(({ document, path }) => {
    const { packages, remotes, ...rest } = document;
    const options: (Option & { path: string[] })[] = [
      ...listOf(packages).map((option, at) => ({ kind: 'packages' as const, option, path: ['packages', String(at)] })),
      ...listOf(remotes).map((option, at) => ({ kind: 'remotes' as const, option, path: ['remotes', String(at)] })),
    ];
    const names = namesOf(rest, options);
    return options.map(({ kind, option, path: own }, at): RegistryEntry => {
      const place = { path: [...path, ...own], name: names[at] ?? '' };
      try {
        return { ...place, server: serverOf({ name: place.name, document: rest, kind, option }) };
      } catch (error) {
        if (error instanceof EntryFault) return { ...place, fault: error };
        throw error;
      }
    });
  });
}

function listOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The name behind the namespace; of several options with the kind of package. */
function namesOf(document: JsonObject, options: readonly Option[]): string[] {
  const meta = isJsonObject(document['_meta']) ? document['_meta'][metaField] : undefined;
  const base = String(document['name'] ?? 'server').replace(/^.*\//, '');
  const used = new Map<string, number>();
  return options.map(({ kind, option }, at) => {
    const kept = Array.isArray(meta) ? meta[at] : undefined;
    if (typeof kept === 'string') return kept;
    const type = String(option[kind === 'packages' ? 'registryType' : 'type'] ?? kind);
    const name = options.length === 1 ? base : `${base}-${type}`;
    used.set(name, (used.get(name) ?? 0) + 1);
    return used.get(name) === 1 ? name : `${name}-${used.get(name)}`;
  });
}

function serverOf({ name, document, kind, option }: Option & { name: string; document: JsonObject }): ConfiguredServer {
  const inputs: JsonObject[] = [];
  const config = kind === 'packages' ? readPackage(option, inputs) : readRemote(option, inputs);
  return {
    name,
    format: 'server-json',
    config,
    variables: 'editor',
    ...(inputs.length > 0 && { inputs }),
    extra: { [registryField]: { document, kind, option } },
  };
}

function readRemote(option: JsonObject, inputs: JsonObject[]): ServerConfig {
  const headers = Object.fromEntries(readValues(option['headers'], inputs));
  const url = fill(String(option['url'] ?? ''), option['variables'], inputs);
  const type = option['type'] === 'sse' ? 'sse' : 'http';
  return readTransport({ url, headers }, type).config;
}

const runtimes: Readonly<Record<string, string>> = { npm: 'npx', pypi: 'uvx', oci: 'docker', nuget: 'dnx' };

function readPackage(option: JsonObject, inputs: JsonObject[]): ServerConfig {
  const type = String(option['registryType'] ?? option['registry_type'] ?? '');
  const transport = option['transport'];
  if (isJsonObject(transport) && transport['type'] !== undefined && transport['type'] !== 'stdio')
    throw new EntryFault('transport', localize('configFiles.packageWithPort', { type: String(transport['type']) }));
  const hint = option['runtimeHint'] ?? option['runtime_hint'];
  const command = typeof hint === 'string' && hint !== '' ? hint : runtimes[type];
  const identifier = option['identifier'];
  if (command === undefined || typeof identifier !== 'string' || identifier === '')
    throw new EntryFault('registryType', localize('configFiles.unknownPackage', { type }));
  const env = Object.fromEntries(readValues(option['environmentVariables'] ?? option['environment_variables'], inputs));
  const runtime = readArguments(option['runtimeArguments'] ?? option['runtime_arguments'], inputs);
  const own = readArguments(option['packageArguments'] ?? option['package_arguments'], inputs);
  const version = typeof option['version'] === 'string' ? option['version'] : '';
  const versioned = (mark: string): string =>
    version === '' || identifier.includes(mark, 1) ? identifier : `${identifier}${mark}${version}`;
  const args = argsOf(type, { runtime, own, versioned, names: Object.keys(env) });
  return { type: 'stdio', command, args: checkArguments(args), env };
}

function argsOf(
  type: string,
  parts: { runtime: string[]; own: string[]; versioned: (mark: string) => string; names: string[] },
): string[] {
  const { runtime, own, versioned, names } = parts;
  if (type === 'oci') {
    const run = runtime[0] === 'run' ? runtime.slice(1) : ['-i', '--rm', ...runtime];
    const given = new Set(runtime.map((each) => each.split('=', 1)[0]));
    const passed = names.filter((name) => !given.has(name)).flatMap((name) => ['-e', name]);
    return ['run', ...run, ...passed, versioned(':'), ...own];
  }
  if (type === 'nuget') return [...runtime, versioned('@'), '--yes', ...(own.length > 0 ? ['--', ...own] : [])];
  const isAgreed = runtime.includes('-y') || runtime.includes('--yes');
  return [...(type === 'npm' && !isAgreed ? ['-y'] : []), ...runtime, versioned('@'), ...own];
}

/** Named values with a value, a default, or an input if they are required. Optional ones without a value are omitted. */
function readValues(value: JsonValue | undefined, inputs: JsonObject[]): [string, string][] {
  return listOf(value).flatMap((each): [string, string][] => {
    const name = each['name'];
    if (typeof name !== 'string' || name === '') return [];
    const text = readInput(each, name, inputs);
    return text === undefined ? [] : [[name, text]];
  });
}

function readArguments(value: JsonValue | undefined, inputs: JsonObject[]): string[] {
  return listOf(value).flatMap((each) => {
    const name = typeof each['name'] === 'string' ? each['name'] : undefined;
    const hint = typeof each['valueHint'] === 'string' ? each['valueHint'] : (name ?? 'argument');
    const text = readInput(each, hint.replace(/^-+/, ''), inputs);
    if (name === undefined) return text === undefined ? [] : [text];
    if (text !== undefined) return [name, text];
    const isFlag = ['isRequired', 'valueHint', 'description', 'format', 'choices'].every((key) => !(key in each));
    return isFlag ? [name] : [];
  });
}

function readInput(each: JsonObject, id: string, inputs: JsonObject[]): string | undefined {
  const value = each['value'] ?? each['default'];
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return fill(String(value), each['variables'], inputs);
  return each['isRequired'] === true || each['is_required'] === true ? askFor(each, id, inputs) : undefined;
}

/** Replaces `{name}` of the variables that are described. */
function fill(text: string, variables: JsonValue | undefined, inputs: JsonObject[]): string {
  if (!isJsonObject(variables)) return text;
  return text.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (!isJsonObject(variable)) return whole;
    return readInput({ isRequired: true, ...variable }, name, inputs) ?? whole;
  });
}

function askFor(each: JsonObject, id: string, inputs: JsonObject[]): string {
  if (!inputs.some((input) => input['id'] === id)) {
    const description = typeof each['description'] === 'string' ? each['description'] : id;
    const isSecret = each['isSecret'] === true || each['is_secret'] === true;
    inputs.push({ type: 'promptString', id, description, ...(isSecret && { password: true }) });
  }
  return `\${input:${id}}`;
}

/** Documents of servers: one for all options of a document that was read, and one for each other server. */
export function writeRegistry(servers: readonly ConfiguredServer[]): { value: JsonObject; refused: string[] } {
  const groups: { document: JsonObject; options: (Option & { name: string })[] }[] = [];
  const refused: string[] = [];
  for (const server of servers) {
    const kept = keptOption(server) ?? newOption(server);
    if (kept === undefined) {
      refused.push(server.name);
      continue;
    }
    const { document, ...option } = kept;
    const group = groups.find((each) => sameJson(each.document, document));
    if (group === undefined) groups.push({ document, options: [{ name: server.name, ...option }] });
    else group.options.push({ name: server.name, ...option });
  }
  const documents = groups.map(({ document, options }) => documentOf(document, options));
  const [only] = documents;
  const value =
    documents.length === 1 && only !== undefined ? only : { servers: documents.map((server) => ({ server })) };
  return { value, refused };
}

function documentOf(document: JsonObject, options: readonly (Option & { name: string })[]): JsonObject {
  const ordered = [...options].sort((one, other) => (one.kind < other.kind ? -1 : one.kind > other.kind ? 1 : 0));
  const names = ordered.map(({ name }) => name);
  const { _meta, ...rest } = document;
  const { [metaField]: _names, ...others } = isJsonObject(_meta) ? _meta : {};
  const meta: JsonObject = others;
  if (!sameJson(names, namesOf({ ...rest, _meta: meta }, ordered))) meta[metaField] = names;
  const of = (kind: Option['kind']): JsonObject[] =>
    ordered.filter((each) => each.kind === kind).map((each) => each.option);
  return {
    ...rest,
    ...(of('packages').length > 0 && { packages: of('packages') }),
    ...(of('remotes').length > 0 && { remotes: of('remotes') }),
    ...(Object.keys(meta).length > 0 || isJsonObject(_meta) ? { _meta: meta } : {}),
  };
}

/** The entry that the server was read from, if it is still equivalent. */
function keptOption({ name, config, extra }: ConfiguredServer): (Option & { document: JsonObject }) | undefined {
  const kept = extra[registryField];
  if (!isJsonObject(kept) || !isJsonObject(kept['document']) || !isJsonObject(kept['option'])) return undefined;
  const kind = kept['kind'] === 'remotes' ? 'remotes' : 'packages';
  const { document, option } = kept;
  const again = serverOf({ name, document, kind, option });
  return sameJson(again.config, config) ? { document, kind, option } : undefined;
}

function newOption({
  name,
  config,
  inputs = [],
  extra,
}: ConfiguredServer): (Option & { document: JsonObject }) | undefined {
  const kept = extra[registryField];
  const id = name.toLowerCase().replace(/[^a-z0-9.-]+/g, '-');
  const document =
    isJsonObject(kept) && isJsonObject(kept['document'])
      ? kept['document']
      : { $schema: schema, name: `local/${id}`, description: name, version: '0.0.0' };
  const described = (text: string): JsonObject => describeText(text, inputs);
  if (config.type === 'websocket') return undefined;
  if (config.type !== 'stdio') {
    const { value = '', ...rest } = described(config.url);
    const headers = Object.entries(config.headers).map(([header, text]) => ({ name: header, ...described(text) }));
    const type = config.type === 'sse' ? 'sse' : 'streamable-http';
    const option = { type, url: value, ...rest, ...(headers.length > 0 && { headers }) };
    return { document, kind: 'remotes', option };
  }
  const found = packageOf(config);
  if (found === undefined) return undefined;
  const environmentVariables = Object.entries(config.env).map(([variable, text]) => ({
    name: variable,
    ...described(text),
  }));
  const positional = (text: string): JsonObject => ({ type: 'positional', ...described(text) });
  const option = {
    registryType: found.type,
    identifier: found.identifier,
    ...(found.version !== undefined && { version: found.version }),
    runtimeHint: config.command,
    transport: { type: 'stdio' },
    ...(found.runtime.length > 0 && { runtimeArguments: found.runtime.map(positional) }),
    ...(found.own.length > 0 && { packageArguments: found.own.map(positional) }),
    ...(environmentVariables.length > 0 && { environmentVariables }),
  };
  // The document is used only if it reads as the same command line again.
  const again = serverOf({ name, document, kind: 'packages', option });
  const isSame = again.config.type === 'stdio' && sameJson(again.config.args, config.args);
  return isSame ? { document, kind: 'packages', option } : undefined;
}

function packageOf(
  config: Extract<ServerConfig, { type: 'stdio' }>,
): { type: string; identifier: string; version?: string; runtime: string[]; own: string[] } | undefined {
  const program = config.command.replace(/^.*[/\\]/, '').replace(/\.(?:cmd|exe)$/i, '');
  const type = Object.keys(runtimes).find((each) => runtimes[each] === program);
  if (type !== 'npm' && type !== 'pypi') return undefined;
  const at = config.args.findIndex((arg) => !arg.startsWith('-'));
  const spec = config.args[at];
  if (spec === undefined || spec.includes('${')) return undefined;
  const [, identifier = spec, version] = /^(.[^@]*)@(.+)$/.exec(spec) ?? [];
  return {
    type,
    identifier,
    ...(version !== undefined && { version }),
    runtime: config.args.slice(0, at),
    own: config.args.slice(at + 1),
  };
}

/** A text as the registry writes it: a value, an input without one, or a value with `{variables}`. */
function describeText(text: string, inputs: readonly JsonObject[]): JsonObject {
  const about = (id: string): JsonObject => {
    const input = inputs.find((each) => each['id'] === id);
    const { description, password } = input ?? {};
    return {
      ...(description !== undefined && { description }),
      isRequired: true,
      ...(password === true && { isSecret: true }),
    };
  };
  const ids = [...text.matchAll(/\$\{input:([^}]+)\}/g)].map(([, id = '']) => id);
  if (ids.length === 0) return { value: text };
  const variables = Object.fromEntries(ids.map((id) => [id, about(id)]));
  return { value: text.replace(/\$\{input:([^}]+)\}/g, '{$1}'), variables };
}
