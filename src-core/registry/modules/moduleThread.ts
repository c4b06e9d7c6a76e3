import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

import { describeThrown } from '../../base/describeThrown.ts';
import { ToolError } from '../../base/errors.ts';
import { exactToBigInt, parseExactly, parseIntegersExactly } from '../../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ToolProgress } from '../../base/toolTypes.ts';
import { traceOf } from './traceOf.ts';
import type { LoadedModule, ModuleLimits, ModuleProblem } from './types.ts';
import type { FromModuleWorker, ModuleCallError, ModuleWorkerData, ToModuleWorker } from './workerMessages.ts';

const lookEveryMs = 250;

/** The fields that each kind of message must have before it is read. */
const shapes: ReadonlyMap<unknown, (message: Record<string, unknown>) => boolean> = new Map([
  ['imported', ({ file }) => isText(file)],
  ['loaded', ({ json }) => isText(json)],
  ['failed', ({ problem }) => isRecord(problem) && isText(problem['message']) && isText(problem['fix'])],
  ['progress', ({ progress }) => isRecord(progress) && typeof progress['progress'] === 'number'],
  ['done', ({ json }) => isText(json)],
  ['error', ({ error }) => isRecord(error) && isText(error['code']) && isText(error['message'])],
]);

const entry = new URL(import.meta.url.endsWith('.ts') ? './moduleWorker.ts' : './moduleWorker.js', import.meta.url);

interface CallOptions {
  signal: AbortSignal;
  onProgress?: ((progress: ToolProgress) => void) | undefined;
}

interface PendingCall {
  method: string;
  settle(outcome: { value: JsonValue } | { error: ToolError }): void;
  onProgress: ((progress: ToolProgress) => void) | undefined;
}

/** What loading a module has led to. */
type LoadOutcome = { module: LoadedModule } | { problem: ModuleProblem };

/** One worker thread of one module, from its start to its end. It is never restarted. */
export class ModuleThread {
  /** Settles within `loadWaitMs`; never rejects. */
  readonly loaded: Promise<LoadOutcome>;
  /** Absolute paths of the files in the folder that the module consists of. */
  readonly imports: Set<string>;
  readonly #limits: ModuleLimits;
  readonly #pending = new Map<number, PendingCall>();
  /** Aborted calls whose handlers still run. */
  readonly #aborted = new Set<Promise<void>>();
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #settleLoaded: (outcome: LoadOutcome) => void;
  #alive = true;
  #retiring = false;
  #nextId = 1;
  #stopReason: ((call: PendingCall) => ToolError) | undefined;

