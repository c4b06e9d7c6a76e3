import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import type { JsonContent, JsonPath } from '../json/jsonNode.ts';
import { jsonOf, typeOfNode } from '../json/nodeFacts.ts';
import { isSameJson } from '../json/sameJson.ts';
import { listOf, own } from '../schema/readKeyword.ts';
import { shorten } from '../../format/shorten.ts';
import type { LocalIssue } from './localIssue.ts';

/** Checks `type`, `enum` and `const`. If one of these fails, no further checks are needed. */
export function checkType(node: JsonContent, schema: JsonSchema, path: JsonPath): LocalIssue | undefined {
  const type = typeOfNode(node);
  const types = typesOf(schema);
  // OpenAPI 3.0's way to accept null beside the type, which generated servers still use.
  const nullable = types.length > 0 && own(schema, 'nullable') === true && type === 'null';
  const options = listOf(schema, 'enum');
  if (options !== undefined && !nullable && !options.some((option) => isSameJson(node, option))) {
    return { path, code: 'enum', params: {}, choice: { value: jsonOf(node), options } };
  }
  const only = own(schema, 'const');
  if (only !== undefined && !isSameJson(node, only)) {
    const remedy = JSON.stringify(only);
    return { path, code: 'const', params: { value: shorten(jsonOf(node)), wanted: shorten(remedy) }, remedy };
  }
  const fits =
    nullable || types.length === 0 || types.some((one) => one === type || (one === 'number' && type === 'integer'));
  return fits ? undefined : wrongType(node, types, path);
}

/** The issue of a value of a wrong type, with the converted value as remedy if the conversion is unambiguous. */
export function wrongType(node: JsonContent, types: readonly string[], path: JsonPath): LocalIssue {
  const wanted = types.join(' | ');
  if (typeOfNode(node) === 'null') return { path, code: 'null', params: { wanted } };
  const remedy = types.length === 1 ? converted(node, types[0] ?? '') : undefined;
  const params = { value: shorten(jsonOf(node)), wanted };
  return { path, code: 'type', params, ...(remedy === undefined ? {} : { remedy }) };
}

function typesOf(schema: JsonSchema): string[] {
  const type: JsonValue | undefined = own(schema, 'type');
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
}

function converted(node: JsonContent, wanted: string): string | undefined {
  if (wanted === 'string' && (node.kind === 'number' || node.kind === 'word')) return JSON.stringify(jsonOf(node));
  if (node.kind !== 'string') return undefined;
  if (wanted === 'boolean' && /^(true|false)$/.test(node.value)) return node.value;
  if (wanted === 'integer' && /^-?(0|[1-9]\d*)$/.test(node.value)) return node.value;
  if (wanted === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(node.value)) return node.value;
  return undefined;
}
