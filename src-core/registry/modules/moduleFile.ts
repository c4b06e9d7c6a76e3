import { basename, extname } from 'node:path';
import { trimEndOf } from '../../base/trimEndOf.ts';

const extensions = new Set(['.js', '.mjs', '.ts', '.mts']);

/**
 * Whether a file of the folder is a tool module. `_helpers.ts`, dot files, `*.d.ts` and everything in
 * sub-folders are not: they are there to be imported.
 */
export function isModuleFile(name: string): boolean {
  return /^[^._]/.test(name) && extensions.has(extname(name)) && !/\.d\.m?ts$/.test(name) && !/~$/.test(name);
}

/** The tool id of a module file: its name without the ending; what is no letter, digit, `_` or `-` becomes `-`. */
export function moduleToolId(file: string): string {
  const stem = basename(file, extname(file));
  const id = trimEndOf(stem.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+/, ''), '-');
  return id.slice(0, 100) || 'module';
}
