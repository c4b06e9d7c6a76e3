import { basename, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A place in a file of the folder, absolute; line and column from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** The stack of what was thrown; empty if it has none. */
export function stackOf(error: unknown): string {
  return error instanceof Error && typeof error.stack === 'string' ? error.stack.slice(0, 20_000) : '';
}

/**
 * Where in the folder an error was thrown: `location`, `file.ts:12:5`, of the innermost frame, and `trace`, the error
 * and at most 10 frames, as Node writes them. Frames of Node and of packages are omitted. `undefined` if no frame is left.
 */
export function traceOf(error: unknown, folder: string): { location: string; trace: string } | undefined {
  try {
    const frames = stackOf(error)
      .split('\n')
      .flatMap((line) => frameIn(line, folder));
    const [innermost] = frames;
    if (innermost === undefined) return undefined;
    const kind = error instanceof Error ? String(error).slice(0, 1_000) : '';
    return { location: innermost.where, trace: [kind, ...frames.slice(0, 10).map(({ text }) => text)].join('\n') };
  } catch {
    return undefined; // A getter or a proxy of the thrown value threw in its turn.
  }
}

function frameIn(line: string, folder: string): { where: string; text: string }[] {
  const place = placeIn(line, folder);
  if (place === undefined) return [];
  const where = `${basename(place.file)}:${place.line}:${place.column}`;
  const name = /^\s*at (.{1,200}?) \(/.exec(line)?.[1];
  return [{ where, text: `    at ${name === undefined ? where : `${name} (${where})`}` }];
}

/** The first place in the folder that the text names. */
export function placeIn(text: string, folder: string): Place | undefined {
  for (const word of text.split(/[\s()]/)) {
    const [, place = '', line, column] = /^(.+):(\d+):(\d+)$/.exec(word) ?? [];
    const file = place.startsWith('file:') ? fileURLToPath(place) : place;
    if (file.startsWith(folder + sep)) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}
