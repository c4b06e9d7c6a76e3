import { isCutJson } from '../../../base/describeJsonFault.ts';

/** Why frames of a device cannot be read: the same for its card and for the call that such a frame answers. */
export const frameFaults = ['cut', 'not-utf8', 'malformed', 'audio'] as const;

/** `audio`: a binary frame whose header does not fit. The others are faults of a text frame. */
export type FrameFault = (typeof frameFaults)[number];

/** The fault of a text frame that cannot be read. `isUtf8` is false if `text` has escapes in place of bytes that are not UTF-8. */
export function textFault(text: string, isUtf8: boolean): Exclude<FrameFault, 'audio'> {
  // A text may be cut off inside a character, too.
  if (isCutJson(isUtf8 ? text : text.replaceAll(/\\x[0-9A-F]{2}/g, '?'))) return 'cut';
  return isUtf8 ? 'malformed' : 'not-utf8';
}
