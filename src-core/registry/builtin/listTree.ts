import { opendir, readlink, realpath } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { visibleLine } from '../../base/hiddenCharacters.ts';
import { isInside } from './confinePath.ts';

/** What to list and how much of it. `signal` ends the walk. */
export interface ListTreeOptions {
  /** Absolute, without symbolic links; nothing outside it is looked into. */
  root: string;
  /** The directory to list, likewise. */
  directory: string;
  /** Levels below the directory, 1 for its entries alone. */
  maxDepth: number;
  /** Entries in all. */
  limit: number;
  signal: AbortSignal;
}

/** The lines of the tree, below the directory's own; `complete` is false if the limit cut it off. */
export interface ListedTree {
  lines: string[];
  complete: boolean;
}

/**
 * Lists a directory as a tree, directories first, by name. Symbolic links are shown and never followed; a directory that
 * cannot be read says so in its line. Rejects when the signal aborts.
 */
export async function listTree({ root, directory, maxDepth, limit, signal }: ListTreeOptions): Promise<ListedTree> {
  const lines: string[] = [];
  let complete = true;

  async function list(path: string, indent: string, depth: number): Promise<string | undefined> {
    // The directory may have become a link since its parent was read.
    if (!isInside(root, await realpath(path))) return '(leads outside the root, not followed)';
    const entries = await readEntries(path);
    for (const [i, entry] of entries.entries()) {
      signal.throwIfAborted();
      if (lines.length >= limit) {
        complete = false;
        return undefined;
      }
      await listEntry(entry, path, indent, i === entries.length - 1, depth);
    }
    return undefined;
  }

  async function listEntry(entry: Dirent, path: string, indent: string, isLast: boolean, depth: number): Promise<void> {
    const line = lines.push(`${indent}${isLast ? '└── ' : '├── '}${visibleLine(entry.name)}`) - 1;
    const remark = entry.isSymbolicLink()
      ? await describeLink(join(path, entry.name))
      : entry.isDirectory()
        ? `/${await descend(join(path, entry.name), `${indent}${isLast ? '    ' : '│   '}`, depth)}`
        : '';
    lines[line] += remark;
  }

  async function descend(path: string, indent: string, depth: number): Promise<string> {
    if (depth >= maxDepth) return '';
    try {
      const remark = await list(path, indent, depth + 1);
      return remark === undefined ? '' : ` ${remark}`;
    } catch (error) {
      signal.throwIfAborted();
      return ` (cannot be read: ${codeOf(error)})`;
    }
  }

  /** Sorted; no more than could be listed are kept, so that a huge directory does not fill the memory. */
  async function readEntries(path: string): Promise<Dirent[]> {
    const entries: Dirent[] = [];
    for await (const entry of await opendir(path)) {
      signal.throwIfAborted();
      entries.push(entry);
      if (entries.length > limit) break;
    }
    return entries.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1));
  }

  async function describeLink(path: string): Promise<string> {
    try {
      const target = await realpath(path);
      return isInside(root, target)
        ? ` -> ${visibleLine(await readlink(path))}`
        : ' -> (leads outside the root, not followed)';
    } catch (error) {
      return ` -> (broken link: ${codeOf(error)})`;
    }
  }

  await list(directory, '', 1);
  return { lines, complete };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
