/**
 * The worker thread of one tool module: loads the file, describes it, runs its handlers. Everything the module does
 * happens here, so that an endless loop or an exit ends this thread and nothing else. A full heap does in most cases;
 * V8 ends the whole process if it has no room for one large array.
 */
import { registerHooks } from 'node:module';
import { basename, sep } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';

import { describeModule, type DescribedModule, type ModuleHandler } from './describeModule.ts';
import { problemText } from './problemText.ts';
import { loadTypeScript, usesTypeScript, SyntaxFaultError, isTypeScript, type TypeScript } from './typeScript.ts';
import { placeIn, stackOf, traceOf, type Place } from './traceOf.ts';
import type { LoadedModule, ModuleProblem } from './types.ts';
import type { FromModuleWorker, ModuleWorkerData, ToModuleWorker, ModuleCallError } from './workerMessages.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { writeWithBigInts } from '../../base/exactNumber.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ToolProgress } from '../../base/toolTypes.ts';
import { RefusedFileError, readTextFile, checkFileSize } from '../../base/readTextFile.ts';
import { ModuleFault } from './moduleFault.ts';

/** Bytes of a source file of the folder: removing the types of 4 MB takes as long as a module may take to load. */
const maxSourceBytes = 4 * 1024 * 1024;

/** Bytes of any other file that a module imports, such as one of a package. The compiler of TypeScript has 9 MB. */
const maxPackageFileBytes = 32 * 1024 * 1024;

/** At most one progress message in this many milliseconds: a tight loop of them must not flood the engine. */
const progressIntervalMs = 50;

const { file, folder, maxResultLength, port } = workerData as ModuleWorkerData;
delete (workerData as Partial<ModuleWorkerData>).port;
const post = (message: FromModuleWorker): void => port.postMessage(message);

// Not awaited: Node would print a warning of ours about a module that waits for ever.
void load().then((handlers) => handlers && listen(handlers));

async function load(): Promise<Map<string, ModuleHandler> | undefined> {
  try {
    const typeScript = usesTypeScript(file, folder) ? await loadTypeScript() : undefined;
    process.setSourceMapsEnabled(true);
    installLoaderHooks({ folder, typeScript, onImport: (imported) => post({ type: 'imported', file: imported }) });
    const described = describeModule((await import(pathToFileURL(file).href)) as Record<string, unknown>);
    post({ type: 'loaded', json: JSON.stringify(await withErrors(described)) });
    return described.handlers;
  } catch (error) {
    post({ type: 'failed', problem: await explainFault(error, { file, folder }) });
    return undefined;
  }
}

/** The module, with its faults, those of its methods and their locations as text. */
async function withErrors({ module, faults, fault }: DescribedModule): Promise<LoadedModule> {
  const textOf = async (each: unknown): Promise<string> =>
    problemText(await explainFault(each, { file, folder }), basename(file));
  const errors = new Map<string, string>();
  for (const [name, each] of faults) errors.set(name, await textOf(each));
  const methods = module.methods.map((method) => {
    const error = errors.get(method.name);
    return error === undefined ? method : { ...method, error };
  });
  return { ...module, methods, ...(fault && { error: await textOf(fault) }) };
}

function listen(methods: Map<string, ModuleHandler>): void {
  const running = new Map<number, AbortController>();
  port.on('message', (message: ToModuleWorker) => {
    if (message.type === 'abort') return running.get(message.id)?.abort();
    const { id, method, args } = message;
    const controller = new AbortController();
    running.set(id, controller);
    void runHandler({
      handler: methods.get(method),
      method,
      args,
      folder,
      maxResultLength,
      signal: controller.signal,
      onProgress: (progress) => post({ type: 'progress', id, progress }),
    }).then((outcome) => {
      running.delete(id);
      post({ ...outcome, id });
    });
  });
}

/** How a handler ended. */
type HandlerOutcome = { type: 'done'; json: string } | { type: 'error'; error: ModuleCallError };

/** Runs one handler to its end. Never rejects: whatever it threw or returned becomes an outcome. */
async function runHandler(options: {
  handler: ModuleHandler | undefined;
  method: string;
  args: JsonObject;
  folder: string;
  maxResultLength: number;
  signal: AbortSignal;
  onProgress(progress: ToolProgress): void;
}): Promise<HandlerOutcome> {
  const { handler, method, args, folder, maxResultLength, signal, onProgress } = options;
  if (!handler) return failed('unknown-method', `The module has no method "${method}".`);
  let value: unknown;
  try {
    value = await handler(args, { signal, onProgress: throttled(onProgress) });
  } catch (error) {
    return { type: 'error', error: { code: 'tool-error', message: describeThrown(error), ...traceOf(error, folder) } };
  }
  return toOutcome(value, maxResultLength);
}

function toOutcome(value: unknown, maxResultLength: number): HandlerOutcome {
  if (typeof value === 'function' || typeof value === 'symbol')
    return failed(
      'bad-result',
      `The handler returned a ${typeof value}. Return text, numbers, lists and plain objects.`,
    );
  try {
    const json = writeWithBigInts(value) ?? 'null';
    if (json.length <= maxResultLength) return { type: 'done', json };
    const limit = maxResultLength.toLocaleString('en');
    return failed(
      'result-too-large',
      `The handler returned ${json.length.toLocaleString('en')} characters; ${limit} are allowed.`,
    );
  } catch (error) {
    return failed('bad-result', `The handler's result is not valid JSON: ${describeThrown(error).split('\n')[0]}`);
  }
}

