import { maskSecrets } from '../../../base/maskSecrets.ts';
import type { ConfiguredServer } from './types.ts';
import { isReference, readVariables, toEnvName, type TextPart } from './variables.ts';

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
  const add = (field: string, text: string, split?: (text: string) => Cut | undefined): void => {
    const cut = hide ? split?.(text) : undefined;
    if (cut === undefined) return void pieces.set(field, readVariables(text, variables));
    const id = `${server.name}-${cut.name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const envName = field.startsWith('env.') ? cut.name : toEnvName(`${server.name}_${cut.name}`);
    hidden.set(id, field);
    const secret: TextPart = { kind: 'input', id, envName };
    pieces.set(field, [...readVariables(cut.before, variables), secret, ...readVariables(cut.after, variables)]);
  };
  const ofValue = (name: string) => (text: string) => (isReference(text, variables) ? undefined : cutValue(name, text));
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

/** A text around a secret. */
interface Cut {
  before: string;
  after: string;
  /** What the secret is called. */
  name: string;
}

/** The scheme of an `Authorization` stays. */
function cutValue(name: string, text: string): Cut {
  const before = /^(?:bearer|basic|token) /i.exec(text)?.[0] ?? '';
  return { before, after: '', name: /^authorization$/i.test(name) ? 'token' : name };
}

/** `--token=…`, `API_KEY=…`, what follows `--token`, and texts that look like a key. */
function cutArgument(text: string, previous = ''): Cut | undefined {
  if (text.includes('${')) return undefined;
  const [, before = '', name = '', value = ''] = /^((?:--?)?([\w-]+)=)(.+)$/s.exec(text) ?? [];
  if (value !== '' && secretWord.test(name)) return { before, after: '', name: name.replace(/^-+/, '') };
  const flag = /^--?([\w-]+)$/.exec(previous)?.[1];
  if (flag !== undefined && secretWord.test(flag) && !text.startsWith('-'))
    return { before: '', after: '', name: flag };
  const url = /^\w+:\/\//.test(text) ? cutUrl(text) : undefined;
  return url ?? (maskSecrets(text) === text ? undefined : { before: '', after: '', name: flag ?? 'secret' });
}

/** The first secret of a URL: a password, or a parameter with the name of a secret. */
function cutUrl(text: string): Cut | undefined {
  const [, scheme = '', userInfo] = /^(\w+:\/\/)([^/?#]*)@/.exec(text) ?? [];
  if (userInfo !== undefined && !userInfo.includes('${'))
    return { before: scheme, after: text.slice(scheme.length + userInfo.length), name: 'user-info' };
  for (const match of text.matchAll(/[?&]([^=&#]+)=([^&#]+)/g)) {
    const [whole, name = '', value = ''] = match;
    if (!secretWord.test(name) || value.includes('${')) continue;
    const start = match.index + whole.length - value.length;
    return { before: text.slice(0, start), after: text.slice(start + value.length), name };
  }
  return undefined;
}
