import { watch as watchFiles, type FSWatcher } from 'chokidar';
import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

import type { ErrorReporter } from '../../base/reportError.ts';
import { defaultModuleLimits, type ModuleLimits, type RegistryHost, type LoadedModule } from './types.ts';
import { trimEndOf } from '../../base/trimEndOf.ts';
import { ToolError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { isToolAnswer, readToolAnswer } from '../readToolAnswer.ts';
import type { InvokeOptions, ToolMetadata, ToolOutput, ToolRegistry } from '../types.ts';
import { startModuleThread, type ModuleThread } from './moduleThread.ts';
import { problemText } from './problemText.ts';

const extensions = new Set(['.js', '.mjs', '.ts', '.mts']);

/** The folder of the user's own tool modules (issue 2, item 2): every file in it a `ToolRegistry` of kind `module`. */
export interface ModuleLoader {
  /**
   * Creates the folder if it is missing, loads its modules and watches it from then on. Resolves once every file is
   * registered, with its methods or its error: at the latest after `loadWaitMs`. If the folder cannot be watched, the
   * tools are registered nevertheless, and `onError` reports it.
   */
  start(): Promise<void>;
  /** Ends every thread and takes every registry out. Can be called at any time and more than once. */
  close(): Promise<void>;
}

/** The folder, the registry for its tools, and their limits. */
export interface ModuleLoaderOptions {
  /** The folder. */
  dir: string;
  toolRegistryManager: RegistryHost;
  /** Told of what concerns the folder as a whole; a module's own fault is in its metadata. */
  onError: ErrorReporter;
  limits?: Partial<ModuleLimits>;
  /** False: read once. */
  watch?: boolean;
  /** False: a folder that is missing stays missing. For a disk that cannot be written, which was reported already. */
  mayCreate?: boolean;
}

/** Makes a loader; see `describeModule` for the shape of a module. Each module runs in a separate thread. */
export function createModuleLoader(options: ModuleLoaderOptions): ModuleLoader {
  const { toolRegistryManager, onError, watch = true } = options;
  const limits = { ...defaultModuleLimits, ...options.limits };
  const units = new Map<string, ModuleUnit>();
  const registered = new Set<ModuleUnit>();
  const busy = new Set<Promise<void>>();
  let folder = options.dir;
  let watcher: FSWatcher | undefined;
  let closed = false;
  let reading: Promise<unknown> | undefined;
  const left = Promise.withResolvers<undefined>();

  function start(): Promise<void> {
    const started = read();
    reading = Promise.allSettled([started]);
    return started;
  }

  async function read(): Promise<void> {
    if (options.mayCreate === false && !existsSync(folder)) return;
    try {
      await mkdir(folder, { recursive: true });
    } catch (error) {
      // A full or read-only disk: the tools of other sources work without the folder.
      return onError(error, `creating ${folder}`);
    }
    folder = await realpath(folder);
    if (closed) return;
    if (watch) await startWatching();
    if (closed) return;
    const names = (await readdir(folder)).filter(isModuleFile).sort();
    for (const name of names) add(join(folder, name));
    await Promise.all(busy);
  }

  async function startWatching(): Promise<void> {
    watcher = watchFiles(folder, {
      ignoreInitial: true,
      // Editors that save by renaming a new file over the old one must look like a change, and half a file like nothing.
      atomic: true,
      awaitWriteFinish: { stabilityThreshold: 60, pollInterval: 20 },
      ignored: (path) => path !== folder && /^(\.|node_modules$)/.test(basename(path)),
    });
    watcher.on('all', (event, path) => onFileEvent(event, path));
    const told = new Set<string>();
    watcher.on('error', (error) => {
      // A full inotify table is an error for each file: one of a kind is enough.
      const kind = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (told.has(kind)) return;
      told.add(kind);
      onError(error, `watching the modules folder ${folder} (a change may need a restart)`);
    });
    const ready = Promise.withResolvers<undefined>();
    // It is emitted after errors, too, but never if the watcher is closed first.
    watcher.on('ready', () => ready.resolve(undefined));
    await Promise.race([ready.promise, left.promise]);
  }

  function onFileEvent(event: string, path: string): void {
    if (closed || event === 'addDir' || event === 'unlinkDir') return;
    const own = dirname(path) === folder && isModuleFile(basename(path));
    if (own && event === 'unlink') track(remove(path));
    else if (own && !units.has(path)) add(path);
    for (const [file, unit] of units) {
      if (file !== path ? unit.uses(path) : event === 'change') track(unit.reload());
    }
  }

  function add(file: string): void {
    if (closed || units.has(file)) return;
    if (units.size >= limits.maxModules)
      return onError(
        new Error(`The folder has more than ${limits.maxModules} modules.`),
        `leaving out ${basename(file)}`,
      );
    const unit = createModuleUnit({
      file,
      folder,
      toolId: freeId(file),
      limits,
      onChanged() {
        if (units.get(file) !== unit) return;
        if (registered.has(unit)) toolRegistryManager.notifyChanged(unit.registry.id);
        else register(unit);
      },
    });
    units.set(file, unit);
    track(unit.reload());
  }

  function register(unit: ModuleUnit): void {
    try {
      toolRegistryManager.register(unit.registry);
      registered.add(unit);
    } catch (error) {
      onError(error, `the tool module ${unit.registry.source.label} (rename the file)`);
    }
  }

  async function remove(file: string): Promise<void> {
    const unit = units.get(file);
    if (!unit) return;
    units.delete(file);
    if (registered.delete(unit)) toolRegistryManager.unregister(unit.registry.id);
    await unit.close();
  }

  /** `weather`, or `weather-ts` if another file or another source has `weather` already, or `weather-ts-2` … */
  function freeId(file: string): string {
    const id = moduleToolId(file);
    const longer = `${id}-${extname(file).slice(1)}`;
    const taken = new Set([...units.values()].map(({ registry }) => registry.id));
    const isFree = (each: string): boolean => !taken.has(each) && toolRegistryManager.getTool(each) === undefined;
    let free = isFree(id) ? id : longer;
    for (let n = 2; !isFree(free); n += 1) free = `${longer}-${n}`;
    return free;
  }

  /** Nothing that fails here goes unseen, and close waits for it. */
  function track(work: Promise<void>): void {
    const settled = work
      .catch((error: unknown) => onError(error, `the modules folder ${folder}`))
      .finally(() => busy.delete(settled));
    busy.add(settled);
  }

  return {
    start,
    async close() {
      if (closed) return;
      closed = true;
      left.resolve(undefined);
      await Promise.all([...units.keys()].map(remove));
      // The folder may be gone once this is over.
      await reading;
      await Promise.all(busy);
      await watcher?.close();
    },
  };
}

/**
 * Whether a file of the folder is a tool module. `_helpers.ts`, dot files, `*.d.ts` and everything in
 * sub-folders are not: they are there to be imported.
 */
function isModuleFile(name: string): boolean {
  return /^[^._]/.test(name) && extensions.has(extname(name)) && !/\.d\.m?ts$/.test(name) && !/~$/.test(name);
}

/** The tool id of a module file: its name without the ending; what is no letter, digit, `_` or `-` becomes `-`. */
function moduleToolId(file: string): string {
  const stem = basename(file, extname(file));
  const id = trimEndOf(stem.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+/, ''), '-');
  return id.slice(0, 100) || 'module';
}

/** One file of the modules folder: a registry that stays while threads behind it come and go. */
interface ModuleUnit {
  readonly registry: ToolRegistry;
  /** Reads the file anew. Calls that run finish in the old thread. A later reload overtakes an earlier one. */
  reload(): Promise<void>;
  /** Whether a change of this file concerns the module. */
  uses(file: string): boolean;
  /** Running calls reject with `disconnected`. */
  close(): Promise<void>;
}

/** Makes the unit of one file; nothing is read until `reload`. `onChanged` follows every change of the metadata. */
function createModuleUnit(options: {
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
