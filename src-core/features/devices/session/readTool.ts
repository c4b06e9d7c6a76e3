import { dangerReasons } from '../../../registry/dangerReasons.ts';
import { dangerOf } from '../../../registry/dangerousTools.ts';
import { isDestructive } from '../../../base/isDestructive.ts';
import { isJsonObject, type JsonSchema, type JsonValue } from '../../../base/json.ts';

/** A tool as its device lists it, checked. */
export interface ListedTool {
  /** As the device spells it; sent back verbatim. */
  name: string;
  description: string;
  inputSchema: JsonSchema;
  /** Absent if it lists none, or none that can be used: an answer is then not checked. */
  outputSchema?: JsonSchema;
  /** `annotations.audience` names only the user: no model may call it (docs/protocols/device-mcp.md). */
  userOnly: boolean;
  /** Its annotations say so, and it asks first. */
  destructive?: true;
}

const maxNameChars = 256;
const maxDescriptionChars = 32 * 1024;
const maxSchemaDepth = 32;

/** Reads one entry of tools/list. Returns a sentence that says why if it is not a tool. */
export function readTool(entry: JsonValue): ListedTool | string {
  if (!isJsonObject(entry)) return 'An entry is not an object.';
  const { name, description, inputSchema, outputSchema, annotations } = entry;
  if (typeof name !== 'string' || name === '') return 'An entry has no name.';
  if (name.length > maxNameChars) return `A name is longer than ${maxNameChars} characters.`;
  const schema = inputSchema ?? { type: 'object', properties: {} };
  if (!isJsonObject(schema)) return `"${name}" has an inputSchema that is not an object.`;
  if (deeperThan(schema, maxSchemaDepth))
    return `"${name}" has an inputSchema nested deeper than ${maxSchemaDepth} levels.`;
  const audience = isJsonObject(annotations) ? annotations['audience'] : undefined;
  return {
    name,
    description: typeof description === 'string' ? description.slice(0, maxDescriptionChars) : '',
    inputSchema: schema,
    ...(isJsonObject(outputSchema) && !deeperThan(outputSchema, maxSchemaDepth) && { outputSchema }),
    ...(isDestructive(annotations) && { destructive: true }),
    userOnly: Array.isArray(audience) && audience.length > 0 && audience.every((who) => who === 'user'),
  };
}

/** Why a listed tool must be confirmed before it runs, by its name and annotation; `undefined` if it need not be. */
export function toolDanger({ name, destructive }: ListedTool): string | undefined {
  return dangerOf(name) ?? (destructive === true ? dangerReasons.destructive : undefined);
}

function deeperThan(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((child) => deeperThan(child, depth - 1));
}
