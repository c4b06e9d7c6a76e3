import type { JsonObject } from '../../base/json.ts';

/** Bytes of one tools/list answer that no server was seen to trip over (docs/protocols/device-mcp.md). */
export const maxPageBytes = 8_000;

export interface PageToolsOptions {
  tools: readonly JsonObject[];
  /** Name of the tool the page begins with; `''` for the first. Must be one of them. */
  cursor: string;
  /** Bytes of one tool on the wire, its comma included. */
  measure: (tool: JsonObject) => number;
  /** Bytes for tools on one page. */
  room: number;
}

/** One page: from the tool that `cursor` names, as many as there is room for. `next` is the first one that did not fit. */
export interface ToolPage {
  tools: JsonObject[];
  next: JsonObject | undefined;
}

/** Cuts one page. It is empty if its first tool alone is too large, or if the cursor does not name a tool. */
export function pageTools({ tools, cursor, measure, room }: PageToolsOptions): ToolPage {
  const from = cursor === '' ? 0 : tools.findIndex(({ name }) => name === cursor);
  if (from < 0) return { tools: [], next: undefined };
  const rest = tools.slice(from);
  let left = room;
  const end = rest.findIndex((tool) => (left -= measure(tool)) < 0);
  return end < 0 ? { tools: rest, next: undefined } : { tools: rest.slice(0, end), next: rest[end] };
}