function failed(code: ModuleCallError['code'], message: string): HandlerOutcome {
  return { type: 'error', error: { code, message } };
}

function throttled(onProgress: (progress: ToolProgress) => void): (progress: ToolProgress) => void {
  let last = -Infinity;
  return ({ progress, total, message }) => {
    const now = performance.now();
    if (now - last < progressIntervalMs) return;
    last = now;
    onProgress({
      progress: Number(progress),
      ...(total !== undefined && { total: Number(total) }),
      ...(message !== undefined && { message: String(message).slice(0, 1000) }),
    });
  };
}

/** Says what a module that would not load, or a method of it, has wrong: file, line and fix. */
async function explainFault(error: unknown, where: { file: string; folder: string }): Promise<ModuleProblem> {
  if (error instanceof ModuleFault) {
    const line = lineOf(sourceOf(where.file), error.near, error.within);
    return { message: error.message, fix: error.fix, ...(line && { line }) };
  }
  if (error instanceof RefusedFileError) return refusal(error);
  if (error instanceof SyntaxFaultError) return syntaxProblem(error.file, error.fault);
  if (error instanceof SyntaxError) {
    const { findSyntaxFault } = await loadTypeScript();
    const file = fileInStack(error, where.folder)?.file ?? where.file;
    const fault = findSyntaxFault(sourceOf(file));
    if (fault) return syntaxProblem(file, fault);
  }
  if (isMissing(error)) {
    const [, kind, missing = '', importer = where.file] =
      /(package|module) '([^']+)'(?: imported from (.+))?/.exec(error.message) ?? [];
    const line = lineOf(sourceOf(importer), basename(missing));
    return {
      message: `imports "${basename(missing)}", which does not exist`,
      fix:
        kind === 'package'
          ? 'Install the package in the folder of the modules.'
          : 'Write the whole name with its ending, as in "./_helper.ts".',
      file: importer,
      ...(line && { line }),
    };
  }
  const place = fileInStack(error, where.folder);
  if (error instanceof ReferenceError && /^(module|exports|require) is not defined in ES module/.test(error.message)) {
    const fix = 'Write `export default` instead of `module.exports`, and `import` instead of `require`.';
    return { message: 'is a CommonJS module', fix, ...place };
  }
  return {
    message: `threw an error while loading: ${describeThrown(error).replace(/\.$/, '')}`,
    fix: 'Correct what the file does at its top level.',
    ...place,
  };
}

function refusal({ path, reason, isTooLarge }: RefusedFileError): ModuleProblem {
  const fix = isTooLarge
    ? 'Split the file, or move its data into files that a handler reads.'
    : 'Replace it with a file of source text.';
  return { message: reason, fix, file: path };
}

/** The text of a source file; empty if the file is one that is not read. */
function sourceOf(file: string): string {
  try {
    return readTextFile(file, maxSourceBytes);
  } catch (error) {
    if (error instanceof RefusedFileError) return '';
    throw error;
  }
}

function syntaxProblem(file: string, fault: { message: string; line: number; column: number }): ModuleProblem {
  return { ...fault, file, message: `has a syntax error: ${fault.message}`, fix: 'Correct the line.' };
}

function fileInStack(error: unknown, folder: string): Place | undefined {
  return placeIn(stackOf(error), folder);
}

function isMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

/** The line of a word: of its first key or method after that of `within`, else of the first one, else of the word itself. */
function lineOf(source: string, near: string, within = ''): number | undefined {
  if (near === '') return undefined;
  const places = [keyIn(source, near, keyIn(source, within)), keyIn(source, near), source.indexOf(near)];
  const index = places.find((at) => at >= 0);
  return index === undefined ? undefined : source.slice(0, index).split('\n').length;
}

function keyIn(source: string, word: string, from = 0): number {
  let at = word ? source.indexOf(word, from) : -1;
  while (at >= 0 && !isKeyAt(source, at, word.length)) at = source.indexOf(word, at + 1);
  return at;
}

function isKeyAt(source: string, at: number, length: number): boolean {
  return !/[\w$.]/.test(source[at - 1] ?? '') && /^['"]?\s*[:(]/.test(source.slice(at + length, at + length + 20));
}

/**
 * Teaches this thread's loader the modules folder: `.ts` is TypeScript, `.js` is an ES module. The same in Node and in
 * Electron. Packages under node_modules keep Node's own rules. A file over its limit is refused with a `RefusedFileError`.
 */
function installLoaderHooks(options: {
  folder: string;
  typeScript: TypeScript | undefined;
  /** Called for each file of the folder that belongs to the module. */
  onImport(file: string): void;
}): void {
  const { folder, typeScript, onImport } = options;
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith('file:')) return nextLoad(url, context);
      const file = fileURLToPath(url);
      const ours = file.startsWith(folder + sep) && !file.includes(`${sep}node_modules${sep}`);
      if (ours) onImport(file);
      if (typeScript && isTypeScript(file)) {
        const source = typeScript.toJavaScript(readTextFile(file, maxSourceBytes), file);
        return { format: 'module', source, shortCircuit: true };
      }
      checkFileSize(file, ours ? maxSourceBytes : maxPackageFileBytes);
      return nextLoad(url, ours && file.endsWith('.js') ? { ...context, format: 'module' } : context);
    },
  });
}
