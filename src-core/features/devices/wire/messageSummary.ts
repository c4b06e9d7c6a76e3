import type { JsonObject } from '../../../base/json.ts';
import { plainText } from './plainText.ts';

/** Characters of a message's words that stand in its line of the log. */
const maxWords = 80;

/**
 * A message that is no MCP in one line: its type, its state, and the words it carries, as `stt: what time is it`
 * (docs/protocols/xiaozhi.md#messages). Whoever wrote it: all of it is cut, and without control characters.
 */
export function messageSummary(type: string, { state, text, message }: JsonObject): string {
  const words = plainText(text ?? message, maxWords);
  const what = [plainText(type, 48) ?? 'message without a type', plainText(state, 24)];
  const known = what.filter((part) => part !== undefined).join(' ');
  return words === undefined ? known : `${known}: ${words}`;
}
