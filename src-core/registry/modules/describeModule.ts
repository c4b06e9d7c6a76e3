import { parseIntegersExactly, writeWithBigInts } from '../../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../../base/json.ts';
import { nearestNames } from '../../base/nearestNames.ts';
import { prepareSchema } from '../../schema/prepareSchema.ts';
import { functionOf, hasName, schemaOfParameters, type ObjectTool } from '../objectTool.ts';
import type { MethodMetadata, ToolProgress } from '../../base/toolTypes.ts';
import { ModuleFault } from './moduleFault.ts';
import type { LoadedModule } from './types.ts';

/** What a handler receives in addition to its arguments. */
export interface ModuleCallContext {
  /** Aborts when the caller cancels or the timeout elapses. A handler that continues is ended with its worker. */
  signal: AbortSignal;
  onProgress(progress: ToolProgress): void;
}

/** A method's own code. What it returns must be something that JSON can carry. */
export type ModuleHandler = (args: JsonObject, context: ModuleCallContext) => unknown;

/** A module's default export, checked: the description for the engine, the handlers for the worker. */
export interface DescribedModule {
  module: LoadedModule;
  handlers: Map<string, ModuleHandler>;
  /** What is wrong with the methods that have no handler here, by name. */
  faults: Map<string, unknown>;
  /** What is wrong with the tool, whose methods can be called all the same. */
  fault: ModuleFault | undefined;
}

/** Characters of a text. */
const maxText = 10_000;
const toolFields = ['name', 'description', 'methods'];
const methodFields = [
  'displayName',
  'description',
  'inputSchema',
  'outputSchema',
  'agentCallable',
  'danger',
  'vcpCommand',
  'protocolConfig',
  'handler',
];
const maxMethods = 1000;

/**
 * Checks a tool module. Its shape, of a file `weather.ts` that becomes the tool `weather`:
 *
 * ```ts
 * export default {
 *   name: 'Weather', // optional, the file's name otherwise
 *   description: 'Asks a weather station.', // optional
 *   methods: {
 *     now: {
 *       description: 'The weather right now.',
 *       inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }, // optional: none
 *       outputSchema: { type: 'object', properties: { celsius: { type: 'number' } } }, // optional: the answer is checked against it
 *       agentCallable: true, // optional: whether a model may call it, false otherwise
 *       danger: 'Moves the antenna.', // optional: the call asks first
 *       protocolConfig: { vcpCommand: 'WeatherNow' }, // optional: the name in VCP; `vcpCommand` alone is the same
 *       async handler({ city }, { signal, onProgress }) {
 *         onProgress({ progress: 1, total: 2 });
 *         return (await fetch(`https://weather.example/${city}`, { signal })).json();
 *       },
 *     },
 *   },
 * };
 * ```
 *
 * The default export may also be an object, or a class without arguments, with `getMetadata()` and
 * a function for each method.
 *
 * A handler returns any JSON value, or a tools/call result (`{ content, structuredContent, isError }`) with pictures and more.
 *
 * An invalid method does not affect the others: a ModuleFault in `faults` names its field and the fix. An unknown field
 * of the tool affects none.
 *
 * @throws {ModuleFault} If the file as a whole is not a tool.
 */
export function describeModule(namespace: Record<string, unknown>): DescribedModule {
  const exported = namespace['default'];
  const tool = isClass(exported) ? new exported() : exported;
  if (tool === undefined)
    throw new ModuleFault('has no default export', 'Write `export default { methods: { … } }`.', 'export');
  if (!isRecord(tool))
    throw new ModuleFault(
      'has a default export that is not an object',
      'Write `export default { methods: { … } }`.',
      'export default',
    );
  const isObjectTool = typeof tool['getMetadata'] === 'function';
  const fault = isObjectTool ? undefined : unknownField(tool, toolFields, 'the tool');
  const methods = isObjectTool ? methodsOfObject(tool as unknown as ObjectTool) : tool['methods'];
  if (methods !== undefined && !isRecord(methods))
    throw new ModuleFault(
      'has methods that are not an object',
      'Write `methods: { yourMethod: { description, handler } }`.',
      'methods',
    );
  if (methods === undefined || Object.keys(methods).length === 0)
    throw new ModuleFault(
      'has no methods',
      'Give the default export `methods: { yourMethod: { description, handler } }`.',
      'export default',
    );
  if (Object.keys(methods).length > maxMethods)
    throw new ModuleFault(`has more than ${maxMethods} methods`, 'Split it into several files.', 'methods');

  const handlers = new Map<string, ModuleHandler>();
  const faults = new Map<string, unknown>();
  const described = Object.entries(methods).map(([name, method]) => {
    try {
      const { metadata, handler } = describeMethod(name, isObjectTool ? objectMethod(tool, name, method) : method);
      handlers.set(name, handler);
      return metadata;
    } catch (error) {
      faults.set(name, error);
      return readableParts(name, method);
    }
  });
  const name = text(tool, 'name', 'the tool');
  const description = text(tool, 'description', 'the tool');
  return {
    module: { ...(name && { name }), ...(description && { description }), methods: described },
    handlers,
    faults,
    fault,
  };
}

