import { isCutJson } from '../../../base/describeJsonFault.ts';
import type { FrameFault } from '../../../contract/deviceInfo.ts';

/** The fault of a text frame that cannot be read. `isUtf8` is false if `text` has escapes in place of bytes that are not UTF-8. */
export function textFault(text: string, isUtf8: boolean): Exclude<FrameFault, 'audio' | 'binary'> {
  if (!text.trimStart().startsWith('{')) return 'foreign';
  // A text may be cut off inside a character, too.
  if (isCutJson(isUtf8 ? text : text.replaceAll(/\\x[0-9A-F]{2}/g, '?'))) return 'cut';
  return isUtf8 ? 'malformed' : 'not-utf8';
}
