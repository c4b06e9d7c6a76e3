import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with these files in it, gone with the test; values that are no text are written as JSON. */
export function folderWith(files: Record<string, unknown>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwire-collection-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const [name, value] of Object.entries(files)) put(folder, name, value);
  return folder;
}

/** Writes one file. */
export function put(folder: string, name: string, value: unknown): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}

/** A collection with these calls, by the name of their file without its ending. */
export function collectionWith(calls: Record<string, object>, more: Record<string, unknown> = {}): string {
  const files = Object.entries(calls).map(([name, call]) => [`${name}.call.json`, { name, arguments: {}, ...call }]);
  return folderWith({
    'toolwire.json': { format: 1, name: 'Lab', order: Object.keys(calls).map((name) => `${name}.call.json`) },
    ...Object.fromEntries(files),
    ...more,
  });
}
