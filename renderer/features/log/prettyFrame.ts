import { indentJson } from '../../ui/forms/json/indentJson.ts';

/**
 * The frame's text, laid out where it is JSON; text that is none stays as it came. Nothing is parsed into numbers, only
 * spaced, so every digit stays. A frame that was cut is taken for the beginning of JSON.
 */
export function prettyFrame(text: string, cut = false): string {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || (!cut && !isJson(trimmed))) return text;
  return indentJson(trimmed);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // That is the answer.
    return false;
  }
}
