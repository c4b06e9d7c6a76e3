import { isExactNumber } from '../tools/exactNumber.ts';
import { RequestError } from '../tools/requestError.ts';
import { writeExact, type ExactJson } from './exactJson.ts';
import type { Variables } from './format.ts';

/** Where the values of `{{…}}` come from. */
export interface VariableSources {
  /** The first that has the name is asked: what earlier calls gave, the environment, the collection. */
  scopes: readonly Readonly<Variables>[];
  /** `{{$secret:NAME}}`. Undefined where there is none. */
  secret: (name: string) => Promise<string | undefined>;
  /** `{{$device}}`: the registry id of the device that is meant. Rejects where that is not clear. */
  device: () => Promise<string>;
  /** What stands for a variable that there is none of; without it that is an error. */
  missing?: (name: string) => ExactJson;
}

/** A value with its variables filled in, and the secrets that are in it now, by name. */
export interface Filled<T> {
  value: T;
  secrets: Record<string, string>;
}

/** Variables in variables, at most that deep: further in they go in a circle. */
const maxDepth = 10;
/** Characters of one filled-in text. */
const maxLength = 4_000_000;

const marks = /(\\?)\{\{\s*(\$secret:[A-Za-z_]\w{0,127}|\$device|[A-Za-z_][\w.-]{0,63})\s*\}\}/g;

/**
 * Fills the variables of a JSON value. A text that is one variable and nothing else becomes its value, type and all; in
 * a longer text it stands as text. `\{{name}}` is left as `{{name}}`. Names of members are left alone.
 * @throws RequestError that names a variable or secret that there is none of.
 */
export async function fillVariables<T extends ExactJson>(value: T, sources: VariableSources): Promise<Filled<T>> {
  const secrets: Record<string, string> = {};

  async function valueOf(name: string, depth: number): Promise<ExactJson> {
    if (name === '$device') return sources.device();
    if (name.startsWith('$secret:')) {
      const secretName = name.slice('$secret:'.length);
      const secret = await sources.secret(secretName);
      if (secret === undefined)
        throw new RequestError(`There is no secret "${secretName}". Set it, or give it in the environment.`, {
          field: secretName,
        });
      secrets[secretName] = secret;
      return secret;
    }
    const scope = sources.scopes.find((each) => Object.hasOwn(each, name));
    const found = scope?.[name];
    if (found === undefined && sources.missing !== undefined) return sources.missing(name);
    if (found === undefined)
      throw new RequestError(`There is no variable "${name}". Set it in the collection or the environment.`, {
        field: name,
      });
    if (depth >= maxDepth)
      throw new RequestError(`The variable "${name}" leads to itself. Take it out of its own value.`, { field: name });
    return fill(found, depth + 1);
  }

  async function fillText(text: string, depth: number): Promise<ExactJson> {
    const found = [...text.matchAll(marks)];
    const [only] = found;
    if (only !== undefined && only[1] === '' && only[0].length === text.length) return valueOf(only[2] ?? '', depth);
    let filled = '';
    let at = 0;
    for (const mark of found) {
      const [whole, escape, name = ''] = mark;
      const given = escape === '' ? await valueOf(name, depth) : whole.slice(1);
      filled += text.slice(at, mark.index) + (typeof given === 'string' ? given : writeExact(given));
      at = mark.index + whole.length;
      if (filled.length > maxLength)
        throw new RequestError(`"${name}" makes a text of more than 4 MB.`, { field: name });
    }
    return filled + text.slice(at);
  }

  async function fill(each: ExactJson, depth: number): Promise<ExactJson> {
    if (typeof each === 'string') return fillText(each, depth);
    if (Array.isArray(each)) {
      const filled: ExactJson[] = [];
      for (const item of each) filled.push(await fill(item, depth));
      return filled;
    }
    if (typeof each !== 'object' || each === null || isExactNumber(each)) return each;
    const filled: [string, ExactJson][] = [];
    for (const [key, item] of Object.entries(each)) filled.push([key, await fill(item, depth)]);
    return Object.fromEntries(filled);
  }

  return { value: (await fill(value, 0)) as T, secrets };
}
