import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

import { ModuleLoader } from '../../../../src-core/registry/modules/moduleLoader.ts';
import type { ModuleLimits } from '../../../../src-core/registry/modules/types.ts';
import {
  createToolRegistryManager,
  type ToolRegistryEvent,
  type ToolRegistryManager,
} from '../../../../src-core/registry/toolRegistryManager.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import type { ToolOutput } from '../../../../src-core/registry/types.ts';
import type { ToolProgress } from '../../../../src-core/base/toolTypes.ts';

export interface ModuleFolder {
  dir: string;
  loader: ModuleLoader;
  manager: ToolRegistryManager;
  problems: string[];
  /** Saves as an editor does: a new file renamed over the old one. */
  save(name: string, source: string): Promise<void>;
  call(toolId: string, method: string, args?: JsonObject, options?: CallOptions): Promise<ToolOutput>;
  /** The next registry event that fits. Ask before doing what causes it. */
  next(
    type: ToolRegistryEvent['type'],
    id: string,
    fits?: (event: ToolRegistryEvent) => boolean,
  ): Promise<ToolRegistryEvent>;
}

interface CallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
}

/** A real folder with real files, loaded by a real loader; gone after the test. */
export async function openModuleFolder(
  files: Record<string, string>,
  options: { limits?: Partial<ModuleLimits>; watch?: boolean } = {},
): Promise<ModuleFolder> {
  const dir = await mkdtemp(join(tmpdir(), 'toolwire-modules-'));
  const problems: string[] = [];
  const manager = createToolRegistryManager();
  const save = async (name: string, source: string): Promise<void> => {
    await writeFile(join(dir, `.${name}.new`), source);
    await rename(join(dir, `.${name}.new`), join(dir, name));
  };
  for (const [name, source] of Object.entries(files)) await save(name, source);
  const loader = new ModuleLoader({
    dir,
    toolRegistryManager: manager,
    onError: (error, where) => problems.push(`${where}: ${String(error)}`),
    watch: false,
    ...options,
  });
  onTestFinished(async () => {
    await loader.close();
    await rm(dir, { recursive: true, force: true });
  });
  await loader.start();

  return {
    dir,
    loader,
    manager,
    problems,
    save,
    call(toolId, method, args = {}, { signal = new AbortController().signal, onProgress } = {}) {
      const tool = manager.getTool(toolId);
      if (!tool) throw new Error(`no tool ${toolId}`);
      return tool.invoke(method, args, {
        signal,
        timeoutMs: 60_000,
        callId: 'test',
        ...(onProgress && { onProgress }),
      });
    },
    next(type, id, fits = () => true) {
      return new Promise((resolve) => {
        const stop = manager.onChange((event) => {
          if (event.type !== type || event.id !== id || !fits(event)) return;
          stop();
          resolve(event);
        });
      });
    },
  };
}

/** Source of a module with one method `run`. */
export function moduleOf(handlerBody: string, top = ''): string {
  return `${top}\nexport default { methods: { run: { description: 'Runs.', handler(args, { signal, onProgress }) { ${handlerBody} } } } };\n`;
}
