import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { findHeaderFault } from './parameterHeaders.ts';
import type { ListedTool, ListFault } from './types.ts';

/**
 * Reads the items of `tools/list` one by one: a faulty one does not take the others with it. Of tools with the same name all
 * are listed; a call reaches the one that the server chooses. `isHttp`: a tool with invalid `x-mcp-header` annotations is
 * omitted, as the revision 2026-07-28 requires of HTTP clients.
 */
export function readTools(
  items: JsonValue[],
  { isHttp }: { isHttp: boolean },
): { tools: ListedTool[]; faults: ListFault[] } {
  const tools: ListedTool[] = [];
  const faults: ListFault[] = [];
  const names = new Set<string>();
  items.forEach((item, index) => {
    const read = readTool(item, isHttp);
    if ('code' in read) {
      faults.push({ ...read, index, item });
      return;
    }
    tools.push(read);
    const { name } = read;
    if (names.has(name)) faults.push({ index, name, code: 'duplicate-name', item });
    names.add(name);
    if ('outputSchema' in read.definition && !read.outputSchema)
      faults.push({ index, name, code: 'invalid-output-schema', item });
  });
  return { tools, faults };
}

function readTool(item: JsonValue, isHttp: boolean): ListedTool | Pick<ListFault, 'code' | 'name' | 'detail'> {
  if (!isJsonObject(item)) return { code: 'not-an-object' };
  const { name, title, description, inputSchema, outputSchema, annotations } = item;
  if (typeof name !== 'string' || name === '') return { code: 'no-name' };
  if (!isJsonObject(inputSchema)) return { code: 'no-input-schema', name };
  const detail = isHttp ? findHeaderFault(inputSchema) : undefined;
  if (detail !== undefined) return { code: 'invalid-header', name, detail };
  return {
    name,
    ...(typeof title === 'string' && { title }),
    description: typeof description === 'string' ? description : '',
    inputSchema,
    ...(isJsonObject(outputSchema) && { outputSchema }),
    ...(isJsonObject(annotations) && { annotations }),
    definition: item,
  };
}

/** The items of a list that are objects, as the server sent them. */
export function objectsOf(items: JsonValue[]): JsonObject[] {
  return items.filter(isJsonObject);
}
