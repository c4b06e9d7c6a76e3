import { createHash } from 'node:crypto';

import type { ToolSource } from '../../base/toolTypes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { KeyValueStore } from '../../store/types.ts';

/** The longest exported name: with `mcp__toolwire__` before it, it fits the 64 characters of the strictest host. */
const maxExportedName = 46;
const namePattern = new RegExp(`^(?!.*__)[A-Za-z0-9_]{1,${maxExportedName}}$`);
const maxAlias = 16;
const aliasPattern = new RegExp(`^(?!_)(?!.*__)[A-Za-z0-9_]{1,${maxAlias}}(?<!_)$`);
const markLength = 8;
/** Names that are tried before one is taken for the user's own. */
const maxAttempts = 8;
/** Names that are stored. A further name is its readable part with a mark, which depends on nothing else. */
const maxStored = 20_000;

const settingsKey = 'hostNames';

/** A tool by what identifies it across connections and restarts: its source, and its own name. */
export interface NamedTool {
  source: Pick<ToolSource, 'kind' | 'id'>;
  /** Id of its registry, from which the first alias is derived. */
  registryId: string;
  methodName: string;
}

/** The names under which hosts call tools. A name keeps its meaning and is never used for another tool. */
export interface ExportedNames {
  /** The name with the alias of its source in front, unique among all tools. */
  fullName(tool: NamedTool): string;
  /** The name without the alias, unique among the tools of its source. */
  localName(tool: NamedTool): string;
  alias(tool: Pick<NamedTool, 'source' | 'registryId'>): string;
  /** The full names that the tool had earlier. */
  formerNames(tool: NamedTool): readonly string[];
  /**
   * Renames a tool. The earlier full name stays reserved: only this tool can use it again.
   * @throws {RequestError} If the name does not fit the pattern, or is or was that of another tool.
   */
  rename(tool: NamedTool, name: string): void;
  /**
   * Changes the alias of a source, and the names of its tools that have it, except those that were renamed. The earlier ones stay taken
   * by the source.
   * @throws {RequestError} If the alias does not fit, or is or was that of another source.
   */
  setAlias(of: Pick<NamedTool, 'source' | 'registryId'>, alias: string): void;
}

/**
 * Reads the stored names. Names match `^[A-Za-z0-9_]{1,46}$` and have no `__`. New ones are written to the store in the same
 * turn of the event loop. A value that cannot be read is kept until its source or tool gets a new name.
 */
export function createExportedNames(options: {
  store: Pick<KeyValueStore, 'get' | 'set'>;
  onError: (error: unknown, where: string) => void;
}): ExportedNames {
  const names = new StoredNames(options.store, options.onError);
  const { kept, taken } = names;

  function alias({ source, registryId }: Pick<NamedTool, 'source' | 'registryId'>): string {
    const key = keyOf(source);
    return names.of('aliases', key, { candidates: (isReadable) => aliasCandidates(registryId, source, isReadable) });
  }

  function rename(tool: NamedTool, name: string): void {
    if (!namePattern.test(name))
      throw new RequestError(localize('hosts.badName', { most: maxExportedName }), { field: 'name' });
    const key = toolKey(tool);
    const own = retiredKey(key, name);
    if (kept.full.get(key) === name) return;
    if (taken.full.has(name) && !kept.full.has(own))
      throw new RequestError(localize('hosts.nameTaken', { name }), { field: 'name' });
    const before = kept.full.get(key);
    kept.full.delete(own);
    if (before !== undefined) names.retire(key, before);
    names.set('full', key, name);
  }

  function setAlias(of: Pick<NamedTool, 'source' | 'registryId'>, to: string): void {
    if (!aliasPattern.test(to))
      throw new RequestError(localize('hosts.badAlias', { most: maxAlias }), { field: 'alias' });
    const before = alias(of);
    if (before === to) return;
    const key = keyOf(of.source);
    if (taken.aliases.has(to) && !kept.aliases.delete(retiredKey(key, to)))
      throw new RequestError(localize('hosts.aliasTaken', { alias: to }), { field: 'alias' });
    for (const [tool, name] of [...kept.full]) {
      if (!tool.startsWith(`${key}\n`) || !isGiven(name, tool, before)) continue;
      kept.full.delete(tool);
      names.retire(tool, name);
    }
    kept.aliases.set(retiredKey(key, before), before);
    names.set('aliases', key, to);
  }

  return {
    alias,
    formerNames: (tool) => names.former.get(toolKey(tool)) ?? [],
    rename,
    setAlias,
    fullName: (tool) =>
      names.of('full', toolKey(tool), {
        candidates: (isReadable) => nameCandidates(`${alias(tool)}_${plain(tool.methodName)}`, keyed(tool), isReadable),
      }),
    localName: (tool) =>
      names.of('local', toolKey(tool), {
        scope: `${keyOf(tool.source)}\n`,
        candidates: (isReadable) => nameCandidates(plain(tool.methodName), keyed(tool), isReadable),
      }),
  };
}

