import type { JsonObject, JsonSchema } from '../base/json.ts';
import type { ToolDefinition } from '../registry/toolDefinition.ts';
import { readParameters, type FunctionParameters } from './readParameters.ts';

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
