import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { commandWord } from './commandWord.ts';
import { isPlainDefault, isSecretName, isTokenLike, looksSecret } from '../../../base/looksSecret.ts';
import type { ConfiguredServer } from './types.ts';
import { isReference, readVariables, toEnvName, writePart, type TextPart } from './variables.ts';

/** A shorter secret is looked for as a whole text only. */
const shortestPart = 6;

type Texts = Pick<ConfiguredServer, 'name' | 'config' | 'variables'> & Partial<Pick<ConfiguredServer, 'extra'>>;

/** What is read of a server's texts. Fields: `command`, `args[0]`, `env.NAME`, `url`, `headers.NAME`, `cwd`. */
export interface Pieces {
  pieces: Map<string, TextPart[]>;
  /** The field of each input that replaces a secret, by its id. */
  hidden: Map<string, string>;
  /** Fields whose default was omitted. */
  withoutDefault: Set<string>;
  /** The secrets. */
  secrets: Set<string>;
}

/**
 * Reads the texts of a server. If `hide` is set, an input replaces each secret: the values of all variables and headers
 * that are not references, passwords and keys in the URL and in the arguments, and the same texts elsewhere. Defaults of variables
 * that may be secrets are omitted, or replaced by `otherwise`.
 */
export function readPieces(server: Texts, hide: boolean, otherwise?: string): Pieces {
  const { config, variables } = server;
  const read: Pieces = { pieces: new Map(), hidden: new Map(), withoutDefault: new Set(), secrets: new Set() };
  const { pieces, secrets } = read;
  if (hide) for (const secret of declaredSecrets(server.extra ?? {})) secrets.add(secret);
  const add = (field: string, given: string, split?: (text: string) => Cut[]): void => {
    if (!hide) {
      pieces.set(field, readVariables(given, variables));
      return;
    }
    const text = hideDefaults(given, server, otherwise, () => read.withoutDefault.add(field));
    const parts: TextPart[] = [];
    let end = 0;
    for (const cut of joined([...(split?.(text) ?? []), ...cutKnown(text, secrets)])) {
      secrets.add(text.slice(cut.start, cut.end));
      parts.push(...readVariables(text.slice(end, cut.start), variables), inputFor(cut, server.name, field, read));
      end = cut.end;
    }
    pieces.set(field, [...parts, ...readVariables(text.slice(end), variables)]);
  };
  const ofValue = (name: string) => (text: string) => (isReference(text, variables) ? [] : [cutValue(name, text)]);
  // Variables and headers first: their values may be elsewhere, too.
  const [kind, values] = config.type === 'stdio' ? ['env', config.env] : ['headers', config.headers];
  for (const [name, text] of Object.entries(values)) add(`${kind}.${name}`, text, ofValue(name));
  if (config.type === 'stdio') {
    add('command', config.command);
    const isOpen = (text: string): boolean => isReference(text, variables);
    config.args.forEach((arg, at) => add(`args[${at}]`, arg, (text) => cutArgument(text, config.args[at - 1], isOpen)));
    if (config.cwd !== undefined) add('cwd', config.cwd);
  } else add('url', config.url, cutUrl);
  return read;
}

