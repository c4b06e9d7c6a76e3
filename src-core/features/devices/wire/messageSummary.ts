import type { JsonObject } from '../../../base/json.ts';
import { plainText } from './plainText.ts';

/** Characters of a message's words that stand in its line of the log. */
const maxWords = 80;

/**
 * A message other than MCP in one line: its type, its state, and the words it carries, as `stt: what time is it`
 * (docs/protocols/xiaozhi.md#messages). The text is untrusted: it is cut, without control characters.
 */
export function messageSummary(type: string, { state, text, message }: JsonObject): string {
  const words = plainText(text ?? message, maxWords);
  const what = [plainText(type, 48) ?? 'message without a type', plainText(state, 24)];
  const known = what.filter((part) => part !== undefined).join(' ');
  return words === undefined ? known : `${known}: ${words}`;
}
