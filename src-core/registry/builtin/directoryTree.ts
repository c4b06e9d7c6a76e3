import { opendir, readlink, realpath } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { basename, join } from 'node:path';

import { checkOptions } from '../../base/checkOptions.ts';
import { defineToolRegistry } from '../defineTool.ts';
import { ToolError } from '../../base/errors.ts';
import type { JsonObject, JsonSchema } from '../../base/json.ts';
import type { InvokeOptions, ToolRegistry } from '../types.ts';
import { confinePath, isInside, rootSetting } from './confinePath.ts';
import { visibleLine } from '../../base/hiddenCharacters.ts';

/** What the directory-tree tool may read. */
export interface DirectoryTreeOptions {
  /** The directory that the user chose to show to tools; undefined while none is chosen. Read at every call. */
  getRoot: () => string | undefined;
}

const defaults = { path: '.', recursive: true, maxDepth: 4, limit: 500 };

const inputSchema: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Directory to list, relative to the root.', default: defaults.path },
    recursive: { type: 'boolean', description: 'Also list the directories inside it.', default: defaults.recursive },
    maxDepth: {
      type: 'integer',
      description: 'How many levels to list when recursive.',
      minimum: 1,
      maximum: 32,
      default: defaults.maxDepth,
    },
    limit: {
      type: 'integer',
      description: 'How many entries to list at most.',
      minimum: 1,
      maximum: 10_000,
      default: defaults.limit,
    },
  },
  additionalProperties: false,
};

/**
 * `directory-tree` with `listFiles`: reads names below one directory, and nothing else.
 * @throws TypeError if `getRoot` is not a function, or there is another option
 */
export function createDirectoryTreeTool(options: DirectoryTreeOptions): ToolRegistry {
  const getRoot = readGetRoot(options);
  async function listFiles(args: JsonObject, { signal }: InvokeOptions): Promise<string> {
    const root = getRoot();
    if (root === undefined || root === '') {
      throw new ToolError(
        'tool-error',
        'No folder is chosen yet. In Settings, choose the folder that tools may list.',
        { details: rootSetting },
      );
    }
    const path = typeof args.path === 'string' ? args.path : defaults.path;
    const recursive = typeof args.recursive === 'boolean' ? args.recursive : defaults.recursive;
    const maxDepth = typeof args.maxDepth === 'number' ? args.maxDepth : defaults.maxDepth;
    const limit = typeof args.limit === 'number' ? args.limit : defaults.limit;

    const { root: realRoot, target } = await confinePath({ root, path });
    const { lines, complete } = await listTree({
      root: realRoot,
      directory: target,
      limit,
      signal,
      maxDepth: recursive ? maxDepth : 1,
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new ToolError('tool-error', `The path "${path}" ${toReason(error)}.`, { cause: error });
    });
    const title = target === realRoot ? '.' : basename(target);
    return [`${title}/`, ...lines, ...(complete ? [] : [`… cut off after ${limit} entries`])].join('\n');
  }

  return defineToolRegistry({
    id: 'directory-tree',
    name: 'Directory tree',
    description: 'The files below a directory of your choice.',
    source: { kind: 'builtin', id: 'directory-tree', label: 'Directory tree' },
    methods: [
      {
        name: 'listFiles',
        description: 'List the files and directories below a directory, as a tree.',
        agentCallable: true,
        inputSchema,
        handler: listFiles,
      },
    ],
  });
}

/** Also a program without types may create the tool. */
function readGetRoot(options: Partial<DirectoryTreeOptions> | undefined): DirectoryTreeOptions['getRoot'] {
  if (typeof options?.getRoot === 'function') {
    checkOptions('createDirectoryTreeTool', options, { getRoot: true });
    return options.getRoot;
  }
  throw new TypeError(
    'createDirectoryTreeTool needs the option "getRoot", a function that returns the directory to list. ' +
      "Write createDirectoryTreeTool({ getRoot: () => '/path/of/the/directory' }).",
  );
}

function toReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return code === 'ENOTDIR' ? 'is a file, not a directory' : `cannot be listed (${code})`;
}

/** What to list and how much of it. `signal` ends the walk. */
interface ListTreeOptions {
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
interface ListedTree {
  lines: string[];
  complete: boolean;
}

/**
 * Lists a directory as a tree, directories first, by name. Symbolic links are shown and never followed; a directory that
 * cannot be read is marked in its line. Rejects when the signal aborts.
 */
async function listTree({ root, directory, maxDepth, limit, signal }: ListTreeOptions): Promise<ListedTree> {
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