/** The parts of a method with a mistake that can still be shown. */
function readableParts(name: string, method: unknown): MethodMetadata {
  const fields = isRecord(method) ? method : {};
  return {
    name,
    description: readableDescription(fields),
    agentCallable: false,
    inputSchema: readableSchema(fields, name),
  };
}

function readableDescription(fields: Fields): string {
  try {
    const { description } = fields;
    return typeof description === 'string' ? description.slice(0, maxText) : '';
  } catch {
    // A getter of the module threw.
    return '';
  }
}

function readableSchema(fields: Fields, name: string): JsonObject {
  try {
    return schemaOf(fields, 'inputSchema', '', name) ?? { type: 'object' };
  } catch {
    return { type: 'object' };
  }
}

/** The methods of an object with `getMetadata()`, by name. */
function methodsOfObject(tool: ObjectTool): Record<string, unknown> {
  const { methods } = tool.getMetadata();
  if (!Array.isArray(methods) || !methods.every(hasName))
    throw new ModuleFault(
      'has a getMetadata() that does not list methods with names',
      'Return `{ methods: [{ name, description, parameters }] }`.',
      'getMetadata',
    );
  return Object.fromEntries(methods.map((method) => [method.name, method]));
}

/** A method of such an object in the form of the others. Fields that only its own host reads are omitted. */
function objectMethod(tool: object, name: string, method: unknown): unknown {
  if (!isRecord(method)) return method;
  const handler = functionOf(tool, name);
  if (handler === undefined)
    throw new ModuleFault(
      `method "${name.slice(0, 128)}" has no function of its name`,
      'Add the function to the object, or take the method out of `getMetadata()`.',
      name,
    );
  const known = Object.entries(method).filter(([field]) => methodFields.includes(field));
  return { inputSchema: parametersOf(method['parameters'], name), ...Object.fromEntries(known), handler };
}

function parametersOf(parameters: unknown, name: string): JsonSchema {
  try {
    return schemaOfParameters(parameters);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ModuleFault(
      `method "${name.slice(0, 128)}": "parameters" must be an array of objects with a "name"`,
      "Write `parameters: [{ name: 'level', type: 'integer' }]`, or a JSON Schema as `inputSchema`.",
      'parameters',
    );
  }
}

function describeMethod(name: string, method: unknown): { metadata: MethodMetadata; handler: ModuleHandler } {
  const where = `method "${name.slice(0, 128)}"`;
  if (!/^[\p{L}\p{N}_.-]{1,128}$/u.test(name))
    throw new ModuleFault(`${where} has a name that cannot be called`, 'Use letters, digits, `_`, `.` and `-`.', name);
  if (!isRecord(method))
    throw new ModuleFault(`${where} is not an object`, 'Write it as `{ description, inputSchema, handler }`.', name);
  throwIfPresent(unknownField(method, methodFields, where, name));
  const handler = method['handler'];
  if (!isHandler(handler))
    throw new ModuleFault(`${where} has no handler`, 'Add `handler(args, { signal, onProgress }) { … }`.', name);
  const description = text(method, 'description', where, name);
  if (!description)
    throw new ModuleFault(`${where} has no description`, 'Say in `description` what it does and when to use it.', name);
  const agentCallable = method['agentCallable'] ?? false;
  if (typeof agentCallable !== 'boolean')
    throw new ModuleFault(`${where} has an agentCallable that is not a boolean`, 'Write true or false.', name);
  const displayName = text(method, 'displayName', where, name);
  const danger = text(method, 'danger', where, name);
  const vcpCommand = vcpCommandOf(method, where, name);
  const outputSchema = schemaOf(method, 'outputSchema', where, name);
  return {
    handler: handler.bind(method),
    metadata: {
      name,
      description,
      agentCallable,
      inputSchema: schemaOf(method, 'inputSchema', where, name) ?? { type: 'object', properties: {} },
      ...(outputSchema && { outputSchema }),
      ...(displayName && { displayName }),
      ...(danger && { danger }),
      ...(vcpCommand && { protocolConfig: { vcpCommand } }),
    },
  };
}

