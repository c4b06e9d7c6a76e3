import { createTurns } from '../../base/createTurns.ts';
import { isExactNumber } from '../../base/exactNumber.ts';
import { RequestError } from '../../base/requestError.ts';
import { writeExact, type ExactJson } from '../../base/exactJson.ts';
import type { Variables } from './format.ts';

/** Where the values of `{{…}}` come from. */
export interface VariableSources {
  /** Values that earlier calls extracted, looked up first. A device wrote them: text that looks like a variable is not filled in. */
  given?: Readonly<Variables>;
  /** The first that has the name is used: the environment, the collection. */
  scopes: readonly Readonly<Variables>[];
  /** `{{$secret:NAME}}`. Undefined if there is none. */
  secret: (name: string) => Promise<string | undefined>;
  /** `{{$device}}`: the registry id of the device that is meant. Rejects if that is ambiguous. */
  device: () => Promise<string>;
  /** The replacement for an undefined variable; without it that is an error. */
  missing?: (name: string) => ExactJson;
}

/** A value with its variables filled in, and the secrets that it now contains, by name. */
export interface Filled<T> {
  value: T;
  secrets: Record<string, string>;
}

/** The maximum nesting of variables in variables: deeper ones are circular. */
const maxDepth = 10;
/** Characters of a filled-in value as JSON. */
const maxLength = 4 * 1024 * 1024;

/** The placeholder of a secret, with its name. */
export const secretMark = /\{\{\s*\$secret:([A-Za-z_]\w{0,127})\s*\}\}/g;

const marks = /(\\?)\{\{\s*(\$secret:[A-Za-z_]\w{0,127}|\$device|[A-Za-z_][\w.-]{0,63})\s*\}\}/g;

/** A value with the length of its JSON: one that is used in many places is held once, and written in each. */
interface Measured {
  value: ExactJson;
  length: number;
}

/**
 * Fills the variables of a JSON value. A text that is exactly one variable becomes its value, including the type; in a
 * longer text the value is inserted as text. `\{{name}}` is left as `{{name}}`. Names of members are not filled. Each
 * variable is filled once, however often it occurs. Other work gets turns, since a few lines of a file may expand
 * without end.
 * @throws {RequestError} If a variable or secret is undefined, or makes more than 4 MB; the message names it.
 */
export async function fillVariables<T extends ExactJson>(value: T, sources: VariableSources): Promise<Filled<T>> {
  const filler = new Filler(sources);
  const filled = await filler.fill(value, 0);
  return { value: filled.value as T, secrets: filler.secrets };
}

class Filler {
  readonly secrets: Record<string, string> = {};
  readonly #sources: VariableSources;
  readonly #known = new Map<string, Measured>();
  /** The variable that was filled last. */
  #latest = '';
  readonly #turn = createTurns();

  constructor(sources: VariableSources) {
    this.#sources = sources;
  }

  async fill(each: ExactJson, depth: number): Promise<Measured> {
    await this.#turn(1);
    if (typeof each === 'string') return this.#fillText(each, depth);
    if (typeof each !== 'object' || each === null || isExactNumber(each)) return measured(each);
    const isList = Array.isArray(each);
    const filled: [string, ExactJson][] = [];
    let length = 2;
    for (const [key, item] of Object.entries(each)) {
      const inner = await this.fill(item, depth);
      length = this.#withinLimit(length + inner.length + (isList ? 1 : key.length + 4));
      filled.push([key, inner.value]);
    }
    return { value: isList ? filled.map(([, value]) => value) : Object.fromEntries(filled), length };
  }

  async #fillText(text: string, depth: number): Promise<Measured> {
    const found = [...text.matchAll(marks)];
    const [only] = found;
    if (only !== undefined && only[1] === '' && only[0].length === text.length)
      return this.#valueOf(only[2] ?? '', depth);
    let filled = '';
    let at = 0;
    for (const mark of found) {
      await this.#turn(1);
      const [whole, escape, name = ''] = mark;
      const given = escape === '' ? (await this.#valueOf(name, depth)).value : whole.slice(1);
      filled += text.slice(at, mark.index) + (typeof given === 'string' ? given : writeExact(given));
      at = mark.index + whole.length;
      this.#withinLimit(filled.length);
    }
    return measured(filled + text.slice(at));
  }

  async #valueOf(name: string, depth: number): Promise<Measured> {
    const value = this.#known.get(name) ?? (await this.#find(name, depth));
    this.#known.set(name, value);
    this.#latest = name;
    return value;
  }

  async #find(name: string, depth: number): Promise<Measured> {
    const { given, scopes, missing, device } = this.#sources;
    if (name === '$device') return measured(await device());
    if (name.startsWith('$secret:')) return measured(await this.#secret(name.slice('$secret:'.length)));
    const extracted = given !== undefined && Object.hasOwn(given, name) ? given[name] : undefined;
    if (extracted !== undefined) return measured(extracted);
    const found = scopes.find((each) => Object.hasOwn(each, name))?.[name];
    if (found === undefined && missing !== undefined) return measured(missing(name));
    if (found === undefined) throw noVariable(name);
    if (depth >= maxDepth)
      throw new RequestError(`The variable "${name}" refers to itself. Remove it from its own value.`, { field: name });
    return this.fill(found, depth + 1);
  }

  async #secret(name: string): Promise<string> {
    const secret = await this.#sources.secret(name);
    if (secret === undefined)
      throw new RequestError(`There is no secret "${name}". Set it, or define it in the environment.`, { field: name });
    this.secrets[name] = secret;
    return secret;
  }

  #withinLimit(length: number): number {
    if (length <= maxLength) return length;
    throw new RequestError(`"${this.#latest}" makes a value of more than 4 MB.`, { field: this.#latest });
  }
}

/** The variables that a value names, except secrets and the device. */
export function variablesIn(value: ExactJson): string[] {
  const found = [...writeExact(value).matchAll(marks)];
  return found
    .filter(([, escape]) => escape === '')
    .map(([, , name = '']) => name)
    .filter((name) => !name.startsWith('$'));
}

/** A variable has no value. */
export function noVariable(name: string): RequestError {
  return new RequestError(`There is no variable "${name}". Set it in the collection or the environment.`, {
    field: name,
  });
}

function measured(value: ExactJson): Measured {
  return { value, length: typeof value === 'string' ? value.length + 2 : writeExact(value).length };
}
