import type { JsonObject, JsonSchema } from '../base/json.ts';
import type { ToolDefinition } from '../registry/toolDefinition.ts';

/** Comments and white space, literals of text, words with digits, and everything else by one character. */
const tokenPattern =
  /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|`(?:[^`\\]|\\[^])*`|[\p{ID_Continue}$\u200c\u200d]+|=>|\.\.\.|[^]/gu;

const brackets = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

const closing = new Set(brackets.values());

/** A function of this program, whatever its parameters. It may return a promise. */
export type LocalFunction = (...args: never[]) => unknown;

/** What cannot be read from a function while the program runs: types and comments are gone by then. */
export interface FunctionToolOptions {
  /** The function's own name by default. */
  name?: string;
  /** What the function does, for the model; empty by default. */
  description?: string;
  /**
   * JSON Schema of parameters by name, such as `{ city: { type: 'string', description: 'A city' } }`. It is added to
   * what is read. A parameter that it leaves out takes any value, or the type of its default.
   */
  parameters?: Readonly<Record<string, JsonSchema>>;
}

/**
 * Describes a function as a tool. Its source tells the parameters: their names, which may be left out, and
 * defaults that are literals. They are either positional, `(city, days = 1)`, or the properties of one object,
 * `({ city, days = 1 })`. In minified code only the latter keep their names.
 * @throws TypeError if the function has no name, if its parameters cannot be read (built-in and bound functions, rest
 * parameters), or if `parameters` names one that it does not have
 */
export function functionToToolDefinition(tool: LocalFunction, options: FunctionToolOptions = {}): ToolDefinition {
  const { name = tool.name, description = '', parameters = {} } = options;
  if (name === '') throw new TypeError('The function has no name. Pass one in the options: { name }.');
  const read = readParameters(tool, name);
  const names = read.parameters.map((parameter) => parameter.name);
  const unknown = Object.keys(parameters).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'It has none.' : `It has: ${names.join(', ')}.`;
    throw new TypeError(`The function "${name}" has no parameter "${unknown}". ${known}`);
  }
  const properties = read.parameters.map((parameter): [string, JsonSchema] => [
    parameter.name,
    { ...schemaOf(parameter.defaultValue), ...parameters[parameter.name] },
  ]);
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: read.parameters.filter(({ optional }) => !optional).map((parameter) => parameter.name),
    },
    executor: (args) => call(tool, read, args),
  };
}

function schemaOf(defaultValue: string | number | boolean | undefined): JsonSchema {
  return defaultValue === undefined ? {} : { type: typeof defaultValue, default: defaultValue };
}

/** Arguments fit the schema by now. */
function call(tool: LocalFunction, { style, parameters }: FunctionParameters, args: JsonObject): unknown {
  const run = tool as (...args: unknown[]) => unknown;
  return style === 'object' ? run(args) : run(...parameters.map(({ name }) => args[name]));
}

/** A parameter of a function, as far as its source tells. */
interface FunctionParameter {
  name: string;
  /** It has a default. */
  optional: boolean;
  /** Its default, if that is a literal. */
  defaultValue?: string | number | boolean;
}

/** The parameters of a function: one after the other, or the properties of the one object that it takes. */
interface FunctionParameters {
  style: 'positional' | 'object';
  parameters: FunctionParameter[];
}

/**
 * Reads the parameters from a function's source. `name` is for errors.
 * @throws TypeError if it is built-in or bound, a class, or has parameters without a name
 */
function readParameters(tool: (...args: never[]) => unknown, name: string): FunctionParameters {
  const unreadable = (why: string): TypeError =>
    new TypeError(
      `The parameters of the function "${name}" cannot be read: ${why}. ` +
        'Pass a definition instead: { name, description, parameters, executor }.',
    );
  const source = Function.prototype.toString.call(tool);
  if (/\{\s*\[native code\]\s*\}$/.test(source)) throw unreadable('it is built-in or bound');
  const tokens = tokensOf(source);
  if (tokens[0] === 'class') throw unreadable('it is a class');
  const list = parameterList(tokens);
  if (list.flat().includes('/')) throw unreadable('a default holds a division or a regular expression');
  const [only] = list;
  if (list.length === 1 && only?.[0] === '{') {
    const inner = only.slice(1, endOfBracket(only, 0));
    return { style: 'object', parameters: splitAt(inner, ',').map((tokens) => readProperty(tokens, unreadable)) };
  }
  return { style: 'positional', parameters: list.map((tokens) => readPositional(tokens, unreadable)) };
}

function tokensOf(source: string): string[] {
  const tokens: string[] = [];
  for (const [token] of source.matchAll(tokenPattern)) {
    if (!/^\s|^\/[/*]/.test(token)) tokens.push(token);
    // The body is not read: it holds regular expressions, which look like anything.
    if (token === ')' && isClosed(tokens)) break;
    if (token === '=>' && !tokens.includes('(')) break;
  }
  return tokens;
}

function isClosed(tokens: readonly string[]): boolean {
  return endOfBracket(tokens, tokens.indexOf('(')) === tokens.length - 1;
}

/** `name => …` or what stands between the first brackets. */
function parameterList(tokens: readonly string[]): string[][] {
  const from = tokens.indexOf('(');
  if (from < 0) return [tokens.slice(-2, -1)];
  return splitAt(tokens.slice(from + 1, endOfBracket(tokens, from)), ',');
}

/** Parts between separators that are in no bracket; a trailing separator begins none. */
function splitAt(tokens: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    const end = brackets.has(token) ? endOfBracket(tokens, at) : at;
    if (token === separator) parts.push([]);
    else parts.at(-1)?.push(...tokens.slice(at, end + 1));
    at = end;
  }
  return parts.filter((part) => part.length > 0);
}

/** The index of the bracket that closes the one at `from`; that of the last token if none does. */
function endOfBracket(tokens: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (brackets.has(token)) depth += 1;
    else if (closing.has(token)) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

type Unreadable = (why: string) => TypeError;

function readPositional(tokens: readonly string[], unreadable: Unreadable): FunctionParameter {
  const [first = ''] = tokens;
  if (first === '...') throw unreadable('it takes any number of arguments');
  if (brackets.has(first)) throw unreadable('it takes one of its arguments apart');
  return { name: first, ...readDefault(tokens) };
}

/** `city`, `city = 'Kyiv'`, `city: alias`, `'city': alias = 'Kyiv'`. */
function readProperty(tokens: readonly string[], unreadable: Unreadable): FunctionParameter {
  const [first = ''] = tokens;
  if (first === '...') throw unreadable('it takes any properties');
  if (first === '[') throw unreadable('the name of a property is computed');
  return { name: readText(first) ?? first, ...readDefault(tokens) };
}

function readDefault(tokens: readonly string[]): Omit<FunctionParameter, 'name'> {
  const [, ...written] = splitAt(tokens, '=');
  if (written.length === 0) return { optional: false };
  const defaultValue = written.length === 1 ? readLiteral((written[0] ?? []).join('')) : undefined;
  return { optional: true, ...(defaultValue !== undefined && { defaultValue }) };
}

function readLiteral(written: string): string | number | boolean | undefined {
  const words = new Map([
    ['true', true],
    ['false', false],
    // As minifiers write them.
    ['!0', true],
    ['!1', false],
  ]);
  if (/^-?\d/.test(written) && Number.isFinite(Number(written))) return Number(written);
  return words.get(written) ?? readText(written);
}

/** The text of a literal that needs no more than JSON's escapes. */
function readText(written: string): string | undefined {
  const [quote = ''] = written;
  if (!`"'\``.includes(quote) || quote === '' || written.includes('${')) return undefined;
  const inner = written.slice(1, -1).replaceAll(`\\${quote}`, quote);
  try {
    return JSON.parse(`"${inner.replaceAll('"', '\\"')}"`) as string;
  } catch {
    return undefined;
  }
}
