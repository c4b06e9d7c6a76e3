import { cleanSchema } from '../../schema/cleanSchema.ts';
import { cloneJson } from '../../base/cloneJson.ts';
import { isJsonObject, type JsonSchema, type JsonValue } from '../../base/json.ts';
import type { MethodMetadata } from '../../registry/types.ts';

/** In UTF-16 code units (docs/protocols/gateway.md#registering-tools). */
const maxNameLength = 64;

/** One tool of a `register_tools`, or a sentence that says what is wrong with it (docs/protocols/gateway.md). */
export function readToolDefinition(entry: JsonValue): MethodMetadata | string {
  if (!isJsonObject(entry)) return 'A tool must be an object';
  const { name, description, parameters } = entry;
  if (typeof name !== 'string') return 'Tool name is missing';
  if (!isToolName(name))
    return 'Invalid tool name: 1 to 64 letters, digits, underscores and single dots, beginning with a letter or underscore, not ending with a dot';
  if (typeof description !== 'string' || description.trim() === '') return 'Tool description is missing';
  if (parameters === undefined) return 'Tool parameters are missing';
  const fault = schemaFault(parameters);
  if (fault !== undefined) return `Tool parameters are not a JSON Schema of an object: ${fault}`;
  return { name, description, agentCallable: true, inputSchema: parameters as JsonSchema };
}

/** The naming rule of docs/protocols/gateway.md#registering-tools. */
function isToolName(name: string): boolean {
  return name.length <= maxNameLength && /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/.test(name);
}

function schemaFault(parameters: JsonValue): string | undefined {
  if (!isJsonObject(parameters)) return 'they must be an object';
  const copied = cloneJson(parameters);
  if ('problem' in copied) return copied.problem;
  const { type, required } = parameters;
  if (type !== undefined && type !== 'object') return '"type" must be "object"';
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string')))
    return '"required" must be a list of names';
  const [fault] = cleanSchema(parameters).faults;
  return fault === undefined ? undefined : `the value at ${fault.slice(0, 200)} is not valid`;
}
