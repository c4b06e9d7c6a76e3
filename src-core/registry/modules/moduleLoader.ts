import { watch as watchFiles, type FSWatcher } from 'chokidar';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

import type { ErrorReporter } from '../../base/reportError.ts';
import { defaultModuleLimits, type LoadedModule, type ModuleLimits } from './types.ts';
import { trimEndOf } from '../../base/trimEndOf.ts';
import { ToolError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ToolSource } from '../../base/toolTypes.ts';
import { isToolAnswer, readToolAnswer } from '../readToolAnswer.ts';
import type { ToolRegistryManager } from '../toolRegistryManager.ts';
import type { InvokeOptions, ToolMetadata, ToolOutput, ToolRegistry } from '../types.ts';
import { ModuleThread } from './moduleThread.ts';
import { problemText } from './problemText.ts';

const extensions = new Set(['.js', '.mjs', '.ts', '.mts']);

/** The folder, the registry for its tools, and their limits. */
export interface ModuleLoaderOptions {
  /** The folder. */
  dir: string;
  toolRegistryManager: Pick<ToolRegistryManager, 'register' | 'unregister' | 'getTool' | 'notifyChanged'>;
  /** Receives errors of the folder as a whole; a module's own error is in its metadata. */
  onError: ErrorReporter;
  limits?: Partial<ModuleLimits>;
  /** False: read once. */
  watch?: boolean;
  /** False: a missing folder is not created, for a disk that cannot be written. */
  mayCreate?: boolean;
}

/**
 * The folder of the user's own tool modules: each file is a `ToolRegistry` of kind `module` with its own thread. See
 * `describeModule` for the shape of a module.
 */
export class ModuleLoader {
  readonly #options: ModuleLoaderOptions;
  readonly #limits: ModuleLimits;
  readonly #units = new Map<string, ModuleUnit>();
  readonly #registered = new Set<ModuleUnit>();
  readonly #busy = new Set<Promise<void>>();
  readonly #left = Promise.withResolvers<undefined>();
  #folder: string;
  #watcher: FSWatcher | undefined;
  #reading: Promise<unknown> | undefined;
  #closed = false;

  constructor(options: ModuleLoaderOptions) {
    this.#options = options;
    this.#limits = { ...defaultModuleLimits, ...options.limits };
    this.#folder = options.dir;
  }

  /**
   * Creates the folder if it is missing, loads its modules and watches it from then on. Resolves once every file is
   * registered, with its methods or its error: at the latest after `loadWaitMs`. If the folder cannot be watched, the
   * tools are registered nevertheless, and `onError` reports it.
   */
  start(): Promise<void> {
    const started = this.#read();
    this.#reading = Promise.allSettled([started]);
    return started;
  }