type Kind = 'aliases' | 'full' | 'local';

/** The names by the keys of what has, or had, them. */
class StoredNames {
  readonly kept: Record<Kind, Map<string, string>>;
  readonly taken: Record<Kind, Set<string>>;
  /** Full names that a tool had earlier, by its key. */
  readonly former = new Map<string, string[]>();
  readonly #store: Pick<KeyValueStore, 'get' | 'set'>;
  readonly #onError: (error: unknown, where: string) => void;
  /** What cannot be read, by its kind and key, and members of a later version. */
  readonly #stored: JsonObject;
  #willSave = false;

  constructor(store: Pick<KeyValueStore, 'get' | 'set'>, onError: (error: unknown, where: string) => void) {
    this.#store = store;
    this.#onError = onError;
    this.#stored = membersOf(store.get(settingsKey));
    this.kept = { aliases: this.#read('aliases'), full: this.#read('full'), local: this.#read('local') };
    const { aliases, full, local } = this.kept;
    const localNames = [...local].map(([key, name]) => `${key.split('\n', 1)[0]}\n${name}`);
    this.taken = { aliases: new Set(aliases.values()), full: new Set(full.values()), local: new Set(localNames) };
    for (const [key, name] of full) {
      const [, tool] = /^retired:([^]*)\n[^\n]*$/.exec(key) ?? [];
      if (tool !== undefined) this.#addFormer(tool, name);
    }
  }

  /** Takes the readable names of a kind out of what is stored. */
  #read(kind: Kind): Map<string, string> {
    const { texts = [], others = [] } = Object.groupBy(Object.entries(membersOf(this.#stored[kind])), ([, value]) =>
      typeof value === 'string' ? 'texts' : 'others',
    );
    this.#stored[kind] = Object.fromEntries(others);
    const keys = others.slice(0, 5).map(([key]) => JSON.stringify(key));
    const text = `${others.length} of the names in "${kind}" are kept, but cannot be read, such as ${keys.join(', ')}.`;
    if (others.length > 0) this.#onError(new Error(text), 'the names of tools for MCP hosts');
    return new Map(texts as [string, string][]);
  }

  /** The stored name of a key, or the first of `candidates` that is free. */
  of(
    kind: Kind,
    key: string,
    { scope = '', candidates }: { scope?: string; candidates: (isReadable: boolean) => Iterable<string> },
  ): string {
    const kept = this.kept[kind];
    const known = kept.get(key);
    if (known !== undefined) return known;
    for (const name of candidates(kept.size < maxStored)) {
      if (this.taken[kind].has(scope + name) && !kept.delete(retiredKey(key, name))) continue;
      if (kept.size < maxStored) this.set(kind, key, name, scope);
      return name;
    }
    throw new Error(`No name is left for ${key}.`);
  }

  set(kind: Kind, key: string, name: string, scope = ''): void {
    this.kept[kind].set(key, name);
    this.taken[kind].add(scope + name);
    this.#save();
  }

  retire(key: string, name: string): void {
    this.kept.full.set(retiredKey(key, name), name);
    this.#addFormer(key, name);
  }

  #addFormer(key: string, name: string): void {
    this.former.set(key, [...(this.former.get(key) ?? []), name]);
  }

  #save(): void {
    if (this.#willSave) return;
    this.#willSave = true;
    queueMicrotask(() => {
      this.#willSave = false;
      try {
        const entries = Object.entries(this.kept).map(([kind, names]) => {
          const others = Object.entries(membersOf(this.#stored[kind]));
          return [kind, Object.fromEntries<JsonValue>([...others, ...names])] as const;
        });
        this.#store.set(settingsKey, { ...this.#stored, ...Object.fromEntries(entries) });
      } catch (error) {
        this.#onError(error, 'storing the names of tools for MCP hosts');
      }
    });
  }
}

/** A copy of an object. Any other value becomes its only member. */
function membersOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? { ...value } : value === undefined ? {} : { '': value };
}

function keyOf({ kind, id }: NamedTool['source']): string {
  return `${kind}:${id.replaceAll('\n', ' ')}`;
}

/** The key of a name that a tool had earlier. */
function retiredKey(key: string, name: string): string {
  return `retired:${key}\n${name}`;
}

function keyed(tool: NamedTool): { methodName: string; key: string } {
  return { methodName: tool.methodName, key: toolKey(tool) };
}

function toolKey({ source, methodName }: NamedTool): string {
  return `${keyOf(source)}\n${methodName}`;
}

/** Whether a tool has its name from the alias of its source, and not from the user. */
function isGiven(name: string, key: string, alias: string): boolean {
  const methodName = key.slice(key.indexOf('\n') + 1);
  const given = nameCandidates(`${alias}_${plain(methodName)}`, { methodName, key }, true);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) if (given.next().value === name) return true;
  return false;
}

/**
 * A device's alias is the beginning of its board's name and the end of its id. That of an MCP server is its name, without the `mcp-` that
 * all their registries begin with.
 */
function* aliasCandidates(registryId: string, source: NamedTool['source'], isReadable: boolean): Generator<string> {
  const words = plain(source.kind === 'mcp' ? registryId.replace(/^mcp-(?=.)/, '') : registryId);
  const tail = plain(source.id).replaceAll('_', '').slice(-4);
  const stem = wholeWords(words.replace(/_[^_]*$/, ''), maxAlias - 5);
  const short = source.kind === 'device' && tail !== '' ? fold(`${stem}_${tail}`) : wholeWords(words, maxAlias);
  if (isReadable && short !== '') yield short;
  for (let attempt = 0; ; attempt += 1)
    yield fold(`${short.slice(0, maxAlias - 5) || source.kind}_${mark(keyOf(source), attempt).slice(0, 4)}`);
}

/** The first words that fit as a whole, or the beginning of a first word that is too long. */
function wholeWords(words: string, most: number): string {
  if (words.length <= most) return words;
  return words.slice(0, most + 1).match(/^(.+)_/)?.[1] ?? words.slice(0, most);
}

/** The readable name if it is wanted, fits and loses nothing but separators; then names with a mark. */
function* nameCandidates(
  name: string,
  { methodName, key }: { methodName: string; key: string },
  isReadable: boolean,
): Generator<string> {
  const isPlain = !/[^\x20-\x7e]/.test(methodName) && /[A-Za-z0-9]/.test(methodName);
  if (isReadable && isPlain && name.length <= maxExportedName) yield name;
  const stem = fold(name.slice(0, maxExportedName - markLength - 1)) || 'tool';
  for (let attempt = 0; ; attempt += 1) yield `${stem}_${mark(key, attempt)}`;
}

/** Letters, digits and single `_`, without the `self.` that every tool of a board begins with. */
function plain(name: string): string {
  return fold(name.replace(/^self\.(?=.)/, '').replace(/[^A-Za-z0-9]+/g, '_'));
}

function fold(name: string): string {
  return name.replace(/_+/g, '_').replace(/^_|_$/g, '');
}

function mark(key: string, attempt: number): string {
  return createHash('sha256').update(`${key}\0${attempt}`).digest('hex').slice(0, markLength);
}
