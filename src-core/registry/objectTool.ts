import { exactToBigInt } from '../base/exactNumber.ts';
import { ToolError } from '../base/errors.ts';
import type { JsonObject, JsonSchema } from '../base/json.ts';
import type { InvokeOptions, ToolRegistry } from './types.ts';
import type { MethodMetadata, MethodParameter, ToolSource } from '../base/toolTypes.ts';

/** A method of an `ObjectTool`. Its parameters are a list or a schema; the schema is used if both are there. */
export interface ObjectToolMethod extends Partial<MethodMetadata> {
  name: string;
  parameters?: (Pick<MethodParameter, 'name'> & Partial<MethodParameter>)[];
}

/** A tool as an object: the object itself, often an instance of a class, has a function for each method. */
export interface ObjectTool {
  readonly id: string;
  /** The id if the object has none. */
  readonly name?: string;
  readonly description?: string;
  /** By default, a module with the tool's id. */
  readonly source?: ToolSource;
  getMetadata(): { methods: ObjectToolMethod[]; error?: string };
}

/** A method's own code. */
type ObjectFunction = (args: JsonObject, options: InvokeOptions) => unknown;

/** Makes a registry of an object with functions. A registry stays as it is. */
export function toToolRegistry(tool: ToolRegistry | ObjectTool): ToolRegistry {
  if (isRegistry(tool)) return tool;
  const { id, name = id, description, source = { kind: 'module', id, label: name } } = tool;
  return {
    id,
    name,
    source,
    ...(description !== undefined && { description }),
    getMetadata() {
      const metadata = tool.getMetadata();
      // A method without a name stays unchanged: readMetadata counts and reports it.
      const methods = metadata.methods.map((method) =>
        hasName(method) ? describeMethod(tool, method) : (method as MethodMetadata),
      );
      return { ...metadata, methods };
    },
    async invoke(methodName, args, options) {
      const run = functionOf(tool, methodName);
      if (run === undefined) throw new ToolError('unknown-method', `The tool "${id}" has no method "${methodName}".`);
      options.signal.throwIfAborted();
      return { value: await run(exactToBigInt(args), options) };
    },
  };
}

/** The function of a method, bound to its object; `undefined` if there is none. */
export function functionOf(tool: object, methodName: string): ObjectFunction | undefined {
  const found = (tool as Record<string, unknown>)[methodName];
  return typeof found === 'function' ? (found.bind(tool) as ObjectFunction) : undefined;
}

/**
 * A list of parameters as a schema. A type that JSON Schema does not have accepts every value.
 * @throws TypeError if it is not a list of objects with names
 */
export function schemaOfParameters(parameters: unknown = []): JsonSchema {
  if (!Array.isArray(parameters) || !parameters.every(hasName))
    throw new TypeError('"parameters" must be an array of objects with a "name".');
  const list: Parameter[] = parameters;
  return {
    type: 'object',
    properties: Object.fromEntries(list.map((parameter) => [parameter.name, schemaOf(parameter)])),
    required: list.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

function describeMethod(tool: ObjectTool, method: ObjectToolMethod): MethodMetadata {
  const { parameters, ...fields } = method;
  const described: MethodMetadata = {
    ...fields,
    description: method.description ?? '',
    agentCallable: method.agentCallable === true,
    inputSchema: method.inputSchema ?? { type: 'object', properties: {} },
  };
  if (functionOf(tool, method.name) === undefined) {
    const error = `The tool has no function "${method.name}". Add it, or take the method out of getMetadata().`;
    return { ...described, agentCallable: false, error };
  }
  if (method.inputSchema !== undefined) return described;
  try {
    return { ...described, inputSchema: schemaOfParameters(parameters) };
  } catch (error) {
    if (error instanceof TypeError) return { ...described, agentCallable: false, error: error.message };
    throw error;
  }
}

function isRegistry(tool: ToolRegistry | ObjectTool): tool is ToolRegistry {
  return 'invoke' in tool && typeof tool.invoke === 'function';
}

type Parameter = NonNullable<ObjectToolMethod['parameters']>[number];

/** True for an object with a name: the least that a method and a parameter need. */
export function hasName(value: unknown): value is { name: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    value.name !== ''
  );
}

function schemaOf({ type, description, defaultValue, enum: choices, minimum, maximum }: Parameter): JsonSchema {
  return {
    ...schemaOfType(type),
    ...(description !== undefined && { description }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(choices !== undefined && { enum: choices }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

const schemaTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** `string`, `string|number`, `string[]`. */
function schemaOfType(type: unknown): JsonSchema {
  if (typeof type !== 'string') return {};
  const names = type.split('|').map((name) => name.trim());
  const [first = ''] = names;
  if (names.length === 1 && first.endsWith('[]')) return { type: 'array', items: schemaOfType(first.slice(0, -2)) };
  if (!names.every((name) => schemaTypes.has(name))) return {};
  return { type: names.length === 1 ? first : names };
}