  /** Ends every thread and unregisters every tool. Can be called at any time and more than once. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#left.resolve(undefined);
    await Promise.all([...this.#units.keys()].map((file) => this.#remove(file)));
    // The folder may be removed once this has resolved.
    await this.#reading;
    await Promise.all(this.#busy);
    await this.#watcher?.close();
  }

  async #read(): Promise<void> {
    const { mayCreate, onError, watch = true } = this.#options;
    if (mayCreate === false && !existsSync(this.#folder)) return;
    try {
      await mkdir(this.#folder, { recursive: true });
    } catch (error) {
      // A full or read-only disk: the tools of other sources work without the folder.
      return onError(error, `creating ${this.#folder}`);
    }
    this.#folder = await realpath(this.#folder);
    if (this.#closed) return;
    if (watch) await this.#watch();
    if (this.#closed) return;
    const names = (await readdir(this.#folder)).filter(isModuleFile).sort();
    for (const name of names) this.#add(join(this.#folder, name));
    await Promise.all(this.#busy);
  }

  async #watch(): Promise<void> {
    const folder = this.#folder;
    this.#watcher = watchFiles(folder, {
      ignoreInitial: true,
      // An editor that saves by renaming a new file over the old one causes one change. A half-written file causes none.
      atomic: true,
      awaitWriteFinish: { stabilityThreshold: 60, pollInterval: 20 },
      ignored: (path) => path !== folder && /^(\.|node_modules$)/.test(basename(path)),
    });
    this.#watcher.on('all', (event, path) => this.#onFileEvent(event, path));
    const reported = new Set<string>();
    this.#watcher.on('error', (error) => {
      // A full inotify table is an error for each file: one of a kind is enough.
      const kind = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (reported.has(kind)) return;
      reported.add(kind);
      this.#options.onError(error, `watching the modules folder ${folder} (a change may need a restart)`);
    });
    const ready = Promise.withResolvers<undefined>();
    // It is emitted after errors, too, but never if the watcher is closed first.
    this.#watcher.on('ready', () => ready.resolve(undefined));
    await Promise.race([ready.promise, this.#left.promise]);
  }

  #onFileEvent(event: string, path: string): void {
    if (this.#closed || event === 'addDir' || event === 'unlinkDir') return;
    const own = dirname(path) === this.#folder && isModuleFile(basename(path));
    if (own && event === 'unlink') this.#track(this.#remove(path));
    else if (own && !this.#units.has(path)) this.#add(path);
    for (const [file, unit] of this.#units)
      if (file !== path ? unit.uses(path) : event === 'change') this.#track(unit.reload());
  }

  #add(file: string): void {
    const { toolRegistryManager, onError } = this.#options;
    if (this.#closed || this.#units.has(file)) return;
    if (this.#units.size >= this.#limits.maxModules) {
      const error = new Error(`The folder has more than ${this.#limits.maxModules} modules.`);
      return onError(error, `leaving out ${basename(file)}`);
    }
    const unit = new ModuleUnit({
      file,
      folder: this.#folder,
      id: this.#freeId(file),
      limits: this.#limits,
      onChanged: () => {
        if (this.#units.get(file) !== unit) return;
        if (this.#registered.has(unit)) toolRegistryManager.notifyChanged(unit.id);
        else this.#register(unit);
      },
    });
    this.#units.set(file, unit);
    this.#track(unit.reload());
  }

  #register(unit: ModuleUnit): void {
    const { toolRegistryManager, onError } = this.#options;
    try {
      toolRegistryManager.register(unit);
      this.#registered.add(unit);
    } catch (error) {
      onError(error, `the tool module ${unit.source.label} (rename the file)`);
    }
  }

  async #remove(file: string): Promise<void> {
    const unit = this.#units.get(file);
    if (!unit) return;
    this.#units.delete(file);
    if (this.#registered.delete(unit)) this.#options.toolRegistryManager.unregister(unit.id);
    await unit.close();
  }

  /** `weather`, or `weather-ts` if another file or another source has `weather` already, or `weather-ts-2` … */
  #freeId(file: string): string {
    const own = moduleToolId(file);
    const longer = `${own}-${extname(file).slice(1)}`;
    // A file that is not loaded takes no name from one that is.
    const id = foreignFault(basename(file)) === undefined ? own : longer;
    const taken = new Set([...this.#units.values()].map(({ id: unitId }) => unitId));
    const isFree = (each: string): boolean =>
      !taken.has(each) && this.#options.toolRegistryManager.getTool(each) === undefined;
    let free = isFree(id) ? id : longer;
    for (let n = 2; !isFree(free); n += 1) free = `${longer}-${n}`;
    return free;
  }

  /** Reports a failure of this work. `close` waits for it. */
  #track(work: Promise<void>): void {
    const settled = work
      .catch((error: unknown) => this.#options.onError(error, `the modules folder ${this.#folder}`))
      .finally(() => this.#busy.delete(settled));
    this.#busy.add(settled);
  }
}

/**
 * Whether a file of the folder is a tool module. `_helpers.ts`, dot files, `*.d.ts` and everything in
 * sub-folders are not: they are there to be imported.
 */
function isModuleFile(name: string): boolean {
  if (foreignFault(name) !== undefined) return true;
  return /^[^._]/.test(name) && extensions.has(extname(name)) && !/\.d\.m?ts$/.test(name) && !/~$/.test(name);
}

/** Why a file of another plugin system is listed, but not loaded, and what to do; undefined for any other file. */
function foreignFault(name: string): string | undefined {
  if (/^[^._].*\.cjs$/.test(name))
    return `${name.replaceAll(' ', '\u00a0')} is a CommonJS module. Write \`export default\` instead of \`module.exports\`, and \`import\` instead of \`require\`. Save it as a .js file.`;
  if (name === 'plugin-manifest.json')
    return `${name} belongs to a plugin of VCPToolBox, which Toolwire does not run. Write each of its commands as a method of a module: \`export default { methods: { … } }\`.`;
  return undefined;
}

/** The tool id of a module file: its name without the ending; what is no letter, digit, `_` or `-` becomes `-`. */
function moduleToolId(file: string): string {
  const stem = basename(file, extname(file));
  const id = trimEndOf(stem.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+/, ''), '-');
  return id.slice(0, 100) || 'module';
}

/** One file of the modules folder. Each version of the file runs in a new thread. */
class ModuleUnit implements ToolRegistry {
  readonly id: string;
  readonly source: ToolSource;
  /** A call waits while the file is loaded again. */
  readonly queued = true;
  readonly #options: ModuleUnitOptions;
  /** The file's name. */
  readonly #label: string;
  readonly #threads = new Set<ModuleThread>();
  #thread: ModuleThread | undefined;
  #module: LoadedModule | undefined;
  #error: string | undefined;
  #version = '';
  #closed = false;

