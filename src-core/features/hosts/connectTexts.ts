import { homedir } from 'node:os';
import { join } from 'node:path';

import { shellWord } from '../../base/shellWord.ts';
import type { ConnectText, HostProgram, HostScope } from '../../contract/hosts.ts';

/** The variable that holds the token, in configurations that can name one. */
export const tokenVariable = 'TOOLWIRE_TOKEN';

const inspector = 'npx @modelcontextprotocol/inspector';

/** How this machine runs `toolwire`. */
export interface ToolwireCommand {
  /** In a terminal. */
  text: string;
  /** Without a shell: the program, and the arguments before those of `toolwire`. */
  words: readonly string[];
  /** The variables that `words` need. */
  env?: Readonly<Record<string, string>>;
}

/** The address of our server, and how a host starts `toolwire mcp`. */
export interface ConnectFacts {
  url: string;
  command: ToolwireCommand;
  /** The data directory, if it is not the usual one. */
  dataDir?: string | undefined;
  /** What the host is offered; for HTTP, the address or the token determines it. */
  scope: HostScope;
  finds: boolean;
}

/** Whose configuration files are meant. */
export interface User {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** By default, that of this machine. */
  platform?: NodeJS.Platform;
}
const thisUser = (): User => ({ home: homedir(), env: process.env });

/** The configuration of each program, in its own format. No text contains a token. */
export function connectTexts(facts: ConnectFacts, user = thisUser()): ConnectText[] {
  const started = stdioTexts(facts, user).map((text): ConnectText => {
    const path = configPath(text.program, user);
    return { ...text, transport: 'stdio', ...(path !== undefined && { writable: path }) };
  });
  const http = httpTexts(facts, user).map((text): ConnectText => ({ ...text, transport: 'http' }));
  return [...http, ...started];
}

type ProgramText = Omit<ConnectText, 'transport' | 'writable'>;

/** On Windows without commands: no text puts the token's variable into a word of both cmd.exe and PowerShell. */
function httpTexts({ url }: ConnectFacts, { platform = process.platform }: User): ProgramText[] {
  const texts = posixHttpTexts(url);
  return platform === 'win32' ? texts.filter(({ language }) => language !== 'shell') : texts;
}

function posixHttpTexts(url: string): ProgramText[] {
  const word = shellWord(url, 'linux');
  const bearer = (token: string): object => ({ Authorization: `Bearer ${token}` });
  return [
    {
      program: 'claude-code',
      language: 'shell',
      text: `claude mcp add --scope user --transport http toolwire ${word} --header 'Authorization: Bearer \${${tokenVariable}}'\n`,
    },
    {
      program: 'claude-code',
      language: 'json',
      file: '.mcp.json',
      text: json({ mcpServers: { toolwire: { type: 'http', url, headers: bearer(`\${${tokenVariable}}`) } } }),
    },
    {
      program: 'vscode',
      language: 'json',
      file: '.vscode/mcp.json',
      text: json({
        inputs: [{ type: 'promptString', id: 'toolwire-token', description: 'Token for Toolwire', password: true }],
        servers: { toolwire: { type: 'http', url, headers: bearer('${input:toolwire-token}') } },
      }),
    },
    {
      program: 'cursor',
      language: 'json',
      file: '.cursor/mcp.json',
      text: json({ mcpServers: { toolwire: { url, headers: bearer(`\${env:${tokenVariable}}`) } } }),
    },
    {
      program: 'codex',
      language: 'toml',
      file: '.codex/config.toml',
      text: `[mcp_servers.toolwire]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "${tokenVariable}"\n`,
    },
    {
      program: 'inspector',
      language: 'shell',
      text: `${inspector} --transport http --server-url ${word} --header "Authorization: Bearer $${tokenVariable}"\n`,
    },
    { program: 'other', language: 'url', text: `${url}\n` },
    { program: 'other', language: 'header', text: 'Authorization: Bearer <token>\n' },
  ];
}