  /** Starts the worker: no environment, no inherited flags, a bounded heap. Its output is dropped. */
  constructor(options: { file: string; folder: string; limits: ModuleLimits }) {
    const { file, folder, limits } = options;
    this.#limits = limits;
    this.imports = new Set([file]);
    // A port of our own: what the module itself posts to its parentPort is not received.
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(entry, {
      workerData: { file, folder, maxResultLength: limits.maxResultLength, port: port2 } satisfies ModuleWorkerData,
      transferList: [port2],
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      name: 'tool module',
      resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb },
    });
    const { promise, resolve } = Promise.withResolvers<LoadOutcome>();
    this.loaded = promise;
    const stopWatching = watchLoad(this.#worker, limits, (problem) => {
      this.#fail(problem);
      void this.#worker.terminate();
    });
    this.#settleLoaded = (outcome) => {
      stopWatching();
      resolve(outcome);
    };
    this.#listen(folder);
  }

  #listen(folder: string): void {
    const [worker, port] = [this.#worker, this.#port];
    // The output of a module is discarded: the output of this process is for answers only.
    for (const stream of [worker.stdout, worker.stderr]) stream.resume();
    port.on('message', (message) => this.#receive(message));
    // A module can throw any value, also null.
    worker.on('error', (error: unknown) =>
      this.#end(
        error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? `used more than its ${this.#limits.maxHeapMb} MB of memory`
          : `crashed outside of its handlers: ${describeThrown(error).slice(0, 4000)}`,
        traceOf(error, folder),
      ),
    );
    worker.on('exit', (code) => {
      for (let last = receiveMessageOnPort(port); last; last = receiveMessageOnPort(port)) this.#receive(last.message);
      port.close();
      this.#end(`ended its own thread (exit code ${code})`);
    });
  }

  /** False from the moment it ends or is being ended. */
  get alive(): boolean {
    return this.#alive && !this.#retiring;
  }

  get runningCalls(): number {
    return this.#pending.size;
  }

  /** Resolves once every aborted handler has ended, by itself or with the thread. */
  certain(): Promise<unknown> {
    return Promise.all(this.#aborted);
  }

  /** Ends the thread after its running calls have ended. It accepts no more calls. */
  retire(): void {
    this.#retiring = true;
    if (this.#pending.size === 0) void this.#worker.terminate();
  }

  /** Ends the thread now. Running calls reject with `reason`. */
  terminate(reason: ToolError): Promise<void> {
    return this.#stop(() => reason);
  }

  /** Rejects with a `ToolError`. An abort ends the handler, by itself within `abortGraceMs` or with the whole thread. */
  call(method: string, args: JsonObject, { signal, onProgress }: CallOptions): Promise<JsonValue> {
    const given = exactToBigInt(args);
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<JsonValue>();
    let grace: NodeJS.Timeout | undefined;
    const settle: PendingCall['settle'] = (outcome) => {
      if (!this.#pending.delete(id)) return;
      clearTimeout(grace);
      signal.removeEventListener('abort', onAbort);
      if ('value' in outcome) resolve(outcome.value);
      else reject(signal.aborted ? abortError(signal) : outcome.error);
      if (this.#retiring && this.#pending.size === 0) void this.#worker.terminate();
    };
    const onAbort = (): void => {
      const over = promise.then(noop, noop).finally(() => this.#aborted.delete(over));
      this.#aborted.add(over);
      this.#post({ type: 'abort', id });
      const stop = (): void => void this.#stop((other) => collateral(other.method, method));
      grace = setTimeout(stop, this.#limits.abortGraceMs);
    };
    this.#pending.set(id, { method, onProgress, settle });
    signal.addEventListener('abort', onAbort);
    this.#post({ type: 'call', id, method, args: given });
    if (signal.aborted) onAbort();
    return promise;
  }

  #post(message: ToModuleWorker): void {
    this.#port.postMessage(message);
  }

  #receive(received: unknown): void {
    const message = readModuleMessage(received);
    if (!message) return this.#refuse();
    if (message.type === 'imported') this.imports.add(message.file);
    else if (message.type === 'loaded') this.#finishLoading(message.json);
    else if (message.type === 'failed') this.#fail(message.problem);
    else if (message.type === 'progress') this.#pending.get(message.id)?.onProgress?.(message.progress);
    else if (message.type === 'done') this.#finish(message.id, message.json);
    else this.#pending.get(message.id)?.settle({ error: readCallError(message.error) });
  }

  #finishLoading(json: string): void {
    const module = parsed(json, parseIntegersExactly);
    if (!isJsonObject(module) || !Array.isArray(module['methods'])) return this.#refuse();
    this.#settleLoaded({ module: module as unknown as LoadedModule });
  }

  #finish(id: number, json: string): void {
    const value = parsed(json, parseExactly);
    if (value === undefined) return this.#refuse();
    this.#pending.get(id)?.settle({ value });
  }

  /** Ends a thread whose messages cannot be read. */
  #refuse(): void {
    const what = 'sent an invalid answer';
    const fix = 'Look for what it changes in JSON or in node:worker_threads.';
    this.#settleLoaded({ problem: { message: what, fix } });
    const error = new ToolError('protocol-error', `The module ${what}. ${fix} The next call restarts it.`);
    void this.#stop(() => error);
  }

  #fail(problem: ModuleProblem): void {
    this.#alive = false;
    this.#settleLoaded({ problem });
  }

  #end(what: string, trace?: { location: string; trace: string }): void {
    this.#fail({
      message: `${what} before it had loaded`,
      fix: 'Look at its top level for a process.exit, or an await that never resolves.',
    });
    const details = { crashed: true, ...trace };
    const crash = (): ToolError =>
      new ToolError('tool-error', `The module ${what}. The next call restarts it.`, { details });
    const reason = this.#stopReason ?? crash;
    for (const call of this.#pending.values()) call.settle({ error: reason(call) });
  }

  async #stop(reason: (call: PendingCall) => ToolError): Promise<void> {
    this.#fail({ message: 'was closed while it loaded', fix: 'Load it again.' });
    this.#stopReason ??= reason;
    await this.#worker.terminate();
  }
}