function vcpCommandOf(method: Record<string, unknown>, where: string, name: string): string | undefined {
  const config = method['protocolConfig'];
  if (config === undefined) return text(method, 'vcpCommand', where, name);
  if (!isRecord(config))
    throw new ModuleFault(
      `${where} has a protocolConfig that is not an object`,
      "Write `protocolConfig: { vcpCommand: 'Name' }`.",
      name,
    );
  throwIfPresent(unknownField(config, ['vcpCommand'], where, name));
  return text(config, 'vcpCommand', where, name) ?? text(method, 'vcpCommand', where, name);
}

function schemaOf(
  record: Record<string, unknown>,
  field: 'inputSchema' | 'outputSchema',
  where: string,
  method: string,
): JsonObject | undefined {
  const written = record[field];
  if (written === undefined) return undefined;
  let schema: JsonValue;
  try {
    schema = parseIntegersExactly(writeWithBigInts(written) ?? 'null');
  } catch (error) {
    throw new ModuleFault(
      `${where} has an ${field} that is not valid JSON (${String(error)})`,
      'Write it as plain data.',
      method,
    );
  }
  if (!isJsonObject(schema) || schema['type'] !== 'object')
    throw new ModuleFault(
      `${where} has an ${field} that does not describe an object`,
      `Write \`${field}: { type: 'object', properties: { … } }\`.`,
      method,
    );
  const [warning] = prepareSchema(schema).warnings;
  if (warning)
    throw new ModuleFault(
      `${where} has a faulty ${field}: ${warning.replace(/\.$/, '')}`,
      'Correct the schema.',
      method,
    );
  return schema;
}

function text(record: Record<string, unknown>, field: string, where: string, near = field): string | undefined {
  const value = record[field];
  if (value === undefined || typeof value === 'string') return value?.slice(0, maxText);
  const advice =
    field === 'danger'
      ? "Write the reason as a string, such as `danger: 'Deletes records.'`."
      : `Write \`${field}\` as a string.`;
  throw new ModuleFault(`${where} has a ${field} that is not a string`, advice, near);
}

type Fields = Record<string, unknown>;

/** Names that MCP and other hosts use for a field of ours. */
const otherWords: Record<string, string[]> = {
  inputSchema: ['parameters'],
  displayName: ['title'],
  danger: ['dangerous', 'destructiveHint', 'annotations', 'requiresConfirmation'],
};

function unknownField(record: Fields, known: string[], where: string, within = ''): ModuleFault | undefined {
  const unknown = Object.keys(record).filter((field) => !known.includes(field));
  const [key] = unknown;
  if (key === undefined) return undefined;
  const names = known.join(', ');
  const isOfMethod = known === toolFields && unknown.length === 1 && methodFields.includes(key);
  const keysOf = (field: string): string[] => [field, ...(otherWords[field] ?? [])];
  const [meant] = nearestNames({ query: key, items: known, keysOf, limit: 1 });
  const fix = isOfMethod
    ? `It belongs inside a method. Known fields: ${names}.`
    : meant !== undefined && unknown.length === 1
      ? `Use "${meant}". Known fields: ${names}.`
      : `Known fields: ${names}.`;
  if (unknown.length === 1) return new ModuleFault(`${where} has an unknown field "${key}"`, fix, key, within);
  return new ModuleFault(`${where} has unknown fields: ${unknown.slice(0, 20).join(', ')}`, fix, key, within);
}

function throwIfPresent(fault: ModuleFault | undefined): void {
  if (fault !== undefined) throw fault;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isClass(value: unknown): value is new () => unknown {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

function isHandler(value: unknown): value is ModuleHandler {
  return typeof value === 'function';
}
