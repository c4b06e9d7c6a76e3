import { basename } from 'node:path';
import { checkOptions } from '../../base/checkOptions.ts';
import { defineToolRegistry } from '../defineTool.ts';
import { ToolError } from '../../base/errors.ts';
import type { JsonObject, JsonSchema } from '../../base/json.ts';
import type { InvokeOptions, ToolRegistry } from '../types.ts';
import { confinePath } from './confinePath.ts';
import { listTree } from './listTree.ts';

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
 * @throws TypeError if `getRoot` is no function, or there is another option
 */
export function createDirectoryTreeTool(options: DirectoryTreeOptions): ToolRegistry {
  const getRoot = readGetRoot(options);
  async function listFiles(args: JsonObject, { signal }: InvokeOptions): Promise<string> {
    const root = getRoot();
    if (root === undefined || root === '') {
      throw new ToolError(
        'tool-error',
        'No root directory is chosen yet. Choose the directory that tools may list in Settings.',
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
      throw new ToolError('tool-error', `"${path}" cannot be listed: ${toReason(error)}.`, { cause: error });
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
  return code === 'ENOTDIR' ? 'it is a file, not a directory' : code;
}
