import type { JsonObject } from '../../tools/json.ts';
import type { VirtualTool } from './profile.ts';

/** Bytes of one tools/list answer, and what the firmware reserves of them (spec/xiaozhi.md §1.4). */
const pageBytes = 8_000;
const reservedBytes = 30;

/** One page of tools/list as JSON text, from the tool that `cursor` names. Throws the firmware's own words. */
export function pageTools<State>(
  tools: readonly VirtualTool<State>[],
  { cursor, withUserTools }: { cursor: string; withUserTools: boolean },
): string {
  const listed = tools.filter((tool) => withUserTools || tool.userOnly !== true);
  const from = cursor === '' ? 0 : listed.findIndex(({ name }) => name === cursor);
  const page: string[] = [];
  let bytes = '{"tools":[]}'.length + reservedBytes;
  for (const tool of from < 0 ? [] : listed.slice(from)) {
    const text = JSON.stringify(toolSchema(tool));
    bytes += Buffer.byteLength(text) + 1;
    if (bytes <= pageBytes) {
      page.push(text);
      continue;
    }
    if (page.length === 0) throw new Error(`Failed to add tool ${tool.name} because of payload size limit`);
    return `{"tools":[${page.join(',')}],"nextCursor":${JSON.stringify(tool.name)}}`;
  }
  if (from < 0) throw new Error('Failed to add tool  because of payload size limit');
  return `{"tools":[${page.join(',')}]}`;
}

/** A tool as the firmware lists it: `required` is left out where it would be empty. */
function toolSchema<State>({ name, description, properties, userOnly }: VirtualTool<State>): JsonObject {
  const required = properties.filter(({ defaultValue }) => defaultValue === undefined).map((property) => property.name);
  const schemas = properties.map(({ name: key, type, defaultValue, minimum, maximum }): [string, JsonObject] => [
    key,
    {
      type,
      ...(defaultValue === undefined ? {} : { default: defaultValue }),
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    },
  ]);
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(schemas),
      ...(required.length > 0 ? { required } : {}),
    },
    ...(userOnly === true ? { annotations: { audience: ['user'] } } : {}),
  };
}
