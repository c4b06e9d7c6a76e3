import { maskSecrets } from '../../../base/maskSecrets.ts';
import type { ConfiguredServer } from './types.ts';
import { isReference, readVariables, toEnvName, writePart, type TextPart } from './variables.ts';

const secretWord =
  /(?:token|secret|passw(?:or)?d|credential|pat|auth(?:orization)?|(?:api|access|private|secret)[-_]?key|^key)$/i;

/** The pieces of a server's texts by field: `command`, `args[0]`, `env.NAME`, `url`, `headers.NAME`, `cwd`. */
export type Pieces = Map<string, TextPart[]>;

/**
 * Reads the texts of a server. If `hide` is set, an input takes the place of each secret: the values of all variables and headers
 * that are not references, passwords and keys in the URL and in the arguments.
 */
export function readPieces(server: ConfiguredServer, hide: boolean): { pieces: Pieces; hidden: Map<string, string> } {
  const { config, variables } = server;
  const pieces: Pieces = new Map();
  /** The field of each hidden input, by its id. */
  const hidden = new Map<string, string>();
  const add = (field: string, text: string, split?: (text: string) => Cut[]): void => {
    const parts: TextPart[] = [];
    let end = 0;
    for (const cut of hide ? (split?.(text) ?? []) : []) {
      const id = `${server.name}-${cut.name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
      const envName = field.startsWith('env.') ? cut.name : toEnvName(`${server.name}_${cut.name}`);
      hidden.set(id, field);
      parts.push(...readVariables(text.slice(end, cut.start), variables), { kind: 'input', id, envName });
      end = cut.end;
    }
    pieces.set(field, [...parts, ...readVariables(text.slice(end), variables)]);
  };
  const ofValue = (name: string) => (text: string) => (isReference(text, variables) ? [] : [cutValue(name, text)]);
  if (config.type === 'stdio') {
    add('command', config.command);
    config.args.forEach((arg, at) => add(`args[${at}]`, arg, (text) => cutArgument(text, config.args[at - 1])));
    for (const [name, text] of Object.entries(config.env)) add(`env.${name}`, text, ofValue(name));
    if (config.cwd !== undefined) add('cwd', config.cwd);
  } else {
    add('url', config.url, cutUrl);
    for (const [name, text] of Object.entries(config.headers)) add(`headers.${name}`, text, ofValue(name));
  }
  return { pieces, hidden };
}

/** The whole command line or the URL of a server, with `***` for each secret. Words with other characters than usual are quoted. */
export function placeOf(server: ConfiguredServer): string {
  const { pieces, hidden } = readPieces(server, true);
  const textOf = (field: string): string =>
    (pieces.get(field) ?? [])
      .map((part) => {
        const isSecret = part.kind === 'input' && hidden.get(part.id) === field;
        return isSecret ? '***' : (writePart(part, server.variables) ?? '');
      })
      .join('');
  const { config } = server;
  if (config.type !== 'stdio') return textOf('url');
  const words = [textOf('command'), ...config.args.map((_arg, at) => textOf(`args[${at}]`))];
  return words.map((word) => (/^[\w@%+=:,./\\~${}*-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

/** A secret in a text. */
interface Cut {
  start: number;
  end: number;
  /** What the secret is called. */
  name: string;
}

/** The scheme of an `Authorization` stays. */
function cutValue(name: string, text: string): Cut {
  const start = /^(?:bearer|basic|token) /i.exec(text)?.[0].length ?? 0;
  return { start, end: text.length, name: /^authorization$/i.test(name) ? 'token' : name };
}

/** `--token=…`, `API_KEY=…`, what follows `--token`, secrets of a URL, and texts that look like a key. */
function cutArgument(text: string, previous = ''): Cut[] {
  if (text.includes('${')) return [];
  const [, before = '', name = '', value = ''] = /^((?:--?)?([\w-]+)=)(.+)$/s.exec(text) ?? [];
  if (value !== '' && secretWord.test(name)) return [{ start: before.length, end: text.length, name }];
  const flag = /^--?([\w-]+)$/.exec(previous)?.[1];
  const isNamed = flag !== undefined && secretWord.test(flag) && !text.startsWith('-');
  if (isNamed) return [{ start: 0, end: text.length, name: flag }];
  const inUrl = /^\w+:\/\//.test(text) ? cutUrl(text) : [];
  if (inUrl.length > 0 || maskSecrets(text) === text) return inUrl;
  return [{ start: 0, end: text.length, name: flag ?? 'secret' }];
}

/** User and password of a URL, and parameters with the name of a secret. */
function cutUrl(text: string): Cut[] {
  const [, scheme = '', userInfo] = /^(\w+:\/\/)([^/?#]*)@/.exec(text) ?? [];
  const user =
    userInfo === undefined || userInfo.includes('${')
      ? []
      : [{ start: scheme.length, end: scheme.length + userInfo.length, name: 'user-info' }];
  const parameters = Array.from(
    text.matchAll(/[?&]([^=&#?]+)=([^&#]+)/g),
    ({ 0: whole, 1: name = '', 2: value = '', index }) => ({
      start: index + whole.length - value.length,
      end: index + whole.length,
      name,
    }),
  ).filter(({ start, end, name }) => secretWord.test(name) && !text.slice(start, end).includes('${'));
  return [...user, ...parameters];
}