/** Characters of where a handler threw. */
const maxTrace = 4_000;

function readCallError({ code, message, location, trace }: ModuleCallError): ToolError {
  const isTraced = typeof location === 'string' && typeof trace === 'string';
  const details = isTraced ? { location: location.slice(0, maxTrace), trace: trace.slice(0, maxTrace) } : undefined;
  return new ToolError(code, message, details && { details });
}

const noop = (): void => undefined;

function parsed(json: string, parse: (text: string) => JsonValue): JsonValue | undefined {
  try {
    return parse(json);
  } catch {
    return undefined; // What runs in the thread can post what it likes.
  }
}

function abortError(signal: AbortSignal): ToolError {
  return signal.reason instanceof ToolError ? signal.reason : new ToolError('cancelled', 'The call was cancelled.');
}

function collateral(method: string, stopped: string): ToolError {
  return new ToolError(
    'disconnected',
    `"${method}" ended because "${stopped}" of the same module had to be stopped, and with it the module's thread. Call it again.`,
  );
}

/**
 * A message from a module's thread. The module's own code runs there too and can get at the port, so that anything may
 * come: anything but a message of `moduleWorker` is `undefined`.
 */
function readModuleMessage(message: unknown): FromModuleWorker | undefined {
  const isOurs = isRecord(message) && shapes.get(message['type'])?.(message) === true;
  return isOurs ? (message as FromModuleWorker) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/**
 * Watches a thread while its module loads, and calls `onExceeded` once if it exceeds its limit. The limit is processor time of
 * the thread, because on a busy machine a valid module may take long to load. Returns the function that ends the watch.
 */
function watchLoad(
  worker: Partial<Pick<Worker, 'cpuUsage'>>,
  { loadCpuMs, loadWaitMs }: Pick<ModuleLimits, 'loadCpuMs' | 'loadWaitMs'>,
  onExceeded: (problem: ModuleProblem) => void,
): () => void {
  let watched = true;
  const waiting = setTimeout(() => {
    exceeded({
      message: `did not finish loading within ${loadWaitMs / 1000} s`,
      fix: 'Look for a long wait at its top level; work belongs into handlers.',
    });
  }, loadWaitMs);
  const looking = setInterval(() => void look(), lookEveryMs);

  async function look(): Promise<void> {
    // Node 22 and older do not measure one thread; there, only the wait is limited.
    const usage = await worker.cpuUsage?.().catch(() => undefined); // A thread that has ended has no usage.
    if (usage === undefined || (usage.user + usage.system) / 1000 < loadCpuMs) return;
    exceeded({
      message: `used ${loadCpuMs / 1000} s of processor time and did not finish loading`,
      fix: 'Look for an endless loop at its top level; work belongs into handlers.',
    });
  }

  function exceeded(problem: ModuleProblem): void {
    if (!watched) return;
    stop();
    onExceeded(problem);
  }

  function stop(): void {
    watched = false;
    clearTimeout(waiting);
    clearInterval(looking);
  }
  return stop;
}
