import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

import { describeThrown } from '../../base/describeThrown.ts';
import { ToolError } from '../../base/errors.ts';
import { exactToBigInt, parseExactly, parseIntegersExactly } from '../../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ToolProgress } from '../../base/toolTypes.ts';
import type { LoadedModule, ModuleLimits, ModuleProblem } from './types.ts';
import type { ModuleWorkerData, ToModuleWorker, FromModuleWorker } from './workerMessages.ts';

const lookEveryMs = 250;

/** What each kind of message must carry before anything reads it. */
const shapes: ReadonlyMap<unknown, (message: Record<string, unknown>) => boolean> = new Map([
  ['imported', ({ file }) => isText(file)],
  ['loaded', ({ json }) => isText(json)],
  ['failed', ({ problem }) => isRecord(problem) && isText(problem['message']) && isText(problem['fix'])],
  ['progress', ({ progress }) => isRecord(progress) && typeof progress['progress'] === 'number'],
  ['done', ({ json }) => isText(json)],
  ['error', ({ error }) => isRecord(error) && isText(error['code']) && isText(error['message'])],
]);

const entry = new URL(import.meta.url.endsWith('.ts') ? './moduleWorker.ts' : './moduleWorker.js', import.meta.url);

/** One worker thread of one module: from its start to its end, never restarted. */
export interface ModuleThread {
  /** What the file turned out to be. Settles within `loadWaitMs`; never rejects. */
  readonly loaded: Promise<{ module: LoadedModule } | { problem: ModuleProblem }>;
  /** False from the moment it ends or is being ended. */
  readonly alive: boolean;
  readonly runningCalls: number;
  /** Resolves once no aborted call is left whose handler may yet take the thread with it. */
  certain(): Promise<unknown>;
  /** Files of the folder that take part, absolute. */
  readonly imports: ReadonlySet<string>;
  /** Rejects with a `ToolError`. An abort ends the handler, by itself within `abortGraceMs` or with the whole thread. */
  call(method: string, args: JsonObject, options: CallOptions): Promise<JsonValue>;
  /** Ends the thread once its running calls have ended; takes no more. */
  retire(): void;
  /** Ends the thread now. Running calls reject with `reason`. */
  terminate(reason: ToolError): Promise<void>;
}

interface CallOptions {
  signal: AbortSignal;
  onProgress?: ((progress: ToolProgress) => void) | undefined;
}

interface PendingCall {
  method: string;
  settle(outcome: { value: JsonValue } | { error: ToolError }): void;
  onProgress: ((progress: ToolProgress) => void) | undefined;
}