/** An input that replaces a secret, with a unique id. */
function inputFor({ name }: Cut, serverName: string, field: string, { hidden }: Pieces): TextPart {
  const stem = `${serverName}-${name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  let id = stem;
  for (let number = 2; hidden.has(id); number += 1) id = `${stem}-${number}`;
  hidden.set(id, field);
  if (field.startsWith('env.')) return { kind: 'input', id, envName: name };
  return { kind: 'input', id, envName: toEnvName(`${serverName}_${name}${id.slice(stem.length)}`) };
}

function hideDefaults(text: string, { variables }: Texts, otherwise: string | undefined, onHidden: () => void): string {
  const parts = readVariables(text, variables).map((part) => {
    if (part.kind !== 'env' || part.otherwise === undefined) return part;
    if (!isSecretName(part.name) && isPlainDefault(part.otherwise)) return part;
    onHidden();
    return { kind: 'env' as const, name: part.name, ...(otherwise !== undefined && { otherwise }) };
  });
  return parts.map((part) => writePart(part, variables) ?? '').join('');
}

/** Values that a `server.json` declares to be secret. */
function declaredSecrets(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(declaredSecrets);
  if (!isJsonObject(value)) return [];
  const isSecret = value['isSecret'] === true || value['is_secret'] === true;
  const own = isSecret ? [value['value'], value['default']] : [];
  return [
    ...own.filter((each) => typeof each === 'string' && each !== '').map(String),
    ...Object.values(value).flatMap(declaredSecrets),
  ];
}

/** The whole command line or the URL of a server, with `***` for each secret. Words with other characters than usual are quoted. */
export function placeOf(server: Texts): string {
  const { pieces, hidden } = readPieces(server, true, '***');
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
  return words.map(commandWord).join(' ');
}

/** Members whose own members have names and values of the user. */
const valueMaps = /^(?:env|environment|headers|variables)$/i;

/**
 * Fields that Toolwire does not know, with `<NAME>` in the place of each text that may be a secret: of a member with such a name, and
 * below it; one that looks like a key; one of `secrets`. `onHidden` is called with the field of each.
 */
export function hideUnknown(
  fields: JsonObject,
  secrets: ReadonlySet<string>,
  onHidden: (field: string, written: string) => void,
): JsonObject {
  const hide = (
    value: JsonValue,
    at: { field: string; name: string; isSecret: boolean; below: boolean },
  ): JsonValue => {
    const { field, name, isSecret, below } = at;
    if (Array.isArray(value))
      return value.map((each, index) => {
        const before = value[index - 1];
        const flag = typeof before === 'string' ? flagOf(before) : undefined;
        const isNamed = flag !== undefined && isSecretName(flag);
        return hide(each, { ...at, field: `${field}[${index}]`, isSecret: isSecret || isNamed });
      });
    if (isJsonObject(value)) return ofMembers(value, field, below || isSecret || valueMaps.test(name));
    const isHidden =
      typeof value === 'string'
        ? value !== '' && (isSecret || below || looksSecret(value) || cutKnown(value, secrets).length > 0)
        : isSecret && typeof value === 'number';
    if (!isHidden) return value;
    const written = `<${toEnvName(name)}>`;
    onHidden(field, written);
    return written;
  };
  const ofMembers = (object: JsonObject, field: string, below: boolean): JsonObject => {
    const shown = createJsonObject();
    for (const [name, value] of Object.entries(object)) {
      const place = field === '' ? name : `${field}.${name}`;
      shown[name] = hide(value, { field: place, name, isSecret: isSecretName(name), below });
    }
    return shown;
  };
  return ofMembers(fields, '', false);
}

/** A secret in a text. */
interface Cut {
  start: number;
  end: number;
  /** What the secret is called. */
  name: string;
}

/** The cuts in their order, overlapping ones as one. */
function joined(cuts: Cut[]): Cut[] {
  const result: Cut[] = [];
  for (const cut of cuts.sort((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last === undefined || cut.start >= last.end) result.push({ ...cut });
    else last.end = Math.max(last.end, cut.end);
  }
  return result;
}

function cutKnown(text: string, secrets: ReadonlySet<string>): Cut[] {
  return [...secrets].flatMap((secret): Cut[] => {
    if (secret === text && text !== '') return [{ start: 0, end: text.length, name: 'secret' }];
    if (secret.length < shortestPart) return [];
    const starts: number[] = [];
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) starts.push(at);
    return starts.map((start) => ({ start, end: start + secret.length, name: 'secret' }));
  });
}

function flagOf(text: string): string | undefined {
  return /^--?([\w-]+)$/.exec(text)?.[1];
}

/** The scheme of an `Authorization` stays. */
function cutValue(name: string, text: string): Cut {
  const start = /^(?:bearer|basic|token) /i.exec(text)?.[0].length ?? 0;
  return { start, end: text.length, name: /^authorization$/i.test(name) ? 'token' : name };
}

/** `--token=…`, `API_KEY=…`, what follows `--token`, secrets of a URL, and texts that look like a key. */
function cutArgument(text: string, previous = '', isOpen: (text: string) => boolean): Cut[] {
  const [, before = '', name = '', value = ''] = /^((?:--?)?([\w-]+)=)(.+)$/s.exec(text) ?? [];
  if (value !== '' && isSecretName(name))
    return isOpen(value) ? [] : [{ start: before.length, end: text.length, name }];
  const flag = flagOf(previous);
  if (flag !== undefined && isSecretName(flag) && !text.startsWith('-'))
    return isOpen(text) ? [] : [{ start: 0, end: text.length, name: flag }];
  const inUrl = /^\w+:\/\//.test(text) ? cutUrl(text) : [];
  if (inUrl.length > 0 || !looksSecret(literal(text))) return inUrl;
  return [{ start: 0, end: text.length, name: flag ?? 'secret' }];
}

/** User and password of a URL, parameters with the name of a secret, and parts that look like a key. */
function cutUrl(text: string): Cut[] {
  const [, scheme = '', userInfo] = /^(\w+:\/\/)([^/?#]*)@/.exec(text) ?? [];
  const isOpenUser = userInfo?.includes('${') === true && literal(userInfo.replace(/^[^:]*:/, '')) === '';
  const user =
    userInfo === undefined || isOpenUser
      ? []
      : [{ start: scheme.length, end: scheme.length + userInfo.length, name: 'user-info' }];
  const parameters = Array.from(
    text.matchAll(/[?&]([^=&#?]+)=([^&#]+)/g),
    ({ 0: whole, 1: name = '', 2: value = '', index }) => ({
      start: index + whole.length - value.length,
      end: index + whole.length,
      name,
    }),
  ).filter(({ start, end, name }) => {
    const value = literal(text.slice(start, end));
    return isTokenLike(value) || (isSecretName(name) && value !== '');
  });
  const path = /^\w+:\/\/[^/?#]*([^?#]*)/.exec(text)?.[1] ?? '';
  const from = text.indexOf(path, text.indexOf('://') + 3);
  const segments = Array.from(path.matchAll(/[^/]+/g), ({ 0: segment, index }) => ({
    start: from + index,
    end: from + index + segment.length,
    name: 'secret',
  })).filter(({ start, end }) => isTokenLike(literal(text.slice(start, end))));
  return [...user, ...parameters, ...segments];
}

/** A text without its variables, of any syntax. */
function literal(text: string): string {
  return text.replace(/\$\{[^}]*\}/g, '');
}
