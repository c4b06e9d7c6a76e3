import { localize, type Localized } from '../../../base/messages/localize.ts';

/** JSON of a link: the file format of its fields, and what the link contains in addition. */
export interface LinkContent {
  json: string;
  format: 'vscode' | 'cursor';
  name?: string;
}

const editorLink = /^(?:vscode|vscode-insiders|vscodium|code-oss):\/{0,2}mcp\/install\?(.+)$/is;
const redirectLink = /^https:\/\/(?:insiders\.)?vscode\.dev\/redirect(?:\/mcp\/install)?\?/i;
const cursorLink =
  /^(?:cursor:\/\/[^?]*mcp\/install|https:\/\/(?:www\.)?cursor\.com\/(?:\w+\/)?(?:install-mcp|link\/mcp\/install)|toolwire:\/\/[^?]*install)\?/i;

/** The content of a link that installs a server. Undefined for other texts; a message for a link that cannot be read. */
export function readLink(text: string): LinkContent | { fault: Localized } | undefined {
  try {
    const json = editorLink.exec(text)?.[1];
    if (json !== undefined) return { json: decodeURIComponent(json), format: 'vscode' };
    if (redirectLink.test(text)) return readRedirect(new URL(text).searchParams);
    if (!cursorLink.test(text)) return undefined;
    const given = new URL(text).searchParams;
    const config = given.get('config');
    if (config === null) return { fault: localize('configFiles.badLink') };
    const name = given.get('name') ?? undefined;
    return { json: decodeConfig(config), format: 'cursor', ...(name !== undefined && { name }) };
  } catch (error) {
    if (error instanceof URIError || error instanceof TypeError) return { fault: localize('configFiles.badLink') };
    throw error;
  }
}

function readRedirect(given: URLSearchParams): LinkContent | { fault: Localized } | undefined {
  const config = given.get('config');
  const inner = given.get('url');
  if (config === null) return inner === null || redirectLink.test(inner) ? undefined : readLink(inner);
  const inputs = given.get('inputs');
  const name = given.get('name');
  const json = inputs === null ? config : config.replace(/\}\s*$/, `, "inputs": ${inputs}}`);
  return { json, format: 'vscode', ...(name !== null && { name }) };
}

/** JSON as it is, or in base64 of either alphabet. */
function decodeConfig(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  const bytes = Buffer.from(text.replaceAll(' ', '+'), 'base64');
  const decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  return decoded.startsWith('%7B') ? decodeURIComponent(decoded) : decoded;
}

