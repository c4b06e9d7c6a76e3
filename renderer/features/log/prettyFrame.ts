import { indentJson } from '../../ui/forms/json/indentJson.ts';

/**
 * Formats the frame's text if it is JSON and returns any other text unchanged. Only white space changes and numbers are
 * not parsed, so every digit is kept. A cut frame is treated as the beginning of JSON.
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
    // Not valid JSON.
    return false;
  }
}