  /** Reads nothing until `reload`. */
  constructor(options: ModuleUnitOptions) {
    this.#options = options;
    this.#label = basename(options.file);
    this.id = options.id;
    this.source = { kind: 'module', id: this.#label, label: this.#label };
  }

  get name(): string {
    return this.#module?.name ?? this.id;
  }

  get version(): string {
    return this.#version;
  }

  get description(): string {
    return this.#module?.description ?? '';
  }

  getMetadata(): ToolMetadata {
    return { methods: this.#module?.methods ?? [], ...(this.#error && { error: this.#error }) };
  }

  /** Loads the file again. Running calls finish in the old thread. A later reload overtakes an earlier one. */
  async reload(): Promise<void> {
    if (this.#closed) return;
    // Unlike a counter, it does not repeat if the file is deleted and created again.
    this.#version = randomUUID();
    const fault = foreignFault(this.#label);
    if (fault !== undefined) {
      this.#error = fault;
      return this.#options.onChanged();
    }
    const fresh = this.#start();
    const before = this.#thread;
    this.#thread = fresh;
    before?.retire();
    const outcome = await fresh.loaded;
    if (this.#thread !== fresh || this.#closed) return;
    this.#module = 'module' in outcome ? outcome.module : undefined;
    this.#error = this.#module?.error;
    if ('problem' in outcome) {
      this.#error = problemText(outcome.problem, this.#label);
      fresh.retire();
    }
    this.#options.onChanged();
  }

  /** Whether a change of this file concerns the module. */
  uses(path: string): boolean {
    return path === this.#options.file || this.#error !== undefined || (this.#thread?.imports.has(path) ?? false);
  }

  /** Running calls reject with `disconnected`. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map((thread) => thread.terminate(this.#gone())));
  }

  #start(): ModuleThread {
    for (const old of this.#threads) if (!old.alive && old.runningCalls === 0) this.#threads.delete(old);
    const started = new ModuleThread(this.#options);
    this.#threads.add(started);
    return started;
  }

  async invoke(methodName: string, args: JsonObject, options: InvokeOptions): Promise<ToolOutput> {
    const { signal, onProgress, onStart } = options;
    const thread = await this.#callable();
    if (signal.aborted) throw new ToolError('cancelled', 'The call was cancelled before it began.');
    onStart?.();
    const value = await thread.call(methodName, args, { signal, onProgress });
    if (isToolAnswer(value)) return readToolAnswer(value);
    const method = this.#module?.methods.find(({ name }) => name === methodName);
    // With an outputSchema, an object is the answer as data, too.
    return { value, ...(method?.outputSchema && isJsonObject(value) && { structuredContent: value }) };
  }

  /** The thread to call: the newest, once it has loaded; a new one if the last was ended. */
  async #callable(): Promise<ModuleThread> {
    for (;;) {
      if (!this.#thread?.alive) await this.reload();
      const current = this.#thread;
      const outcome = await current?.loaded;
      await current?.certain();
      if (this.#closed || !current) throw this.#gone();
      if (current !== this.#thread) continue;
      if (current.alive) return current;
      if (outcome && 'problem' in outcome) throw new ToolError('tool-error', problemText(outcome.problem, this.#label));
    }
  }

  #gone(): ToolError {
    return new ToolError(
      'disconnected',
      `The module file "${this.#label}" was deleted, moved or renamed, or Toolwire is closing.`,
      { details: { kind: 'module' } },
    );
  }
}

interface ModuleUnitOptions {
  file: string;
  folder: string;
  id: string;
  limits: ModuleLimits;
  /** Called after every change of the metadata. */
  onChanged: () => void;
}
