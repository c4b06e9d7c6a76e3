import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path';

import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';

import { looksSecret } from '../base/looksSecret.ts';
import { readLoginPath } from './loginPath.ts';
import { readOwnPath } from './ownPath.ts';
import type { ServerEndpoint } from './types.ts';

const isWindows = process.platform === 'win32';

type StdioEndpoint = Extract<ServerEndpoint, { type: 'stdio' }>;

/** A program's path, or the directories in which it was not found, in their order. */
export type FoundProgram = { path: string } | { searched: string[] };

/** Files of certificates. */
const certificates = [
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'npm_config_cafile',
];
const proxies = ['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY'];
/** Lists of hosts. */
const exceptions = ['NO_PROXY', 'no_proxy', 'npm_config_noproxy'];
/** How a program reaches the network: `npx` and `uvx` need it to download a server. */
const networkVariables: readonly string[] = [
  ...certificates,
  ...exceptions,
  ...proxies,
  ...proxies.map((name) => name.toLowerCase()),
  ...['npm_config_https_proxy', 'npm_config_proxy', 'npm_config_registry', 'UV_DEFAULT_INDEX'],
];

/**
 * The environment of a stdio server: variables that hold no secrets as a rule (PATH, HOME, USER, SHELL, TERM, LOGNAME; on
 * Windows APPDATA, TEMP, USERPROFILE and the like), those of the network without credentials, and the endpoint's own values,
 * which take precedence. PATH is the one of `readOwnPath`. No other variable of ours is passed on.
 */
export function environmentOf(own: Record<string, string>, ignoresCase = isWindows): Record<string, string> {
  // Programs differ in which spelling of a variable they read first. Windows has one variable for all spellings.
  const ownNames = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const ofNetwork = networkVariables.flatMap((name) => {
    const value = process.env[name];
    if (value === undefined || ownNames.has(name.toLowerCase())) return [];
    const isUrl = !certificates.includes(name) && !exceptions.includes(name);
    // A user with a password, a query, or a token in the path.
    return isUrl && (/[@?]/.test(value) || looksSecret(value)) ? [] : [[name, value] as const];
  });
  const path = readOwnPath();
  const usual = { ...getDefaultEnvironment(), ...(path !== undefined && { PATH: path }) };
  const kept = Object.entries(usual).filter(([name]) => !ignoresCase || !ownNames.has(name.toLowerCase()));
  return { ...Object.fromEntries([...kept, ...ofNetwork]), ...own };
}

export interface LocatedProgram {
  /** With the path of the program, and with the PATH of the login shell if only that one has it. */
  endpoint: StdioEndpoint;
  program: FoundProgram;
}

/** `findProgram`, then in the directories of the login shell. The returned endpoint starts that program and no other. */
export async function locateProgram(endpoint: StdioEndpoint): Promise<LocatedProgram> {
  const program = findProgram(endpoint);
  if ('path' in program) return { endpoint: { ...endpoint, command: program.path }, program };
  if (isPath(endpoint.command)) return { endpoint, program };
  const fresh = (await readLoginPath()).filter((directory) => !program.searched.includes(directory));
  const path = [...program.searched, ...fresh].join(delimiter);
  const extended = { ...endpoint, env: { ...endpoint.env, PATH: path } };
  const found = findProgram(extended);
  return { endpoint: 'path' in found ? { ...extended, command: found.path } : extended, program: found };
}

/** Finds the program that starting the endpoint runs: a path as it is, a name in the directories of PATH. Starts nothing. */
export function findProgram({ command, env, cwd }: StdioEndpoint): FoundProgram {
  const variables = environmentOf(env);
  const directory = cwd ?? process.cwd();
  const directories = isPath(command)
    ? [isAbsolute(command) ? '' : directory]
    : [...new Set((readVariable(variables, 'PATH') ?? '').split(delimiter))].filter((path) => path !== '');
  for (const folder of directories) {
    const path = namesOf(command, variables)
      .map((name) => (folder === '' ? name : resolve(directory, join(folder, name))))
      .find(isProgram);
    if (path !== undefined) return { path };
  }
  if (isPath(command)) return { searched: [resolve(directory, command)] };
  return { searched: directories };
}

function isPath(command: string): boolean {
  return isAbsolute(command) || /[/\\]/.test(command);
}

/** On Windows, a name without an extension is that of a file with one of PATHEXT. */
function namesOf(command: string, variables: Record<string, string>): string[] {
  if (!isWindows || extname(command) !== '') return [command];
  const extensions = readVariable(variables, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD';
  return extensions.split(';').map((extension) => command + extension.toLowerCase());
}

function readVariable(variables: Record<string, string>, name: string): string | undefined {
  const key = Object.keys(variables).find((key) => key === name || (isWindows && key.toUpperCase() === name));
  return key === undefined ? undefined : variables[key];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