/** A command line in words, or why it is not one. Nothing is expanded and nothing is run. */
export function splitCommandLine(text: string): { words: string[] } | { fault: Localized } {
  const line = text
    .trim()
    .replace(/^[$>]\s+/, '')
    .replace(/\\\r?\n/g, ' ');
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (character === '\\' && quote === '"' && (next === '"' || next === '\\'))
        word = (word ?? '') + line.charAt((at += 1));
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (character === '\n') return { fault: localize('configFiles.severalLines') };
    } else if (/[|;<>`&]/.test(character) || (character === '$' && next === '(')) {
      return { fault: localize('configFiles.shellLine', { character: character === '$' ? '$(' : character }) };
    } else if (character === '\\' && /[\s"'\\$]/.test(next)) {
      word = (word ?? '') + line.charAt((at += 1));
    } else word = (word ?? '') + character;
  }
  if (quote !== undefined) return { fault: localize('configFiles.notClosed', { bracket: quote }) };
  if (word !== undefined) words.push(word);
  return { words };
}

/** The fields of an entry that a command line contains. */
export interface LineContent {
  name?: string;
  command?: string;
  url?: string;
  type?: string;
  args: string[];
  env: Record<string, string>;
  headers: Record<string, string>;
}

/** Reads words: variables before a command, `claude mcp add NAME …` and the like, or a URL. */
export function readWords(words: readonly string[]): LineContent {
  const content: LineContent = { args: [], env: {}, headers: {} };
  const rest = [...words];
  while (rest[0] !== undefined && takeVariable(rest[0], content)) rest.shift();
  if (rest[1] === 'mcp' && rest[2] === 'add') readAdd(rest.slice(3), content);
  else takeCommand(rest, content);
  return content;
}

function takeVariable(text: string, content: LineContent): boolean {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) return false;
  content.env[name] = value;
  return true;
}

function takeCommand([command, ...args]: readonly string[], content: LineContent): void {
  if (command === undefined) return;
  if (/^(?:https?|wss?):\/\//i.test(command)) content.url = command;
  else content.command = command;
  content.args = args;
}

/** `claude mcp add`, `codex mcp add`, `gemini mcp add`: flags, the name, then `--` and a command, or a URL. */
function readAdd(words: readonly string[], content: LineContent): void {
  const rest = [...words];
  while (rest[0]?.startsWith('-') === true || content.name === undefined) {
    const word = rest.shift();
    if (word === undefined || word === '--') break;
    if (!word.startsWith('-')) {
      content.name = word;
      continue;
    }
    const [flag = '', inline] = splitOnce(word, '=');
    const value = inline ?? rest.shift() ?? '';
    if (flag === '--transport' || flag === '-t') content.type = value;
    else if (flag === '--env' || flag === '-e') takeVariable(value, content);
    else if (flag === '--url') content.url = value;
    else if (flag === '--header' || flag === '-H') {
      const [header = '', text = ''] = splitOnce(value, ':');
      content.headers[header.trim()] = text.trim();
    }
  }
  if (rest[0] === '--') rest.shift();
  if (content.url === undefined) takeCommand(rest, content);
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** A name for a server that has none: its package, its program or its host. */
export function nameFor({ command, args = [], url }: Pick<Partial<LineContent>, 'command' | 'args' | 'url'>): string {
  if (url !== undefined) {
    const { hostname = '', host = '' } = URL.parse(url) ?? {};
    // Servers on one machine differ by their ports.
    if (/^(?:[\d.]+|\[.*\])$/.test(hostname)) return host;
    const labels = hostname.split('.').filter((label) => !/^(?:www|mcp|api)$/.test(label));
    return (labels.length > 1 ? labels.at(-2) : labels[0]) || 'server';
  }
  const program = (command ?? '').replace(/^.*[/\\]/, '').replace(/\.(?:cmd|exe|bat)$/i, '');
  const isRunner = /^(?:npx|uvx|bunx|pnpx|dnx|node|python3?|deno|bun|docker|uv|pnpm|npm|yarn|tsx)$/.test(program);
  // Values of flags of docker are no names.
  const isName = (arg: string, at: number): boolean =>
    !arg.startsWith('-') &&
    !/^(?:run|exec|dlx)$/.test(arg) &&
    !(program === 'docker' && /^(?:-[evwp]|--(?:env|volume|mount|name|network|env-file))$/.test(args[at - 1] ?? ''));
  const named = isRunner ? args.find(isName) : undefined;
  const name = lastPathPart(withoutVersion(named ?? program))
    .replace(/\.\w+$/, '')
    .replace(/^(?:mcp-)?server-/, '')
    .replace(/-mcp(?:-server)?$/, '');
  return name === '' ? 'server' : name;
}

/** The last part of a path; for a script with a usual name, the folder of its package: `weather` in `/x/weather/dist/index.js`. */
function lastPathPart(path: string): string {
  const folders = path.split(/[/\\]/);
  const last = folders.pop() ?? '';
  if (!/^(?:index|main|server|app|cli|start|run|mcp|__main__)\.(?:[cm]?[jt]s|py)$/.test(last)) return last;
  return folders.findLast((folder) => !/^(?:dist|build|src|lib|out|bin|cjs|esm|\w:|\.*)$/.test(folder)) ?? last;
}

/** `@scope/name@1.2.3` without its version. */
function withoutVersion(name: string): string {
  const at = name.lastIndexOf('@');
  return at > 0 && !name.includes('/', at) ? name.slice(0, at) : name;
}
