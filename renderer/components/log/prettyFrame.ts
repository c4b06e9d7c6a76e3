/**
 * The frame's text, laid out where it is JSON; text that is none stays as it came. Nothing is parsed into numbers, only
 * spaced, so every digit stays. A frame that was cut is taken for the beginning of JSON.
 */
export function prettyFrame(text: string, cut = false): string {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || (!cut && !isJson(trimmed))) return text;
  let out = '';
  let depth = 0;
  const newline = (): void => {
    out += `\n${'  '.repeat(depth)}`;
  };
  for (const [token] of trimmed.matchAll(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[[{]\s*[\]}]|[[\]{},:]|[^\s[\]{},:"]+/g)) {
    if (token === '{' || token === '[') {
      out += token;
      depth += 1;
      newline();
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      newline();
      out += token;
    } else if (token === ',') {
      out += token;
      newline();
    } else if (token === ':') out += ': ';
    else out += /^[[{]/.test(token) ? token.replace(/\s+/, '') : token;
  }
  return out;
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