function stdioTexts(facts: ConnectFacts, { platform = process.platform }: User): ProgramText[] {
  const word = (text: string): string => shellWord(text, platform);
  const stdio = json({ mcpServers: { toolwire: stdioEntry(facts) } });
  const { text, words, env = {} } = facts.command;
  const { command: program, args } = stdioEntry(facts);
  const command = [program, ...args].map(word).join(' ');
  const pairs = Object.entries(env);
  // The option of `claude` takes all words up to the next option.
  const [forClaude = '', forInspector = ''] = ['--env', '-e'].map((option) =>
    pairs.map(([name, value]) => `${option} ${word(`${name}=${value}`)} `).join(''),
  );
  const table = pairs.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ');
  const typed = pairs.length > 0 ? [text, ...args.slice(words.length - 1).map(word)].join(' ') : command;
  return [
    {
      program: 'claude-code',
      language: 'shell',
      text: `claude mcp add ${forClaude}--scope user toolwire -- ${command}\n`,
    },
    { program: 'claude-desktop', language: 'json', file: 'claude_desktop_config.json', text: stdio },
    {
      program: 'vscode',
      language: 'json',
      file: 'mcp.json',
      text: json({ servers: { toolwire: { type: 'stdio', ...stdioEntry(facts) } } }),
    },
    { program: 'cursor', language: 'json', file: '.cursor/mcp.json', text: stdio },
    {
      program: 'codex',
      language: 'toml',
      file: '.codex/config.toml',
      text: `[mcp_servers.toolwire]\ncommand = ${JSON.stringify(program)}\nargs = ${JSON.stringify(args)}\n${table && `env = { ${table} }\n`}`,
    },
    { program: 'inspector', language: 'shell', text: `${inspector} ${forInspector}-- ${command}\n` },
    { program: 'other', language: 'shell', text: `${typed}\n` },
    { program: 'other', language: 'json', text: stdio },
  ];
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** How a host starts `toolwire mcp`, as its configuration states it. */
function stdioEntry({ command: { words, env }, dataDir, scope, finds }: ConnectFacts) {
  const { sources, tools } = chosenAs(scope);
  // All tools would be served without flags: an empty selection is refused at the start instead.
  const isAll = scope === 'all' || (scope.kind === 'chosen' && scope.chosen.all);
  const isEmpty = !isAll && sources.length + tools.length === 0;
  const [command = 'toolwire', ...before] = words;
  const args = [
    ...before,
    'mcp',
    // Each source has its own flag: an id may contain a comma.
    ...sources.flatMap((source) => ['--source', source]),
    ...(isEmpty || tools.length > 0 ? ['--tools', tools.join(',')] : []),
    ...(finds ? ['--find'] : []),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ];
  return { command, args, ...(env && { env }) };
}

/** A selection as flags of `toolwire mcp`. */
function chosenAs(scope: HostScope): { sources: readonly string[]; tools: readonly string[] } {
  if (scope === 'all') return { sources: [], tools: [] };
  return scope.kind === 'chosen' ? scope.chosen : { sources: [`${scope.kind}:${scope.id}`], tools: [] };
}

/** The file of this user; `undefined` for programs that have none, or whose command writes it. */
function configPath(program: HostProgram, user: User): string | undefined {
  const { home, env } = user;
  if (program === 'cursor') return join(home, '.cursor', 'mcp.json');
  if (program === 'codex') return join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml');
  if (program === 'vscode') return join(appData(user), 'Code', 'User', 'mcp.json');
  return program === 'claude-desktop' ? join(appData(user), 'Claude', 'claude_desktop_config.json') : undefined;
}

/** The folder in which programs keep the files of this user. */
function appData({ home, env, platform = process.platform }: User): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return platform === 'win32'
    ? env['APPDATA'] || join(home, 'AppData', 'Roaming')
    : env['XDG_CONFIG_HOME'] || join(home, '.config');
}
