import type { RealtimeTranscriptEntry } from '../../../../src-core/contract/types.ts';

/** The words that were heard before the interruption: estimated by the time, up to the end of a word. */
export function heardText({ text, heard }: Pick<RealtimeTranscriptEntry, 'text' | 'heard'>): string {
  if (heard === undefined || heard.ofMs <= 0) return text;
  const end = Math.round((text.length * heard.ms) / heard.ofMs);
  const word = /^[\p{L}\p{N}'’-]*/u.exec(text.slice(end))?.[0] ?? '';
  // Chinese has no spaces: a whole run of its characters is no word.
  const rest = end === 0 || /\p{Script=Han}/u.test(word) ? 0 : word.length;
  // Punctuation alone is not marked as unheard.
  const unheard = text.slice(end + rest);
  return /[\p{L}\p{N}]/u.test(unheard) ? text.slice(0, end + rest) : text;
}
