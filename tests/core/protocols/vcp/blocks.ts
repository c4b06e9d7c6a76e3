/** A request block of these fields, one a line. */
export function block(...fields: string[]): string {
  return `<<<[TOOL_REQUEST]>>>\n${fields.join(',\n')}\n<<<[END_TOOL_REQUEST]>>>`;
}

/** A good block: tool t, command c. */
export const call = block('tool_name:「始」t「末」', 'command:「始」c「末」');

/** Another good block: tool u, command d. */
export const otherCall = block('tool_name:「始」u「末」', 'command:「始」d「末」');
