import { basename } from 'node:path';

import { ToolError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { isToolAnswer, readToolAnswer } from '../readToolAnswer.ts';
import type { InvokeOptions, ToolMetadata, ToolOutput, ToolRegistry } from '../types.ts';
import { startModuleThread, type ModuleThread } from './moduleThread.ts';
import { problemText } from './problemText.ts';
import type { LoadedModule, ModuleLimits } from './types.ts';

/** One file of the modules folder: a registry that stays while threads behind it come and go. */
export interface ModuleUnit {
  readonly registry: ToolRegistry;
  /** Reads the file anew. Calls that run finish in the old thread. A later reload overtakes an earlier one. */
  reload(): Promise<void>;
  /** Whether a change of this file concerns the module. */
  uses(file: string): boolean;
  /** Running calls reject with `disconnected`. */
  close(): Promise<void>;
}

/** Makes the unit of one file; nothing is read until `reload`. `onChanged` follows every change of the metadata. */
export function createModuleUnit(options: {
  file: string;
  folder: string;
  toolId: string;
  limits: ModuleLimits;
  onChanged(): void;
}): ModuleUnit {
  const { file, folder, toolId, limits, onChanged } = options;
  const label = basename(file);
  const threads = new Set<ModuleThread>();
  let thread: ModuleThread | undefined;
  let module: LoadedModule | undefined;
  let error: string | undefined;
  let closed = false;

  async function reload(): Promise<void> {
    if (closed) return;
    const fresh = start();
    const before = thread;
    thread = fresh;
    before?.retire();
    const outcome = await fresh.loaded;
    if (thread !== fresh || closed) return;
    module = 'module' in outcome ? outcome.module : undefined;
    error = 'problem' in outcome ? problemText(outcome.problem, label) : undefined;
    if (error) fresh.retire();
    onChanged();
  }

  function start(): ModuleThread {
    for (const old of threads) if (!old.alive && old.runningCalls === 0) threads.delete(old);
    const started = startModuleThread({ file, folder, limits });
    threads.add(started);
    return started;
  }

  /** The thread to call: the newest, once it has loaded; a new one if the last was ended. */
  async function callable(): Promise<ModuleThread> {
    for (;;) {
      if (!thread?.alive) await reload();
      const current = thread;
      const outcome = await current?.loaded;
      await current?.certain();
      if (closed || !current) throw gone(label);
      if (current !== thread) continue;
      if (current.alive) return current;
      if (outcome && 'problem' in outcome) throw new ToolError('tool-error', problemText(outcome.problem, label));
    }
  }

  async function invoke(methodName: string, args: JsonObject, callOptions: InvokeOptions): Promise<ToolOutput> {
    const { signal, onProgress, onStart } = callOptions;
    const current = await callable();
    if (signal.aborted) throw new ToolError('cancelled', 'The call was cancelled before it began.');
    onStart?.();
    const value = await current.call(methodName, args, { signal, onProgress });
    if (isToolAnswer(value)) return readToolAnswer(value);
    const method = module?.methods.find(({ name }) => name === methodName);
    // With an outputSchema, an object is the answer as data, too.
    return { value, ...(method?.outputSchema && isJsonObject(value) && { structuredContent: value }) };
  }

  return {
    registry: {
      id: toolId,
      get name() {
        return module?.name ?? toolId;
      },
      get description() {
        return module?.description ?? '';
      },
      source: { kind: 'module', id: label, label },
      // A call waits while the file is read anew.
      queued: true,
      getMetadata: (): ToolMetadata => ({ methods: module?.methods ?? [], ...(error && { error }) }),
      reload,
      invoke,
    },
    reload,
    uses: (path) => path === file || error !== undefined || (thread?.imports.has(path) ?? false),
    async close() {
      closed = true;
      await Promise.all([...threads].map((each) => each.terminate(gone(label))));
    },
  };
}

function gone(label: string): ToolError {
  return new ToolError('disconnected', `${label} has been removed or the workbench is closing.`);
}