/** Starts a module's worker: no environment, no inherited flags, a bounded heap, its output dropped. */
export function startModuleThread(options: { file: string; folder: string; limits: ModuleLimits }): ModuleThread {
  const { file, folder, limits } = options;
  const pending = new Map<number, PendingCall>();
  const imports = new Set([file]);
  const aborted = new Set<Promise<void>>();
  const { promise: loaded, resolve: settleLoad } = Promise.withResolvers<Awaited<ModuleThread['loaded']>>();
  let alive = true;
  let retiring = false;
  let nextId = 1;
  let stopReason: ((call: PendingCall) => ToolError) | undefined;

  // A port of our own: what the module itself posts to its parentPort is not received.
  const { port1: port, port2 } = new MessageChannel();
  const worker = new Worker(entry, {
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
  const stopWatching = watchLoad(worker, limits, (problem) => {
    fail(problem);
    void worker.terminate();
  });

  // What a module prints goes nowhere: our own output is for answers alone.
  for (const stream of [worker.stdout, worker.stderr]) stream.resume();
  port.on('message', receive);
  // Whatever the module threw: null is a value like any other.
  worker.on('error', (error: unknown) =>
    end(
      error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `used more than its ${limits.maxHeapMb} MB of memory`
        : `crashed outside of its handlers: ${describeThrown(error).slice(0, 4000)}`,
    ),
  );
  worker.on('exit', (code) => {
    for (let last = receiveMessageOnPort(port); last; last = receiveMessageOnPort(port)) receive(last.message);
    port.close();
    end(`ended its own thread (exit code ${code})`);
  });

  function receive(received: unknown): void {
    const message = readModuleMessage(received);
    if (!message) return refuse();
    if (message.type === 'imported') imports.add(message.file);
    else if (message.type === 'loaded') settleLoaded(message.json);
    else if (message.type === 'failed') fail(message.problem);
    else if (message.type === 'progress') pending.get(message.id)?.onProgress?.(message.progress);
    else if (message.type === 'done') finish(message.id, message.json);
    else {
      const { code, message: text, location, trace } = message.error;
      const isTraced = typeof location === 'string' && typeof trace === 'string';
      const details = isTraced ? { location: location.slice(0, maxTrace), trace: trace.slice(0, maxTrace) } : undefined;
      pending.get(message.id)?.settle({ error: new ToolError(code, text, details && { details }) });
    }
  }

  function settleLoaded(json: string): void {
    const module = parsed(json, parseIntegersExactly);
    if (!isJsonObject(module) || !Array.isArray(module['methods'])) return refuse();
    settleLoading({ module: module as unknown as LoadedModule });
  }

  function finish(id: number, json: string): void {
    const value = parsed(json, parseExactly);
    if (value === undefined) return refuse();
    pending.get(id)?.settle({ value });
  }

  /** A thread whose messages cannot be read is of no use any more. */
  function refuse(): void {
    const what = 'sent an invalid answer';
    const fix = 'Look for what it changes in JSON or in node:worker_threads.';
    settleLoading({ problem: { message: what, fix } });
    const error = new ToolError('protocol-error', `The module ${what}. ${fix} The next call starts it afresh.`);
    void stop(() => error);
  }

  function settleLoading(outcome: Awaited<ModuleThread['loaded']>): void {
    stopWatching();
    settleLoad(outcome);
  }

  function fail(problem: ModuleProblem): void {
    alive = false;
    settleLoading({ problem });
  }

  function end(what: string): void {
    alive = false;
    settleLoading({
      problem: {
        message: `${what} before it had loaded`,
        fix: 'Look at its top level for a process.exit, or an await of something that never comes.',
      },
    });
    const reason =
      stopReason ?? (() => new ToolError('tool-error', `The module ${what}. The next call starts it afresh.`));
    for (const call of pending.values()) call.settle({ error: reason(call) });
  }

  async function stop(reason: (call: PendingCall) => ToolError): Promise<void> {
    alive = false;
    settleLoading({ problem: { message: 'was closed while it loaded', fix: 'Load it again.' } });
    stopReason ??= reason;
    await worker.terminate();
  }

  function call(method: string, args: JsonObject, { signal, onProgress }: CallOptions): Promise<JsonValue> {
    const given = exactToBigInt(args);
    const id = nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<JsonValue>();
    let grace: NodeJS.Timeout | undefined;
    const self: PendingCall = {
      method,
      onProgress,
      settle(outcome) {
        if (!pending.delete(id)) return;
        clearTimeout(grace);
        signal.removeEventListener('abort', onAbort);
        if ('value' in outcome) resolve(outcome.value);
        else reject(signal.aborted ? abortError(signal) : outcome.error);
        if (retiring && pending.size === 0) void worker.terminate();
      },
    };
    const onAbort = (): void => {
      const over = promise.then(noop, noop).finally(() => aborted.delete(over));
      aborted.add(over);
      port.postMessage({ type: 'abort', id } satisfies ToModuleWorker);
      grace = setTimeout(() => void stop((other) => collateral(other.method, method)), limits.abortGraceMs);
    };
    pending.set(id, self);
    signal.addEventListener('abort', onAbort);
    port.postMessage({ type: 'call', id, method, args: given } satisfies ToModuleWorker);
    if (signal.aborted) onAbort();
    return promise;
  }

  return {
    loaded,
    imports,
    call,
    certain: () => Promise.all(aborted),
    get alive() {
      return alive && !retiring;
    },
    get runningCalls() {
      return pending.size;
    },
    retire() {
      retiring = true;
      if (pending.size === 0) void worker.terminate();
    },
    terminate: (reason) => stop(() => reason),
  };
}

/** Characters of where a handler threw. */
const maxTrace = 4_000;

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
 * Watches a thread while its module loads, and tells `onExceeded` once if it takes too much. The thread's own processor time
 * counts, not the time that passes: on a busy machine a sound module takes long. Returns the function that ends the watch.
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
