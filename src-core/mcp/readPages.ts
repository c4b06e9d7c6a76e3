import type { JsonObject, JsonValue } from '../base/json.ts';
import { McpError } from './errors.ts';

const maxPages = 1000;
const maxItems = 100_000;

/**
 * Reads all items of all pages of a list. @throws {McpError} `invalid-answer`, `repeated-cursor`, `too-many-pages`, or `too-large` for
 * more than 100,000 items, or several pages with more than `maxLength` characters of items.
 */
export async function readPages(options: {
  method: string;
  /** The member of an answer that has its items. */
  member: string;
  maxLength: number;
  ask(params: JsonObject): Promise<JsonObject>;
}): Promise<JsonValue[]> {
  const { method, member, maxLength, ask } = options;
  const items: JsonValue[] = [];
  const cursors = new Set<JsonValue>();
  let length = 0;
  let params: JsonObject = {};
  for (let page = 0; page < maxPages; page++) {
    const { [member]: found, nextCursor: cursor } = await ask(params);
    if (!Array.isArray(found)) throw new McpError('invalid-answer', `The answer to ${method} has no list "${member}".`);
    for (const item of found) items.push(item);
    const isLast = cursor === undefined || cursor === null;
    // A single page has the bound of a message.
    if (page > 0 || !isLast) length += JSON.stringify(found).length;
    if (length > maxLength)
      throw new McpError('too-large', `The list of ${method} has more than ${maxLength} characters.`, {
        bytes: length,
        maxBytes: maxLength,
      });
    if (items.length > maxItems)
      throw new McpError('too-large', `The list of ${method} has more than ${maxItems} items.`);
    if (isLast) return items;
    if (cursors.has(cursor))
      throw new McpError('repeated-cursor', `The server sent the cursor ${JSON.stringify(cursor)} of ${method} twice.`);
    cursors.add(cursor);
    params = { cursor };
  }
  throw new McpError('too-many-pages', `The list of ${method} has more than ${maxPages} pages.`);
}
