import type { WireFrame } from '../../src-core/api/types.ts';

/** The message's own `type` (`hello`, `mcp`, `listen`), or what kind of event it is. */
export function wireType(frame: WireFrame): string {
  if (frame.kind !== 'text' || frame.text === undefined) return frame.kind;
  return /^\s*\{(?:[^{}]*,)?\s*"type"\s*:\s*"([\w-]{1,24})"/.exec(frame.text.slice(0, 512))?.[1] ?? 'text';
}

/** The frame's text, laid out where it is JSON. Numbers keep their digits: nothing is parsed, only spaced. */
export function prettyFrame(text: string): string {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return text;
  let out = '';
  let depth = 0;
  const newline = (): void => {
    out += `\n${'  '.repeat(depth)}`;
  };
  for (const [token] of trimmed.matchAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|[^\s[\]{},:"]+|"/g)) {
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
    } else out += token === ':' ? ': ' : token;
  }
  return out;
}
