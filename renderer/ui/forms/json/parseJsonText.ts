import type { JsonNode as LocatedNode } from '../../../../src-core/base/jsonNode.ts';
import { locateJson, type JsonFault } from '../../../../src-core/base/locateJson.ts';
import type { JsonNode, JsonProperty } from './jsonNode.ts';

export type JsonParse = { ok: true; root: JsonNode } | { ok: false; problem: JsonFault };

/** Reads strict JSON (RFC 8259) with the place of every value. */
export function parseJsonText(text: string): JsonParse {
  const read = locateJson(text);
  if (read.fault !== undefined) return { ok: false, problem: read.fault };
  return { ok: true, root: nodeOf(read.root, text) };
}

function nodeOf({ kind, start, end, text: value = '', members = [], items = [] }: LocatedNode, text: string): JsonNode {
  switch (kind) {
    case 'string':
      return { kind, value, start, end };
    case 'number':
      return { kind, raw: text.slice(start, end), start, end };
    case 'literal':
      return { kind: 'word', value: JSON.parse(text.slice(start, end)) as boolean | null, start, end };
    case 'array':
      return { kind, items: items.map((item) => nodeOf(item, text)), start, end };
    case 'object':
      return { kind, properties: members.flatMap((member) => propertyOf(member, text)), start, end };
  }
}

function propertyOf({ key, value }: NonNullable<LocatedNode['members']>[number], text: string): JsonProperty[] {
  if (value === undefined) return [];
  const keySpan = { start: key.start, end: key.end };
  return [{ key: key.text ?? '', keySpan, value: nodeOf(value, text), start: key.start, end: value.end }];
}
