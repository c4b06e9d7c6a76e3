import type { JsonValue } from '../../base/json.ts';

/** JSON text in which no tag can stand: `<` is spelled as its escape, which means the same to whoever reads JSON. */
export function tagFreeJson(value: JsonValue): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** A JSON value between tags, each on its own line. Nothing in the value can end it or begin a call. */
export function formatTagged(tag: 'tool_call' | 'tool_response', value: JsonValue): string {
  return `<${tag}>\n${tagFreeJson(value)}\n</${tag}>`;
}
