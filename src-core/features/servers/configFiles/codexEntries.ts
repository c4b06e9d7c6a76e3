import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import {
  readOptional,
  readTexts,
  readTimeout,
  readTransport,
  writeTexts,
  writeTransport,
  type EntryFormat,
} from './entries.ts';
import type { ServerConfig } from './types.ts';

const bearer = /^Bearer \$\{env:(\w+)\}$/;
const onlyEnv = /^\$\{env:(\w+)\}$/;

/**
 * The tables `[mcp_servers.NAME]` of Codex. Its texts have no variables; `env_vars`, `bearer_token_env_var` and `env_http_headers` name
 * environment variables, and are read as `${env:NAME}`.
 */
export const codexFormat: EntryFormat = {
  format: 'codex',
  fileName: 'config.toml',
  key: 'mcp_servers',
  variables: 'editor',
  fields: [
    ...['command', 'args', 'env', 'env_vars', 'cwd', 'url', 'http_headers', 'env_http_headers'],
    ...['bearer_token_env_var', 'enabled', 'tool_timeout_sec'],
  ],
  read(entry) {
    const enabled = readOptional(entry, 'enabled', 'boolean');
    const timeoutMs = readTimeout(entry['tool_timeout_sec'], 1000);
    return {
      ...(Object.hasOwn(entry, 'command') ? readProgram(entry) : readRemote(entry)),
      ...(enabled !== undefined && { disabled: enabled === false }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
  },
  write({ config, disabled, timeoutMs }) {
    return {
      ...(config.type === 'stdio' ? writeProgram(config) : writeRemote(config)),
      ...(disabled !== undefined && { enabled: !disabled }),
      ...(timeoutMs !== undefined && { tool_timeout_sec: timeoutMs / 1000 }),
    };
  },
};

/** How a field names the variable that its text is. Undefined if the text is none. */
export function variableInCodex(field: string, text: string): string | undefined {
  const [, kind, name] = /^(env|headers)\.(.+)$/s.exec(field) ?? [];
  const token = name === 'Authorization' ? bearer.exec(text)?.[1] : undefined;
  if (token !== undefined) return `bearer_token_env_var = "${token}"`;
  const variable = onlyEnv.exec(text)?.[1];
  if (variable === undefined) return undefined;
  return kind === 'env' ? `"${variable}" in env_vars` : `"${variable}" in env_http_headers`;
}

type Program = Extract<ServerConfig, { type: 'stdio' }>;
type Remote = Exclude<ServerConfig, { type: 'stdio' }>;

function readProgram(entry: JsonObject): { config: ServerConfig } {
  const { config, ...rest } = readTransport(entry, 'stdio') as { config: Program };
  const names = (readOptional(entry, 'env_vars', 'array') ?? []) as JsonValue[];
  // A name may also be `{ name, source }`.
  const texts = names.map((each) => (isJsonObject(each) ? each['name'] : each));
  const env = Object.assign(
    config.env,
    ...texts.filter((name) => typeof name === 'string').map((name) => ({ [name]: `\${env:${name}}` })),
  ) as Record<string, string>;
  return { config: { ...config, env }, ...rest };
}

function readRemote(entry: JsonObject): { config: ServerConfig } {
  const { config } = readTransport({ ...entry, headers: {} }, 'http') as { config: Remote };
  const { texts, ...kinds } = readTexts(entry, 'http_headers');
  const named = readTexts(entry, 'env_http_headers').texts;
  for (const [header, name] of Object.entries(named)) texts[header] = `\${env:${name}}`;
  const token = readOptional(entry, 'bearer_token_env_var', 'string');
  if (typeof token === 'string') texts['Authorization'] = `Bearer \${env:${token}}`;
  const headerKinds = kinds.kinds === undefined ? {} : { kinds: { http_headers: kinds.kinds } };
  return { config: { ...config, headers: texts }, ...headerKinds };
}

function writeProgram(config: Program): JsonObject {
  const own: Record<string, string> = {};
  const passed: string[] = [];
  for (const [name, text] of Object.entries(config.env))
    if (onlyEnv.exec(text)?.[1] === name) passed.push(name);
    else own[name] = text;
  return { ...writeTransport({ ...config, env: own }), ...(passed.length > 0 && { env_vars: passed }) };
}

function writeRemote(config: Remote): JsonObject {
  const own: Record<string, string> = {};
  const named: Record<string, string> = {};
  let token: string | undefined;
  for (const [header, text] of Object.entries(config.headers)) {
    const variable = onlyEnv.exec(text)?.[1];
    const tokenName = header === 'Authorization' ? bearer.exec(text)?.[1] : undefined;
    if (tokenName !== undefined) token = tokenName;
    else if (variable !== undefined) named[header] = variable;
    else own[header] = text;
  }
  return {
    url: config.url,
    ...(token !== undefined && { bearer_token_env_var: token }),
    ...writeTexts('http_headers', own),
    ...writeTexts('env_http_headers', named),
  };
}
