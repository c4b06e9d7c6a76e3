/**
 * The worker thread of one tool module: loads the file, describes it, runs its handlers. Everything the module does
 * happens here, so that an endless loop or an exit ends this thread and nothing else. A full heap does in most cases;
 * V8 ends the whole process if it has no room for one large array.
 */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';

import { describeModule, type DescribedModule, type ModuleHandler } from './describeModule.ts';
import { explainFault } from './explainFault.ts';
import { problemText } from './problemText.ts';
import { runHandler } from './runHandler.ts';
import { installLoaderHooks } from './loaderHooks.ts';
import { loadTypeScript, usesTypeScript } from './typeScript.ts';
import type { LoadedModule } from './types.ts';
import type { FromModuleWorker, ModuleWorkerData, ToModuleWorker } from './workerMessages.ts';

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

/** The module, with the faults of its methods and their locations as text. */
async function withErrors({ module, faults }: DescribedModule): Promise<LoadedModule> {
  const errors = new Map<string, string>();
  for (const [name, fault] of faults)
    errors.set(name, problemText(await explainFault(fault, { file, folder }), basename(file)));
  const methods = module.methods.map((method) => {
    const error = errors.get(method.name);
    return error === undefined ? method : { ...method, error };
  });
  return { ...module, methods };
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
